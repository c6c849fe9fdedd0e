import { type Content, type ExportRow, saying } from '../company.ts';
import type { SourceName } from '../story.ts';
import { look } from './roster.ts';
import { type Facts, judgeNight, slowlyLost } from './rules.ts';
import { type Night, usualOf } from './usual.ts';

/** What a plan should say, and which guards should hold something of it. */
export interface Expected {
  new: number;
  changed: number;
  unchanged: number;
  departed: number;
  possibleInvitations: number;
  guards: string[];
}

/** A roster that somebody or a schedule has read. */
export interface Reading extends Pick<Facts, 'maxInvitations' | 'isBrought' | 'isWatched' | 'tellsStatus'> {
  source: SourceName;
  /** The clock on the wall, ms. */
  at: number;
  rows: readonly ExportRow[];
  members: ReadonlyMap<string, Content>;
  /** A person has brought it: then nobody's absence means anything (R10). */
  isImport: boolean;
  /** Some of it waited for an approval: a guard of a group holds nothing where nobody of that group is sent. */
  wasHeld: boolean;
  invite: boolean;
  forceSync: boolean;
}

/** What a source has sent so far. */
class Memory {
  readonly given = new Map<string, Content>();
  readonly missing = new Set<string>();
  /** The newest first. */
  readonly nights: Night[] = [];

  /** Whether anybody is in this group, as far as this source says. */
  gives(group: string): boolean {
    return [...this.given.values()].some(({ groups }) => groups.includes(group));
  }
}

/** Foretells plans and holds of sources where nothing goes wrong: every call succeeds, and whatever is held is approved. */
export class Oracle {
  /** Guards that had something to judge, and should have let it pass. */
  readonly passed = new Set<string>();
  readonly #memories = { staff: new Memory(), contractors: new Memory() };

  /** What a roster leads to; from then on it has been sent. */
  foretell(reading: Reading): Expected {
    const {
      source,
      at,
      rows,
      members,
      isImport,
      isBrought,
      isWatched,
      tellsStatus,
      wasHeld,
      invite,
      forceSync,
      maxInvitations,
    } = reading;
    const own = this.#memories[source];
    const other = this.#memories[source === 'staff' ? 'contractors' : 'staff'];
    const { given, missing, nights } = own;
    const count = { new: 0, changed: 0, unchanged: 0, departed: 0 };
    const knownBy = ({ given: known }: Memory): number => [...members.keys()].filter((key) => known.has(key)).length;
    const known = knownBy(own);
    const sent: Content[] = [];
    for (const [key, content] of members) {
      const before = given.get(key);
      // Who was missing may have been taken out by hand.
      if (before && !missing.has(key) && isNoNews(before, content, forceSync)) count.unchanged += 1;
      else {
        count[before || other.given.has(key) ? 'changed' : 'new'] += 1;
        sent.push(content);
      }
    }
    const removals = sent.flatMap(({ key, groups }) =>
      (given.get(key)?.groups ?? []).filter(
        (group) => !groups.includes(group) && !other.given.get(key)?.groups.includes(group),
      ),
    );
    // Nobody is asked about it, so it counts as no roster.
    const isLook = isBrought && sent.length === 0 && !wasHeld;
    const listed = new Set(rows.map(({ id }) => id));
    for (const [key, { id }] of isLook ? [] : given) {
      // Whose row cannot be used is there all the same.
      if (members.has(key) || (!isImport && listed.has(id))) missing.delete(key);
      if (isImport || listed.has(id) || missing.has(key)) continue;
      missing.add(key);
      count.departed += 1;
    }
    const roster = look(rows, members);
    const usual = usualOf(nights, at);
    const isKnown = (group: string): boolean =>
      own.gives(group) || other.gives(group) || usual?.groups.has(group) === true;
    const verdicts = judgeNight({
      ...{
        roster,
        ...count,
        isBrought,
        wasHeld,
        isWatched,
        tellsStatus,
        known,
        knownElsewhere: knownBy(other),
        everybody: given.size,
      },
      ...(usual && { usual }),
      ...(maxInvitations !== undefined && { maxInvitations }),
      isOld: nights[0]?.roster.text !== roster.text && nights.some((night) => night.roster.text === roster.text),
      invitations: invite ? count.new : 0,
      removals: forceSync ? removals.length : 0,
      newGroups: new Set(sent.flatMap(({ groups }) => groups).filter((group) => !isKnown(group))).size,
    });
    // Who has lost a group and gets it back is sent it again.
    if (!isLook) for (const [key, content] of members) given.set(key, content);
    const guards = [...verdicts].filter(([, { holds }]) => holds).map(([guard]) => guard);
    for (const [guard, { sees, holds }] of verdicts) if (sees && !holds) this.passed.add(guard);
    const isAsked = verdicts.get('group')?.holds === true && verdicts.get('shrink')?.holds !== true;
    const slow = usual && isAsked ? slowlyLost(roster.groups, usual).keys() : [];
    const shrinking = new Set([...(usual?.shrinking ?? []), ...slow]);
    if (!isLook) nights.unshift({ roster, at, shrinking, wasHeld, ...(nights.length > 0 && { known }) });
    return { ...count, possibleInvitations: invite ? count.new : 0, guards: guards.toSorted() };
  }
}

/** Without `forceSync` there is nothing to send to somebody who only lost groups. */
function isNoNews(own: Content, content: Content, forceSync: boolean): boolean {
  if (saying(own) === saying(content)) return true;
  return (
    !forceSync &&
    saying({ ...own, groups: [] }) === saying({ ...content, groups: [] }) &&
    content.groups.every((group) => own.groups.includes(group))
  );
}
