// Handles events that carry a person: plans and releases a small run of its own.
import { personKey } from '../../src/core/person/member.ts';
import { saysLeft } from '../../src/core/webhooks/event.ts';
import type { NewEvent, WaitingEvent } from '../../src/ledger/events/events.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { announce } from '../run/announce.ts';
import { hasRoster, requireSource } from '../../src/roster/configured-source.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import type { OtherPerson } from '../../src/ledger/people/forget.ts';
import type { PlanningContext } from '../../src/wiring/context.ts';
import { runSource, type SourceRun, type SourceRunContext } from '../run/run-source.ts';
import {
  type Carried,
  carriedBy,
  columnsOf,
  type EventRulesOf,
  judgesAll,
  newestOf,
  openPeople,
} from './carried-people.ts';

/** What happened to some events of a source. */
export type Handled =
  | { done: true; ids: readonly number[]; runId: string | null }
  /** Another run of the source blocks them: they wait. */
  | { done: false; failed?: undefined }
  | { done: false; failed: string };

export interface EventBatch extends EventRulesOf {
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
    const gone = goneIn(batch, leaving, await carriedBy(context, batch, leaving));
    if (await letLeaversGo(context, batch, gone)) await ledger.eventsWithoutPeople(leaving.map(({ id }) => id));
    return { done: false };
  }
  const ids = taken.map(({ id }) => id);
  const events = await news(context, source, taken);
  const receivedAt = events.at(-1)?.receivedAt;
  const people = await carriedBy(context, batch, [...events, ...leaving]);
  const newest = newestOf(people).filter(({ event }) => ids.includes(event));
  // Everybody whom they were about has been erased since, or has left.
  if (receivedAt === undefined || newest.length === 0) return { done: true, ids, runId: null };
  const leftOut = newest.filter(({ isLeftOut }) => isLeftOut);
  await leaveOut(context, batch, goneIn(batch, events, leftOut));
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
  batch: EventRulesOf,
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
async function letLeaversGo(context: SourceRunContext, batch: EventBatch, gone: readonly Gone[]): Promise<boolean> {
  if (gone.length === 0) return true;
  const open = await context.ledger.openRuns({ service: context.service.address, source: batch.source });
  const runs = open.flatMap(({ id: run, status, roster }) =>
    status !== 'planning' && roster ? [{ run, time: new Date(roster.time) }] : [],
  );
  const isAll = open.every(({ status }) => status !== 'planning');
  if (runs.length === 0) return isAll;
  const people = gone.flatMap(({ names, since }) =>
    runs
      .filter(({ time }) => time < since)
      .flatMap(({ run }) => names.map((name) => ({ run, key: personKey(name), employee: name }))),
  );
  await takeOut(context, people);
  return isAll;
}

/** Whom rules leave out by what an event says is sent by no older roster, whether that is planned already or is read later (R13). */
export async function leaveOut(context: SourceRunContext, batch: EventBatch, gone: readonly Gone[]): Promise<void> {
  await context.ledger.noteLeavers(gone);
  await letLeaversGo(context, batch, gone);
}

/** Somebody whom an event says to leave, or who is left out by what it says. */
export interface Gone {
  event: number;
  names: readonly string[];
  since: Date;
}

function goneIn({ rules }: EventBatch, events: readonly WaitingEvent[], people: readonly Carried[]): Gone[] {
  const times = new Map(events.map(({ id, receivedAt }) => [id, receivedAt]));
  return people.flatMap(({ event, address, id, employeeId }) => {
    const since = times.get(event);
    // The id of another system may be somebody else's here.
    const names = [address, employeeId || (!rules.people || !address ? id : '')].flatMap((name) =>
      name ? [name] : [],
    );
    return since && names.length > 0 ? [{ event, names, since }] : [];
  });
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
