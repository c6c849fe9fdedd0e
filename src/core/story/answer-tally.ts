// Counts answers, and checks what the interface promises about them.
import { defined } from '../defined.ts';
import {
  type AnalysedAnswer,
  type AnalysedQuestion,
  type AnalysedStory,
  type AnalysisRequest,
  type Breach,
  type BreachKind,
  nameOfStory,
  type QuestionFigures,
  type StoryFigures,
  type StoryHead,
} from './analysis.ts';
import { count as countOf } from '../text/format.ts';
import { KeyTable } from '../hashing/text-set.ts';
import { personKey } from '../person/member.ts';

export interface AnswerFigures {
  answers: number;
  stories: StoryFigures[];
  breaches: Breach[];
}

/** Counts answers as they pass, and checks what the interface promises of them. The answers must come in order. */
export class AnswerTally {
  readonly #stories: readonly AnalysedStory[];
  readonly #figures: StoryFigures[];
  readonly #breaches: Breach[];
  readonly #asked: AnalysisRequest;
  readonly #ofStory = new KeyTable();
  readonly #ofQuestion = new KeyTable();
  #answers = 0;
  #story = -1;
  #question = -1;
  #counts = new Map<string, number>();
  #found = new Map<BreachKind, { count: number; first: string }>();

  constructor(stories: readonly AnalysedStory[], breaches: readonly Breach[] = [], asked: AnalysisRequest = {}) {
    this.#stories = stories;
    this.#breaches = [...breaches];
    this.#asked = asked;
    this.#figures = stories.map(({ story, questions }) => ({
      story,
      people: 0,
      questions: questions.map(emptyFigures),
    }));
  }

  add(answers: readonly AnalysedAnswer[]): void {
    for (const answer of answers) {
      if (answer.question !== this.#question || answer.story !== this.#story) this.#moveTo(answer);
      this.#count(answer);
    }
  }

  /** All that was counted; to be called once, at the end. */
  conclude(): AnswerFigures {
    this.#moveTo({ story: -1, question: -1 });
    this.#checkStories();
    for (const [at, { story, questions }] of this.#figures.entries()) {
      for (const question of questions) this.#checkStats(story, question);
      this.#checkRepeatedQuestions(story, this.#stories[at]?.questions ?? []);
    }
    return { answers: this.#answers, stories: this.#figures, breaches: this.#breaches };
  }

  get answers(): number {
    return this.#answers;
  }

  #moveTo({ story, question }: { story: number; question: number }): void {
    this.#endQuestion();
    if (story !== this.#story) {
      const before = this.#figures[this.#story];
      if (before) before.people = this.#ofStory.size;
      this.#ofStory.clear();
    }
    this.#story = story;
    this.#question = question;
    const possible = this.#figures[story]?.questions[question]?.possibleAnswers ?? [];
    this.#counts = new Map(possible.map((answer) => [answer, 0]));
  }

  #endQuestion(): void {
    this.#ofQuestion.clear();
    const story = this.#figures[this.#story];
    const figures = story?.questions[this.#question];
    if (!story || !figures) return;
    figures.responses = figures.possibleAnswers.map((response) => ({
      response,
      count: this.#counts.get(response) ?? 0,
    }));
    for (const [kind, { count, first }] of this.#found) {
      this.#breaches.push({ kind, story: nameOfStory(story.story), question: figures.question, count, message: first });
    }
    this.#found.clear();
  }

  #count({ item, missing, position }: AnalysedAnswer): void {
    const figures = this.#figures[this.#story]?.questions[this.#question];
    if (!figures) return;
    this.#answers += 1;
    figures.answered += 1;
    const { attempts, response, correct } = item.answer;
    if (correct === true) figures.correct += 1;
    if (correct === false) figures.incorrect += 1;
    if (attempts !== undefined) {
      figures.attempts += attempts;
      figures.attemptsKnown += 1;
    }
    const times = this.#counts.get(response);
    if (times === undefined) figures.otherResponses += 1;
    else this.#counts.set(response, times + 1);
    if (missing.length > 0)
      this.#note('missing-field', `answer ${position}: ${missing.join(', ')} missing or of another type`);
    else if (times === undefined && figures.possibleAnswers.length > 0) {
      this.#note('impossible-response', `answer ${position}: its response is none of the possible answers`);
    }
    const key = personKey(item.email);
    if (key === '') {
      this.#note('without-email', `answer ${position}: its user has no e-mail address`);
      return;
    }
    this.#ofStory.add(key);
    if (!this.#ofQuestion.add(key)) this.#note('repeated-answer', `answer ${position}: its user has answered before`);
  }

  #note(kind: BreachKind, message: string): void {
    const before = this.#found.get(kind);
    if (before) before.count += 1;
    else this.#found.set(kind, { count: 1, first: message });
  }

  #breach(kind: BreachKind, story: StoryHead | undefined, question: string, message: string): void {
    this.#breaches.push({ kind, story: story ? nameOfStory(story) : '', question, count: 1, message });
  }

  #checkStats(story: StoryHead, { question, stats, answered, correct, incorrect }: QuestionFigures): void {
    if (stats === undefined) return;
    const { total } = stats;
    const breach = (kind: BreachKind, message: string): void => this.#breach(kind, story, question, message);
    if (total !== answered) breach('stats-total', `stats.total is ${total}, but ${countOf(answered, 'answer')} came`);
    if (stats.correct + stats.incorrect !== total) {
      const parts = `stats.correct ${stats.correct} and stats.incorrect ${stats.incorrect}`;
      breach('stats-split', `${parts} are not stats.total ${total}`);
    }
    if (correct + incorrect === answered && total === answered && stats.correct !== correct) {
      const came = `${countOf(correct, 'answer')} ${correct === 1 ? 'is' : 'are'} correct`;
      breach('stats-correct', `stats.correct is ${stats.correct}, but ${came}`);
    }
  }

  /** The interface says that only the story asked for is reported, and one item for each. */
  #checkStories(): void {
    const { story: asked, app } = this.#asked;
    const seen = new Set<string>();
    const ids = new Set<string>();
    for (const { story } of this.#figures) {
      const { ID, app: its } = story;
      if (asked !== undefined && !names(asked, story)) {
        this.#breach('other-story', story, '', `this story came, but "${asked}" was asked for`);
      }
      if (app !== undefined && !names(app, its)) {
        this.#breach('other-app', story, '', `it is of the app ${its.name} (${its.ID}), but "${app}" was asked for`);
      }
      const place = JSON.stringify([ID, its.ID, its.version]);
      if (seen.has(place)) this.#breach('repeated-story', story, '', 'it is reported twice');
      seen.add(place);
      ids.add(ID);
    }
    if (asked !== undefined && ids.size > 1) {
      this.#breach('other-story', undefined, '', `"${asked}" brought ${ids.size} stories: ${[...ids].join(', ')}`);
    }
  }

  #checkRepeatedQuestions(story: StoryHead, questions: readonly AnalysedQuestion[]): void {
    const seen = new Set<string>();
    for (const { question } of questions) {
      if (seen.has(question)) this.#breach('repeated-question', story, question, 'the story has this question twice');
      seen.add(question);
    }
  }
}

/** Whether a text is the ID or, in whatever case, the name of an app or story. */
export function names(text: string, { ID, name }: { ID: string; name: string }): boolean {
  return text === ID || fold(text) === fold(name);
}

function fold(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

function emptyFigures({ question, type, possibleAnswers, stats }: AnalysedQuestion): QuestionFigures {
  const none = { answered: 0, correct: 0, incorrect: 0, attempts: 0, attemptsKnown: 0, otherResponses: 0 };
  const responses = possibleAnswers.map((response) => ({ response, count: 0 }));
  return { question, type, possibleAnswers, ...defined({ stats }), ...none, responses };
}
