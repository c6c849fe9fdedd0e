// Says that a process is alive, so that no other takes for abandoned what it plans or calls.
import { endsWithin } from '../process/coalesce.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Trouble } from '../process/trouble.ts';
import type { Releases } from './releases.ts';

/** The longest wait for signing off from a database that is away, ms; the other processes notice by themselves. */
const farewellMs = 1000;

/** What `stayAlive` does, once. */
export function signsOfLife(
  ledger: Ledger,
  {
    trouble,
    releases,
    tempo,
    needed,
  }: { trouble: Trouble; releases: Pick<Releases, 'add'>; tempo: Tempo; needed: boolean },
): () => Promise<void> {
  let first: Promise<void> | undefined;
  const beat = (): Promise<void> => ledger.beat(ledger.worker, tempo.deadAfterMs);
  async function begin(): Promise<void> {
    await beat();
    // What a dead process was planning would keep its source busy for ever, also where it dies later than this.
    await ledger.failOrphanedPlans(tempo.deadAfterMs);
    const onError = (error: unknown): void => trouble('could not record the sign of life', error);
    const again = (): Promise<void> => beat().then(() => ledger.failOrphanedPlans(tempo.deadAfterMs, ledger.worker));
    const timer = setInterval(() => void again().catch(onError), tempo.heartbeatMs);
    releases.add(async () => {
      clearInterval(timer);
      await endsWithin(farewellMs, ledger.leave(ledger.worker).catch(onError));
    });
  }
  return async () => {
    if (needed) await (first ??= begin());
  };
}
