// Takes waiting events and handles them source by source; those that carry only ids start one run of their source.
import type { DeliveryContext } from '../../src/wiring/context.ts';
import { BusyError, RosterSyncError, InputError, briefly } from '../../src/core/errors.ts';
import { createAlarm } from '../../src/process/coalesce.ts';
import type { EventRules } from '../../src/core/webhooks/webhook.ts';
import type { WaitingSource, WaitingEvent } from '../../src/ledger/events/events.ts';
import { enrolFromEvents, type EventBatch, type Handled, leaveOut, letGo, runForEvents } from './events-with-people.ts';
import { hasIds } from './carried-people.ts';
import { defined } from '../../src/core/defined.ts';
import { columnsOfSource } from '../run/open-source.ts';
import type { SourceRunContext } from '../run/run-source.ts';
import type { OpenedRoster } from '../run/planning-run.ts';
import { canFetchById, hasRoster, openConfigured, requireSource } from '../../src/roster/configured-source.ts';

export interface HandlingOptions {
  /** How the events of each source are handled, by the source's name. */
  sources: ReadonlyMap<string, EventRules>;
  /** A run was released: this process looks at once for what to deliver. */
  poke(runId: string): void;
  /** Between two checks at what waits, ms. */
  everyMs?: number;
  /** The wait after a first failure, ms; it doubles with each further one. */
  firstWaitMs?: number;
}

const lookEveryMs = 1000;
/** The time, ms, after the first event of a silence within which events are handled together. */
const togetherMs = 100;
/** The waits after failures, ms: a minute, two, four … */
const usualFirstWaitMs = 60_000;
const longestWaitMs = 60 * 60_000;

/**
 * Does what the events in the ledger tell, until it is stopped: of each source one thing at a time, and over all processes
 * only one does it. Events that carry people are handled at once. All others of a source become one run of it, once none
 * has come for the quiet time or one has waited for the longest.
 */
export function startHandlingEvents(context: DeliveryContext, options: HandlingOptions) {
  const { ledger, log, tempo, shared } = context;
  const { sources, poke, everyMs = lookEveryMs, firstWaitMs = usualFirstWaitMs } = options;
  const stopping = new AbortController();
  const working = new Map<string, Promise<void>>();
  const alarm = createAlarm();
  let soon: NodeJS.Timeout | undefined;

  const lead = (source: string): Promise<boolean> =>
    ledger.leadEvents({ name: `events ${source}`, worker: ledger.worker, forMs: tempo.deadAfterMs, alone: !shared });

  async function handle(waiting: WaitingSource, rules: EventRules): Promise<void> {
    const { source, failures } = waiting;
    const kinds = [
      ...(waiting.withPeople ? [enrolFromEvents] : []),
      ...(isDue(waiting, rules) ? [readAfterEvents] : []),
    ];
    if (kinds.length === 0 || !(await lead(source))) return;
    const beat = setInterval(() => void lead(source).catch(() => {}), tempo.heartbeatMs);
    try {
      const batch: EventBatch = { source, rules, again: failures > 0, signal: stopping.signal };
      for (const kind of kinds) {
        const handled = await attempt(() => kind(context, batch));
        if (stopping.signal.aborted && !handled.done) return;
        if (handled.done) {
          await ledger.eventsHandled({ source, ids: handled.ids, runId: handled.runId });
          if (handled.runId !== null) poke(handled.runId);
        } else if (handled.failed !== undefined) return await postpone(waiting, handled.failed);
      }
    } finally {
      clearInterval(beat);
    }
  }

  async function postpone({ source, failures }: WaitingSource, reason: string): Promise<void> {
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures, 10));
    await ledger.eventsFailed({ source, reason, waitMs });
    const line = { source, cause: reason, againInMs: waitMs };
    if (failures === 0) log.error(line, 'the events of a source could not be handled; they wait');
    else log.debug(line, 'the events of a source could still not be handled');
  }

  async function look(): Promise<void> {
    for (const waiting of await ledger.waitingSources([...sources.keys()])) {
      const rules = sources.get(waiting.source);
      if (!rules || waiting.retryInMs > 0 || working.has(waiting.source)) continue;
      const work = handle(waiting, rules)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) context.trouble(`events of ${waiting.source} wait`, error);
        })
        .finally(() => working.delete(waiting.source));
      working.set(waiting.source, work);
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => context.trouble('could not look for events', error));
      if (!stopping.signal.aborted) await alarm.sleep(everyMs);
    }
  }

  const looping = loop();
  return {
    /** An event that carries people has arrived: check soon. */
    poke() {
      soon ??= setTimeout(() => {
        soon = undefined;
        alarm.wake();
      }, togetherMs);
    },
    /** Ends what is being read; what is not done waits in the ledger. */
    async stop() {
      stopping.abort();
      clearTimeout(soon);
      alarm.wake();
      await looping;
      await Promise.all(working.values());
      await ledger.leaveEvents(ledger.worker).catch(() => {});
    },
  };
}

