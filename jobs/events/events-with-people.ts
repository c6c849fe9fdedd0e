// Handles events that carry a person: plans and releases a small run of its own.
import { Readable } from 'node:stream';
import { defined } from '../../src/core/defined.ts';
import type { DeliveryContext } from '../../src/wiring/context.ts';
import { InputError } from '../../src/core/errors.ts';
import { mapRow, personOfRow } from '../../src/core/mapping/map-row.ts';
import { effectiveRules, type MappingOptions, columnsToRead } from '../../src/core/mapping/mapping-options.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import { loadTools } from '../../src/core/mapping/tools.ts';
import { saysLeft } from '../../src/core/webhooks/event.ts';
import type { WaitingEvent } from '../../src/ledger/events/events.ts';
import { type EventBatch, type Handled, runForEvents } from './event-batch.ts';
import { columnsOfSource } from '../run/open-source.ts';
import type { OpenedRoster } from '../run/plan-roster.ts';
import { hasRoster, requireSource } from '../../src/roster/configured-source.ts';

/** The most events of one small run; the others become the next one. */
const mostEvents = 500;

/**
 * Does what events tell that carry the people themselves: a small run of its own, through the rules, guards, lane and
 * ledger of the source, before bulk work. Of somebody who is in several of them the last one counts. Events that do not
 * say all that is needed of their people become ones that carry nobody, so that the source itself is read; so do those that
 * say that somebody leaves, once the others are done: they keep people of earlier ones from being enrolled.
 */
export async function enrolFromEvents(context: DeliveryContext, batch: EventBatch): Promise<Handled> {
  const { ledger, log } = context;
  const { source } = batch;
  const taken = await ledger.takeEvents({ source, withPeople: true, limit: mostEvents });
  if (taken.length === 0) return { done: false };
  const events = await news(context, source, taken);
  const leaving = new Set(events.flatMap(({ id, kind }) => (saysLeft(kind, batch.rules.kinds) ? [id] : [])));
  const ids = taken.flatMap(({ id }) => (leaving.has(id) ? [] : [id]));
  if (ids.length === 0) {
    await ledger.eventsWithoutPeople([...leaving]);
    return { done: false };
  }
  const people = carriedBy(events);
  // Everybody whom they were about has been erased since.
  if (people.length === 0) return { done: true, ids, runId: null };
  const receivedAt = events.at(-1)?.receivedAt ?? new Date();
  let roster = await openPeople(context, batch, people, receivedAt);
  try {
    const columns = columnsOf(context, batch, roster.form.header);
    await identify(people, roster, columns);
    const newest = newestOf(people).filter(({ event }) => !leaving.has(event));
    if (newest.length === 0) return { done: true, ids, runId: null };
    const lacking = new Set(newest.flatMap(({ event, lacks }) => (lacks ? [event] : [])));
    if (lacking.size > 0 && hasRoster(requireSource(context.config, source))) {
      log.info(
        { source, events: lacking.size },
        'events do not hold every field needed of their people: reading the source',
      );
      await ledger.eventsWithoutPeople([...lacking]);
      return { done: false };
    }
    if (newest.length < people.length) {
      await roster.close();
      roster = await openPeople(context, batch, newest, receivedAt);
    }
    return await runForEvents(context, batch, ids, { roster, columns });
  } finally {
    await roster.close();
  }
}

/** Those that came after the time of the newest roster of the source that was sent: it has what the others tell. */
async function news(
  { ledger, service }: DeliveryContext,
  source: string,
  events: readonly WaitingEvent[],
): Promise<WaitingEvent[]> {
  const { newest } = await ledger.releasedRosters({ service: service.address, source, checksum: '' });
  const since = newest === undefined ? -Infinity : Date.parse(newest.time);
  return events.filter(({ receivedAt }) => receivedAt.getTime() > since);
}

/** A record of a person, and its event. */
interface Carried {
  record: Record<string, unknown>;
  event: number;
  /** Whose it is, as far as it says. */
  address?: string | undefined;
  employeeId?: string | undefined;
  /** Something is missing without which somebody cannot be sent. What is there and is refused, is refused. */
  lacks?: boolean;
}

function carriedBy(events: readonly WaitingEvent[]): Carried[] {
  return events.flatMap(({ id: event, people }) => (people ?? []).map((record) => ({ record, event })));
}

/** Of each person the records of the last event. Two employee ids with one address are two people. */
function newestOf(people: readonly Carried[]): Carried[] {
  const [byAddress, byId] = [new Map<string, Carried>(), new Map<string, Carried>()];
  const isOvertaken = ({ event, address = '', employeeId = '' }: Carried): boolean => {
    const same = byId.get(employeeId) ?? byAddress.get(address);
    if (same === undefined || same.event === event) return false;
    return byId.has(employeeId) || !same.employeeId || employeeId === '';
  };
  const newest = people.toReversed().filter((each) => {
    if (isOvertaken(each)) return false;
    if (each.address && !byAddress.has(each.address)) byAddress.set(each.address, each);
    if (each.employeeId && !byId.has(each.employeeId)) byId.set(each.employeeId, each);
    return true;
  });
  return newest.toReversed();
}

/** Opens the people of events as a roster of the time at which the last of them came. */
async function openPeople(
  context: DeliveryContext,
  batch: EventBatch,
  people: readonly Carried[],
  receivedAt: Date,
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
  return roster;
}

/** Notes for each record whose it is, and whether it lacks something. */
async function identify(
  people: readonly Carried[],
  roster: OpenedRoster['roster'],
  columns: MappingOptions,
): Promise<void> {
  try {
    const mapping = resolveColumns(roster.form.header, { ...columns, tools: await loadTools(effectiveRules(columns)) });
    for await (const rows of roster.batches()) {
      for (const row of rows) {
        const one = people[row.line - 1];
        if (one === undefined) continue;
        const mapped = 'reason' in row ? row : mapRow(row, mapping);
        one.lacks = 'reason' in mapped && mapped.value.trim() === '';
        one.address = personOfRow(row, mapping);
        one.employeeId = mapping.fields.employeeId?.read(row.cells);
      }
    }
  } catch (error) {
    // Not even the columns are there.
    if (!(error instanceof InputError)) throw error;
    for (const one of people) one.lacks = true;
  }
}

/** How people of events are read: as rows of the source, or by rules of their own; what may be sent is the same. */
function columnsOf(
  context: DeliveryContext,
  { source, rules: { people } }: EventBatch,
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
