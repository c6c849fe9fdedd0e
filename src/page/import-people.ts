// Look at everybody of an upload, correct what is rejected, and confirm. Nothing is sent before.
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { Reject } from '../core/rows/row.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { type ConfirmView, confirmation } from './import-confirm.ts';
import { note, pages, pill, type Tone, searchForm } from './parts.ts';
import { stepper } from './stepper.ts';

/** The title of the page. */
export const importPeopleTitle = 'Look at everybody';

/** With this many rejects they are corrected in a file rather than here. */
const mostCorrected = 20;

/** What of the people is shown; the words of the filters. */
export const importShows = {
  everybody: 'Everybody',
  new: 'New',
  changed: 'Changed',
  again: 'Again',
  later: 'Later',
  unchanged: 'Unchanged',
  reject: 'Rejected',
} as const;
/** One of them. */
export type ImportShow = keyof typeof importShows;

/** A row that cannot be sent, and the cell that is to blame. */
export interface CorrectableReject extends Pick<Reject, 'file' | 'line' | 'value' | 'reason'> {
  /** Whose row it is, as far as that can be read. */
  name: string;
  /** The heading and 0-based place of the cell; absent where the whole row is to blame. */
  cell?: { heading: string; column: number };
}

/** Everything that the page shows. */
export interface ImportPeopleView extends ConfirmView {
  show: ImportShow;
  text: string;
  rejects: readonly CorrectableReject[];
  people: readonly PersonOfRun[];
  from: number;
  next?: string;
  /** To be said once. */
  said?: string;
}

/** The body of the page. */
export function importPeople(view: ImportPeopleView): Html {
  const { upload, report, text, said, from, next } = view;
  const { settings, roster } = report;
  const shown = view.people.length;
  const isCorrectable = roster.rejects <= mostCorrected;
  return html`${stepper('People', upload)}
    <div class="people-head">
      <div>
        <h1>${importPeopleTitle}</h1>
        <p class="lead">
          Nothing has been sent.
          ${settings.invite ? 'New people get an invitation by e-mail, unless the service knows them already.' : 'Nobody gets an e-mail.'}
        </p>
      </div>
      <p class="row">
        <a class="button" href="/import/${upload}">Back to the columns</a
        ><a class="button" href="/files/runs/${report.run}/report?format=csv">Download</a>
      </p>
    </div>
    ${said !== undefined && html`<div class="note ok" role="status"><p>${said}</p></div>`} ${holds(report)}
    ${
      !isCorrectable &&
      note(
        `${count(roster.rejects, 'row')} cannot be sent.`,
        html`<a href="/files/runs/${report.run}/rejects">Download the ${figure(roster.rejects)} rejects</a>, correct
          them, and <a href="/import">drop that file here</a>.`,
        'bad',
      )
    }
    <div class="people-tools">${filters(view)} ${searchForm(`/import/${upload}/people`, { text })}</div>
    ${text !== '' && shown === 0 && html`<p>Nobody here is like “${text}”.</p>`} ${table(view, isCorrectable)}
    ${pages({ from, shown, ...(next !== undefined && { next }), ...totalOf(view) })}
    <p class="small quiet">Rejected first, then by address.</p>
    ${confirmation(view)}`;
}

/** What guards say besides that somebody has to look. */
function holds({ hold }: RunReport): Html[] {
  const others = (hold?.reasons ?? []).filter(({ guard }) => guard !== 'brought');
  return others.map(({ message }) => {
    // A command helps nobody on a page.
    const sentences = message.split(/(?<=[.?!])\s+|\n+/).filter((each) => !each.includes('`'));
    const [first = message, ...rest] = sentences;
    return note(
      first.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
      rest.join(' '),
    );
  });
}

function countsOf({ plan, roster, hold }: RunReport): Record<ImportShow, number> {
  const { new: fresh, changed, again, later, unchanged } = plan;
  const listed = hold ? roster.members + roster.rejects : roster.members;
  return { everybody: listed, new: fresh, changed, again, later, unchanged, reject: roster.rejects };
}

const totalOf = ({ report, show, text }: ImportPeopleView): { total?: number } =>
  text === '' && show !== 'everybody' ? { total: countsOf(report)[show] } : {};

function filters({ upload, report, show: current }: ImportPeopleView): Html {
  const counts = countsOf(report);
  const links = (Object.keys(importShows) as ImportShow[])
    .filter((show) => show === 'everybody' || show === current || counts[show] > 0)
    .map(
      (show) =>
        html`<a href="/import/${upload}/people?show=${show}" ${show === current && html` aria-current="true"`}
          >${importShows[show]} ${figure(counts[show])}</a
        >`,
    );
  const { filtered } = report.roster;
  return html`<nav class="filters" aria-label="Who is shown">
    ${links}${filtered > 0 && html`<span class="small quiet">${count(filtered, 'row')} left out</span>`}
  </nav>`;
}

