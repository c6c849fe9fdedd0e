// The report of a run as a page in a file.
import { duration, type Html, type HtmlPart, moment } from '../core/text/format.ts';
import { countUndelivered } from '../core/call/outcome.ts';
import type { HoldView, ReportRow, ReportSource, RunDetails, RunReport } from '../report/run/run-report.ts';
import { changedSentence, groupsSentences, rejectedRows, rejectsToCorrect } from '../report/plan/plan-sentences.ts';
import { filePage, longTable, mostRows } from './file.ts';
import { lineByLine, list, plainRow, row, statePill, stats, table, tinyBar } from './parts.ts';
import { nameCell, outcomePill } from './people-table.ts';
import { inPageWords } from './press.ts';
import { outcomeBar, progressOf } from './run-progress.ts';
import { noticedTable, readFacts, setFacts } from './run.ts';
import { told } from './told.ts';
import { figure, html, t, words } from './words.ts';

const mostGroups = 500;
/** The most deliveries to list one by one; of a larger run only those to look at. */
const everybodyUpTo = 2000;

/** It needs nothing else: no script, no request. */
export async function* reportHtml({ report, details, rows }: ReportSource): AsyncGenerator<string> {
  const [before, after] = filePage(t('{source}, run {run}', 1, { source: report.source, run: report.run }));
  yield before;
  yield String(
    html`${head(report)} ${outcomes(report)} ${facts(report, details)} ${groups(report)} ${noticed(details)}
    ${problems(report)} ${rejects(report)}`,
  );
  yield* people(report, rows);
  yield after;
}

type Stat = [value: number, message: string];

function head(report: RunReport): Html {
  const { source, service, run, startedAt, finishedAt, durationMs, inserts, warnings, calls, outcome } = report;
  const end = finishedAt === null ? t('not ended') : moment(finishedAt);
  const figures: (Stat | false)[] = [
    [outcome.succeeded, words('[person|people] delivered')],
    [countUndelivered(outcome), words('[person|people] not delivered')],
    outcome.superseded > 0 && [outcome.superseded, words('[person|people] superseded')],
    report.pending > 0 && [report.pending, words('[person|people] not sent yet')],
    [calls, words('[call|calls]')],
    [inserts, words('[insert|inserts]')],
    [warnings, words('[warning|warnings]')],
    [report.roster.rejects, words('[rejected row|rejected rows]')],
  ];
  return html`<h1>${source} ${statePill(report)}</h1>
    <p class="lead">
      run ${run} · to ${service} · ${moment(startedAt)} – ${end} · ${duration(durationMs)} of delivering
    </p>
    ${report.statusReason !== undefined && html`<p>${inWords(report.statusReason)}</p>`}
    ${stats(figures.filter((each) => each !== false).map(([value, message]) => [value, t(message, value)]))}
    ${report.hold && whyHeld(report.hold)}`;
}

/** It is read by people who have neither the pages nor a terminal. */
const inWords = (said: string): HtmlPart => lineByLine(told(inPageWords(said)).split('\n'));

function whyHeld(hold: HoldView): Html {
  return html`<h2>Why it is held</h2>
    ${hold.reasons.map(({ guard, message }) => html`<p><b>${guard}</b>: ${inWords(message)}</p>`)}
    ${hold.expiresAt !== null && html`<p class="small">Cancelled unless approved by ${moment(hold.expiresAt)}.</p>`}`;
}

const outcomes = (report: RunReport): HtmlPart =>
  hasPeople(report) &&
  html`<h2>People</h2>
    ${outcomeBar(report)}`;

const hasPeople = (report: RunReport): boolean => progressOf(report).all > 0;

const unapproved: Partial<Record<RunReport['status'], string>> = {
  held: words('nobody yet'),
  cancelled: words('nobody'),
};

function facts(report: RunReport, { approvals, checksum = '', rosterTime, corrections }: RunDetails): Html {
  const approved = approvals.map(({ at, by, note }) => `${by}, ${moment(at)}${note === '' ? '' : `: ${note}`}`);
  const rows: (readonly [string, HtmlPart])[] = [
    [t('Started by'), report.trigger],
    [t('Approved by'), approved.join('; ') || t(unapproved[report.status] ?? words('nobody had to'))],
    ...setFacts(report),
    ...readFacts(report),
    [t('Changed'), corrections ? told(changedSentence(corrections)) : ''],
    [t('Roster date'), rosterTime === undefined ? '' : moment(rosterTime)],
    ['SHA-256', checksum],
  ];
  return html`<h2>Run details</h2>
    ${list(rows.filter(([, text]) => text !== ''))}`;
}

