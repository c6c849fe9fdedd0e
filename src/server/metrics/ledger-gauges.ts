// The figures about runs, sources and deliveries, as the ledger knows them.
import type { Gauge } from 'prom-client';
import type { Measures, RunMeasures } from '../../ledger/runs/watching.ts';
import type { DeliveryContext } from '../../wiring/context.ts';

const secondsSince = (at: Date): number => (Date.now() - at.getTime()) / 1000;

export function ledgerGauges(context: DeliveryContext, gauge: MakeGauge): Probe {
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

export interface Probe {
  name: string;
  update(): Promise<void>;
  clear(): void;
}

export type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames?: readonly Label[],
) => Gauge<Label>;
