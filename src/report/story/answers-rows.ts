// Writes answers as CSV and NDJSON.
import type { AnalysedAnswer, AnalysedStory, AnswerItem, QuestionHead, StoryHead } from '../../core/story/analysis.ts';
import { csvForm, csvText, listCell } from '../files/csv.ts';

export const answerColumns = [
  ...['storyId', 'story', 'storyType', 'appId', 'app', 'appVersion', 'question', 'questionType', 'possibleAnswers'],
  ...['firstname', 'lastname', 'email', 'telephone', 'country', 'city', 'groups', 'attempts', 'response', 'correct'],
];

/** Text of a CSV file (RFC 4180), some rows at a time. `excel`: with a byte order mark, and `;` between columns. */
export async function* answersCsv(
  stories: readonly AnalysedStory[],
  answers: AsyncIterable<readonly AnalysedAnswer[]>,
  { excel = false }: { excel?: boolean } = {},
): AsyncGenerator<string> {
  const form = csvForm(excel);
  yield form.mark + csvText([answerColumns], form);
  for await (const some of answers) {
    if (some.length === 0) continue;
    const rows = some.map((answer) => {
      const { story, questions } = stories[answer.story] ?? noStory;
      return csvCells(story, questions[answer.question] ?? noQuestion, answer.item);
    });
    yield csvText(rows, form);
  }
}

function csvCells(story: StoryHead, question: QuestionHead, item: AnswerItem): string[] {
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
