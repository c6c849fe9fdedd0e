/**
 * What a spreadsheet would run as a formula (OWASP, "CSV Injection"; full-width signs too), also behind apostrophes of its
 * own: so that taking one away again gives back any cell as it was.
 */
export const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Dutch and Afrikaans names that begin with one: `'t Hart`, `'s-Gravenhage`, `'n Blom`. */
const apostropheOfName = /^'[dnst][\s-]/i;

/** Whether a cell begins with the apostrophe by which Excel marks text, and not with one of a name. */
export function hasTextMark(cell: string): boolean {
  return cell.charCodeAt(0) === 39 && !apostropheOfName.test(cell);
}

/** A cell as it is written to a CSV file that is read again: with an apostrophe where a spreadsheet or our reader needs one. */
export function guardCell(cell: string): string {
  return formula.test(cell) || hasTextMark(cell) ? `'${cell}` : cell;
}
