// Reads the tables of a web page as sheets.
import { Parser } from 'htmlparser2';
import { InputError } from '../../core/errors.ts';
import type { ReadLimits } from '../files/limits.ts';
import { type Attributes, timesOf } from '../xlsx/xml.ts';
import { type NamedSheet, SheetBuilder, type SheetPart } from '../workbook/sheet-builder.ts';

/** The deepest nesting of elements; exports have about ten levels. */
const mostDepth = 500;
/** Elements whose text nobody sees. */
const unseen = new Set(['script', 'style', 'template', 'noscript', 'title', 'select']);
/** Elements that begin on a line of their own. */
const blocks = new Set(['p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

interface Table {
  sheet: NamedSheet;
  /** Tables stand in its cells: it only says where things are on the page. */
  isLayout: boolean;
  line: number;
  isHidden: boolean;
  column: number;
}

interface Cell {
  text: string;
  rows: number;
  columns: number;
}

/** A table that holds others is none. Throws an `InputError` if a table does not end, and beyond the limits. */
export async function* readHtmlTables(
  texts: AsyncIterable<string>,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<SheetPart[]> {
  const builder = new SheetBuilder(file, limits);
  const tables = tableListener(builder, file);
  let depth = 0;
  let pushed = 0;
  let heard = 0;
  const hear = () => {
    heard = pushed;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      hear();
      if (++depth > mostDepth)
        throw new InputError(`${file}: its HTML stands in itself more than ${mostDepth} levels deep.`);
      tables.open(name, attributes);
    },
    onclosetag(name, isImplied) {
      hear();
      depth--;
      tables.close(name, isImplied);
    },
    ontext(text) {
      hear();
      tables.text(text);
    },
    oncomment: hear,
    onprocessinginstruction: hear,
  });
  for await (const text of texts) {
    pushed += text.length;
    parser.write(text);
    if (pushed - heard > limits.record)
      throw new InputError(`${file}: one value in it is longer than ${limits.record} characters.`);
    yield builder.take();
  }
  parser.end();
  yield builder.take();
}

function tableListener(builder: SheetBuilder, file: string) {
  /** Those that are open, the innermost last. */
  const tables: Table[] = [];
  let count = 0;
  let unseenDepth = 0;
  let cell: Cell | undefined;

  const begin = (): void => {
    const outer = tables.at(-1);
    if (outer && !outer.isLayout) {
      outer.isLayout = true;
      builder.drop(outer.sheet);
    }
    cell = undefined;
    const sheet = { name: `Table ${++count}`, isHidden: false };
    tables.push({ sheet, isLayout: false, line: 0, isHidden: false, column: 0 });
    builder.begin(sheet);
  };
  const endCell = (table: Table): void => {
    if (!cell) return;
    while (builder.isCovered(table.column, table.line)) table.column++;
    const text = cell.text
      .replaceAll(/[^\S\u2028]+/g, ' ')
      .split('\u2028')
      .map((line) => line.trim())
      .join('\n')
      .trim();
    builder.cell(table.column, text);
    for (let right = 0; right < cell.columns && cell.rows > 1; right++)
      builder.span(table.column + right, table.line + cell.rows - 1, right === 0 ? text : '');
    table.column += cell.columns;
    cell = undefined;
  };
  return {
    open(name: string, attributes: Attributes): void {
      if (unseen.has(name)) unseenDepth++;
      if (unseenDepth > 0) return;
      if (name === 'table') begin();
      const table = tables.at(-1);
      if (!table || table.isLayout) return;
      switch (name) {
        case 'tr':
          table.line++;
          table.column = 0;
          table.isHidden = isUnshown(attributes);
          return;
        case 'td':
        case 'th':
          // A table may leave out the beginning of its first row.
          if (table.line === 0) table.line = 1;
          cell = { text: '', rows: timesOf(attributes['rowspan']), columns: timesOf(attributes['colspan']) };
          return;
      }
      if (cell && (name === 'br' || (blocks.has(name) && cell.text.trim() !== '')))
        cell.text = builder.append(cell.text, '\u2028');
    },
    text(text: string): void {
      if (unseenDepth === 0 && cell) cell.text = builder.append(cell.text, text);
    },
    close(name: string, isImplied: boolean): void {
      if (unseen.has(name)) unseenDepth--;
      const table = tables.at(-1);
      if (unseenDepth > 0 || !table) return;
      if (name === 'table') {
        if (isImplied) throw new InputError(`${file}: a table in it does not end: it was cut off. Export it again.`);
        tables.pop();
      } else if (!table.isLayout) {
        if (name === 'td' || name === 'th') endCell(table);
        if (name === 'tr') builder.row(table.line, table.isHidden);
      }
    },
  };
}

function isUnshown({ style = '', hidden }: Attributes): boolean {
  return hidden !== undefined || /display\s{0,9}:\s{0,9}none/i.test(style);
}
