// Handles events that carry a person: plans and releases a small run of its own.
import { Readable } from 'node:stream';
import type { DeliveryContext } from '../../src/wiring/context.ts';
import { InputError } from '../../src/core/errors.ts';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { effectiveRules, type MappingOptions, pathsAsked } from '../../src/core/mapping/mapping-options.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import { loadTools } from '../../src/core/mapping/tools.ts';
import type { WaitingEvent } from '../../src/ledger/events/events.ts';
import { type EventBatch, type Handled, runForEvents } from './event-batch.ts';
import { columnsOfSource } from '../run/open-source.ts';
import { hasRoster } from './events-without-people.ts';
import type { OpenedRoster } from '../run/plan-roster.ts';
import { requireSource } from '../../src/roster/configured-source.ts';

/** The most events of one small run; the others become the next one. */
const mostEvents = 500;

/**
 * Does what events tell that carry the people themselves: a small run of its own, through the rules, guards, lane and
 * ledger of the source, before bulk work. Of somebody who is in several of them the last one counts. Events that do not
 * say all that is needed of their people become ones that carry nobody, so that the source itself is read.
 */
export async function enrolFromEvents(context: DeliveryContext, batch: EventBatch): Promise<Handled> {
  const { ledger, log } = context;
  const { source } = batch;
  const taken = await ledger.takeEvents({ source, withPeople: true, limit: mostEvents });
  if (taken.length === 0) return { done: false };
  const ids = taken.map(({ id }) => id);
  const events = await news(context, source, taken);
  if (events.length === 0) return { done: true, ids, runId: null };
  const people = latest(events);
  // Everybody whom they were about has been erased since.
  if (people.length === 0) return { done: true, ids, runId: null };
  const roster = await openPeople(context, batch, people, events.at(-1)?.receivedAt ?? new Date());
  try {
    const columns = columnsOf(context, batch, roster.form.header);
    const lacking = hasRoster(requireSource(context.config, source)) ? await incomplete(roster, columns, people) : [];
    if (lacking.length > 0) {
      log.info(
        { source, events: lacking.length },
        'events do not hold every field needed of their people: reading the source',
      );
      await ledger.eventsWithoutPeople(lacking);
      return { done: false };
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

/** A person of an event, and the event. */
interface Carried {
  record: Record<string, unknown>;
  event: number;
}

/** Of each person the record of the last event; people without an id keep all of their records. */
function latest(events: readonly WaitingEvent[]): Carried[] {
  const people = new Map<string, Carried>();
  for (const { id: event, people: records } of events) {
    for (const record of records ?? []) {
      const { id } = record;
      const key = typeof id === 'string' || typeof id === 'number' ? `id ${id}` : JSON.stringify(record);
      people.set(key, { record, event });
    }
  }
  return [...people.values()];
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
    paths: pathsAsked(columnsOf(context, batch)),
  });
  // They say nothing about anybody else.
  roster.form.isPartial = true;
  return roster;
}

/** The events that lack something without which somebody cannot be sent. What they have and is refused, is refused. */
async function incomplete(
  roster: OpenedRoster['roster'],
  columns: MappingOptions,
  people: readonly Carried[],
): Promise<number[]> {
  const everybody = [...new Set(people.map(({ event }) => event))];
  const events = new Set<number>();
  try {
    const mapping = resolveColumns(roster.form.header, { ...columns, tools: await loadTools(effectiveRules(columns)) });
    for await (const rows of roster.batches()) {
      for (const row of rows) {
        const mapped = 'reason' in row ? row : mapRow(row, mapping);
        const event = people[row.line - 1]?.event;
        if ('reason' in mapped && mapped.value.trim() === '' && event !== undefined) events.add(event);
      }
    }
  } catch (error) {
    // Not even the columns are there.
    if (!(error instanceof InputError)) throw error;
    return everybody;
  }
  return [...events];
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
    ...{ groups: [], groupColumns: [], today: new Date() },
    rules: {
      ...(groups && { groups }),
      ...people,
      // An id of another system, taken for one of this source, would look like somebody else with the same address.
      members: { employeeId: false, ...people.members },
      ...(rename && { rename }),
      ...(renamePatterns && { renamePatterns }),
      ...(allow && { allow }),
    },
  };
}
