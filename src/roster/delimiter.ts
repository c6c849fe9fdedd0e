import { InputError } from '../core/errors.ts';
import { parseBlock } from './parse-block.ts';
import { RecordCutter, type Dialect } from './records.ts';

/** The delimiters that are looked for, the usual ones first. */
const candidates = [',', ';', '\t', '|'] as const;
const names: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t', '\\t': '\t', pipe: '|' };
/** A rejects file of ours says its delimiter without doubt. */
const rejectHeader = /_line([^\w\s"]|\t)_reason\1_run/;
const sampleRows = 100;

/** Reads a delimiter as people write it: one sign, or `comma`, `semicolon`, `tab`, `pipe`. Throws an `InputError`. */
export function parseDelimiter(text: string): string {
  const delimiter = names[text.toLowerCase()] ?? text;
  if (delimiter.length === 1 && !/[\p{L}\p{N}"\r\n\0\ufeff\ud800-\udfff]/u.test(delimiter)) return delimiter;
  throw new InputError(
    `"${text}" is not a delimiter: give one sign that no name holds, or comma, semicolon, tab, or pipe.`,
  );
}

/** What ends a line, by the first text of a file. Quoted text does not count. */
export function findNewline(head: string): '\n' | '\r\n' | '\r' {
  const unquoted = head
    .split('"')
    .filter((_, at) => at % 2 === 0)
    .join('"');
  const text = /[\r\n]/.test(unquoted) ? unquoted : head;
  const end = text.indexOf('\n');
  if (end === -1) return text.includes('\r') ? '\r' : '\n';
  return text[end - 1] === '\r' ? '\r\n' : '\n';
}

/**
 * Finds the delimiter by the first text of a file: of those that part the header, the one by which the most rows
 * have as many cells as the header, then the one that gives the most columns. Undefined when none parts the header.
 */
export function findDelimiter(head: string, lineEnd: Dialect['lineEnd'], isWhole: boolean): string | undefined {
  const own = rejectHeader.exec(head);
  if (own) return own[1];
  const text = isWhole ? head + lineEnd : head;
  let best: { delimiter: string; agreement: number; width: number } | undefined;
  for (const delimiter of candidates) {
    const { agreement, width } = judge(text, { delimiter, lineEnd });
    if (width < 2) continue;
    if (!best || agreement > best.agreement || (agreement === best.agreement && width > best.width)) {
      best = { delimiter, agreement, width };
    }
  }
  return best?.delimiter;
}

function judge(text: string, dialect: Dialect): { agreement: number; width: number } {
  const blocks = new RecordCutter(dialect, Infinity).cut(text);
  const [header, ...rows] = blocks.flatMap((block) => parseBlock(block, dialect, '')).slice(0, sampleRows + 1);
  const width = header?.cells.length ?? 0;
  const agreeing = rows.filter((row) => !('reason' in row) && row.cells.length === width);
  return { width, agreement: rows.length === 0 ? 1 : agreeing.length / rows.length };
}
