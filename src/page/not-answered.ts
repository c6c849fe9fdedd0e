// Who of a roster has not answered a story: people with their addresses, to copy or download.
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import { lines } from './lines.ts';
import { deed, table, time } from './parts.ts';

export interface NotAnsweredView {
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
  const rows = people.map(
    ({ firstname, lastname, email, groups }) =>
      html`<tr>
        <th scope="row"><b>${firstname} ${lastname}</b><span class="small">${email}</span></th>
        <td>${groups.join(', ')}</td>
      </tr>`,
  );
  const later = `${count(notYetGiven, 'person does', 'people do')} not have it yet, and ${notYetGiven === 1 ? 'is' : 'are'} not listed.`;
  return html`<h1>
      ${notAnswered === 0 ? 'Everybody who has it has answered' : `${count(notAnswered, 'person has', 'people have')} not answered`}
    </h1>
    <p class="lead">
      ${name}: ${source}. The roster is of ${time(rosterAt)}; the service was asked ${time(askedAt)}.
      ${notYetGiven > 0 && later}
    </p>
    ${notAnswered > 0 && addresses(view)}
    ${notAnswered > 0 && table('Who has not answered', ['Person', 'Groups'], rows)}
    <p class="small"><a href="/stories">All stories</a></p>`;
}

function addresses({ source, story, notAnswered, people }: NotAnsweredView): Html {
  const all = people.map(({ email }) => email).join('\n');
  const label =
    people.length < notAnswered
      ? `The first ${figure(people.length)} addresses`
      : `The ${count(people.length, 'address', 'addresses')}`;
  return html`${people.length < notAnswered && html`<p>The first ${figure(people.length)} are shown here. The file has everybody.</p>`}
    <div class="row field">
      ${deed('/stories/people/download', 'Download as CSV', 'dark', { source, story: story.ID })}
      <button type="button" data-copy="addresses" data-scripted hidden>Copy the addresses</button>
      <span class="small quiet">The download asks the service again.</span>
    </div>
    <div class="field">
      <label for="addresses">${label}</label>
      <textarea id="addresses" rows="${Math.min(6, people.length)}" readonly spellcheck="false">${lines(all)}</textarea>
    </div>`;
}
