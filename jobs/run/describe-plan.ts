// What a source's rules ask of its plan, and the plan with its changes, removals, time and hash.
import type { WithLedger } from '../../src/wiring/context.ts';
import { estimatePlan, PlanHash, removalNotice, settingChanges } from '../../src/core/run/plan.ts';
import type { RunPlan, Trigger } from '../../src/core/run/run.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { dayBegan, dayOf } from '../../src/core/cells/days.ts';
import { defined } from '../../src/core/defined.ts';
import type { Mapping } from '../../src/core/mapping/mapping.ts';
import type { PlanQuestion } from '../../src/ledger/planning/planning.ts';
import { timezoneOf } from '../../src/roster/configured-source.ts';
import type { PlanningRun } from './planning-run.ts';

/** The triggers whose rosters are complete, so that an absent person has left. */
const judgesAbsence: readonly Trigger[] = ['sync', 'schedule', 'api'];

/**
 * What a source's rules ask of its plan: who is sent again after a time, who is postponed, and who left.
 * @param partial whether the roster holds only some of the source's people
 */
export function questionOf(
  { trigger, settings: { invite }, isBaseline = false }: PlanningRun,
  source: SourceConfig | undefined,
  { leavers, optedOut, fields }: Mapping,
  partial: boolean,
): Pick<PlanQuestion, 'refreshMs' | 'grace' | 'postpone' | 'departures'> {
  const { refresh = Infinity, invites, snapshot = false, departed } = source ?? {};
  const timezone = timezoneOf(source);
  const now = new Date();
  const budget = invites && invite && !isBaseline ? { ...invites, dayBegan: dayBegan(now, timezone) } : undefined;
  const isSnapshot = snapshot && !partial && judgesAbsence.includes(trigger);
  return {
    ...(Number.isFinite(refresh) && { refreshMs: refresh }),
    ...(departed && { grace: departed.after }),
    ...((fields.startDate ?? budget) && { postpone: { today: dayOf(now, timezone), ...defined({ budget }) } }),
    ...((isSnapshot || leavers.length > 0) && {
      departures: { isSnapshot, spared: [...optedOut.entries, ...optedOut.known], ...defined({ policy: departed }) },
    }),
  };
}

/** The number of calls of a plan hashed at a time. */
const page = 5000;

/** Completes a plan: what changed, what may be taken away, settings that have changed since, its time, and its hash. */
export async function describePlan({ ledger }: WithLedger, run: PlanningRun, counted: RunPlan): Promise<RunPlan> {
  const { service, source, settings } = run;
  const last = await ledger.lastSettings({ service, source });
  const { calls, counts } = counted;
  return {
    ...counted,
    hash: await hashOf(ledger, run, calls),
    ...(counts.changed > 0 && { changes: await ledger.changesOf(run) }),
    ...(settings.forceSync && { removals: removalNotice(await ledger.removalsOf(run)) }),
    ...(last && { settingsChanged: settingChanges(last.settings, settings) }),
    estimate: estimatePlan(calls, settings, await ledger.rememberedShare(service)),
  };
}

async function hashOf(ledger: WithLedger['ledger'], run: PlanningRun, calls: number): Promise<string> {
  const hash = new PlanHash(run);
  let after = '';
  for (let hashed = 0; hashed < calls;) {
    const found = await ledger.pageToSend(run.runId, { all: run.all, after, limit: page });
    const last = found.at(-1);
    if (last === undefined) break;
    hash.add(found);
    hashed += found.length;
    after = last.key;
  }
  return hash.digest();
}
