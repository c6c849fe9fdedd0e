// The schemas of the JSON about runs: import, sync, plan, show, runs and the commands that steer a run.
import { z } from 'zod';
import { described, each, object } from '../../data/described.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import { PlanCounts, RosterCounts, RunPlan } from '../../core/run/run.ts';
import { count, Next, Outcome, Status, time, timeOrNull, Trigger } from './parts.ts';

const Outcomes = z.record(Outcome, count).describe('Deliveries by outcome.');

export const Guard = z.object({ guard: z.string(), message: z.string(), next: Next });

/** Until when the service has asked not to be called, and why. */
export const Throttled = z.object({ until: time, reason: z.string() });

const runFields = described('runFields', {
  run: z.string().nullable(),
  source: z.string(),
  mode: z.enum(['embedded', 'production']),
  dryRun: z.boolean(),
  service: z.string(),
  roster: RosterCounts,
  plan: PlanCounts,
  outcome: Outcomes,
  groups: z.array(
    object('runFields.groups', { group: z.string(), ...each(count, 'calls', 'inserts', 'warnings', 'failures') }),
  ),
  ...each(count, 'inserts', 'warnings', 'calls'),
  durationMs: z.number().min(0),
  status: Status,
  hold: object('runFields.hold', {
    deliveries: count,
    reasons: z.array(Guard),
    hash: z.string(),
    expiresAt: timeOrNull,
    commands: z.array(z.string()),
  }).exactOptional(),
  throttled: Throttled.exactOptional(),
});

const Words = z.array(z.object({ word: z.string(), rows: count }));
const Sign = object('Sign', {
  kind: z.enum(['status', 'end', 'start']),
  column: z.string(),
  rows: count,
  words: Words.exactOptional(),
  unknown: Words.exactOptional(),
  order: z.enum(['dmy', 'mdy']).exactOptional(),
});

const rehearsal = described('rehearsal', { decide: z.array(Sign).exactOptional() });

export const RunDocument = object('RunDocument', {
  ...runFields,
  ...rehearsal,
  unchangedSince: z.object({ run: z.string(), at: time }).exactOptional(),
});

export const PlanDocument = object('PlanDocument', {
  ...runFields,
  ...rehearsal,
  planned: RunPlan.omit({ counts: true }).extend(
    described('PlanDocument.planned', { held: count, guards: z.array(Guard) }),
  ),
});

/** How far a run is, and what whoever continues it needs to know. */
export const Followed = object('Followed', {
  ...each(z.string(), 'run', 'source'),
  status: Status,
  hash: z.string(),
  inFlight: count,
  outcome: z.partialRecord(z.string(), count),
  rate: z.custom<Rate>(),
  throttled: Throttled.extend({ forMs: z.number() }).exactOptional(),
});

/** Cells that somebody changed before the run was planned. */
const Correction = object('Correction', {
  by: z.string(),
  file: z.string().nullable(),
  line: count.nullable(),
  ...each(z.string(), 'column', 'was', 'value'),
  cells: count,
});

export const Corrections = object('Corrections', { corrections: z.array(Correction) });

export const ShowDocument = object('ShowDocument', {
  ...runFields,
  replacedBy: z.string().exactOptional(),
  details: object('ShowDocument.details', {
    approvals: z.array(z.object({ at: time, by: z.string(), note: z.string() })),
    noticed: z.array(z.object({ kind: z.string(), count, firstSeenAt: time })),
    checksum: z.string().exactOptional(),
    rosterTime: time.exactOptional(),
    corrections: z.array(Correction).exactOptional(),
  }),
});

export const InvitedPerson = object('InvitedPerson', {
  at: time,
  email: z.string(),
  firstname: z.string().nullable(),
  lastname: z.string().nullable(),
  source: z.string(),
  run: z.string(),
  outcome: z.enum(['succeeded', 'partial', 'unknown']),
  service: z.string(),
});

export const Invited = object('Invited', { invited: z.array(InvitedPerson) });

export const RunsDocument = object('RunsDocument', {
  runs: z.array(
    object('RunsDocument.runs', {
      run: z.string(),
      source: z.string(),
      trigger: Trigger.or(z.string()),
      status: Status,
      startedAt: time,
      finishedAt: timeOrNull,
      roster: RosterCounts,
      plan: PlanCounts,
      outcome: Outcomes,
      ...each(count, 'inserts', 'warnings', 'calls', 'pending', 'held'),
    }),
  ),
});
