// What is in an answer: records, totals, the next page. Refuses one that is not all, or reports errors.
import { parseJson } from '../../core/attempt.ts';
import { refusal } from '../../core/words/say.ts';
import { InputError } from '../../core/errors.ts';
import { deepestJson, isDeeper } from '../../core/rows/flatten.ts';
import { isRecord, type Path, parsePlace, valueAt, valuesAt } from '../../core/rows/path.ts';
import { listOf } from '../../core/words/words.ts';
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

/**
 * Throws an `InputError` for an answer with errors beside its people, as GraphQL has them, and for one that says it is an
 * error under a good status: some of the people may be missing, and its empty list would be taken for the end.
 */
export function refuseErrors(document: unknown, where: string): void {
  const { errors, error, ok, success } = isRecord(document) ? document : {};
  if (Array.isArray(errors) && errors.length > 0) throw refusal('errorsBeside', { where, errors: errors.length });
  const isError = isRecord(error)
    ? Object.keys(error).length > 0
    : error === true || (typeof error === 'string' && error);
  if (isError || ok === false || success === false)
    throw new InputError(`${where} answered that it is an error, so people may be missing. None of it was used.`);
}

/** A JSON answer. Throws an `InputError` that shows none of it. */
export function parseAnswer(body: Buffer, where: string): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (isDeeper(text)) throw refusal('deepAnswer', { where, deepestJson });
  const document = parseJson(text);
  if (document !== undefined) return document;
  const page = /^\s*</.test(text) ? ', but a web page or XML: is a login in between?' : '.';
  throw new InputError(`${where} gave no JSON${page} Check its address.`);
}

const usualNames = listOf('record-lists');

/**
 * The records in an answer: where a JSON pointer leads, else the answer itself when it is a list,
 * else the list under a usual name, else the only list there is. Throws an `InputError` when there is none.
 */
export function findRecords(document: unknown, pointer: string | undefined, where: string): unknown[] {
  if (pointer !== undefined) {
    const found = valueAt(document, pointer);
    if (Array.isArray(found)) return found as unknown[];
    if (found === null) return [];
    throw new InputError(`${where}: there is no list of people at "${pointer}" in the answer.`);
  }
  if (Array.isArray(document)) return document as unknown[];
  if (isRecord(document)) {
    const lists = Object.entries(document).filter(([, value]) => Array.isArray(value)) as [string, unknown[]][];
    const usual = lists.find(([key]) => usualNames().has(key)) ?? (lists.length === 1 ? lists[0] : undefined);
    if (usual) return usual[1];
  }
  throw new InputError(`${where}: no list of people was found in the answer. Say where it is with records.`);
}

/** The text or number where a path leads, as text; empty where there is none. */
export function textAt(document: unknown, path: Path): string {
  const [value] = valuesAt(document, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function numberAt(document: unknown, path: string | undefined): number | undefined {
  return path === undefined ? undefined : wholeNumber(textAt(document, parsePlace(path)));
}

/** Undefined for what is none: `1,000` is not 1. */
export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The parts of a `Link` header (RFC 8288): an address, a text in quotes, a sign that ends a parameter, other text. */
const linkParts = /<[^<>]*>|"(?:[^"\\]|\\.)*"?|[;,]|[^<";,]+|</gs;

/** The address of its `rel="next"`. Each character is read a few times at most, whatever the header says. */
export function nextLink(header = ''): string | undefined {
  let address: string | undefined;
  let parameter = '';
  for (const [part = ''] of [...header.matchAll(linkParts), [',']]) {
    if (part === ';' || part === ',') {
      if (address !== undefined && isNext(parameter)) return address;
      parameter = '';
      if (part === ',') address = undefined;
    } else if (address === undefined && /^<.*>$/s.test(part)) address = part.slice(1, -1);
    else parameter += part;
  }
  return undefined;
}

function isNext(parameter: string): boolean {
  const at = parameter.indexOf('=');
  if (parameter.slice(0, Math.max(at, 0)).trim().toLowerCase() !== 'rel') return false;
  const relations = parameter
    .slice(at + 1)
    .trim()
    .replaceAll('"', '')
    .toLowerCase();
  return relations.split(/\s/).includes('next');
}
