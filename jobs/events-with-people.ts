import { Readable } from 'node:stream';
import type { DeliveryContext } from '../src/context.ts';
import { InputError } from '../src/core/errors.ts';
import { effectiveRules, type MappingOptions, pathsAsked, resolveColumns } from '../src/core/mapping.ts';
import { loadTools } from '../src/core/tools.ts';
import type { WaitingEvent } from '../src/ledger/events.ts';
import type { EventBatch, Handled } from './handle-events.ts';
import type { OpenedSource } from './open-source.ts';
import { runSource } from './run-source.ts';

/** So many events become one small run; the others the next one. */
const mostEvents = 500;

/**
 * Does what events tell that carry the people themselves: a small run of its own, through the rules, guards, lane and
 * ledger of the source, before bulk work. Of somebody who is in several of them the last one counts. Events that cannot
 * be read as people become ones that carry nobody, so that the source itself is read.
 */
export async function enrolFromEvents(context: DeliveryContext, batch: EventBatch): Promise<Handled> {
  const { ledger, log } = context;
  const { source, signal, again } = batch;
  const events = await ledger.takeEvents({ source, withPeople: true, limit: mostEvents });
  if (events.length === 0) return { done: false };
  const ids = events.map(({ id }) => id);
  const opened = await openPeople(context, batch, events);
  if (!opened) {
    await ledger.eventsWithoutPeople(ids);
    return { done: false };
  }
  try {
    const { runId, status, reason } = await runSource(context, {
      ...{ source, trigger: 'event', signal, announceFailure: !again },
      ...opened,
    });
    if (status === 'busy') return { done: false };
    if (status === 'failed') return { done: false, failed: reason };
    log.info({ source, events: ids.length, run: runId, status }, 'events were handled');
    return { done: true, ids, runId };
  } finally {
    await opened.roster.close();
  }
}

/** Opens the people of events as a roster of the time at which the last of them came; undefined where they do not fit. */
async function openPeople(
  context: DeliveryContext,
  { source, webhook }: EventBatch,
  events: readonly WaitingEvent[],
): Promise<{ roster: OpenedSource['roster']; columns: MappingOptions } | undefined> {
  const records = latest(events);
  const receivedAt = events.at(-1)?.receivedAt ?? new Date();
  let roster: OpenedSource['roster'] | undefined;
  try {
    roster = await context.openRoster(Readable.from(records.map((record) => `${JSON.stringify(record)}\n`)), {
      name: `events of ${source}`,
      format: 'ndjson',
      now: () => receivedAt,
      paths: pathsAsked(columnsOf(context, { source, webhook })),
    });
    // They say nothing about anybody else.
    roster.form.isPartial = true;
    const columns = columnsOf(context, { source, webhook }, roster.form.header);
    const tools = await loadTools(effectiveRules(columns));
    resolveColumns(roster.form.header, { ...columns, tools });
    return { roster, columns };
  } catch (error) {
    await roster?.close();
    if (!(error instanceof InputError)) throw error;
    context.log.warn(
      { source, cause: error.message },
      'events carry people that the rules do not fit: the source is read',
    );
    return undefined;
  }
}

/** Of each person the record of the last event; whoever has no id is in every record of their own. */
function latest(events: readonly WaitingEvent[]): Record<string, unknown>[] {
  const records = new Map<string, Record<string, unknown>>();
  for (const record of events.flatMap(({ people }) => people ?? [])) {
    const { id } = record;
    const key = typeof id === 'string' || typeof id === 'number' ? `id ${id}` : JSON.stringify(record);
    // The last one stands where it came, not where the first one was.
    records.delete(key);
    records.set(key, record);
  }
  return [...records.values()];
}

/** How people of events are read: as rows of the source, or by rules of their own; what may be sent is the same. */
function columnsOf(
  context: DeliveryContext,
  { source, webhook: { people } }: Pick<EventBatch, 'source' | 'webhook'>,
  header?: readonly string[],
): MappingOptions {
  const settings = context.requireSource(source);
  const plain = { groups: [], groupColumns: [], today: new Date() };
  if (!people) return { ...plain, ...context.mappingOf(settings, header) };
  const { rename, allow, groups } = settings;
  return {
    ...plain,
    rules: {
      ...(groups && { groups }),
      ...people,
      // An id of another system, taken for one of this source, would look like somebody else with the same address.
      members: { employeeId: false, ...people.members },
      ...(rename && { rename }),
      ...(allow && { allow }),
    },
  };
}
