import { createHash, type Hash } from 'node:crypto';
import { InputError } from '../core/errors.ts';
import { isReject, type Reject, type Row, type RosterForm } from '../core/row.ts';
import { chunkBytes, type RosterBytes } from './bytes.ts';
import { decode } from './decode.ts';
import { findDelimiter, findNewline } from './delimiter.ts';
import type { ReadLimits } from './limits.ts';
import { parseBlock } from './parse-block.ts';
import { RecordCutter, RecordFailure, type Block, type Dialect } from './records.ts';
import type { Findings } from './survey.ts';

/** As many rows as a batch has at most. */
const batchRows = 500;

/** A roster that is open: its form is known, its rows are still to be read. */
export interface RosterFile {
  form: RosterForm;
  sizeBytes: number;
  /** When the file was last changed; for what comes through a pipe, when it had arrived. */
  modifiedAt: Date;
  /**
   * The rows in the file's order, a few hundred at a time, read as they are asked for; from the beginning each time
   * it is called. Blank rows are left out, cells that a short row lacks are empty, rows that are too long or
   * malformed are rejects. The text of a cell may keep its neighbours in memory: copy what is to be kept long.
   * Throws an `InputError` where the file cannot be read on, or has changed since it was opened.
   */
  batches(): AsyncGenerator<(Row | Reject)[]>;
  /** The SHA-256 of the bytes, hexadecimal. Throws before `batches()` has come to its end. */
  checksum(): string;
  /** Gives back what is kept of a stream; a file is open only while it is iterated. */
  close(): Promise<void>;
}

/** Reads a roster from bytes that were surveyed. */
export class RosterReader implements RosterFile {
  readonly form: RosterForm;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  readonly #reading: Reading;
  #checksum: string | undefined;

  private constructor(form: RosterForm, reading: Reading) {
    this.form = form;
    this.sizeBytes = reading.bytes.sizeBytes;
    this.modifiedAt = reading.bytes.modifiedAt;
    this.#reading = reading;
  }

  /** Reads as far as the first row, and so the header. Throws an `InputError` where there is none of either. */
  static async begin(
    bytes: RosterBytes,
    findings: Findings,
    limits: ReadLimits,
    asked: string | undefined,
  ): Promise<RosterReader> {
    const { file } = bytes;
    const head = await firstText(bytes, findings);
    const newline = findNewline(head);
    const lineEnd = newline === '\r' ? '\r' : '\n';
    const delimiter = asked ?? findDelimiter(head, lineEnd, bytes.sizeBytes <= chunkBytes);
    const dialect: Dialect = { delimiter: delimiter ?? ',', lineEnd };
    const reading = { bytes, findings, limits, dialect };
    const header = await readHeader(reading);
    if (delimiter === undefined && header.length < 2) throw noDelimiter(file, header);
    const { encoding, bom } = findings;
    return new RosterReader({ file, encoding, bom, delimiter: dialect.delimiter, header, newline }, reading);
  }

  async *batches(): AsyncGenerator<(Row | Reject)[]> {
    const { header, delimiter } = this.form;
    const hash = createHash('sha256');
    let isHeaderRead = false;
    for await (const rows of readRows(this.#reading, hash)) {
      for (let at = isHeaderRead ? 0 : 1; at < rows.length; at += batchRows) {
        yield rows.slice(at, at + batchRows).map((row) => fit(row, header.length, delimiter));
      }
      isHeaderRead ||= rows.length > 0;
    }
    this.#checksum ??= hash.digest('hex');
  }

  checksum(): string {
    if (this.#checksum === undefined) throw new Error('The checksum is known once all rows have been read.');
    return this.#checksum;
  }

  async close(): Promise<void> {
    await this.#reading.bytes.close();
  }
}

/** All that it takes to read the rows of a roster. */
interface Reading {
  bytes: RosterBytes;
  findings: Findings;
  limits: ReadLimits;
  dialect: Dialect;
}

async function firstText(bytes: RosterBytes, findings: Findings): Promise<string> {
  for await (const text of decode(bytes.chunks(), findings, bytes.file, () => 1)) return text;
  return '';
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* readRows({ bytes, findings, limits, dialect }: Reading, hash: Hash): AsyncGenerator<(Row | Reject)[]> {
  const { file } = bytes;
  const cutter = new RecordCutter(dialect, limits.record);
  const parse = (cut: () => Block[]): (Row | Reject)[] => {
    try {
      return cut().flatMap((block) => parseBlock(block, dialect, file));
    } catch (error) {
      if (!(error instanceof RecordFailure)) throw error;
      throw new InputError(`${file}, line ${error.line}: ${error.message}`);
    }
  };
  for await (const text of decode(hashed(bytes.chunks(), hash), findings, file, () => cutter.line)) {
    yield parse(() => cutter.cut(text));
  }
  yield parse(() => cutter.end());
}

async function readHeader(reading: Reading): Promise<string[]> {
  const { file } = reading.bytes;
  let header: Row | Reject | undefined;
  for await (const rows of readRows(reading, createHash('sha256'))) {
    header ??= rows.shift();
    if (header && isReject(header)) throw new InputError(`${file}, line ${header.line}, the header: ${header.reason}`);
    if (header && rows.length > 0) return header.cells;
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
