// The schema of the JSON about one person.
import { z } from 'zod';
import { each, object } from '../../data/described.ts';
import type { RunSettings } from '../../core/run/run.ts';
import { Action, count, Outcome, Status, text, textOrNull, texts, time, timeOrNull, Trigger } from './parts.ts';

const Call = object('Call', {
  call: count,
  calledAt: time,
  answeredAt: time,
  kind: text,
  httpStatus: z.int().nullable(),
  hash: textOrNull,
  responseTime: z.number().nullable(),
  results: z.array(z.object({ group: text, status: text, inserts: z.number(), warnings: z.number() })),
  reason: text,
  body: textOrNull,
});

const Row = z.object({
  file: text,
  lines: z.array(z.int()),
  ...each(text, 'firstname', 'lastname', 'email'),
  telephone: textOrNull,
  groups: texts,
  employeeId: textOrNull,
});

export const PersonDocument = object('PersonDocument', {
  asked: text,
  addresses: texts,
  forgottenAt: timeOrNull,
  given: z.array(
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
  ),
  leftBehind: z.array(
    object('PersonDocument.leftBehind', {
      ...each(text, 'service', 'source', 'group', 'address'),
      ...each(timeOrNull, 'givenAt', 'since'),
      ...each(textOrNull, 'givenRun', 'run'),
      cause: z.enum(['changed', 'departed']),
      takenAt: timeOrNull,
      takenRun: textOrNull,
      doneAt: timeOrNull,
      doneBy: textOrNull,
    }),
  ),
  runs: z.array(
    object('PersonDocument.runs', {
      ...each(text, 'run', 'source', 'service'),
      trigger: Trigger,
      status: Status,
      startedAt: time,
      finishedAt: timeOrNull,
      settings: z.looseObject({}),
      address: text,
      row: Row.nullable(),
      action: Action.nullable(),
      state: textOrNull,
      outcome: Outcome.nullable(),
      reason: text,
      repeated: z.boolean(),
      endedAt: timeOrNull,
      calls: z.array(Call),
      deeds: z.array(z.object({ at: time, by: text, did: text, note: text })),
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
  moves: z.array(
    z.object({
      ...each(text, 'service', 'source', 'from', 'to'),
      decision: z.enum(['renamed-there', 'new-account']),
      employeeId: textOrNull,
      decidedAt: time,
    }),
  ),
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
});

export type PersonRun = z.output<typeof PersonDocument>['runs'][number] & { settings: RunSettings };
export type PersonHistory = Omit<z.output<typeof PersonDocument>, 'runs'> & { runs: PersonRun[] };
