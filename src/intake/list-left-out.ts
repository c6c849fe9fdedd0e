// Lists the rows that the filters of an upload leave out, each with its reason.
import { type LeftOutRow, nameInRow } from '../core/inspect/examiner.ts';
import { mapRow } from '../core/mapping/map-row.ts';
import { isReject } from '../core/rows/row.ts';
import { resolveUpload } from './examine-upload.ts';
import type { KeptUpload } from './kept-uploads.ts';
import { withUpload } from './open-upload.ts';

/** In the order of the file, read up to there. Nobody where its mapping cannot be used. */
export async function listLeftOut(
  context: Parameters<typeof resolveUpload>[0],
  upload: KeptUpload,
  { from, limit }: { from: number; limit: number },
): Promise<LeftOutRow[]> {
  return withUpload(upload, async (roster) => {
    const mapping = await resolveUpload(context, upload, roster, []);
    if (!mapping) return [];
    const found: LeftOutRow[] = [];
    let seen = 0;
    for await (const batch of roster.batches()) {
      for (const row of batch) {
        const result = isReject(row) ? undefined : mapRow(row, mapping);
        if (result === undefined || !('filtered' in result)) continue;
        seen += 1;
        if (seen <= from) continue;
        const email = mapping.fields.email?.read(row.cells) ?? '';
        found.push({ name: nameInRow(mapping, row), email, why: result.filtered, line: row.line });
        if (found.length === limit) return found;
      }
    }
    return found;
  });
}
