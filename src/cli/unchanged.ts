import { scryptSync } from 'node:crypto';
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import type { Context } from '../context.ts';
import { dependsOnDay } from '../core/mapping-rules.ts';
import { Secret } from '../core/secret.ts';
import { count, moment } from '../report/figures.ts';
import { writeReport } from '../report/report-file.ts';
import { type RunReport, runJson } from '../report/run-report.ts';
import { readVersion } from '../version.ts';
import { mappingOf } from './mapping-of.ts';
import type { Output } from './output.ts';
import { findRun, readReport } from './read-report.ts';
import type { RunOptions } from './roster-run.ts';

/**
 * Whether it can be enough to ask a source if it has changed: it is fetched by HTTP, everybody is to be looked at, and the
 * same roster gives the same people on every day.
 */
export function canBeUnchanged(source: SourceConfig, { all, dryRun, only }: RunOptions): boolean {
  if (source.file !== undefined || source.sftp !== undefined || all || dryRun || only.length > 0) return false;
  const { rules = {}, defaults = {} } = mappingOf(source);
  return !dependsOnDay(rules) && !dependsOnDay(defaults);
}

/**
 * Stands for all that, beside the roster, decides what is sent: the source, what holds for all sources, and this version's
 * ways. Secrets are in it, since some of them say whose people are fetched; so it takes long to try one out.
 * @param salt this ledger's identity
 */
export function digestOf(source: SourceConfig, { delivery }: Config, salt: string): string {
  const { forceSync, invite } = delivery;
  const text = JSON.stringify(
    [readVersion(), { forceSync, invite }, source],
    function reveal(this: object, key, value) {
      const own: unknown = Reflect.get(this, key);
      return own instanceof Secret ? own.reveal() : (value as unknown);
    },
  );
  return scryptSync(text, salt, 32).toString('hex');
}

/** Says that a source is as its last run read it, so that nothing is to be done. Returns the exit code. */
export async function reportUnchanged(
  context: Context,
  runId: string,
  { output, options }: { output: Output; options: RunOptions },
): Promise<number> {
  const report = await readReport(context, await findRun(context, runId));
  const { source, roster, finishedAt, startedAt } = report;
  const at = finishedAt ?? startedAt;
  const since = `since run ${runId} (${moment(at, output.style.timeZone)})`;
  output.print(`${source} is unchanged ${since}; nothing was sent.`);
  if (roster.rejects > 0) {
    output.print(`${count(roster.rejects, 'reject')} of then: roster-sync show ${runId}`);
  }
  if (options.json) output.json({ ...runJson(withoutWork(report)), run: null, unchangedSince: { run: runId, at } });
  if (options.report !== undefined) await writeReport(options.report, nobody());
  return 0;
}

/** The same roster once more, of which nobody is sent. */
function withoutWork(report: RunReport): RunReport {
  const { roster, plan, outcome } = report;
  const none = Object.fromEntries(Object.keys(outcome).map((name) => [name, 0])) as RunReport['outcome'];
  return {
    ...report,
    plan: { ...plan, new: 0, changed: 0, again: 0, unchanged: roster.members },
    ...{ outcome: none, groups: [], inserts: 0, warnings: 0, calls: 0, durationMs: 0 },
  };
}

async function* nobody(): AsyncGenerator<never> {}
