// Writes the people of a run, or those of a filter, to a CSV file.
import type { Ledger } from '../../ledger/ledger.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { PlannedFor } from '../../ledger/planning/plan-details.ts';
import { csvText, listCell } from './csv.ts';
import { writeWhole } from './whole-file.ts';

const columns = [
  ...['email', 'firstname', 'lastname', 'telephone', 'groups', 'groups_before', 'action', 'held'],
  ...['outcome', 'reason', 'ended_at', 'file', 'line'],
];
const page = 500;

/** In the order of their addresses, with what happens to them and how it ended. Returns how many. */
export async function writePeople(
  path: string,
  ledger: Pick<Ledger, 'peopleOfRun'>,
  of: PlannedFor,
  filter: PeopleFilter,
): Promise<number> {
  let people = 0;
  async function* lines(): AsyncGenerator<string> {
    yield csvText([columns]);
    for (let after = ''; ;) {
      const found = await ledger.peopleOfRun(of, filter, { after, limit: page });
      if (found.length > 0) yield csvText(found.map(cellsOf));
      people += found.length;
      after = found.at(-1)?.key ?? '';
      if (found.length < page) return;
    }
  }
  await writeWhole(path, lines());
  return people;
}

function cellsOf({ now, before, action, isHeld, outcome, reason, endedAt, file, line }: PersonOfRun) {
  return [
    ...[now.email, now.firstname, now.lastname, now.telephone ?? '', listCell(now.groups)],
    ...[listCell(before?.groups ?? []), action, isHeld ? 'yes' : '', outcome ?? '', reason],
    ...[endedAt?.toISOString() ?? '', file, line ?? null],
  ];
}
