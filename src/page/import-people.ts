// Look at everybody of an upload, correct what is rejected, and confirm. Nothing is sent before.
import { defined } from '../core/defined.ts';
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { type ConfirmView, confirmation } from './import-confirm.ts';
import { hidden, localMoments, note, option, pages, searchForm } from './parts.ts';
import { countsOfPlan, downloadPeople, peopleTable, type Show, type ShownPeople, showFilters } from './people-table.ts';
import { stepper } from './import.ts';

export const importPeopleTitle = 'Look at everybody';

/** With this many rejects they are corrected in a file rather than here. */
const mostCorrected = 20;

/** What of the people may be shown. */
export const showsOfImport: readonly Show[] = [
  ...(['everybody', 'new', 'changed', 'again', 'later', 'unchanged', 'reject', 'out'] as const),
];

export interface ImportPeopleView extends ConfirmView, Required<Pick<ShownPeople, 'people' | 'leftOut' | 'rejects'>> {
  show: Show;
  text: string;
  /** The only group that is shown. */
  group?: string;
  /** The groups of the file. */
  groups: readonly string[];
  /** In the order of last names rather than of addresses. */
  isByName: boolean;
  from: number;
  next?: string;
  said?: string;
  /** The line of the reject that somebody has just corrected. */
  corrected?: number;
}

export function importPeople(view: ImportPeopleView): Html {
  const { upload, report, text, said, from } = view;
  const { settings, roster } = report;
  // That everybody is held is said above.
  const everybody = view.people.map((person) => ({ ...person, isHeld: false }));
  const { leftOut, rejects, corrected } = view;
  const next = rejects.find(({ line }) => line >= (corrected ?? Infinity)) ?? rejects[0];
  const people = {
    people: everybody,
    leftOut,
    rejects,
    ...(corrected !== undefined && defined({ nextLine: next?.line })),
  };
  const shown = view.people.length + view.leftOut.length + (view.show === 'reject' ? view.rejects.length : 0);
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
      <div class="row">
        <a class="button" href="/import/${upload}">Back to the columns</a>
        ${shown > 0 && downloadPeople(`/import/${upload}/people`, { show: view.show, text, ...defined({ group: view.group }) })}
      </div>
    </div>
    ${said !== undefined && html`<div class="note ok" role="status" tabindex="-1" ${corrected !== undefined && rejects.length === 0 && html` autofocus`}><p>${said}</p></div>`}
    ${holds(report)}
    ${
      !isCorrectable &&
      note(
        `${count(roster.rejects, 'row')} cannot be sent.`,
        html`<a href="/files/runs/${report.run}/rejects">Download the ${figure(roster.rejects)} rejects</a>, correct
          them, and <a href="/import">drop that file here</a>.`,
        'bad',
      )
    }
    <div class="people-tools">
      ${filters(view)} ${view.groups.length > 1 && groupFilter(view)}
      ${searchForm(`/import/${upload}/people`, { text })}
    </div>
    ${text !== '' && shown === 0 && html`<p>Nobody here is like “${text}”.</p>`}
    ${peopleTable({ ...people, ...(isCorrectable && { correctIn: upload }), invites: settings.invite })}
    ${pages({ from, shown, ...defined({ next: view.next }), ...totalOf(view) })}
    ${view.show === 'everybody' && html`<p class="small quiet">Rejected first, then by ${view.isByName ? 'last name' : 'address'}.</p>`}
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
      localMoments(first.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())),
      localMoments(rest.join(' ')),
    );
  });
}

const countsOf = (report: RunReport): Partial<Record<Show, number>> => {
  const { plan, roster } = report;
  return { everybody: roster.members, ...countsOfPlan(report), unchanged: plan.unchanged, out: roster.filtered };
};

const totalOf = ({ report, show, text, group }: ImportPeopleView): { total?: number } =>
  text === '' && group === undefined ? defined({ total: countsOf(report)[show] }) : {};

function groupFilter({ upload, groups, group, show }: ImportPeopleView): Html {
  return html`<form class="row" method="get" action="/import/${upload}/people">
    ${hidden({ show: show === 'reject' || show === 'out' ? 'everybody' : show })}
    <label for="group" class="hidden">Group</label
    ><select id="group" name="group">
      <option value="">All groups</option>
      ${groups.map((name) => option(name, name, name === group))}</select
    ><button>Show</button>
  </form>`;
}

function filters({ upload, report, show: current, group }: ImportPeopleView): Html {
  const kept = group === undefined ? '' : `&group=${encodeURIComponent(group)}`;
  const to = (show: Show): string =>
    `/import/${upload}/people?show=${show}${show === 'reject' || show === 'out' ? '' : kept}`;
  return showFilters({ current, counts: countsOf(report), to });
}
