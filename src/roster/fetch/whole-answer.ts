// Refuses a page that would be taken for all there is, and an answer that reports errors.
import { refusal } from '../../core/words/say.ts';
import { parsePlace, valueAt } from '../../core/rows/path.ts';
import { besideIn, isNextName, saysMore } from '../../core/rows/says-more.ts';
import { quote } from '../../core/text/quote.ts';
import type { HttpSource } from '../source-location.ts';

type Asked = Pick<HttpSource, 'paging' | 'records' | 'isDeclared'>;

export interface Answer {
  records: unknown[];
  document: unknown;
  headers: Record<string, string | undefined>;
  hash: string;
}

/** Throws an `InputError` for a first answer without what `paging` names: it would be taken for the only one. */
export function assertPaths({ paging, records, isDeclared = false }: Asked, answer: Answer, where: string): void {
  if (!paging || answer.document === undefined) return;
  const lacks = (place: string): boolean => valueAt(answer.document, place) === undefined;
  const more = saysMore(besideIn(answer.document), { pointer: records ?? '', count: answer.records.length });
  const said = more && `which says that there is more (${quote(more.pointer)})`;
  if (paging.by === 'link' && answer.headers['link'] === undefined && more?.by === 'next')
    throw refusal('noLinkHeader', { where, said });
  if ((paging.by === 'next' || paging.by === 'cursor') && lacks(paging.path)) {
    if (more && (isDeclared || more.by !== 'number'))
      throw refusal('pagingPathMore', { where, path: quote(paging.path), said });
    const step = parsePlace(paging.path).steps.at(-1);
    if (isDeclared && !(step && 'key' in step && isNextName(step.key)))
      throw refusal('pagingPathNothing', { where, path: quote(paging.path) });
  }
  if (!isDeclared) return;
  for (const [key, place] of [
    ['total', paging.total],
    ['pages', paging.by === 'page' ? paging.pages : undefined],
  ] as const) {
    if (place !== undefined && lacks(place)) throw refusal('pagingNothing', { where, key, place: quote(place) });
  }
}

/** Throws an `InputError` for an answer with errors beside its people, as GraphQL has them: some of the people may be missing. */
export function refuseErrors(errors: unknown, where: string): void {
  if (!Array.isArray(errors) || errors.length === 0) return;
  throw refusal('errorsBeside', { where, errors: errors.length });
}
