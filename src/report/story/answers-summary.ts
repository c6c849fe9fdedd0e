// Shows answers: as a table with remarks, as JSON, and as rows of a file.
import type {
  AnalysedAnswer,
  AnalysedStory,
  AnswerItem,
  Breach,
  QuestionFigures,
  QuestionHead,
  StoryHead,
} from '../../core/story/analysis.ts';
import type { AnswerFigures } from '../../core/story/answer-tally.ts';
import { count, escapeText, figure } from '../../core/text/format.ts';
import { tableOf } from '../terminal/columns.ts';
import type { Style } from '../terminal/style.ts';
import { listCell } from '../files/csv.ts';
import { type Sheet } from '../files/sheet.ts';

/** How many kinds of breaches are told; the JSON has all. */
const mostBreaches = 20;

/** What was asked, answered, correct, its share, attempts on average. */
export function renderAnswers({ stories, answers }: AnswerFigures, style: Style): string {
  const rows = stories.flatMap(({ story, questions }): { story: string; of: QuestionFigures | undefined }[] =>
    (questions.length === 0 ? [undefined] : questions).map((of) => ({ story: story.name, of })),
  );
  if (rows.length === 0) return 'No story is reported.';
  const lines = tableOf(rows, style.width, ({ words }) => {
    const about = (heading: string, cell: (of: QuestionFigures) => string) =>
      words(heading, ({ of }) => (of === undefined ? '' : cell(of)), { figures: true });
    return [
      words('Story', ({ story }) => story),
      words('Asked', ({ of }) => of?.question ?? 'no question', { gives: true }),
      about('Answered', ({ answered }) => figure(answered)),
      about('Correct', ({ correct }) => figure(correct)),
      about('Share', ({ correct, answered }) => percent(correct, answered)),
      about('Attempts', meanAttempts),
    ];
  });
  return [...lines, '', `${count(answers, 'answer')} in ${count(stories.length, 'story', 'stories')}.`].join('\n');
}

export function renderBreaches(breaches: readonly Breach[]): string[] {
  const lines = breaches.slice(0, mostBreaches).map(({ story, question, message, count: times }) => {
    const place = [story, question].filter((part) => part !== '').map((part) => escapeText(part));
    return `Noticed: ${[...place, escapeText(message)].join(': ')}${times > 1 ? `, and ${figure(times - 1)} more like it` : ''}`;
  });
  const more = breaches.length - lines.length;
  return more > 0 ? [...lines, `Noticed: ${count(more, 'thing')} more.`] : lines;
}

/** A share in whole percent: `31 %`; `100 %` is everybody and `0 %` nobody, `–` where there is nobody to be a share of. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = Math.round((part / whole) * 100);
  if (part > 0 && share === 0) return '<1 %';
  return part < whole && share === 100 ? '>99 %' : `${share} %`;
}

function meanAttempts({ attempts, attemptsKnown }: QuestionFigures): string {
  return attemptsKnown === 0 ? '–' : (attempts / attemptsKnown).toFixed(1);
}

export function answersJson({ answers, stories, breaches }: AnswerFigures) {
  return {
    answers,
    stories: stories.map(({ story, people, questions }) => ({
      story,
      people,
      questions: questions.map(({ attempts, attemptsKnown, ...question }) => ({
        ...question,
        meanAttempts: attemptsKnown === 0 ? null : attempts / attemptsKnown,
      })),
    })),
    breaches,
  };
}

export const answerColumns = [
  ...['storyId', 'story', 'storyType', 'appId', 'app', 'appVersion', 'question', 'questionType', 'possibleAnswers'],
  ...['firstname', 'lastname', 'email', 'telephone', 'country', 'city', 'groups', 'attempts', 'response', 'correct'],
];

/** A row for each answer. */
export const answersSheet = (
  stories: readonly AnalysedStory[],
  rows: AsyncIterable<readonly AnalysedAnswer[]>,
): Sheet<AnalysedAnswer> => ({
  ...{ name: 'Answers', list: 'answers', columns: answerColumns, rows },
  cells(answer) {
    const { story, questions } = stories[answer.story] ?? noStory;
    return cellsOf(story, questions[answer.question] ?? noQuestion, answer.item);
  },
});

function cellsOf(story: StoryHead, question: QuestionHead, item: AnswerItem): string[] {
  const { app } = story;
  const { firstname, lastname, email, telephone = '', country = '', city = '', groups } = item;
  const { attempts = '', response, correct = '' } = item.answer;
  return [
    ...[story.ID, story.name, story.type, app.ID, app.name, app.version],
    ...[question.question, question.type, listCell(question.possibleAnswers)],
    ...[firstname, lastname, email, telephone, country, city, listCell(groups)],
    ...[String(attempts), response, String(correct)],
  ];
}

/** Some lines at a time; story and answer as received, whatever the service sent beyond the interface. */
export async function* answersNdjson(
  stories: readonly AnalysedStory[],
  answers: AsyncIterable<readonly AnalysedAnswer[]>,
): AsyncGenerator<string> {
  let place = '';
  let before = '';
  for await (const some of answers) {
    const lines: string[] = [];
    for (const { story: at, question: of, text } of some) {
      const now = `${at}/${of}`;
      if (now !== place) {
        place = now;
        before = beginningOf(stories[at], stories[at]?.questions[of]);
      }
      // A line end can stand only between the tokens of a JSON text.
      const isOneLine = !text.includes('\n') && !text.includes('\r');
      lines.push(before, isOneLine ? text : JSON.stringify(JSON.parse(text)), '}\n');
    }
    yield lines.join('');
  }
}

function beginningOf(story: AnalysedStory | undefined, question: QuestionHead = noQuestion): string {
  const { question: text, type, possibleAnswers } = question;
  const head = JSON.stringify({ story: story?.json ?? story?.story ?? null, question: text, type, possibleAnswers });
  return `${head.slice(0, -1)},"answer":`;
}

const noQuestion: QuestionHead = { question: '', type: '', possibleAnswers: [] };
const noStory = {
  story: { ID: '', name: '', type: '', app: { ID: '', name: '', version: '' } },
  questions: [] as QuestionHead[],
};
