// Completes a plan: changes, removals, estimated time, hash.
import type { Context } from '../../src/wiring/context.ts';
import { estimatePlan, PlanHash, removalNotice, settingChanges } from '../../src/core/run/plan.ts';
import type { RunPlan, RunSettings } from '../../src/core/run/run.ts';

/** The number of calls of a plan hashed at a time. */
const page = 5000;

/** A run whose members have their actions. */
export interface RunToDescribe {
  runId: string;
  source: string;
  service: string;
  settings: RunSettings;
  /** Send the unchanged too. */
  all: boolean;
}

/** Completes a plan: what changed, what may be taken away, settings that have changed since, its time, and its hash. */
export async function describePlan({ ledger }: Context, run: RunToDescribe, counted: RunPlan): Promise<RunPlan> {
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

async function hashOf(ledger: Context['ledger'], run: RunToDescribe, calls: number): Promise<string> {
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
