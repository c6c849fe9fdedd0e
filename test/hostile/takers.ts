import assert from 'node:assert/strict';
import { cleanCell, guardCell, hasTextMark, addressFault } from '../../src/core/cells/read-cell.ts';
import { columnsMeaning, columnKey, columnsNamed, listColumns } from '../../src/core/columns/columns.ts';
import { ColumnSurvey } from '../../src/core/columns/column-survey.ts';
import { InputError } from '../../src/core/errors.ts';
import { escapeJson, escapeText, quote, withoutQuotes, escapeHtml } from '../../src/core/text/format.ts';
import { readPresence, readHeading } from '../../src/core/headings/read-heading.ts';
import { addressesSeen } from '../../src/core/mapping/unsettled-columns.ts';
import { readDay } from '../../src/core/cells/days.ts';
import { GroupNames } from '../../src/core/mapping/group-names.ts';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import { isShortened, nameFault } from '../../src/core/mapping/read-name.ts';
import { splitName } from '../../src/core/mapping/names.ts';
import { foldText, wildcard } from '../../src/core/text/wildcard.ts';
import { maskAddresses, maskedExamples } from '../../src/core/person/mask.ts';
import { personKey, mergeRows } from '../../src/core/person/member.ts';
import { nearest } from '../../src/core/text/nearest.ts';
import { isLogLine, kindOfTable } from '../../src/core/columns/not-people.ts';
import { noticeOf } from '../../src/core/run/notification.ts';
import { cellAt, parsePath } from '../../src/core/rows/path.ts';
import { isPlaceholder } from '../../src/core/cells/placeholders.ts';
import { StatusTally } from '../../src/core/inspect/presence/status-tally.ts';
import { DayTally } from '../../src/core/inspect/presence/presence-taker.ts';
import { retryAfter } from '../../src/core/call/retry-after.ts';
import { redactor, Secret } from '../../src/core/secrets/secret.ts';
import { severalIn } from '../../src/core/inspect/proposed.ts';
import { statusKind } from '../../src/core/cells/status-words.ts';
import { readEvent } from '../../src/core/webhooks/event.ts';
import { createLogger } from '../../src/process/logger.ts';
import { chatText, mailText } from '../../src/notify/notice-text.ts';
import { csvText } from '../../src/report/files/csv.ts';
import { clip, displayWidth, flow, table } from '../../src/report/terminal/layout.ts';
import { describeRejects } from '../../src/report/terminal/reject-samples.ts';
import { nextLink } from '../../src/roster/fetch/answer.ts';
import { headerNotes } from '../../src/roster/text/header.ts';
import { Evidence } from '../../src/roster/text/judging/evidence.ts';
import { judgeEncoding } from '../../src/roster/text/judging/judge-encoding.ts';
import { readHtmlTables } from '../../src/roster/html/html-tables.ts';
import { defaultLimits } from '../../src/roster/files/limits.ts';
import { TextNotes } from '../../src/roster/text/text-notes.ts';

const redact = redactor([
  new Secret(Buffer.from('sync:open-sesame+1').toString('base64')),
  new Secret('\\'.repeat(40)),
  new Secret('aaaaaaaaaaaaaaaaaaaab'),
]);
const log = createLogger({ stream: { write: () => true }, redact });
export const header = ['firstname', 'lastname', 'email', 'telephone', 'employee id', 'group', 'startdate'];
export const mapping = resolveColumns(header, {
  ...{ groups: [], groupColumns: [], today: new Date(0) },
  rules: {
    members: { startDate: 'startdate' },
    groups: [{ column: 'group', split: [';', ','], path: { separator: '/', take: 'every' } }],
    only: [{ column: 'lastname', contains: '' }],
  },
});
export const sound = ['Ann', 'Lee', 'ann@example.com', '', '7', 'Staff', ''];
export const rowOf = (cells: string[]) => ({ file: 'staff.csv', line: 2, cells });
export const notice = (text: string) =>
  noticeOf({
    ...{ event: 'held', run: '1a2b3c4d', source: text, service: text, status: 'held', reason: text, outcome: {} },
    trips: [{ guard: 'group', message: text }],
  });

