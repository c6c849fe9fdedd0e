// Surveys what the columns of an open roster hold.
import { type ColumnSurvey, surveyColumns } from '../core/columns/column-survey.ts';
import { isRejectColumn } from '../core/rows/row.ts';
import type { RosterFile } from './roster-file.ts';

/** Those of a file of rejects are not looked at. What `seen` throws ends the reading, and so do `most` rows. */
export async function surveyRoster(
  roster: Pick<RosterFile, 'form' | 'batches' | 'share'>,
  seen: (rows: number, share?: number) => void = () => {},
  most = Infinity,
): Promise<{ surveys: ColumnSurvey[]; rows: number }> {
  const surveys = surveyColumns(roster.form.header).filter(({ name }) => !isRejectColumn(name));
  let rows = 0;
  for await (const batch of roster.batches()) {
    for (const { cells } of batch.slice(0, most - rows)) for (const each of surveys) each.add(cells[each.index] ?? '');
    rows += batch.length;
    seen(rows, roster.share?.());
    if (rows >= most) break;
  }
  return { surveys, rows };
}
