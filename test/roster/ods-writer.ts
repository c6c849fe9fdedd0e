import { xml } from './workbook-writer.ts';
import { zipOf } from './zip-writer.ts';

const names = ['office', 'table', 'text', 'style', 'manifest']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

/** The XML of a cell of text. */
export function textCell(text: string, more = ''): string {
  const lines = text.split('\n').map((line) => {
    const spaced = xml(line).replaceAll('\t', '<text:tab/>').replaceAll(' ', '<text:s/>');
    return `<text:p>${spaced}</text:p>`;
  });
  return `<table:table-cell office:value-type="string"${more}>${lines.join('')}</table:table-cell>`;
}

/** The XML of rows of texts. */
export function odsRows(table: readonly (readonly string[])[]): string {
  return table
    .map((cells) => `<table:table-row>${cells.map((cell) => textCell(cell)).join('')}</table:table-row>`)
    .join('');
}

/** The XML of a sheet. */
export function odsSheet(name: string, rows: string, more = ''): string {
  return `<table:table table:name="${xml(name)}"${more}>${rows}</table:table>`;
}

/** Writes an OpenDocument spreadsheet, with what stands before its sheets. */
export function odsOf(sheets: string, { before = '', manifest = '', kind = 'spreadsheet' } = {}): Buffer {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${names}>${before}<office:body><office:spreadsheet>${sheets}</office:spreadsheet></office:body></office:document-content>`;
  return zipOf([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}` },
    { name: 'content.xml', content },
    { name: 'META-INF/manifest.xml', content: `<manifest:manifest ${names}>${manifest}</manifest:manifest>` },
  ]);
}
