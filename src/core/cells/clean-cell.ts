// Cleans a cell: NFC, no invisible characters, trimmed; and guards cells against formulas in CSV.

/**
 * Control characters, soft hyphens, byte order marks, and the format characters that nobody sees but that make
 * two equal names differ. U+200C and U+200D stay where a script needs them: after a mark (Sinhala, Devanagari
 * conjuncts) or an Arabic letter, before another letter.
 */
const invisible =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<![\p{M}\p{Script=Arabic}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})/gu;
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Visible characters of ASCII and Latin, none of which NFC changes, with single spaces between them: nearly every cell. */
const plain = /^[!-~\u00a1-\u00ac\u00ae-\u024f]+(?: [!-~\u00a1-\u00ac\u00ae-\u024f]+)*$/;

/** As a person meant it: NFC, nothing invisible, line breaks and tabs as one space, trimmed; all else as written. */
export function cleanCell(cell: string): string {
  if (cell === '' || plain.test(cell)) return cell;
  return cell.replace(lineBreaks, ' ').replace(invisible, '').normalize('NFC').trim();
}

/** Dutch and Afrikaans names that begin with one: `'t Hart`, `'s-Gravenhage`, `'n Blom`. */
const apostropheOfName = /^'[dnst][\s-]/i;

/** Whether a cell begins with the apostrophe by which Excel marks text, and not with one of a name. */
export function hasTextMark(cell: string): boolean {
  return cell.charCodeAt(0) === 39 && !apostropheOfName.test(cell);
}

/** What a spreadsheet would run (OWASP, "CSV Injection"), or begins with a text mark. Our reader takes one away. */
export const guarded = /^(?:'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|'(?![dnst][\s-]))/i;

export function guardCell(cell: string): string {
  return guarded.test(cell) ? `'${cell}` : cell;
}
