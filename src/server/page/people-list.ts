// What the lists of people of a run and of an upload share: what is asked for, who is in it, and its file.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
import type { Bytes } from '../../acts/act.ts';
import type { Scope } from '../../core/secrets/token.ts';
import { sendFile } from '../api/mount.ts';
import { whileRead } from '../bodies.ts';
import type { WithLedger } from '../../wiring/context.ts';
import type { ServerParts } from '../parts.ts';
import { type Form, formOf, requireScope } from './session.ts';

/** People, or rejects, on a page. */
export const limit = 50;
/** The people of a roster of at most this many are listed by name; of a larger one by address, which the ledger finds at once. */
const byNameUpTo = 10_000;
/** More than any roster has. */
const mostPeople = 100_000_000;

/** What narrows and sorts a list, as its address says it; an empty text asks for nothing. */
export interface Asked extends Record<'group' | 'reason' | 'cause' | 'sort' | 'text', string> {
  show: Show;
  /** How many come before them. */
  from: number;
}

/** What a query or a form asks for. */
export function readAsked(
  shows: readonly Show[],
  { show = '', from = '', group = '', reason = '', cause = '', sort = '', text = '' }: Form,
): Asked {
  const known = shows.find((each) => each === show) ?? 'everybody';
  return { show: known, from: placeOf(from), group, reason, cause, sort, text: cleanText(text) };
}

/** A list of people: where it is, what of it may be shown, and who is in it. */
interface PeopleRoutes {
  path: string;
  shows: readonly Show[];
  /** What whoever looks must be allowed to do. */
  scope: Scope;
  runOf(request: FastifyRequest): Promise<Run>;
  answer(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply>;
  /** The rows of an upload that its filters leave out. */
  leftOut?(request: FastifyRequest, signal: AbortSignal): Promise<LeftOutRow[]>;
}

/** Registers the pages of a list, and the file that has everybody of it, on all of its pages. */
export function peopleRoutes(app: FastifyInstance, parts: ServerParts, routes: PeopleRoutes): void {
  const { path, shows, scope, runOf, answer, leftOut = () => Promise.resolve([]) } = routes;
  app.get(path, async (request, reply) => {
    requireScope(request, scope);
    return answer(request, reply, { ...readAsked(shows, request.query as Form), text: '' });
  });
  // What is searched for names people: it is posted, so that it stays out of addresses and logs.
  app.post(path, async (request, reply) => {
    requireScope(request, scope);
    return answer(request, reply, readAsked(shows, formOf(request)));
  });
  app.post(`${path}/download`, async (request, reply) => {
    requireScope(request, scope);
    const run = await runOf(request);
    const asked = readAsked(shows, formOf(request));
    const file = { name: `${run.id}-people.csv`, type: 'text/csv; charset=utf-8' };
    const rows = await partsOf(parts, run, asked, () => leftOut(request, whileRead(reply)));
    return sendFile(parts.context, request, reply, { runId: run.id, action: 'download people', ...file, parts: rows });
  });
}

async function partsOf(
  { context }: ServerParts,
  run: Run,
  asked: Asked,
  leftOut: () => Promise<LeftOutRow[]>,
): Promise<Bytes['parts']> {
  const { ledger } = context;
  if (asked.show === 'reject') return rejectsFileParts(context, run);
  if (asked.show === 'departed') return departedFile(ledger, run.id);
  if (asked.show === 'out') return leftOutFile(await leftOut());
  return peopleFile(ledger, plannedFor(run), filterOf(run, asked));
}

/** What a page of a list shows besides its people. */
export async function viewOfList(context: WithLedger, run: Run, path: string, asked: Asked) {
  return {
    show: asked.show,
    list: listOf(path, asked),
    groups: (run.plan?.groups ?? []).map((each) => each.group).toSorted(),
    isSortable: isSortable(run),
    ...defined({ counted: await countNarrowed(context, run, asked) }),
  };
}

const isByName = ({ roster }: Run): boolean => (roster?.counts.members ?? 0) <= byNameUpTo;

/** In larger rosters nobody waits until all are sorted. */
const sortedUpTo = 100_000;
const isSortable = ({ roster }: Run): boolean => (roster?.counts.members ?? 0) <= sortedUpTo;

/** The order of a list, as it is asked for or as it is usual; undefined where it is that of the addresses. */
export function orderOf(run: Run, { sort }: Pick<Asked, 'sort'>): PeopleOrder | undefined {
  const by = peopleOrderNames.find((name) => name === sort.replace(/^-/, ''));
  const isDown = sort.startsWith('-');
  // The ledger has them in this order.
  if (by === 'address' && !isDown) return undefined;
  if (by !== undefined && isSortable(run)) return { by, isDown };
  return isByName(run) ? { by: 'name' } : undefined;
}

/** A list of people as a page shows it: what is asked for stays on the way to another part of it. */
export function listOf(path: string, { show, from, ...asked }: Asked): List {
  return { path, asked: { show: show === 'everybody' ? '' : show, ...asked }, from, limit };
}

/** How many a list has, up to `mostCounted`: undefined where the counts of the run say it. */
async function countNarrowed({ ledger }: WithLedger, run: Run, asked: Asked): Promise<number | undefined> {
  const { show, text, reason, group, cause } = asked;
  const isWhole = text + reason + group + cause === '';
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
  const narrow = {
    ...(reason !== '' && { reason: Number(reason) }),
    ...(text !== '' && { text }),
    ...(group !== '' && { group }),
    ...(cause !== '' && { cause }),
  };
  return { ...filterOfShow(show), ...filterOfAsked(run, narrow) };
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
