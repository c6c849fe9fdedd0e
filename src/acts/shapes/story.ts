// The schemas of the JSON about answers to stories: answers, completion.
import { z } from 'zod';
import { AnalysisRequest, QuestionFigures, StoryFigures, StoryHead } from '../../core/story/analysis.ts';
import { CompletionCounts, GroupCompletion, ShownCompletion } from '../../core/story/completion.ts';
import { object, strictObject } from '../../data/described.ts';
import { count, text, time } from './parts.ts';

/** `answers`, and with `--history` what was kept. */
export const AnswersDocument = z.union([
  object('AnswersDocument.1', {
    service: text,
    request: AnalysisRequest,
    file: text.nullable(),
    sizeBytes: count,
    hash: text.nullable(),
    responseTime: z.number().nullable(),
    answers: count,
    stories: z.array(
      z.object({
        story: StoryHead,
        people: count,
        questions: z.array(
          object('AnswersDocument.1.stories.questions', {
            ...QuestionFigures.omit({ attempts: true, attemptsKnown: true }).shape,
            meanAttempts: z.number().nullable(),
          }),
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
        request: AnalysisRequest,
        answers: count,
        stories: z.array(StoryFigures),
      }),
    ),
  }),
]);

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
      shown: ShownCompletion,
    }),
  ),
});

/** The last roster of a source. */
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

export const CompletionDocument = object('CompletionDocument', {
  story: z.object({ ID: text, name: text, app: z.object({ ID: text, name: text, version: text }) }),
  source: text,
  rosterAt: time,
  askedAt: time,
  questions: count,
  minCell: count,
  strangers: z.object({ people: count, answersWithoutEmail: count }),
  total: CompletionCounts.nullable(),
  groups: z.array(GroupCompletion),
  hiddenGroups: count,
});
