// Joins several files of one kind into one roster.
import { refusal } from '../core/words/say.ts';
import { createHash } from 'node:crypto';
import { arrange, type Reject, type RosterForm, type Row } from '../core/rows/row.ts';
import type { RosterFile } from './roster-file.ts';

/**
 * Several files of one kind as one roster: its header has the columns of all of them; a row has empty cells for the columns that are not in its own file. The newest of them gives the time, the first one
 * the form. Each row keeps the name of its file. Throws an `InputError` when a file shares no column with the first.
 */
function joinRosters(rosters: readonly [RosterFile, ...RosterFile[]], name: string): RosterFile {
  const [first] = rosters;
  const { header, ways } = unite(rosters.map(({ form }) => form.header));
  const unlike = rosters.find(({ form }) => !form.header.some((column) => first.form.header.includes(column)));
  if (unlike) throw refusal('noCommonColumn', { file: unlike.form.file, first: first.form.file });
  const lacking = rosters.flatMap(({ form: { file } }, at) => {
    const count = header.length - (ways[at]?.width ?? 0);
    return count > 0 ? [`${file}: missing columns: ${count}.`] : [];
  });
  const form: RosterForm = {
    ...first.form,
    file: name,
    header,
    ...joinReadAs(rosters),
    isPartial: rosters.some(({ form }) => form.isPartial),
    isUnended: rosters.some(({ form }) => form.isUnended),
    get notes() {
      return [...rosters.flatMap(({ form }) => form.notes.map((note) => `${form.file}: ${note}`)), ...lacking];
    },
  };
  let reading = 0;
  return {
    form,
    share: () => (reading + (rosters[reading]?.share?.() ?? 0)) / rosters.length,
    sizeBytes: rosters.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    modifiedAt: new Date(Math.max(...rosters.map(({ modifiedAt }) => modifiedAt.getTime()))),
    async *batches() {
      for (const [at, roster] of rosters.entries()) {
        reading = at;
        const order = ways[at]?.order;
        for await (const batch of roster.batches()) yield order ? batch.map(order) : batch;
      }
    },
    checksum: () => checksumOf(rosters.map((roster) => roster.checksum())),
    async close() {
      for (const roster of rosters.toReversed()) await roster.close();
    },
  };
}

interface Way {
  /** The columns of the file itself. */
  width: number;
  /** Puts a row of it into the order of the whole header; absent where it is in that already. */
  order?: <Any extends Row | Reject>(row: Any) => Any;
}

/** One header for files with these, its columns in order of first appearance, and the way to it for each of them. */
export function unite(headers: readonly (readonly string[])[]): { header: string[]; ways: Way[] } {
  const header: string[] = [];
  const taken = headers.map((columns) => placesOf(columns, header));
  const ways = taken.map((own): Way => {
    const places = Array.from(header.keys(), (place) => own.indexOf(place));
    const width = own.length;
    const isSame = width === header.length && places.every((place, index) => place === index);
    return isSame ? { width } : { width, order: (row) => arrange(row, places, width) };
  });
  return { header, ways };
}

/** Opens several files, one after the other, as one roster; where one cannot be opened, those before are closed. */
export async function openAll<File>(
  files: readonly [File, ...File[]],
  open: (file: File) => Promise<RosterFile>,
  name: string,
): Promise<RosterFile> {
  const [file, ...more] = files;
  const rosters: [RosterFile, ...RosterFile[]] = [await open(file)];
  try {
    for (const file of more) rosters.push(await open(file));
    return more.length === 0 ? rosters[0] : joinRosters(rosters, name);
  } catch (error) {
    for (const roster of rosters) await roster.close();
    throw error;
  }
}

export function checksumOf(checksums: readonly string[]): string {
  return createHash('sha256').update(checksums.join('')).digest('hex');
}

export function joinReadAs(rosters: readonly RosterFile[]): Pick<RosterForm, 'readAs'> {
  const readAs = rosters.flatMap(({ form }) => (form.readAs ?? []).map((line) => `${form.file}: ${line}`));
  return readAs.length > 0 ? { readAs } : {};
}

/** The place of each of a file's columns in the whole header, to which new ones are added; the second `A` is another `A`. */
function placesOf(columns: readonly string[], header: string[]): number[] {
  const places: number[] = [];
  for (const column of columns) {
    let place = header.findIndex((known, at) => known === column && !places.includes(at));
    if (place === -1) place = header.push(column) - 1;
    places.push(place);
  }
  return places;
}
