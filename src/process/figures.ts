// Counts what this process does, for monitors.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What a process does, counted since its start. No label holds a person, a group, an address or a cell. */
export type Figures = ReturnType<typeof createFigures>;

/** Calls take from tens of milliseconds to the deadline of 30 s. */
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A slot comes within 30 s, or the delivery goes back to the ledger. */
const waitBuckets = [0.01, 0.05, 0.25, 1, 5, 15, 30];

export function createFigures({ version, mode }: { version: string; mode: string }) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: `roster_sync_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[] = []): Histogram =>
    new Histogram({ name: `roster_sync_${name}`, help, labelNames, buckets, registers });

  new Gauge({
    name: 'roster_sync_build_info',
    help: 'The version of roster-sync and of Node, and how the process works; always 1.',
    labelNames: ['version', 'node', 'mode'],
    registers,
  }).set({ version, node: process.versions.node, mode }, 1);
  const calls = counter('calls_total', 'Calls of this process by the kind of their answer.', ['result']);
  const callTime = histogram('call_seconds', 'Time from the beginning of a call to its answer.', callBuckets, [
    'result',
  ]);
  const waited = 'Time for which a delivery waited for its slot of the pace.';
  const waits = histogram('pace_wait_seconds', waited, waitBuckets);
  const webhooks = counter('webhooks_total', 'Requests of HR systems to this process by result.', ['source', 'result']);
  const rejected = counter('rejects_total', 'Rejected rows that this process has read, by the kind of reason.', [
    'reason',
  ]);
  return {
    registry,
    /** A call has ended: the kind of its answer, and its time, s. */
    call(result: string, seconds: number): void {
      calls.inc({ result });
      callTime.observe({ result }, seconds);
    },
    /** A delivery has waited for its slot of the pace, s. */
    paced: (seconds: number): void => waits.observe(seconds),
    /** A request of an HR system was answered. */
    webhook: (source: string, result: string): void => webhooks.inc({ source, result }),
    /** Rows of a roster became rejects. */
    rejects: (reason: string, count: number): void => rejected.inc({ reason }, count),
  };
}
