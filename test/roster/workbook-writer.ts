import { zipOf, type ZipFile } from './zip-writer.ts';

/** A sheet: the XML of its rows, and what stands behind them. */
export interface SheetXml {
  name: string;
  rows: string;
  after?: string;
  state?: 'hidden' | 'veryHidden';
}

export interface WorkbookParts {
  sheets: readonly SheetXml[];
  texts?: readonly string[];
  /** Codes of number formats, used as `s="1"`, `s="2"` …; `s="0"` is plain. A number is a built-in format. */
  formats?: readonly (string | number)[];
  is1904?: boolean;
  more?: readonly ZipFile[];
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Escapes a text for XML. */
export function xml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
}

/** The XML of rows of texts, each cell inline. */
export function textRows(table: readonly (readonly string[])[]): string {
  return table
    .map((cells, at) => {
      const inner = cells.map((cell) => `<c t="inlineStr"><is><t xml:space="preserve">${xml(cell)}</t></is></c>`);
      return `<row r="${at + 1}">${inner.join('')}</row>`;
    })
    .join('');
}

/** Writes a workbook. */
export function workbookOf({ sheets, texts = [], formats = [], is1904 = false, more = [] }: WorkbookParts): Buffer {
  const codes = formats.map((format, at) => (typeof format === 'number' ? { id: format } : { id: 164 + at, format }));
  const own = codes.flatMap(({ id, format }) =>
    format === undefined ? [] : [`<numFmt numFmtId="${id}" formatCode="${xml(format)}"/>`],
  );
  const files: ZipFile[] = [
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook ${main} xmlns:r="${relations}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
        .map(
          ({ name, state }, at) =>
            `<sheet name="${xml(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${packages}">${sheets
        .map(
          (_, at) =>
            `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="rIdT" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rIdS" Type="${relations}/styles" Target="/xl/styles.xml"/><Relationship Id="rIdX" Type="${relations}/externalLink" Target="http://127.0.0.1:1/secret" TargetMode="External"/></Relationships>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `<sst ${main}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet ${main}><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes
        .map(({ id }) => `<xf numFmtId="${id}"/>`)
        .join('')}</cellXfs></styleSheet>`,
    },
    ...sheets.map(({ rows, after = '' }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `<worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`,
    })),
    ...more,
  ];
  return zipOf(files);
}
