// Reads the rows from the XML of an .xlsx sheet.
import { InputError } from '../../core/errors.ts';
import { isRounded, plainTime, writeCell } from './number-format.ts';
import { unescape, type Package, type Sheet, type Workbook } from './workbook.ts';
import { append, isShortened, noteOddity, type OddKind, type Oddities, type SheetRow } from '../workbook/sheet.ts';
import { type Attributes, readXml } from './xml.ts';
import { quote } from '../../core/text/quote.ts';

const mostRows = 1_048_576;

export async function* readSheetRows(
  pack: Package,
  sheet: Sheet,
  workbook: Workbook,
  oddities: Oddities = new Map(),
): AsyncGenerator<SheetRow[]> {
  const { file, limits } = pack;
  let rows: SheetRow[] = [];
  let row: SheetRow | undefined;
  let last = 0;
  let column = -1;
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  let isFormula = false;
  let hasValue = false;
  let phonetic = 0;
  const note = (kind: OddKind, line: number): void => noteOddity(oddities, kind, column, line);
  const endOfCell = (row: SheetRow): void => {
    const { line, cells } = row;
    if (isFormula && !hasValue) {
      note('formula', line);
      (row.uncomputed ??= new Set()).add(column);
    }
    const text = textOf(value, type, style, workbook);
    if (type === 'e') note('error', line);
    if (type === 'n' && isRounded(Number(value))) note('rounded', line);
    if (type !== 'n' && isShortened(text)) note('scientific', line);
    if (text === '') return;
    while (cells.length < column) cells.push('');
    cells[column] = text;
  };
  const listener = {
    open(name: string, attributes: Attributes): void {
      switch (name) {
        case 'row': {
          const { r, hidden } = attributes;
          last = r === undefined ? last + 1 : Number(r);
          if (!(last >= 1 && last <= mostRows))
            throw new InputError(`${file}: a row of ${quote(sheet.name)} has no number.`);
          row = { line: last, cells: [], isHidden: hidden === '1' || hidden === 'true' };
          column = -1;
          return;
        }
        case 'c': {
          const { r, t = 'n', s = '0' } = attributes;
          column = r === undefined ? column + 1 : columnIndex(r);
          if (!(column >= 0 && column < limits.columns)) {
            throw new InputError(`${file}: ${quote(sheet.name)} has more than ${limits.columns} columns.`);
          }
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
    text(text: string): void {
      if (isValue) value = append(value, text, file, limits);
    },
    close(name: string): void {
      isValue = false;
      if (name === 'rPh') phonetic--;
      if (!row) return;
      if (name === 'c') endOfCell(row);
      if (name !== 'row') return;
      if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
      row = undefined;
    },
  };
  for await (const _ of readXml(pack.bytes(sheet.part), listener, file, limits.record)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

function textOf(value: string, type: string, style: number, { texts, kinds, is1904 }: Workbook): string {
  switch (type) {
    case 's':
      return texts[Number(value)] ?? '';
    case 'b':
      return value === '1' || value === 'true' ? 'TRUE' : value === '' ? '' : 'FALSE';
    case 'e':
      return '';
    case 'd':
      return plainTime(value);
    case 'n':
      return writeCell(value, kinds[style] ?? { kind: 'plain' }, is1904);
    default:
      return unescape(value);
  }
}

/** The 0-based column of a reference such as `AB12`; -1 where it is none. */
export function columnIndex(reference: string): number {
  let index = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const code = reference.charCodeAt(at);
    if (code < 65 || code > 90) break;
    index = index * 26 + code - 64;
  }
  return index - 1;
}
