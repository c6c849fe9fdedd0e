// `runs` and `show`: list runs, and show one of them.
import { everyPage } from '../../acts/act.ts';
import { compareRuns as compare, listRuns as list, showRun as show } from '../../acts/looking.ts';
import { everyInvited } from '../../acts/people.ts';
import { departedOfRun, insertsOfRun, rejectsOfRun } from '../../acts/run-files.ts';
import { InvitedPerson, RunsDocument, ShowDocument } from '../../acts/shapes/run.ts';
import { defined } from '../../core/defined.ts';
import { readDay } from '../../core/cells/days.ts';
import { InputError } from '../../core/errors.ts';
import { count, escapeText, figure, moment, quote, shownText } from '../../core/text/format.ts';
import { sheetForm, sheetParts } from '../../report/files/sheet.ts';
import { writeWhole } from '../../report/files/whole-file.ts';
import { tableOf } from '../../report/terminal/columns.ts';
import { renderRun } from '../../report/terminal/render-result.ts';
import { renderRuns } from '../../report/terminal/render-runs.ts';
import type { Output } from '../frame/output.ts';
import { type GlobalOptions, openLedgerSession, openSession, tell, withActs } from '../frame/session.ts';
import { checkWrittenFiles, writeReportOf } from '../frame/written-files.ts';
import type { Options } from '../options.ts';

const newestRuns = 50;
const mostAnswers = 20;
const shownPeople = 50;

/** When a day begins here, or the one so many days later. */
function beginOf(flag: string, text: string, later = 0): Date {
  const day = readDay(text);
  if (typeof day !== 'number') throw new InputError(`${flag}: ${quote(text)} is not a date. Write it as 2026-11-20.`);
  return new Date(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, (day % 100) + later);
}

async function listInvited({
  since,
  until,
  output: file,
  excel = false,
  ...options
}: Options<'runs'>): Promise<number> {
  const times = {
    ...(since !== undefined && { since: beginOf('--since', since).toISOString() }),
    ...(until !== undefined && { until: beginOf('--until', until, 1).toISOString() }),
  };
  const session = file === undefined ? openLedgerSession(options) : openSession(options);
  const { output } = session;
  checkWrittenFiles({ departed: file, excel }, session.config);
  return withActs(session, { command: 'runs' }, async (ask) => {
    async function* told() {
      let people = 0;
      for await (const person of everyInvited(ask, times)) {
        people += 1;
        yield person;
      }
      output.note(`${count(people, 'person', 'people')} may have been invited.`);
    }
    const sheet = { name: 'Invited', list: 'invited', columns: Object.keys(InvitedPerson.shape) };
    if (options.json) await output.data(sheetParts({ ...sheet, rows: everyInvited(ask, times) }, { format: 'json' }));
    else if (file === undefined) await output.data(sheetParts({ ...sheet, rows: told() }, { excel }));
    if (file !== undefined) await writeWhole(file, sheetParts({ ...sheet, rows: told() }, sheetForm(file, excel)));
    return 0;
  });
}

export async function listRuns(options: Options<'runs'>): Promise<number> {
  if (options.invited) return listInvited(options);
  for (const flag of ['since', 'until', 'output', 'excel'] as const)
    if (options[flag] !== undefined) throw new InputError(`--${flag} goes with --invited.`);
  return tell(options, { command: 'runs' }, [list, { limit: newestRuns }], ({ runs }, output) => {
    output.print(renderRuns(runs, output.style));
    if (options.json) output.json('runs', RunsDocument.parse({ runs }));
  });
}

