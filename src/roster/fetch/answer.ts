// What is in an answer: records, totals, the next page. Refuses one that is not all, or reports errors.
import { attempt, parseExactly } from '../../core/attempt.ts';
import { refusal, InputError } from '../../core/errors.ts';
import { deepestJson, isDeeper } from '../../core/rows/flatten.ts';
import { isRecord, type Path, parsePlace, pointerTo, valueAt, valuesAt, writeKey } from '../../core/rows/path.ts';
import { listOf } from '../../core/words/words.ts';
import { besideIn, isNextPlace, saysMore } from '../../core/rows/says-more.ts';
import { quote } from '../../core/text/format.ts';
import type { HttpSource } from '../roster-file.ts';

type Asked = Pick<HttpSource, 'paging' | 'isDeclared'>;

export interface Answer {
  records: unknown[];
  /** Where they are, as a JSON pointer; undefined while that is not known. */
  place: string | undefined;
  document: unknown;
  headers: Record<string, string | undefined>;
  hash: string;
}

/** Throws an `InputError` for a first answer without what `paging` names: it would be taken for the only one. */
export function assertPaths({ paging, isDeclared = false }: Asked, answer: Answer, where: string): void {
  if (!paging || answer.document === undefined) return;
  const lacks = (place: string): boolean => valueAt(answer.document, place) === undefined;
  const more = saysMore(besideIn(answer.document), { pointer: answer.place ?? '', count: answer.records.length });
  const said = more && `which says that there is more (${quote(more.pointer)})`;
  if (paging.by === 'link' && answer.headers['link'] === undefined && more?.by === 'next')
    throw refusal('noLinkHeader', { where, said });
  if ((paging.by === 'next' || paging.by === 'cursor') && lacks(paging.path)) {
    if (more && (isDeclared || more.by !== 'number'))
      throw refusal('pagingPathMore', { where, path: quote(paging.path), said });
    if (isDeclared && !isNextPlace(pointerTo(paging.path)))
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

/** Names under which an answer says that it is an error, and what it says there. */
const errorsBy: readonly [name: RegExp, said: RegExp][] = [
  [/^(?:errors?|faults?)$/i, /^(?!(?:|false|0|null|\[\]|\{\})$)/],
  [/^(?:ok|(?:is_?)?success)$/i, /^(?:false|0)$/i],
  [/^(?:status|code|(?:http_?)?status_?code|error_?code|imsx_codemajor)$/i, /^(?:[45]\d\d|error|fail(?:ed|ure)?)\b/i],
];
const aboutAnswer = /^(?:meta(?:data)?|(?:response_?)?status)$/i;

function isError(document: unknown): boolean {
  return Object.entries(isRecord(document) ? document : {}).some(([key, value]) => {
    const by = errorsBy.find(([name]) => name.test(key))?.[1];
    if (by?.test(typeof value === 'string' ? value.trim() : JSON.stringify(value))) return true;
    return aboutAnswer.test(key) && isError(value);
  });
}

/**
 * A JSON answer. Throws an `InputError` that shows none of it, also for one with errors beside its people, as GraphQL
 * has them, and for one that says it is an error under a good status: its empty list would be taken for the end.
 */
export function parseAnswer(body: Buffer, where: string): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (isDeeper(text)) throw refusal('deepAnswer', { where, deepestJson });
  const document = attempt(() => parseExactly(text));
  const errors = isRecord(document) ? document['errors'] : undefined;
  if (Array.isArray(errors) && errors.length > 0) throw refusal('errorsBeside', { where, errors: errors.length });
  if (isError(document))
    throw new InputError(`${where} answered that it is an error, so people may be missing. None of it was used.`);
  if (document !== undefined) return document;
  const page = /^\s*</.test(text) ? ', but a web page or XML: is a login in between?' : '.';
  throw new InputError(`${where} gave no JSON${page} Check its address.`);
}

const usualNames = listOf('record-lists');

/** The records where a JSON pointer leads; without one, where `placeOfRecords` finds them. Throws an `InputError`. */
export function findRecords(document: unknown, pointer: string | undefined, where: string): unknown[] {
  const place = pointer ?? placeOfRecords(document, where);
  const found = valueAt(document, place);
  if (Array.isArray(found)) return found as unknown[];
  if (found === null) return [];
  throw new InputError(`${where}: there is no list of people at "${place}" in the answer.`);
}

/**
 * The answer itself when it is a list, else the list under a usual name, else the only list there is. Throws an
 * `InputError` when there is none.
 */
export function placeOfRecords(document: unknown, where: string): string {
  if (Array.isArray(document)) return '';
  if (isRecord(document)) {
    const lists = Object.keys(document).filter((key) => Array.isArray(document[key]));
    const usual = lists.find((key) => usualNames().has(key)) ?? (lists.length === 1 ? lists[0] : undefined);
    if (usual !== undefined) return pointerTo(writeKey(usual));
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
