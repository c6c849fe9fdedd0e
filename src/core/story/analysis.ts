// The shapes of questions and answers of stories.
import { z } from 'zod';
import { described, each, object } from '../../data/described.ts';

const text = z.string();
const count = z.int().min(0);

/** What is asked of a question analysis (interface.md, "Question analysis"); what is left out is not narrowed down. */
export const AnalysisRequest = object('request', {
  ...each(text.exactOptional(), 'app', 'story'),
  ...each(z.array(text).exactOptional(), 'groups', 'users'),
});
export type AnalysisRequest = z.infer<typeof AnalysisRequest>;

/**
 * What the service sends beyond the interface stays in it. What is missing is empty or absent; `missing` names it.
 */
export interface AnswerItem {
  firstname: string;
  lastname: string;
  email: string;
  telephone?: string | undefined;
  country?: string | undefined;
  city?: string | undefined;
  groups: string[];
  answer: { attempts?: number | undefined; response: string; correct?: boolean | undefined };
}

/** A story as the service describes it; a text that is missing there is empty here, and said to be missing. */
export const StoryHead = z.object({
  ...each(text, 'ID', 'name', 'type'),
  app: z.object(each(text, 'ID', 'name', 'version')),
});
export type StoryHead = z.infer<typeof StoryHead>;

/** What was answered to one question; no person is in it. */
export const QuestionFigures = z.object({
  ...described('question', {
    ...each(text, 'question', 'type'),
    possibleAnswers: z.array(text),
    /** Absent where the service sends none that can be read. */
    stats: z.object(each(z.number(), 'total', 'correct', 'incorrect')).optional(),
    ...each(count, 'answered', 'correct', 'incorrect'),
    /** How often each possible answer was given, in their order. */
    responses: z.array(z.object({ response: text, count })),
    /** Answers whose response is none of the possible ones; every answer of a question that names none. */
    otherResponses: count,
  }),
  /** Of all answers together, and of how many answers that is known. */
  attempts: z.number(),
  attemptsKnown: count,
});
export type QuestionFigures = z.infer<typeof QuestionFigures>;
export type QuestionHead = Pick<QuestionFigures, 'question' | 'type' | 'possibleAnswers' | 'stats'>;

/** `people`: different people who answered at least one question; answers without an e-mail address count for nobody. */
export const StoryFigures = z.object({ story: StoryHead, people: count, questions: z.array(QuestionFigures) });
export type StoryFigures = z.infer<typeof StoryFigures>;

/** A question, and the JSON of its head as received: without `answers`, with whatever nobody has documented. */
export interface AnalysedQuestion extends QuestionHead {
  json: Record<string, unknown>;
}

/** A story with its questions, without the answers, in the order of the answer. */
export interface AnalysedStory {
  story: StoryHead;
  /** `story` as received. */
  json: unknown;
  questions: AnalysedQuestion[];
}

/** One item of `answers`, wherever it came from. */
export interface AnalysedAnswer {
  /** Places in `stories` and in its `questions`, from 0, and the item's own among the answers, from 1. */
  story: number;
  question: number;
  position: number;
  text: string;
  item: AnswerItem;
  /** Fields that the interface names and that are missing or of another type; empty is the rule. */
  missing: readonly string[];
}

/** What an answer breaks of what the interface promises. */
export type BreachKind =
  | 'envelope'
  | 'other-story'
  | 'other-app'
  | 'repeated-story'
  | 'repeated-question'
  | 'missing-field'
  | 'without-email'
  | 'stats-total'
  | 'stats-split'
  | 'stats-correct'
  | 'impossible-response'
  | 'repeated-answer';

export interface Breach {
  kind: BreachKind;
  story: string;
  question: string;
  count: number;
  /** In words, the first of them as the example; it names no person. */
  message: string;
}

export function nameOfStory({ name, ID }: Pick<StoryHead, 'name' | 'ID'>): string {
  return name === '' ? `story ${ID || 'without ID and name'}` : `${name} (${ID})`;
}

/** A whole answer of the question analysis, kept aside: it can be read any number of times, in flat memory. */
export interface Analysis {
  /** `hash` and `response_time` of the envelope, where they came. */
  hash?: string;
  responseTime?: number;
  /** Length of the whole answer. */
  sizeBytes: number;
  stories: readonly AnalysedStory[];
  /** What was noticed of the form, the answers themselves aside. */
  breaches: readonly Breach[];
  /** Every answer in the order received, some at a time. Throws a ServiceError if one is not JSON. */
  answers(): AsyncGenerator<AnalysedAnswer[]>;
  /** The bytes as received. A chunk is valid until the next one is asked for. */
  bytes(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}
