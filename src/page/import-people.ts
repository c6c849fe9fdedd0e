// Look at everybody of an upload, correct what is rejected, and confirm: what goes out, and the number to type.
import { defined } from '../core/defined.ts';
import type { LeftOutRow } from '../core/inspect/census.ts';
import { estimate, type Html } from '../core/text/format.ts';
import type { PersonOfRun } from '../ledger/people/people-of-run.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { hidden, localMoments, note, wrong } from './parts.ts';
import { countsOfPlan, type PeopleList, peopleList, type Show, type ShownReject } from './people-table.ts';
import { inPageWords, titleAndRest } from './press.ts';
import { stepper } from './import.ts';
import { numberField, numberMistake, numberToType } from './decide.ts';
import type { Viewer } from './layout.ts';
import { figure, html, t, words } from './words.ts';
import { told } from './told.ts';

export const importPeopleTitle = words('Look at everybody');

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
  fileName: string;
  /** How many changes of cells somebody made. */
  changes: number;
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
  return html`${stepper('people', upload)}
    <div class="people-head">
      <div>
        <h1>${t(importPeopleTitle)}</h1>
        <p class="lead">
          Nothing has been sent.
          ${t(
            settings.invite
              ? 'New people get an invitation by e-mail, unless the service knows them already.'
              : 'Nobody gets an e-mail.',
          )}
        </p>
      </div>
      <div class="row">
        <a class="button" href="/import/${upload}/changes"
          >${t(view.changes === 0 ? 'Replace a value' : 'See [1 change|# changes]', view.changes)}</a
        ><a class="button" href="/import/${upload}">Back to the columns</a>
      </div>
    </div>
    ${said !== undefined && html`<div class="note ok" role="status" tabindex="-1" ${(corrected === undefined || rejects.length === 0) && html` autofocus`}><p>${said}</p></div>`}
    ${holds(report)}
    ${
      !isCorrectable &&
      note(
        t('[1 row|# rows] cannot be sent.', roster.rejects),
        html`<a href="/files/runs/${report.run}/rejects">Download the ${figure(roster.rejects)} rejects</a>, correct
          them, and <a href="/import">drop that file here</a>.`,
        'bad',
      )
    }
    ${peopleList({ ...view, people, ...(corrected !== undefined && defined({ nextLine: next?.line })), counts: countsOf(report), changeIn: { upload, fileName: view.fileName }, ...(isCorrectable && { correctIn: upload }), invites: settings.invite })}
    ${
      view.show === 'everybody' &&
      (view.list.asked['sort'] ?? '') === '' &&
      html`<p class="small quiet">
        ${t(view.isByName ? 'Rejected first, then by last name.' : 'Rejected first, then by address.')}
      </p>`
    }
    ${confirmation(view)}`;
}

/** What guards say besides that somebody has to look. */
function holds({ hold }: RunReport): Html[] {
  const others = (hold?.reasons ?? []).filter(({ guard }) => guard !== 'brought');
  return others.map(({ message }) => {
    const [title, rest] = titleAndRest(told(inPageWords(message)));
    return note(localMoments(title), localMoments(rest));
  });
}

const countsOf = (report: RunReport): Partial<Record<Show, number>> => {
  const { plan, roster } = report;
  return { everybody: roster.members, ...countsOfPlan(report), unchanged: plan.unchanged, out: roster.filtered };
};

export interface ConfirmProblem {
  typed: string;
  message: string;
}

export interface ConfirmView {
  upload: string;
  report: RunReport;
  viewer: Viewer;
  /** Somebody else has to approve it: who looks has brought it. */
  isOwn: boolean;
  /** The most people who may be invited. */
  invited: number;
  /** The least time that the calls take, ms. */
  takesMs: number;
  problem?: ConfirmProblem;
}

/** Why a number that was typed does not confirm; undefined if it does, or none has to be typed. */
export function confirmProblem(invited: number, typed: string): ConfirmProblem | undefined {
  const message = numberMistake(typed, numberToType(true, invited));
  return message === undefined ? undefined : { typed, message };
}

function confirmation({ upload, report, invited, viewer, isOwn, takesMs, problem }: ConfirmView): Html {
  const { hold, plan, roster, settings } = report;
  if (!hold || hold.deliveries === 0) {
    const why = plan.later > 0 && t('Everybody else starts later. Import the file again then.');
    const decide =
      hold &&
      html`<p>
        Whom it lacks, and fewer groups, count once somebody <a href="/runs/${report.run}">says that it is right</a>.
      </p>`;
    return html`<p><b>Everybody has what the file says. Nothing to send.</b> ${why}</p>
      ${decide}`;
  }
  const rest = [
    t('[1 call|# calls], about {time}.', hold.deliveries, { time: estimate(takesMs) }),
    ...(plan.later > 0 ? [t('# start later, and are not sent now.', plan.later)] : []),
    ...(roster.rejects > 0 ? [t('[1 reject is|# rejects are] not sent.', roster.rejects)] : []),
    ...(settings.forceSync
      ? [t('The service may take people out of other groups (forceSync). That cannot be taken back either.')]
      : []),
  ].join(' ');
  if (!viewer.mayApprove || isOwn) {
    const why = t(
      isOwn
        ? 'people wait for somebody else’s yes. You uploaded the file, so you may not approve it.'
        : 'people wait for somebody who may approve.',
      hold.deliveries,
    );
    return html`<div class="confirm">
      <p class="number">${figure(hold.deliveries)}</p>
      <p>
        <b>${why}</b><br /><span class="small quiet"
          >Whoever decides finds them on the first page, or at <a href="/runs/${report.run}">this run</a>.</span
        >
      </p>
    </div>`;
  }
  const mails = t(
    invited === 0
      ? 'people get an e-mail.'
      : '[person|people] may get an invitation by e-mail. It cannot be taken back.',
    invited,
  );
  return html`<form class="confirm" method="post" action="/import/${upload}/send">
    ${problem && wrong(problem.message)} ${hidden({ hash: hold.hash })}
    <p class="number">${figure(invited)}</p>
    <p><b>${mails}</b><br /><span class="small quiet">${rest}</span></p>
    ${
      numberToType(settings.invite, invited) !== undefined
        ? html`<p class="row">${numberField(invited, problem?.typed, problem !== undefined)}</p>`
        : html`<span></span>`
    }
    <button class="main" data-busy="Sending …">${t('Send to [1 person|# people]', hold.deliveries)}</button>
  </form>`;
}
