// Walks through the JSON of a question analysis, twice: outline, then answers.
import { z } from 'zod';
import { defined } from '../core/defined.ts';
import {
  type AnalysedAnswer,
  type AnalysedQuestion,
  type AnalysedStory,
  type AnswerItem,
  type Breach,
  type BreachKind,
  nameOfStory,
  type QuestionHead,
  type StoryHead,
} from '../core/story/analysis.ts';
import type { Visitor, Wish } from '../core/rows/json-cutter.ts';
import { isRecord } from '../core/rows/path.ts';
import { AnswerItem as AnswerItemSchema, QuestionItem, StoryItem } from './contract.ts';

const StoryPart = StoryItem.shape.story;
const QuestionPart = QuestionItem.omit({ answers: true });

const dataAt = '/data';
const storyAt = '/data/story';
const questionsAt = '/data/questions';
const answersAt = '/data/questions/answers';

/** Counts stories and questions while a JSON text goes by; both passes over an answer count alike. */
abstract class Walk implements Visitor {
  story = -1;
  question = -1;

  /** A field of the envelope, of a story item or of a question item; `pointer` says which. */
  protected abstract field(kind: 'object' | 'array' | 'scalar', pointer: string): Wish;
  /** An element of `answers`. */
  protected abstract answer(): Wish;
  /** An element of `data` or of `questions` that is no object. */
  protected stray(_pointer: string): void {}
  /** An object in `data` or in `questions`. */
  protected entered(_pointer: string): void {}

  begins(kind: 'object' | 'array' | 'scalar', at: string, parent: 'document' | 'object' | 'array'): Wish {
    if (parent === 'array' && at.endsWith('/answers')) return this.answer();
    // Which story or question it is in is counted here.
    const pointer = at.replace(/^(\/data)\/\d+(?:(\/questions)\/\d+)?(?=\/)/, '$1$2');
    if (parent !== 'array') return this.field(kind, pointer);
    if (kind !== 'object') {
      this.stray(pointer);
      return 'skip';
    }
    if (pointer === dataAt) {
      this.story += 1;
      this.question = -1;
    } else {
      this.question += 1;
    }
    this.entered(pointer);
    return 'enter';
  }

  abstract takes(text: string): void;
}

/** The first pass over an answer: its envelope, its stories and questions, without a single answer of a person. */
export class OutlineWalk extends Walk {
  readonly envelope: Record<string, unknown> = {};
  readonly stories: AnalysedStory[] = [];
  readonly breaches: Breach[] = [];
  /** Values at the top: one is right. */
  documents = 0;
  isObject = false;
  hasData = false;
  #taking = '';
  #listsMissing = new Map<AnalysedStory | AnalysedQuestion, boolean>();

  protected override field(kind: 'object' | 'array' | 'scalar', pointer: string): Wish {
    this.#taking = pointer;
    if (pointer === '') {
      this.documents += 1;
      this.isObject = kind === 'object';
      return this.isObject && this.documents === 1 ? 'enter' : 'skip';
    }
    if (pointer === dataAt) {
      this.hasData = kind === 'array';
      return this.hasData ? 'enter' : 'skip';
    }
    const story = this.stories.at(-1);
    if (pointer === questionsAt) {
      if (kind === 'array' && story) this.#listsMissing.set(story, false);
      return kind === 'array' ? 'enter' : 'skip';
    }
    if (pointer === answersAt) {
      const question = story?.questions.at(-1);
      if (kind === 'array' && question) this.#listsMissing.set(question, false);
      return 'skip';
    }
    if (pointer === storyAt || pointer.startsWith(`${questionsAt}/`)) return 'take';
    // What nobody has documented may be of any size.
    return pointer.startsWith(`${dataAt}/`) || kind !== 'scalar' ? 'skip' : 'take';
  }

  protected override answer(): Wish {
    return 'skip';
  }

  protected override stray(pointer: string): void {
    const story = this.stories.at(-1);
    const isStory = pointer === dataAt;
    this.#note('missing-field', isStory ? undefined : story?.story, '', `an item of ${pointer.slice(1)} is no object`);
  }

  protected override entered(pointer: string): void {
    const nobody = { ID: '', name: '', type: '', app: { ID: '', name: '', version: '' } };
    if (pointer === dataAt) {
      const story: AnalysedStory = { story: nobody, json: undefined, questions: [] };
      this.stories.push(story);
      this.#listsMissing.set(story, true);
      return;
    }
    const question: AnalysedQuestion = { question: '', type: '', possibleAnswers: [], json: {} };
    this.stories.at(-1)?.questions.push(question);
    this.#listsMissing.set(question, true);
  }

  override takes(text: string): void {
    const pointer = this.#taking;
    const value: unknown = JSON.parse(text);
    if (pointer === storyAt) {
      const story = this.stories.at(-1);
      if (story) story.json = value;
    } else if (pointer.startsWith(`${questionsAt}/`)) {
      const question = this.stories.at(-1)?.questions.at(-1);
      if (question) question.json[keyOf(pointer, questionsAt)] = value;
    } else {
      this.envelope[keyOf(pointer, '')] = value;
    }
  }

