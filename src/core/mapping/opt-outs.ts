// Who asked not to be sent, by address or employee id.
import { personKey } from '../person/member.ts';

export class OptOuts {
  /** Their addresses and employee ids, in lower case. */
  readonly entries: ReadonlySet<string>;
  /** The addresses of those whom the ledger, or a row, knows by such an id. */
  readonly known = new Set<string>();
  readonly #found = new Set<string>();

  constructor(entries: readonly string[] = []) {
    this.entries = new Set(entries.map(personKey));
  }

  /** Whether somebody is one of them: by their address or id; of whom no id is given, by the one that is known. */
  has(email: string, employeeId: string | undefined): boolean {
    if (this.entries.size === 0) return false;
    const key = personKey(email);
    if (this.entries.has(key)) return true;
    if (employeeId === undefined) return this.known.has(key);
    const id = personKey(employeeId);
    if (!this.entries.has(id)) return false;
    this.know(key, id);
    return true;
  }

  /** Somebody has this address and this id, which opted out. */
  know(key: string, id: string): void {
    if (key !== '') this.known.add(key);
    this.#found.add(id);
  }

  /** Those of the ids that nobody had so far. */
  unfound(): string[] {
    return [...this.entries].filter((entry) => !entry.includes('@') && !this.#found.has(entry));
  }
}