function table({ upload, rejects, people }: ImportPeopleView, isCorrectable: boolean): Html | false {
  if (rejects.length + people.length === 0) return false;
  const rows = [
    ...rejects.map((reject, at) => rejected(upload, reject, at, isCorrectable)),
    ...people.map((each) => line(each)),
  ];
  return html`<table class="everybody">
    <caption class="hidden">
      Everybody in the file, and what happens to each
    </caption>
    <thead>
      <tr>
        <th scope="col">Person</th>
        <th scope="col">Address</th>
        <th scope="col">What happens</th>
        <th scope="col">Groups and changes</th>
        <th scope="col" class="n">Line</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** The wrong cell is a field; its form stands in the last cell, since a row cannot be one. */
function rejected(
  upload: string,
  { name, file, line, value, reason, cell }: CorrectableReject,
  at: number,
  isCorrectable: boolean,
): Html {
  const form = `correct-${at}`;
  const field =
    cell && isCorrectable
      ? html`<input
          type="text"
          form="${form}"
          name="value"
          value="${value}"
          aria-label="${cell.heading} of ${name}"
          aria-invalid="true"
          aria-describedby="${form}-why"
          autocomplete="off"
          maxlength="1000"
        />`
      : html`${value}`;
  const said =
    cell && isCorrectable
      ? html`<form id="${form}" method="post" action="/import/${upload}/correct">
          <input type="hidden" name="file" value="${file}" /><input type="hidden" name="line" value="${line}" /><input
            type="hidden"
            name="column"
            value="${cell.column}"
          /><input type="hidden" name="name" value="${name}" /><button>Correct</button>
        </form>`
      : '';
  return html`<tr>
    <th scope="row"><b>${name}</b></th>
    <td class="address">${field}</td>
    <td class="what">${pill('Rejected', 'bad')}<span class="quiet">not sent</span></td>
    <td class="said"><span class="wrong" id="${form}-why">${cell && `${cell.heading}: `}${reason}</span> ${said}</td>
    <td class="n line">${line}</td>
  </tr>`;
}

const happens: Record<PersonOfRun['action'], [word: string, tone: Tone, consequence: string]> = {
  new: ['New', 'live', 'invitation'],
  changed: ['Changed', 'mute', 'no e-mail'],
  again: ['Again', 'mute', 'no e-mail'],
  unchanged: ['Unchanged', 'mute', 'not sent'],
  later: ['Later', 'mute', 'not sent'],
  departed: ['Left', 'warn', 'not in this file'],
};

function line(person: PersonOfRun): Html {
  const { now, action, startsOn } = person;
  const [word, tone, consequence] = happens[action];
  const then = startsOn ? `from ${startsOn}` : consequence;
  return html`<tr>
    <th scope="row"><b>${now.firstname} ${now.lastname}</b></th>
    <td class="address">${now.email}</td>
    <td class="what">${pill(word, tone)}<span class="quiet">${action === 'later' ? then : consequence}</span></td>
    <td class="said">${changes(person)}</td>
    <td class="n line">${person.line ?? ''}</td>
  </tr>`;
}

/** Groups with what is new of them in bold; what changed besides, old and new. */
function changes({ now, before }: PersonOfRun): Html {
  const had = new Set(before?.groups);
  const lost = before?.groups.filter((group) => !now.groups.includes(group)) ?? [];
  const groups = now.groups.map((group, at) => {
    const shown = before && !had.has(group) ? html`<ins>${group}</ins>` : html`${group}`;
    return html`${at > 0 && ' · '}${shown}`;
  });
  const old = lost.map((group) => html`<del><span class="hidden">was </span>${group}</del> → `);
  const pairs = before
    ? [
        [`${before.firstname} ${before.lastname}`, `${now.firstname} ${now.lastname}`],
        [before.telephone ?? '', now.telephone ?? ''],
      ].filter(([was, is]) => was !== is)
    : [];
  const others = pairs.map(
    ([was, is]) => html`<br /><del><span class="hidden">was </span>${was || 'none'}</del> → <ins>${is || 'none'}</ins>`,
  );
  const stays =
    lost.length > 0 &&
    !now.forceSync &&
    html`<br /><span class="small quiet"
        >Stays in ${lost.join(', ')} as well: nobody can be taken out from here.</span
      >`;
  return html`${old}${groups}${others}${stays}`;
}
