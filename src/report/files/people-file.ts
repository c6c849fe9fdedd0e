// Writes people as CSV: those of a run or of a filter, who left, and whom a file's filters leave out.
import { pageByPage } from '../../core/page-by-page.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { PlannedFor } from '../../ledger/planning/plan-details.ts';
import { csvLines, listCell } from './csv.ts';

const columns = [
  ...['email', 'firstname', 'lastname', 'telephone', 'groups', 'groups_before', 'action', 'held'],
  ...['outcome', 'reason', 'ended_at', 'file', 'line'],
];

/** In the order of their addresses, with what happens to them and how it ended. */
export function peopleCsv(
  ledger: Pick<Ledger, 'peopleOfRun'>,
  of: PlannedFor,
  filter: PeopleFilter,
): AsyncGenerator<string> {
  const people = pageByPage(
    '',
    (after, limit) => ledger.peopleOfRun(of, filter, { after, limit }),
    ({ key }) => key,
  );
  return csvLines(columns, people, cellsOf);
}

function cellsOf({ now, before, action, isHeld, outcome, reason, endedAt, file, line }: PersonOfRun) {
  return [
    ...[now.email, now.firstname, now.lastname, now.telephone ?? '', listCell(now.groups)],
    ...[listCell(before?.groups ?? []), action, isHeld ? 'yes' : '', outcome ?? '', reason],
    ...[endedAt?.toISOString() ?? '', file, line ?? null],
  ];
}

/** A row that a filter leaves out: whose it is, where it stands, and what the filter says. */
interface LeftOut {
  name: string;
  email: string;
  why: string;
  line: number;
}

export const leftOutCsv = (rows: readonly LeftOut[]): AsyncGenerator<string> =>
  csvLines(['name', 'email', 'why', 'line'], rows, ({ name, email, why, line }) => [name, email, why, line]);

const departedColumns = ['email', 'firstname', 'lastname', 'groups', 'missing_since', 'new'];

/** A person a line, `new` for those whom this run was the first to find missing. */
export function departedCsv(
  ledger: Pick<Ledger, 'listDeparted'>,
  runId: string,
  excel = false,
): AsyncGenerator<string> {
  const people = pageByPage(
    '',
    (after, limit) => ledger.listDeparted(runId, after, limit),
    ({ key }) => key,
  );
  return csvLines(
    departedColumns,
    people,
    ({ email, firstname, lastname, groups, since, isFresh }) => [
      ...[email, firstname, lastname, groups.join('; '), since?.toISOString() ?? '', isFresh ? 'new' : ''],
    ],
    excel,
  );
}
