// Reads workbooks in the XML of Excel 2003.
import type { ReadLimits } from '../files/limits.ts';
import { SheetBuilder, type SheetPart } from '../workbook/sheet-builder.ts';
import { isRounded, plainTime, writeCell } from './number-format.ts';
import { type Attributes, attributeOf, readXml, type XmlListener } from './xml.ts';

/** `encoding` is what its first line says. Throws an `InputError`. */
export async function* readSpreadsheetXml(
  chunks: AsyncIterable<Uint8Array>,
  { file, limits, encoding }: { file: string; limits: ReadLimits; encoding?: string | undefined },
): AsyncGenerator<SheetPart[]> {
  const builder = new SheetBuilder(file, limits);
  for await (const _ of readXml(chunks, new SpreadsheetListener(builder), file, limits.record, encoding)) {
    yield builder.take();
  }
}

class SpreadsheetListener implements XmlListener {
  readonly #builder: SheetBuilder;
  #line = 0;
  #times = 1;
  #isHidden = false;
  #column = -1;
  #cell: Attributes = {};
  #type: string | undefined;
  #text = '';
  #isData = false;

  constructor(builder: SheetBuilder) {
    this.#builder = builder;
  }

  open(name: string, attributes: Attributes): void {
    const at = (key: string) => attributeOf(attributes, key);
    switch (name) {
      case 'Worksheet':
        // Whether it is hidden stands behind its rows; a hidden sheet is rare in what systems write.
        this.#builder.begin({ name: at('Name') ?? '', isHidden: false });
        this.#line = 0;
        return;
      case 'Row':
        this.#line = at('Index') === undefined ? this.#line + 1 : Number(at('Index'));
        this.#times = Number(at('Span') ?? 0) + 1;
        this.#isHidden = at('Hidden') === '1';
        this.#column = -1;
        return;
      case 'Cell': {
        const index = at('Index');
        this.#column = index === undefined ? this.#column + 1 : Number(index) - 1;
        while (index === undefined && this.#builder.isCovered(this.#column, this.#line)) this.#column++;
        this.#cell = attributes;
        this.#type = undefined;
        this.#text = '';
        return;
      }
      case 'Data':
        this.#type = at('Type') ?? 'String';
        this.#isData = true;
    }
  }

  text(text: string): void {
    if (this.#isData) this.#text = this.#builder.append(this.#text, text);
  }

  close(name: string): void {
    switch (name) {
      case 'Data':
        this.#isData = false;
        return;
      case 'Cell':
        this.#end();
        return;
      case 'Row':
        this.#builder.row(this.#line, this.#isHidden);
        this.#line += this.#times - 1;
    }
  }

  #end(): void {
    const at = (key: string) => Number(attributeOf(this.#cell, key) ?? 0);
    const text = this.#value();
    this.#builder.cell(this.#column, text);
    if (at('MergeDown') > 0) this.#builder.span(this.#column, this.#line + at('MergeDown'), text);
    this.#column += at('MergeAcross');
  }

  #value(): string {
    const note = (kind: 'error' | 'formula' | 'rounded') => this.#builder.note(kind, this.#column, this.#line);
    switch (this.#type) {
      case undefined:
        if (attributeOf(this.#cell, 'Formula') !== undefined) note('formula');
        return '';
      case 'Error':
        note('error');
        return '';
      case 'Number':
        if (isRounded(Number(this.#text))) note('rounded');
        return writeCell(this.#text.trim(), { kind: 'plain' }, false);
      case 'Boolean':
        return this.#text.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'DateTime':
        return plainTime(this.#text.trim());
      default:
        return this.#text;
    }
  }
}
