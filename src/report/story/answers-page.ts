// Shows the answers to stories as one HTML page.
import { nameOfStory } from '../../core/story/analysis.ts';
import type { AnswerFigures, QuestionFigures } from '../../core/story/answer-tally.ts';
import { renderBreaches, percent } from './answers-summary.ts';
import { count, figure, moment } from '../../core/text/figures.ts';
import { type Html, html } from '../../core/text/html.ts';
import { bar, page } from '../files/page.ts';

/** One page with a bar per question; no person is on it. `at` is when the service was asked, ISO 8601. */
export function answersPage(figures: AnswerFigures, at: string): string {
  const { stories, answers, breaches } = figures;
  const noticed = renderBreaches(breaches);
  const sections = stories.map(
    ({ story, people, questions }) =>
      html`<h2>${nameOfStory(story)}</h2>
        <p class="small">
          ${story.app.name} ${story.app.version} · ${story.type} · ${count(people, 'person', 'people')} answered
        </p>
        ${questions.length === 0 ? html`<p>It has no question.</p>` : questions.map(questionSection)}`,
  );
  return page(
    'Answers',
    html`<h1>Answers</h1>
      <p class="small">${moment(at)} · ${count(answers, 'answer')} · ${count(stories.length, 'story', 'stories')}</p>
      ${
        noticed.length > 0 &&
        html`<ul class="small">
          ${noticed.map((line) => html`<li>${line}</li>`)}
        </ul>`
      }
      ${sections}`,
  );
}

function questionSection(of: QuestionFigures): Html {
  const { question, answered, correct, incorrect, responses, otherResponses } = of;
  const share = (part: number): number => (answered === 0 ? 0 : (part / answered) * 100);
  const rows = [
    ...responses.map(({ response, count: times }) => [response, times] as const),
    ...(otherResponses > 0 ? [['another response', otherResponses] as const] : []),
  ];
  const parts = bar([
    { kind: 'good', percent: share(correct), title: `${figure(correct)} correct` },
    { kind: 'bad', percent: share(incorrect), title: `${figure(incorrect)} incorrect` },
  ]);
  return html`<h3>${question}</h3>
    ${parts}
    <p class="small">${figure(answered)} answered, ${figure(correct)} correct (${percent(correct, answered)})</p>
    <table class="responses">
      ${rows.map(
        ([response, times]) =>
          html`<tr>
            <td>${response}</td>
            <td class="n">${figure(times)}</td>
            <td class="n">${percent(times, answered)}</td>
          </tr>`,
      )}
    </table>`;
}
