// The schemas of the JSON about answers to stories: answers, completion.
import { z } from 'zod';
import { described, each, object, strictObject } from '../../data/described.ts';
import { count, time } from './parts.ts';

const text = z.string();
const request = object('request', {
  app: text.optional(),
  story: text.optional(),
  groups: z.array(text).optional(),
  users: z.array(text).optional(),
});
const head = z.object({ ID: text, name: text, type: text, app: z.object({ ID: text, name: text, version: text }) });
const question = described('question', {
  question: text,
  type: text,
  possibleAnswers: z.array(text),
  stats: z.object({ total: z.number(), correct: z.number(), incorrect: z.number() }).optional(),
  ...each(count, 'answered', 'correct', 'incorrect'),
  responses: z.array(z.object({ response: text, count })),
  otherResponses: count,
});

/** `answers`, and with `--history` what was kept. */
export const AnswersDocument = z.union([
  object('AnswersDocument.1', {
    service: text,
    request,
    file: text.nullable(),
    sizeBytes: count,
    hash: text.nullable(),
    responseTime: z.number().nullable(),
    answers: count,
    stories: z.array(
      z.object({
        story: head,
        people: count,
        questions: z.array(
          object('AnswersDocument.1.stories.questions', { ...question, meanAttempts: z.number().nullable() }),
        ),
      }),
    ),
    breaches: z.array(z.object({ kind: text, story: text, question: text, count, message: text })),
  }),
  object('AnswersDocument.2', {
    service: text,
    snapshots: z.array(
      z.object({
        takenAt: time,
        request,
        answers: count,
        stories: z.array(
          z.object({
            story: head,
            people: count,
            questions: z.array(z.object({ ...question, attempts: z.number(), attemptsKnown: count })),
          }),
        ),
      }),
    ),
  }),
]);

const counts = each(count, 'people', 'answered', 'wrongly', 'partly', 'notAnswered', 'notYetGiven');
const Group = z.object({ group: text, ...counts });

export const CompletionQuery = strictObject('CompletionQuery', {
  source: text.min(1).max(200),
  limit: z.int().min(1).max(400).default(30),
  minCell: z.int().min(5).max(1000).default(5),
});

export const Completion = object('Completion', {
  source: text,
  minCell: count,
  completion: z.array(
    z.object({
      at: time,
      rosterAt: time,
      story: z.object({ ID: text, name: text }),
      shown: object('Completion.completion.shown', {
        total: z.object(counts).exactOptional(),
        groups: z.array(Group),
        hidden: count,
      }),
    }),
  ),
});

/** The last roster of a source, and one of its people. */
export const LastRoster = z.object({
  /** The newest whole run first named, with the partial ones after it. */
  runIds: z.array(text),
  /** When the whole one was planned. */
  at: time,
  /** People in it; more may come with the partial ones. */
  members: count,
  /** Whether absence from it means that somebody left. */
  isSnapshot: z.boolean(),
  /** Whether retention has removed its people. */
  isRemoved: z.boolean(),
});
export const RosterPerson = z.object({
  ...each(text, 'key', 'firstname', 'lastname', 'email'),
  groups: z.array(text),
  given: z.boolean(),
});

export const CompletionDocument = object('CompletionDocument', {
  story: z.object({ ID: text, name: text, app: z.object({ ID: text, name: text, version: text }) }),
  source: text,
  rosterAt: time,
  askedAt: time,
  questions: count,
  minCell: count,
  strangers: z.object({ people: count, answersWithoutEmail: count }),
  total: z.object(counts).nullable(),
  groups: z.array(Group),
  hiddenGroups: count,
});
