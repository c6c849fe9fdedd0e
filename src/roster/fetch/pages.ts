// Fetches a roster page by page.
import { refusal } from '../../core/words/say.ts';
import { createHash } from 'node:crypto';
import type { HttpSource } from '../source-location.ts';
import { isRecord, parsePath, parsePlace, valueAt, valuesAt } from '../../core/rows/path.ts';
import type { HttpClient } from './http-client.ts';
import { type SourceRequest, showUrl } from './http-message.ts';
import {
  type Answer,
  assertPaths,
  findRecords,
  nextLink,
  numberAt,
  parseAnswer,
  refuseErrors,
  textAt,
  wholeNumber,
} from './answer.ts';
import { PagesShifted } from './tries.ts';

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
  shiftedWhen?: SourceRequest['shiftedWhen'];
}

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
  let next: PageAsked | undefined = firstPage(request);
  for (let page = 1; next; page++) {
    if (page > maxPages) throw refusal('manyPages', { name, url: showUrl(request.url), maxPages });
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
    next = nextPage(client, request, { asked: next, answer, count, page, total });
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
  return wholeNumber(headers[paging.totalHeader] ?? '');
}

/** One request for a page: where, and what is sent. */
export interface PageAsked {
  url: URL;
  body: unknown;
}

function firstPage({ url, body, paging }: PagedRequest): PageAsked {
  if (!paging || !('first' in paging)) return { url, body };
  const first = withParameter({ url, body }, paging.parameter, paging.first, paging.in);
  return paging.size ? withParameter(first, paging.size.parameter, paging.size.count, paging.in) : first;
}

function withParameter(
  { url, body }: PageAsked,
  name: string,
  value: string | number,
  place: 'query' | 'body' = 'query',
): PageAsked {
  if (place === 'body') return { url, body: { ...(isRecord(body) ? body : {}), [name]: value } };
  const changed = new URL(url);
  changed.searchParams.set(name, String(value));
  return { url: changed, body };
}

interface Progress {
  asked: PageAsked;
  answer: Answer;
  /** Records so far. */
  count: number;
  /** Pages so far. */
  page: number;
  total: number | undefined;
}

function nextPage(client: HttpClient, { paging }: PagedRequest, progress: Progress): PageAsked | undefined {
  const { asked, answer, count, page, total } = progress;
  if (!paging) return undefined;
  const { document, headers, records } = answer;
  const followed = (link: string | undefined): PageAsked | undefined =>
    link ? { url: client.follow(link, asked.url), body: asked.body } : undefined;
  switch (paging.by) {
    case 'link':
      return followed(nextLink(headers['link']));
    case 'next':
      return followed(textAt(document, parsePlace(paging.path)));
    case 'cursor': {
      const cursor = textAt(document, parsePlace(paging.path));
      return cursor === '' ? undefined : withParameter(asked, paging.parameter, cursor, paging.in);
    }
    case 'offset':
      if (paging.links && headers['link'] !== undefined) return followed(nextLink(headers['link']));
      if (records.length === 0 || (total !== undefined && count >= total)) return undefined;
      return withParameter(asked, paging.parameter, paging.first + count, paging.in);
    case 'page': {
      const pages = numberAt(document, paging.pages);
      // A page in the middle may have nobody whom these credentials see.
      if (pages === undefined ? records.length === 0 : page >= pages) return undefined;
      if (total !== undefined && count >= total) return undefined;
      return withParameter(asked, paging.parameter, paging.first + page, paging.in);
    }
  }
}

/** Reads one page. Throws as `readPages` does. */
async function readPage(
  client: HttpClient,
  request: PagedRequest,
  asked: PageAsked,
  { name, shiftedWhen = [] }: PageLimits,
): Promise<Answer> {
  const { method } = request;
  const asking = { url: asked.url, method, ...sent(asked.body, request.headers), shiftedWhen };
  const { status, headers, body } = await client.read(asking);
  const shown = showUrl(asked.url);
  if (status === 204) return { records: [], document: undefined, headers, hash: '' };
  const document = parseAnswer(body, `${name}: ${shown}`);
  refuseErrors(document, `${name}: ${shown}`);
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
