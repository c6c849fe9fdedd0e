// Fetches a roster page by page.
import { defined } from '../../core/defined.ts';
import { refusal } from '../../core/errors.ts';
import { createHash } from 'node:crypto';
import type { HttpSource } from '../roster-file.ts';
import { isRecord, parsePath, parsePlace, pointerTo, valueAt, valuesAt } from '../../core/rows/path.ts';
import { besideIn, isNextPlace, saysMore } from '../../core/rows/says-more.ts';
import { quote } from '../../core/text/format.ts';
import type { HttpClient } from './http-client.ts';
import { type SourceRequest, showUrl } from './http-message.ts';
import {
  type Answer,
  assertPaths,
  findRecords,
  nextLink,
  numberAt,
  parseAnswer,
  placeOfRecords,
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
 * changes between pages or their end is in doubt, so that somebody may be missing. What was given until then must not
 * be used.
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
  let first: Answer | undefined;
  let next: PageAsked | undefined = firstPage(request);
  for (let page = 1; next; page++) {
    if (page > maxPages) throw refusal('manyPages', { name, url: showUrl(request.url), maxPages });
    const answer: Answer = await readPage(client, { ...request, ...defined({ records: first?.place }) }, next, limits);
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
    first ??= answer;
    const progress = { asked: next, answer, first, count, page, total };
    next = nextPage(client, request, progress);
    if (!next) assertEnd(request, progress);
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
  first: Answer;
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

/**
 * Throws `PagesShifted` where the last answer says that there is more, or has nobody and does not say that this is the
 * end: it may be a fault under a good status.
 */
function assertEnd({ url, paging }: PagedRequest, { answer, first, count, page, total }: Progress): void {
  // A single page with `by: link` is meant to be all, whatever it says.
  if (!paging || (total !== undefined && count >= total) || (paging.by === 'link' && page === 1)) return;
  const { document, place = '', records } = answer;
  const beside = besideIn(document);
  const more = saysMore(beside, { pointer: place, count });
  const ended = (how: string): PagesShifted => new PagesShifted(`${showUrl(url)} ended with a page that ${how}`);
  if (more && more.by !== 'number') throw ended(`says there is more (${quote(more.pointer)})`);
  if (page === 1 || records.length > 0 || beside.size > 0) return;
  const told = 'path' in paging ? paging.path : 'pages' in paging && paging.pages;
  const lacks = told && valueAt(document, told) === undefined && !isNextPlace(pointerTo(told));
  const hasList = document !== undefined && valueAt(document, place) !== null;
  // A page before it that was not full was the last.
  const full = page > 2 ? first.records.length : 'size' in paging && paging.size ? paging.size.count : 0;
  if (lacks || !(hasList || ('first' in paging && count < full * (page - 1))))
    throw ended('has nobody and does not say it is the last');
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
  if (status === 204) return { records: [], place: request.records, document: undefined, headers, hash: '' };
  const where = `${name}: ${showUrl(asked.url)}`;
  const document = parseAnswer(body, where);
  const place = request.records ?? placeOfRecords(document, where);
  const records = isNobody(document, request) ? [] : findRecords(document, place, where);
  const hash = createHash('sha256').update(JSON.stringify(records)).digest('base64');
  return { records, place, document, headers, hash };
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
