import { allGroups, type SeenCall, show, type Witness } from '../witness.ts';
import type { DeliveryRow, Records, RunRow } from './records.ts';

/** Each delivery ended as its calls did, and nothing that a guard holds is sent without an approval. */
export function judgeDeliveries(witness: Witness, { runs, deliveries, receipts }: Records): void {
  const byRun = new Map(runs.map((run) => [run.id, run]));
  for (const delivery of deliveries) {
    const run = byRun.get(delivery.run_id);
    if (!run) continue;
    const written = receipts.filter(({ delivery: id, kind }) => id === delivery.id && kind !== 'not-sent').length;
    judgeDelivery(witness, delivery, run, written);
    judgeRepeated(witness, delivery, deliveries);
    judgeApproval(witness, delivery, run);
  }
  judgeRepeats(witness, runs);
}

function judgeDelivery(witness: Witness, delivery: DeliveryRow, run: RunRow, written: number): void {
  const { id, person_key: key, outcome, attempts } = delivery;
  const calls = witness.calls.filter((call) => call.delivery === id);
  const accepted = calls.filter(({ answer }) => answer?.kind === 'accepted');
  const isErased = !calls.every((call) => call.key === key);
  if (outcome === 'succeeded' && !isErased && !accepted.some(allGroups))
    witness.blame(`R6: ${key} in run ${run.id} has succeeded, and the service never said so`);
  if (outcome === 'partial' && accepted.some(allGroups) && !accepted.some((call) => !allGroups(call)))
    witness.blame(`R6: ${key} in run ${run.id} is partial, and the service said success for all groups`);
  if (outcome === 'failed') {
    const last = calls.at(-1)?.answer?.kind;
    const counted = calls.filter(({ answer }) => ['broken', 'may-have-happened'].includes(answer?.kind ?? ''));
    // Those that did not reach the service, which was away.
    const unseen = witness.begins.filter((begun) => begun.id === id).length - calls.length;
    if (
      (last === 'throttled' && unseen === 0) ||
      (last !== 'rejected' && last !== 'refused' && last !== undefined && counted.length + unseen < 3)
    )
      witness.blame(
        `R5: ${key} in run ${run.id} has failed after ${calls.map(({ answer }) => answer?.kind).join(', ')}`,
      );
  }
  const mayCount = calls.filter(
    ({ answer }) =>
      answer === undefined || !['throttled', 'accepted', 'refused', 'rejected', 'unrecognised'].includes(answer.kind),
  ).length;
  if (!calls.some(({ answer }) => answer === undefined) && attempts > mayCount + 2)
    witness.blame(`R5: ${key} in run ${run.id} has used up ${attempts} attempts in ${mayCount} calls that count`);
  // A process may be killed after its statement has written a receipt, and before the answer of the database arrives.
  const isWritten = written >= calls.length;
  const again = calls
    .slice(0, -1)
    .filter(
      ({ answer, recordedAt }) =>
        answer === undefined || (recordedAt === undefined && !isWritten) || answer.kind === 'may-have-happened',
    );
  if (
    again.length > 0 &&
    !delivery.repeated &&
    !isErased &&
    again.some(({ by, answer }) => by.isDead || answer?.kind === 'may-have-happened')
  )
    witness.blame(
      `R7: ${key} in run ${run.id} was called again after a call that may have happened, and is not shown as repeated`,
    );
}

/**
 * R7: who is shown as repeated may have been called before, in this run or an earlier one: by somebody who began, and whose
 * answer settled nothing.
 */
function judgeRepeated(
  witness: Witness,
  { id, person_key: key, run_id: run, repeated }: DeliveryRow,
  deliveries: readonly DeliveryRow[],
): void {
  if (!repeated) return;
  const kept = deliveries.filter((each) => each.person_key === key && each.id <= id);
  const called = witness.calls.filter((call) => call.key === key);
  const ids = new Set([...kept.map((each) => each.id), ...called.flatMap(({ delivery = [] }) => delivery)]);
  const begun = new Set(witness.begins.filter((each) => ids.has(each.id)).map(({ being }) => being));
  const isUnsettled = [...begun].some((being) => {
    const recorded = witness.calls.filter(
      ({ delivery, by, recordedAt }) => delivery !== undefined && ids.has(delivery) && by === being && recordedAt,
    );
    // Whoever has died or stood still may have begun again.
    return (
      (being.isDead && being.hasStopped !== true) ||
      being.stallsUntil > 0 ||
      recorded.length === 0 ||
      recorded.some(isDoubtful)
    );
  });
  if (!isUnsettled)
    witness.blame(`R7: ${key} in run ${run} is shown as repeated, and nothing that may have happened was left open`);
}

/** Its outcome is unknown: a retry of it is shown as repeated. */
const isDoubtful = ({ answer, request }: SeenCall): boolean =>
  answer?.kind === 'may-have-happened' ||
  answer?.kind === 'unrecognised' ||
  (answer?.kind === 'accepted' && request.groups.some((name) => !answer.results.some(({ group }) => group === name)));

/** Nothing that a guard holds is sent without an approval. */
function judgeApproval(
  witness: Witness,
  { person_key: key, action, groups, id: delivery }: DeliveryRow,
  { id, trips }: RunRow,
): void {
  const calls = witness.calls.filter((call) => call.delivery === delivery);
  const isStopped = (trips ?? []).some(({ scope }) => {
    if (scope === 'all') return true;
    if (scope.actions) return scope.actions.includes(action);
    return scope.people?.includes(key) === true || scope.groups?.some((group) => groups.includes(group)) === true;
  });
  const [first] = calls;
  if (!isStopped || !first) return;
  const allowed = witness.approvals.some(
    ({ run, at, part }) => run === id && at <= first.at && (part === undefined || part === action),
  );
  if (!allowed) witness.blame(`${key} of run ${id} was held, and called at ${show(first.at)} without an approval`);
}

/** What is known to have arrived is not sent again, unless something else was said in between. */
function judgeRepeats(witness: Witness, runs: RunRow[]): void {
  const byRun = new Map(runs.map((run) => [run.id, run]));
  for (const call of witness.calls) {
    const { recordedAt } = call;
    if (recordedAt === undefined || call.answer?.kind !== 'accepted' || !allGroups(call)) continue;
    const source = byRun.get(call.run ?? '')?.source;
    const later = witness.calls.find(
      (each) => each.at > recordedAt && each.key === call.key && byRun.get(each.run ?? '')?.source === source,
    );
    if (!later) continue;
    // Whoever was about to call when the answer was recorded has not heard of it.
    const begun = witness.begins.findLast(
      ({ being, id, at }) => being === later.by && id === later.delivery && at <= later.at,
    );
    if (later.delivery === call.delivery && (begun === undefined || begun.at > recordedAt))
      witness.blame(`${call.key} was called again in run ${call.run} after that was known to have succeeded`);
  }
}
