// Detects the delimiter, the line ends and the header of a CSV file.
import { setImmediate } from 'node:timers/promises';
import { isReject, type Reject, type Row } from '../../core/rows/row.ts';
import { say } from '../../core/words/say.ts';
import { refusal } from '../../core/errors.ts';
import { findHeader } from './header.ts';
import { parseBlock, unwrap } from './parse-block.ts';
import { defaultLimits } from '../files/limits.ts';
import { countOf, RecordCutter, type Dialect } from './records.ts';
import { quote } from '../../core/text/format.ts';

/** The delimiters that are looked for, the usual ones first. */
const candidates = [',', ';', '\t', '|'] as const;
const names: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t', '\\t': '\t', pipe: '|' };
/** A rejects file of ours says its delimiter without doubt. */
const rejectHeader = /_line([^\w\s"]|\t)_reason\1_run/;
/** The line by which Excel is told what parts the cells. */
const separatorLine = /^"?sep=([^\w\s"]|\t)"?[^\S\r\n]*[\r\n]/i;
const sampleRows = 100;

/** Reads a delimiter as people write it: one sign, or `comma`, `semicolon`, `tab`, `pipe`. Throws an `InputError`. */
export function parseDelimiter(text: string): string {
  const delimiter = names[text.toLowerCase()] ?? text;
  if (delimiter.length === 1 && !/[\p{L}\p{N}"\r\n\0\ufeff\ud800-\udfff]/u.test(delimiter)) return delimiter;
  throw refusal('wrongDelimiter', { text });
}

/** What ends a line, by the first text of a file. Quoted text does not count. */
export function findNewline(head: string): '\n' | '\r\n' | '\r' {
  for (const text of [head.replaceAll(/"[^"]*(?:"|$)/g, ''), head]) {
    const at = text.indexOf('\n');
    if (at !== -1) return text[at - 1] === '\r' ? '\r\n' : '\n';
    if (text.includes('\r')) return '\r';
  }
  return '\n';
}

const longText = 256 * 1024;
const mostCells = defaultLimits.columns;

/** How the table is written in the text of a file. */
export interface Layout {
  /** Undefined when nothing parts the header. */
  delimiter: string | undefined;
  /** As many records above the header are not part of the table; blank ones do not count. */
  above: number;
  /** Each row is one quoted cell. */
  isWrapped: boolean;
  /** The file begins with Entra's version line: an example may be its first row. */
  isEntra: boolean;
  notes: string[];
}

/** What a file looks like by one delimiter. */
interface Table {
  delimiter: string;
  above: number;
  isWrapped: boolean;
  /** The first cell of what stands above the header, below a `sep=` line. */
  title: string;
  width: number;
  /** The part of the rows that is as wide as the header. */
  agreement: number;
}

/**
 * Finds the delimiter and the header by the first text of a file. Of the delimiters that part the header it is the
 * one by which the most rows have as many cells as the header, then the one that leaves the least above it, then the one
 * that gives the most columns.
 */
export async function findLayout(
  head: string,
  lineEnd: Dialect['lineEnd'],
  isWhole: boolean,
  asked: string | undefined,
  headerLine?: number,
): Promise<Layout> {
  const text = isWhole ? head + lineEnd : head;
  const said = separatorLine.exec(head)?.[1];
  const own = rejectHeader.exec(head)?.[1];
  const first = said === undefined ? 0 : 1;
  const delimiter = asked ?? own ?? said;
  const choices = delimiter === undefined ? candidates : [delimiter];
  // A rejects file of ours has no titles above its header.
  const headerAt: FindHeader = (records, cells) => {
    const at = headerLine === undefined ? -1 : records.findIndex(({ line }) => line >= headerLine);
    return at === -1 && own === undefined ? findHeader(cells) : Math.max(0, at);
  };
  const [asIs, unwrapped]: [Table[], Table[]] = [[], []];
  for (const delimiter of choices) {
    // A hostile text takes long for each delimiter: other work gets its turn in between.
    if (text.length > longText) await setImmediate();
    // A delimiter that would cut lines into more cells than a table may have columns is not the one.
    if (choices.length > 1 && countOf(text, delimiter) > mostCells * (countOf(text, lineEnd) + 1)) continue;
    const [plain, wrapped] = tablesBy({ delimiter, lineEnd }, text, first, headerAt);
    unwrapped.push(wrapped);
    // If the rows are wrapped and the header is not, only the header would decide.
    asIs.push(wrapped.width > 1 && wrapped.agreement > 0.5 && plain.agreement < 0.5 ? wrapped : plain);
  }
  const best = bestOf(asIs) ?? bestOf(unwrapped);
  const { above = 0, isWrapped = false, title = '' } = best ?? asIs[0] ?? {};
  const titles = above - first;
  const notes: string[] = [];
  if (said !== undefined) notes.push(say('separatorLine', 1, { text: said === '\t' ? '(tab)' : said }));
  const shown = quote(title.slice(0, 1000).replace(/\s+/g, ' ').trim(), 60);
  if (titles > 0) notes.push(say('titles', titles, { text: shown }));
  if (isWrapped) notes.push(say('wrapped', 1));
  const isEntra = titles > 0 && /^version:/i.test(title);
  return { delimiter: best?.delimiter ?? delimiter, above, isWrapped, isEntra, notes };
}

/** Several groups in each cell may split all rows alike: a layout that skips the first line must be better. */
function bestOf(tables: readonly Table[]): Table | undefined {
  return tables
    .filter(({ width }) => width > 1)
    .toSorted((a, b) => b.agreement - a.agreement || a.above - b.above || b.width - a.width)[0];
}

/** Gives the place of the header among the first records, which are surely not above it. */
type FindHeader = (records: readonly Row[], cells: readonly string[][]) => number;

/** What the text looks like by a delimiter: as it is, and where each row is one quoted cell. */
function tablesBy(dialect: Dialect, text: string, first: number, headerAt: FindHeader): [Table, Table] {
  const { delimiter } = dialect;
  const records = firstRecords(text, dialect, first + sampleRows + 1).slice(first);
  const tableOf = (cells: readonly string[][], isWrapped: boolean): Table => {
    const at = headerAt(records, cells);
    const width = cells[at]?.length ?? 0;
    const rows = Math.max(0, records.length - at - 1);
    const agreeing = records.filter((row, place) => place > at && !isReject(row) && cells[place]?.length === width);
    const agreement = rows === 0 ? 1 : agreeing.length / rows;
    return { delimiter, above: first + at, isWrapped, title: cells[0]?.[0] ?? '', width, agreement };
  };
  const cells = records.map((row) => row.cells);
  const within = cells.map((row) => unwrap(row, delimiter) ?? row);
  return [tableOf(cells, false), tableOf(within, true)];
}

/** The first records of a text. Twice as many lines nearly always have them, and the rest need not be parsed. */
function firstRecords(text: string, dialect: Dialect, count: number): (Row | Reject)[] {
  let end = 0;
  for (let lines = 0; lines < 2 * count && end < text.length; lines += 1) {
    end = text.indexOf(dialect.lineEnd, end) + 1 || text.length;
  }
  for (const part of end < text.length ? [text.slice(0, end), text] : [text]) {
    const blocks = new RecordCutter(dialect, Infinity).cut(part);
    const records = blocks.flatMap((block) => parseBlock(block, dialect, ''));
    if (records.length >= count || part === text) return records.slice(0, count);
  }
  return [];
}
