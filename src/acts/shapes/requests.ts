// The schemas of what the API takes and answers.
import { z } from 'zod';
import { described, each, object, strictObject } from '../../data/described.ts';
import { sentActions, PlanCounts, RunPlan } from '../../core/run/run.ts';
import { count, Next, Outcome, sheetFormats, Status, time } from './parts.ts';
import { PersonDocument } from './person.ts';
import { ResolveDocument } from './roster.ts';
import { Guard, Invited, RunDocument, RunsDocument } from './run.ts';
import { Erasure } from './upkeep.ts';

export const Run = RunDocument.describe('One run.');

export const Runs = RunsDocument.extend(described('Runs', { next: z.string().exactOptional() }));

export const RunParams = strictObject('RunParams', {
  run: z.string().regex(/^[\w-]{1,100}$/),
});

export const rate = z
  .string()
  .max(40)
  .exactOptional()
  .describe('The highest rate of calls, such as 200 (a second) or 300/1m; it only lowers the configured one.');

export const ResumeInput = RunParams.extend({ rate });

export const Started = object('Started', {
  run: z.string(),
  status: z.union([Status, z.literal('unchanged')]),
  reason: z.string(),
});

export const Audit = z.object({
  audit: z.array(
    object('Audit.audit', {
      at: time,
      by: z.string(),
      action: z.string(),
      run: z.string().nullable(),
      origin: z.string(),
    }),
  ),
});

/** Which page of a list of people. */
export const peoplePage = described('peoplePage', {
  after: z.string().min(1).max(320).exactOptional(),
  limit: z.int().min(1).max(500).exactOptional(),
});

const change = z.enum(['new', 'gone', 'changed']);

export const CompareInput = RunParams.extend(
  described('CompareInput', {
    with: RunParams.shape.run.exactOptional(),
    change: change.exactOptional(),
    from: count.exactOptional(),
    ...peoplePage,
  }),
);

const Compared = object('Compared', { run: z.string(), startedAt: time, members: count });

export const CompareDocument = object('CompareDocument', {
  ...each(z.string(), 'source', 'service'),
  older: Compared,
  newer: Compared,
  counts: z.object(each(count, 'new', 'gone', 'changed')),
  people: z.array(
    object('CompareDocument.people', {
      change,
      ...each(z.string(), 'email', 'firstname', 'lastname'),
      groups: z.array(z.string()),
    }),
  ),
});

export const Comparison = CompareDocument.extend(described('Comparison', { next: z.string().exactOptional() }));

export const PlanOfRun = object('PlanOfRun', {
  run: z.string(),
  status: Status,
  counts: PlanCounts,
  ...RunPlan.omit({ counts: true }).shape,
  hash: z.string().exactOptional(),
  trips: z.array(Guard),
});

export const ApproveInput = RunParams.extend(
  described('ApproveInput', {
    hash: z.string().min(8).max(128),
    only: z.array(z.enum(sentActions)).min(1).exactOptional(),
    exceptGroups: z.array(z.string().min(1).max(1000)).min(1).exactOptional(),
    exceptReasons: z.array(z.int().min(1).max(1000)).min(1).exactOptional(),
    note: z.string().max(1000).exactOptional(),
    canary: z.boolean().exactOptional(),
    rate,
  }),
).describe('The hash is in the plan of the run, and in the run while it is held.');

export const Approval = object('Approval', {
  run: z.string(),
  ...each(count, 'released', 'superseded', 'stillHeld'),
  already: z.object({ by: z.string(), at: time }).exactOptional(),
});

/** RFC 9457. */
export const Problem = object('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  next: Next,
  instance: z.string(),
});

export const ListQuery = strictObject('ListQuery', {
  limit: z.int().min(1).max(100).default(20),
  status: Status.exactOptional(),
  source: z.string().min(1).max(200).exactOptional(),
  since: time.exactOptional(),
  before: RunParams.shape.run.exactOptional(),
});

export const InvitedQuery = strictObject('InvitedQuery', {
  since: time.exactOptional(),
  until: time.exactOptional(),
  after: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(500),
});

export const InvitedPage = Invited.extend(described('InvitedPage', { next: z.int().exactOptional() }));

const hold = z
  .boolean()
  .exactOptional()
  .describe('Hold all of it until somebody has looked at the plan and approved it.');

export const StartBody = strictObject('StartBody', {
  source: z.string().min(1).max(200),
  only: z.array(z.string().min(1).max(320)).min(1).max(1000).exactOptional(),
  all: z.boolean().exactOptional(),
  anew: z.boolean().exactOptional(),
  hold,
});

export const fileName = z
  .string()
  .regex(/^[^/\\\p{Cc}]{1,200}$/u)
  .exactOptional()
  .describe('The name of the file, without folders, for messages and rejects.');

export const UploadQuery = strictObject('UploadQuery', {
  source: z.string().min(1).max(200),
  file: fileName,
  asOf: z.string().max(40).exactOptional(),
  hold,
});

/** The formats of files, by their endings, with their media types. */
export const fileTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
  html: 'text/html; charset=utf-8',
} as const;
export const reportFormats = ['csv', 'xlsx', 'json', 'html'] as const satisfies (keyof typeof fileTypes)[];
export type ReportFormat = (typeof reportFormats)[number];

const excel = z.boolean().exactOptional().describe('CSV that Excel opens: a byte order mark, and ; between columns.');

/** How a list is written. */
export const sheetForm = described('sheetForm', { format: z.enum(sheetFormats).exactOptional(), excel });

export const ReportInput = RunParams.extend({ format: z.enum(reportFormats).default('csv'), excel });

export const RunSheetInput = RunParams.extend(sheetForm);

export const PersonBody = strictObject('PersonBody', { email: z.string().min(1).max(320) });

export const FindBody = strictObject('FindBody', {
  text: z.string().trim().min(2).max(200),
  limit: z.int().min(1).max(500).exactOptional(),
});

export const FoundPeople = object('FoundPeople', {
  people: z.array(
    object('FoundPeople.people', {
      ...each(z.string(), 'email', 'firstname', 'lastname', 'source'),
      groups: z.array(z.string()),
      lastOutcome: Outcome,
    }),
  ),
  isAll: z.boolean(),
});

export const Person = PersonDocument.describe('Everything known about one person.');

export const ForgottenPerson = Erasure.omit({ person: true }).describe('What was erased.');

export const Allowed = strictObject('Allowed', { allowedAt: z.int() });

/** Who moves to a new address, and what that means. */
export const MovesBody = strictObject('MovesBody', {
  decision: z.enum(['renamed-there', 'new-account']),
  moves: z
    .array(z.strictObject({ old: z.string().min(1).max(320), new: z.string().min(1).max(320) }))
    .min(1)
    .max(10_000)
    .exactOptional(),
  run: RunParams.shape.run.exactOptional(),
  hash: z.string().max(128).exactOptional(),
});

/** What happens to moves, as `resolve --json` prints it. */
export const Moves = ResolveDocument;
