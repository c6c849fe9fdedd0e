// The schemas of what the API takes and answers.
import { z } from 'zod';
import { sentActions } from '../../core/run/run.ts';
import { count, each, Next, sheetFormats, Status, time } from './parts.ts';
import { PersonDocument } from './person.ts';
import { ResolveDocument } from './roster.ts';
import { Guard, Invited, Plan, PlanDocument, RunDocument, RunsDocument } from './run.ts';
import { Erasure } from './upkeep.ts';

export const Run = RunDocument.describe('One run.');

export const Runs = RunsDocument.extend({
  next: z.string().exactOptional().describe('If there are more: ask for those before this run.'),
});

export const RunParams = z.strictObject({
  run: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .describe('Its id, the beginning of it, or `latest`.'),
});

export const rate = z
  .string()
  .max(40)
  .exactOptional()
  .describe('The highest rate of calls, such as 200 (a second) or 300/1m; it only lowers the configured one.');

export const ResumeInput = RunParams.extend({ rate });

export const Started = z.object({
  run: z
    .string()
    .describe(
      'The run; for `unchanged`, the one since which nothing has changed. If an earlier run is held with the same roster and plan, ' +
        'it is that run: no second one is kept.',
    ),
  status: z.union([Status, z.literal('unchanged')]),
  reason: z.string().describe('Why it is held; empty if there is nothing to say.'),
});

export const Audit = z.object({
  audit: z.array(
    z.object({
      at: time,
      by: z.string(),
      action: z.string(),
      run: z.string().nullable(),
      origin: z.string().describe('The network address it came from; empty for this machine’s own socket.'),
    }),
  ),
});

export const CompareInput = RunParams.extend({
  with: RunParams.shape.run
    .exactOptional()
    .describe('Another run of its source; the last one before that was released, unless given.'),
  after: z.string().min(1).max(320).exactOptional().describe('The `next` of the page before.'),
  limit: z.int().min(1).max(500).exactOptional().describe('The most people in one answer; 50 unless given.'),
});

const Compared = z.object({ run: z.string(), startedAt: time, members: count.describe('People of its roster.') });

export const CompareDocument = z
  .object({
    ...each(z.string(), 'source', 'service'),
    older: Compared,
    newer: Compared,
    counts: z.object(each(count, 'new', 'gone', 'changed')),
    people: z.array(
      z.object({
        change: z.enum(['new', 'gone', 'changed']),
        ...each(z.string(), 'email', 'firstname', 'lastname'),
        groups: z.array(z.string()).describe('As the newer run has them; of who is gone, what they were last given.'),
      }),
    ),
  })
  .describe('Who is new, gone or changed from one run of a source to another.');

export const Comparison = CompareDocument.extend({
  next: z.string().exactOptional().describe('If there are more: ask for those `after` this.'),
});

export const PlanOfRun = z
  .object({
    run: z.string(),
    status: Status,
    counts: Plan,
    ...PlanDocument.shape.planned.omit({ held: true, guards: true }).shape,
    hash: z.string().exactOptional().describe('Identifies exactly what would be sent; an approval is bound to it.'),
    trips: z.array(Guard).describe('The guards that stopped it.'),
  })
  .describe('The plan of a run, as a value.');

export const ApproveInput = RunParams.extend({
  hash: z
    .string()
    .min(8)
    .max(128)
    .describe('The hash of the plan you reviewed, or its beginning: the approval is for that plan only.'),
  only: z
    .array(z.enum(sentActions))
    .min(1)
    .exactOptional()
    .describe('Only these deliveries; everything that is held unless given.'),
  exceptGroups: z.array(z.string().min(1).max(1000)).min(1).exactOptional().describe('None with one of these groups.'),
  exceptReasons: z
    .array(z.int().min(1).max(1000))
    .min(1)
    .exactOptional()
    .describe('Nobody whom these of `hold.reasons` stop: their places in that list, from 1.'),
  note: z.string().max(1000).exactOptional().describe('Why; it is kept.'),
  canary: z.boolean().exactOptional().describe('False sends all at once; else as `delivery.canary` has it.'),
}).describe('The hash is in the plan of the run, and in the run while it is held.');

export const Approval = z.object({
  run: z.string(),
  released: count.describe('Deliveries that are due now.'),
  superseded: count.describe('Not sent after all: a newer roster has replaced them.'),
  stillHeld: count,
  already: z
    .object({ by: z.string(), at: time })
    .exactOptional()
    .describe('Who approved this part before; then nothing was done.'),
});

