// Writes the people of a run, or those of a filter, as CSV.
import type { Ledger } from '../../ledger/ledger.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { PlannedFor } from '../../ledger/planning/plan-details.ts';
import { csvText, listCell } from './csv.ts';

const columns = [
  ...['email', 'firstname', 'lastname', 'telephone', 'groups', 'groups_before', 'action', 'held'],
  ...['outcome', 'reason', 'ended_at', 'file', 'line'],
];
const page = 500;

/** In the order of their addresses, with what happens to them and how it ended. */
export async function* peopleCsv(
  ledger: Pick<Ledger, 'peopleOfRun'>,
  of: PlannedFor,
  filter: PeopleFilter,
): AsyncGenerator<string> {
  yield csvText([columns]);
  for (let after = ''; ;) {
    const found = await ledger.peopleOfRun(of, filter, { after, limit: page });
    if (found.length > 0) yield csvText(found.map(cellsOf));
    after = found.at(-1)?.key ?? '';
    if (found.length < page) return;
  }
}

function cellsOf({ now, before, action, isHeld, outcome, reason, endedAt, file, line }: PersonOfRun) {
  return [
    ...[now.email, now.firstname, now.lastname, now.telephone ?? '', listCell(now.groups)],
    ...[listCell(before?.groups ?? []), action, isHeld ? 'yes' : '', outcome ?? '', reason],
    ...[endedAt?.toISOString() ?? '', file, line ?? null],
  ];
}
