import { createHash } from 'node:crypto';
import { InputError } from '../core/errors.ts';
import { isReject, type Reject, type Row, type RosterForm } from '../core/row.ts';
import { chunkBytes, type RosterBytes } from './bytes.ts';
import { decode } from './decode.ts';
import { findDelimiter, findNewline } from './delimiter.ts';
import type { ReadLimits } from './limits.ts';
import type { RosterFile } from './open-roster.ts';
import { parseBlock } from './parse-block.ts';
import { RecordCutter, RecordFailure, type Block, type Dialect } from './records.ts';
import type { Findings } from './survey.ts';

/** As many rows as a batch has at most. */
const batchRows = 500;

/** Reads a roster from bytes that were surveyed. */
export class RosterReader implements RosterFile {
  readonly form: RosterForm;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  readonly #bytes: RosterBytes;
  readonly #first: (Row | Reject)[];
  readonly #more: AsyncGenerator<(Row | Reject)[]>;
  readonly #digest: () => string;
  #isStarted = false;
  #checksum: string | undefined;

  private constructor(
    bytes: RosterBytes,
    form: RosterForm,
    first: (Row | Reject)[],
    more: AsyncGenerator<(Row | Reject)[]>,
    digest: () => string,
  ) {
    this.#bytes = bytes;
    this.form = form;
    this.sizeBytes = bytes.sizeBytes;
    this.modifiedAt = bytes.modifiedAt;
    this.#first = first;
    this.#more = more;
    this.#digest = digest;
  }

  /** Reads as far as the first row, and so the header. Throws an `InputError` where there is none of either. */
  static async begin(
    bytes: RosterBytes,
    findings: Findings,
    limits: ReadLimits,
    asked: string | undefined,
  ): Promise<RosterReader> {
    const { file } = bytes;
    const hash = createHash('sha256');
    const reached = { line: 1 };
    const texts = decode(hashed(bytes.chunks(), hash), findings, file, () => reached.line);
    const { value: head = '' } = (await texts.next()) as IteratorResult<string, undefined>;
    const newline = findNewline(head);
    const lineEnd = newline === '\r' ? '\r' : '\n';
    const found = asked ?? findDelimiter(head, lineEnd, bytes.sizeBytes <= chunkBytes);
    const dialect: Dialect = { delimiter: found ?? ',', lineEnd };
    const more = readRows(head, texts, { dialect, limits, file, reached });
    const { header, first } = await readHeader(more, file);
    if (found === undefined && header.length < 2) throw noDelimiter(file, header);
    const { encoding, bom } = findings;
    const form: RosterForm = { file, encoding, bom, delimiter: dialect.delimiter, header, newline };
    return new RosterReader(bytes, form, first, more, () => hash.digest('hex'));
  }

  async *batches(): AsyncGenerator<(Row | Reject)[]> {
    if (this.#isStarted) throw new Error('The rows of a roster can be read once.');
    this.#isStarted = true;
    const width = this.form.header.length;
    try {
      for (let rows: (Row | Reject)[] | undefined = this.#first; rows;) {
        for (let at = 0; at < rows.length; at += batchRows) {
          yield rows.slice(at, at + batchRows).map((row) => fit(row, width, this.form.delimiter));
        }
        const next: IteratorResult<(Row | Reject)[], unknown> = await this.#more.next();
        rows = next.done ? undefined : next.value;
      }
      await this.#bytes.checkUnchanged();
      this.#checksum = this.#digest();
    } finally {
      await this.close();
    }
  }

  checksum(): string {
    if (this.#checksum === undefined) throw new Error('The checksum is known once all rows have been read.');
    return this.#checksum;
  }

  async close(): Promise<void> {
    this.#isStarted = true;
    await this.#more.return(undefined);
    await this.#bytes.close();
  }
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

interface Reading {
  dialect: Dialect;
  limits: ReadLimits;
  file: string;
  /** The line that has been read to, kept current for messages. */
  reached: { line: number };
}

async function* readRows(
  head: string,
  texts: AsyncIterable<string>,
  { dialect, limits, file, reached }: Reading,
): AsyncGenerator<(Row | Reject)[]> {
  const cutter = new RecordCutter(dialect, limits.record);
  const parse = (cut: () => Block[]): (Row | Reject)[] => {
    try {
      const rows = cut().flatMap((block) => parseBlock(block, dialect, file));
      reached.line = cutter.line;
      return rows;
    } catch (error) {
      if (!(error instanceof RecordFailure)) throw error;
      throw new InputError(`${file}, line ${error.line}: ${error.message}`);
    }
  };
  yield parse(() => cutter.cut(head));
  for await (const text of texts) yield parse(() => cutter.cut(text));
  yield parse(() => cutter.end());
}

async function readHeader(
  batches: AsyncIterator<(Row | Reject)[]>,
  file: string,
): Promise<{ header: string[]; first: (Row | Reject)[] }> {
  let header: Row | undefined;
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    const rows = next.value;
    header ??= rows.shift();
    if (header && isReject(header)) throw new InputError(`${file}, line ${header.line}, the header: ${header.reason}`);
    if (header && rows.length > 0) return { header: header.cells, first: rows };
  }
  throw new InputError(
    header
      ? `${file}: it has a header and nobody below it. Export it again with the people in it.`
      : `${file}: it holds nothing but blank lines. Export it again, with a header and a row for each person.`,
  );
}

function noDelimiter(file: string, [header = '']: string[]): InputError {
  const start = header.length > 60 ? `${header.slice(0, 60)}…` : header;
  return new InputError(
    `${file}: no delimiter found in the header "${start}": it has no comma, semicolon, tab, or |. Say it with --delimiter.`,
  );
}

/** Gives a row that is too short the empty cells it lacks; a row that is too long becomes a reject. */
function fit(row: Row | Reject, width: number, delimiter: string): Row | Reject {
  const { cells } = row;
  while (cells.length < width) cells.push('');
  if (cells.length === width || isReject(row)) return row;
  const value = cells.slice(width).join(delimiter);
  const reason = `${cells.length} cells where the header has ${width}: a value that holds a delimiter needs quotes`;
  return { ...row, column: '', value, reason };
}
