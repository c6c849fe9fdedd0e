// Reports that a source has not changed since its last run.
import type { LedgerContext } from '../../wiring/context.ts';
import { count, moment } from '../../core/text/figures.ts';
import { rejectsToCorrect } from '../../report/plan/plan-sentences.ts';
import { type RunReport, runJson } from '../../report/run/run-report.ts';
import type { Output } from './output.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import type { RunOptions } from '../run/roster-job.ts';
import { writeReportFile } from './written-files.ts';

/** Returns the exit code. */
export async function reportUnchanged(
  context: LedgerContext,
  runId: string,
  { output, options }: { output: Output; options: RunOptions },
): Promise<number> {
  const report = await readReport(context, await findRun(context, runId));
  const { source, roster, finishedAt, startedAt } = report;
  const at = finishedAt ?? startedAt;
  const since = `since run ${runId} (${moment(at, output.style.timeZone)})`;
  output.print(`${source} is unchanged ${since}; nothing was sent.`);
  const rejects = rejectsToCorrect(roster);
  if (rejects > 0) {
    output.print(`${count(rejects, 'reject')} of then: roster-sync show ${runId}`);
  }
  if (options.json)
    output.json('run', { ...runJson(withoutWork(report)), run: null, unchangedSince: { run: runId, at } });
  if (options.report !== undefined) {
    const details = { approvals: [], noticed: [] };
    await writeReportFile(
      options.report,
      { report: withoutWork(report), details, rows: nobody },
      { output, excel: options.excel },
    );
  }
  return 0;
}

function withoutWork(report: RunReport): RunReport {
  const { roster, plan, outcome } = report;
  const none = Object.fromEntries(Object.keys(outcome).map((name) => [name, 0])) as RunReport['outcome'];
  return {
    ...report,
    plan: { ...plan, new: 0, changed: 0, again: 0, unchanged: roster.members },
    outcome: none,
    groups: [],
    inserts: 0,
    warnings: 0,
    calls: 0,
    durationMs: 0,
  };
}

async function* nobody(): AsyncGenerator<never> {}
