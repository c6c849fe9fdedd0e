// Writes the people who left as CSV.
import { pageByPage } from '../../core/page-by-page.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { csvLines } from './csv.ts';

const columns = ['email', 'firstname', 'lastname', 'groups', 'missing_since', 'new'];

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
    columns,
    people,
    ({ email, firstname, lastname, groups, since, isFresh }) => [
      ...[email, firstname, lastname, groups.join('; '), since?.toISOString() ?? '', isFresh ? 'new' : ''],
    ],
    excel,
  );
}
