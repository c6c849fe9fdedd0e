import type { Witness } from '../witness.ts';
import type { DeliveryRow, Records, RunRow } from './records.ts';

/** Counts of rows, people, plan and deliveries agree with each other and with the state of the run. */
export function judgeRuns(witness: Witness, { runs, deliveries }: Records): void {
  for (const run of runs) {
    judgeRun(
      witness,
      run,
      deliveries.filter(({ run_id }) => run_id === run.id),
    );
  }
}

function judgeRun(
  witness: Witness,
  { id, status, reason, baseline, roster, plan, trips }: RunRow,
  deliveries: DeliveryRow[],
): void {
  if (roster) {
    const { rows, members, merged, filtered, rejects } = roster.counts;
    if (rows !== members + merged + filtered + rejects)
      witness.blame(`R9: the rows of run ${id} do not add up: ${JSON.stringify(roster.counts)}`);
    if (plan) {
      const { counts } = plan;
      const sum = counts.new + counts.changed + counts.again + counts.unchanged + counts.later;
      if (sum !== members) witness.blame(`the plan of run ${id} has ${sum} people, its roster ${members}`);
    }
  }
  const handed = witness.runs.get(id);
  if (handed?.isImport && (plan?.counts.departed ?? 0) > 0)
    witness.blame(`R10: run ${id} is an import, and takes ${plan?.counts.departed} people for departed`);
  if (plan && status !== 'failed' && status !== 'planning' && deliveries.length !== (baseline ? 0 : plan.calls)) {
    witness.blame(`run ${id} planned ${plan.calls} calls and has ${deliveries.length} deliveries`);
  }
  if (status === 'delivering' || status === 'planning')
    witness.blame(`R2: run ${id} is still ${status} when everything is over`);
  const count = (outcome: string): number => deliveries.filter((each) => each.outcome === outcome).length;
  const bad = count('partial') + count('failed') + count('unknown');
  if (status === 'finished' && bad > 0) witness.blame(`run ${id} is finished and has ${bad} that did not succeed`);
  const open = deliveries.filter(({ state }) => state !== 'done');
  if (status === 'finished' && open.length > 0)
    witness.blame(`R2: run ${id} is finished and ${open.length} have no outcome`);
  if (status === 'held' && open.some(({ state }) => state !== 'held') && !reason.startsWith('its deadline has passed'))
    witness.blame(`run ${id} is held and has something to send`);
  if (status === 'held' && open.length === 0 && !trips?.some(({ scope }) => scope === 'all'))
    witness.blame(`run ${id} is held and holds nothing`);
}
