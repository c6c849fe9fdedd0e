// Answers the question analysis from the sandbox's stories.
import { z } from 'zod';
import { personKey } from '../core/person/member.ts';
import type { Assumptions } from './options.ts';
import type { People, SandboxUser } from './people.ts';
import { draw } from './random.ts';
import { invalid, type Refusal, strayField } from './message.ts';
import type { AnswerItem, SandboxQuestion, SandboxStory } from './stories.ts';

const texts = (said: string) => z.array(z.string(said), said).default([]);

/** A valid request of interface.md, "Question analysis". */
const AnalysisRequest = z.object(
  {
    app: z.string('app is not a text').exactOptional(),
    story: z.string('story is not a text').exactOptional(),
    groups: texts('groups is not a list of names'),
    users: texts('users is not a list of names or addresses'),
  },
  'the body is not a JSON object',
);
export type AnalysisRequest = z.output<typeof AnalysisRequest>;

/** What the analysis is made from. */
export interface AnalysisSource {
  stories: readonly SandboxStory[];
  people: People;
  assumptions: Assumptions;
  seed: number;
  /** The share of users, from 0 to 1, who take a story. */
  answerRate: number;
}

/** Of those who take a story, the share who answer any one question, and of these who answer it right. */
const perQuestion = 0.9;
const right = 0.75;

/** Reads a parsed body as a question analysis, or says with which words it is refused. */
export function readAnalysis(body: unknown, assumptions: Assumptions): AnalysisRequest | Refusal {
  const { data, error } = AnalysisRequest.safeParse(body);
  if (!data) return invalid(error.issues[0]?.message ?? '');
  const stray = assumptions.unknownFields === 'refuse' && strayField(body, AnalysisRequest);
  return stray ? invalid(`${stray} is not a parameter`) : data;
}

/**
 * The text of a list with one item per story that fits; users and groups, when given, both narrow the answers, and the
 * statistics with them. In pieces of at most some kilobytes: nothing of it is held.
 */
export function* analysePieces(request: AnalysisRequest, source: AnalysisSource): Generator<string> {
  const isWanted = wantedBy(request, source.assumptions);
  const wanted = [...source.people.users()].filter(isWanted);
  let before = '[';
  for (const { story, questions } of storiesFor(request, source)) {
    const all = questions.map((question, at) => {
      const answers = () => answersTo(question, `${story.ID}/${at}`, story.ID, wanted, isWanted, source);
      return { question, answers, stats: count(answers()) };
    });
    if (source.assumptions.unansweredStories === 'omit' && all.every(({ stats }) => stats.total === 0)) continue;
    yield `${before}{"story":${JSON.stringify(story)},"questions":[`;
    before = ',';
    for (const [at, { question, answers, stats }] of all.entries()) {
      const { question: text, type, possibleAnswers } = question;
      const head = JSON.stringify({ question: text, type, possibleAnswers, stats });
      yield `${at === 0 ? '' : ','}${head.slice(0, -1)},"answers":[`;
      yield* listed(answers());
      yield ']}';
    }
    yield ']}';
  }
  yield before === '[' ? '[]' : ']';
}

/** The number of answers sent at a time. */
const answersInPiece = 200;

function* listed(answers: Iterable<AnswerItem>): Generator<string> {
  let some: string[] = [];
  let before = '';
  for (const answer of answers) {
    if (some.push(JSON.stringify(answer)) < answersInPiece) continue;
    yield before + some.join(',');
    before = ',';
    some = [];
  }
  if (some.length > 0) yield before + some.join(',');
}

type Asked = (person: Omit<AnswerItem, 'answer'>) => boolean;

function wantedBy(request: AnalysisRequest, assumptions: Assumptions): Asked {
  const users = new Set(request.users.map(personKey));
  const fold = (group: string): string => (assumptions.groupNames === 'exact' ? group : group.toLowerCase());
  const groups = new Set(request.groups.map(fold));
  return (person) => {
    if (groups.size > 0 && !person.groups.some((group) => groups.has(fold(group)))) return false;
    const name = `${person.firstname} ${person.lastname}`;
    return users.size === 0 || users.has(personKey(person.email)) || users.has(personKey(name));
  };
}

function storiesFor(request: AnalysisRequest, { stories }: AnalysisSource): SandboxStory[] {
  return stories.filter(({ story }) => isNamed(story, request.story) && isNamed(story.app, request.app));
}

function count(answers: Iterable<AnswerItem>): { total: number; correct: number; incorrect: number } {
  const stats = { total: 0, correct: 0, incorrect: 0 };
  for (const { answer } of answers) {
    stats.total += 1;
    stats[answer.correct ? 'correct' : 'incorrect'] += 1;
  }
  return stats;
}

/** The answers that are always there, then what the users of the sandbox answered: drawn from the seed, the same at every call. */
function* answersTo(
  question: SandboxQuestion,
  place: string,
  story: string,
  users: Iterable<SandboxUser>,
  isWanted: Asked,
  { seed, answerRate, assumptions }: AnalysisSource,
): Generator<AnswerItem> {
  const { rightAnswer, possibleAnswers, answers: fixed = [] } = question;
  yield* fixed.filter(isWanted);
  if (rightAnswer === undefined) return;
  const answered = new Set(fixed.map(({ email }) => personKey(email)));
  const wrong = possibleAnswers.filter((answer) => answer !== rightAnswer);
  const absent = assumptions.absentFields === 'empty' ? { telephone: '', country: '', city: '' } : {};
  for (const user of users) {
    const key = personKey(user.email);
    if (answered.has(key) || draw(seed, 'takes', story, key) >= answerRate) continue;
    if (draw(seed, 'answers', place, key) >= perQuestion) continue;
    const isRight = wrong.length === 0 || draw(seed, 'right', place, key) < right;
    const chosen = wrong[Math.floor(draw(seed, 'wrong', place, key) * wrong.length)];
    const attempts = 1 + Math.floor(draw(seed, 'attempts', place, key) * 3);
    const response = isRight ? rightAnswer : (chosen ?? rightAnswer);
    const { firstname, lastname, email, telephone, country, city } = { ...absent, ...user };
    const known = Object.entries({ telephone, country, city }).filter(([, value]) => value !== undefined);
    const groups = [...user.groups];
    const answer = { attempts, response, correct: isRight };
    yield { firstname, lastname, email, ...Object.fromEntries(known), groups, answer };
  }
}

function isNamed(thing: { ID: string; name: string }, wanted: string | undefined): boolean {
  return wanted === undefined || thing.ID === wanted || thing.name === wanted;
}
