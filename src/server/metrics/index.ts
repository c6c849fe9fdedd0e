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

/** The figures of each part: what each says, then its labels. */
const figures = {
  queue: { queue_jobs: ['Jobs in the queue.'] },
  ledger: {
    runs: ['Runs by state.', 'state'],
    source_seconds_since_good_run: [
      'Since a run of the source finished without failures, or its roster was found unchanged.',
      'source',
    ],
    answers_seconds_since_kept: ['Since answers to questions were last kept.'],
    run_deliveries: ['Deliveries of the newest run of the source by how they ended.', 'source', 'outcome'],
    run_inserts: ['Inserts that the service counted in the newest run of the source.', 'source'],
    run_warnings: ['Warnings of the service in the newest run of the source.', 'source'],
    run_calls: ['Calls of the newest run of the source by the kind of their answer.', 'source', 'result'],
    webhook_requests: ['Requests of HR systems to all processes by result.', 'source', 'result'],
    due_deliveries: ['Deliveries that are due and wait in the ledger.'],
    ledger_lag_seconds: ['Time since the oldest waiting delivery became due.'],
  },
  pace: {
    pace_calls_per_second: ['Calls a second that the pace allows now, over all workers.'],
    pace_share: ['The share of the configured rate that the service sustains, from 0 to 1.'],
    pace_held_seconds: ['Time until calls start again, while the service is rate-limiting us or down.'],
    pace_throttled_seconds: ['Time left until the service stops rate-limiting us.'],
    pace_outage: ['Whether calls stand still because the service does not answer: 1 or 0.'],
  },
} as const;

/** What a figure is now, for each of its labels; nothing where there is no figure. */
type Samples = readonly (readonly [labels: Record<string, string>, value: number])[];
type Measured<Part extends keyof typeof figures> = Record<keyof (typeof figures)[Part], number | Samples>;

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
  const gauge = (name: string, [help = '', ...labelNames]: readonly string[]): Gauge =>
    new Gauge({ name: `roster_sync_${name}`, help, labelNames, registers: [registry] });
  const reachable = gauge('reachable', ['Whether ledger, queue and pace answer: 1 or 0.', 'part']);
  const parts = [
    part('queue', async () => ({ queue_jobs: await context.queue.size() })),
    ...(options.ledger ? [part('ledger', ledgerFigures(context))] : []),
    part('pace', () => paceFigures(context)),
  ];

  /** Makes the gauges of a part; returns what measures them. */
  function part<Part extends keyof typeof figures>(name: Part, measure: () => Promise<Measured<Part>>) {
    const gauges = Object.entries<readonly string[]>(figures[name]).map(([of, words]) => {
      return { of, isPlain: words.length === 1, gauge: gauge(of, words) };
    });
    return async (): Promise<void> => {
      let found: Record<string, number | Samples> = {};
      const measured = measure().then(
        (now) => (found = now),
        (error: unknown) => {
          context.trouble(`could not measure the ${name}`, error);
          throw error;
        },
      );
      reachable.set({ part: name }, (await endsWithin(withinMs, measured)) ? 1 : 0);
      for (const { of, isPlain, gauge } of gauges) {
        // Without a value there is no figure, rather than 0.
        if (isPlain) gauge.remove();
        else gauge.reset();
        const samples = found[of] ?? [];
        if (typeof samples === 'number') gauge.set(samples);
        else for (const [labels, value] of samples) gauge.set(labels, value);
      }
    };
  }

  app.get('/metrics', async (_request, reply) => {
    await Promise.all(parts.map((measure) => measure()));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** What the pace allows now, and until when it allows nothing. */
async function paceFigures({ config, pacer }: DeliveryContext): Promise<Measured<'pace'>> {
  const [throttle, heldMs] = await Promise.all([pacer.throttle(), pacer.gateClosedFor()]);
  const { limit, perMs } = config.delivery.rate;
  return {
    pace_calls_per_second: ((limit * 1000) / perMs) * pacer.share,
    pace_share: pacer.share,
    pace_held_seconds: heldMs / 1000,
    pace_throttled_seconds: (throttle?.forMs ?? 0) / 1000,
    pace_outage: pacer.outage ? 1 : 0,
  };
}

const secondsSince = (at: Date): number => (Date.now() - at.getTime()) / 1000;

function ledgerFigures(context: DeliveryContext): () => Promise<Measured<'ledger'>> {
  const measure = createMeasuring(context);
  return async () => {
    const { ledger, runs } = await measure();
    return {
      runs: ledger.runs.map(({ status, count }) => [{ state: status }, count]),
      source_seconds_since_good_run: ledger.sources.flatMap(({ source, goodAt }) =>
        goodAt ? [[{ source }, secondsSince(goodAt)] as const] : [],
      ),
      answers_seconds_since_kept: ledger.answersKeptAt ? secondsSince(ledger.answersKeptAt) : [],
      run_deliveries: runs.flatMap(({ source, measures }) =>
        measures.outcomes.map(({ outcome, count }) => [{ source, outcome }, count] as const),
      ),
      run_inserts: runs.map(({ source, measures }) => [{ source }, measures.inserts]),
      run_warnings: runs.map(({ source, measures }) => [{ source }, measures.warnings]),
      run_calls: runs.flatMap(({ source, measures }) =>
        measures.calls.map(({ kind, count }) => [{ source, result: kind }, count] as const),
      ),
      webhook_requests: ledger.webhooks.map(({ source, result, count }) => [{ source, result }, count]),
      due_deliveries: ledger.due,
      ledger_lag_seconds: ledger.lagSeconds,
    };
  };
}

/** The ledger is measured no more often than this, ms, and no more than a twentieth of the time. */
const freshMs = 5000;
const idleShare = 20;

/** Runs that have no further calls to make: what was measured of them stays true, unless they are tried again. */
const settled = new Set(['finished', 'cancelled', 'failed']);

interface LedgerMeasures {
  ledger: Measures;
  /** Of the newest run of each source. */
  runs: { source: string; measures: RunMeasures }[];
}

/** The shortest time between two measurements; requests in between get the last one. */
function createMeasuring({ ledger }: DeliveryContext): () => Promise<LedgerMeasures> {
  const known = new Map<string, RunMeasures>();
  let measured: Promise<LedgerMeasures> | undefined;
  let until = -Infinity;

  async function take(): Promise<LedgerMeasures> {
    const now = await ledger.measure();
    const runs: LedgerMeasures['runs'] = [];
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
