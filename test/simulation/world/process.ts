import { type Deliverer, startDelivering } from '../../../jobs/deliver/deliver.ts';
import { startHandlingEvents } from '../../../jobs/events/handle-events.ts';
import { runEvents } from '../../../src/core/run/notification.ts';
import { holdForMs } from '../../../src/core/guards/trip.ts';
import type { Tempo } from '../../../src/core/pace/waiting-times.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { DeliveryContext } from '../../../src/wiring/context.ts';
import { signsOfLife } from '../../../src/wiring/open-database.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { verbs } from '../story.ts';
import { poolOf } from './database.ts';
import { openPacer } from './pace.ts';
import type { Being } from './clock.ts';
import { address } from './service.ts';
import type { Surroundings } from './surroundings.ts';

/** A process that plans, delivers and handles events: the product's own parts in a simulated world. */
export interface SimulatedProcess {
  being: Being;
  context: DeliveryContext;
  deliverer: Deliverer;
  /** It ends properly. */
  stop(): Promise<void>;
  /** It is gone from one moment to the next. */
  kill(): void;
}

/** Starts a process, as `openContext` and `openDelivery` do. */
export async function startProcess(world: Surroundings, name: string): Promise<SimulatedProcess> {
  const being: Being = { name, isDead: false, diedAt: Infinity, stallsUntil: 0 };
  return world.clock.as(being, () => start(world, being));
}

async function start(world: Surroundings, being: Being): Promise<SimulatedProcess> {
  const { clock, chance, config, log, tempo: given, isAlone } = world;
  const pause = (): Promise<void> => clock.pause(chance.happens(0.01) ? chance.between(10, 700) : chance.next() * 1.5);
  const own = poolOf(world.pool, pause);
  const closing: (() => unknown)[] = [];
  const trouble = (): void => {};
  const ledger = watched(
    world,
    being,
    await openLedger(own.pool, {
      worker: being.name,
      lossPolicy: { forMs: isAlone ? 0 : given.ledgerPatienceMs, onLoss: () => {} },
    }),
  );
  if (isAlone) {
    await ledger.failOrphanedPlans(0);
    await ledger.stopClocks();
  }
  await ledger.expireHolds(holdForMs);
  const releases = { add: (close: () => Promise<void>) => void closing.push(close) };
  const stayAlive = isAlone ? () => Promise.resolve() : signsOfLife(ledger, { trouble, releases, tempo: given });
  await stayAlive();
  const queue = world.queue.of(being);
  if (isAlone) await queue.empty();
  const tempo = isAlone ? { ...given, deadAfterMs: 0 } : given;
  const context: DeliveryContext = {
    ...{ config, log, trouble, ledger, tempo, mode: isAlone ? 'embedded' : 'production', queue, stayAlive },
    adopted: new Set(),
    redact: world.redact,
    notifier: notifierOf(world),
    checkStorage: () => Promise.resolve(),
    filesHolding: () => Promise.resolve([]),
    backup: () => Promise.resolve(),
    assertSender: () => Promise.resolve(),
    exportLedger: () => Promise.reject(new Error('nobody exports here')),
    openDelivery: () => Promise.reject(new Error('it is open')),
    service: mortal(world, being),
    pacer: openPacer(world, ledger),
    leads: isAlone ? () => Promise.resolve(true) : leading(ledger, tempo),
    shared: !isAlone,
    callTimeoutMs: config.service.timeoutMs,
    random: Math.random,
    inFlightBefore: isAlone ? await ledger.beginAlone() : 0,
    close: () => Promise.resolve(),
  };
  const deliverer = startDelivering(context, { concurrency: config.delivery.concurrency });
  deliverer.failure.catch((error: unknown) => world.onFailure(being, error));
  const events =
    world.webhooks.size > 0
      ? startHandlingEvents(context, { sources: world.webhooks, poke: () => deliverer.poke() })
      : undefined;
  return {
    ...{ being, context, deliverer },
    stop: () =>
      clock.as(being, async () => {
        const began = clock.now;
        await Promise.all([events?.stop(), deliverer.stop()]);
        being.gaveUp = clock.now - began >= context.callTimeoutMs + tempo.graceMs;
        for (const close of closing.toReversed()) await close();
        Object.assign(being, { isDead: true, hasStopped: true, diedAt: clock.now });
        own.cut();
      }),
    kill() {
      Object.assign(being, { isDead: true, diedAt: clock.now });
      own.cut();
    },
  };
}

