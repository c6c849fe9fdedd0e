// Is this how the file is meant? What was read, what each column becomes, and what comes out.
import type { Html } from '../core/text/format.ts';
import { checkColumns, reading } from './check-file.ts';
import { checkGroups } from './check-groups.ts';
import type { CheckFilter, CheckSum, CheckView } from '../intake/check-view.ts';
import { choice, hidden, note } from './parts.ts';
import { stepper } from './import.ts';
import { figure, html, t, words } from './words.ts';
import { told } from './told.ts';

export const checkTitle = words('Is this how the file is meant?');

/** One form holds all of it: each button sends everything that is chosen. */
export function check(view: CheckView): Html {
  const { upload, fileName, rows, problems } = view;
  const read = t(view.read === undefined ? 'not read yet' : '[1 row|# rows], read a moment ago', rows);
  return html`${stepper('check', upload)}
    <h1>${t(checkTitle)}</h1>
    <p class="lead">
      ${fileName}, ${read}. Nothing is sent on this page.
      ${
        view.changes > 0 && html`<a href="/import/${upload}/changes">${t('See [1 change|# changes]', view.changes)}</a>`
      }
    </p>
    ${view.origin !== undefined && originNote(view.origin)}
    ${problems.length > 0 && html`<div class="problems" role="alert">${problems.map(({ message, field }) => html`<p>${told(message)} ${field !== undefined && html`<a href="#${field}">Go there</a>`}</p>`)}</div>`}
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
  const [words, consequence] =
    people === 0
      ? [t('Wait for the first day of people who start later'), t('Nobody in this file starts later than today.')]
      : [
          t('Wait for the first day of [1 person|# people]', people),
          t(
            from === to
              ? 'They start on {from}. Import the file again then: they are sent with it.'
              : 'They start from {from} to {to}. Import the file again then: they are sent with it.',
            people,
            { from, to },
          ),
        ];
  return html`${choice({ type: 'checkbox', name: 'waits', isOn: true }, words, consequence)}
  ${hidden({ 'waits.shown': 'yes' })}`;
}

function filterOption({ words, isOn, names, further }: CheckFilter, at: number): Html {
  const some = names.join(', ');
  const who = further > 0 ? t('{names} and # more', further, { names: some }) : some;
  const consequence = [...(names.length === 0 ? [] : [`${who}.`]), t('Nothing is sent about them.')].join(' ');
  return choice({ type: 'checkbox', name: `filter.${at}`, isOn }, told(words), consequence);
}

function service({ invite, forceSync }: CheckView): Html {
  const radio = (value: string, isOn: boolean, words: string, consequence: string): Html =>
    choice({ type: 'radio', name: 'invite', value, isOn }, words, consequence);
  return html`<section>
    <h2>What the service does</h2>
    <fieldset>
      <legend class="hidden">Who gets an e-mail?</legend>
      ${radio(
        'yes',
        invite,
        t('Invite people who are new to the service'),
        t('Each gets an e-mail 1 to 5 minutes after their call. It cannot be taken back.'),
      )}
      ${radio(
        'no',
        !invite,
        t('Add them silently'),
        t('Nobody gets an e-mail. You cannot have the invitation sent later from here.'),
      )}
    </fieldset>
    ${choice(
      { type: 'checkbox', name: 'forceSync', isOn: forceSync },
      t('Let the service take people out of groups, too (forceSync)'),
      t('It may undo what somebody put in by hand. Nobody can list that beforehand, and it cannot be taken back.'),
      'option apart',
    )}
  </section>`;
}

function sum({ sum, plan }: CheckView): Html {
  return html`<div class="box">
    <h2>What comes out</h2>
    ${sum ? figures(sum) : html`<p class="small quiet">Choose what is missing first.</p>`}
    ${
      plan &&
      html`<dl>
        ${part(t('to be invited, at most'), plan.invited)} ${part(t('sent without an invitation'), plan.silent)}
        ${part(t('later, on their first day'), plan.later)} ${part(t('unchanged, not sent'), plan.unchanged)}
      </dl>`
    }
    <button class="main" name="do" value="people" data-busy="Reading everybody …">
      ${t(sum && sum.members > 0 ? '[See this person|See all # people]' : 'See everybody', sum?.members)}</button
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
    ${line(t('Rows in the file'), rows)} ${filtered > 0 && line(t('Left out'), -filtered)}
    ${merged > 0 && line(t('Same person twice'), -merged)} ${rejects > 0 && line(t('Rejected'), -rejects)}
    ${line(t('People'), members, 'total')}
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
    ${choice(
      { type: 'checkbox', name: 'remember', isOn: remember },
      t('Remember this for the next file'),
      t('Keep the columns, groups and filters under this name.'),
    )}
  </div>`;
}
