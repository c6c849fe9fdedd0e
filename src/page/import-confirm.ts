// The confirmation of an import: what goes out, and the number to type.
import { count, estimate, figure, html, type Html } from '../core/text/format.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { numberMistake, numberToType } from './decide.ts';
import type { Viewer } from './layout.ts';
import { hidden, isWrong, wrong } from './parts.ts';

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
  /** The least time that the calls take, ms. */
  takesMs: number;
  problem?: ConfirmProblem;
}

/** The most people who may be invited by this run. */
export function mayBeInvited({ settings, plan, hold }: Pick<RunReport, 'settings' | 'plan' | 'hold'>): number {
  return settings.invite ? Math.min(plan.new, hold?.deliveries ?? 0) : 0;
}

/** Why a number that was typed does not confirm; undefined if it does, or none has to be typed. */
export function confirmProblem(
  report: Pick<RunReport, 'settings' | 'plan' | 'hold'>,
  typed: string,
): ConfirmProblem | undefined {
  const message = numberMistake(typed, numberToType(report.settings.invite, mayBeInvited(report)));
  return message === undefined ? undefined : { typed, message };
}

export function confirmation({ upload, report, viewer, isOwn, takesMs, problem }: ConfirmView): Html {
  const { hold, plan, roster, settings } = report;
  if (!hold || hold.deliveries === 0) {
    const why = plan.later > 0 ? 'Everybody else starts later. Import the file again then.' : '';
    return html`<p><b>Everybody has what the file says. Nothing to send.</b> ${why}</p>`;
  }
  const invited = mayBeInvited(report);
  const rest = [
    `${count(hold.deliveries, 'call')}, about ${estimate(takesMs)}.`,
    ...(plan.later > 0 ? [`${figure(plan.later)} start later, and are not sent now.`] : []),
    ...(roster.rejects > 0
      ? [`${count(roster.rejects, 'reject')} ${roster.rejects === 1 ? 'is' : 'are'} not sent.`]
      : []),
    ...(settings.forceSync
      ? ['The service may take people out of other groups (forceSync). That cannot be taken back either.']
      : []),
  ].join(' ');
  if (!viewer.mayApprove || isOwn) {
    return html`<div class="confirm">
      <p class="number">${figure(hold.deliveries)}</p>
      <p>
        <b
          >${isOwn ? 'people wait for somebody else’s yes. You uploaded the file, so you may not approve it.' : 'people wait for somebody who may approve.'}</b
        ><br /><span class="small quiet"
          >Whoever decides finds them on the first page, or at <a href="/runs/${report.run}">this run</a>.</span
        >
      </p>
    </div>`;
  }
  return html`<form class="confirm" method="post" action="/import/${upload}/send">
    ${problem && wrong(problem.message)} ${hidden({ hash: hold.hash })}
    <p class="number">${figure(invited)}</p>
    <p>
      <b
        >${invited === 0 ? 'people get an e-mail.' : `${invited === 1 ? 'person' : 'people'} may get an invitation by e-mail. It cannot be taken back.`}</b
      ><br /><span class="small quiet">${rest}</span>
    </p>
    ${
      numberToType(settings.invite, invited) !== undefined
        ? html`<p class="row">
            <label for="confirm">Type ${figure(invited)} to confirm</label
            ><input
              type="text"
              class="short"
              inputmode="numeric"
              autocomplete="off"
              id="confirm"
              name="confirm"
              value="${problem?.typed ?? ''}"
              ${problem && isWrong}
            />
          </p>`
        : html`<span></span>`
    }
    <button class="main" data-busy="Sending …">Send to ${count(hold.deliveries, 'person', 'people')}</button>
  </form>`;
}
