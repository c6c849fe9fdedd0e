// The names of a file as other encodings read them, so that somebody can pick the right one by eye.
import type { CheckView } from './check-view.ts';
import { InputError } from '../core/errors.ts';
import { resolveColumns } from '../core/mapping/mapping.ts';
import type { KeptUpload } from './kept-uploads.ts';
import { columnsOfUpload, withUpload } from './open-upload.ts';
import { examineRows } from './understand.ts';

/** Encodings in which files of people are saved, the likelier first. */
const encodings = [
  ...['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'iso-8859-2'],
  ...['macintosh', 'koi8-r'],
];
/** Larger files are not read once for each encoding: that takes too long for a page. */
const mostBytes = 2_000_000;

/** The readings that give other names than the one in force; empty for what has no encoding to choose. */
export async function readingsOf(
  upload: KeptUpload,
  { names, format }: { names: readonly string[]; format: string },
): Promise<CheckView['readings']> {
  if (format !== 'csv' || upload.sizeBytes > mostBytes || names.every((name) => !/[^\p{ASCII}]/u.test(name))) return [];
  const seen = new Set([JSON.stringify(names)]);
  const readings: { encoding: string; names: readonly string[] }[] = [];
  for (const encoding of encodings) {
    const found = await namesIn(upload, encoding);
    const key = JSON.stringify(found);
    if (found.length === 0 || seen.has(key)) continue;
    seen.add(key);
    readings.push({ encoding, names: found });
  }
  return readings;
}

/** The oddest names in one encoding; none where the file is not in it. */
async function namesIn(upload: KeptUpload, encoding: string): Promise<readonly string[]> {
  const { mapping = {} } = upload;
  const other = { ...upload, mapping: { ...mapping, read: { ...mapping.read, encoding } } };
  try {
    return await withUpload(other, async (roster) => {
      const mapping = resolveColumns(roster.form.header, columnsOfUpload(other));
      return (await examineRows(roster, mapping)).names;
    });
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
