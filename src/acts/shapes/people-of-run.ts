// The schemas of what the API says about the people of a run: who they are, how they ended, and when.
import { z } from 'zod';
import { described, each, object, strictObject } from '../../data/described.ts';
import { causePattern, failedOutcomes } from '../../core/run/cause.ts';
import { Action, count, Outcome, time, timeOrNull } from './parts.ts';
import { peoplePage, rate, RunParams, sheetForm } from './requests.ts';

const group = z.string().min(1).max(1000);
const cause = z.string().regex(causePattern).describe('A cause, as the failures of the run name it.');

const peopleFilter = described('peopleFilter', {
  action: Action.exactOptional(),
  outcome: z.enum([...Outcome.options, 'open']).exactOptional(),
  cause: cause.exactOptional(),
  group: group.exactOptional(),
  reason: z.int().min(1).max(1000).exactOptional(),
  text: z.string().min(1).max(200).exactOptional(),
});
const inBody = 'In the body, so that no proxy logs names.';

export type PeopleAsked = z.output<z.ZodObject<typeof peopleFilter>>;

export const PeopleInput = RunParams.extend({ ...peopleFilter, ...peoplePage }).describe(inBody);

export const PeopleFileInput = RunParams.extend({ ...peopleFilter, ...sheetForm }).describe(inBody);

const Given = object('Given', {
  ...each(z.string(), 'firstname', 'lastname', 'email'),
  telephone: z.string().exactOptional(),
  groups: z.array(z.string()),
  forceSync: z.boolean().exactOptional(),
});

export const PeopleOfRun = object('PeopleOfRun', {
  people: z.array(
    object('PeopleOfRun.people', {
      now: Given,
      before: Given.nullable(),
      action: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      isHeld: z.boolean(),
      outcome: Outcome.nullable(),
      reason: z.string(),
      endedAt: timeOrNull,
      answer: z.object({ inserts: count, warnings: count, refused: z.array(z.string()) }).nullable(),
    }),
  ),
  next: z.string().nullable(),
});

export const Failures = object('Failures', {
  failures: z.array(
    object('Failures.failures', {
      cause,
      outcome: z.enum(failedOutcomes),
      kind: z.string().nullable(),
      status: z.int().nullable(),
      reason: z.string(),
      people: count,
      mostCalls: count,
      groups: z.array(z.object({ group: z.string(), people: count })),
      retryHelps: z.boolean(),
      advice: z.string(),
    }),
  ),
});

export const RetryInput = RunParams.extend(
  described('RetryInput', {
    rate,
    cause: cause.exactOptional(),
    outcome: z.enum(failedOutcomes).exactOptional(),
    group: group.exactOptional(),
  }),
).describe('Without a body, or with an empty object, all failures are retried.');

export const TimelineInput = RunParams.extend(
  described('TimelineInput', { slices: z.int().min(2).max(500).default(60) }),
);

export const RunTimeline = object('RunTimeline', {
  sliceMs: count,
  slices: z.array(z.object({ at: time, ...each(count, 'succeeded', 'partial', 'failed', 'unknown', 'unanswered') })),
});

export const ChangesQuery = strictObject('ChangesQuery', { seconds: z.int().min(1).max(600).default(600) });

export const EventsQuery = strictObject('EventsQuery', { days: z.int().min(1).max(400).default(7) });

export const Events = z.object({
  events: z.array(z.object({ source: z.string(), result: z.string(), count })),
});
