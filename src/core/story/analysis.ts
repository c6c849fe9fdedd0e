// The types of questions and answers of stories.

/** What is asked of a question analysis (interface.md, "Question analysis"); what is left out is not narrowed down. */
export interface AnalysisRequest {
  /** ID or name of an app. */
  app?: string;
  /** ID or name of a story. */
  story?: string;
  groups?: string[];
  users?: string[];
}

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

export interface QuestionStats {
  total: number;
  correct: number;
  incorrect: number;
}

/** A story as the service describes it; a text that is missing there is empty here, and said to be missing. */
export interface StoryHead {
  ID: string;
  name: string;
  type: string;
  app: { ID: string; name: string; version: string };
}

export interface QuestionHead {
  question: string;
  type: string;
  possibleAnswers: string[];
  /** Absent where the service sends none that can be read. */
  stats?: QuestionStats | undefined;
}

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
