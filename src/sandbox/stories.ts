// The sandbox's seeded stories, questions and answers.
import type { UserFields } from './message.ts';

/** interface.md, "Answer item". */
export interface AnswerItem extends UserFields {
  groups: string[];
  answer: { attempts: number; response: string; correct: boolean };
}

export interface SandboxQuestion {
  question: string;
  type: string;
  possibleAnswers: string[];
  /** Given, the users of the sandbox answer this question too; left out, only `answers` are reported. */
  rightAnswer?: string;
  /** Answers that are always there. */
  answers?: AnswerItem[];
}

/** A story with its questions; the statistics are counted, never given. */
export interface SandboxStory {
  story: { ID: string; name: string; type: string; app: { ID: string; name: string; version: string } };
  questions: SandboxQuestion[];
}

const onboarding = { ID: '12', name: 'Onboarding', version: '3.1.0' };
const workplace = { ID: '13', name: 'Workplace', version: '1.4' };

const exit = 'Leave by the nearest exit';
const report = 'Report it to the security desk';

/** The made-up people who have answered before anybody is inserted. They are nobody's users. */
const before = [
  resident('Ines', 'Moreau', 'ines.moreau@sandbox.example', 'France', 'Lyon', ['Sandbox residents']),
  resident('Kwame', 'Boateng', 'kwame.boateng@sandbox.example', 'Ghana', 'Accra', ['Sandbox residents', 'Facilities']),
  resident('Mei', 'Chen', 'mei.chen@sandbox.example', 'Taiwan', 'Taipei', []),
];

export const seededStories: SandboxStory[] = [
  {
    story: { ID: '4711', name: 'Fire safety', type: 'course', app: onboarding },
    questions: [
      multipleChoice(
        'What do you do first when the alarm sounds?',
        exit,
        ['Finish the e-mail', 'Take the lift'],
        [1, 1, 0],
      ),
      multipleChoice('Where is your assembly point?', 'The car park', ['The canteen', 'The roof'], [1, 0]),
    ],
  },
  {
    story: { ID: '4712', name: 'Information security', type: 'course', app: onboarding },
    questions: [
      multipleChoice('A stranger asks you to hold the door. What now?', report, ['Hold it', 'Ask for a coffee'], [1]),
      multipleChoice(
        'How long is a good password?',
        '16 characters or more',
        ['8 characters', 'My dog’s name'],
        [0, 1],
      ),
    ],
  },
  {
    story: { ID: '4720', name: 'Canteen survey', type: 'article', app: workplace },
    questions: [multipleChoice('How many days a week do you eat here?', '3 to 5', ['None', '1 or 2'], [])],
  },
  { story: { ID: '4721', name: 'Welcome', type: 'article', app: workplace }, questions: [] },
];

/** Makes this number of stories with two questions each; the first are the seeded ones. */
export function madeUpStories(count: number): SandboxStory[] {
  const more = Array.from({ length: Math.max(0, count - seededStories.length) }, (_, at) => ({
    story: {
      ID: String(10_000 + at),
      name: `Story ${at + 1}`,
      type: 'course',
      app: at % 2 === 0 ? onboarding : workplace,
    },
    questions: ['first', 'second'].map((which) => {
      return multipleChoice(`What is the ${which} thing to know of story ${at + 1}?`, 'This', ['That', 'Neither'], []);
    }),
  }));
  return [...seededStories, ...more].slice(0, count);
}

type Resident = Omit<AnswerItem, 'answer'>;

function resident(...given: [string, string, string, string, string, string[]]): Resident {
  const [firstname, lastname, email, country, city, groups] = given;
  return { firstname, lastname, email, telephone: '+00 555 0100', country, city, groups };
}

/** `outcomes` has 1 or 0 for each resident who answered: right or wrong. */
function multipleChoice(question: string, right: string, wrong: string[], outcomes: number[]): SandboxQuestion {
  const answers = before.slice(0, outcomes.length).map((person, at) => {
    const correct = outcomes[at] === 1;
    return { ...person, answer: { attempts: at + 1, response: correct ? right : (wrong[0] ?? ''), correct } };
  });
  const possibleAnswers = [...wrong.slice(0, 1), right, ...wrong.slice(1)];
  return { question, type: 'Multiple Choice', possibleAnswers, rightAnswer: right, answers };
}
