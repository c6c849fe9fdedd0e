// Who was not delivered, by cause: what came back, what to do about it, and a retry where it can help.
import { adviceFor, writeCause } from '../core/run/cause.ts';
import { count, figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { FailuresOfCause } from '../ledger/runs/failures.ts';
import { deed, pill, table, type Tone } from './parts.ts';

const words: Record<FailuresOfCause['outcome'], [string, Tone]> = {
  failed: ['Failed', 'bad'],
  partial: ['Partial', 'warn'],
  unknown: ['Unknown', 'warn'],
};

/** The failures of a run; `mayRetry` where the run lets them be retried, and the viewer may. */
export function runFailures(
  run: string,
  failures: readonly FailuresOfCause[],
  { mayRetry, delivered }: { mayRetry: boolean; delivered: number },
): Html | false {
  if (failures.length === 0) {
    return (
      delivered > 0 &&
      html`<h2>Not delivered</h2>
        <p>Everybody so far was delivered.</p>`
    );
  }
  const people = failures.reduce((sum, each) => sum + each.people, 0);
  const rows = failures.map((failure) => {
    const { outcome, people } = failure;
    const { retryHelps, words: advice } = adviceFor(failure);
    const cause = writeCause(failure);
    const [word, tone] = words[outcome];
    const see = html`<a class="button slim" href="/runs/${run}/people?cause=${cause}"
      >${people === 1 ? 'See who' : `See the ${figure(people)}`}</a
    >`;
    const retry = deed(
      `/runs/${run}/retry`,
      people === 1 ? 'Retry this one' : `Retry these ${figure(people)}`,
      'slim',
      { cause },
    );
    return html`<tr>
      <th scope="row">${pill(word, tone)}</th>
      <td>${said(failure)}<br /><span class="small quiet">${circumstances(failure)}</span></td>
      <td class="n"><b>${figure(people)}</b></td>
      <td class="quiet">${advice}</td>
      <td class="act">${retryHelps && mayRetry ? retry : see}</td>
    </tr>`;
  });
  return html`<h2>
      Not delivered
      <span class="aside">${count(people, 'person', 'people')}, by cause. Retrying makes the same call again.</span>
    </h2>
    ${table('Not delivered, by cause', ['Outcome', 'What the service said', { n: 'People' }, 'What to do', { unseen: 'Next' }], rows)}
    ${failures.length > 1 && html`<p class="small"><a href="/runs/${run}/people?show=undelivered">See all ${figure(people)}</a></p>`}`;
}

function said({ kind, reason, outcome }: FailuresOfCause): Html {
  if (kind === 'may-have-happened') return html`Nothing: the connection broke after the call was sent`;
  if (kind === 'not-sent') return html`Nothing: the service was not reached`;
  if (reason === '') return html`${outcome === 'failed' ? 'Nothing that was kept' : 'Nothing more'}`;
  return isOurs(reason) ? html`${reason}` : html`“${reason}”`;
}

/** Our own words for an answer without any. */
function isOurs(reason: string): boolean {
  return /^(?:HTTP|not "success"|the answer|no answer) ?/.test(reason);
}

function circumstances({ status, reason, mostCalls, groups, people, said }: FailuresOfCause): string {
  const [most] = groups;
  const parts = [
    ...(status === null || reason.includes(String(status)) ? [] : [`HTTP ${status}`]),
    ...(mostCalls > 1 ? [`up to ${figure(mostCalls)} calls each`] : []),
    ...(most && most.people < people && most.people > 1 ? [`${figure(most.people)} of them in ${most.group}`] : []),
    ...(said === null && people > 1 ? ['and others like it'] : []),
  ];
  return parts.join(', ');
}
