// What the lists of people of a run and of an upload share: what is asked for, who is in it, and its file.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rejectsFileParts } from '../../../jobs/run/rejects-file.ts';
import { filterOf as filterOfAsked, plannedFor } from '../../acts/people-filter.ts';
import { defined } from '../../core/defined.ts';
import type { LeftOutRow } from '../../core/inspect/census.ts';
import { failedOutcomes } from '../../core/run/cause.ts';
import { sentActions } from '../../core/run/run.ts';
import { type PeopleFilter, type PeopleOrder, peopleOrderNames } from '../../ledger/people/people-of-run.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { List } from '../../page/list.ts';
import { mostCounted, type Show } from '../../page/people-table.ts';
import { departedFile, leftOutFile, peopleFile } from '../../report/files/people-file.ts';
import { sendFile } from '../api/send-file.ts';
import type { WithLedger } from '../../wiring/context.ts';
import type { ServerParts } from '../parts.ts';

export type Form = Partial<Record<string, string>>;

/** People, or rejects, on a page. */
export const limit = 50;
/** The people of a roster of at most this many are listed by name; of a larger one by address, which the ledger finds at once. */
const byNameUpTo = 10_000;
/** More than any roster has. */
const mostPeople = 100_000_000;

export interface Asked {
  show: Show;
  text: string;
  /** How many come before them. */
  from: number;
  reason?: string;
  /** The only group that is shown. */
  group?: string;
  cause?: string;
  /** What it is sorted by, as the address says it. */
  sort?: string;
}

/** What a query or a form asks for; what is searched for names people, and is only taken of a form. */
export function readAsked(
  shows: readonly Show[],
  { show = '', text = '', from = '0', reason = '', group = '', cause = '', sort = '' }: Form,
): Asked {
  return {
    show: shows.find((each) => each === show) ?? 'everybody',
    text: cleanText(text),
    from: placeOf(from),
    ...(reason !== '' && { reason }),
    ...(cause !== '' && { cause }),
    ...(group !== '' && { group }),
    ...(sort !== '' && { sort }),
  };
}

const isByName = ({ roster }: Run): boolean => (roster?.counts.members ?? 0) <= byNameUpTo;

/** In larger rosters nobody waits until all are sorted. */
const sortedUpTo = 100_000;
export const isSortable = ({ roster }: Run): boolean => (roster?.counts.members ?? 0) <= sortedUpTo;

/** The order of a list, as it is asked for or as it is usual; undefined where it is that of the addresses. */
export function orderOf(run: Run, { sort = '' }: Pick<Asked, 'sort'>): PeopleOrder | undefined {
  const by = peopleOrderNames.find((name) => name === sort.replace(/^-/, ''));
  const isDown = sort.startsWith('-');
  // The ledger has them in this order.
  if (by === 'address' && !isDown) return undefined;
  if (by !== undefined && isSortable(run)) return { by, isDown };
  return isByName(run) ? { by: 'name' } : undefined;
}

/** A list of people as a page shows it: what is asked for stays on the way to another part of it. */
export function listOf(
  path: string,
  { show, text, from, reason = '', group = '', cause = '', sort = '' }: Asked,
): List {
  return { path, asked: { show: show === 'everybody' ? '' : show, group, reason, cause, sort, text }, from, limit };
}

/** How many a list has, up to `mostCounted`: undefined where the counts of the run say it. */
export async function countNarrowed({ ledger }: WithLedger, run: Run, asked: Asked): Promise<number | undefined> {
  const { show, text, reason, group, cause } = asked;
  const isWhole = text === '' && (reason ?? group ?? cause) === undefined;
  if (!isOfPeople(show) || (isWhole && show !== 'everybody')) return undefined;
  return ledger.countPeopleOfRun(plannedFor(run), filterOf(run, asked), mostCounted);
}

/** What somebody searches for, without what no database can store. */
export const cleanText = (typed: string): string =>
  typed
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .slice(0, 200);

/** A place in a list, from 0. */
export const placeOf = (text: string): number => Math.min(Math.max(0, Math.trunc(Number(text)) || 0), mostPeople);

export function filterOf(run: Run, { show, text, reason, group, cause }: Asked): PeopleFilter {
  const narrow = { ...(reason !== undefined && { reason: Number(reason) }), ...(text !== '' && { text }) };
  return { ...filterOfShow(show), ...filterOfAsked(run, { ...defined({ group, cause }), ...narrow }) };
}

function filterOfShow(show: Show): PeopleFilter {
  switch (show) {
    case 'everybody':
      return { actions: [...sentActions, 'later'] };
    case 'undelivered':
      return { outcomes: [...failedOutcomes] };
    case 'open':
      return { isOpen: true };
    case 'failed':
    case 'partial':
    case 'unknown':
      return { outcomes: [show] };
    case 'departed':
    case 'reject':
    case 'out':
      return {};
    default:
      return { actions: [show] };
  }
}

/** Whether a list is of people, rather than of rows or of who left. */
export const isOfPeople = (show: Show): boolean => !['reject', 'departed', 'out'].includes(show);

/** Sends everybody of a list, on all of its pages; `leftOut` lists the rows of an upload that its filters leave out. */
export async function sendPeople(
  { context }: ServerParts,
  [request, reply]: [FastifyRequest, FastifyReply],
  [run, asked]: [Run, Asked],
  leftOut: () => Promise<LeftOutRow[]> = () => Promise.resolve([]),
): Promise<FastifyReply> {
  const { ledger } = context;
  const partsOf = async () => {
    if (asked.show === 'reject') return rejectsFileParts(context, run);
    if (asked.show === 'departed') return departedFile(ledger, run.id);
    if (asked.show === 'out') return leftOutFile(await leftOut());
    return peopleFile(ledger, plannedFor(run), filterOf(run, asked));
  };
  const file = { name: `${run.id}-people.csv`, type: 'text/csv; charset=utf-8', parts: await partsOf() };
  return sendFile(context, request, reply, { runId: run.id, action: 'download people', ...file });
}
