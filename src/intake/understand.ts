// How a roster is understood: rules are proposed from what its columns hold, settled, and its rows counted by them.
import type { ColumnSurvey } from '../core/columns/column-survey.ts';
import { listColumns } from '../core/columns/columns.ts';
import { InputError } from '../core/errors.ts';
import { type Examined, Examiner } from '../core/inspect/census.ts';
import { NamesAndAddresses } from '../core/inspect/names-and-addresses.ts';
import { presenceOf } from '../core/inspect/presence/presence-taker.ts';
import { type Proposal, propose } from '../core/inspect/proposal.ts';
import { ColumnFinder } from '../core/mapping/column-finder.ts';
import { findFields, type FoundFields } from '../core/mapping/find-fields.ts';
import { type Mapping, resolveColumns } from '../core/mapping/mapping.ts';
import type { MappingOptions } from '../core/mapping/mapping-options.ts';
import { type MappingRules, bySettings } from '../core/mapping/mapping-rules.ts';
import { isRejectColumn } from '../core/rows/row.ts';
import { createTurns } from '../roster/turns.ts';
import type { RosterFile } from '../roster/roster-file.ts';

/** What is proposed where somebody has said no more than is given; `domain` is the one that other sources have. */
export function proposeRules(
  header: readonly string[],
  surveys: readonly ColumnSurvey[],
  { given = {}, domain }: { given?: MappingRules; domain: string | undefined },
): { found: FoundFields; proposal: Proposal } {
  const finder = new ColumnFinder(listColumns(header).filter(({ name }) => !isRejectColumn(name)));
  const found = findFields(given.members ?? {}, finder, bySettings);
  return { found, proposal: propose(found, surveys, domain) };
}

/** How the rows of a roster become members; where that is not settled, why not. */
export function settleRules({ form }: RosterFile, options: MappingOptions): Mapping | { problem: string } {
  try {
    return resolveColumns(form.header, { ...options, file: form.file });
  } catch (error) {
    if (error instanceof InputError) return { problem: error.message };
    throw error;
  }
}

/** What a mapping makes of all rows. What `seen` throws ends the reading. */
export async function examineRows(
  roster: RosterFile,
  mapping: Mapping,
  seen: (rows: number) => void = () => {},
): Promise<Examined & { remarks: string[]; presence: string[] }> {
  const examiner = new Examiner(mapping);
  const compared = new NamesAndAddresses(mapping.fields.employeeId ? undefined : mapping.offeredId);
  const presence = presenceOf(roster.form.header, mapping);
  const turns = createTurns();
  let rows = 0;
  for await (const batch of roster.batches()) {
    for (const row of batch) {
      if (turns.isOver()) await turns.next();
      const mapped = examiner.add(row);
      if (!('member' in mapped)) continue;
      compared.add(mapped);
      presence.row(mapped.row.cells);
    }
    rows += batch.length;
    seen(rows);
  }
  const remarks = [...mapping.remarks.list(), ...compared.remarks()];
  return { ...examiner.result(), remarks, presence: presence.remarks() };
}
