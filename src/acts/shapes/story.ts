// The schemas of the JSON about answers to stories: answers, completion.
import { z } from 'zod';
import { count, each, time } from './parts.ts';

const text = z.string();
const request = z
  .object({
    app: text.optional(),
    story: text.optional(),
    groups: z.array(text).optional(),
    users: z.array(text).optional(),
  })
  .describe('What was asked for; empty for everything.');
const head = z.object({ ID: text, name: text, type: text, app: z.object({ ID: text, name: text, version: text }) });
const question = {
  question: text,
  type: text,
  possibleAnswers: z.array(text),
  stats: z
    .object({ total: z.number(), correct: z.number(), incorrect: z.number() })
    .optional()
    .describe('The counts as the service sent them; absent if it sent none that can be read.'),
  ...each(count, 'answered', 'correct', 'incorrect'),
  responses: z.array(z.object({ response: text, count })),
  otherResponses: count.describe('Answers that are none of the possible ones.'),
};

/** `answers`, and with `--history` what was kept. */
export const AnswersDocument = z.union([
  z
    .object({
      service: text,
      request,
      file: text.nullable().describe('Where the answers were written; null if they were only counted.'),
      sizeBytes: count,
      hash: text.nullable(),
      responseTime: z.number().nullable(),
      answers: count,
      stories: z.array(
        z.object({
          story: head,
          people: count,
          questions: z.array(
            z.object({ ...question, meanAttempts: z.number().nullable().describe('Null if nobody can say.') }),
          ),
        }),
      ),
      breaches: z
        .array(z.object({ kind: text, story: text, question: text, count, message: text }))
        .describe('Where the answer is not as the interface promises.'),
    })
    .describe('What was answered: counts, and no person.'),
  z
    .object({
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
    })
    .describe('With --history: the counts that were kept, the oldest first.'),
]);

const counts = {
  ...each(count, 'people', 'answered', 'wrongly', 'partly', 'notAnswered', 'notYetGiven'),
};
const Group = z.object({ group: text, ...counts });

export const CompletionQuery = z.strictObject({
  source: text.min(1).max(200).describe('A source of the config.'),
  limit: z.int().min(1).max(400).default(30).describe('The most times.'),
  minCell: z.int().min(5).max(1000).default(5).describe('Groups with fewer people are hidden.'),
});

export const Completion = z.object({
  source: text,
  minCell: count,
  completion: z
    .array(
      z.object({
        at: time,
        rosterAt: time,
        story: z.object({ ID: text, name: text }),
        shown: z.object({
          total: z.object(counts).exactOptional().describe('Absent if there are too few people to show.'),
          groups: z.array(Group),
          hidden: count.describe('How many groups are hidden.'),
        }),
      }),
    )
    .describe('The newest first.'),
});

/** The last roster of a source, and one of its people. */
export const LastRoster = z.object({
  runIds: z.array(text),
  at: time,
  members: count,
  ...each(z.boolean(), 'isSnapshot', 'isRemoved'),
});
export const RosterPerson = z.object({
  ...each(text, 'key', 'firstname', 'lastname', 'email'),
  groups: z.array(text),
  given: z.boolean(),
});

export const CompletionDocument = z
  .object({
    story: z.object({ ID: text, name: text, app: z.object({ ID: text, name: text, version: text }) }),
    source: text,
    rosterAt: time,
    askedAt: time,
    questions: count,
    minCell: count.describe('Groups of fewer people are hidden.'),
    strangers: z
      .object({ people: count, answersWithoutEmail: count })
      .describe('Who answered and is not on the roster.'),
    total: z.object(counts).nullable().describe('Null if there are too few people to show.'),
    groups: z.array(Group),
    hiddenGroups: count,
  })
  .describe('Who of a roster has answered a story: counts, and no person.');
