// The schemas of what the API says about the people of a run: who they are, how they ended, and when.
import { z } from 'zod';
import { causePattern, failedOutcomes } from '../../core/run/cause.ts';
import { Action, count, Outcome, time, timeOrNull } from './parts.ts';
import { rate, RunParams, sheetForm } from './requests.ts';

const group = z.string().min(1).max(1000);
const cause = z.string().regex(causePattern).describe('A cause, as the failures of the run name it.');

const peopleFilter = {
  action: Action.exactOptional().describe('Only people with this action.'),
  outcome: z
    .enum([...Outcome.options, 'open'])
    .exactOptional()
    .describe('Only people whose delivery ended so; `open` for those whose delivery has not ended.'),
  cause: cause.exactOptional(),
  group: group.exactOptional().describe('Only people of this group.'),
  reason: z
    .int()
    .min(1)
    .max(1000)
    .exactOptional()
    .describe('Only people whom this one of `hold.reasons` stops: its place in that list, from 1.'),
  text: z.string().min(1).max(200).exactOptional().describe('Part of a name or an address, in any case.'),
};
const inBody = 'In the body, so that no proxy logs names.';

export type PeopleAsked = z.output<z.ZodObject<typeof peopleFilter>>;

export const PeopleInput = RunParams.extend({
  ...peopleFilter,
  after: z.string().min(1).max(320).exactOptional().describe('The `next` of the page before.'),
  limit: z.int().min(1).max(500).exactOptional().describe('The most people in one answer; 50 unless given.'),
}).describe(inBody);

export const PeopleFileInput = RunParams.extend({ ...peopleFilter, ...sheetForm }).describe(inBody);

const Given = z.object({
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  telephone: z.string().exactOptional(),
  groups: z.array(z.string()),
  forceSync: z.boolean().exactOptional().describe('Whether other groups are taken away.'),
});

export const PeopleOfRun = z.object({
  people: z.array(
    z.object({
      now: Given.describe('What the roster says.'),
      before: Given.nullable().describe('What they were last given; null if nothing was.'),
      action: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      isHeld: z.boolean(),
      outcome: Outcome.nullable().describe('Null while their delivery has not ended.'),
      reason: z.string(),
      endedAt: timeOrNull,
      answer: z
        .object({ inserts: count, warnings: count, refused: z.array(z.string()) })
        .nullable()
        .describe('What the service said about their groups; null if it accepted no call.'),
    }),
  ),
  next: z.string().nullable().describe('If there are more: ask for those `after` this.'),
});

export const Failures = z.object({
  failures: z
    .array(
      z.object({
        cause,
        outcome: z.enum(failedOutcomes),
        kind: z.string().nullable().describe('What kind of answer the last one was.'),
        status: z.int().nullable().describe('Its HTTP status.'),
        reason: z.string().describe('What it said.'),
        people: count,
        mostCalls: count.describe('The most calls that one of them took.'),
        groups: z.array(z.object({ group: z.string(), people: count })).describe('Their most frequent groups.'),
        retryHelps: z.boolean().describe('Whether the same call may end otherwise.'),
        advice: z.string(),
      }),
    )
    .describe('Most people first.'),
});

export const RetryInput = RunParams.extend({
  rate,
  cause: cause.exactOptional(),
  outcome: z.enum(failedOutcomes).exactOptional(),
  group: group.exactOptional().describe('Only people of this group.'),
}).describe('Without a body, or with an empty object, all failures are retried.');

export const TimelineInput = RunParams.extend({
  slices: z.int().min(2).max(500).default(60).describe('The most slices.'),
});

export const RunTimeline = z.object({
  sliceMs: count.describe('The length of each slice.'),
  slices: z
    .array(z.object({ at: time, succeeded: count, partial: count, failed: count, unknown: count, unanswered: count }))
    .describe(
      'The oldest first; slices in which nothing happened are left out. `unanswered` are calls that got no answer that counts.',
    ),
});

export const ChangesQuery = z.strictObject({
  seconds: z.int().min(1).max(600).default(600).describe('The stream ends after this time. Then ask again.'),
});

export const EventsQuery = z.strictObject({
  days: z.int().min(1).max(400).default(7).describe('How many days, today (UTC) included.'),
});

export const Events = z.object({
  events: z.array(z.object({ source: z.string(), result: z.string(), count })),
});