/** The ledger, with a witness of what is claimed and recorded; its process may meet its fate at any verb. */
function watched(world: Surroundings, being: Being, ledger: Ledger): Ledger {
  const seen: Ledger = {
    ...ledger,
    async claim(fed) {
      const claimed = await ledger.claim(fed);
      if (claimed) world.onClaim(being, { id: claimed.id, runId: claimed.runId, email: claimed.member.email });
      return claimed;
    },
    begin(id) {
      world.onBegin(being, id);
      return ledger.begin(id);
    },
    createRun(run) {
      world.onCreate(run);
      return ledger.createRun(run);
    },
    async record(given) {
      await ledger.record(given);
      world.onRecord(being, given.id, given.call);
    },
    async releaseRun(runId, ...rest) {
      const released = await ledger.releaseRun(runId, ...rest);
      if (released.due > 0) world.onRelease(runId);
      return released;
    },
    async approveHeld(runId, ...rest) {
      const approved = await ledger.approveHeld(runId, ...rest);
      if (approved && !approved.already) world.onRelease(runId);
      return approved;
    },
  };
  const asks = seen as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  for (const verb of verbs) {
    const ask = asks[verb];
    if (ask) asks[verb] = (...given) => meetFate(world, being, verb, () => ask(...given));
  }
  return seen;
}

/** A process that dies at a moment hears no answer any more. */
async function meetFate<Result>(
  { clock, chance }: Surroundings,
  being: Being,
  verb: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { fate } = being;
  if (fate?.verb !== verb) return work();
  delete being.fate;
  if (fate.when === 'before') fate.strike();
  const result = being.isDead ? new Promise<Result>(() => {}) : work();
  result.catch(() => {});
  if (fate.when === 'during') {
    await clock.pause(chance.next() * 4);
    fate.strike();
  }
  if (fate.when === 'after') {
    await result;
    fate.strike();
  }
  return being.isDead ? new Promise<Result>(() => {}) : result;
}

/** Somebody who is notified of everything; now and then they cannot be reached, and their server says why. */
function notifierOf({ clock, chance, hears, onNotice }: Surroundings): DeliveryContext['notifier'] {
  return {
    subscriptions: hears ? [{ channel: 'webhook', events: [...runEvents, 'reminder'] }] : [],
    async send(_, notice) {
      onNotice(notice);
      await clock.pause(chance.between(5, 300));
      return chance.happens(0.8) ? { ok: true, said: '' } : { ok: false, said: 'HTTP 500' };
    },
    inBackground: (work) => void work().catch(() => {}),
    close: () => Promise.resolve(),
  };
}

function mortal(world: Surroundings, being: Being): DeliveryContext['service'] {
  const client = world.service.clientOf(being);
  return {
    ...client,
    insertGroups: (...given) => meetFate(world, being, 'insertGroups', () => client.insertGroups(...given)),
  };
}

/** As `becomeOneOfMany` has it. */
function leading(ledger: Ledger, tempo: Tempo): () => Promise<boolean> {
  let leads = false;
  let askedAt = -Infinity;
  return async () => {
    if (leads && performance.now() - askedAt < tempo.heartbeatMs) return true;
    askedAt = performance.now();
    leads = await ledger.leadFeeding({ name: `feed ${address}`, worker: ledger.worker, forMs: tempo.deadAfterMs });
    return leads;
  };
}
