// The schemas of what the API takes and answers.
import { z } from 'zod';
import { runStates } from '../../core/run/run-states.ts';
import { sentActions } from '../../core/run/run.ts';

/**
 * What the API takes and answers: the shapes of the command line's `--json`. The schemas check what is asked and describe
 * what is answered; a test holds the answers against them.
 */

const count = z.int().min(0);
const time = z.iso.datetime();

const Status = z.enum(runStates);

const Roster = z
  .looseObject({
    ...{ rows: count, members: count, merged: count, filtered: count, rejects: count },
    erased: count.exactOptional().describe('Of the rejects, rows of people who were erased; absent if there are none.'),
  })
  .describe('Rows of the roster: rows = members + merged + filtered + rejects.');

const Plan = z
  .looseObject({
    new: count,
    changed: count,
    again: count,
    unchanged: count,
    later: count,
    departed: count,
    leftBehind: count,
    leftBehindGroups: count
      .exactOptional()
      .describe('The number of groups that these people keep in total; absent if there are none.'),
  })
  .describe('People by what the run does with them.');

const Outcome = z
  .looseObject({
    succeeded: count,
    partial: count,
    failed: count,
    unknown: count,
    superseded: count,
    cancelled: count,
  })
  .describe('Deliveries by outcome.');

const Group = z.looseObject({ group: z.string(), calls: count, inserts: count, warnings: count, failures: count });

/** A run, as `show --json` prints it. */
export const Run = z
  .looseObject({
    run: z.string(),
    source: z.string(),
    mode: z.enum(['embedded', 'production']),
    dryRun: z.boolean(),
    service: z.string(),
    roster: Roster,
    plan: Plan,
    outcome: Outcome,
    groups: z.array(Group),
    inserts: count,
    warnings: count,
    calls: count,
    durationMs: count,
    status: Status,
    throttled: z
      .looseObject({ until: time, reason: z.string() })
      .exactOptional()
      .describe('Until when the service is rate-limiting us, and why; absent if it is not.'),
  })
  .describe('One run, as `roster-sync show --json` prints it.');

/** The newest runs, as `runs --json` prints them. */
export const Runs = z.looseObject({
  runs: z.array(
    z.looseObject({
      run: z.string(),
      source: z.string(),
      trigger: z.string(),
      status: Status,
      startedAt: time,
      finishedAt: time.nullable(),
      roster: Roster,
      plan: Plan,
      outcome: Outcome,
      inserts: count,
      warnings: count,
      calls: count,
      pending: count.describe('Deliveries without an outcome yet.'),
      held: count.describe('Of these, those that wait for an approval.'),
    }),
  ),
  next: z.string().exactOptional().describe('If there are more: ask for those before this run.'),
});

/** What happened to a run that was asked for. */
export const Started = z.looseObject({
  run: z
    .string()
    .describe(
      'The run; for `unchanged`, the one since which nothing has changed. If an earlier run is held with the same roster and plan, ' +
        'it is that run: no second one is kept.',
    ),
  status: z.union([Status, z.literal('unchanged')]),
  reason: z.string().describe('Why it is held; empty if there is nothing to say.'),
});

/** Who did what to a run. */
export const Audit = z.looseObject({
  audit: z.array(
    z.looseObject({
      at: time,
      by: z.string(),
      action: z.string(),
      run: z.string().nullable(),
      origin: z.string().describe('The network address it came from; empty for this machine’s own socket.'),
    }),
  ),
});

/** What a run would send, and why. */
export const PlanOfRun = z
  .looseObject({
    run: z.string(),
    status: Status,
    hash: z.string().exactOptional().describe('Identifies exactly what would be sent; an approval is bound to it.'),
    counts: Plan,
    calls: count,
    possibleInvitations: count,
    groups: z.array(z.looseObject({ group: z.string(), adds: count })),
    trips: z.array(z.looseObject({ guard: z.string(), message: z.string() })).describe('The guards that stopped it.'),
  })
  .describe('The plan of a run, as a value.');

