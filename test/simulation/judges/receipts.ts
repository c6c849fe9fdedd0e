import { show, type Witness } from '../witness.ts';
import type { Records } from './records.ts';

/** R11: every answer that a process has recorded is there, each call is counted, and there is no receipt of none. */
export function judgeReceipts(witness: Witness, { deliveries, receipts }: Records): void {
  for (const { key, at, by, answer, recordedAt } of witness.calls) {
    if (by.hasStopped && !by.gaveUp && answer && answer.kind !== 'not-sent' && recordedAt === undefined)
      witness.blame(`R11: ${by.name} has stopped and not recorded the answer for ${key}, called at ${show(at)}`);
  }
  for (const { id, run_id, person_key: key, calls: counted, state } of deliveries) {
    const calls = witness.calls.filter(({ delivery }) => delivery === id);
    const written = receipts.filter(({ delivery, kind }) => delivery === id && kind !== 'not-sent');
    const recorded = calls.filter(({ recordedAt, answer }) => recordedAt !== undefined && answer?.kind !== 'not-sent');
    if (written.length < recorded.length)
      witness.blame(`R11: ${key} of run ${run_id} has ${written.length} receipts of ${recorded.length} answers`);
    if (written.length > calls.length)
      witness.blame(
        `R11: ${key} of run ${run_id} has ${written.length} receipts, and was called ${calls.length} times`,
      );
    if (state === 'done' && counted < calls.length)
      witness.blame(`${key} of run ${run_id} was called ${calls.length} times, and ${counted} are counted`);
  }
}
