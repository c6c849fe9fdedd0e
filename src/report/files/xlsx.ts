// Writes rows as an Excel workbook.
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { InputError } from '../../core/errors.ts';
import type { Cell } from './csv.ts';

/** As many rows as Excel opens, the header among them. */
const mostRows = 1_048_576;
/** The most characters that a cell takes. */
const mostOfCell = 32_767;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook with one sheet, besides the sheet (ECMA-376, part 1). */
const parts = (sheet: string): Record<string, string> => ({
  '[Content_Types].xml':
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  '_rels/.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${xml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
});

/** In bytes as its rows come; no cell is a formula. Throws an InputError for more rows than Excel opens. */
export async function* xlsx(
  { name: sheet, columns }: { name: string; columns: readonly string[] },
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts(sheet))) zip.addBuffer(Buffer.from(head + text), name);
  const bytes = zip.outputStream as Readable;
  // The library does not pass on errors of the stream it reads.
  const content = Readable.from(sheetXml(columns, rows)).on('error', (error) => bytes.destroy(error));
  zip.on('error', (error: Error) => bytes.destroy(error));
  zip.addReadStream(content, 'xl/worksheets/sheet1.xml');
  zip.end();
  try {
    yield* bytes as AsyncIterable<Uint8Array>;
  } finally {
    content.destroy();
  }
}

async function* sheetXml(
  columns: readonly string[],
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const begin = `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews><sheetData>`;
  yield Buffer.from(begin + rowXml(columns));
  let count = 1;
  for await (const some of rows) {
    count += some.length;
    if (count > mostRows) {
      throw new InputError(`A workbook of Excel holds at most ${mostRows - 1} rows: name a file that ends in .csv.`);
    }
    yield Buffer.from(some.map(rowXml).join(''));
  }
  yield Buffer.from('</sheetData></worksheet>');
}

function rowXml(cells: readonly Cell[]): string {
  return `<row>${cells.map(cellXml).join('')}</row>`;
}

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  const text = xml(String(cell).slice(0, mostOfCell));
  return `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** A text within XML; what XML cannot hold becomes the sign for that. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
