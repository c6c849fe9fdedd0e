// The schema of the JSON about one person.
import { z } from 'zod';
import type { RunSettings } from '../../core/run/run.ts';
import { Action, count, each, Outcome, Status, time, timeOrNull, Trigger } from './parts.ts';

const text = z.string();
const textOrNull = z.string().nullable();
const texts = z.array(z.string());

const Call = z.object({
  call: count.describe('Which attempt it was, from 1.'),
  calledAt: time,
  answeredAt: time,
  kind: text,
  httpStatus: z.int().nullable(),
  hash: textOrNull,
  responseTime: z.number().nullable(),
  results: z.array(z.object({ group: text, status: text, inserts: z.number(), warnings: z.number() })),
  reason: text,
  body: textOrNull.describe('The raw answer; null if there was none, or it is no longer kept.'),
});

const Row = z.object({
  file: text,
  lines: z.array(z.int()),
  ...each(text, 'firstname', 'lastname', 'email'),
  telephone: textOrNull,
  groups: texts,
  employeeId: textOrNull,
});

export const PersonDocument = z
  .object({
    asked: text,
    addresses: texts.describe('All known addresses of the person, this one included; in lower case.'),
    forgottenAt: timeOrNull.describe('When it was forgotten, since when every roster rejects it; null if none does.'),
    given: z
      .array(
        z.object({
          ...each(text, 'service', 'source', 'address'),
          ...each(textOrNull, 'firstname', 'lastname', 'email', 'telephone'),
          groups: texts.nullable(),
          forceSync: z.boolean().nullable(),
          employeeId: textOrNull,
          givenAt: timeOrNull,
          givenRun: textOrNull,
          lastOutcome: Outcome,
          lastRun: text,
        }),
      )
      .describe('What they were last given, by service and source.'),
    leftBehind: z
      .array(
        z.object({
          ...each(text, 'service', 'source', 'group', 'address'),
          ...each(timeOrNull, 'givenAt', 'since'),
          ...each(textOrNull, 'givenRun', 'run'),
          cause: z.enum(['changed', 'departed']),
          takenAt: timeOrNull.describe('When a call with `forceSync` took it away.'),
          takenRun: textOrNull,
          doneAt: timeOrNull.describe('When somebody said that it was taken out by hand.'),
          doneBy: textOrNull,
        }),
      )
      .describe('Groups that they were given and no source gives any more.'),
    runs: z.array(
      z.object({
        ...each(text, 'run', 'source', 'service'),
        trigger: Trigger,
        status: Status,
        startedAt: time,
        finishedAt: timeOrNull,
        settings: z.looseObject({}).describe('The settings of the run.'),
        address: text,
        row: Row.nullable().describe('The row as it was mapped; null if it was not kept.'),
        action: Action.nullable(),
        state: textOrNull,
        outcome: Outcome.nullable(),
        reason: text,
        repeated: z.boolean().describe('Whether a call may have happened twice.'),
        endedAt: timeOrNull,
        calls: z.array(Call),
        deeds: z.array(z.object({ at: time, by: text, did: text, note: text })).describe('Who approved or steered it.'),
      }),
    ),
    rejects: z.array(
      z.object({
        run: text,
        source: text,
        startedAt: time,
        file: text,
        line: z.int(),
        ...each(text, 'column', 'value', 'reason'),
        cells: texts,
      }),
    ),
    moves: z
      .array(
        z.object({
          ...each(text, 'service', 'source', 'from', 'to'),
          decision: z.enum(['renamed-there', 'new-account']),
          employeeId: textOrNull,
          decidedAt: time,
        }),
      )
      .describe('Changes of their address that somebody has decided.'),
    departures: z.array(z.object({ run: text, source: text, at: time, byRow: z.boolean() })),
    events: z.array(
      z.object({ source: text, receivedAt: time, kind: text, state: text, run: textOrNull, body: textOrNull }),
    ),
    answers: z.array(
      z.object({
        ...each(text, 'service', 'address', 'story', 'question', 'response'),
        correct: z.boolean().nullable(),
        attempts: z.number().nullable(),
        takenAt: time,
      }),
    ),
  })
  .describe('Everything known about one person.');

export type PersonRun = z.output<typeof PersonDocument>['runs'][number] & { settings: RunSettings };
export type PersonHistory = Omit<z.output<typeof PersonDocument>, 'runs'> & { runs: PersonRun[] };
