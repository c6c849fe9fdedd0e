// The interface, both operations: the schemas of requests and answers, the paths, and how a success is read.
import { z } from 'zod';
import type { Answer, GroupResult } from '../core/call/answer.ts';

// The interface, once: both operations. Requests are strict, because what is sent is exactly what the interface
// names. Responses keep fields nobody has documented, and a documented field that is missing is an error.

/** The one value of `status` that the interface names, in the envelope and in a group's result. */
export const successStatus = 'success';

/** A person as a group insert sends them. */
export const User = z.strictObject({
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  telephone: z.string().optional(),
});

/** Request of `POST /v1/groups/insert`: adds one user to groups. The defaults are the interface's own. */
export const GroupInsertRequest = z.strictObject({
  groups: z.array(z.string()).min(1),
  user: User,
  invite: z.boolean().default(true),
  forceSync: z.boolean().default(false),
});
export type GroupInsertRequest = z.infer<typeof GroupInsertRequest>;

/** A number of one person's insert; with many more the sums of a run would not be exact, and no service counts so far. */
const Figure = z.int().nonnegative().max(1_000_000_000);

/** What a group insert did for one group. `success` is the only documented status; numbers are counts. */
export const GroupInsertResult = z.looseObject({
  group: z.string(),
  status: z.string(),
  inserts: Figure,
  warnings: Figure,
});

/** Request of `POST /v1/logs/story-question-analysis`; what is left out is not narrowed down. */
export const StoryQuestionAnalysisRequest = z.strictObject({
  /** ID or name of an app. */
  app: z.string().optional(),
  /** ID or name of a story. */
  story: z.string().optional(),
  groups: z.array(z.string()).optional(),
  /** Names or e-mail addresses of users. */
  users: z.array(z.string()).optional(),
});
export type StoryQuestionAnalysisRequest = z.infer<typeof StoryQuestionAnalysisRequest>;

/** One user's answer to one question. Which of telephone, country and city are always there is not shown. */
export const AnswerItem = z.looseObject({
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  telephone: z.string().optional(),
  country: z.string().optional(),
  city: z.string().optional(),
  groups: z.array(z.string()),
  answer: z.looseObject({ attempts: z.int().nonnegative(), response: z.string(), correct: z.boolean() }),
});

/** One question of a story, its statistics (`total` users, split into `correct` and `incorrect`), and every answer. */
export const QuestionItem = z.looseObject({
  question: z.string(),
  type: z.string(),
  possibleAnswers: z.array(z.string()),
  stats: z.looseObject({
    total: z.int().nonnegative(),
    correct: z.int().nonnegative(),
    incorrect: z.int().nonnegative(),
  }),
  answers: z.array(AnswerItem),
});

/** One story with its questions. */
export const StoryItem = z.looseObject({
  story: z.looseObject({
    ID: z.string(),
    name: z.string(),
    type: z.string(),
    app: z.looseObject({ ID: z.string(), name: z.string(), version: z.string() }),
  }),
  questions: z.array(QuestionItem),
});

const envelope = {
  status: z.string(),
  /** 32 hexadecimal characters; their meaning is not shown. */
  hash: z.string().regex(/^[0-9a-f]{32}$/i),
  /** Its unit is not shown. */
  response_time: z.number(),
};

/** Response of a group insert: the envelope with one result per group. */
export const GroupInsertResponse = z.looseObject({ ...envelope, data: z.array(GroupInsertResult) });

/** Response of a question analysis: the envelope with one item per story. */
export const StoryQuestionAnalysisResponse = z.looseObject({ ...envelope, data: z.array(StoryItem) });

/** What is read from the body of a success. */
export type Success = Pick<Extract<Answer, { kind: 'accepted' }>, 'results' | 'hash' | 'responseTime'>;

export interface Operation {
  /** Below the base URL. */
  path: string;
  /** The success in a parsed body, or in words why it is not of the documented shape. */
  read(json: unknown): Success | string;
}

/** Reads the success in a body of this shape, and the results in its data. */
function reader<Data>(
  response: z.ZodType<{ hash: string; response_time: number; data: Data }>,
  resultsIn: (data: Data) => GroupResult[],
): Operation['read'] {
  return (json) => {
    const { success, data: envelope, error } = response.safeParse(json);
    if (!success) return describeIssues(error);
    return { results: resultsIn(envelope.data), hash: envelope.hash, responseTime: envelope.response_time };
  };
}

export const groupInsert: Operation = {
  path: '/v1/groups/insert',
  read: reader(GroupInsertResponse, (results) => results),
};

/** Questions and answers of stories; here only to see whether the service is there, so no story is read out. */
export const questionAnalysis: Operation = {
  path: '/v1/logs/story-question-analysis',
  read: reader(StoryQuestionAnalysisResponse, () => []),
};

/** The first three issues; they name fields and types, never values. */
function describeIssues(error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return issues.slice(0, 3).join('; ');
}
