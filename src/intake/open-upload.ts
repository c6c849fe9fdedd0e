// Opens a kept upload as a roster, corrected, by its own mapping; and as other encodings read it.
import type { SourceRunContext } from '../../jobs/run/run-source.ts';
import { UploadMapping } from '../../config/source-schema.ts';
import { closing } from '../core/closing.ts';
import { columnsToRead, type MappingOptions } from '../core/mapping/mapping-options.ts';
import type { MappingRules } from '../core/mapping/mapping-rules.ts';
import { type Mapping, resolveColumns } from '../core/mapping/mapping.ts';
import { isReject, type Reject, type Row } from '../core/rows/row.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import { openInThread } from '../roster/thread/open-in-thread.ts';
import type { CheckProblem, CheckView } from './check-view.ts';
import { settleRules, examineRows } from './understand.ts';
import type { Correction, KeptUpload } from './kept-uploads.ts';
import { InputError } from '../core/errors.ts';

/** The mapping of an upload, checked; an empty one where none was proposed or given. */
export function mappingOfUpload({ mapping }: Pick<KeptUpload, 'mapping'>): UploadMapping {
  return UploadMapping.parse(mapping ?? {});
}

/** How the rows of an upload become members: by its own mapping, and nothing else. */
export function columnsOfUpload(upload: Pick<KeptUpload, 'mapping'>): MappingOptions {
  const { read: _, deliver: _deliver, everybody: _everybody, ...rules } = mappingOfUpload(upload);
  return { groups: [], groupColumns: [], rules: rules satisfies MappingRules, today: new Date() };
}

/** Opens it for as long as it is used: corrected cells hold what somebody wrote instead. Throws an InputError when it cannot be read. */
export async function withUpload<Result>(
  upload: KeptUpload,
  use: (roster: RosterFile) => Promise<Result> | Result,
): Promise<Result> {
  const { read } = mappingOfUpload(upload);
  const asked = columnsToRead(columnsOfUpload(upload));
  const roster = await openInThread(upload.file, { ...read, name: upload.name, ...asked });
  await using _ = closing(roster);
  return await use(upload.corrections.length === 0 ? roster : withCorrections(roster, upload.corrections));
}

function withCorrections(roster: RosterFile, corrections: readonly Correction[]): RosterFile {
  const byPlace = Map.groupBy(corrections, placeOf);
  return {
    ...roster,
    async *batches() {
      for await (const batch of roster.batches()) {
        yield batch.map((row) => corrected(row, byPlace.get(placeOf(row)) ?? []));
      }
    },
  };
}

/** A row that cannot be read at all stays as it is: none of its cells has a place. */
function corrected(row: Row | Reject, corrections: readonly Correction[]): Row | Reject {
  if (corrections.length === 0 || isReject(row)) return row;
  const cells = [...row.cells];
  for (const { column, value } of corrections) cells[column] = value;
  return { ...row, cells };
}

const placeOf = ({ file, line }: { file: string; line: number }): string => `${line} ${file}`;

/** The mapping of an upload for its columns; undefined, with what is wrong added to the problems, where it cannot be used. */
export async function resolveUpload(
  { ledger, service }: Pick<SourceRunContext, 'ledger' | 'service'>,
  upload: KeptUpload,
  roster: RosterFile,
  problems: CheckProblem[],
): Promise<Mapping | undefined> {
  const columns = columnsOfUpload(upload);
  if ((columns.rules?.groups ?? []).length === 0) {
    problems.push({ message: 'No group yet. Choose a column, or name one for everybody.', field: 'groups' });
    return undefined;
  }
  const settled = settleRules(roster, { ...columns, knownGroups: await ledger.groupsGiven(service.address) });
  if (!('problem' in settled)) return settled;
  problems.push({ message: settled.problem, field: 'columns' });
  return undefined;
}

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
