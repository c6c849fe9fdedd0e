// Guards cells against formulas in CSV, and recognises Excel's text apostrophe.

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
