// The schemas of the JSON about runs: import, sync, plan, show, runs and the commands that steer a run.
import { z } from 'zod';
import type { Rate } from '../../core/pace/pacing.ts';
import { count, each, Next, Outcome, Status, time, timeOrNull, Trigger } from './parts.ts';

const Roster = z
  .object({
    ...each(count, 'rows', 'members', 'merged', 'filtered', 'rejects'),
    erased: count.exactOptional().describe('Of the rejects, rows of people who were erased; absent if there are none.'),
  })
  .describe('Rows of the roster: rows = members + merged + filtered + rejects.');

/** People by what a run does with them. */
export const Plan = z
  .object({
    ...each(count, 'new', 'changed', 'again', 'unchanged', 'later', 'departed', 'leftBehind'),
    leftBehindGroups: count
      .exactOptional()
      .describe('The number of groups that these people keep in total; absent if there are none.'),
  })
  .describe('People by what the run does with them.');

const Outcomes = z.record(Outcome, count).describe('Deliveries by outcome.');

const Departures = z.object({
  departed: count.describe('People missing for the first time.'),
  left: count.describe('All who left and still have what they were given.'),
  sent: count.describe('Who is put into the group of leavers by this run.'),
  waiting: count.describe('Who would be, but for their grace.'),
});

export const Guard = z.object({ guard: z.string(), message: z.string(), next: Next });

/** Until when the service has asked not to be called, and why. */
export const Throttled = z.object({ until: time, reason: z.string() });

const runFields = {
  run: z.string().nullable().describe('Its id; null if nothing was kept, as after a dry run.'),
  source: z.string(),
  mode: z.enum(['embedded', 'production']),
  dryRun: z.boolean(),
  service: z.string().describe('The address of the service, or SANDBOX and its address.'),
  roster: Roster,
  plan: Plan,
  outcome: Outcomes,
  groups: z.array(
    z.object({
      group: z.string(),
      ...each(count, 'calls', 'inserts', 'warnings'),
      failures: count.describe('People to whom it was refused, or of whom nobody can say.'),
    }),
  ),
  ...each(count, 'inserts', 'warnings', 'calls'),
  durationMs: z.number().min(0).describe('The time spent delivering.'),
  status: Status,
  hold: z
    .object({
      deliveries: count,
      reasons: z.array(Guard),
      hash: z.string().describe('Identifies the plan that an approval is bound to.'),
      expiresAt: timeOrNull,
      commands: z.array(z.string()).describe('What can be done about it.'),
    })
    .exactOptional()
    .describe('What waits for an approval; absent if nothing does.'),
  throttled: Throttled.exactOptional().describe(
    'Until when the service is rate-limiting us, and why; absent if it is not.',
  ),
};

const Words = z.array(z.object({ word: z.string(), rows: count }));
const Sign = z.object({
  kind: z.enum(['status', 'end', 'start']),
  column: z.string(),
  rows: count,
  words: Words.exactOptional().describe('Of a status: the words that say so.'),
  unknown: Words.exactOptional().describe('Of a status: words with unknown meaning; these people are kept.'),
  order: z.enum(['dmy', 'mdy']).exactOptional().describe('Of days: how they are read, where that is in doubt.'),
});

const rehearsal = {
  decide: z
    .array(Sign)
    .exactOptional()
    .describe('Columns that say that people left or have not started, and that nobody has decided about.'),
};

export const RunDocument = z
  .object({
    ...runFields,
    ...rehearsal,
    unchangedSince: z
      .object({ run: z.string(), at: time })
      .exactOptional()
      .describe('The run since which the source has not changed; only if nothing was planned because of that.'),
  })
  .describe('One run: counts, and no person.');

export const PlanDocument = z
  .object({
    ...runFields,
    ...rehearsal,
    planned: z.object({
      calls: count,
      possibleInvitations: count,
      groups: z.array(z.object({ group: z.string(), adds: count })),
      hash: z.string().exactOptional().describe('Identifies exactly what would be sent.'),
      changes: z
        .object({
          ...each(count, 'names', 'addresses', 'telephones', 'groupsAdded', 'groupsRemoved', 'forceSync'),
        })
        .exactOptional()
        .describe('How many people have changed in what; one may count several times.'),
      removals: z
        .object({ atLeast: count, people: count, sentence: z.string() })
        .exactOptional()
        .describe('Memberships that forceSync may take away.'),
      settingsChanged: z
        .array(z.object({ setting: z.string(), before: z.string(), now: z.string() }))
        .exactOptional()
        .describe('Settings that differ from those of the last released run.'),
      departures: Departures.exactOptional().describe('Who left; absent if the roster cannot tell.'),
      estimate: z
        .object({
          ms: z.number(),
          rate: z.string(),
          share: z.number().describe('Of the rate, what the service took when it was last called.'),
          deadlineMs: z.number(),
          isInTime: z.boolean(),
        })
        .exactOptional(),
      held: count.describe('Deliveries that guards would hold.'),
      guards: z.array(Guard),
    }),
  })
  .describe('What would be sent, and why: counts, and no person.');

/** How far a run is, and what whoever continues it needs to know. */
export const Followed = z.object({
  ...each(z.string(), 'run', 'source'),
  status: Status,
  hash: z.string().describe('Of its plan; empty if it has none.'),
  inFlight: count,
  outcome: z.partialRecord(z.string(), count).describe('How its deliveries ended so far.'),
  rate: z.custom<Rate>(),
  throttled: Throttled.extend({ forMs: z.number() }).exactOptional(),
});

export const ShowDocument = z
  .object({
    ...runFields,
    replacedBy: z.string().exactOptional().describe('The newer run that took its place; absent if none did.'),
    details: z.object({
      approvals: z.array(z.object({ at: time, by: z.string(), note: z.string() })),
      noticed: z
        .array(z.object({ kind: z.string(), count, firstSeenAt: time }))
        .describe('Answers that were no plain success, by kind.'),
      checksum: z.string().exactOptional().describe('SHA-256 of the roster, hexadecimal.'),
      rosterTime: time.exactOptional().describe('The time the roster is from.'),
    }),
  })
  .describe('One run, with who approved it and what to check: counts, and no person.');

export const InvitedPerson = z.object({
  at: time.describe('When the call ended.'),
  email: z.string(),
  firstname: z.string().nullable().describe('Null once the roster is no longer kept.'),
  lastname: z.string().nullable(),
  source: z.string(),
  run: z.string(),
  outcome: z.enum(['succeeded', 'partial', 'unknown']),
  service: z.string(),
});

export const Invited = z
  .object({ invited: z.array(InvitedPerson) })
  .describe('Who may have been invited: sent with `invite`, and given nothing before.');

export const RunsDocument = z
  .object({
    runs: z.array(
      z.object({
        run: z.string(),
        source: z.string(),
        trigger: Trigger.or(z.string()),
        status: Status,
        startedAt: time,
        finishedAt: timeOrNull,
        roster: Roster,
        plan: Plan,
        outcome: Outcomes,
        ...each(count, 'inserts', 'warnings', 'calls'),
        pending: count.describe('Deliveries without an outcome yet.'),
        held: count.describe('Of these, those that wait for an approval.'),
      }),
    ),
  })
  .describe('The newest runs, the newest first.');