/** RFC 9457. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable, for programs: UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INPUT, BUSY, and so on.'),
    detail: z.string().describe('What happened, and what to do next.'),
    next: Next,
    instance: z.string().describe('The id of the request, also in the log.'),
  })
  .describe('Why a request was refused or failed.');

export const ListQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(20).describe('The most runs to list.'),
  status: Status.exactOptional().describe('Only runs in this state.'),
  source: z.string().min(1).max(200).exactOptional().describe('Only runs of this source.'),
  since: time.exactOptional().describe('Only runs that began then or later.'),
  before: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .exactOptional()
    .describe('Only runs older than this one: the `next` of the page before.'),
});

export const InvitedQuery = z.strictObject({
  since: time.exactOptional().describe('Only calls that ended then or later.'),
  until: time.exactOptional().describe('Only calls that ended before.'),
  after: z.int().min(0).default(0).describe('The `next` of the page before.'),
  limit: z.int().min(1).max(1000).default(500).describe('The most people to list.'),
});

export const InvitedPage = Invited.extend({
  next: z.int().exactOptional().describe('If there may be more: ask for those after this.'),
});

const hold = z
  .boolean()
  .exactOptional()
  .describe('Hold all of it until somebody has looked at the plan and approved it.');

export const StartBody = z
  .strictObject({
    source: z.string().min(1).max(200).describe('A source of the config.'),
    only: z
      .array(z.string().min(1).max(320))
      .min(1)
      .max(1000)
      .exactOptional()
      .describe('The addresses of the only people to send; everybody unless given.'),
    all: z.boolean().exactOptional().describe('Send the unchanged too.'),
    anew: z.boolean().exactOptional().describe('Read and plan the source even if nothing seems to have changed.'),
    hold,
  })
  .describe('`forceSync` cannot be switched on here: the source decides.');

export const fileName = z
  .string()
  .regex(/^[^/\\\p{Cc}]{1,200}$/u)
  .exactOptional()
  .describe('The name of the file, without folders, for messages and rejects.');

export const UploadQuery = z.strictObject({
  source: z.string().min(1).max(200).describe('A source of the config: its columns, groups and guards are used.'),
  file: fileName,
  asOf: z
    .string()
    .max(40)
    .exactOptional()
    .describe(
      'The time the roster is from, such as 2026-01-31 or 2026-01-31T06:00Z; unless given, the time it arrives. ' +
        'A day is its first moment in UTC; a time without a zone is in that of the server. It must not be in the future.',
    ),
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
export const sheetForm = {
  format: z.enum(sheetFormats).exactOptional().describe('CSV unless given; `xlsx` is a workbook of Excel.'),
  excel,
};

export const ReportInput = RunParams.extend({ format: z.enum(reportFormats).default('csv'), excel });

export const DepartedInput = RunParams.extend(sheetForm);

export const PersonBody = z
  .strictObject({ email: z.string().min(1).max(320) })
  .describe('In the body, so that no proxy logs the address.');

export const Person = PersonDocument.describe('Everything known about one person.');

export const ForgottenPerson = Erasure.omit({ person: true }).describe('What was erased.');

export const Allowed = z
  .strictObject({ allowedAt: z.int().describe('At how many services they were kept out.') })
  .describe('They may be sent again.');

/** Who moves to a new address, and what that means. */
export const MovesBody = z
  .strictObject({
    decision: z
      .enum(['renamed-there', 'new-account'])
      .describe('Whether the service has the same account under the new address, or it is a new account.'),
    moves: z
      .array(z.strictObject({ old: z.string().min(1).max(320), new: z.string().min(1).max(320) }))
      .min(1)
      .max(10_000)
      .exactOptional()
      .describe('Old and new addresses, or rules for everybody at a domain: `@old.example` and `@new.example`.'),
    run: RunParams.shape.run
      .exactOptional()
      .describe('Instead: everybody who waits in this run as their address changed.'),
    hash: z.string().max(128).exactOptional().describe('Of the preview that you reviewed: it is done.'),
  })
  .describe('Without a hash it is a preview, and nothing is changed.');

/** What happens to moves, as `resolve --json` prints it. */
export const Moves = ResolveDocument;
