// Joins answers to the people of a roster, and hides figures of groups that are too small.
import type { AnalysedStory, AnswerItem, StoryHead } from './analysis.ts';
import { names } from './answer-tally.ts';
import { nameOfStory } from './analysis.ts';
import { KeyTable } from '../hashing/key-table.ts';
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

/** How far a number of people are; `people = answered + notAnswered + notYetGiven`. */
export interface CompletionCounts {
  people: number;
  answered: number;
  /** Of those who answered: with at least one wrong answer, and with fewer answers than the story has questions. */
  wrongly: number;
  partly: number;
  notAnswered: number;
  notYetGiven: number;
}

/** Somebody of a roster, as far as this is concerned. */
export interface RosterPerson {
  key: string;
  firstname: string;
  lastname: string;
  email: string;
  groups: readonly string[];
  /** Whether their last delivery succeeded. */
  given: boolean;
}

/** Where one person is. */
export interface PersonCompletion {
  status: CompletionStatus;
  /** Different questions they answered. */
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
  return `"${asked}" names ${places.size} stories: ${[...places.values()].map(inApp).join('; ')}. Name one by its ID, with --app.`;
}

function inApp(story: StoryHead): string {
  return `${nameOfStory(story)} of ${story.app.name} (${story.app.ID})`;
}

/**
 * Numbers the questions of the chosen versions of a story, from 0, by version, and says how many different ones there are. The
 * same text, as often as it comes in a version, is the same question in another one.
 */
export function numberQuestions(
  stories: readonly AnalysedStory[],
  chosen: readonly number[],
): { numbers: Map<number, number[]>; different: number } {
  const known = new Map<string, number>();
  const numbersOf = ({ questions }: Pick<AnalysedStory, 'questions'>): number[] => {
    const before = new Map<string, number>();
    return questions.map(({ question }) => {
      const nth = before.get(question) ?? 0;
      before.set(question, nth + 1);
      const place = JSON.stringify([question, nth]);
      const number = known.get(place) ?? known.size;
      known.set(place, number);
      return number;
    });
  };
  const numbers = new Map(chosen.map((at) => [at, numbersOf(stories[at] ?? { questions: [] })]));
  return { numbers, different: known.size };
}

/** Joins answers to people by e-mail address, without regard to case. Of a person some 36 bytes are kept, and a bit per question. */
export class CompletionJoin {
  readonly #people = new KeyTable();
  readonly #strangers = new KeyTable();
  #counts = new Uint16Array(1024);
  #wrong = new Uint8Array(1024);
  readonly #questions: number;
  /** A bit for each question of each person, so that a repeated answer is counted once; made for the first answer. */
  #seen: Uint8Array | undefined;
  #withoutEmail = 0;

  /** @param questions how many different ones there are */
  constructor(questions: number) {
    this.#questions = questions;
  }

  /** Adds somebody of the roster: all of them before the first answer. */
  addPerson(key: string): void {
    this.#people.add(key);
    if (this.#people.size <= this.#counts.length) return;
    const size = this.#counts.length * 2;
    this.#counts = grown(this.#counts, new Uint16Array(size));
    this.#wrong = grown(this.#wrong, new Uint8Array(size));
  }

  /** Adds an answer to a question, by its number from 0. True when its user is on the roster. */
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
    if (this.#isFirst(at * this.#questions + question)) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    return true;
  }

  #isFirst(bit: number): boolean {
    this.#seen ??= new Uint8Array(Math.ceil((this.#people.size * this.#questions) / 8));
    const [byte, mask] = [Math.floor(bit / 8), 1 << (bit % 8)];
    const seen = this.#seen[byte] ?? 0;
    this.#seen[byte] = seen | mask;
    return (seen & mask) === 0;
  }

  /** Different people who answered and are not on the roster, and answers of nobody who could be known. */
  get strangers(): { people: number; answersWithoutEmail: number } {
    return { people: this.#strangers.size, answersWithoutEmail: this.#withoutEmail };
  }

  /** Where somebody of the roster is, once all answers were added. */
  statusOf({ key, given }: Pick<RosterPerson, 'key' | 'given'>): PersonCompletion {
    const at = this.#people.find(key);
    const questions = at === undefined ? 0 : (this.#counts[at] ?? 0);
    if (questions === 0) return { status: given ? 'not-answered' : 'not-yet-given', questions };
    const isWrong = at !== undefined && this.#wrong[at] === 1;
    return { status: isWrong ? 'answered-wrongly' : 'answered', questions };
  }
}

function grown<Numbers extends Uint8Array | Uint16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/** Counts people in total and by group. Somebody in several groups counts in each of them. */
export class CompletionTally {
  readonly total: CompletionCounts = noCounts();
  readonly #groups = new Map<string, CompletionCounts>();
  readonly #questions: number;

  /** @param questions how many the story has */
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

  /** The groups, by name. */
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

/** The counts of one group. */
export interface GroupCompletion extends CompletionCounts {
  group: string;
}

/** How far the people of a source were with a story at one time; no person is in it. */
export interface SourceCompletion {
  source: string;
  /** When their roster was planned, ISO 8601. */
  rosterAt: string;
  story: { ID: string; name: string };
  /** How many the story has. */
  questions: number;
  total: CompletionCounts;
  groups: GroupCompletion[];
}

/** What may be shown without telling of one person. */
export interface ShownCompletion {
  /** Undefined where the whole roster is too small. */
  total: CompletionCounts | undefined;
  groups: GroupCompletion[];
  /** How many groups are hidden, because they are small or would give away one that is. */
  hidden: number;
}

/**
 * Hides groups of fewer than `minCell` people. What is hidden must not be computable as the total less what is shown, so
 * at least two groups of at least `minCell` people together are hidden, or none: the smallest of the others go with them.
 */
export function hideSmallGroups(
  total: CompletionCounts,
  groups: readonly GroupCompletion[],
  minCell: number,
): ShownCompletion {
  if (total.people < minCell) return { total: undefined, groups: [], hidden: groups.length };
  const bySize = groups.toSorted((a, b) => a.people - b.people || (a.group < b.group ? -1 : 1));
  let hidden = bySize.filter(({ people }) => people < minCell).length;
  const hiddenPeople = (): number => bySize.slice(0, hidden).reduce((sum, { people }) => sum + people, 0);
  while (hidden > 0 && hidden < bySize.length && (hidden < 2 || hiddenPeople() < minCell)) hidden += 1;
  const names = new Set(bySize.slice(hidden).map(({ group }) => group));
  return { total, groups: groups.filter(({ group }) => names.has(group)), hidden };
}

function noCounts(): CompletionCounts {
  return { people: 0, answered: 0, wrongly: 0, partly: 0, notAnswered: 0, notYetGiven: 0 };
}
