// Fetches a roster page by page.
import { refusal } from '../../core/words/say.ts';
import { createHash } from 'node:crypto';
import type { HttpSource } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import { deepestJson, isDeeper } from '../../core/rows/flatten.ts';
import { isRecord, type Path, parsePath, parsePlace, valueAt, valuesAt } from '../../core/rows/path.ts';
import { listOf } from '../../core/words/words.ts';
import type { HttpClient } from './http-client.ts';
import { type Shifted, type SourceRequest, showUrl } from './http-message.ts';
import { nextLink } from './next-link.ts';
import { PagesShifted } from './tries.ts';
import { type Answer, assertPaths, refuseErrors } from './whole-answer.ts';

export interface PagedRequest extends Pick<
  HttpSource,
  'method' | 'body' | 'records' | 'paging' | 'isDeclared' | 'absentWhen'
> {
  url: URL;
  headers?: Readonly<Record<string, string>>;
}

export interface PageLimits {
  name: string;
  maxPages: number;
  /** Bytes of one page; it is parsed as a whole. Default 64 MiB: some 50,000 people. */
  pageBytes?: number;
  shiftedWhen?: readonly Shifted[];
}

const defaultPageBytes = 64 * 1024 ** 2;

/**
 * Gives the records of all pages, in order. Throws an `InputError` for a page that cannot be read, is no JSON, or was
 * given before, and when there are fewer records than the answer says; `PagesShifted` when the number of people
 * changes between pages, so that somebody may be missing. What was given until then must not be used.
 */
export async function* readPages(
  client: HttpClient,
  request: PagedRequest,
  limits: PageLimits,
): AsyncGenerator<unknown[]> {
  const { name, maxPages } = limits;
  const seen = new Set<string>();
  const known = new Set<string>();
  let count = 0;
  let total: number | undefined;
  let next: Turn | undefined = firstTurn(request);
  for (let page = 1; next; page++) {
    if (page > maxPages) {
      throw new InputError(`${name}: ${showUrl(request.url)} has more than ${maxPages} pages. Is its paging right?`);
    }
    const answer: Answer = await readPage(client, request, next, limits);
    if (page === 1) assertPaths(request, answer, `${name}: ${showUrl(next.url)}`);
    if (answer.records.length > 0 && request.paging) {
      if (seen.has(answer.hash)) throw refusal('pageTwice', { name, url: showUrl(next.url) });
      seen.add(answer.hash);
    }
    count += answer.records.length;
    assertNew(request, answer, known);
    const stated = numberAt(answer.document, request.paging?.total) ?? headerTotal(request, answer);
    if (stated !== undefined && total !== undefined && stated !== total) {
      throw new PagesShifted(`${showUrl(request.url)} had ${total} people, and then ${stated}`);
    }
    total ??= stated;
    if (answer.records.length > 0) yield answer.records;
    next = nextTurn(client, request, { turn: next, answer, count, page, total });
  }
  if (total !== undefined && count < total) {
    throw new PagesShifted(`${showUrl(request.url)} said ${total} people and gave ${count}`);
  }
}

/** Throws `PagesShifted` for a record that was given before: another one slipped past. */
function assertNew({ url, paging }: PagedRequest, { records }: Answer, known: Set<string>): void {
  if (paging?.by !== 'offset' || paging.key === undefined) return;
  const path = parsePath(paging.key);
  for (const record of records) {
    const [key] = valuesAt(record, path);
    if (typeof key !== 'string') continue;
    if (known.has(key)) throw new PagesShifted(`${showUrl(url)} gave somebody twice`);
    known.add(key);
  }
}

