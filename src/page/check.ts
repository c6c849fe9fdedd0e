// Is this how the file is meant? What was read, what each column becomes, and what comes out.
import { count, figure, html, type Html } from '../core/text/format.ts';
import { checkColumns, reading } from './check-file.ts';
import { checkGroups } from './check-groups.ts';
import type { CheckFilter, CheckSum, CheckView } from '../intake/check-view.ts';
import { choice, hidden, note } from './parts.ts';
import { stepper } from './import.ts';

export const checkTitle = 'Is this how the file is meant?';

/** One form holds all of it: each button sends everything that is chosen. */
export function check(view: CheckView): Html {
  const { upload, fileName, rows, problems } = view;
  const read = view.read === undefined ? 'not read yet' : `${count(rows, 'row')}, read a moment ago`;
  return html`${stepper('Check', upload)}
    <h1>${checkTitle}</h1>
    <p class="lead">
      ${fileName}, ${read}. Nothing is sent on this page.
      ${view.changes > 0 && html`<a href="/import/${upload}/changes">See ${count(view.changes, 'change')}</a>`}
    </p>
    ${view.origin !== undefined && originNote(view.origin)}
    ${problems.length > 0 && html`<div class="problems" role="alert">${problems.map(({ message, field }) => html`<p>${message} ${field !== undefined && html`<a href="#${field}">Go there</a>`}</p>`)}</div>`}
    <form method="post" action="/import/${upload}" class="check">
      ${hidden({ rows: String(rows) })}
      <div>
        ${reading(view)}
        ${view.read !== undefined && html`${checkColumns(view)} ${checkGroups(view)} ${whoCounts(view)} ${service(view)}`}
      </div>
      <aside class="sum" aria-label="What comes out">${sum(view)} ${name(view)}</aside>
    </form>`;
}

/** What the file is, and how it is therefore read. */
function originNote(origin: string): Html {
  const [what = '', ...how] = origin.split(/(?<=\.) /);
  return note(what, how.join(' '));
}

function whoCounts({ filters, later }: CheckView): Html | false {
  if (filters.length === 0 && later === undefined) return false;
  return html`<section>
    <h2>Who counts<small>Proposed from the file.</small></h2>
    ${filters.map(filterOption)} ${later !== undefined && laterOption(later)}
  </section>`;
}

function laterOption({ people, from, to }: NonNullable<CheckView['later']>): Html {
  const when = from === to ? `on ${from}` : `from ${from} to ${to}`;
  const [words, consequence] =
    people === 0
      ? ['Wait for the first day of people who start later', 'Nobody in this file starts later than today.']
      : [
          `Wait for the first day of ${count(people, 'person', 'people')}`,
          `They start ${when}. Import the file again then: they are sent with it.`,
        ];
  return html`${choice({ type: 'checkbox', name: 'waits', isOn: true }, words, consequence)}
  ${hidden({ 'waits.shown': 'yes' })}`;
}

function filterOption({ words, isOn, names, further }: CheckFilter, at: number): Html {
  const who = names.length === 0 ? '' : `${names.join(', ')}${further > 0 ? ` and ${figure(further)} more` : ''}. `;
  return choice({ type: 'checkbox', name: `filter.${at}`, isOn }, words, `${who}Nothing is sent about them.`);
}

function service({ invite, forceSync }: CheckView): Html {
  const radio = (value: string, isOn: boolean, words: string, consequence: string): Html =>
    choice({ type: 'radio', name: 'invite', value, isOn }, words, consequence);
  return html`<section>
    <h2>What the service does</h2>
    <fieldset>
      <legend class="hidden">Who gets an e-mail?</legend>
      ${radio('yes', invite, 'Invite people who are new to the service', 'Each gets an e-mail 1 to 5 minutes after their call. It cannot be taken back.')}
      ${radio('no', !invite, 'Add them silently', 'Nobody gets an e-mail. You cannot have the invitation sent later from here.')}
    </fieldset>
    ${choice(
      { type: 'checkbox', name: 'forceSync', isOn: forceSync },
      'Let the service take people out of groups, too (forceSync)',
      'It may undo what somebody put in by hand. Nobody can list that beforehand, and it cannot be taken back.',
      'option apart',
    )}
  </section>`;
}

function sum({ sum, plan }: CheckView): Html {
  return html`<div class="box">
    <h2>What comes out</h2>
    ${sum ? figures(sum) : html`<p class="small quiet">Choose what is missing first.</p>`}
    ${plan && html`<dl>${[part('to be invited, at most', plan.invited), part('sent without an invitation', plan.silent), part('later, on their first day', plan.later), part('unchanged, not sent', plan.unchanged)]}</dl>`}
    <button class="main" name="do" value="people" data-busy="Reading everybody …">
      ${sum && sum.members > 0 ? (sum.members === 1 ? 'See this person' : `See all ${figure(sum.members)} people`) : 'See everybody'}</button
    ><button class="again" name="do" value="again">Work it out again</button>
    <p class="small quiet">Still nothing is sent.</p>
  </div>`;
}

function figures({ rows, members, merged, filtered, rejects }: CheckSum): Html {
  const line = (words: string, value: number, kind = ''): Html =>
    html`<div class="${kind}">
      <dt>${words}</dt>
      <dd>${value < 0 ? `− ${figure(-value)}` : figure(value)}</dd>
    </div>`;
  return html`<dl>
    ${line('Rows in the file', rows)} ${filtered > 0 && line('Left out', -filtered)}
    ${merged > 0 && line('Same person twice', -merged)} ${rejects > 0 && line('Rejected', -rejects)}
    ${line('People', members, 'total')}
  </dl>`;
}

const part = (words: string, value: number): Html | false =>
  value > 0 &&
  html`<div class="part">
    <dt>${words}</dt>
    <dd>${figure(value)}</dd>
  </div>`;

function name({ source, remember }: CheckView): Html {
  return html`<div class="field" id="source">
    <label for="name">What this list is called</label>
    <p class="small quiet">Its people are compared with the last list of this name.</p>
    <input type="text" id="name" name="source" value="${source}" maxlength="100" autocomplete="off" required />
    ${choice({ type: 'checkbox', name: 'remember', isOn: remember }, 'Remember this for the next file', 'Keep the columns, groups and filters under this name.')}
  </div>`;
}
