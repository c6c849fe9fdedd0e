// Shows answers as a table with remarks, or as JSON.
import type { Breach } from '../../core/story/analysis.ts';
import type { AnswerFigures, QuestionFigures } from '../../core/story/answer-tally.ts';
import { escapeText } from '../../core/text/escape.ts';
import { count, figure } from '../../core/text/figures.ts';
import { table } from '../terminal/layout.ts';
import type { Style } from '../terminal/style.ts';

/** How many kinds of breaches are told; the JSON has all. */
const mostBreaches = 20;

/** What was asked, answered, correct, its share, attempts on average. */
export function renderAnswers({ stories, answers }: AnswerFigures, style: Style): string {
  const rows = stories.flatMap(({ story, questions }): { story: string; of: QuestionFigures | undefined }[] =>
    (questions.length === 0 ? [undefined] : questions).map((of) => ({ story: story.name, of })),
  );
  if (rows.length === 0) return 'No story is reported.';
  const cells = (cell: (of: QuestionFigures) => string): string[] =>
    rows.map(({ of }) => (of === undefined ? '' : cell(of)));
  const lines = table(
    [
      { heading: 'Story', cells: rows.map(({ story }) => escapeText(story)) },
      { heading: 'Asked', cells: rows.map(({ of }) => escapeText(of?.question ?? 'no question')), gives: true },
      { heading: 'Answered', cells: cells((of) => figure(of.answered)), figures: true },
      { heading: 'Correct', cells: cells((of) => figure(of.correct)), figures: true },
      { heading: 'Share', cells: cells((of) => percent(of.correct, of.answered)), figures: true },
      { heading: 'Attempts', cells: cells(meanAttempts), figures: true },
    ],
    style.width,
  );
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
