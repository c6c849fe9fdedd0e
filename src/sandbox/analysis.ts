import { personKey } from '../core/member.ts';
import type { Assumptions } from './assumptions.ts';
import type { People, SandboxUser } from './people.ts';
import { draw } from './random.ts';
import type { Refusal } from './reply.ts';
import { isObject, strayField } from './request.ts';
import type { AnswerItem, SandboxQuestion, SandboxStory } from './stories.ts';

/** A valid request of interface.md, "Question analysis". */
export interface AnalysisRequest {
  app?: string;
  story?: string;
  groups: string[];
  users: string[];
}

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
  if (!isObject(body)) return invalid('the body is not a JSON object');
  const { app, story, groups = [], users = [] } = body;
  if (app !== undefined && typeof app !== 'string') return invalid('app is not a text');
  if (story !== undefined && typeof story !== 'string') return invalid('story is not a text');
  if (!isTexts(groups)) return invalid('groups is not a list of names');
  if (!isTexts(users)) return invalid('users is not a list of names or addresses');
  const stray = assumptions.unknownFields === 'refuse' && strayField(body, ['app', 'story', 'groups', 'users']);
  if (stray) return invalid(`${stray} is not a parameter`);
  return { groups, users, ...(app === undefined ? {} : { app }), ...(story === undefined ? {} : { story }) };
}

/** One item per story that fits; users and groups, when given, both narrow the answers, and the statistics with them. */
export function analyse(request: AnalysisRequest, source: AnalysisSource): object[] {
  const { stories, people, assumptions } = source;
  const users = new Set(request.users.map(personKey));
  const fold = (group: string): string => (assumptions.groupNames === 'exact' ? group : group.toLowerCase());
  const groups = new Set(request.groups.map(fold));
  const isWanted = (person: Omit<AnswerItem, 'answer'>): boolean => {
    if (groups.size > 0 && !person.groups.some((group) => groups.has(fold(group)))) return false;
    const name = `${person.firstname} ${person.lastname}`;
    return users.size === 0 || users.has(personKey(person.email)) || users.has(personKey(name));
  };
  const wanted = [...people.users()].filter(isWanted);
  return stories
    .filter(({ story }) => isNamed(story, request.story) && isNamed(story.app, request.app))
    .map(({ story, questions }) => ({
      story,
      questions: questions.map((question, at) => {
        const { question: text, type, possibleAnswers } = question;
        const fixed = (question.answers ?? []).filter(isWanted);
        const answers = [...fixed, ...answersOf(wanted, question, `${story.ID}/${at}`, story.ID, source)];
        const correct = answers.filter(({ answer }) => answer.correct).length;
        const stats = { total: answers.length, correct, incorrect: answers.length - correct };
        return { question: text, type, possibleAnswers, stats, answers };
      }),
    }))
    .filter(({ questions }) => {
      return assumptions.unansweredStories === 'keep' || questions.some(({ stats }) => stats.total > 0);
    });
}

/** What the users of the sandbox answered: drawn from the seed, the same at every call. */
function answersOf(
  users: readonly SandboxUser[],
  question: SandboxQuestion,
  place: string,
  story: string,
  { seed, answerRate, assumptions }: AnalysisSource,
): AnswerItem[] {
  const { rightAnswer, possibleAnswers, answers: fixed = [] } = question;
  if (rightAnswer === undefined) return [];
  const answered = new Set(fixed.map(({ email }) => personKey(email)));
  const wrong = possibleAnswers.filter((answer) => answer !== rightAnswer);
  const absent = assumptions.absentFields === 'empty' ? { telephone: '', country: '', city: '' } : {};
  return users.flatMap((user) => {
    const key = personKey(user.email);
    if (answered.has(key) || draw(seed, 'takes', story, key) >= answerRate) return [];
    if (draw(seed, 'answers', place, key) >= perQuestion) return [];
    const isRight = wrong.length === 0 || draw(seed, 'right', place, key) < right;
    const chosen = wrong[Math.floor(draw(seed, 'wrong', place, key) * wrong.length)];
    const attempts = 1 + Math.floor(draw(seed, 'attempts', place, key) * 3);
    const response = isRight ? rightAnswer : (chosen ?? rightAnswer);
    const { firstname, lastname, email, telephone, country, city } = { ...absent, ...user };
    const known = Object.entries({ telephone, country, city }).filter(([, value]) => value !== undefined);
    const groups = [...user.groups];
    const answer = { attempts, response, correct: isRight };
    return [{ firstname, lastname, email, ...Object.fromEntries(known), groups, answer }];
  });
}

function isNamed(thing: { ID: string; name: string }, wanted: string | undefined): boolean {
  return wanted === undefined || thing.ID === wanted || thing.name === wanted;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function invalid(message: string): Refusal {
  return { status: 400, code: 'invalid-request', message };
}
