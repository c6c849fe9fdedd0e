// Reads a roster without a ledger: what each row becomes. Nothing here names a ledger, since its types are public.
import { settleColumns } from '../../jobs/run/settle-columns.ts';
import { closing } from '../core/closing.ts';
import { mapRow } from '../core/mapping/map-row.ts';
import { type MappingOptions, columnsToRead } from '../core/mapping/mapping-options.ts';
import type { Member } from '../core/person/member.ts';
import { timezoneOf } from '../roster/configured-source.ts';
import { openRoster } from '../roster/open-roster.ts';
import type { Columns, ReadOptions, Roster } from './roster-sync.ts';

/** What a row of a roster became, and where it stands: the file, and the line on which it begins. */
export type ReadRow = { file: string; line: number } & (
  | { is: 'member'; member: Member }
  /** Left out on purpose. */
  | { is: 'left out'; reason: string }
  /** The column to blame, or an empty text for the row as a whole; what it held; why, for a person. */
  | { is: 'reject'; column: string; value: string; reason: string }
);

/**
 * Reads a roster and tells what each row becomes, in the roster's order. Needs no settings and no service; keeps and sends
 * nothing. Several rows of one person stay several rows here; `plan` and `sync` join them.
 * @throws InputError for what cannot be read as a roster, or if it is not clear which column is what
 */
export async function* readRoster(
  roster: Roster,
  { columns = {}, ...read }: ReadOptions & { columns?: Columns } = {},
): AsyncGenerator<ReadRow> {
  const day = { today: new Date(), timezone: timezoneOf(undefined) };
  const asked: MappingOptions = { groups: [], groupColumns: [], ...columns, ...day };
  const opened = await openRoster(roster, { ...read, ...columnsToRead(asked) });
  await using _ = closing(opened);
  const mapping = await settleColumns(opened, { ...asked, file: opened.form.file }, { sources: {} });
  for await (const batch of opened.batches()) {
    for (const row of batch) {
      const { file, line } = row;
      const mapped = 'reason' in row ? row : mapRow(row, mapping);
      if ('member' in mapped) yield { file, line, is: 'member', member: mapped.member };
      else if ('filtered' in mapped) yield { file, line, is: 'left out', reason: mapped.filtered };
      else {
        const { column, value, reason } = mapped;
        yield { file, line, is: 'reject', column, value, reason };
      }
    }
  }
}
