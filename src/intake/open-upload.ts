// Opens a kept upload as a roster, with the cells that were corrected.
import { UploadMapping } from '../../config/source-schema.ts';
import { columnsToRead, type MappingOptions } from '../core/mapping/mapping-options.ts';
import type { MappingRules } from '../core/mapping/mapping-rules.ts';
import { isReject, type Reject, type Row } from '../core/rows/row.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import { openInThread } from '../roster/thread/open-in-thread.ts';
import type { Correction, KeptUpload } from './kept-uploads.ts';

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
  try {
    return await use(upload.corrections.length === 0 ? roster : withCorrections(roster, upload.corrections));
  } finally {
    await roster.close();
  }
}

function withCorrections(roster: RosterFile, corrections: readonly Correction[]): RosterFile {
  const byPlace = Map.groupBy(corrections, placeOf);
  return {
    form: roster.form,
    sizeBytes: roster.sizeBytes,
    modifiedAt: roster.modifiedAt,
    checksum: () => roster.checksum(),
    close: () => roster.close(),
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
