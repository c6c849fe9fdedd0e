// Handles events that carry a person: plans and releases a small run of its own.
import { Readable } from 'node:stream';
import { attempt } from '../../src/core/attempt.ts';
import { defined } from '../../src/core/defined.ts';
import { InputError } from '../../src/core/errors.ts';
import { mapRow, personOfRow } from '../../src/core/mapping/map-row.ts';
import { columnsToRead, effectiveRules, type MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { columnsThere, type Mapping, resolveColumns } from '../../src/core/mapping/mapping.ts';
import { parsePath, spelledIn } from '../../src/core/rows/path.ts';
import type { Row } from '../../src/core/rows/row.ts';
import type { Column } from '../../src/core/columns/columns.ts';
import type { CompiledCondition } from '../../src/core/mapping/filter.ts';
import { personKey } from '../../src/core/person/member.ts';
import { saysLeft } from '../../src/core/webhooks/event.ts';
import type { NewEvent, WaitingEvent } from '../../src/ledger/events/events.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { announce } from '../run/announce.ts';
import { columnsOfSource } from '../run/open-source.ts';
import type { OpenedRoster } from '../run/planning-run.ts';
import { hasRoster, requireSource } from '../../src/roster/configured-source.ts';
import { type EventRules, settleWebhook } from '../../src/core/webhooks/webhook.ts';
import type { OtherPerson } from '../../src/ledger/people/forget.ts';
import type { PlanningContext } from '../../src/wiring/context.ts';
import { runSource, type SourceRun, type SourceRunContext } from '../run/run-source.ts';

/** What happened to some events of a source. */
export type Handled =
  | { done: true; ids: readonly number[]; runId: string | null }
  /** Another run of the source blocks them: they wait. */
  | { done: false; failed?: undefined }
  | { done: false; failed: string };

export interface EventBatch {
  source: string;
  rules: EventRules;
  /** Whether the last attempt failed as well: then that was announced. */
  again: boolean;
  signal: AbortSignal;
}

export async function runForEvents(
  context: SourceRunContext,
  { source, again, signal }: EventBatch,
  ids: readonly number[],
  given: Pick<SourceRun, 'roster' | 'columns' | 'mayBeNobody'>,
): Promise<Handled> {
  const asked: SourceRun = { ...given, source, trigger: 'event', signal, announceFailure: !again };
  const { runId, status, reason } = await runSource(context, asked);
  if (status === 'busy') return { done: false };
  if (status === 'failed') return { done: false, failed: reason };
  if (status === 'unchanged' && runId === '')
    context.log.info({ source, events: ids.length, cause: reason }, 'events were handled: nobody can be sent yet');
  else context.log.info({ source, events: ids.length, run: runId, status }, 'events were handled');
  return { done: true, ids, runId: runId === '' ? null : runId };
}

/** The most events of one small run; the others become the next one. */
const mostEvents = 500;
/** The most events about people who left that are checked together. */
const mostLeaving = 50_000;

/**
 * Does what events tell that carry the people themselves: a small run of its own, through the rules, guards, lane and
 * ledger of the source, before bulk work. Of somebody who is in several of them the last one counts. Events that do not
 * say all that is needed of their people become ones that carry nobody, so that the source itself is read; so do those that
 * say that somebody leaves, once the others are done: they keep people of earlier ones from being enrolled.
 */
export async function enrolFromEvents(context: SourceRunContext, batch: EventBatch): Promise<Handled> {
  const { ledger, log } = context;
  const { source } = batch;
  const kinds = (await ledger.waitingKinds(source)).filter((kind) => saysLeft(kind, batch.rules.kinds));
  const carrying = { source, withPeople: true };
  const leaving = kinds.length === 0 ? [] : await ledger.takeEvents({ ...carrying, only: kinds, limit: mostLeaving });
  const taken = await ledger.takeEvents({ ...carrying, except: kinds, limit: mostEvents });
  if (taken.length === 0) {
    await letGo(context, batch, leaving);
    if (await letLeaversGo(context, batch, leaving)) await ledger.eventsWithoutPeople(leaving.map(({ id }) => id));
    return { done: false };
  }
  const ids = taken.map(({ id }) => id);
  const events = await news(context, source, taken);
  const receivedAt = events.at(-1)?.receivedAt;
  const people = await carriedBy(context, batch, [...events, ...leaving]);
  const newest = newestOf(people).filter(({ event }) => ids.includes(event));
  // Everybody whom they were about has been erased since, or has left.
  if (receivedAt === undefined || newest.length === 0) return { done: true, ids, runId: null };
  const isJudged = judgesAll(context, batch);
  const lacking = new Set(newest.flatMap(({ event, lacks }) => (lacks || !isJudged ? [event] : [])));
  if (lacking.size > 0 && hasRoster(requireSource(context.config, source))) {
    log.info({ source, events: lacking.size }, 'events lack fields needed of their people: reading the source');
    // Nor is anybody sent by what an older one said.
    const overtaken = events.filter(({ id }) => !newest.some(({ event }) => event === id));
    await ledger.eventsWithoutPeople([...lacking, ...overtaken.map(({ id }) => id)]);
    return { done: false };
  }
  const roster = await openPeople(context, batch, newest, receivedAt);
  try {
    return await runForEvents(context, batch, ids, { roster, columns: columnsOf(context, batch, roster.form.header) });
  } finally {
    await roster.close();
  }
}

/**
 * Of the people of waiting events those who say that they are somebody else than a person who is to be forgotten, whom they may
 * name all the same: as their manager, say.
 */
export async function othersThan(context: PlanningContext, key: string): Promise<OtherPerson[]> {
  const others: OtherPerson[] = [];
  for (const [source, { webhook }] of Object.entries(context.config.sources)) {
    if (!webhook) continue;
    const taken = await context.ledger.takeEvents({ source, withPeople: true, limit: mostLeaving });
    const people = await carriedBy(context, { source, rules: settleWebhook(webhook) }, taken);
    for (const [at, { event, address, id, employeeId }] of people.entries()) {
      const ids = [id, employeeId].filter((each) => each !== undefined);
      const place = at - people.findIndex((first) => first.event === event);
      if (address !== undefined && address !== key) others.push({ event, place, ids });
    }
  }
  return others;
}

/** The addresses and employee ids, as the source knows them, of the people whom an event carries. */
export async function namesOf(
  context: PlanningContext,
  batch: Pick<EventBatch, 'source' | 'rules'>,
  people: NewEvent['people'],
): Promise<string[]> {
  const carried = await carriedBy(context, batch, [{ id: 0, employees: null, people }]);
  return [...new Set(carried.flatMap(({ address, employeeId }) => [address ?? '', employeeId ?? '']))].filter(Boolean);
}

/** Takes out of runs that events have begun, and that are not sent yet, the people whom newer events are about. */
export async function letGo(
  context: SourceRunContext,
  batch: EventBatch,
  newer: readonly WaitingEvent[],
): Promise<void> {
  const { ledger, service } = context;
  const of = { service: service.address, source: batch.source };
  const unsent = newer.length === 0 ? [] : await ledger.unsentEvents(of);
  if (unsent.length === 0) return;
  const runs = new Map(unsent.map(({ id, runId }) => [id, runId]));
  const people = await carriedBy(context, batch, [...unsent, ...newer]);
  const sentBy = (some: readonly Carried[]) =>
    some.flatMap(({ event, address, id }) => {
      const run = runs.get(event);
      return run === undefined ? [] : [{ run, ...(address ? { key: address } : { employee: id }) }];
    });
  const stay = new Set(sentBy(newestOf(people)).map((each) => JSON.stringify(each)));
  await takeOut(
    context,
    sentBy(people).filter((each) => !stay.has(JSON.stringify(each))),
  );
}

/**
 * Takes whom events say to leave out of runs of older rosters that are not sent yet, also of those that are held. Returns whether
 * that is all: while a run is planned, nothing can be taken out of it yet, and the events wait.
 */
async function letLeaversGo(
  context: SourceRunContext,
  batch: EventBatch,
  leaving: readonly WaitingEvent[],
): Promise<boolean> {
  if (leaving.length === 0) return true;
  const open = await context.ledger.openRuns({ service: context.service.address, source: batch.source });
  const runs = open.flatMap(({ id: run, status, roster }) =>
    status !== 'planning' && roster ? [{ run, time: new Date(roster.time) }] : [],
  );
  const isAll = open.every(({ status }) => status !== 'planning');
  if (runs.length === 0) return isAll;
  const times = new Map(leaving.map(({ id, receivedAt }) => [id, receivedAt]));
  const people = await carriedBy(context, batch, leaving);
  const gone = people.flatMap(({ event, address, id, employeeId }) => {
    const names = [address, id, employeeId].filter((name) => name !== undefined);
    const older = runs.filter(({ time }) => time < (times.get(event) ?? time));
    return older.flatMap(({ run }) => names.map((name) => ({ run, key: personKey(name), employee: name })));
  });
  await takeOut(context, gone);
  return isAll;
}

async function takeOut(context: SourceRunContext, people: Parameters<Ledger['letGo']>[0]): Promise<void> {
  for (const runId of await context.ledger.letGo(people)) await announce(context, runId);
}

/**
 * Those that came after the time of the newest roster of the source that was sent: it has what the others tell. A time that
 * has not come yet was given by a clock that was wrong, and says nothing.
 */
async function news({ ledger, service }: SourceRunContext, source: string, events: readonly WaitingEvent[]) {
  const { newest } = await ledger.releasedRosters({ service: service.address, source, checksum: '' });
  const since = newest === undefined ? -Infinity : Date.parse(newest.time);
  return events.filter(({ receivedAt }) => receivedAt.getTime() > since || since > Date.now());
}

/** A record of a person, and its event. */
interface Carried {
  record: Record<string, unknown>;
  event: number;
  /** Their id in the sender's words. */
  id?: string | undefined;
  /** Whose it is, as far as it says. */
  address?: string | undefined;
  employeeId?: string | undefined;
  /** Something is missing without which somebody cannot be sent. What is there and is refused, is refused. */
  lacks?: boolean;
}

/** The people of events in their order; of one that carries nobody, those whom it names. */
async function carriedBy(
  context: PlanningContext,
  batch: Pick<EventBatch, 'source' | 'rules'>,
  events: readonly (Pick<NewEvent, 'employees' | 'people'> & { id: number })[],
): Promise<Carried[]> {
  const people = events
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ id: event, people, employees }) => {
      const records = people?.length ? people : (employees ?? []).map(() => ({}));
      return records.map((record, at) => {
        return { record, event, id: employees?.length === records.length ? employees[at] : undefined };
      });
    });
  const told = people.filter(({ record }) => Object.keys(record).length > 0);
  if (told.length === 0) return people;
  const roster = await openPeople(context, batch, told);
  try {
    await identify(told, roster, columnsOf(context, batch, roster.form.header));
  } finally {
    await roster.close();
  }
  return people;
}

