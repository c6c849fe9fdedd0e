// Reads the sheets of an OpenDocument spreadsheet.
import type { ReadLimits } from '../files/limits.ts';
import { SheetBuilder, type SheetPart } from '../workbook/sheet-builder.ts';
import { isRounded, plainTime, writeCell } from '../xlsx/number-format.ts';
import { type Attributes, readXml, timesOf, type XmlListener } from '../xlsx/xml.ts';

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

export async function* readOds(
  content: AsyncIterable<Uint8Array>,
  file: string,
  limits: ReadLimits,
): AsyncGenerator<SheetPart[]> {
  const builder = new SheetBuilder(file, limits);
  const listener = new OdsListener(builder);
  for await (const _ of readXml(content, listener, file, limits.record)) yield builder.take();
}

class OdsListener implements XmlListener {
  readonly #builder: SheetBuilder;
  readonly #hiddenStyles = new Set<string>();
  #style = '';
  #tables = 0;
  #skipped = 0;
  #line = 1;
  #times = 1;
  #isHidden = false;
  #column = 0;
  #cell: Cell | undefined;
  #isText = false;

  constructor(builder: SheetBuilder) {
    this.#builder = builder;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0 || beside.has(name)) {
      this.#skipped++;
      return;
    }
    switch (name) {
      case 'style':
        this.#style = attributes['style:name'] ?? '';
        return;
      case 'table-properties':
        if (attributes['table:display'] !== 'false' || this.#style.length > longestStyle) return;
        if (this.#hiddenStyles.size < mostStyles) this.#hiddenStyles.add(this.#style);
        return;
      case 'table':
        if (this.#tables++ > 0) return;
        this.#builder.begin({
          name: attributes['table:name'] ?? '',
          isHidden: this.#hiddenStyles.has(attributes['table:style-name'] ?? ''),
        });
        this.#line = 1;
        return;
      case 'table-row':
        if (this.#tables > 1) return;
        this.#column = 0;
        this.#times = timesOf(attributes['table:number-rows-repeated']);
        this.#isHidden = (attributes['table:visibility'] ?? 'visible') !== 'visible';
        return;
      case 'table-cell':
      case 'covered-table-cell':
        if (this.#tables === 1) this.#cell = { attributes, text: '', paragraphs: 0 };
        return;
    }
    if (this.#cell) this.#openText(name, attributes, this.#cell);
  }

  #openText(name: string, attributes: Attributes, cell: Cell): void {
    switch (name) {
      case 'p':
      case 'h':
        if (cell.paragraphs++ > 0) this.#add('\n', cell);
        this.#isText = true;
        return;
      case 's':
        this.#add(' '.repeat(Math.min(timesOf(attributes['text:c']), mostSpaces)), cell);
        return;
      case 'tab':
        this.#add('\t', cell);
        return;
      case 'line-break':
        this.#add('\n', cell);
    }
  }

  #add(text: string, cell: Cell): void {
    cell.text = this.#builder.append(cell.text, text);
  }

  text(text: string): void {
    if (this.#isText && this.#skipped === 0 && this.#cell) this.#add(text, this.#cell);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    switch (name) {
      case 'p':
      case 'h':
        this.#isText = false;
        return;
      case 'table':
        this.#tables--;
        return;
      case 'table-row':
        if (this.#tables > 1) return;
        // After its last row a sheet only declares empty rows, often more than are allowed.
        this.#builder.row(this.#line, this.#isHidden, this.#times);
        this.#line += this.#times;
        return;
      case 'table-cell':
      case 'covered-table-cell':
        if (this.#tables === 1 && this.#cell) this.#end(this.#cell);
        this.#cell = undefined;
        this.#isText = false;
    }
  }

  #end(cell: Cell): void {
    const { attributes } = cell;
    const columns = timesOf(attributes['table:number-columns-repeated']);
    const text = this.#textOf(cell);
    if (text !== '') this.#builder.cell(this.#column, text, columns);
    const rows = timesOf(attributes['table:number-rows-spanned']);
    if (rows > 1) this.#builder.span(this.#column, this.#line + rows - 1, text);
    this.#column += columns;
  }

  #textOf({ attributes, text }: Cell): string {
    const note = (kind: 'error' | 'formula' | 'rounded') => this.#builder.note(kind, this.#column, this.#line);
    const type = attributes['office:value-type'];
    if (attributes['calcext:value-type'] === 'error') {
      note('error');
      return '';
    }
    if (type === undefined && attributes['table:formula'] !== undefined && text === '') note('formula');
    switch (type) {
      case 'float':
      case 'percentage':
      case 'currency': {
        const value = attributes['office:value'] ?? '';
        if (isRounded(Number(value))) note('rounded');
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
}

/** `PT08H30M00S` as `08:30:00`. */
function timeOf(value: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S$/.exec(value ?? '') ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
