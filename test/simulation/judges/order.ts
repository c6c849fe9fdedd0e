import { allGroups, graceMs, type SeenCall, show, type Witness } from '../witness.ts';
import type { DeliveryRow, Records, RunRow } from './records.ts';

/** Time does not run backwards for anybody, nobody is called whom the service asked not to, and canaries go first. */
export function judgeOrder(witness: Witness, { runs, deliveries }: Records): void {
  const byRun = new Map(runs.map((run) => [run.id, run]));
  for (const delivery of deliveries) {
    const run = byRun.get(delivery.run_id);
    if (run) judgeRunOrder(witness, delivery, run, runs);
  }
  judgeThrottles(witness);
  for (const run of runs) {
    judgeStages(
      witness,
      run,
      deliveries.filter(({ run_id }) => run_id === run.id),
    );
  }
}

/** What a newer roster has overtaken is not sent any more. */
function judgeRunOrder(witness: Witness, delivery: DeliveryRow, run: RunRow, runs: RunRow[]): void {
  const key = delivery.person_key;
  const calls = witness.calls.filter((call) => call.delivery === delivery.id);
  const own = Date.parse(run.roster?.time ?? '');
  const isOld = runs.some(
    (each) =>
      each.source === run.source &&
      witness.runs.get(each.id)?.text !== witness.runs.get(run.id)?.text &&
      each.number < run.number &&
      !each.beside &&
      !run.beside &&
      Date.parse(each.roster?.time ?? '') > own &&
      (witness.releasedAt.get(each.id) ?? Infinity) < (witness.runs.get(run.id)?.begunAt ?? 0),
  );
  if (
    isOld &&
    calls.length > 0 &&
    witness.jumpedAt === -Infinity &&
    !witness.approvals.some((each) => each.run === run.id)
  )
    witness.blame(`R13: ${key} was called for run ${run.id}, whose roster is older than one that was released before`);
  for (const call of calls) {
    for (const newer of runs) {
      if (newer.source !== run.source || newer.number <= run.number || !newer.roster) continue;
      const at = witness.releasedAt.get(newer.id);
      if (at === undefined || call.at <= at + graceMs) continue;
      if (run.beside && Date.parse(run.roster?.time ?? '') > Date.parse(newer.roster.time)) continue;
      if (newer.roster.partial && !(witness.told.get(key) && newer.beside)) continue;
      if (newer.beside) continue;
      witness.blame(
        `R13: ${key} of run ${run.id} was called at ${show(call.at)}, after the newer run ${newer.id} was released at ${show(at)}`,
      );
    }
  }
}

function judgeThrottles(witness: Witness): void {
  for (const { at, retryAfter, answer, by, recordedAt } of witness.calls) {
    if (retryAfter === undefined || answer?.kind !== 'throttled' || recordedAt === undefined) continue;
    if (by.diedAt < at + 2000 || by.stallsUntil > at || Math.abs(witness.jumpedAt - at) < 20_000) continue;
    const until = at + retryAfter * 1000;
    const early = witness.calls.find((each) => each.at > recordedAt + graceMs && each.at < until - 50);
    if (early)
      witness.blame(
        `R4: ${early.key} was called at ${show(early.at)}, and the service had asked to wait until ${show(until)}`,
      );
  }
}

/** An answer that nobody has seen of a service that works. */
function isOdd(call: SeenCall): boolean {
  const { kind } = call.answer ?? {};
  return kind === 'rejected' || kind === 'unrecognised' || (kind === 'accepted' && !allGroups(call));
}

/** A later stage of a canary release waits until each of an earlier one has its answer; a bad one stops it for a person. */
function judgeStages(witness: Witness, run: RunRow, deliveries: DeliveryRow[]): void {
  const stageOf = new Map(deliveries.map(({ id, stage }) => [id, stage]));
  const calls = witness.calls.filter((call) => call.run === run.id);
  const actionOf = new Map(deliveries.map(({ id, action }) => [id, action]));
  const goneOn = witness.steered.filter((each) => each.run === run.id && each.move === 'go on').map(({ at }) => at);
  for (const call of calls) {
    const stage = stageOf.get(call.delivery ?? 0) ?? 0;
    if (stage === 0) continue;
    const isBad = calls.find(
      (each) =>
        (stageOf.get(each.delivery ?? 0) ?? 0) < stage &&
        (each.recordedAt ?? Infinity) < call.at &&
        actionOf.get(each.delivery ?? 0) !== 'again' &&
        isOdd(each) &&
        !goneOn.some((at) => at > (each.recordedAt ?? Infinity)) &&
        // What was seen in an earlier run may have been taken as usual there.
        !witness.calls.some((other) => other.run !== run.id && other.at < each.at && isOdd(other)),
    );
    if (isBad)
      witness.blame(
        `${call.key} of stage ${stage} of run ${run.id} was called at ${show(call.at)}, and ${isBad.key} had been ${isBad.answer?.kind} before`,
      );
    const early = deliveries.find(
      (each) =>
        each.stage < stage &&
        each.outcome !== 'superseded' &&
        each.outcome !== 'cancelled' &&
        !calls.some((other) => other.delivery === each.id && other.at < call.at),
    );
    if (early && run.trips === null)
      witness.blame(
        `${call.key} of stage ${stage} of run ${run.id} was called before ${early.person_key} of stage ${early.stage}`,
      );
  }
}
