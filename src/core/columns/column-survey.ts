// Surveys what a column holds, in bounded memory.
import { cleanCell, addressIn, isEmailAddress, listIn } from '../cells/read-cell.ts';
import { isPlaceholder } from '../cells/placeholders.ts';

const separators = [';', '#', '|', ',', '\n', '/'] as const;
/** What may stand between the levels of a path. */
export const pathSeparators = ['/', ' > ', '\\'] as const;

const mostValues = 200;
const mostDomains = 1000;
const mostExamples = 3;
/** Longer texts are no names of anything. */
const longestValue = 120;

export class ColumnSurvey {
  readonly index: number;
  readonly name: string;
  /** Cells, and those of them that are not empty. */
  rows = 0;
  filled = 0;
  /** The same in two columns that hold the same, row by row; of others almost surely not. */
  sum = 0;
  /** E-mail addresses, and how many there are of each domain. */
  addresses = 0;
  readonly domains = new Map<string, number>();
  /** How many cells hold each value; undefined once there are too many different ones. */
  values: Map<string, number> | undefined = new Map();
  readonly examples: string[] = [];
  /** How many cells have each separator in them. */
  readonly separated = new Map<string, number>();
  /** The first cell that has each separator between two texts. */
  readonly firstSeparated = new Map<string, string>();
  /** The parts of cells by a separator; undefined once there are too many different ones. */
  readonly parts = new Map<string, Set<string> | undefined>();

  constructor(index: number, name: string) {
    this.index = index;
    this.name = name;
  }

  add(cell: string): void {
    this.rows += 1;
    const text = cleanCell(cell);
    if (text === '') return;
    this.filled += 1;
    this.#sum(text);
    const address = text.includes('@') ? addressIn(text) : '';
    if (address !== '' && isEmailAddress(address)) this.#address(address);
    const isNew = this.#count(text);
    if (isNew && this.examples.length < mostExamples) this.examples.push(text.slice(0, longestValue));
    // In #N/A, neither # nor / is a separator; in ["A","B"], the comma is one for sure.
    if (isPlaceholder(text) || listIn(text)) return;
    const whole = cell.trim();
    for (const separator of separators) if (whole.includes(separator)) this.#separate(whole, separator);
    for (const separator of pathSeparators) {
      if (separator !== '/' && text.includes(separator))
        this.separated.set(separator, (this.separated.get(separator) ?? 0) + 1);
    }
  }

  #sum(text: string): void {
    // As FNV-1a, begun with the row.
    let sum = this.sum ^ this.rows;
    for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
    this.sum = sum;
  }

  #address(text: string): void {
    this.addresses += 1;
    const domain = text.slice(text.lastIndexOf('@') + 1).toLowerCase();
    const count = this.domains.get(domain);
    if (count !== undefined || this.domains.size < mostDomains) this.domains.set(domain, (count ?? 0) + 1);
  }

  /** Returns whether the value is seen for the first time, as far as anybody can say. */
  #count(text: string): boolean {
    if (!this.values) return true;
    const count = this.values.get(text);
    if (count === undefined && (this.values.size >= mostValues || text.length > longestValue)) {
      this.values = undefined;
      return true;
    }
    this.values.set(text, (count ?? 0) + 1);
    return count === undefined;
  }

  #separate(text: string, separator: string): void {
    this.separated.set(separator, (this.separated.get(separator) ?? 0) + 1);
    if (!this.firstSeparated.has(separator)) this.firstSeparated.set(separator, text.slice(0, longestValue));
    if (this.parts.has(separator) && this.parts.get(separator) === undefined) return;
    const parts = this.parts.get(separator) ?? new Set();
    for (const part of text.split(separator)) parts.add(part.trim().slice(0, longestValue));
    this.parts.set(separator, parts.size > mostValues ? undefined : parts);
  }

  /** Whether the column holds a few values again and again, such as departments or statuses. */
  get isVocabulary(): boolean {
    return this.values !== undefined && this.filled >= 4 && this.values.size <= Math.max(2, this.filled / 2);
  }
}

export function surveyColumns(header: readonly string[]): ColumnSurvey[] {
  return header.map((name, index) => new ColumnSurvey(index, name.trim()));
}