/** Of each person the records of the last event. Two employee ids with one address are two people. */
function newestOf(people: readonly Carried[]): Carried[] {
  const [byAddress, byId] = [new Map<string, Carried>(), new Map<string, Carried>()];
  const idsOf = ({ id, employeeId }: Carried): string[] =>
    [id ?? employeeId, employeeId && `own ${employeeId}`].flatMap((each) => (each ? [each] : []));
  const isOvertaken = (each: Carried): boolean => {
    const known = idsOf(each).find((id) => byId.has(id));
    const same = byId.get(known ?? '') ?? byAddress.get(each.address ?? '');
    if (same === undefined || same.event === each.event) return false;
    return known !== undefined || !same.employeeId || !each.employeeId;
  };
  const newest = people.toReversed().filter((each) => {
    if (isOvertaken(each)) return false;
    if (each.address && !byAddress.has(each.address)) byAddress.set(each.address, each);
    for (const id of idsOf(each)) if (!byId.has(id)) byId.set(id, each);
    return true;
  });
  return newest.toReversed();
}

/** Whether rules of its own for the people of events say all by which the source, or its preset, leaves somebody out or waits. */
function judgesAll(
  context: PlanningContext,
  { source, rules: { people } }: Pick<EventBatch, 'source' | 'rules'>,
): boolean {
  if (!people) return true;
  const { members, ...rules } = effectiveRules(columnsOfSource(context, source));
  const isSaid = (key: 'only' | 'except' | 'leavers'): boolean => !rules[key]?.length || people[key] !== undefined;
  const waits = members?.startDate !== undefined && people.members?.startDate === undefined;
  return isSaid('only') && isSaid('except') && isSaid('leavers') && !waits;
}

