// Detects the delimiter, the line ends and the header of a CSV file.
import { setImmediate } from 'node:timers/promises';
import type { Reject, Row } from '../../core/rows/row.ts';
import { refusal, say } from '../../core/words/say.ts';
import { findHeader } from './header.ts';
import { parseBlock, unwrap } from './parse-block.ts';
import { defaultLimits } from '../files/limits.ts';
import { countOf, RecordCutter, type Dialect } from './records.ts';
import { quote } from '../../core/text/quote.ts';

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
  return newlineOutsideQuotes(head) ?? newlineAt(head, head.indexOf('\n')) ?? (head.includes('\r') ? '\r' : '\n');
}

function newlineOutsideQuotes(head: string): '\n' | '\r\n' | '\r' | undefined {
  let hasReturn = false;
  for (let at = 0; at < head.length; at++) {
    const sign = head[at];
    if (sign === '\n') return newlineAt(head, at);
    if (sign === '\r') hasReturn = true;
    if (sign !== '"') continue;
    at = head.indexOf('"', at + 1);
    if (at === -1) break;
  }
  return hasReturn ? '\r' : undefined;
}

function newlineAt(head: string, at: number): '\n' | '\r\n' | undefined {
  if (at === -1) return undefined;
  return head[at - 1] === '\r' ? '\r\n' : '\n';
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
  const delimiter = asked ?? own ?? said;
  const choices = delimiter === undefined ? candidates : [delimiter];
  const hints: Hints = { first: said === undefined ? 0 : 1, hasTitles: own === undefined, headerLine };
  const judged: ReturnType<typeof judge>[] = [];
  for (const delimiter of choices) {
    // A hostile text takes long for each delimiter: other work gets its turn in between.
    if (text.length > longText) await setImmediate();
    // A delimiter that would cut lines into more cells than a table may have columns is not the one.
    if (choices.length > 1 && countOf(text, delimiter) > mostCells * (countOf(text, lineEnd) + 1)) continue;
    judged.push(judge(text, { delimiter, lineEnd }, hints));
  }
  const best = bestOf(judged.map((both) => both.plain)) ?? bestOf(judged.map((both) => both.wrapped));
  const table = best ?? judged[0]?.plain;
  const notes: string[] = [];
  if (said !== undefined) notes.push(say('separatorLine', 1, { text: said === '\t' ? '(tab)' : said }));
  const titles = table ? table.above - (said === undefined ? 0 : 1) : 0;
  if (table && titles > 0) notes.push(say('titles', titles, { text: quoteTitle(table.title) }));
  if (table?.isWrapped) notes.push(say('wrapped', 1));
  const isEntra = table !== undefined && titles > 0 && /^version:/i.test(table.title);
  const found = best?.delimiter ?? delimiter;
  return { delimiter: found, above: table?.above ?? 0, isWrapped: table?.isWrapped ?? false, isEntra, notes };
}

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

function bestOf(tables: readonly Table[]): Table | undefined {
  let best: Table | undefined;
  for (const table of tables) {
    if (table.width < 2) continue;
    if (!best || compare(table, best) > 0) best = table;
  }
  return best;
}

/** Several groups in each cell may split all rows alike: a layout that skips the first line must be better. */
function compare(a: Table, b: Table): number {
  return a.agreement - b.agreement || b.above - a.above || a.width - b.width;
}

/** Where the header may be. */
interface Hints {
  /** Records that are surely above it. */
  first: number;
  /** There may be titles above it. */
  hasTitles: boolean;
  /** The line that it is said to begin on. */
  headerLine: number | undefined;
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

function judge(text: string, dialect: Dialect, hints: Hints): { plain: Table; wrapped: Table } {
  const { first, hasTitles, headerLine } = hints;
  const { delimiter } = dialect;
  const records = firstRecords(text, dialect, first + sampleRows + 1)
    .slice(first)
    .map((row) => ({ line: row.line, cells: row.cells, isReject: 'reason' in row }));
  const tableOf = (all: typeof records, isWrapped: boolean): Table => {
    const said = headerLine === undefined ? -1 : all.findIndex(({ line }) => line >= headerLine);
    const at = said >= 0 ? said : hasTitles ? findHeader(all.map(({ cells }) => cells)) : 0;
    const width = all[at]?.cells.length ?? 0;
    const rows = all.slice(at + 1);
    const agreeing = rows.filter((row) => !row.isReject && row.cells.length === width);
    const agreement = rows.length === 0 ? 1 : agreeing.length / rows.length;
    return { delimiter, above: first + at, isWrapped, title: all[0]?.cells[0] ?? '', width, agreement };
  };
  const plain = tableOf(records, false);
  const wrapped = tableOf(
    records.map((row) => ({ ...row, cells: unwrap(row.cells, delimiter) ?? row.cells })),
    true,
  );
  // If the rows are wrapped and the header is not, only the header would decide.
  const isBetter = wrapped.width > 1 && wrapped.agreement > 0.5 && plain.agreement < 0.5;
  return { plain: isBetter ? wrapped : plain, wrapped };
}

function quoteTitle(text: string): string {
  return quote(text.slice(0, 1000).replace(/\s+/g, ' ').trim(), 60);
}
