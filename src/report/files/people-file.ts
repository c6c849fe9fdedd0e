// Writes people to files: those of a run or of a filter, who left, and whom a file's filters leave out.
import { dayText } from '../../core/cells/days.ts';
import type { LeftOutRow } from '../../core/inspect/census.ts';
import { pageByPage } from '../../core/page-by-page.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PeopleFilter, PersonOfRun } from '../../ledger/people/people-of-run.ts';
import type { DepartedPerson } from '../../ledger/people/roster-people.ts';
import type { Insert } from '../../ledger/runs/inserts.ts';
import type { RunOfSource } from '../../ledger/runs/runs.ts';
import { listCell } from './csv.ts';
import { sheetParts } from './sheet.ts';

type Form = Parameters<typeof sheetParts>[1];
const people = { name: 'People', list: 'people' };

const keyOf = ({ key }: { key: string }): string => key;

/** In the order of their addresses. */
export const everyPerson = (ledger: Pick<Ledger, 'peopleOfRun'>, of: RunOfSource, filter: PeopleFilter) =>
  pageByPage('', (after, limit) => ledger.peopleOfRun(of, filter, { after, limit }), keyOf);

export const everyDeparted = (ledger: Pick<Ledger, 'listDeparted'>, runId: string) =>
  pageByPage('', (after, limit) => ledger.listDeparted(runId, after, limit), keyOf);

/** In the order of their addresses, with what happens to them and how it ended. */
export function peopleFile(
  ledger: Pick<Ledger, 'peopleOfRun'>,
  of: RunOfSource,
  filter: PeopleFilter,
  form?: Form,
): AsyncIterable<string | Uint8Array> {
  return sheetParts<PersonOfRun>(
    {
      ...people,
      columns: [
        ...['email', 'firstname', 'lastname', 'telephone', 'groups', 'groups_before', 'action', 'held'],
        ...['first_day', 'outcome', 'reason', 'ended_at', 'file', 'line'],
      ],
      rows: everyPerson(ledger, of, filter),
      cells: ({ now, before, action, isHeld, startsOn, outcome, reason, endedAt, file, line }) => [
        ...[now.email, now.firstname, now.lastname, now.telephone ?? '', listCell(now.groups)],
        ...[listCell(before?.groups ?? []), action, isHeld ? 'yes' : ''],
        ...[startsOn === null ? '' : dayText(startsOn), outcome ?? '', reason],
        ...[endedAt?.toISOString() ?? '', file, line ?? null],
      ],
    },
    form,
  );
}

export const leftOutFile = (rows: readonly LeftOutRow[]): AsyncIterable<string | Uint8Array> =>
  sheetParts({ ...people, columns: ['name', 'email', 'why', 'line'], rows });

/** A person a line, `new` for those whom this run was the first to find missing. */
export function departedFile(
  ledger: Pick<Ledger, 'listDeparted'>,
  runId: string,
  form?: Form,
): AsyncIterable<string | Uint8Array> {
  return sheetParts<DepartedPerson>(
    {
      ...people,
      columns: ['email', 'firstname', 'lastname', 'groups', 'missing_since', 'new'],
      rows: everyDeparted(ledger, runId),
      cells: ({ email, firstname, lastname, groups, since, isFresh }) => [
        ...[email, firstname, lastname, groups.join('; '), since?.toISOString() ?? '', isFresh ? 'new' : ''],
      ],
    },
    form,
  );
}

/** Whom a run put into which group, or may have: in the order of the plan. */
export async function* everyInsert(ledger: Pick<Ledger, 'listInserts'>, runId: string): AsyncGenerator<Insert> {
  const listed = pageByPage(
    0,
    (after, deliveries) => ledger.listInserts(runId, { after, deliveries }),
    ({ deliveryId }) => deliveryId,
  );
  for await (const { deliveryId: _, group, ...row } of listed) if (group !== null) yield { ...row, group };
}

export function insertsFile(
  ledger: Pick<Ledger, 'listInserts'>,
  runId: string,
  form?: Form,
): AsyncIterable<string | Uint8Array> {
  return sheetParts<Insert>(
    {
      ...{ name: 'Inserts', list: 'inserts', head: { run: runId } },
      columns: ['email', 'firstname', 'lastname', 'group', 'result', 'inserts', 'answered_at', 'hash', 'reason'],
      rows: everyInsert(ledger, runId),
      cells: ({ email, firstname, lastname, group, result, inserts, answeredAt, hash, reason }) => [
        ...[email, firstname, lastname, group, result, inserts, answeredAt?.toISOString() ?? '', hash ?? '', reason],
      ],
    },
    form,
  );
}
