// Stories: how far people are with each, how well they answer, and, where somebody asks, who has not answered.
import type { CompletionCounts, ShownCompletion } from '../core/story/completion.ts';
import { nameOfStory, type StoryFigures } from '../core/story/analysis.ts';
import type { Html, HtmlPart } from '../core/text/format.ts';
import { percent } from '../report/story/answers-summary.ts';
import { personCell } from './people-table.ts';
import { bar, deed, lines, row, table, time } from './parts.ts';
import { count, figure, html, t } from './words.ts';

export interface CompletionOverTime {
  source: string;
  /** The name, or the ID where it has none. */
  story: string;
  storyId: string;
  times: { at: string; shown: ShownCompletion }[];
}

interface StoriesView {
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
        Whoever runs roster-sync can set when it asks the service for the answers to stories, and for which stories it
        keeps how far the people of your sources are.
      </p>`;
  }
  return html`<h1>${t('[1 story was|# stories were] answered', stories.length)}</h1>
    <p class="lead">
      ${at !== undefined && html`Counted ${time(at)}.`} Groups of fewer than ${minCell} people are hidden.
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
  const rows = newest.shown.groups.map((each) => completionRow(each.group, each));
  const past = before.flatMap(({ at, shown }) => (shown.total ? [completionRow(time(at), shown.total)] : []));
  const figures = [{ n: t('Answered') }, { n: t('Of') }, { n: t('Share') }];
  const byGroup = t('{story} by group', 1, { story });
  const hidden = t('[1 small group is|# small groups are] hidden.', newest.shown.hidden);
  return html`${heading}
    ${bar([
      { tone: 'ok', value: answered, words: t('answered') },
      { tone: 'warn', value: notAnswered, words: t('have not answered') },
      { tone: 'mute', value: notYetGiven, words: t('do not have it yet') },
    ])}
    <p class="small quiet">${percent(answered, people)} of ${count(people, 'person', 'people')}, ${time(newest.at)}.</p>
    ${rows.length > 0 && table(byGroup, [t('Group'), ...figures], rows)}
    ${newest.shown.hidden > 0 && html`<p class="small quiet">${hidden}</p>`}
    ${
      past.length > 0 &&
      html`<details>
        <summary>Over time</summary>
        ${table(t('{story} over time', 1, { story }), [t('Counted'), ...figures], past)}
      </details>`
    }
    <div class="row field">
      ${deed('/stories/people', t('See who has not answered'), '', { source, story: storyId })}
      <span class="small quiet">Asks the service. Names people; the audit keeps that you looked.</span>
    </div>`;
}

/** How far a group is, or everybody was at a time. */
const completionRow = (of: HtmlPart, { answered, people }: CompletionCounts): Html =>
  row(of, { n: figure(answered) }, { n: figure(people) }, { n: percent(answered, people) });

function storySection({ story, people, questions }: StoryFigures): Html {
  const rows = questions.map(({ question, answered, correct, incorrect }) =>
    row(question, { n: figure(answered) }, { n: percent(correct, correct + incorrect) }),
  );
  const name = nameOfStory(story);
  const headings = [t('Question'), { n: t('Answers') }, { n: t('Right') }];
  return html`<h2>${name}</h2>
    <p class="small quiet">${t('[1 person has|# people have] answered at least one question.', people)}</p>
    ${table(t('Questions of {story}', 1, { story: name }), headings, rows)}`;
}

interface NotAnsweredView {
  source: string;
  story: { ID: string; name: string };
  /** ISO 8601: when the roster was planned, and when the service was asked. */
  rosterAt: string;
  askedAt: string;
  /** How many have not answered, and how many are not counted since they do not have the story yet. */
  notAnswered: number;
  notYetGiven: number;
  people: readonly { firstname: string; lastname: string; email: string; groups: readonly string[] }[];
}

export function notAnsweredPage(view: NotAnsweredView): Html {
  const { source, story, rosterAt, askedAt, notAnswered, notYetGiven, people } = view;
  const name = story.name || story.ID;
  const rows = people.map((person) => row(personCell(person), person.groups.join(', ')));
  const later = t('[1 person does|# people do] not have it yet, and [is|are] not listed.', notYetGiven);
  const heading =
    notAnswered === 0
      ? t('Everybody who has it has answered')
      : t('[1 person has|# people have] not answered', notAnswered);
  return html`<h1>${heading}</h1>
    <p class="lead">
      ${name}: ${source}. The roster was read ${time(rosterAt)}; the service was asked ${time(askedAt)}.
      ${notYetGiven > 0 && later}
    </p>
    ${notAnswered > 0 && addresses(view)}
    ${notAnswered > 0 && table(t('Who has not answered'), [t('Person'), t('Groups')], rows)}
    <p class="small"><a href="/stories">All stories</a></p>`;
}

function addresses({ source, story, notAnswered, people }: NotAnsweredView): Html {
  const all = people.map(({ email }) => email).join('\n');
  const label =
    people.length < notAnswered
      ? t('The first # addresses', people.length)
      : t('The [1 address|# addresses]', people.length);
  return html`${people.length < notAnswered && html`<p>The first ${figure(people.length)} are shown here. The file has everybody.</p>`}
    <div class="row field">
      ${deed('/stories/people/download', t('Download as CSV'), 'dark', { source, story: story.ID })}
      <button type="button" data-copy="addresses" data-scripted hidden>Copy the addresses</button>
      <span class="small quiet">The download asks the service again.</span>
    </div>
    <div class="field">
      <label for="addresses">${label}</label>
      <textarea id="addresses" rows="${Math.min(6, people.length)}" readonly spellcheck="false">${lines(all)}</textarea>
    </div>`;
}