export async function showRun(named: string, options: Options<'show'>): Promise<number> {
  const writes = (options.report ?? options.rejects ?? options.departed ?? options.inserts) !== undefined;
  // Before writing files, every place a source reads from must be known.
  const session = writes ? openSession(options) : openLedgerSession(options);
  const { config, output } = session;
  checkWrittenFiles(options, config);
  return withActs(session, { command: 'show' }, async (ask) => {
    const { report, details, answers, removed, replacedBy } = await ask(show, { run: named, mostAnswers });
    const { run } = report;
    if (removed !== undefined) output.print(removed);
    output.print(renderRun(report, output.style, { verbose: true, details }));
    if (replacedBy) {
      output.print(
        `Run ${replacedBy.run} has replaced it and is ${replacedBy.status}: roster-sync show ${replacedBy.run}`,
      );
    }
    if (options.json)
      output.json('show', ShowDocument.parse({ ...report, ...defined({ replacedBy: replacedBy?.run }), details }));
    else printRawAnswers(answers, output);
    const excel = options.excel ?? false;
    if (options.report !== undefined) await writeReportOf(ask, run, { path: options.report, output, excel });
    if (options.rejects !== undefined) {
      const { rejects } = report.roster;
      if (rejects > 0) await writeWhole(options.rejects, (await ask(rejectsOfRun, { run })).parts);
      output.note(`${options.rejects} holds ${count(rejects, 'rejected row')}.`);
    }
    for (const [path, act, names] of [
      [options.departed, departedOfRun, 'the people who left'],
      [options.inserts, insertsOfRun, 'who was put into which group'],
    ] as const) {
      if (path === undefined) continue;
      await writeWhole(path, (await ask(act, { run, ...sheetForm(path, excel) })).parts);
      output.note(`${path} names ${names}.`);
    }
    return 0;
  });
}

/** Two runs side by side: who is new, gone and changed. */
export async function compareRuns(named: string, other: string | undefined, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withActs(session, { command: 'compare' }, async (ask) => {
    const asked = { run: named, ...defined({ with: other }) };
    const { people, next, ...head } = await ask(compare, { ...asked, limit: shownPeople });
    // A newer run may come meanwhile.
    const both = { run: head.newer.run, with: head.older.run };
    if (options.json) {
      const columns = ['change', 'email', 'firstname', 'lastname', 'groups'];
      const rows = everyPage(
        (after?: string) => ask(compare, { ...both, limit: 500, ...defined({ after }) }),
        'people',
      );
      const sheet = { name: 'Compared', list: 'people', head, columns, rows };
      await output.data(sheetParts(sheet, { format: 'json' }));
      return 0;
    }
    const { source, older, newer, counts } = head;
    const of = ({ run, startedAt }: typeof older) => `run ${run} (${moment(startedAt, output.style.timeZone)})`;
    const sum = Object.entries(counts).map(([change, times]) => `${figure(times)} ${change}`);
    output.print(`${source}, ${of(newer)} compared with ${of(older)}: ${sum.join(', ')}.`);
    if (people.length === 0) return 0;
    const lines = tableOf(people, output.style.width, ({ words }) => [
      words('Change', ({ change }) => change),
      words('person', ({ firstname, lastname, email }) => shownText(`${firstname} ${lastname} <${email}>`)),
      words('groups', ({ groups }) => shownText(groups.join(', ')), { gives: true }),
    ]);
    output.print(lines.join('\n'));
    if (next !== undefined) output.print(`The first ${shownPeople}; --json has everybody.`);
    return 0;
  });
}

type Shown = Awaited<ReturnType<(typeof show)['run']>>;

/** The raw answers of the service, except plain successes. */
function printRawAnswers(answers: Shown['answers'], output: Output): void {
  if (answers.length === 0) return;
  output.print(
    `\nRaw answers with a warning or a failure, the first ${mostAnswers} at most; --report FILE has a line for everybody:`,
  );
  for (const { email, call, kind, httpStatus, reason, body } of answers) {
    const status = httpStatus === null ? '' : ` ${httpStatus}`;
    output.print(`  ${escapeText(email)}, call ${call}: ${kind}${status} ${escapeText(body ?? reason)}`);
  }
}
