// Keeps the sheets of formats that can be read only once in a temporary file.
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { chunkBytes, spool } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';
import type { AnyWorkbook, NamedSheet, Noticed, SheetPart, SheetRow } from './sheet-builder.ts';

const readAt = promisify(read);

/** A sheet, and where its rows are in the temporary file, in bytes. */
interface KeptSheet extends NamedSheet {
  seen: Noticed;
  begun: NamedSheet;
  from: number;
  to: number;
}

/**
 * Reads sheets once, and keeps their rows, so that each can be read by itself and more than once. Throws an `InputError`
 * for more than a workbook may unpack to.
 */
export async function keepSheets(
  parts: AsyncIterable<SheetPart[]>,
  { file, limits, ...workbook }: Pick<AnyWorkbook, 'format' | 'nobody'> & { file: string; limits: ReadLimits },
): Promise<AnyWorkbook> {
  const sheets: KeptSheet[] = [];
  const kept = await spool(linesOf(parts, sheets), { file, most: limits.unpacked, modifiedAt: () => new Date(0) });
  return {
    ...workbook,
    sheets,
    async *rows(wanted, seen) {
      const sheet = sheets.find((one) => one === wanted);
      if (!sheet) return;
      for (const [kind, odd] of sheet.seen.oddities) seen.oddities.set(kind, { ...odd });
      seen.merged = sheet.seen.merged;
      yield* kept.within((fd) => rowsWithin(fd, sheet));
    },
    close: () => kept.close(),
  };
}

async function* linesOf(parts: AsyncIterable<SheetPart[]>, sheets: KeptSheet[]): AsyncGenerator<string> {
  let at = 0;
  for await (const some of parts) {
    for (const part of some) {
      if ('sheet' in part) {
        sheets.push({ ...part.sheet, begun: part.sheet, seen: part.seen, from: at, to: at });
        continue;
      }
      if ('dropped' in part) {
        const place = sheets.findIndex(({ begun }) => begun === part.dropped);
        if (place !== -1) sheets.splice(place, 1);
        continue;
      }
      const { line, isHidden, times, cells } = part;
      const text = `${JSON.stringify([line, times, isHidden ? 1 : 0, cells])}\n`;
      at += Buffer.byteLength(text);
      const sheet = sheets.at(-1);
      if (sheet) sheet.to = at;
      yield text;
    }
  }
}

/** The rows that are given at a time, at most. */
const mostAtOnce = 500;

async function* rowsWithin(fd: number, { from, to }: KeptSheet): AsyncGenerator<SheetRow[]> {
  let rest = Buffer.alloc(0);
  let rows: SheetRow[] = [];
  for (let at = from; at < to;) {
    const buffer = Buffer.alloc(Math.min(chunkBytes, to - at));
    const { bytesRead } = await readAt(fd, buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error('The temporary file of a workbook ended too early.');
    at += bytesRead;
    const some = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = some.lastIndexOf(10) + 1;
    rest = some.subarray(end);
    for (const text of some.toString('utf8', 0, end).split('\n')) {
      if (text === '') continue;
      const [line, times, hidden, cells] = JSON.parse(text) as [number, number, 0 | 1, string[]];
      for (let time = 0; time < times; time++) {
        const own = time === times - 1 ? cells : [...cells];
        rows.push({ line: line + time, cells: own, isHidden: hidden === 1, times: 1 });
        if (rows.length < mostAtOnce) continue;
        yield rows;
        rows = [];
      }
    }
    if (rows.length > 0) yield rows;
    rows = [];
  }
}
