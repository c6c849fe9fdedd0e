// Writes the people of a run, or those of a filter, as CSV.
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
