// The times to wait for other processes, servers and outages.

/**
 * The waits for others: processes, servers, the service in an outage. All in ms.
 * - Dead after 10 s: three signs of life may be lost on the way. With a timeout of 10 s a call that was in flight is then
 *   repeated within half a minute.
 * - The lock of a job: the ledger's claim keeps a person's lane, not this lock, so it may be lost without harm. It bounds
 *   the wait of a delivery whose worker died after it got the job and before it claimed the delivery.
 * - Silence of 15 s: a network that swallows packets without closing is noticed within 20 s, not after minutes.
 * - Half an hour without the ledger: a restart, a failover, a person who looks after it.
 * - Probes: one call after a minute, two, four … fifteen minutes (R5).
 */
export const tempo = {
  /** Between two signs of life of a process, which are rows in the ledger. */
  heartbeatMs: 3000,
  /** A process without a sign of life for this time is taken for dead: then others feed, and repeat its calls. */
  deadAfterMs: 10_000,
  /** The longest wait for a ledger that is away. */
  ledgerPatienceMs: 30 * 60_000,
  /** The time a job stays with a worker that does not renew its lock. */
  jobLockMs: 15_000,
  /** Between two checks for jobs whose lock has run out. */
  stalledEveryMs: 5000,
  /** The silence after a request at which a server is cut off; a third of it is the longest blocking read of Redis. */
  silenceMs: 15_000,
  /** Between two checks for jobs that the queue has lost. */
  repairEveryMs: 5000,
  /** Between two checks that do not trust the queue's own count: a Redis restored from an old copy counts stale jobs. */
  thoroughEveryMs: 60_000,
  /** In an outage of the service: the wait before the first probe, and the longest one between two. */
  firstProbeMs: 60_000,
  lastProbeMs: 15 * 60_000,
  /** A probe that has not reported its end after this time is taken for dead, with the process that made it. */
  longestProbeMs: 2 * 60_000,
  /** How much longer than one call's deadline stopping may take: writing the last receipts. */
  graceMs: 10_000,
};
export type Tempo = typeof tempo;

/** A tempo in which everything takes `factor` times as long: with it, tests of faults fit into minutes. */
export function scaleTempo(given: Tempo, factor: number): Tempo {
  const scaled = { ...given };
  for (const name of Object.keys(given) as (keyof Tempo)[]) scaled[name] = Math.round(given[name] * factor);
  return scaled;
}
