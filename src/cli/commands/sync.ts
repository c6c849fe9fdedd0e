// `sync`: does what `import` does, with a source of the config. `plan`: shows what either would send.
import { RunDocument } from '../../acts/shapes/run.ts';
import { newRun, type OpenedRoster } from '../../../jobs/run/planning-run.ts';
import { openForRun, type OpenRequest, RosterUnchanged } from '../../../jobs/run/open-source.ts';
import { closing } from '../../core/closing.ts';
import { count, moment } from '../../core/text/format.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { rejectsToCorrect } from '../../report/plan/plan-sentences.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { besideSettings } from '../../report/terminal/commands.ts';
import { requireSource } from '../../roster/configured-source.ts';
import { assertThere } from '../../roster/files/file-source.ts';
import type { Context } from '../../wiring/context.ts';
import { isTerminal } from '../frame/ask.ts';
import { sayWaiting, type Output } from '../frame/output.ts';
import { chooseRate } from '../../acts/runs.ts';
import { checkRunFiles, type RunOptions } from '../run/roster-job.ts';
import { openSession, withContext } from '../frame/session.ts';
import { writeReport } from '../../page/report-file.ts';
import { runRoster, tellOfFailure } from '../run/roster-run.ts';
import type { Options } from '../options.ts';
import { matrixOf, serviceOf, importRoster } from './import.ts';
import { flagsGiven, readFlagsGiven, remarkOnSourceFlags } from '../frame/read-flags.ts';

export async function syncSource(name: string, options: RunOptions): Promise<number> {
  const session = openSession(options);
  const { config, output } = session;
  const { dryRun = false, all = false, onlyActive = false, only, asOf, groupMatrix } = options;
  checkRunFiles(options, config);
  const settings = requireSource(config, name);
  // A file that is not there is reported first: its name may be mistyped before any service is set.
  const isFirst = dryRun || isTerminal() || config.service.baseUrl === undefined;
  if (settings.file !== undefined && isFirst) await assertThere(settings);
  const service = serviceOf(config, dryRun);
  const { rate, note } = chooseRate(config, options.rate);
  if (note !== undefined) output.note(note);
  return withContext(session, { command: `sync ${name}`, create: !dryRun, dryRun }, async (context) => {
    const anew = all || dryRun || onlyActive || only.length > 0 || asOf !== undefined || groupMatrix.length > 0;
    // A person at a terminal, who has to say yes, may want to see the plan.
    const compareBytes = options.yes === true || !isTerminal();
    const asked = { source: name, service, anew, compareBytes, onWait: sayWaiting(output) };
    const of = { source: name, service, trigger: 'sync' } as const;
    const found = await open(context, asked).catch((error: unknown) => {
      if (error instanceof RosterUnchanged) return error;
      if (dryRun) throw error;
      return tellOfFailure(context, newRun(context, of), error);
    });
    if (found instanceof RosterUnchanged) return reportUnchanged(context, found.since, { output, options });
    const { roster } = found;
    await using _ = closing(roster);
    const matrix = groupMatrix.length > 0 && {
      wording: besideSettings(false),
      ...matrixOf(groupMatrix, roster.form.header),
    };
    const opened = { ...found, columns: { ...found.columns, ...matrix } };
    return await runRoster(context, { session, options, ...of, opened, rate });
  });
}

async function open(context: Context, request: OpenRequest): Promise<OpenedRoster> {
  using interruptions = listenForInterruptions(() => {});
  return await openForRun(context, { ...request, signal: interruptions.signal });
}

/** Returns the exit code. */
async function reportUnchanged(
  context: Context,
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
    output.json('run', RunDocument.parse({ ...withoutWork(report), run: null, unchangedSince: { run: runId, at } }));
  if (options.report !== undefined) {
    const details = { approvals: [], noticed: [] };
    await writeReport(options.report, { report: withoutWork(report), details, rows: nobody }, options.excel);
    output.note(`The report is in ${options.report}.`);
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

/** A name of a source in the config is that source, anything else a file. Returns 3 where a guard would hold it. */
export async function planRosterOf(name: string, { output, ...flags }: Options<'plan'>): Promise<number> {
  const { config, output: screen } = openSession(flags);
  const options = {
    ...flags,
    dryRun: true,
    worker: true,
    wait: true,
    canary: true,
    planOnly: output === undefined ? {} : { output },
  };
  if (!Object.hasOwn(config.sources, name)) return importRoster(name, options);
  const vain = remarkOnSourceFlags(name, [...flagsGiven(flags, ofFiles), ...readFlagsGiven(flags)]);
  if (vain !== undefined) screen.note(vain);
  return syncSource(name, options);
}

/** The flags that are about a file alone, except those that say how it is read. */
const ofFiles = ['source', 'group', 'groupColumn', 'groupSplit', 'allowValue', 'map'] as const;
