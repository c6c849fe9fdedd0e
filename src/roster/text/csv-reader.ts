// Reads CSV: the header, then batches of rows.
import { say } from '../../core/words/say.ts';
import { refusal, EmptyTable, InputError } from '../../core/errors.ts';
import { cleanCell, addressIn, isEmailAddress } from '../../core/cells/read-cell.ts';
import { columnsMeaning, listColumns } from '../../core/columns/columns.ts';
import { isLogLine } from '../../core/columns/not-people.ts';
import { HeaderAgain } from '../../core/rows/header-again.ts';
import { cutOff, isReject, type Reject, type RosterForm, type Row } from '../../core/rows/row.ts';
import { Apostrophes, TextNotes } from './text-notes.ts';
import { chunkBytes, type RosterBytes } from '../files/bytes.ts';
import { decode } from './encoding.ts';
import { findLayout, findNewline } from './delimiter.ts';
import { headerNotes } from './header.ts';
import type { ReadLimits } from '../files/limits.ts';
import { parseBlock, unwrap } from './parse-block.ts';
import { RecordCutter, RecordFailure, type Block, type Dialect } from './records.ts';
import { batchRows, type RosterFile, rosterIn } from '../roster-file.ts';
import { readAsOf, type Findings } from './survey.ts';
import { quote, withoutQuotes } from '../../core/text/format.ts';

/** Columns of a sheet of Excel, which may be written with all that are empty. */
const sheetColumns = 16_384;

/** Opens a file as CSV: reads as far as the first row, and so the header. Throws an `InputError` if there is none of either. */
export async function openCsv(
  bytes: RosterBytes,
  findings: Findings,
  limits: ReadLimits,
  asked: string | undefined,
  headerLine?: number,
): Promise<RosterFile> {
  const { file } = bytes;
  const head = await firstText(bytes, findings, limits);
  const newline = findNewline(head);
  const lineEnd = newline === '\r' ? '\r' : '\n';
  const isWhole = bytes.sizeBytes <= chunkBytes;
  const { delimiter, notes, ...layout } = await findLayout(head, lineEnd, isWhole, asked, headerLine);
  const dialect: Dialect = { delimiter: delimiter ?? ',', lineEnd };
  const reading: CsvFile = { bytes, findings, limits, dialect, ...layout };
  const { cells: header, line } = await readHeader(reading);
  if (isLogLine(header.join(dialect.delimiter))) throw refusal('looksLikeLog', { file });
  if (delimiter === undefined && header.length < 2) throw noDelimiter(file, header);
  // A spreadsheet may write a whole empty sheet beside the list.
  const width = header.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (width > limits.columns || header.length > Math.max(limits.columns, sheetColumns))
    throw refusal('manyColumns', { file, most: limits.columns });
  notes.push(...headerNotes(header.slice(0, Math.max(width, limits.columns))));
  const { encoding, bom, isUnended } = findings;
  const form: RosterForm = {
    file,
    format: 'csv',
    encoding,
    bom,
    delimiter: dialect.delimiter,
    header,
    headerLine: line,
    newline,
    notes,
    ...(isUnended && { isUnended }),
    ...readAsOf(findings),
  };
  return rosterIn(bytes, form, (chunks) => batchesOf(reading, form, chunks));
}

