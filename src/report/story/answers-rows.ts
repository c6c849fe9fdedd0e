// Lists answers for a file, and writes them as NDJSON.
import type { AnalysedAnswer, AnalysedStory, AnswerItem, QuestionHead, StoryHead } from '../../core/story/analysis.ts';
import { listCell } from '../files/csv.ts';
import type { Sheet } from '../files/sheet.ts';

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
