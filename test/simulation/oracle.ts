import { type Content, saying } from './company.ts';

/** What a plan should say, and which guards of people and groups should hold it. */
export interface Expected {
  new: number;
  changed: number;
  unchanged: number;
  departed: number;
  guards: string[];
}

interface Night {
  members: number;
  groups: Map<string, number>;
  wasHeld: boolean;
}

/** The bounds of `settings.ts`. */
const bounds = { departed: [25, 1], changed: [40, 2], new: [40, 3], group: [60, 2], shrink: [50, 3] } as const;
/** As many nights as count for what is usual. */
const mostNights = 5;

/**
 * Foretells plans and holds of a source where nothing goes wrong: every call succeeds, and everything that is held is approved.
 * Written from docs/configuration.md and docs/operations.md, without the product's code.
 */
export class Oracle {
  readonly #given = new Map<string, Content>();
  readonly #missing = new Set<string>();
  #nights: Night[] = [];

  /**
   * What a roster of these members leads to; from then on it has been sent.
   * @param isImport a person has brought it: then nobody's absence means anything (R10)
   */
  foretell(members: ReadonlyMap<string, Content>, isImport: boolean): Expected {
    const isFirst = this.#nights.length === 0;
    const count = { new: 0, changed: 0, unchanged: 0, departed: 0 };
    for (const [key, content] of members) {
      const own = this.#given.get(key);
      this.#missing.delete(key);
      if (own && isNoNews(own, content)) count.unchanged += 1;
      else {
        count[own ? 'changed' : 'new'] += 1;
        this.#given.set(key, content);
      }
    }
    for (const key of this.#given.keys()) {
      if (isImport || members.has(key) || this.#missing.has(key)) continue;
      this.#missing.add(key);
      count.departed += 1;
    }
    const groups = new Map<string, number>();
    for (const { groups: own } of members.values())
      for (const group of own) groups.set(group, (groups.get(group) ?? 0) + 1);
    const guards = isFirst ? [] : this.#guards({ ...count, members: members.size, groups });
    this.#nights.unshift({ members: members.size, groups, wasHeld: guards.length > 0 });
    this.#nights = this.#nights.slice(0, mostNights);
    return { ...count, guards };
  }

  /** What else was held, by guards that are not foretold, is the new usual too, once it is approved. */
  noteHeld(): void {
    const [night] = this.#nights;
    if (night) night.wasHeld = true;
  }

  #guards(now: Omit<Expected, 'guards' | 'unchanged'> & { members: number; groups: Map<string, number> }): string[] {
    const approved = this.#nights.findIndex(({ wasHeld }) => wasHeld);
    const counted = approved === -1 ? this.#nights : this.#nights.slice(0, approved + 1);
    const usual = counted.map(({ members }) => members).toSorted((a, b) => a - b)[Math.floor(counted.length / 2)] ?? 0;
    const isShrunk = isBeyond('shrink', usual - now.members, usual);
    const sizes = [...(this.#nights[0]?.groups ?? [])].some(([group, before]) => {
      const size = now.groups.get(group) ?? 0;
      return isBeyond('group', Math.abs(size - before), before) && !(isShrunk && size < before);
    });
    return [
      ...(isBeyond('changed', now.changed, now.members) ? ['changed'] : []),
      ...(isBeyond('departed', now.departed, usual) ? ['departed'] : []),
      ...(sizes ? ['group'] : []),
      ...(isBeyond('new', now.new, now.members) ? ['new'] : []),
    ];
  }
}

/** Both the share and the number of what a guard bounds are exceeded. */
function isBeyond(guard: keyof typeof bounds, part: number, whole: number): boolean {
  const [percent, count] = bounds[guard];
  return part > count && part / whole > percent / 100;
}

/** Without `forceSync` there is nothing to send to somebody who only lost groups. */
function isNoNews(own: Content, content: Content): boolean {
  if (saying(own) === saying(content)) return true;
  return (
    saying({ ...own, groups: [] }) === saying({ ...content, groups: [] }) &&
    content.groups.every((group) => own.groups.includes(group))
  );
}
