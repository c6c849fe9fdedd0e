// The figures about runs, sources and deliveries, as the ledger knows them.
import type { DeliveryContext } from '../../wiring/context.ts';
import type { MakeGauge, Probe } from './probe.ts';
import { createMeasuring, type Measured } from './measuring.ts';

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
