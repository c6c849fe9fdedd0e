// The interface of an open roster: its form, batches of rows, and what those who open one get.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { MadeCorrection } from '../core/rows/corrections.ts';
import { type Reject, type Row, type RosterForm, isRejectColumn } from '../core/rows/row.ts';
import type { RosterBytes } from './files/bytes.ts';
import type { ReadSettings, Bundle } from './read-schema.ts';
import type { Day } from '../core/cells/days.ts';
import { defined } from '../core/defined.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { ReadLimits } from './files/limits.ts';
import type { PgpKeys } from './pgp/decrypt.ts';
import { type ColumnSurvey, surveyColumns } from '../core/columns/column-survey.ts';
import type { Http } from './fetch/http-schema.ts';
import type { AuthTemplate, RequestTemplate } from './presets/preset-schema.ts';
import type { Validators } from '../core/rows/source.ts';

/** What the form says about rows that do not stand in a text with delimiters. */
export const withoutText = { encoding: 'utf-8', bom: false, delimiter: ',', newline: '\n' } as const;

/** The most rows that a batch has. */
export const batchRows = 500;

export interface RosterFile {
  form: RosterForm;
  sizeBytes: number;
  /** When the file was last changed; for what comes through a pipe, when it had arrived. */
  modifiedAt: Date;
  /** When a server was asked for it. */
  askedAt?: Date;
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
  /** What somebody corrected in it, and what that came to; of the last reading that came to its end. */
  corrections?(): readonly MadeCorrection[];
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
  /** The time zone in which rows of a join hold or do not, that of this machine unless given; and the day there. */
  timezone?: string;
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

type HttpSettings = z.output<typeof Http>;

/** Proof of who asks an HTTP source: exactly one of these. */
export interface HttpAuth extends NonNullable<HttpSettings['auth']> {
  /** Every request is signed with the keys of an account of AWS (signature version 4); the S3 source sets it. */
  aws?: { accessKeyId: string; secretAccessKey: Secret; sessionToken?: Secret; region: string };
  /** Every request is signed with the key of an Azure storage account; the Azure source sets it. */
  azure?: { account: string; key: Secret };
  /** Every request is signed by OAuth 1.0a with HMAC-SHA256, without a token (RFC 5849); presets set it. */
  oauth1?: { consumerKey: string; consumerSecret: Secret };
  /** OAuth 2.0 with a signed statement in place of a secret (RFC 7523); presets set it. */
  signed?: SignedAuth;
}

/**
 * `by: client`: the statement says who the client is (section 2.2); `grant`: it is the grant itself (section 2.1). The
 * issuer signs, on behalf of the subject if there is one. Of a Google service account its JSON says who the issuer is.
 */
export interface SignedAuth extends Omit<NonNullable<AuthTemplate['signed']>, 'key'> {
  /** A private key in PEM form, or the JSON of a Google service account with the key in it. */
  key: Secret;
}

/** How an HTTP source is told which page is wanted: as settings say it, and more that only presets set. */
export type Paging = NonNullable<RequestTemplate['paging']>;

/** An HTTP source, with what only presets set. Times are in ms. */
export interface HttpSource
  extends
    Omit<HttpSettings, 'auth' | 'body' | 'paging'>,
    Pick<RequestTemplate, 'paging' | 'busyWhen' | 'isRateKept' | 'steps' | 'shiftedWhen' | 'absentWhen'> {
  /** Sent as JSON. */
  body?: unknown;
  auth?: HttpAuth;
  /** Its settings are somebody's own, and not a preset's. */
  isDeclared?: boolean;
}

/** Which of several files are read, when one counts as complete, and how old it may be, ms. */
export interface FileChoice {
  pick?: 'newest' | 'all';
  settle?: number;
  maxAge?: number;
}

export interface FetchedRoster extends RosterFile {
  validators?: Validators;
}

export interface SourceDeps {
  /** The source's name in the config, for messages. */
  name: string;
  /** How to read what was fetched, if it is not to be detected: encoding, delimiter, format, paths, limits. */
  open?: OpenOptions;
  /** What else must not be shown of the source, such as what its preset was told. */
  secrets?: readonly Secret[];
  /** The data directory, where refresh tokens are kept. */
  dataDir?: string;
  /** Where proxies are named: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  environment: Readonly<Record<string, string | undefined>>;
  /** `roster-sync/<version>`. */
  userAgent: string;
  now(): Date;
  /** In [0, 1); spreads the retries. */
  random(): number;
  /** Waits for `ms`; rejects with the signal's reason when that is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Only the people of these ids; for a preset that can be asked for them. */
  employees?: readonly string[];
  signal?: AbortSignal;
  /** What was last seen of this source. Where it is the same still, opening throws `SourceUnchanged`. */
  validators?: Validators;
  /** Gets what takes time: waiting for a file to settle, or before another try. */
  onWait?(what: string, ms: number): void;
}
