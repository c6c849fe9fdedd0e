// The shapes of groups left behind: which are asked for, and a page of them.
import { z } from 'zod';
import { count, time } from './parts.ts';
import { LeftBehindDocument } from './roster.ts';

const place = z.strictObject({ service: z.string().max(2000), key: z.string().max(320) });
const filter = {
  source: z.string().min(1).max(200).exactOptional().describe('Only what this source gave.'),
  group: z.string().min(1).max(1000).exactOptional().describe('Only this group.'),
  person: z.string().min(1).max(320).exactOptional().describe('Only this person, by their address.'),
};

export const LeftBehindInput = z
  .strictObject({
    ...filter,
    after: place.exactOptional().describe('The `next` of the page before.'),
    limit: z.int().min(1).max(500).exactOptional().describe('The most people in one answer; 500 unless given.'),
  })
  .describe('In the body, so that no proxy logs the address.');

export const LeftBehind = z.object({
  people: count.exactOptional().describe('On the first page: how many people there are in all.'),
  groups: count.exactOptional().describe('On the first page: how many lines there are in all.'),
  at: time.exactOptional().describe('On the first page: when that was so, for marking what was listed.'),
  leftBehind: LeftBehindDocument.shape.leftBehind,
  next: place.exactOptional().describe('If there may be more: ask for those `after` this.'),
});

export const MarkInput = z
  .strictObject({ ...filter, before: time.describe('The `at` of the list: what came later is not marked.') })
  .describe('Should somebody who left come back, they are given these groups again.');

export const LeftBehindMarked = z.object({ groups: count, by: z.string().describe('Who said so.') });