/** What of a held run is approved. */
export const ApproveBody = z
  .strictObject({
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
    exceptGroups: z
      .array(z.string().min(1).max(1000))
      .min(1)
      .exactOptional()
      .describe('None with one of these groups.'),
    exceptReasons: z
      .array(z.int().min(1).max(1000))
      .min(1)
      .exactOptional()
      .describe('Nobody whom these of `hold.reasons` stop: their places in that list, from 1.'),
    note: z.string().max(1000).exactOptional().describe('Why; it is kept.'),
  })
  .describe('The hash is in the plan of the run, and in the run while it is held.');

/** What an approval did. */
export const Approval = z.looseObject({
  run: z.string(),
  released: count.describe('Deliveries that are due now.'),
  superseded: count.describe('Not sent after all: a newer roster has replaced them.'),
  stillHeld: count,
  already: z
    .looseObject({ by: z.string(), at: time })
    .exactOptional()
    .describe('Who approved this part before; then nothing was done.'),
});

/** RFC 9457. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable, for programs: UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INPUT, BUSY, and so on.'),
    detail: z.string().describe('What happened, and what to do next.'),
    instance: z.string().describe('The id of the request, also in the log.'),
  })
  .describe('Why a request was refused or failed.');

/** The run that a path names. */
export const RunParams = z.strictObject({
  run: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .describe('Its id, the beginning of it, or `latest`.'),
});

/** Which runs are wanted, and how many. */
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

/** A run that is asked for. */
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
  })
  .describe('`forceSync` cannot be switched on here: only the config can.');

/** What an uploaded roster is the roster of. */
export const UploadQuery = z.strictObject({
  source: z.string().min(1).max(200).describe('A source of the config: its columns, groups and guards are used.'),
  file: z
    .string()
    .regex(/^[^/\\\p{Cc}]{1,200}$/u)
    .exactOptional()
    .describe('The name of the file, without folders, for messages and rejects.'),
  asOf: z
    .string()
    .max(40)
    .exactOptional()
    .describe(
      'The time the roster is from, such as 2026-01-31 or 2026-01-31T06:00Z; unless given, the time it arrives. ' +
        'A day is its first moment in UTC; a time without a zone is in that of the server. It must not be in the future.',
    ),
});

/** The form of a report that is downloaded. */
export const ReportQuery = z.strictObject({ format: z.enum(['csv', 'json']).default('csv') });

/** The person who is asked about. */
export const PersonBody = z
  .strictObject({ email: z.string().min(1).max(320) })
  .describe('In the body, so that no proxy logs the address.');

/** Everything that is known about one person, as `person --json` prints it. */
export const Person = z
  .looseObject({
    asked: z.string(),
    addresses: z.array(z.string()).describe('All known addresses of the person, including this one.'),
    given: z.array(z.looseObject({})).describe('What they were last given, by service and source.'),
    runs: z.array(z.looseObject({ run: z.string() })).describe('Every run they were in, with rows, calls and answers.'),
    rejects: z.array(z.looseObject({})),
    moves: z.array(z.looseObject({})),
    departures: z.array(z.looseObject({})),
    events: z.array(z.looseObject({})),
    answers: z.array(z.looseObject({})).describe('What they answered to questions, if `answers.keep` is `people`.'),
  })
  .describe('Everything known about one person, as `roster-sync person --json` prints it.');

/** What was erased of a person, in rows, and what could not be. */
export const ForgottenPerson = z
  .strictObject({
    erased: z.strictObject({
      sources: z.int().describe('Sources that had given something.'),
      deliveries: z.int(),
      answers: z.int(),
      rejects: z.int(),
      storyAnswers: z.int(),
      cancelled: z.int().describe('Deliveries not sent yet, which are not sent any more.'),
      mentions: z.int().describe('Rows of anything else in which the address stood.'),
    }),
    keptOutOf: z.array(z.string()).describe('Services: every later roster for them rejects the address.'),
    notReached: z.array(z.string()).describe('What roster-sync cannot erase, a line each.'),
  })
  .describe('What was erased.');

/** That a person may be sent again. */
export const Allowed = z
  .strictObject({ allowedAt: z.int().describe('At how many services they were kept out.') })
  .describe('They may be sent again.');

/** As Fastify and OpenAPI 3.1 take it. `$schema` is left out: the document says it once. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'input'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io });
  return rest;
}
