// Handles events that carry only ids: starts one run of their source.
import { defined } from '../../src/core/defined.ts';
import { InputError } from '../../src/core/errors.ts';
import type { WaitingEvent } from '../../src/ledger/events/events.ts';
import { type EventBatch, type Handled, letGo, runForEvents } from './events-with-people.ts';
import { columnsOfSource } from '../run/open-source.ts';
import type { SourceRunContext } from '../run/run-source.ts';
import type { OpenedRoster } from '../run/planning-run.ts';
import { canFetchById, hasRoster, openConfigured, requireSource } from '../../src/roster/configured-source.ts';

/** The most events of one run; the others become the next one. */
const mostEvents = 50_000;
/** Above this number of people everybody is fetched: that takes one request, or few. */
const mostPeople = 50;

/**
 * Handles events that carry only ids: runs their source, for only the people named if the source can be asked for them.
 * A run of everybody waits until no other run of the source delivers.
 */
export async function readAfterEvents(context: SourceRunContext, batch: EventBatch): Promise<Handled> {
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
    if (roster && handled.done) await letGo(context, batch, events);
    return handled;
  } finally {
    await roster?.close();
  }
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
