// The acts about groups left behind: list them, and mark them as taken out by hand.
import { defined } from '../core/defined.ts';
import { personKey } from '../core/person/member.ts';
import type { LeftBehindFilter as Filter, LeftBehindPlace } from '../ledger/people/left-behind-list.ts';
import { leftBehindRow } from '../report/files/left-behind.ts';
import { act, type Ask } from './act.ts';
import { z } from 'zod';
import { count, time } from './shapes/parts.ts';
import { LeftBehindDocument } from './shapes/roster.ts';

const place = z.strictObject({ service: z.string().max(2000), key: z.string().max(320) });
const filter = {
  source: z.string().min(1).max(200).exactOptional().describe('Only what this source gave.'),
  group: z.string().min(1).max(1000).exactOptional().describe('Only this group.'),
  person: z.string().min(1).max(320).exactOptional().describe('Only this person, by their address.'),
};

const LeftBehindInput = z
  .strictObject({
    ...filter,
    after: place.exactOptional().describe('The `next` of the page before.'),
    limit: z.int().min(1).max(500).exactOptional().describe('The most people in one answer; 500 unless given.'),
  })
  .describe('In the body, so that no proxy logs the address.');

const LeftBehind = z.object({
  people: count.exactOptional().describe('On the first page: how many people there are in all.'),
  groups: count.exactOptional().describe('On the first page: how many lines there are in all.'),
  at: time.exactOptional().describe('On the first page: when that was so, for marking what was listed.'),
  leftBehind: LeftBehindDocument.shape.leftBehind,
  next: place.exactOptional().describe('If there may be more: ask for those `after` this.'),
});

const MarkInput = z
  .strictObject({ ...filter, before: time.describe('The `at` of the list: what came later is not marked.') })
  .describe('Should somebody who left come back, they are given these groups again.');

const LeftBehindMarked = z.object({ groups: count, by: z.string().describe('Who said so.') });

/** Which groups are asked for; absent for all. */
export type LeftBehindFilter = Omit<Filter, 'service'>;

const mostAtOnce = 500;

export const listLeftBehind = act({
  id: 'leftBehind.list',
  scope: 'read',
  input: LeftBehindInput,
  output: LeftBehind,
  async run({ context: { ledger } }, { after, limit = mostAtOnce, ...asked }) {
    const filter = filterOf(asked);
    const { rows, next } = await ledger.listLeftBehind(filter, after, limit);
    const found = after ? undefined : await ledger.countLeftBehind(filter);
    const counted = found && { ...found, at: found.at.toISOString() };
    return { ...counted, leftBehind: rows.map(leftBehindRow), ...defined({ next }) };
  },
  audit: { none: 'it is a list to work by, as the people of a run are' },
  http: {
    route: 'POST /left-behind',
    operation: 'listLeftBehind',
    summary: 'List who must be taken out of which group by hand',
    description: 'No roster gives it to them any more, and the interface cannot take it away.',
  },
});

export const markLeftBehind = act({
  id: 'leftBehind.mark',
  scope: 'run',
  input: MarkInput,
  output: LeftBehindMarked,
  async run({ context: { ledger }, by }, { before, ...asked }) {
    let marked = 0;
    let after: LeftBehindPlace | undefined;
    do {
      const how = { before: new Date(before), by, limit: mostAtOnce, ...defined({ after }) };
      const { groups, next } = await ledger.markLeftBehindDone(filterOf(asked), how);
      marked += groups;
      after = next;
    } while (after);
    return { groups: marked, by };
  },
  audit: { of: ({ groups }) => `mark ${groups} left behind as done` },
  http: {
    route: 'POST /left-behind/done',
    operation: 'markLeftBehind',
    summary: 'Say that what was listed is taken out at the service by hand',
  },
});

/** All of what is left behind, a page at a time, never all in memory. */
export async function* everyLeftBehind(ask: Ask, filter: LeftBehindFilter) {
  let after: LeftBehindPlace | undefined;
  do {
    const { leftBehind, next } = await ask(listLeftBehind, { ...filter, ...defined({ after }) });
    yield* leftBehind;
    after = next;
  } while (after);
}

function filterOf({ source, group, person }: LeftBehindFilter): Filter {
  return {
    ...defined({ source, group: group?.normalize('NFC') }),
    ...(person !== undefined && { person: personKey(person) }),
  };
}