/** Whether the events of a source that carry nobody have waited for long enough. A clock that was set back costs no wait. */
function isDue({ withoutPeople, oldestMs, newestMs }: WaitingSource, { quietMs, longestMs }: EventRules): boolean {
  return withoutPeople && (newestMs >= quietMs || oldestMs >= longestMs || newestMs < 0);
}

async function attempt(work: () => Promise<Handled>): Promise<Handled> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BusyError) return { done: false };
    if (error instanceof RosterSyncError) return { done: false, failed: briefly(error) };
    throw error;
  }
}

/** The most events of one run; the others become the next one. */
const mostEvents = 50_000;
/** Above this number of people everybody is fetched: that takes one request, or few. */
const mostPeople = 50;

/**
 * Handles events that carry only ids: runs their source, for only the people named if the source can be asked for them.
 * A run of everybody waits until no other run of the source delivers.
 */
async function readAfterEvents(context: SourceRunContext, batch: EventBatch): Promise<Handled> {
  const { ledger, log, service } = context;
  const { source } = batch;
  const isBusy = (await ledger.activeRun(service.address, source)) !== undefined;
  // The roster is read after this, so it covers only the events taken now.
  const events = isBusy ? [] : await ledger.takeEvents({ source, withPeople: false, limit: mostEvents });
  if (events.length === 0) return { done: false };
  const ids = events.map(({ id }) => id);
  if (!hasRoster(requireSource(context.config, source))) {
    log.warn(
      { source, events: ids.length },
      'events carry no person, and their source has no roster to read: nothing to do',
    );
    return { done: true, ids, runId: null };
  }
  const roster = await openNamed(context, batch, events);
  const mayBeNobody = await isFilling(context, source);
  try {
    const handled = await runForEvents(context, batch, ids, { ...defined({ roster }), mayBeNobody });
    // It says more than earlier events about whom it was asked for, also where it leaves them out.
    if (roster && handled.done) {
      await letGo(context, batch, events);
      if (handled.runId !== null) await leaveOutUnnamed(context, batch, events, handled.runId);
    }
    return handled;
  } finally {
    await roster?.close();
  }
}

/** Those of whom a source that was asked for them gave nobody: its rules leave them out, or it has them no more. */
async function leaveOutUnnamed(
  context: SourceRunContext,
  batch: EventBatch,
  events: readonly WaitingEvent[],
  runId: string,
): Promise<void> {
  if (!hasIds(context, batch)) return;
  const ids = [...new Set(events.flatMap(({ employees }) => employees ?? []))];
  const without = new Set(await context.ledger.idsWithoutPerson(runId, ids));
  const [run] = await context.ledger.findRuns(runId);
  // The people that came are known by other ids.
  if (without.size === ids.length && (run?.roster?.counts.members ?? 0) > 0) return;
  const gone = events.map(({ id: event, employees, receivedAt: since }) => {
    return { event, since, names: (employees ?? []).filter((id) => without.has(id)) };
  });
  await leaveOut(
    context,
    batch,
    gone.filter(({ names }) => names.length > 0),
  );
}

/** Whether a provider may still be pushing the first people of a source: users come before the groups they are in. */
async function isFilling({ config, ledger, service }: SourceRunContext, source: string): Promise<boolean> {
  if (requireSource(config, source).scim === undefined) return false;
  const { newest } = await ledger.releasedRosters({ service: service.address, source, checksum: '' });
  return newest === undefined;
}

/** The people whom the events name, where the source can be asked for them; undefined if everybody is to be read. */
async function openNamed(
  context: SourceRunContext,
  { source, signal }: EventBatch,
  events: readonly WaitingEvent[],
): Promise<OpenedRoster['roster'] | undefined> {
  const named = new Set<string>();
  for (const { employees } of events) {
    if (!employees) return undefined;
    for (const id of employees) named.add(id);
    if (named.size > mostPeople) return undefined;
  }
  if (!canFetchById(requireSource(context.config, source))) return undefined;
  try {
    const roster = await openConfigured(context, source, columnsOfSource(context, source), {
      signal,
      employees: [...named],
    });
    // It says nothing about anybody else.
    roster.form.isPartial = true;
    return roster;
  } catch (error) {
    // No person has these ids, or they cannot be fetched after all: a whole roster shows who has left.
    if (!(error instanceof InputError)) throw error;
    context.log.info({ source }, 'people named by events could not be fetched by their ids: reading everybody');
    return undefined;
  }
}