/** Opens the people of events as a roster of the time at which the last of them came. */
async function openPeople(
  context: PlanningContext,
  batch: Pick<EventBatch, 'source' | 'rules'>,
  people: readonly Carried[],
  receivedAt = new Date(),
): Promise<OpenedRoster['roster']> {
  const lines = people.map(({ record }) => `${JSON.stringify(record)}\n`);
  // Loaded when needed: a command that only steers a run reads no roster.
  const { openRoster } = await import('../../src/roster/open-roster.ts');
  const roster = await openRoster(Readable.from(lines), {
    name: `events of ${batch.source}`,
    format: 'ndjson',
    now: () => receivedAt,
    // One event rarely has all that a person has.
    known: columnsToRead(columnsOf(context, batch)).paths,
  });
  // They say nothing about anybody else.
  roster.form.isPartial = true;
  const mapping = attempt(() => resolveColumns(roster.form.header, columnsOf(context, batch, roster.form.header)));
  if (!mapping) return roster;
  return {
    ...roster,
    async *batches() {
      for await (const rows of roster.batches())
        yield rows.map((row) =>
          'reason' in row ? row : judgedByWhatIsThere(row, people[row.line - 1]?.record, mapping),
        );
    },
  };
}

/** The places of columns that a record does not have, which is not the same as an empty cell of a roster. */
function absentIn(record: Record<string, unknown> = {}, columns: readonly Column[]): Set<number> {
  const absent = columns.filter(({ name }) => {
    const path = attempt(() => parsePath(name));
    return path !== undefined && spelledIn(record, path) === undefined;
  });
  return new Set(absent.map(({ index }) => index));
}