function headerTotal({ paging }: PagedRequest, { headers }: Answer): number | undefined {
  if (paging?.by !== 'offset' || paging.totalHeader === undefined) return undefined;
  const text = headers[paging.totalHeader] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** One request for a page: where, and what is sent. */
export interface Turn {
  url: URL;
  body: unknown;
}

function firstTurn({ url, body, paging }: PagedRequest): Turn {
  if (!paging || !('first' in paging)) return { url, body };
  const first = withParameter({ url, body }, paging.parameter, paging.first, paging.in);
  return paging.size ? withParameter(first, paging.size.parameter, paging.size.count, paging.in) : first;
}

function withParameter(
  { url, body }: Turn,
  name: string,
  value: string | number,
  place: 'query' | 'body' = 'query',
): Turn {
  if (place === 'body') return { url, body: { ...(isRecord(body) ? body : {}), [name]: value } };
  const changed = new URL(url);
  changed.searchParams.set(name, String(value));
  return { url: changed, body };
}

interface Progress {
  turn: Turn;
  answer: Answer;
  /** Records so far. */
  count: number;
  /** Pages so far. */
  page: number;
  total: number | undefined;
}

function nextTurn(client: HttpClient, { paging }: PagedRequest, progress: Progress): Turn | undefined {
  const { turn, answer, count, page, total } = progress;
  if (!paging) return undefined;
  const { document, headers, records } = answer;
  const followed = (link: string | undefined): Turn | undefined =>
    link ? { url: client.follow(link, turn.url), body: turn.body } : undefined;
  switch (paging.by) {
    case 'link':
      return followed(nextLink(headers['link']));
    case 'next':
      return followed(textAt(document, parsePlace(paging.path)));
    case 'cursor': {
      const cursor = textAt(document, parsePlace(paging.path));
      return cursor === '' ? undefined : withParameter(turn, paging.parameter, cursor, paging.in);
    }
    case 'offset':
      if (paging.links && headers['link'] !== undefined) return followed(nextLink(headers['link']));
      if (records.length === 0 || (total !== undefined && count >= total)) return undefined;
      return withParameter(turn, paging.parameter, paging.first + count, paging.in);
    case 'page': {
      const pages = numberAt(document, paging.pages);
      if (records.length === 0 || (pages !== undefined && page >= pages)) return undefined;
      if (total !== undefined && count >= total) return undefined;
      return withParameter(turn, paging.parameter, paging.first + page, paging.in);
    }
  }
}

/** Reads one page. Throws as `readPages` does. */
async function readPage(
  client: HttpClient,
  request: PagedRequest,
  turn: Turn,
  { name, pageBytes = defaultPageBytes, shiftedWhen = [] }: PageLimits,
): Promise<Answer> {
  const { method } = request;
  const { status, headers, body } = await client.read(
    { url: turn.url, method, ...sent(turn.body, request.headers), shiftedWhen },
    pageBytes,
  );
  const shown = showUrl(turn.url);
  if (status === 204) return { records: [], document: undefined, headers, hash: '' };
  const document = parseAnswer(body, `${name}: ${shown}`);
  refuseErrors(valueAt(document, '/errors'), `${name}: ${shown}`);
  const records = isNobody(document, request) ? [] : findRecords(document, request.records, `${name}: ${shown}`);
  return { records, document, headers, hash: createHash('sha256').update(JSON.stringify(records)).digest('base64') };
}

function isNobody(document: unknown, { records, absentWhen }: PagedRequest): boolean {
  if (!absentWhen || records === undefined || valueAt(document, records) !== undefined) return false;
  return textAt(document, parsePlace(absentWhen.path)) === absentWhen.is;
}

/** The body and the headers that announce it. Exactly this type: BambooHR takes one with a charset for XML. */
export function sent(
  body: unknown,
  headers: Readonly<Record<string, string>> | undefined,
): Pick<SourceRequest, 'headers' | 'body'> {
  if (body === undefined) return headers ? { headers } : {};
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** A JSON answer. Throws an `InputError` that shows none of it. */
export function parseAnswer(body: Buffer, where: string): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (isDeeper(text)) {
    throw new InputError(`${where} gave values nested more than ${deepestJson} levels deep. Check its address.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const page = /^\s*</.test(text) ? ', but a web page or XML: is a login in between?' : '.';
    throw new InputError(`${where} gave no JSON${page} Check its address.`);
  }
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

function numberAt(document: unknown, path: string | undefined): number | undefined {
  if (path === undefined) return undefined;
  const number = Number.parseInt(textAt(document, parsePlace(path)), 10);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
