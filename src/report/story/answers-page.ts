// Shows the answers to stories as one HTML page.
import { nameOfStory } from '../../core/story/analysis.ts';
import type { AnswerFigures, QuestionFigures } from '../../core/story/answer-tally.ts';
import { renderBreaches, percent } from './answers-summary.ts';
import { count, figure, moment } from '../../core/text/figures.ts';
import { bar, html, page } from '../files/page.ts';

/** One page with a bar per question; no person is on it. `at` is when the service was asked, ISO 8601. */
export function answersPage(figures: AnswerFigures, at: string): string {
  const { stories, answers, breaches } = figures;
  const noticed = renderBreaches(breaches).map((line) => `<li>${html(line)}</li>`);
  const sections = stories.map(({ story, people, questions }) =>
    [
      `<h2>${html(nameOfStory(story))}</h2>`,
      `<p class="small">${html(story.app.name)} ${html(story.app.version)} · ${html(story.type)} · ` +
        `${count(people, 'person', 'people')} answered</p>`,
      ...(questions.length === 0 ? ['<p>It has no question.</p>'] : questions.map(questionSection)),
    ].join('\n'),
  );
  return page(
    'Answers',
    [
      '<h1>Answers</h1>',
      `<p class="small">${html(moment(at))} · ${count(answers, 'answer')} · ${count(stories.length, 'story', 'stories')}</p>`,
      ...(noticed.length > 0 ? [`<ul class="small">${noticed.join('')}</ul>`] : []),
      ...sections,
    ].join('\n'),
  );
}

function questionSection(of: QuestionFigures): string {
  const { question, answered, correct, incorrect, responses, otherResponses } = of;
  const share = (part: number): number => (answered === 0 ? 0 : (part / answered) * 100);
  const rows = [
    ...responses.map(({ response, count: times }) => [response, times] as const),
    ...(otherResponses > 0 ? [['another response', otherResponses] as const] : []),
  ];
  return [
    `<h3>${html(question)}</h3>`,
    bar([
      { kind: 'good', percent: share(correct), title: `${figure(correct)} correct` },
      { kind: 'bad', percent: share(incorrect), title: `${figure(incorrect)} incorrect` },
    ]),
    `<p class="small">${figure(answered)} answered, ${figure(correct)} correct (${percent(correct, answered)})</p>`,
    '<table class="responses">',
    ...rows.map(([response, times]) => {
      return `<tr><td>${html(response)}</td><td class="n">${figure(times)}</td><td class="n">${percent(times, answered)}</td></tr>`;
    }),
    '</table>',
  ].join('\n');
}
