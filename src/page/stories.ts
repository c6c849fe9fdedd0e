// Stories: how far people are with each, and how well they answer; names nobody.
import type { GroupCompletion, ShownCompletion } from '../core/story/completion.ts';
import { nameOfStory } from '../core/story/analysis.ts';
import type { StoryFigures } from '../core/story/answer-tally.ts';
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import { percent } from '../report/story/answers-summary.ts';
import { bar, deed, table, time } from './parts.ts';

export interface CompletionOverTime {
  source: string;
  /** The name, or the ID where it has none. */
  story: string;
  storyId: string;
  times: { at: string; shown: ShownCompletion }[];
}

export interface StoriesView {
  /** ISO 8601; absent where nothing is kept. */
  at?: string;
  stories: readonly StoryFigures[];
  completion: readonly CompletionOverTime[];
  /** Groups of fewer people are hidden. */
  minCell: number;
}

export function storiesPage({ at, stories, completion, minCell }: StoriesView): Html {
  if (at === undefined && completion.length === 0) {
    return html`<h1>No answers are kept</h1>
      <p>
        Set <code>answers.schedule</code> in the config: <code>serve</code> then asks the service for the answers to
        stories, and keeps their counts. For each story in <code>answers.stories</code>, it also keeps how far the
        people of your sources are.
      </p>`;
  }
  return html`<h1>${count(stories.length, 'story was', 'stories were')} answered</h1>
    <p class="lead">
      ${at !== undefined && html`Counted ${time(at)}. `}Groups of fewer than ${minCell} people are hidden.
    </p>
    ${completion.map(completionSection)} ${stories.map(storySection)}`;
}

function completionSection({ source, story, storyId, times }: CompletionOverTime): Html | false {
  const [newest, ...before] = times;
  const total = newest?.shown.total;
  if (newest === undefined) return false;
  const heading = html`<h2>${story}: ${source}</h2>`;
  if (total === undefined)
    return html`${heading}
      <p>There are too few people to show without naming them.</p>`;
  const { people, answered, notAnswered, notYetGiven } = total;
  const rows = newest.shown.groups.map(groupRow);
  const past = before.flatMap(({ at, shown }) => (shown.total ? [{ at, ...shown.total }] : []));
  return html`${heading}
    ${bar([
      { tone: 'ok', value: answered, words: 'answered' },
      { tone: 'warn', value: notAnswered, words: 'have not answered' },
      { tone: 'mute', value: notYetGiven, words: 'do not have it yet' },
    ])}
    <p class="small quiet">${percent(answered, people)} of ${count(people, 'person', 'people')}, ${time(newest.at)}.</p>
    ${rows.length > 0 && table(`${story} by group`, ['Group', { n: 'Answered' }, { n: 'Of' }, { n: 'Share' }], rows)}
    ${newest.shown.hidden > 0 && html`<p class="small quiet">${count(newest.shown.hidden, 'small group is', 'small groups are')} hidden.</p>`}
    ${
      past.length > 0 &&
      html`<details>
        <summary>Over time</summary>
        ${table(`${story} over time`, ['Counted', { n: 'Answered' }, { n: 'Of' }, { n: 'Share' }], past.map(pastRow))}
      </details>`
    }
    <div class="row field">
      ${deed('/stories/people', 'See who has not answered', '', { source, story: storyId })}
      <span class="small quiet">Asks the service. Names people; the audit keeps that you looked.</span>
    </div>`;
}

function groupRow({ group, answered, people }: GroupCompletion): Html {
  return html`<tr>
    <th scope="row">${group}</th>
    <td class="n">${figure(answered)}</td>
    <td class="n">${figure(people)}</td>
    <td class="n">${percent(answered, people)}</td>
  </tr>`;
}

function pastRow({ at, answered, people }: { at: string; answered: number; people: number }): Html {
  return html`<tr>
    <th scope="row">${time(at)}</th>
    <td class="n">${figure(answered)}</td>
    <td class="n">${figure(people)}</td>
    <td class="n">${percent(answered, people)}</td>
  </tr>`;
}

function storySection({ story, people, questions }: StoryFigures): Html {
  const rows = questions.map(
    ({ question, answered, correct, incorrect }) =>
      html`<tr>
        <th scope="row">${question}</th>
        <td class="n">${figure(answered)}</td>
        <td class="n">${percent(correct, correct + incorrect)}</td>
      </tr>`,
  );
  return html`<h2>${nameOfStory(story)}</h2>
    <p class="small quiet">${count(people, 'person has', 'people have')} answered at least one question.</p>
    ${table(`Questions of ${nameOfStory(story)}`, ['Question', { n: 'Answers' }, { n: 'Right' }], rows)}`;
}
