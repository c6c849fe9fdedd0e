// Answers `/metrics` for Prometheus: what the ledger knows about runs and sources, the queue, and the pace.
import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { endsWithin } from '../../process/coalesce.ts';
import { createFigures } from '../../process/figures.ts';
import { readVersion } from '../../process/version.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import type { ServerParts } from '../parts.ts';
import type { Measures, RunMeasures } from '../../ledger/runs/watching.ts';

/** The longest wait for one part, ms; a monitor waits ten seconds. */
const withinMs = 2000;

/**
 * `/metrics` for Prometheus. Labels hold names of sources, states and results: no person, no group, no address. It asks for
 * no token, as monitors do not have one; names other than our own are refused like everywhere. A part that is away, such
 * as a Redis that refuses to write, costs its own figures only, and `roster_sync_reachable` says which.
 * @param options.ledger false where other processes answer for the ledger they share
 */
export function registerMetrics(
  app: FastifyInstance,
  { context }: Pick<ServerParts, 'context'>,
  options: { ledger: boolean },
): void {
  const { registry } = context.figures ?? createFigures({ version: readVersion(), mode: context.mode });
  const gauge: MakeGauge = (name, help, labelNames = []) =>
    new Gauge({ name: `roster_sync_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const reachable = gauge('reachable', 'Whether ledger, queue and pace answer: 1 or 0.', ['part']);
  const queued = gauge('queue_jobs', 'Jobs in the queue.');
  const probes: Probe[] = [
    ...(options.ledger ? [ledgerGauges(context, gauge)] : []),
    {
      name: 'queue',
      update: async () => queued.set(await context.queue.size()),
      clear: () => queued.remove(),
    },
    paceGauges(context, gauge),
  ];

  async function ask({ name, update, clear }: Probe): Promise<void> {
    const answers = await endsWithin(
      withinMs,
      update().catch((error: unknown) => {
        context.trouble(`could not measure the ${name}`, error);
        throw error;
      }),
    );
    reachable.set({ part: name }, answers ? 1 : 0);
    if (!answers) clear();
  }

  app.get('/metrics', async (_request, reply) => {
    await Promise.all(probes.map(ask));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** What the pace allows now, and until when it allows nothing. */
function paceGauges({ config, pacer }: DeliveryContext, gauge: MakeGauge): Probe {
  const limit = gauge('pace_calls_per_second', 'Calls a second that the pace allows now, over all workers.');
  const share = gauge('pace_share', 'The share of the configured rate that the service sustains, from 0 to 1.');
  const held = gauge(
    'pace_held_seconds',
    'Time until calls start again, while the service is rate-limiting us or down.',
  );
  const throttled = gauge('pace_throttled_seconds', 'Time left until the service stops rate-limiting us.');
  const outage = gauge('pace_outage', 'Whether calls stand still because the service does not answer: 1 or 0.');
  return {
    name: 'pace',
    async update() {
      const [throttle, heldMs] = await Promise.all([pacer.throttle(), pacer.gateClosedFor()]);
      const { limit: most, perMs } = config.delivery.rate;
      limit.set(((most * 1000) / perMs) * pacer.share);
      share.set(pacer.share);
      throttled.set((throttle?.forMs ?? 0) / 1000);
      held.set(heldMs / 1000);
      outage.set(pacer.outage ? 1 : 0);
    },
    clear() {
      for (const each of [limit, share, held, throttled, outage]) each.remove();
    },
  };
}

const secondsSince = (at: Date): number => (Date.now() - at.getTime()) / 1000;

function ledgerGauges(context: DeliveryContext, gauge: MakeGauge): Probe {
  const measure = createMeasuring(context);
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
  const webhooks = gauge('webhook_requests', 'Requests of HR systems to all processes by result.', [
    'source',
    'result',
  ]);
  const due = gauge('due_deliveries', 'Deliveries that are due and wait in the ledger.');
  const lag = gauge('ledger_lag_seconds', 'Time since the oldest waiting delivery became due.');
  const listed = [runs, sinceGood, outcomes, inserts, warnings, calls, webhooks];

  function show({ ledger, runs: newest }: Measured): void {
    for (const each of listed) each.reset();
    for (const { status, count } of ledger.runs) runs.set({ state: status }, count);
    for (const { source, goodAt } of ledger.sources) if (goodAt) sinceGood.set({ source }, secondsSince(goodAt));
    // Without a time there is no figure, rather than 0.
    if (!ledger.answersKeptAt) sinceAnswers.remove();
    else sinceAnswers.set(secondsSince(ledger.answersKeptAt));
    for (const { source, measures } of newest) {
      for (const { outcome, count } of measures.outcomes) outcomes.set({ source, outcome }, count);
      for (const { kind, count } of measures.calls) calls.set({ source, result: kind }, count);
      inserts.set({ source }, measures.inserts);
      warnings.set({ source }, measures.warnings);
    }
    for (const { source, result, count } of ledger.webhooks) webhooks.set({ source, result }, count);
    due.set(ledger.due);
    lag.set(ledger.lagSeconds);
  }
  return {
    name: 'ledger',
    update: async () => show(await measure()),
    clear() {
      for (const each of listed) each.reset();
      for (const each of [sinceAnswers, due, lag]) each.remove();
    },
  };
}

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

interface Probe {
  name: string;
  update(): Promise<void>;
  clear(): void;
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames?: readonly Label[]) => Gauge<Label>;
