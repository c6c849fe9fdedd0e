// Joins several files of one kind into one roster.
import { refusal } from '../core/errors.ts';
import { createHash } from 'node:crypto';
import { foldText } from '../core/text/wildcard.ts';
import { arrange, type Reject, type Row } from '../core/rows/row.ts';
import type { RosterFile, FileChoice } from './roster-file.ts';

/**
 * Several files of one kind as one roster: its header has the columns of all of them; a row has empty cells for the columns that are not in its own file. The newest of them gives the time, the first one
 * the form. Each row keeps the name of its file. Throws an `InputError` when a file shares no column with the first.
 */
function joinRosters(rosters: readonly [RosterFile, ...RosterFile[]], name: string): RosterFile {
  const [first] = rosters;
  const known = new Set(first.form.header.map(foldText));
  const unlike = rosters.find(({ form }) => !form.header.some((column) => known.has(foldText(column))));
  if (unlike) throw refusal('noCommonColumn', { file: unlike.form.file, first: first.form.file });
  const { form, ...joined } = underOneHeader(rosters);
  const modifiedAt = new Date(Math.max(...rosters.map(({ modifiedAt }) => modifiedAt.getTime())));
  const older = rosters.filter((roster) => roster.modifiedAt < modifiedAt);
  const lacking = rosters.flatMap(({ form: { file, header } }) => {
    const count = form.header.length - header.length;
    return count > 0 ? [`${file}: missing columns: ${count}.`] : [];
  });
  return {
    ...joined,
    form: {
      ...first.form,
      ...form,
      file: name,
      isPartial: rosters.some(({ form }) => form.isPartial),
      ...(older.length > 0 && {
        olderFiles: Object.fromEntries(older.map(({ form, modifiedAt }) => [form.file, modifiedAt.toISOString()])),
      }),
      get notes() {
        return [...rosters.flatMap(({ form }) => form.notes.map((note) => `${form.file}: ${note}`)), ...lacking];
      },
    },
    modifiedAt,
    checksum: () => checksumOf(rosters.map((roster) => roster.checksum())),
  };
}

/** The rows of rosters, one after the other, under one header: their columns in order of first appearance. */
export function underOneHeader(rosters: readonly RosterFile[]) {
  const header: string[] = [];
  const taken = rosters.map(({ form }) => placesOf(form.header, header));
  const keys = rosters.map(({ form }) => new Set(form.header.map(foldText)));
  const orders = taken.map((own) => {
    const places = Array.from(header.keys(), (place) => own.indexOf(place));
    const isSame = places.every((place, index) => place === index);
    return isSame ? undefined : (row: Row | Reject) => arrange(row, places, own.length);
  });
  const readAs = rosters.flatMap(({ form }) => (form.readAs ?? []).map((line) => `${form.file}: ${line}`));
  const lacking = header.filter((column) => keys.some((own) => !own.has(foldText(column))));
  let reading = 0;
  return {
    form: {
      header,
      ...(lacking.length > 0 && { lacking }),
      isUnended: rosters.some(({ form }) => form.isUnended),
      ...(readAs.length > 0 && { readAs }),
    },
    share: () => (reading + (rosters[reading]?.share?.() ?? 0)) / rosters.length,
    sizeBytes: rosters.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    async *batches() {
      for (const [at, roster] of rosters.entries()) {
        reading = at;
        const order = orders[at];
        for await (const batch of roster.batches()) yield order ? batch.map(order) : batch;
      }
    },
    async close() {
      for (const roster of rosters.toReversed()) await roster.close();
    },
  };
}

/** Opens several files, one after the other, as one roster, all that are called `name`; where one cannot be opened, those before are closed. */
export async function openAll<File>(
  files: readonly [File, ...File[]],
  open: (file: File) => Promise<RosterFile>,
  name: string,
  pick?: FileChoice['pick'],
): Promise<RosterFile> {
  const [file, ...more] = files;
  const rosters: [RosterFile, ...RosterFile[]] = [await open(file)];
  try {
    for (const file of more) rosters.push(await open(file));
    const roster = more.length === 0 ? rosters[0] : joinRosters(rosters, name);
    if (pick === 'all') roster.form.joined = { of: name, files: rosters.map(({ form }) => form.file) };
    return roster;
  } catch (error) {
    for (const roster of rosters) await roster.close();
    throw error;
  }
}

export function checksumOf(checksums: readonly string[]): string {
  return createHash('sha256').update(checksums.join('')).digest('hex');
}

/**
 * The place of each of a file's columns in the whole header, to which new ones are added: of one that is called so, else of one
 * that differs in case or spaces alone. The second `A` is another `A`.
 */
function placesOf(columns: readonly string[], header: string[]): number[] {
  const places = columns.map(() => -1);
  const place = (names: readonly string[], known: readonly string[]): void => {
    for (const [nth, name] of names.entries())
      if (places[nth] === -1) places[nth] = known.findIndex((one, at) => one === name && !places.includes(at));
  };
  place(columns, header);
  place(columns.map(foldText), header.map(foldText));
  return places.map((at, nth) => (at === -1 ? header.push(columns[nth] ?? '') - 1 : at));
}
