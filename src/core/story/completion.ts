// Joins answers to the people of a roster, and hides figures of groups that are too small.
import { z } from 'zod';
import { each, object } from '../../data/described.ts';
import { type AnalysedStory, type AnswerItem, nameOfStory } from './analysis.ts';
import { names } from './answer-tally.ts';
import { KeyTable } from '../hashing/text-set.ts';
import { personKey } from '../person/member.ts';

/**
 * Where somebody of a roster is with a story.
 * - `answered`: at least one question, all right
 * - `answered-wrongly`: at least one question wrong
 * - `not-answered`: they were given their groups, and have answered nothing
 * - `not-yet-given`: nothing answered, and their last delivery has not succeeded
 */
export const completionStatuses = ['answered', 'answered-wrongly', 'not-answered', 'not-yet-given'] as const;
export type CompletionStatus = (typeof completionStatuses)[number];

const count = z.int().min(0);

/**
 * How far a number of people are; `people = answered + notAnswered + notYetGiven`. Of those who answered, `wrongly` are those
 * with a wrong answer, and `partly` those with fewer answers than the story has questions.
 */
export const CompletionCounts = z.object(
  each(count, 'people', 'answered', 'wrongly', 'partly', 'notAnswered', 'notYetGiven'),
);
export type CompletionCounts = z.infer<typeof CompletionCounts>;

export const GroupCompletion = z.object({ group: z.string(), ...CompletionCounts.shape });
export type GroupCompletion = z.infer<typeof GroupCompletion>;

export const RosterPerson = z.object({
  ...each(z.string(), 'key', 'firstname', 'lastname', 'email'),
  groups: z.array(z.string()),
  given: z.boolean(),
});
export type RosterPerson = z.infer<typeof RosterPerson>;

export interface PersonCompletion {
  status: CompletionStatus;
  /** Different questions they answered; of a story in several versions, the most of one version. */
  questions: number;
}

/** What a text names: the stories to take together (versions of one), or in words why that cannot be said. */
export function chooseStories(stories: readonly AnalysedStory[], asked: string): number[] | string {
  const named = stories.map(({ story }, at) => ({ story, at })).filter(({ story }) => names(asked, story));
  const byId = named.filter(({ story }) => story.ID === asked);
  const chosen = byId.length > 0 ? byId : named;
  if (chosen.length === 0) return `The service reports no story called "${asked}".`;
  const places = new Map(chosen.map(({ story }) => [JSON.stringify([story.ID, story.app.ID]), story]));
  if (places.size === 1) return chosen.map(({ at }) => at);
  const shown = [...places.values()].map((story) => `${nameOfStory(story)} of ${story.app.name} (${story.app.ID})`);
  return `"${asked}" names ${places.size} stories: ${shown.join('; ')}. Name one by its ID, and its app.`;
}

/**
 * From 0. Questions of one text are the same in all versions; where a version has several, they match in their order.
 */
export function numberQuestions(versions: readonly Pick<AnalysedStory, 'questions'>[]): number[][] {
  const known = new Map<string, number>();
  return versions.map(({ questions }) => {
    const seen = new Map<string, number>();
    return questions.map(({ question }) => {
      const before = seen.get(question) ?? 0;
      seen.set(question, before + 1);
      const name = `${before} ${question}`;
      const number = known.get(name) ?? known.size;
      known.set(name, number);
      return number;
    });
  });
}

/** By e-mail address, without regard to case. A person takes some 40 bytes, and a bit for each question. */
export class CompletionJoin {
  readonly #people = new KeyTable();
  readonly #strangers = new KeyTable();
  readonly #versions: readonly (readonly number[])[];
  /** The bytes that hold a bit for each question. */
  readonly #width: number;
  #answered: Uint8Array<ArrayBuffer>;
  #wrong = new Uint8Array(1024);
  #withoutEmail = 0;

  /** @param versions the questions of each version of the story, by `numberQuestions` */
  constructor(versions: readonly (readonly number[])[]) {
    this.#versions = versions;
    const last = versions.reduce((most, questions) => questions.reduce((a, b) => Math.max(a, b), most), 0);
    this.#width = (last >> 3) + 1;
    this.#answered = new Uint8Array(1024 * this.#width);
  }

