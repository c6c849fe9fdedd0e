// Look at everybody of an upload, correct what is rejected, and confirm. Nothing is sent before.
import { defined } from '../core/defined.ts';
import type { LeftOutRow } from '../core/inspect/census.ts';
import { count, figure, html, type Html } from '../core/text/format.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { type ConfirmView, confirmation } from './import-confirm.ts';
import { localMoments, note } from './parts.ts';
import { countsOfPlan, type PeopleList, peopleList, type Show, type ShownReject } from './people-table.ts';
import { stepper } from './import.ts';

export const importPeopleTitle = 'Look at everybody';

/** With this many rejects they are corrected in a file rather than here. */
const mostCorrected = 20;

/** What of the people may be shown. */
export const showsOfImport: readonly Show[] = [
  ...(['everybody', 'new', 'changed', 'again', 'later', 'unchanged', 'reject', 'out'] as const),
];

export interface ImportPeopleView
  extends ConfirmView, Pick<PeopleList, 'list' | 'show' | 'groups' | 'isSortable' | 'counted'> {
  people: readonly PersonOfRun[];
  leftOut: readonly LeftOutRow[];
  rejects: readonly ShownReject[];
  /** In the order of last names rather than of addresses. */
  isByName: boolean;
  said?: string;
  /** The line of the reject that somebody has just corrected. */
  corrected?: number;
}

export function importPeople(view: ImportPeopleView): Html {
  const { upload, report, said } = view;
  const { settings, roster } = report;
  // That everybody is held is said above.
  const people = view.people.map((person) => ({ ...person, isHeld: false }));
  const { rejects, corrected } = view;
  const next = rejects.find(({ line }) => line >= (corrected ?? Infinity)) ?? rejects[0];
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
      <a class="button" href="/import/${upload}">Back to the columns</a>
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
    ${peopleList({ ...view, people, ...(corrected !== undefined && defined({ nextLine: next?.line })), counts: countsOf(report), ...(isCorrectable && { correctIn: upload }), invites: settings.invite })}
    ${view.show === 'everybody' && (view.list.asked['sort'] ?? '') === '' && html`<p class="small quiet">Rejected first, then by ${view.isByName ? 'last name' : 'address'}.</p>`}
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
