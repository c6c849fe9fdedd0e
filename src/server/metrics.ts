// Answers `/metrics` for Prometheus.
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { DeliveryContext } from '../wiring/context.ts';
import type { Measures, RunMeasures } from '../ledger/figures/measuring.ts';
import type { ServerParts } from './parts.ts';

/** The ledger is measured no more often than this, ms, and no more than a twentieth of the time. */
const freshMs = 5000;
const idleShare = 20;

/** Runs that have no further calls to make: what was measured of them stays true, unless they are tried again. */
const settled = new Set(['finished', 'cancelled', 'failed']);

interface Measured {
  ledger: Measures;
  /** Of the newest run of each source. */
  runs: { source: string; measures: RunMeasures }[];
}

/** The shortest time between two measurements; requests in between get the last one. */
function createMeasuring({ ledger }: DeliveryContext): () => Promise<Measured> {
  const known = new Map<string, RunMeasures>();
  let measured: Promise<Measured> | undefined;
  let until = -Infinity;

  async function take(): Promise<Measured> {
    const now = await ledger.measure();
    const runs: Measured['runs'] = [];
    const newest = new Set(now.sources.map((each) => each.newest));
    for (const run of known.keys()) if (!newest.has(run)) known.delete(run);
    for (const { source, newest, status } of now.sources) {
      const measures = known.get(newest) ?? (await ledger.measureRun(newest));
      if (settled.has(status)) known.set(newest, measures);
      runs.push({ source, measures });
    }
    return { ledger: now, runs };
  }
  return () => {
    if (measured && performance.now() < until) return measured;
    const began = performance.now();
    until = Infinity;
    measured = take().finally(() => {
      const took = performance.now() - began;
      until = performance.now() + Math.max(freshMs, idleShare * took);
    });
    measured.catch(() => (measured = undefined));
    return measured;
  };
}

/**
 * `/metrics` for Prometheus. Labels hold names of sources, states and results: no person, no group, no address. It asks for
 * no token, as monitors do not have one; names other than our own are refused like everywhere.
 */
export function registerMetrics(app: FastifyInstance, parts: ServerParts): void {
  const { context } = parts;
  const { config, pacer, queue } = context;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const measure = createMeasuring(context);
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> =>
    new Gauge({ name: `roster_sync_${name}`, help, labelNames: [...labelNames], registers: [registry] });

  const runs = gauge('runs', 'Runs by state.', ['state']);
  const sinceGood = gauge(
    'source_seconds_since_good_run',
    'Since a run of the source finished without failures, or its roster was found unchanged.',
    ['source'],
  );
  const sinceAnswers = gauge('answers_seconds_since_kept', 'Since answers to questions were last kept.');
  const outcomes = gauge('run_deliveries', 'Deliveries of the newest run of the source by how they ended.', [
    'source',
    'outcome',
  ]);
  const inserts = gauge('run_inserts', 'Inserts that the service counted in the newest run of the source.', ['source']);
  const warnings = gauge('run_warnings', 'Warnings of the service in the newest run of the source.', ['source']);
  const calls = gauge('run_calls', 'Calls of the newest run of the source by the kind of their answer.', [
    'source',
    'result',
  ]);
  const due = gauge('due_deliveries', 'Deliveries that are due and wait in the ledger.');
  const lag = gauge('ledger_lag_seconds', 'Time since the oldest waiting delivery became due.');
  const queued = gauge('queue_jobs', 'Jobs in the queue.');
  const limit = gauge('pace_calls_per_second', 'Calls a second that the pace allows now, over all workers.');
  const share = gauge('pace_share', 'The share of the configured rate that the service sustains, from 0 to 1.');
  const held = gauge(
    'pace_held_seconds',
    'Time until calls start again, while the service is rate-limiting us or down.',
  );
  const throttled = gauge('pace_throttled_seconds', 'Time left until the service stops rate-limiting us.');
  const noticedLate = gauge(
    'schedule_noticed_late',
    'Due times of sources since the start that only the watchdog noticed.',
  );
  const webhooks = gauge('webhook_requests', 'Requests of HR systems by result.', ['source', 'result']);

  async function update(): Promise<void> {
    const { ledger, runs: newest } = await measure();
    for (const each of [runs, sinceGood, outcomes, inserts, warnings, calls, webhooks]) each.reset();
    for (const { status, count } of ledger.runs) runs.set({ state: status }, count);
    for (const { source, goodAt } of ledger.sources) {
      if (goodAt) sinceGood.set({ source }, (Date.now() - goodAt.getTime()) / 1000);
    }
    const { answersKeptAt } = ledger;
    // Without a time there is no figure, rather than 0.
    if (!answersKeptAt) sinceAnswers.remove();
    else sinceAnswers.set((Date.now() - answersKeptAt.getTime()) / 1000);
    for (const { source, measures } of newest) {
      for (const { outcome, count } of measures.outcomes) outcomes.set({ source, outcome }, count);
      for (const { kind, count } of measures.calls) calls.set({ source, result: kind }, count);
      inserts.set({ source }, measures.inserts);
      warnings.set({ source }, measures.warnings);
    }
    for (const { source, result, count } of ledger.webhooks) webhooks.set({ source, result }, count);
    noticedLate.set(parts.schedule?.noticedLate() ?? 0);
    due.set(ledger.due);
    lag.set(ledger.lagSeconds);
    queued.set(await queue.size());
    const { limit: most, perMs } = config.delivery.rate;
    limit.set(((most * 1000) / perMs) * pacer.share);
    share.set(pacer.share);
    throttled.set(((await pacer.throttle())?.forMs ?? 0) / 1000);
    held.set((await pacer.heldFor()) / 1000);
  }

  app.get('/metrics', async (_request, reply) => {
    await update();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
