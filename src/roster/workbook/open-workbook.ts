// Opens a workbook of any format as a roster.
import { refusal, InputError } from '../../core/errors.ts';
import { createHash } from 'node:crypto';
import { defined } from '../../core/defined.ts';
import type { RosterFormat } from '../../core/rows/row.ts';
import { tooLarge, type RosterBytes } from '../files/bytes.ts';
import { decode, type Encoding, parseEncoding } from '../text/encoding.ts';
import type { ReadLimits } from '../files/limits.ts';
import { formats, markupEncoding, noList } from '../files/magic.ts';
import { countOf } from '../text/records.ts';
import type { Opening, RosterFile } from '../roster-file.ts';
import { explain, Survey } from '../text/survey.ts';
import { openXlsx } from '../xlsx/open-xlsx.ts';
import { chooseTables } from './choose-tables.ts';
import { keepSheets, readTables } from './workbook-reader.ts';
import { type AnyWorkbook, SheetBuilder, type SheetPart } from './sheet-builder.ts';
import { readXml, type XmlListener } from '../xlsx/xml.ts';

/** What a workbook is written in; `xml` is that of Excel 2003, which is called `.xls` too. */
const kinds = {
  xlsx: { format: 'xlsx', open: ({ bytes, limits }) => openXlsx(bytes, limits) },
  ods: kept('ods', async (from) => sheetsIn(from, (await import('../ods/ods-reader.ts')).odsListener)),
  xml: kept('xls', async (from) => {
    const { spreadsheetListener } = await import('../xlsx/spreadsheet-xml.ts');
    return sheetsIn(from, spreadsheetListener, await encodingSaid(from.bytes));
  }),
  html: kept(
    'html',
    async (from) => {
      const { readHtmlTables } = await import('../html/html-tables.ts');
      return readHtmlTables(await textsOf(from), from.bytes.file, from.limits);
    },
    noList,
  ),
  xls: kept('xls', async ({ bytes, limits }) => {
    return (await import('../xls/xls-reader.ts')).readXls(await inMemory(bytes, limits), bytes.file, limits);
  }),
} as const satisfies Record<string, Kind>;

interface From extends Opening {
  bytes: RosterBytes;
  /** The part with the sheets; all of it, unless it is an OpenDocument spreadsheet. */
  content(): AsyncIterable<Uint8Array>;
}

/** The sheets in XML; `encoding` is what its first line says. */
async function* sheetsIn(
  { content, bytes: { file }, limits }: From,
  listenerOf: (builder: SheetBuilder) => XmlListener,
  encoding?: Encoding,
): AsyncGenerator<SheetPart[]> {
  const builder = new SheetBuilder(file, limits);
  for await (const _ of readXml(content(), listenerOf(builder), file, limits.record, encoding)) yield builder.take();
}

interface Kind {
  format: RosterFormat;
  open(from: From): Promise<AnyWorkbook>;
}

/** A kind that is read once, from its beginning to its end. What only some rosters need is loaded when one comes. */
function kept(format: RosterFormat, read: (from: From) => Promise<AsyncIterable<SheetPart[]>>, nobody?: string): Kind {
  return {
    format,
    async open(from) {
      const { file } = from.bytes;
      const found = await keepSheets(await read(from), { file, format, limits: from.limits, ...defined({ nobody }) });
      if (found.sheets.length > 0) return found;
      await found.close();
      throw new InputError(`${file}: ${nobody ?? 'the workbook has no sheet with a table.'}`);
    },
  };
}

/** An old workbook is read into memory; none that Excel wrote for 65,536 rows of people comes near this. */
const mostXlsBytes = 256 * 1024 ** 2;

/**
 * Opens a workbook: the sheet that is named, else the one whose header names a person, or all sheets of one kind. Throws an
 * `InputError` if that is none or several, where the workbook is locked or damaged, of another format than is asked for,
 * or beyond the limits.
 */
export async function openWorkbook(
  kind: keyof typeof kinds,
  bytes: RosterBytes,
  opening: Opening,
  content: From['content'] = () => bytes.chunks(),
): Promise<RosterFile> {
  const { options } = opening;
  const { format, open }: Kind = kinds[kind];
  let workbook: AnyWorkbook | undefined;
  try {
    if (options.format !== undefined && options.format !== format)
      throw refusal('otherFormat', { file: bytes.file, title: formats[format].title, asked: options.format });
    const hash = createHash('sha256');
    for await (const chunk of bytes.chunks()) hash.update(chunk);
    workbook = await open({ ...opening, bytes, content });
    const chosen = await chooseTables(workbook, options, bytes.file);
    if (kind !== 'xlsx') await bytes.close();
    return readTables(bytes, hash.digest('hex'), workbook, chosen);
  } catch (error) {
    await workbook?.close();
    await bytes.close();
    throw error;
  }
}

/** The text of a web page, in the encoding that is told, that it says, or that it is judged to be in. */
async function textsOf({ bytes, options }: From): Promise<AsyncIterable<string>> {
  const { file } = bytes;
  const encoding = options.encoding === undefined ? await encodingSaid(bytes) : parseEncoding(options.encoding);
  const survey = new Survey(file, Infinity, encoding, options.encoding === undefined);
  try {
    for await (const chunk of bytes.chunks()) survey.push(chunk);
    const findings = await survey.end();
    let line = 1;
    return (async function* () {
      for await (const text of decode(bytes.chunks(), findings, file, () => line)) {
        line += countOf(text, '\n');
        yield text;
      }
    })();
  } catch (error) {
    throw await explain(error, bytes);
  }
}

/** What markup says about its encoding; what says UTF-16 and is read at all is none, unless a byte order mark says it too. */
async function encodingSaid(bytes: RosterBytes): Promise<Encoding | undefined> {
  for await (const chunk of bytes.chunks()) {
    const said = markupEncoding(chunk);
    const encoding = said === undefined ? undefined : parseEncoding(said);
    return encoding?.startsWith('utf-16') ? undefined : encoding;
  }
  return undefined;
}

/** Throws an `InputError` for more than memory is given to. */
export async function inMemory(bytes: RosterBytes, limits: ReadLimits): Promise<Buffer> {
  const most = Math.min(mostXlsBytes, limits.unpacked);
  if (bytes.sizeBytes > most) throw tooLarge(bytes.file, most);
  return Buffer.concat(await Array.fromAsync(bytes.chunks(), (chunk) => Buffer.from(chunk)));
}
