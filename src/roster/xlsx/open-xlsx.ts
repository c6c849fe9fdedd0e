// Opens an .xlsx workbook, and reads the rows of its sheets from their XML.
import { InputError } from '../../core/errors.ts';
import { quote } from '../../core/text/format.ts';
import type { RosterBytes } from '../files/bytes.ts';
import type { ReadLimits } from '../files/limits.ts';
import { type AnyWorkbook, mostRows, type NamedSheet, type Noticed, SheetBuilder } from '../workbook/sheet-builder.ts';
import { isRounded, plainTime, writeCell } from './number-format.ts';
import { openPackage, type Package, readWorkbook, type Sheet, unescape, type Workbook } from './workbook.ts';
import { readXml, type XmlListener } from './xml.ts';

/** Reads what its sheets share. Throws an `InputError` if it is damaged or beyond the limits. */
export async function openXlsx(bytes: RosterBytes, limits: ReadLimits): Promise<AnyWorkbook> {
  const open = (fd: number): Promise<Package> => openPackage(fd, bytes.file, limits);
  const read = bytes.within(async function* (fd) {
    yield await readWorkbook(await open(fd));
  });
  for await (const workbook of read) {
    const { sheets } = workbook;
    return {
      format: 'xlsx',
      sheets,
      async *rows(wanted: NamedSheet, seen: Noticed, width: number) {
        const sheet = sheets.find((one) => one === wanted);
        if (!sheet) return;
        yield* bytes.within(async function* (fd) {
          const pack = await open(fd);
          const builder = new SheetBuilder(bytes.file, limits);
          builder.begin(sheet, seen);
          // Reading them takes a pass over the sheet.
          const merges = width > 0 ? await readMerges(pack, sheet) : [];
          const listener = rowListener(sheet, workbook, { pack, builder, merges, width });
          for await (const _ of readXml(pack.bytes(sheet.part), listener, bytes.file, limits.record)) {
            const rows = builder.take().filter((part) => 'cells' in part);
            if (rows.length > 0) yield rows;
          }
          seen.merged = merges.length;
        });
      },
      close: () => bytes.close(),
    };
  }
  throw new Error('The workbook was not opened.');
}

interface Building {
  pack: Package;
  builder: SheetBuilder;
  merges: readonly Merge[];
  width: number;
}

function rowListener(sheet: Sheet, workbook: Workbook, { pack, builder, merges, width }: Building): XmlListener {
  const merged = Map.groupBy(
    merges.filter(({ column }) => column < width),
    ({ from }) => from,
  );
  let line = 0;
  let column = -1;
  let isHidden = false;
  let isBlank = true;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  let isFormula = false;
  let hasValue = false;
  let phonetic = 0;
  const endCell = (): void => {
    if (type === 'n' && isRounded(Number(value))) builder.note('rounded', column, line);
    // A text that is computed may be empty, a number may not: openpyxl writes an empty value with every formula.
    const isUnknown = isFormula && (!hasValue || (type === 'n' && value === ''));
    const text = isUnknown
      ? builder.formula(column, line)
      : type === 'e'
        ? builder.error(value, column, line)
        : textOf(value, type, style, workbook);
    builder.cell(column, text);
    isBlank &&= isUnknown || text.trim() === '';
  };
  return {
    open(name, attributes) {
      switch (name) {
        case 'row': {
          const { r, hidden } = attributes;
          line = r === undefined ? line + 1 : Number(r);
          if (!(line >= 1 && line <= mostRows))
            throw new InputError(`${pack.file}: a row of ${quote(sheet.name)} has no number.`);
          isHidden = hidden === '1' || hidden === 'true';
          isBlank = true;
          column = -1;
          builder.dropRow();
          return;
        }
        case 'c': {
          const { r, t = 'n', s = '0' } = attributes;
          column = r === undefined ? column + 1 : columnIndex(r);
          type = t;
          style = Number(s);
          value = '';
          isFormula = false;
          hasValue = false;
          return;
        }
        case 'f':
          isFormula = true;
          return;
        case 'rPh':
          phonetic++;
          return;
        case 'v':
        case 't':
          hasValue = true;
          isValue = phonetic === 0;
      }
    },
    text(text) {
      if (isValue) value = builder.append(value, text);
    },
    close(name) {
      isValue = false;
      if (name === 'rPh') phonetic--;
      if (name === 'c') endCell();
      if (name !== 'row') return;
      // What is merged into a row does not make it one.
      if (isBlank) return;
      for (const { column, to } of merged.get(line) ?? []) builder.span(column, to);
      builder.row(line, isHidden);
    },
  };
}

function textOf(value: string, type: string, style: number, { texts, kinds, is1904 }: Workbook): string {
  switch (type) {
    case 's':
      return value === '' ? '' : (texts[Number(value)] ?? '');
    case 'b':
      return value === '1' || value === 'true' ? 'TRUE' : value === '' ? '' : 'FALSE';
    case 'd':
      return plainTime(value);
    case 'n':
      return writeCell(value, kinds[style] ?? { kind: 'plain' }, is1904);
    default:
      return unescape(value);
  }
}

/** The 0-based column of a reference such as `AB12`; -1 where it is none. */
function columnIndex(reference: string): number {
  let index = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const code = reference.charCodeAt(at);
    if (code < 65 || code > 90) break;
    index = index * 26 + code - 64;
  }
  return index - 1;
}

/** Cells merged over several rows: the column, and the rows after the first that have its value. */
export interface Merge {
  column: number;
  from: number;
  to: number;
}

/** More merged cells than these are left out. */
export const mostMerges = 200_000;
/** As long as a tag of a merged cell, by far. */
const tagLength = 200;
const tag = /<(?:\w+:)?mergeCell\b[^<>]*?\bref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g;

/**
 * They stand behind the rows in the file, so it is read for them first, as text, which is much faster than its cells.
 */
async function readMerges(pack: Package, sheet: Sheet): Promise<Merge[]> {
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
  return merges;
}