const surveyOf = (text: string): ColumnSurvey => {
  const survey = new ColumnSurvey(0, text);
  survey.add(text);
  return survey;
};
async function* textOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536);
}
async function refused(parts: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of parts);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
}

/** Everything that takes a text which others wrote: of a roster, a server, an event, the service. */
export const takers: Record<string, (text: string) => unknown> = {
  ...{ maskAddresses, escapeText, escapeJson, quote, withoutQuotes, cleanCell, addressFault, personKey, columnKey },
  ...{ foldText, guardCell, hasTextMark, statusKind, readDay, displayWidth, escapeHtml, nextLink },
  ...{ readHeading, readPresence, isPlaceholder, isShortened, nameFault, isLogLine },
  redact: (text) => redact(text, true),
  wildcard: wildcard('*a*b*c'),
  columnsNamed: (text) => columnsNamed(listColumns([text, 'email']), 'firstname'),
  columnsMeaning: (text) => columnsMeaning(listColumns([text, 'email']), 'email'),
  resolveColumns: (text) =>
    assert.throws(() => resolveColumns([text], { groups: [text], groupColumns: [text] }), InputError),
  headerNotes: (text) => headerNotes([text, text]),
  textNotes: (text) => new TextNotes([], 'utf-8').see(text, 1),
  ...Object.fromEntries(
    header.map((name, at) => [
      `a row with it in ${name}`,
      (text: string) => mapRow(rowOf(sound.with(at, text)), mapping),
    ]),
  ),
  lastFirst: (text) => splitName(text, 'Last, First'),
  firstMLast: (text) => splitName(text, 'First M Last'),
  groupName: (text) => new GroupNames({ allow: { groups: { except: ['*x*'] } } }).nameOf(text),
  mergeRows: (text) =>
    mergeRows(
      [text, `${text}x`].map((lastname, line) => ({
        ...{ file: 'staff.csv', line },
        member: { firstname: text, lastname, email: 'a@example.com', groups: [text] },
      })),
    ),
  maskedExamples: (text) => maskedExamples(surveyOf(text), true),
  addressesSeen: (text) => addressesSeen([surveyOf(text)]),
  severalIn: (text) => severalIn(surveyOf(text), true),
  nearest: (text) => nearest('department', [text]),
  kindOfTable: (text) => kindOfTable([text, text]),
  statusTally: (text) => {
    const tally = new StatusTally(text);
    tally.add(text);
    return tally.sign();
  },
  dayTally: (text) => {
    const tally = new DayTally('end', text, readDay('2026-01-01') as never);
    tally.add(text);
    return tally.sign();
  },
  encoding: (text) => {
    const evidence = new Evidence();
    evidence.push(Buffer.from(`Mu\u00f1oz ${text}`, 'latin1'));
    return judgeEncoding(evidence.end());
  },
  webPage: (text) =>
    refused(readHtmlTables(textOf(`<table><tr><td>${text}</td></tr></table>`), 'a.xls', defaultLimits)),
  path: (text) => assert.throws(() => parsePath(`a[${text}`), InputError),
  pathFilter: (text) => cellAt({ a: text }, parsePath('a')),
  retryAfter: (text) => retryAfter(text, text, 0),
  event: (text) =>
    readEvent(
      { kind: ['type'], employees: ['id'], kinds: ['a*b*c'] },
      { headers: {}, body: Buffer.from(text) },
      { body: { type: text, id: text }, hasMapping: false },
    ),
  log: (text) => log.error({ text, [text]: [text], err: new Error(text) }, text),
  chat: (text) => chatText(notice(text)),
  mail: (text) => mailText(notice(text)),
  clip: (text) => clip(text, 40),
  table: (text) => table([{ heading: text, cells: [text], gives: true }], 80),
  flow: (text) => flow([text, text], ' ', 80),
  csv: (text) => csvText([[text]]),
  rejects: (text) => describeRejects([{ file: text, line: 1, cells: [], column: text, value: text, reason: text }], 1),
};

export { mapRow, quote };