const conditionColumns = ({ only, except, leavers }: Mapping): Column[] =>
  [...only, ...except, ...leavers].flatMap(({ column }) => column ?? []);

/** The columns that decide whether somebody is sent, from when on, and into which groups. */
const decidingColumns = (mapping: Mapping): Column[] => [
  ...conditionColumns(mapping),
  ...(mapping.fields.startDate?.columns ?? []),
  ...mapping.groups.flatMap(({ columns, asked = [] }) => [...columns, ...asked]),
];

/**
 * Nobody is left out, or has left, by a condition on what an event does not say: such a row is one that is cut short, unless
 * what it says decides.
 */
function judgedByWhatIsThere(row: Row, record: Record<string, unknown> | undefined, mapping: Mapping): Row {
  const missing = absentIn(record, conditionColumns(mapping));
  if (missing.size === 0 || !('filtered' in mapRow(row, mapping))) return row;
  const isSaid = ({ column }: CompiledCondition): boolean => !column || !missing.has(column.index);
  const said = {
    ...mapping,
    only: mapping.only.filter(isSaid),
    except: mapping.except.filter(isSaid),
    leavers: mapping.leavers.filter(isSaid),
  };
  return 'filtered' in mapRow(row, said) ? row : { ...row, missing };
}

/** Whether something is missing without which nobody can say what would be sent; what is left out or refused, is. */
function lacks(
  mapped: ReturnType<typeof mapRow>,
  record: Record<string, unknown>,
  mapping: Mapping | undefined,
): boolean {
  if ('filtered' in mapped) return false;
  return 'reason' in mapped
    ? mapped.value.trim() === ''
    : !!mapping && absentIn(record, decidingColumns(mapping)).size > 0;
}

/** Notes for each record whose it is, and whether it lacks something. */
async function identify(
  people: readonly Carried[],
  roster: OpenedRoster['roster'],
  columns: MappingOptions,
): Promise<void> {
  const { header } = roster.form;
  const fields = columnsThere(header, columns);
  const mapping = attempt(() => resolveColumns(header, columns));
  try {
    for await (const rows of roster.batches()) {
      for (const row of rows) {
        const one = people[row.line - 1];
        if (one === undefined) continue;
        const mapped = 'reason' in row ? row : mapping && mapRow(row, mapping);
        one.lacks = mapped === undefined || lacks(mapped, one.record, mapping);
        const { key: address, employeeId } = personOfRow(row, { fields });
        Object.assign(one, { address, employeeId });
      }
    }
  } catch (error) {
    // Not even rows are there.
    if (!(error instanceof InputError)) throw error;
    for (const one of people) one.lacks = true;
  }
}

/** How people of events are read: as rows of the source, or by rules of their own; what may be sent is the same. */
function columnsOf(
  context: PlanningContext,
  { source, rules: { people } }: Pick<EventBatch, 'source' | 'rules'>,
  header?: readonly string[],
): MappingOptions {
  if (!people) return columnsOfSource(context, source, header);
  const { rename, renamePatterns, allow, groups } = requireSource(context.config, source);
  return {
    groups: [],
    groupColumns: [],
    today: new Date(),
    rules: {
      ...defined({ groups }),
      ...people,
      // An id of another system, taken for one of this source, would look like somebody else with the same address.
      members: { employeeId: false, ...people.members },
      ...defined({ rename, renamePatterns, allow }),
    },
  };
}
