// Reads the merged cells of an .xlsx sheet and repeats their values.
import { refusal } from '../../core/words/say.ts';
import type { ReadLimits } from '../files/limits.ts';
import { tooLongRow } from '../workbook/sheet.ts';
import { columnIndex } from './sheet-rows.ts';
import type { Package, Sheet } from './workbook.ts';

/** Cells merged over several rows: the column, and the rows after the first that have its value. */
export interface Merge {
  column: number;
  from: number;
  to: number;
}

/** More merged cells than these are left out. */
export const mostMerges = 200_000;
/** Cells that a sheet may have only by merging. */
const mostFilled = 10_000_000;
/** As long as a tag of a merged cell, by far. */
const tagLength = 200;
const tag = /<(?:\w+:)?mergeCell\b[^<>]*?\bref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g;

/**
 * They stand behind the rows in the file, so it is read for them first, as text, which is much faster than its cells.
 */
export async function readMerges(pack: Package, sheet: Sheet): Promise<Merge[]> {
  const decoder = new TextDecoder('latin1');
  const merges: Merge[] = [];
  let rest = '';
  for await (const chunk of pack.bytes(sheet.part)) {
    const text = rest + decoder.decode(chunk, { stream: true });
    rest = text.slice(-tagLength);
    if (!text.includes('mergeCell ')) continue;
    let end = 0;
    for (const found of text.matchAll(tag)) {
      end = found.index + found[0].length;
      const [, letters = '', first, last] = found;
      const [from, to] = [Number(first), Number(last)];
      if (to > from && merges.length < mostMerges) merges.push({ column: columnIndex(letters), from, to });
    }
    rest = text.slice(Math.max(end, text.length - tagLength));
  }
  return merges.toSorted((a, b) => a.from - b.from);
}

export class MergeFiller {
  readonly #merges: readonly Merge[];
  #next = 0;
  /** By column, of which each has one at a time. */
  readonly #open = new Map<number, { to: number; value: string }>();

  readonly #file: string;
  readonly #limits: ReadLimits;
  #filled = 0;
  /** Characters of the values that are open. */
  #held = 0;

  /** Merges to the right of the column `width` are left out. */
  constructor(merges: readonly Merge[], width: number, file: string, limits: ReadLimits) {
    this.#file = file;
    this.#limits = limits;
    this.#merges = merges.filter(({ column }) => column < width);
  }

  /** Changes the cells. Throws an `InputError` where merging makes far more cells than there are. */
  fill(line: number, cells: string[]): void {
    for (const [column, { to, value }] of this.#open) {
      if (to < line) {
        this.#open.delete(column);
        this.#held -= value.length;
        continue;
      }
      while (cells.length <= column) cells.push('');
      if (cells[column] === '') cells[column] = value;
      if (++this.#filled > mostFilled) throw refusal('manyMerged', { file: this.#file, mostFilled });
    }
    for (; this.#next < this.#merges.length; this.#next++) {
      const merge = this.#merges[this.#next];
      if (!merge || merge.from > line) return;
      const value = merge.from === line ? (cells[merge.column] ?? '') : '';
      if (value === '') continue;
      this.#held += value.length - (this.#open.get(merge.column)?.value.length ?? 0);
      if (this.#held > this.#limits.record) throw tooLongRow(this.#file, this.#limits);
      this.#open.set(merge.column, { to: merge.to, value });
    }
  }
}
