// Writes rejected rows in the format of their roster, and tells which run wrote a file of them.
import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { StorageError } from '../../core/errors.ts';
import { guardCell } from '../../core/cells/read-cell.ts';
import { isRejectColumn, rejectColumns, type Reject, type RosterForm } from '../../core/rows/row.ts';
import { encode, markOf, parseEncoding, writtenLike } from '../text/encoding.ts';
import type { RosterFile } from '../open-roster.ts';

const pageCharacters = 64 * 1024;

/**
 * Writes rejects to a file of the roster's own columns, delimiter, line ends and encoding (UTF-8 for one with several
 * bytes for a character), with `_line`, `_reason`
 * and `_run` behind them, and behind those the cells that a row had too many. Reading it as a roster gives the cells
 * as they were; the three columns are not looked at, so the file can be corrected and imported. Where the roster is
 * a rejects file itself, its three columns are replaced. What a spreadsheet would take for a formula, or begins
 * with an apostrophe, has one before it, which reading takes away. Written next to its place and renamed, mode 0600. Returns the
 * number of rejects; without any there is no file. Throws a `StorageError` if it cannot be written.
 */
export async function writeRejects(
  path: string,
  form: RosterForm,
  run: string,
  rejects: AsyncIterable<Reject> | Iterable<Reject>,
): Promise<number> {
  const beside = `${path}.${randomUUID()}.part`;
  let handle: FileHandle | undefined;
  let count = 0;
  async function* counted(): AsyncGenerator<Reject> {
    for await (const reject of rejects) {
      count++;
      yield reject;
    }
  }
  try {
    for await (const part of rejectParts(form, run, counted())) {
      if (count === 0) return 0;
      handle ??= await open(beside, 'wx', 0o600);
      await handle.appendFile(part);
    }
    await handle?.sync();
    await handle?.close();
    await rename(beside, path);
    return count;
  } catch (error) {
    await handle?.close();
    await rm(beside, { force: true });
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new StorageError(`The rejects could not be written to ${path}: ${error.message}.`, { cause: error });
  }
}

/** The same in parts, a header at least. */
export async function* rejectParts(
  form: RosterForm,
  run: string,
  rejects: AsyncIterable<Reject>,
): AsyncGenerator<Uint8Array> {
  const { encoding, bom } = writtenLike(parseEncoding(form.encoding), form.bom ?? false);
  let page = lineOf([...form.header.filter((name) => !isRejectColumn(name)), ...rejectColumns], form);
  let mark = bom ? markOf(encoding) : Uint8Array.of();
  const take = (): Uint8Array => {
    const part = Buffer.concat([mark, encode(page, encoding)]);
    [mark, page] = [Uint8Array.of(), ''];
    return part;
  };
  for await (const reject of rejects) {
    page += lineOf(cellsOf(reject, form, run), form);
    if (page.length >= pageCharacters) yield take();
  }
  if (page !== '') yield take();
}

function cellsOf({ cells, line, reason }: Reject, { header }: RosterForm, run: string): string[] {
  const own = header.flatMap((name, index) => (isRejectColumn(name) ? [] : [cells[index] ?? '']));
  return [...own, String(line), reason, run, ...cells.slice(header.length)];
}

function lineOf(cells: readonly string[], { delimiter, newline }: RosterForm): string {
  return cells.map((cell) => quote(guardCell(cell), delimiter)).join(delimiter) + newline;
}

/** Quotes what a reader would part, trim, or take for a byte order mark. */
function quote(cell: string, delimiter: string): string {
  const isPlain = !cell.includes(delimiter) && !/["\r\n]|^[\s\ufeff]|\s$/.test(cell);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}

export async function runOfRejects(roster: Pick<RosterFile, 'form' | 'batches'>): Promise<string> {
  const index = roster.form.header.findIndex((name) => name.trim() === '_run');
  for await (const batch of roster.batches()) {
    const found = batch.map(({ cells }) => cells[index]?.trim() ?? '').find((run) => run !== '');
    if (found !== undefined) return found;
  }
  return '';
}
