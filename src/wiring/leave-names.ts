// Leaves names for completion in shells when a process ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { writeKnownNames } from '../ledger/directory/known-names.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The longest wait for a ledger that is away, ms. */
const farewellMs = 1000;
/** The newest runs, so many. */
const namedRuns = 30;

/**
 * Leaves the names that shells complete in the data directory. They help with typing only: they may be old, and a ledger
 * that does not answer must not keep a process from ending.
 */
export async function leaveNames(path: string, ledger: Ledger): Promise<void> {
  const late = new AbortController();
  const leaving = (async () => {
    const runs = await ledger.listRuns(namedRuns);
    const kept = await ledger.listKeptSources();
    if (late.signal.aborted) return;
    await writeKnownNames(path, {
      runs: runs.map(({ id, source, status }) => ({ run: id, source, status })),
      kept: kept.map(({ name }) => name),
    });
  })().catch(() => {});
  const waiting = new AbortController();
  const patience = sleep(farewellMs, undefined, waiting).then(
    () => late.abort(),
    () => {},
  );
  await Promise.race([leaving, patience]);
  waiting.abort();
}
