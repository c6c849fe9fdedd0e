/**
 * What a spreadsheet would run as a formula (OWASP, "CSV Injection"; full-width signs too), also behind apostrophes of its
 * own: so that taking one away again gives back any cell as it was.
 */
export const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A cell as it is written to a CSV file that people open: with an apostrophe before what a spreadsheet would run. */
export function guardFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** A cell of a CSV file as it was meant: without that apostrophe, which other programs write too. */
export function unguardFormula(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}
