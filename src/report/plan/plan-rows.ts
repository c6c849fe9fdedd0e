// Lists the people of a plan, a page at a time.
import { defined } from '../../core/defined.ts';
import { pageByPage } from '../../core/page-by-page.ts';
import { groupsLost, keepsAtService, type Member } from '../../core/person/member.ts';
import type { Trip } from '../../core/guards/trip.ts';
import { dayText } from '../../core/cells/days.ts';
import { TextSet } from '../../core/hashing/text-set.ts';
import { type Action, sentActions } from '../../core/run/run.ts';
import type { DepartedPerson } from '../../ledger/people/roster-people.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { RunOfSource } from '../../ledger/runs/runs.ts';
import { everyDeparted, everyPerson } from '../files/people-file.ts';
import { type PlanKind, planKinds, type PlanRow } from './plan-row.ts';

export interface PlanFilter {
  /** Only these kinds; absent for all, but the unchanged. */
  kinds?: readonly PlanKind[];
  /** Only what a guard of this name holds. */
  guard?: string;
  /** The unchanged, too. */
  unchanged?: boolean;
}

export interface PlanToList extends RunOfSource {
  trips: readonly Trip[];
  /** The unchanged are sent, too. */
  all: boolean;
}

type Reading = Pick<Ledger, 'peopleOfRun' | 'listDeparted' | 'listRejects'>;

/** The people of a plan, who left, and the rejected rows: some at a time, never all in memory. */
export async function* planRows(ledger: Reading, plan: PlanToList, filter: PlanFilter = {}): AsyncGenerator<PlanRow> {
  const { guard } = filter;
  for await (const row of allRows(ledger, plan, filter)) {
    if (guard === undefined || row.heldBy.includes(guard)) yield row;
  }
}

async function* allRows(ledger: Reading, plan: PlanToList, filter: PlanFilter): AsyncGenerator<PlanRow> {
  const unchanged = plan.all || filter.unchanged === true || (filter.kinds?.includes('unchanged') ?? false);
  const kinds = new Set<PlanKind>(filter.kinds ?? planKinds);
  const actions = [...sentActions, 'later' as const].filter((action) => kinds.has(action));
  const sentAsLeavers = new TextSet();
  for await (const person of everyPerson(ledger, plan, { actions, isSent: !unchanged })) {
    if (person.action === 'departed') sentAsLeavers.add(person.key);
    yield rowOfPerson(person, plan);
  }
  if (kinds.has('departed')) {
    for await (const person of everyDeparted(ledger, plan.runId)) {
      if (sentAsLeavers.add(person.key)) yield rowOfDeparted(person, plan.trips);
    }
  }
  if (!kinds.has('reject')) return;
  const heldBy = plan.trips.flatMap(({ guard }) => (guard === 'rejects' ? [guard] : []));
  const rejects = pageByPage(
    undefined,
    (after: { line: number; id: number } | undefined, limit) =>
      ledger.listRejects(plan.runId, { limit, ...defined({ after }) }),
    ({ line, id }) => ({ line, id }),
  );
  for await (const { file, line, column, value, reason } of rejects) {
    yield { ...nobody, kind: 'reject', why: reason, heldBy, file, line, column, value };
  }
}

const nobody: PlanRow = {
  kind: 'reject',
  email: '',
  firstname: '',
  lastname: '',
  telephone: '',
  groups: [],
  changes: [],
  why: '',
  firstDay: '',
  heldBy: [],
  file: '',
  line: null,
  column: '',
  value: '',
};

function rowOfPerson(person: PersonOfRun, plan: PlanToList): PlanRow {
  const { now, before, action, file, line, startsOn } = person;
  const { firstname, lastname, email, telephone = '', groups } = now;
  const isSent = action !== 'later' && (action !== 'unchanged' || person.resend || plan.all);
  return {
    ...nobody,
    kind: action,
    email,
    firstname,
    lastname,
    telephone,
    groups,
    file,
    line,
    changes: before && (action === 'changed' || action === 'departed') ? changesOf(before, now) : [],
    why: whyOf(person),
    firstDay: action === 'later' && startsOn !== null ? dayText(startsOn) : '',
    heldBy: isSent ? plan.trips.filter((trip) => holds(trip, person)).map(({ guard }) => guard) : [],
  };
}

function rowOfDeparted({ email, firstname, lastname, groups, since }: DepartedPerson, trips: readonly Trip[]): PlanRow {
  const known = since === null ? 'in this roster' : `in the roster since ${since.toISOString().slice(0, 10)}`;
  return {
    ...nobody,
    kind: 'departed',
    email,
    firstname,
    lastname,
    groups,
    why: `not ${known}, or their row says that they left; keeps these groups at the service`,
    heldBy: trips.flatMap(({ guard }) => (guard === 'departed' ? [guard] : [])),
  };
}

function whyOf({ action, before, startsOn, resend, leftBehind, now }: PersonOfRun): string {
  switch (action) {
    case 'new':
      return 'not given anything yet';
    case 'changed':
      return before ? 'differs from what they were last given, or they are back' : 'known from another source';
    case 'again':
      return 'the last call for them did not succeed';
    case 'unchanged': {
      const left = before?.groups.filter((group) => !now.groups.includes(group)) ?? [];
      if (resend) return 'last given longer ago than refresh allows: sent again';
      return leftBehind && left.length > 0 ? keepsAtService(left) : 'has everything already';
    }
    case 'later':
      return startsOn === null
        ? 'no room for another invitation (invites), or a newer event is about them'
        : `begins on ${dayText(startsOn)}`;
    case 'departed':
      return now.forceSync ? 'left; is taken out of every other group' : 'left; keeps what they have';
  }
}

function changesOf(before: Member & { forceSync: boolean }, now: Member & { forceSync: boolean }): string[] {
  const name = ({ firstname, lastname }: Member): string => `${firstname} ${lastname}`;
  const pair = (what: string, old: string, other: string): string[] =>
    old === other ? [] : [`${what}: ${old === '' ? 'none' : old} -> ${other === '' ? 'none' : other}`];
  const groups = [
    ...now.groups.filter((group) => !before.groups.includes(group)).map((group) => `+ ${group}`),
    ...groupsLost(
      before.groups.filter((group) => !now.groups.includes(group)),
      now,
    ),
  ];
  return [
    ...pair('name', name(before), name(now)),
    ...pair('email', before.email, now.email),
    ...pair('telephone', before.telephone ?? '', now.telephone ?? ''),
    ...(groups.length > 0 ? [`groups: ${groups.join(', ')}`] : []),
    ...pair('forceSync', before.forceSync ? 'on' : 'off', now.forceSync ? 'on' : 'off'),
  ];
}

/** Whether a guard stops what would be sent to a person; as the ledger's `isStopped`. */
function holds({ scope }: Trip, { key, action, now, before }: PersonOfRun): boolean {
  if (scope === 'all') return true;
  if ('actions' in scope) return scope.actions.includes(action satisfies Action);
  if ('people' in scope) return scope.people.includes(key);
  return [...now.groups, ...(before?.groups ?? [])].some((group) => scope.groups.includes(group));
}