function groups(report: RunReport): HtmlPart {
  const sorted = report.groups.toSorted((a, b) => b.calls - a.calls || (a.group < b.group ? -1 : 1));
  if (sorted.length === 0) return false;
  const parts = sorted.slice(0, mostGroups).map((each) => {
    const { calls, succeeded, failures } = each;
    return { ...each, further: Math.max(0, calls - succeeded - failures) };
  });
  const most = Math.max(1, ...parts.map(({ succeeded, failures, further }) => succeeded + failures + further));
  const rows = parts.map(({ group, calls, inserts, warnings, succeeded, failures, further }) => {
    const figures = [calls, inserts, warnings, failures].map((value) => ({ n: figure(value) }));
    return row(group, tinyBar({ ok: succeeded, bad: failures, edge: further }, most), ...figures);
  });
  const left = report.groups.length - rows.length;
  const figures = [t('Calls'), t('Inserts'), t('Warnings'), t('Failures')].map((n) => ({ n }));
  return html`<h2>Groups</h2>
    ${groupsSentences(report).map((sentence) => html`<p class="small">${told(sentence)}</p>`)}
    ${table(t('Groups'), [t('Group'), t('Delivered, failed, without an end'), ...figures], rows)}
    ${left > 0 && html`<p class="small">${t('# more groups are in the JSON report.', left)}</p>`}`;
}

function noticed(details: RunDetails): HtmlPart {
  if (details.noticed.length === 0) return false;
  return html`<h2>Noticed in the answers</h2>
    <p class="small">The service gives numbers, not meanings. Check what it has never given before.</p>
    ${noticedTable(details, moment)}`;
}

function problems(report: RunReport): HtmlPart {
  if (report.problems.length === 0) return false;
  const rows = report.problems.map(({ outcome, reason, count: times, example }) => {
    const who = html`<span class="small quiet">e.g. ${example}</span>`;
    return plainRow(outcomePill(outcome), { n: figure(times) }, html`${inWords(reason)}<br />${who}`);
  });
  return html`<h2>Problems</h2>
    ${table(t('Problems'), [t('Outcome'), { n: t('People') }, t('Why')], rows)}`;
}

function rejects({ roster, rejectSamples, rejectsFile }: RunReport): HtmlPart {
  if (roster.rejects === 0) return false;
  const where =
    rejectsFile !== undefined &&
    rejectsToCorrect(roster) > 0 &&
    html` Correct them in <code>${rejectsFile}</code> and import that file.`;
  const left = roster.rejects - rejectSamples.length;
  const rows = rejectSamples.map(({ line, column, reason }) => plainRow({ n: figure(line) }, column, inWords(reason)));
  return html`<h2>Rejected rows</h2>
    <p>${rejectedRows(roster)} could not become a person.${where}</p>
    ${table(t('Rejected rows'), [{ n: t('Line') }, t('Column'), t('Why')], rows)}
    ${left > 0 && html`<p class="small">${t('and # more', left)}</p>`}`;
}

/** The section, written piece by piece; nothing for a run without a delivery. */
async function* people(report: RunReport, rowsOf: ReportSource['rows']): AsyncGenerator<string> {
  if (!hasPeople(report)) return;
  const notable = progressOf(report).all > everybodyUpTo;
  const which = t(
    notable
      ? 'People to check: not delivered, repeated, or with a warning. The CSV and JSON reports list everybody.'
      : 'Everybody, with the last answer of the service.',
  );
  const figures = [t('Inserts'), t('Warnings'), t('Calls'), 'HTTP', t('Response time')].map((n) => ({ n }));
  const headings = [t('Person'), t('Outcome'), t('Group'), t('Status'), ...figures, t('Hash')];
  const [before, after] = longTable(t('People'), headings);
  yield `<section class="people">${String(
    html`<h2>Person by person</h2>
      <p class="small">${which}</p>`,
  )}${before}`;
  const known = new Map<string, string>();
  let rows = 0;
  let last = '';
  for await (const person of rowsOf({ notable })) {
    if (rows++ >= mostRows) break;
    yield `${String(personRow(person, person.email !== last, reasonIn(known, person.reason)))}\n`;
    last = person.email;
  }
  if (rows === 0) {
    yield String(
      html`<tr>
        <td colspan="10">Nobody: everything went as it should.</td>
      </tr>`,
    );
  }
  yield `${after}</section>`;
  if (rows > mostRows) {
    yield `${String(
      html`<p class="small">The first ${figure(mostRows)} rows; all are in the CSV or JSON report.</p>`,
    )}\n`;
  }
}

/** Thousands of rows have few reasons. */
function reasonIn(known: Map<string, string>, reason: string): string {
  const said = known.get(reason) ?? told(inPageWords(reason));
  if (known.size < mostGroups) known.set(reason, said);
  return said;
}

/** A row of one person and one group; the first of their rows names the person. */
function personRow(person: ReportRow, isFirst: boolean, reason: string): Html {
  const { group, outcome, status, inserts, warnings, attempts, repeated, hash, responseTime, httpStatus } = person;
  const number = (value: number | null): Html => html`<td class="n">${value !== null && figure(value)}</td>`;
  const why = [...(repeated ? [t('may have been sent twice')] : []), ...(reason === '' ? [] : [reason])].join('; ');
  const who = html`<th scope="row">${nameCell(person)}</th>
    <td>${outcomePill(outcome)}${why !== '' && html`<br /><span class="small">${why}</span>`}</td>`;
  const last = html`${number(attempts)}
    <td class="n">${httpStatus}</td>
    <td class="n">${responseTime}</td>
    <td><code>${hash}</code></td>`;
  return html`<tr>
    ${isFirst ? who : html`<td colspan="2"></td>`}
    <td>${group}</td>
    <td>${status}</td>
    ${number(inserts)}${number(warnings)}${isFirst ? last : html`<td colspan="4"></td>`}
  </tr>`;
}
