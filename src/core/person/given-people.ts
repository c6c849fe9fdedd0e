// Tells the rows of people who are exactly as they were given last.
import { TextSet } from '../hashing/text-set.ts';

/** So many characters of a fingerprint, 64 bits, are compared. */
export const comparedCharacters = 16;

/** What a source last gave its people, as far as it takes to tell who is unchanged. A million people take 10 to 15 MB. */
export class GivenPeople {
  readonly #lines = new TextSet();

  /** Adds people, a line each: the first `comparedCharacters` of the fingerprint, and the employee id where one is known. */
  add(lines: string): void {
    if (lines !== '') this.#lines.addLines(lines);
  }

  /** Whether somebody was given exactly this. The fingerprint has the address in it, so it is the same person. */
  has({ fingerprint, employeeId = '' }: { fingerprint: string; employeeId?: string }): boolean {
    return this.#lines.has(fingerprint, comparedCharacters, employeeId);
  }
}
