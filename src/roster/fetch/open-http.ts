// Opens an HTTP source as a roster.
import { refusal, InputError } from '../../core/errors.ts';
import { defined } from '../../core/defined.ts';
import type { FetchedRoster, FileChoice, HttpSource, SourceDeps } from '../roster-file.ts';
import { isRecord } from '../../core/rows/path.ts';
import { SourceUnchanged, type Validators } from '../../core/rows/source.ts';
import { openRecords } from '../open-records.ts';
import { openRoster } from '../open-roster.ts';
import { assertFresh } from '../files/file-source.ts';
import { HttpClient } from './http-client.ts';
import { type SourceRequest, showUrl } from './http-message.ts';
import { notesOfRenamed, type StepNotes } from './group-tables.ts';
import { nextLink } from './answer.ts';
import { readPages, sent, type PagedRequest, type PageLimits } from './pages.ts';
import { type Enricher, prepareSteps } from './steps.ts';
import { readWhole, watching } from './tries.ts';

/**
 * Opens what an HTTP source gives: one answer in any format that a file can have, or the people of all pages. All of
 * it has arrived when this returns. Throws an `InputError` when any of it cannot be had, `SourceUnchanged` when the
 * server says that it is still what the validators say.
 */
export async function openHttp(at: HttpSource, deps: SourceDeps, { maxAge }: FileChoice): Promise<FetchedRoster> {
  await using client = new HttpClient(at, deps);
  return at.paging || at.steps?.length ? await openPages(client, at, deps) : await openAnswer(client, at, deps, maxAge);
}

async function openAnswer(
  client: HttpClient,
  { method, body, records }: HttpSource,
  deps: SourceDeps,
  maxAge: number | undefined,
): Promise<FetchedRoster> {
  const { open = {}, validators = {} } = deps;
  const conditional = defined({ 'if-none-match': validators.etag, 'if-modified-since': validators.lastModified });
  const request: SourceRequest = {
    url: client.url,
    method,
    ...sent(body, method === 'GET' ? conditional : undefined),
    accept: Object.keys(conditional).length > 0 ? [304] : [],
  };
  const askedAt = deps.now();
  return client.request(request, async ({ status, headers, body: answer }) => {
    const name = showUrl(client.url);
    const changedAt = dateOf(headers['last-modified'] ?? (status === 304 ? validators.lastModified : undefined));
    // Checked first: an unchanged roster can be as stale as one that is sent again.
    if (changedAt) assertFresh([{ path: name, modifiedAt: changedAt }], maxAge, deps.now());
    if (status === 304) throw new SourceUnchanged(deps.name, validators);
    if (status === 204) throw new InputError(`${deps.name}: ${name} gave nobody (204).`);
    if (nextLink(headers['link']) !== undefined) throw refusal('onePageByLink', { name: deps.name, url: name });
    const options = { ...open, isAnswer: true, name, now: () => changedAt ?? askedAt, ...defined({ records }) };
    const roster: FetchedRoster = await watching(answer, (bytes) => openRoster(bytes, options));
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      roster.form.notes.push(
        'The server did not say how long its answer is: if it was cut off, that cannot be noticed.',
      );
    }
    const found = validatorsIn(headers);
    return Object.assign(roster, { askedAt }, method === 'GET' && found && { validators: found });
  });
}

async function openPages(client: HttpClient, source: HttpSource, deps: SourceDeps): Promise<FetchedRoster> {
  const { steps = [], maxPages, records, paging, shiftedWhen, absentWhen, isDeclared, method, body } = source;
  const limits: PageLimits = { name: deps.name, maxPages, ...defined({ shiftedWhen }) };
  const request: PagedRequest = {
    url: client.url,
    method,
    body,
    ...defined({ records, paging, absentWhen, isDeclared }),
  };
  return readWhole(deps, async () => {
    const found: StepNotes = { refused: new Map(), hidden: 0, renamed: new Set(), others: [] };
    const modifiedAt = deps.now();
    const enrich = await prepareSteps(steps, { client, limits, notes: found });
    const pages = readPages(client, request, limits);
    const records = recordsOf(pages, steps.length === 0 ? undefined : enrich);
    const roster = await openRecords(records, { ...deps.open, name: showUrl(client.url), modifiedAt });
    roster.form.notes.push(...notesOf(found));
    return roster;
  });
}

async function* recordsOf(pages: AsyncIterable<unknown[]>, enrich: Enricher | undefined): AsyncGenerator {
  for await (const page of pages) yield* enrich ? await enrich(page.filter(isRecord)) : page;
}

function notesOf({ refused, hidden, renamed, others }: StepNotes): string[] {
  return [
    ...[...refused].map(([code, count]) => {
      return `The details of ${peopleOf(count)} were refused (${code || 'no answer for them'}): they have no e-mail here.`;
    }),
    ...(hidden > 0
      ? [`The server hides fields of ${peopleOf(hidden)} from these credentials: they have no e-mail here.`]
      : []),
    ...others,
    ...notesOfRenamed(renamed),
  ];
}

function peopleOf(count: number): string {
  return count === 1 ? '1 person' : `${count} people`;
}

/** What may go back into a header; a server's own text is not trusted with more. */
const plain = /^[\x20-\x7e\x80-\xff]{1,1000}$/;

function validatorsIn(headers: Record<string, string | undefined>): Validators | undefined {
  const [etag, lastModified] = ['etag', 'last-modified'].map((name) => plain.exec(headers[name] ?? '')?.[0]);
  const found: Validators = defined({ etag, lastModified });
  return Object.keys(found).length > 0 ? found : undefined;
}

function dateOf(header: string | undefined): Date | undefined {
  const time = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : new Date(time);
}
