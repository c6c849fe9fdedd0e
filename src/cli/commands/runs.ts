// `runs` and `show`: list runs, and show one of them.
import { writeRejectsFile } from '../../../jobs/index.ts';
import { defined } from '../../core/defined.ts';
import { readDay } from '../../core/cells/days.ts';
import { InputError } from '../../core/errors.ts';
import { quote } from '../../core/text/quote.ts';
import { invitedCsv, invitedJson } from '../../report/files/invited.ts';
import { writeWhole } from '../../report/files/whole-file.ts';
import { writeDeparted } from '../../report/files/departed-file.ts';
import { count } from '../../core/text/figures.ts';
import { renderRun } from '../../report/run/render-result.ts';
import { removedSentence } from '../../report/plan/plan-sentences.ts';
import { renderRuns } from '../../report/run/render-runs.ts';
import { runJson, runsJson } from '../../report/run/run-report.ts';
import { escapeText } from '../../core/text/escape.ts';
import type { LedgerContext } from '../../wiring/context.ts';
import type { Output } from '../frame/output.ts';
import { findRun, readDetails, readReport, readSummaries, reportSource } from '../../report/run/read-report.ts';
import { type GlobalOptions, openLedgerSession, openSession, withLedger } from '../frame/session.ts';
import { checkWrittenFiles, writeReportFile } from '../frame/written-files.ts';

export interface ShowOptions extends GlobalOptions {
  report?: string;
  rejects?: string;
  departed?: string;
  excel?: boolean;
}

export interface RunsOptions extends GlobalOptions {
  invited?: boolean;
  since?: string;
  until?: string;
  output?: string;
  excel?: boolean;
}

const newestRuns = 50;
const rawAnswers = 20;

/** When a day begins here, or the one so many days later. */
function beginOf(flag: string, text: string, later = 0): Date {
  const day = readDay(text);
  if (typeof day !== 'number') throw new InputError(`${flag}: ${quote(text)} is no day. Write it as 2026-11-20.`);
  return new Date(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, (day % 100) + later);
}

async function listInvited({ since, until, output: file, excel = false, ...options }: RunsOptions): Promise<number> {
  const filter = {
    ...(since !== undefined && { since: beginOf('--since', since) }),
    ...(until !== undefined && { until: beginOf('--until', until, 1) }),
  };
  const session = file === undefined ? openLedgerSession(options) : openSession(options);
  const { output } = session;
  checkWrittenFiles(defined({ departed: file }), session.config);
  return withLedger(session, { command: 'runs' }, async ({ ledger }) => {
    const told = (people: number) => output.note(`${count(people, 'person', 'people')} may have been invited.`);
    if (file !== undefined) await writeWhole(file, invitedCsv(ledger, filter, excel, told));
    else if (!options.json) await output.data(invitedCsv(ledger, filter, excel, told));
    if (options.json) await output.data(invitedJson(ledger, filter));
    return 0;
  });
}

export async function listRuns(options: RunsOptions): Promise<number> {
  if (options.invited) return listInvited(options);
  for (const flag of ['since', 'until', 'output', 'excel'] as const)
    if (options[flag] !== undefined) throw new InputError(`--${flag} goes with --invited.`);
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command: 'runs' }, async (context) => {
    const runs = await context.ledger.listRuns(newestRuns);
    const reports = await readSummaries(context, runs);
    output.print(renderRuns(reports, output.style));
    if (options.json) output.json('runs', runsJson(reports));
    return 0;
  });
}

export async function showRun(named: string, options: ShowOptions): Promise<number> {
  const writes = (options.report ?? options.rejects ?? options.departed) !== undefined;
  // Before writing files, every place a source reads from must be known.
  const session = writes ? openSession(options) : openLedgerSession(options);
  const { config, output } = session;
  checkWrittenFiles(options, config);
  return withLedger(session, { command: 'show' }, async (context) => {
    const run = await findRun(context, named);
    const report = await readReport(context, run);
    const details = await readDetails(context, run);
    const removed = removedSentence(run);
    if (removed !== undefined) output.print(removed);
    output.print(renderRun(report, output.style, { verbose: true, details }));
    const newest = await context.ledger.supersededBy(run.id);
    if (newest) {
      output.print(`Run ${newest.id} has replaced it and is ${newest.status}: roster-sync show ${newest.id}`);
    }
    if (options.json) output.json('show', { ...runJson(report), ...defined({ replacedBy: newest?.id }), details });
    else await showRawAnswers(context, run.id, output);
    if (options.report !== undefined) {
      await writeReportFile(options.report, await reportSource(context, run.id), { output, excel: options.excel });
    }
    if (options.rejects !== undefined) {
      const rows = await writeRejectsFile(context, run.id, options.rejects);
      output.note(`${options.rejects} holds ${count(rows, 'rejected row')}.`);
    }
    if (options.departed !== undefined) {
      const people = await writeDeparted(options.departed, context.ledger, run.id, options.excel);
      output.note(`${options.departed} names ${count(people, 'person who left', 'people who left')}.`);
    }
    return 0;
  });
}

/** The raw answers of the service, except plain successes. */
async function showRawAnswers({ ledger }: LedgerContext, runId: string, output: Output): Promise<void> {
  const answers = await ledger.notableAnswers(runId, rawAnswers);
  if (answers.length === 0) return;
  output.print(
    `\nRaw answers with a warning or a failure, the first ${rawAnswers} at most; --report FILE has a line for everybody:`,
  );
  for (const { email, call, kind, httpStatus, reason, body } of answers) {
    const status = httpStatus === null ? '' : ` ${httpStatus}`;
    output.print(`  ${escapeText(email)}, call ${call}: ${kind}${status} ${escapeText(body ?? reason)}`);
  }
}
