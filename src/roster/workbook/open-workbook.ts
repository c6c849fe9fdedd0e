// Opens a workbook of any format as a roster.
import { createHash } from 'node:crypto';
import { InputError } from '../../core/errors.ts';
import type { RosterFormat } from '../../core/rows/row.ts';
import { spool, tooLarge, type RosterBytes } from '../files/bytes.ts';
import { decode } from '../text/decode.ts';
import { type Encoding, parseEncoding } from '../text/encoding.ts';
import type { ReadLimits } from '../files/limits.ts';
import { markupEncoding, noList, workbookNames } from '../files/magic.ts';
import type { Source } from '../text/open-text.ts';
import { countOf } from '../text/records.ts';
import type { Opening } from '../opening.ts';
import type { RosterFile } from '../roster-file.ts';
import { explain, Offence, Survey } from '../text/survey.ts';
import { XlsxWorkbook } from '../xlsx/xlsx-workbook.ts';
import { chooseTables } from './choose-tables.ts';
import { KeptSheets } from './kept-sheets.ts';
import type { AnyWorkbook } from './sheet.ts';
import type { SheetPart } from './sheet-builder.ts';
import { WorkbookReader } from './workbook-reader.ts';

/** What a workbook is written in; `xml` is that of Excel 2003, which is called `.xls` too. */
export type WorkbookKind = 'xlsx' | 'ods' | 'xls' | 'xml' | 'html';

const formats = { xlsx: 'xlsx', ods: 'ods', xls: 'xls', xml: 'xls', html: 'html' } as const satisfies Record<
  WorkbookKind,
  RosterFormat
>;

/** An old workbook is read into memory; none that Excel wrote for 65,536 rows of people comes near this. */
const mostXlsBytes = 256 * 1024 ** 2;

/** Throws an `InputError` if another format was asked for than a file has. */
function assertAsked(kind: WorkbookKind, file: string, { options }: Opening): void {
  const format = formats[kind];
  if (options.format === undefined || options.format === format) return;
  throw new InputError(`${file}: this is ${workbookNames[format]}. Leave out --format ${options.format}.`);
}

/** Takes in what comes only once; what is there already stays as it is. */
export async function bytesOf(source: Source, { limits }: Opening): Promise<RosterBytes> {
  if ('bytes' in source) return source.bytes;
  return spool(source.stream, { file: source.name, most: limits.bytes, modifiedAt: source.modifiedAt });
}

/**
 * Opens a workbook: the sheet that is named, else the one whose header names a person, or all sheets of one kind. Throws an
 * `InputError` if that is none or several, where the workbook is locked or damaged, or beyond the limits.
 * @param content of an OpenDocument spreadsheet, its part with the sheets
 */
export async function openWorkbook(
  kind: WorkbookKind,
  bytes: RosterBytes,
  opening: Opening,
  content: () => AsyncIterable<Uint8Array> = () => bytes.chunks(),
): Promise<RosterFile> {
  const { options } = opening;
  let workbook: AnyWorkbook | undefined;
  try {
    assertAsked(kind, bytes.file, opening);
    const hash = createHash('sha256');
    for await (const chunk of bytes.chunks()) hash.update(chunk);
    workbook = await open(kind, bytes, opening, content);
    const { file, sizeBytes, modifiedAt } = bytes;
    const chosen = await chooseTables(workbook, options, file);
    if (kind !== 'xlsx') await bytes.close();
    return new WorkbookReader({ file, sizeBytes, modifiedAt, checksum: hash.digest('hex') }, workbook, chosen);
  } catch (error) {
    await workbook?.close();
    await bytes.close();
    throw error;
  }
}

async function open(
  kind: WorkbookKind,
  bytes: RosterBytes,
  opening: Opening,
  content: () => AsyncIterable<Uint8Array>,
): Promise<AnyWorkbook> {
  const { limits } = opening;
  if (kind === 'xlsx') return XlsxWorkbook.open(bytes, limits);
  // What only some rosters need is loaded when one comes.
  const parts = await partsOf(kind, bytes, opening, content);
  const kept = await KeptSheets.keep(parts, {
    file: bytes.file,
    format: formats[kind],
    limits,
    ...(kind === 'html' && { nobody: noList }),
  });
  if (kept.sheets.length > 0) return kept;
  await kept.close();
  throw new InputError(`${bytes.file}: ${kind === 'html' ? noList : 'the workbook has no sheet with a table.'}`);
}

async function partsOf(
  kind: Exclude<WorkbookKind, 'xlsx'>,
  bytes: RosterBytes,
  opening: Opening,
  content: () => AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<SheetPart[]>> {
  const { file } = bytes;
  const { limits } = opening;
  switch (kind) {
    case 'ods': {
      const { readOds } = await import('../ods/ods-reader.ts');
      return readOds(content(), file, limits);
    }
    case 'xml': {
      const { readSpreadsheetXml } = await import('../xlsx/spreadsheet-xml.ts');
      return readSpreadsheetXml(bytes.chunks(), { file, limits, encoding: await encodingSaid(bytes) });
    }
    case 'html': {
      const { readHtmlTables } = await import('../html/html-tables.ts');
      return readHtmlTables(await textsOf(bytes, opening), file, limits);
    }
    case 'xls': {
      const { readXls } = await import('../xls/xls-reader.ts');
      return readXls(await inMemory(bytes, limits), file, limits);
    }
  }
}

/** The text of a web page, in the encoding that is told, that it says, or that it is judged to be in. */
async function textsOf(bytes: RosterBytes, { options }: Opening): Promise<AsyncIterable<string>> {
  const { file } = bytes;
  const encoding = options.encoding === undefined ? await encodingSaid(bytes) : parseEncoding(options.encoding);
  const survey = new Survey(file, Infinity, encoding);
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
    throw error instanceof Offence ? await explain(error, bytes) : error;
  }
}

/** What markup says about its encoding; what says UTF-16 and is read at all is none, unless a byte order mark says it too. */
async function encodingSaid(bytes: RosterBytes): Promise<Encoding | undefined> {
  const said = markupEncoding(await headOf(bytes));
  const encoding = said === undefined ? undefined : parseEncoding(said);
  return encoding?.startsWith('utf-16') ? undefined : encoding;
}

async function headOf(bytes: RosterBytes): Promise<Uint8Array> {
  for await (const chunk of bytes.chunks()) return Uint8Array.from(chunk);
  return new Uint8Array();
}

/** Throws an `InputError` for more than memory is given to. */
export async function inMemory(bytes: RosterBytes, limits: ReadLimits): Promise<Buffer> {
  const most = Math.min(mostXlsBytes, limits.unpacked);
  if (bytes.sizeBytes > most) throw tooLarge(bytes.file, most);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes.chunks()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
