// Reads the sheets of an OpenDocument spreadsheet.
import { isDamaged } from '../../core/cells/placeholders.ts';
import type { SheetBuilder } from '../workbook/sheet-builder.ts';
import { isRounded, plainTime, writeCell } from '../xlsx/number-format.ts';
import { type Attributes, timesOf, type XmlListener } from '../xlsx/xml.ts';

/** Elements whose text is no part of the cell: comments, readings of a word, drawings, what was changed before. */
const beside = new Set(['annotation', 'ruby-text', 'shapes', 'frame', 'custom-shape', 'tracked-changes', 'dde-links']);
/** Spaces that one mark stands for, at most. */
const mostSpaces = 1000;

/** Styles by which sheets are hidden, and characters of a style's name, that are remembered. */
const mostStyles = 10_000;
const longestStyle = 1000;

interface Cell {
  attributes: Attributes;
  text: string;
  /** Paragraphs so far. */
  paragraphs: number;
}

export function odsListener(builder: SheetBuilder): XmlListener {
  const hiddenStyles = new Set<string>();
  let style = '';
  let tables = 0;
  let skipped = 0;
  let line = 1;
  let times = 1;
  let isHidden = false;
  let column = 0;
  let cell: Cell | undefined;
  let isText = false;

  const add = (text: string): void => {
    if (cell) cell.text = builder.append(cell.text, text);
  };
  const openText = (name: string, attributes: Attributes, cell: Cell): void => {
    if (name === 'p' || name === 'h') {
      if (cell.paragraphs++ > 0) add('\n');
      isText = true;
    }
    if (name === 's') add(' '.repeat(Math.min(timesOf(attributes['text:c']), mostSpaces)));
    if (name === 'tab') add('\t');
    if (name === 'line-break') add('\n');
  };
  const endCell = (cell: Cell): void => {
    const { attributes } = cell;
    const columns = timesOf(attributes['table:number-columns-repeated']);
    const type = attributes['office:value-type'];
    const isUnknown = type === undefined && attributes['table:formula'] !== undefined && cell.text === '';
    if (isRounded(Number(attributes['office:value'] ?? 0))) builder.note('rounded', column, line);
    // Not every program says that it is an error.
    const isError = attributes['table:formula'] !== undefined && isDamaged(cell.text.trim());
    const text =
      isError || attributes['calcext:value-type'] === 'error'
        ? builder.error(cell.text.trim(), column, line)
        : isUnknown
          ? builder.formula(column, line)
          : textOf(cell);
    builder.cell(column, text, columns);
    const rows = timesOf(attributes['table:number-rows-spanned']);
    if (rows > 1) builder.span(column, line + rows - 1, text);
    column += columns;
  };
  return {
    open(name, attributes) {
      if (skipped > 0 || beside.has(name)) {
        skipped++;
        return;
      }
      switch (name) {
        case 'style':
          style = attributes['style:name'] ?? '';
          return;
        case 'table-properties':
          if (attributes['table:display'] !== 'false' || style.length > longestStyle) return;
          if (hiddenStyles.size < mostStyles) hiddenStyles.add(style);
          return;
        case 'table':
          if (tables++ > 0) return;
          builder.begin({
            name: attributes['table:name'] ?? '',
            isHidden: hiddenStyles.has(attributes['table:style-name'] ?? ''),
          });
          line = 1;
          return;
        case 'table-row':
          if (tables > 1) return;
          column = 0;
          times = timesOf(attributes['table:number-rows-repeated']);
          isHidden = (attributes['table:visibility'] ?? 'visible') !== 'visible';
          return;
        case 'table-cell':
        case 'covered-table-cell':
          if (tables === 1) cell = { attributes, text: '', paragraphs: 0 };
          return;
      }
      if (cell) openText(name, attributes, cell);
    },
    text(text) {
      if (isText && skipped === 0) add(text);
    },
    close(name) {
      if (skipped > 0) {
        skipped--;
        return;
      }
      switch (name) {
        case 'p':
        case 'h':
          isText = false;
          return;
        case 'table':
          tables--;
          return;
        case 'table-row':
          if (tables > 1) return;
          // After its last row a sheet only declares empty rows, often more than are allowed.
          builder.row(line, isHidden, times);
          line += times;
          return;
        case 'table-cell':
        case 'covered-table-cell':
          if (tables === 1 && cell) endCell(cell);
          cell = undefined;
          isText = false;
      }
    },
  };
}

function textOf({ attributes, text }: Cell): string {
  switch (attributes['office:value-type']) {
    case 'float':
    case 'percentage':
    case 'currency': {
      const value = attributes['office:value'] ?? '';
      // Leading zeros exist only in the displayed text.
      const isPadded = /^0\d+$/.test(text) && text.length < 100 && Number(text) === Number(value);
      return isPadded ? text : writeCell(value, { kind: 'plain' }, false);
    }
    case 'date':
      return plainTime(attributes['office:date-value'] ?? text);
    case 'time':
      return timeOf(attributes['office:time-value']) ?? text;
    case 'boolean':
      return (attributes['office:boolean-value'] ?? text).toUpperCase();
    default:
      return attributes['office:string-value'] ?? text;
  }
}

/** `PT08H30M00S` as `08:30:00`. */
function timeOf(value: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S$/.exec(value ?? '') ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
