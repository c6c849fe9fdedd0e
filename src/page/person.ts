// One person: who they are here, what they were given, and everything that happened, newest first.
import { count } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { PersonHistory } from '../ledger/people/person.ts';
import { note, pill, table, time } from './parts.ts';

/** The form that looks for somebody; the address is posted, so that it stays out of logs. */
export function personSearch(asked = '', problem?: string): Html {
  return html`<h1>Look somebody up</h1>
    <p class="lead">Everything that is known about one person, over all runs and sources.</p>
    <form method="post" action="/people" role="search">
      <div class="field">
        <label for="email">E-mail address</label>
        ${problem !== undefined && html`<p class="wrong" role="alert" id="wrong">${problem}</p>`}
        <input
          type="email"
          id="email"
          name="email"
          required
          value="${asked}"
          autocomplete="off"
          ${problem !== undefined && html` aria-invalid="true" aria-describedby="wrong"`}
        />
      </div>
      <button>Look up</button>
    </form>`;
}

/** What is known about a person. */
export function person(history: PersonHistory): Html {
  const { asked, addresses, given, leftBehind, runs, rejects } = history;
  const isKnown = given.length + runs.length + rejects.length > 0;
  if (!isKnown)
    return html`<h1>${asked}</h1>
      <p>Nobody with this address was ever in a roster.</p>
      <p><a href="/people">Look somebody else up</a></p>`;
  const [name = asked] = given
    .map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim())
    .filter((each) => each !== '');
  const others = addresses.slice(1);
  return html`<h1>${name}</h1>
    <p class="lead">${asked}${others.length > 0 && `, before ${others.join(', ')}`}</p>
    <h2>Groups</h2>
    ${
      given.length === 0
        ? html`<p>No call for them has succeeded so far.</p>`
        : table(
            'Groups that were given',
            ['Source', 'Groups', 'Given'],
            given.map(
              (each) =>
                html`<tr>
                  <th scope="row"><b>${each.source}</b></th>
                  <td>${(each.groups ?? []).join(' · ')}</td>
                  <td>${each.givenAt && time(each.givenAt.toISOString())}</td>
                </tr>`,
            ),
          )
    }
    ${leftBehind.map(({ group, since }) => note(`${group}: left behind`, html`No roster gives it any more${since && html` since ${time(since.toISOString())}`}. Take them out in the service.`))}
    <h2>What happened, newest first</h2>
    ${table(
      'Runs',
      ['Run', 'What was sent', 'How it ended'],
      runs.map(
        (run) =>
          html`<tr>
            <th scope="row">
              <a href="/runs/${run.run}"><b>${run.source}</b></a
              ><span class="small">${time(run.startedAt.toISOString())}</span>
            </th>
            <td>${run.row?.groups.join(' · ')}</td>
            <td>
              ${pill(run.outcome ?? 'not sent', run.outcome === 'succeeded' ? 'ok' : run.outcome === null ? 'mute' : 'bad')}
              <span class="quiet">${run.reason} ${run.calls.length > 0 && count(run.calls.length, 'call')}</span>
            </td>
          </tr>`,
      ),
    )}
    ${
      rejects.length > 0 &&
      html`<h2>Rejected rows</h2>
        ${table(
          'Rejected rows',
          ['When', 'Row', 'Why'],
          rejects.map(
            (each) =>
              html`<tr>
                <td>${time(each.startedAt.toISOString())}</td>
                <td>${each.file}, line ${each.line}</td>
                <td class="wrong">${each.reason}</td>
              </tr>`,
          ),
        )}`
    }
    <p><a href="/people">Look somebody else up</a></p>`;
}