async function* batchesOf(
  reading: CsvFile,
  { header, delimiter, notes }: RosterForm,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<(Row | Reject)[]> {
  const signs = new TextNotes(notes, reading.findings.encoding);
  const apostrophes = new Apostrophes();
  const seen: RowOptions = { chunks, signs, apostrophes, width: header.length };
  let skip = reading.above + 1;
  let isFirst = reading.isEntra;
  let hasShort = false;
  const again = new HeaderAgain(header);
  for await (const rows of readRows(reading, seen)) {
    const from = Math.min(skip, rows.length);
    skip -= from;
    for (let at = from; at < rows.length; at += batchRows) {
      const batch = rows.slice(at, at + batchRows);
      if (reading.isWrapped) for (const row of batch) row.cells = unwrap(row.cells, delimiter) ?? row.cells;
      const [first] = batch;
      if (isFirst && first && !isReject(first) && example.test(first.cells[0] ?? ''))
        first.leftOut = say('templateExample', 1);
      isFirst = false;
      yield batch.map((row) => {
        const isShort = row.cells.length < header.length;
        const fitted = fit(row, header.length, delimiter);
        const isUnended = row === seen.unended;
        const isCut = isShort && !hasShort && isUnended;
        hasShort ||= isShort;
        if (isUnended) fitted.isUnended = true;
        // Where it is the only one with too few cells.
        return isCut ? cutOff(fitted, say('cutBeforeLast', 1)) : again.take(fitted);
      });
    }
  }
  apostrophes.addTo(notes, header);
}

interface CsvFile {
  bytes: RosterBytes;
  findings: Findings;
  limits: ReadLimits;
  dialect: Dialect;
  above: number;
  isWrapped: boolean;
  isEntra: boolean;
}

/** The first text of a file: what is decoded of its first bytes, and more where that is not two lines. */
async function firstText(bytes: RosterBytes, findings: Findings, limits: ReadLimits): Promise<string> {
  let head = '';
  for await (const text of decode(bytes.chunks(), findings, bytes.file, () => 1)) {
    head += text;
    if (head.length > limits.record || /[\r\n][^\r\n]+[\r\n]/.test(head)) break;
  }
  return head;
}

interface RowOptions {
  chunks?: AsyncIterable<Uint8Array>;
  signs?: TextNotes;
  apostrophes?: Apostrophes;
  /** The number of columns, once the header is read. */
  width?: number;
  /** The last row, where nothing ends its line. */
  unended?: Row | Reject | undefined;
}

async function* readRows(
  { bytes, findings, limits, dialect }: CsvFile,
  seen: RowOptions = {},
): AsyncGenerator<(Row | Reject)[]> {
  const { chunks = bytes.chunks(), signs, apostrophes = new Apostrophes(), width } = seen;
  const { file } = bytes;
  const cutter = new RecordCutter(dialect, limits.record);
  const parse = (cut: () => Block[]): (Row | Reject)[] => {
    try {
      return cut().flatMap((block) => parseBlock(block, dialect, file, apostrophes, width));
    } catch (error) {
      if (!(error instanceof RecordFailure)) throw error;
      throw new InputError(`${file}, line ${error.line}: ${error.message}`);
    }
  };
  for await (const text of decode(chunks, findings, file, () => cutter.line)) {
    signs?.see(text, cutter.line);
    yield parse(() => cutter.cut(text));
  }
  const last = parse(() => cutter.end());
  if (findings.isUnended) seen.unended = last.at(-1);
  yield last;
}

async function readHeader(reading: CsvFile): Promise<Row> {
  const { above, isWrapped, dialect } = reading;
  const { file } = reading.bytes;
  let skip = above;
  let header: Row | Reject | undefined;
  for await (const rows of readRows(reading)) {
    const left = rows.slice(skip);
    skip -= rows.length - left.length;
    header ??= left.shift();
    if (header && isReject(header)) throw new InputError(`${file}, line ${header.line}, the header: ${header.reason}`);
    if (!header || left.length === 0) continue;
    return isWrapped ? { ...header, cells: unwrap(header.cells, dialect.delimiter) ?? header.cells } : header;
  }
  if (!header) throw refusal('blankLines', { file });
  if (header.cells.some((cell) => isEmailAddress(addressIn(cleanCell(cell)))))
    throw new InputError(`${file}: ${say('noHeader', 1)}`);
  throw new EmptyTable(`${file}: it has a header and nobody below it. Export it again with the people in it.`);
}

function noDelimiter(file: string, [header = '']: string[]): InputError {
  const isAddress = isEmailAddress(addressIn(cleanCell(header)));
  if (isAddress || columnsMeaning(listColumns([header]), 'email').length > 0)
    return refusal('onlyAddresses', { file, above: isAddress ? ', with a line of headings above them' : '' });
  const message = `${file}: no delimiter found in the header ${quote(header, 60)}: it has no comma, semicolon, tab, or |. Say which sign it is, or comma if it is one column.`;
  return new InputError(message, { withoutWords: withoutQuotes(message), next: [{ setting: 'read.delimiter' }] });
}

/** The words in which Entra's template begins its example row. */
const example =
  /^\s*(example|beispiel|exemple|ejemplo|exemplo|esempio|voorbeeld|exempel|eksempel|esimerkki|przykład)\s*:/iu;

/** Gives a row that is too short its missing cells, empty; a row that is too long becomes a reject. */
function fit(row: Row | Reject, width: number, delimiter: string): Row | Reject {
  const { cells } = row;
  if (cells.length < width) {
    const missing = new Set<number>();
    while (cells.length < width) missing.add(cells.push('') - 1);
    row.missing = missing;
  }
  if (cells.length === width || isReject(row)) return row;
  const value = cells.slice(width).join(delimiter);
  const reason = say('extraCells', 1, { cells: cells.length, columns: width });
  return { ...row, column: '', value, reason };
}