  /** To be called at the end: reads the heads, and says what is missing in them. */
  conclude(): void {
    for (const item of this.stories) {
      const { value, missing } = readPart({ strict: StoryPart, shown: ShownStory }, item.json, 'story');
      item.story = value;
      for (const field of missing) this.#note('missing-field', value, '', `${field} is missing or of another type`);
      if (this.#listsMissing.get(item)) this.#note('missing-field', value, '', 'it has no list of questions');
      for (const question of item.questions) {
        const { value: head, missing } = readPart<QuestionHead>(
          { strict: QuestionPart, shown: ShownQuestion },
          question.json,
          '',
        );
        const { question: text, type, possibleAnswers, stats } = head;
        Object.assign(question, { question: text, type, possibleAnswers, ...defined({ stats }) });
        for (const field of missing) this.#note('missing-field', value, text, `${field} is missing or of another type`);
        if (this.#listsMissing.get(question)) this.#note('missing-field', value, text, 'it has no list of answers');
      }
    }
    if (typeof this.envelope['hash'] !== 'string') this.#note('envelope', undefined, '', 'the answer has no hash');
    if (typeof this.envelope['response_time'] !== 'number') {
      this.#note('envelope', undefined, '', 'the answer has no response_time');
    }
  }

  #note(kind: BreachKind, story: StoryHead | undefined, question: string, message: string): void {
    this.breaches.push({ kind, story: story ? nameOfStory(story) : '', question, count: 1, message });
  }
}

/** The second pass: the answers of people, as texts. */
export class AnswerWalk extends Walk {
  /** What has come since it was last emptied. */
  found: { story: number; question: number; position: number; text: string }[] = [];
  #position = 0;

  protected override field(kind: 'object' | 'array' | 'scalar', pointer: string): Wish {
    const isWay = pointer === '' || pointer === dataAt || pointer === questionsAt || pointer === answersAt;
    return isWay && kind !== 'scalar' ? 'enter' : 'skip';
  }

  protected override answer(): Wish {
    return 'take';
  }

  protected override entered(): void {
    this.#position = 0;
  }

  override takes(text: string): void {
    const { story, question } = this;
    this.found.push({ story, question, position: (this.#position += 1), text });
  }
}

/** Reads one answer; throws SyntaxError if it is no JSON. */
export function readAnswer(text: string): Pick<AnalysedAnswer, 'item' | 'missing'> {
  const json: unknown = JSON.parse(text);
  if (isAnswerItem(json)) return { item: json, missing: [] };
  const { value, missing } = readPart({ strict: AnswerItemSchema, shown: ShownAnswer }, json, '');
  return { item: value, missing };
}

/** The same as the schema of the contract says; it is asked a million times, and the schema is slow. */
export function isAnswerItem(value: unknown): value is AnswerItem {
  if (!isRecord(value)) return false;
  const { firstname, lastname, email, telephone, country, city, groups, answer } = value;
  if (typeof firstname !== 'string' || typeof lastname !== 'string' || typeof email !== 'string') return false;
  if (!isOptionalText(telephone) || !isOptionalText(country) || !isOptionalText(city)) return false;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string') || !isRecord(answer)) return false;
  const { attempts, response, correct } = answer;
  return (
    Number.isSafeInteger(attempts) &&
    Number(attempts) >= 0 &&
    typeof response === 'string' &&
    typeof correct === 'boolean'
  );
}

/** A text, or what can be shown of what should be one. */
const text = z.string().catch(({ input }) => (/^(?:number|boolean)$/.test(typeof input) ? String(input) : ''));
const texts = z.array(text).catch([]);
function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  return schema.catch(() => schema.parse({}));
}

/* The parts of the contract, read whatever they hold: what is missing or of another type is empty, or absent. */
const ShownAnswer = fields({
  ...{ firstname: text, lastname: text, email: text, groups: texts },
  ...{ telephone: text.optional(), country: text.optional(), city: text.optional() },
  answer: fields({
    response: text,
    attempts: z.number().optional().catch(undefined),
    correct: z.boolean().optional().catch(undefined),
  }),
});
const ShownStory = fields({ ID: text, name: text, type: text, app: fields({ ID: text, name: text, version: text }) });
const ShownQuestion = fields({
  ...{ question: text, type: text, possibleAnswers: texts },
  stats: QuestionPart.shape.stats.optional().catch(undefined),
});

/** A part of an answer; where it is not as the contract says, what can be shown of it, and which fields are not. */
function readPart<Value>(
  { strict, shown }: { strict: z.ZodType<Value>; shown: z.ZodType<Value> },
  json: unknown,
  name: string,
): { value: Value; missing: string[] } {
  const { success, data, error } = strict.safeParse(json);
  if (success) return { value: data, missing: [] };
  const missing = error.issues.map(({ path }) => [name, ...path].filter((part) => part !== '').join('.'));
  return { value: shown.parse(json), missing: [...new Set(missing)].map((field) => field || 'the answer itself') };
}

function keyOf(pointer: string, parent: string): string {
  return pointer
    .slice(parent.length + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
