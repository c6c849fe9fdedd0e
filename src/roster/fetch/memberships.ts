// Holds who is in which groups, in bounded memory.
import { InputError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { quote } from '../../core/text/quote.ts';

/** Memberships that are held in memory at most; a few hundred MB. */
const mostEntries = 5_000_000;

export class Memberships {
  readonly #source: string;
  readonly #groups = new Map<string, string[]>();
  #entries = 0;

  /** @param source its name, for messages */
  constructor(source: string) {
    this.#source = source;
  }

  /** Throws an `InputError` for more than memory is given to. */
  add(member: string, group: string): void {
    assertRoom((this.#entries += 1), this.#source);
    const groups = this.#groups.get(member);
    if (groups) groups.push(group);
    else this.#groups.set(member, [group]);
  }

  /** The names of the groups of a member, each once. */
  groupsOf(member: string): string[] {
    return [...new Set(this.#groups.get(member))];
  }
}

/** Throws an `InputError` for more entries than are held in memory. */
export function assertRoom(entries: number, source: string): void {
  if (entries > mostEntries) throw new InputError(`${source}: it has more than ${mostEntries} memberships.`);
}

/** What a person should hear of groups whose names `namesInOneCell` changed. */
export function notesOfRenamed(renamed: ReadonlySet<string>): string[] {
  return [...renamed].map((name) => say('groupWithCommas', 1, { group: quote(name) }));
}
