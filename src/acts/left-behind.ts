// The acts about groups left behind: list them, and mark them as taken out by hand.
import { defined } from '../core/defined.ts';
import { personKey } from '../core/person/member.ts';
import type { LeftBehindFilter as Filter, LeftBehindPlace } from '../ledger/people/left-behind-list.ts';
import { leftBehindRow } from '../report/files/left-behind.ts';
import { act, type Ask, type Asker, everyPage } from './act.ts';
import { z } from 'zod';
import { described, object, strictObject } from '../data/described.ts';
import { count, time } from './shapes/parts.ts';
import { LeftBehindDocument } from './shapes/roster.ts';

const place = z.strictObject({ service: z.string().max(2000), key: z.string().max(320) });
const filter = described('filter', {
  source: z.string().min(1).max(200).exactOptional(),
  group: z.string().min(1).max(1000).exactOptional(),
  person: z.string().min(1).max(320).exactOptional(),
});

const LeftBehindInput = strictObject('LeftBehindInput', {
  ...filter,
  after: place.exactOptional(),
  limit: z.int().min(1).max(500).exactOptional(),
});

const LeftBehind = object('LeftBehind', {
  people: count.exactOptional(),
  groups: count.exactOptional(),
  alsoGiven: count.exactOptional(),
  at: time.exactOptional(),
  leftBehind: LeftBehindDocument.shape.leftBehind,
  next: place.exactOptional(),
});

const MarkInput = strictObject('MarkInput', { ...filter, before: time });

const LeftBehindMarked = object('LeftBehindMarked', { groups: count, by: z.string() });

/** Which groups are asked for; absent for all. */
export type LeftBehindFilter = Omit<Filter, 'service'>;

const mostAtOnce = 500;

export const listLeftBehind = act({
  id: 'leftBehind.list',
  scope: 'read',
  input: LeftBehindInput,
  output: LeftBehind,
  async run({ context }, { after, limit = mostAtOnce, ...asked }) {
    const filter = await filterOf(context, asked);
    const { rows, next } = await context.ledger.listLeftBehind(filter, after, limit);
    const found = after ? undefined : await context.ledger.countLeftBehind(filter);
    const counted = found && { ...found, at: found.at.toISOString() };
    const leftBehind = rows.filter(({ isGivenElsewhere }) => !isGivenElsewhere).map(leftBehindRow);
    return { ...counted, leftBehind, ...defined({ next }) };
  },
  audit: { none: 'it is a list to work by, as the people of a run are' },
  http: { route: 'POST /left-behind', operation: 'listLeftBehind' },
});

export const markLeftBehind = act({
  id: 'leftBehind.mark',
  scope: 'run',
  input: MarkInput,
  output: LeftBehindMarked,
  async run({ context, by }, { before, ...asked }) {
    const filter = await filterOf(context, asked);
    let marked = 0;
    let after: LeftBehindPlace | undefined;
    do {
      const how = { before: new Date(before), by, limit: mostAtOnce, ...defined({ after }) };
      const { groups, next } = await context.ledger.markLeftBehindDone(filter, how);
      marked += groups;
      after = next;
    } while (after);
    return { groups: marked, by };
  },
  audit: { of: ({ groups }) => `mark ${groups} left behind as done` },
  http: { route: 'POST /left-behind/done', operation: 'markLeftBehind' },
});

/** All of what is left behind, a page at a time, never all in memory. */
export const everyLeftBehind = (ask: Ask, filter: LeftBehindFilter) =>
  everyPage((after?: LeftBehindPlace) => ask(listLeftBehind, { ...filter, ...defined({ after }) }), 'leftBehind');

async function filterOf(
  { ledger, config }: Asker['context'],
  { source, group, person }: LeftBehindFilter,
): Promise<Filter> {
  const gone = source === undefined ? [] : await ledger.goneSources({ sources: Object.keys(config.sources) });
  return {
    ...defined({ source, group: group?.normalize('NFC') }),
    ...(source !== undefined && gone.includes(source) && { isGone: true }),
    ...(person !== undefined && { person: personKey(person) }),
  };
}
