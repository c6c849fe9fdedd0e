// The interface of an open roster: its form, batches of rows, and the options to open one.
import { createHash } from 'node:crypto';
import { type Reject, type Row, type RosterForm, isRejectColumn } from '../core/rows/row.ts';
import type { RosterBytes } from './files/bytes.ts';
import type { ReadSettings, Bundle } from './read-schema.ts';
import type { Day } from '../core/cells/days.ts';
import { defined } from '../core/defined.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { ReadLimits } from './files/limits.ts';
import type { PgpKeys } from './pgp/decrypt.ts';
import { type ColumnSurvey, surveyColumns } from '../core/columns/column-survey.ts';

/** What the form says about rows that do not stand in a text with delimiters. */
export const withoutText = { encoding: 'utf-8', bom: false, delimiter: ',', newline: '\n' } as const;

/** The most rows that a batch has. */
export const batchRows = 500;

export interface RosterFile {
  form: RosterForm;
  sizeBytes: number;
  /** When the file was last changed; for what comes through a pipe, when it had arrived. */
  modifiedAt: Date;
  /**
   * The rows in the file's order, a few hundred at a time, read as they are asked for; from the beginning each time
   * it is called. Blank rows are left out, missing cells of a short row are empty, rows that are too long or
   * malformed are rejects. The text of a cell may keep its neighbours in memory: copy what is to be kept long.
   * Throws an `InputError` if the file cannot be read on, or has changed since it was opened.
   */
  batches(): AsyncGenerator<(Row | Reject)[]>;
  /** Which part of it `batches()` has read, from 0 to 1; absent where nobody can say. */
  share?(): number;
  /** The SHA-256 of the bytes, hexadecimal. Throws before `batches()` has come to its end. */
  checksum(): string;
  /** Gives back what is kept of a stream; a file is open only while it is iterated. */
  close(): Promise<void>;
}

/** A roster that is the bytes of one file; `read` gives the rows in them. */
export function rosterIn(
  bytes: RosterBytes,
  form: RosterForm,
  read: (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<(Row | Reject)[]>,
): RosterFile {
  const { sizeBytes, modifiedAt } = bytes;
  let checksum: string | undefined;
  let readBytes = 0;
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    readBytes = 0;
    for await (const chunk of bytes.chunks()) {
      hash.update(chunk);
      readBytes += chunk.length;
      yield chunk;
    }
    checksum ??= hash.digest('hex');
  };
  return {
    form,
    sizeBytes,
    modifiedAt,
    batches: () => read(chunks()),
    share: () => readBytes / sizeBytes,
    checksum: () => known(checksum),
    close: () => bytes.close(),
  };
}

/** A checksum, once it is there. */
export function known(checksum: string | undefined): string {
  if (checksum === undefined) throw new Error('The checksum is known once all rows have been read.');
  return checksum;
}

/** The paths of nested records that are asked for as columns. */
export interface AskedPaths {
  /** What settings name: one that no record has is no column. */
  paths?: readonly string[];
  /** What the system is known to have, though it may leave it out of every record: a column that is empty then. */
  known?: readonly string[];
}

export interface OpenOptions extends Omit<ReadSettings, 'join' | 'limits'>, AskedPaths {
  /** Of a folder or an archive, how its files belong together, where it is no bundle that is known. */
  join?: Pick<Bundle, 'people'>;
  /** The day by which rows of a join hold or do not; that of this machine unless given. */
  today?: Day;
  /** The keys for what is encrypted with PGP. */
  pgp?: PgpKeys;
  /** That of a workbook which is locked. */
  password?: Secret;
  /** It is the answer of a server: JSON that says it is not all is refused. */
  isAnswer?: boolean;
  limits?: Partial<ReadLimits>;
  now?: () => Date;
  /** What standard input, streams, and files under a name of no meaning are called in rows and messages. */
  name?: string;
}

export interface Opening {
  options: OpenOptions;
  limits: ReadLimits;
  now: () => Date;
  unpacked: number;
  /** It must be encrypted, since only then a signature is checked. */
  mustBeSigned: boolean;
}

/** The same for a file inside a folder or archive of files: what was said about the whole does not hold for it, but its password. */
export function openingInside(opening: Opening): Opening {
  const { encoding, delimiter, password } = opening.options;
  const options = defined({ encoding, delimiter, password });
  return { ...opening, options };
}

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