  /** Adds somebody of the roster: all of them before the first answer. */
  addPerson(key: string): void {
    this.#people.add(key);
    if (this.#people.size <= this.#wrong.length) return;
    this.#answered = doubled(this.#answered);
    this.#wrong = doubled(this.#wrong);
  }

  /** Adds an answer to a question, by its number. True when its user is on the roster. */
  addAnswer({ email, answer }: Pick<AnswerItem, 'email' | 'answer'>, question: number): boolean {
    const key = personKey(email);
    if (key === '') {
      this.#withoutEmail += 1;
      return false;
    }
    const at = this.#people.find(key);
    if (at === undefined) {
      this.#strangers.add(key);
      return false;
    }
    if (answer.correct === false) this.#wrong[at] = 1;
    const place = at * this.#width + (question >> 3);
    this.#answered[place] = (this.#answered[place] ?? 0) | (1 << (question & 7));
    return true;
  }

  /** Different people who answered and are not on the roster, and answers of nobody who could be known. */
  get strangers(): { people: number; answersWithoutEmail: number } {
    return { people: this.#strangers.size, answersWithoutEmail: this.#withoutEmail };
  }

  /** Where somebody of the roster is, once all answers were added. */
  statusOf({ key, given }: Pick<RosterPerson, 'key' | 'given'>): PersonCompletion {
    const at = this.#people.find(key);
    const questions = at === undefined ? 0 : this.#questionsOf(at);
    if (questions === 0) return { status: given ? 'not-answered' : 'not-yet-given', questions };
    const isWrong = at !== undefined && this.#wrong[at] === 1;
    return { status: isWrong ? 'answered-wrongly' : 'answered', questions };
  }

  #questionsOf(at: number): number {
    const first = at * this.#width;
    const has = (question: number): boolean =>
      ((this.#answered[first + (question >> 3)] ?? 0) & (1 << (question & 7))) !== 0;
    return this.#versions.reduce((most, questions) => Math.max(most, questions.filter(has).length), 0);
  }
}

function doubled(from: Uint8Array): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(from.length * 2);
  to.set(from);
  return to;
}

/** Counts people in total and by group. Somebody in several groups counts in each of them. */
export class CompletionTally {
  readonly total: CompletionCounts = noCounts();
  readonly #groups = new Map<string, CompletionCounts>();
  readonly #questions: number;

  constructor(questions: number) {
    this.#questions = questions;
  }

  add(groups: readonly string[], completion: PersonCompletion): void {
    this.#count(this.total, completion);
    for (const group of new Set(groups)) {
      let counts = this.#groups.get(group);
      if (!counts) this.#groups.set(group, (counts = noCounts()));
      this.#count(counts, completion);
    }
  }

  get groups(): GroupCompletion[] {
    return [...this.#groups]
      .map(([group, counts]) => ({ group, ...counts }))
      .toSorted((a, b) => (a.group < b.group ? -1 : 1));
  }

  #count(counts: CompletionCounts, { status, questions }: PersonCompletion): void {
    counts.people += 1;
    if (status === 'not-answered') counts.notAnswered += 1;
    else if (status === 'not-yet-given') counts.notYetGiven += 1;
    else {
      counts.answered += 1;
      if (status === 'answered-wrongly') counts.wrongly += 1;
      if (questions < this.#questions) counts.partly += 1;
    }
  }
}

/** How far the people of a source were with a story at one time; no person is in it. */
export interface SourceCompletion {
  source: string;
  /** When their roster was planned, ISO 8601. */
  rosterAt: string;
  story: { ID: string; name: string };
  questions: number;
  total: CompletionCounts;
  groups: GroupCompletion[];
}

/** What may be shown without telling of one person: no total where the whole roster is too small. */
export const ShownCompletion = object('Completion.completion.shown', {
  total: CompletionCounts.optional(),
  groups: z.array(GroupCompletion),
  /** How many groups are hidden, because they are small or would give away one that is. */
  hidden: count,
});
export type ShownCompletion = z.infer<typeof ShownCompletion>;

/** No hidden figure may be the total less what is shown: two groups with `minCell` people together, or none. */
export function hideSmallGroups(
  total: CompletionCounts,
  groups: readonly GroupCompletion[],
  minCell: number,
): ShownCompletion {
  if (total.people < minCell) return { total: undefined, groups: [], hidden: groups.length };
  const bySize = groups.toSorted((a, b) => a.people - b.people || (a.group < b.group ? -1 : 1));
  let hidden = bySize.filter(({ people }) => people < minCell).length;
  const hiddenPeople = (): number => bySize.slice(0, hidden).reduce((sum, { people }) => sum + people, 0);
  while (hidden > 0 && hidden < bySize.length && hiddenPeople() < minCell) hidden += 1;
  const names = new Set(bySize.slice(hidden).map(({ group }) => group));
  return { total, groups: groups.filter(({ group }) => names.has(group)), hidden };
}

function noCounts(): CompletionCounts {
  return { people: 0, answered: 0, wrongly: 0, partly: 0, notAnswered: 0, notYetGiven: 0 };
}
