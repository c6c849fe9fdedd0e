// What may be decided about people: to forget one, and what it means that addresses changed.
import type { Html } from '../core/text/format.ts';
import type { Erased, Known } from '../ledger/people/forget.ts';
import { decisionWords, erasedInWords, fewMoves } from '../report/person/person-words.ts';
import { mayOnly, type Viewer } from './layout.ts';
import { deed, field, hidden, note, row, table } from './parts.ts';
import type { IdentityDecision } from '../core/rows/row.ts';
import { say } from '../core/words/say.ts';
import type { ResolvedMoves } from '../ledger/planning/resolving.ts';
import { count, formats, html, t, words } from './words.ts';
import { told } from './told.ts';

export interface ForgetView {
  email: string;
  known: Known;
  /** Services that will not be sent the person. */
  services: readonly string[];
  /** What cannot be reached, a line each. */
  notReached: readonly string[];
  /** What was typed to confirm, and why it does not. */
  confirm?: { typed: string; problem: string };
}

export const forgetTitle = words('Forget this person?');

export function forgetSection(email: string, viewer: Viewer): Html {
  return html`<div class="last">
    <h2>Forget this person</h2>
    <p class="small quiet">Erases what is kept here, and nothing is sent about them again. They stay in the service.</p>
    ${
      viewer.mayApprove
        ? deed('/people/forget', t('Forget this person'), 'danger', { email })
        : html`<p class="small">${mayOnly(viewer)}</p>`
    }
  </div>`;
}

/** Nothing is erased by opening it. */
export function forgetPage(view: ForgetView): Html {
  const { email, services, notReached } = view;
  const stops = whatPrevents(view.known);
  return html`<h1>${t(forgetTitle)}</h1>
    <p class="lead">${email}</p>
    <ul class="read">
      <li>${erases(view.known)} Totals of runs stay.</li>
      <li>
        From then on every roster for ${services.join(', ')} rejects this address. For that a keyed hash of it is kept,
        from which nobody can read the address.
      </li>
    </ul>
    <h2>What stays elsewhere</h2>
    ${list(notReached)} ${stops ?? confirmForm(view)} ${deed('/people', t('Back to the person'), '', { email })}`;
}

function erases({ sources, deliveries, answers, rejects, storyAnswers, unsent }: Known): string {
  if (sources + deliveries + rejects + storyAnswers === 0) return t('Nothing is known about this address.');
  const what = [
    ...(sources > 0 ? [t('what [1 source|# sources] gave them', sources)] : []),
    ...(deliveries > 0 ? [t('who [1 delivery was|# deliveries were] for', deliveries)] : []),
    ...(answers > 0 ? [t('[1 answer|# answers] of the service', answers)] : []),
    ...(rejects > 0 ? [count(rejects, 'rejected row')] : []),
    ...(storyAnswers > 0 ? [t('[1 answer|# answers] to questions of stories', storyAnswers)] : []),
  ];
  const erased = t('This erases {what}.', 1, { what: formats().list.format(what) });
  if (unsent === 0) return erased;
  return `${erased} ${t('[1 delivery|# deliveries] not sent yet [is|are] cancelled.', unsent)}`;
}

/** What has to end first; undefined where the person can be forgotten now. */
function whatPrevents({ inTheWay, inFlight }: Known): Html | undefined {
  const [run] = inTheWay;
  if (run) {
    const { source, status } = run;
    const isRead = status === 'planning';
    return note(
      isRead
        ? t('A run of {source} is being read with this person in it.', 1, { source })
        : t('A run of {source} waits for an approval with this person in it.', 1, { source }),
      html`${t(isRead ? 'Wait until it is read.' : 'Decide about it first.')} Nothing is erased until then.
        <a href="/runs/${run.id}">Look at the run</a>`,
    );
  }
  if (inFlight === 0) return undefined;
  return note(
    t('A call for this person is being made at this moment.'),
    t('Try again in a minute. Nothing was erased.'),
  );
}

function confirmForm({ email, confirm }: ForgetView): Html {
  return html`<form method="post" action="/people/forget">
    ${hidden({ email })}
    ${field(
      'confirm',
      t('Type {email} to confirm', 1, { email }),
      { autocapitalize: 'none', spellcheck: 'false', value: confirm?.typed ?? '' },
      { why: confirm?.problem },
    )}
    <p class="small quiet">The erasure cannot be taken back.</p>
    <button class="danger" data-busy="Erasing …">Forget this person</button>
  </form>`;
}

export function forgottenPage(facts: {
  email: string;
  services: readonly string[];
  erased: Erased;
  /** Files of the data directory in which the address still stands. */
  left: readonly string[];
  notReached: readonly string[];
}): Html {
  const { email, services, erased, left, notReached } = facts;
  return html`<h1>This person is forgotten</h1>
    <p class="lead">${email}</p>
    ${
      left.length > 0 &&
      note(
        t('[1 file|# files] of the data directory still [holds|hold] the address.', left.length),
        t('Whoever runs roster-sync has to remove what is listed below by hand.'),
        'bad',
      )
    }
    ${erasedInWords(erased).map((line) => html`<p>${told(line)}</p>`)}
    <p>From now on every roster for ${services.join(', ')} rejects this address.</p>
    <h2>Not erased, because roster-sync cannot reach it</h2>
    ${list(notReached)}
    <p><a href="/people">Look somebody up</a></p>`;
}

export function allowForm(email: string): Html {
  return html`<p class="small quiet">
      You can let them be sent again. The next roster that names them treats them as new: the service may invite them
      again.
    </p>
    ${deed('/people/allow', t('Let them be sent again'), '', { email })}`;
}

/** Somebody who was forgotten may be sent again. */
export function allowedPage(email: string): Html {
  return html`<h1>${email} may be sent again</h1>
    <p>The next roster that names them treats them as new: the service may invite them again.</p>
    <p><a href="/people">Look somebody up</a></p>`;
}

/** Lines of a report as a list. */
function list(lines: readonly string[]): Html {
  return html`<ul class="read">
    ${lines.map((line) => html`<li>${told(line).replaceAll('`', '')}</li>`)}
  </ul>`;
}

export const movesTitle = words('What does it mean that addresses changed?');

/** Moves of a run, and what somebody wants to decide about them. */
interface MovesView {
  run: string;
  decision: IdentityDecision;
  /** A rule that was typed instead, such as `@old.example` and `@new.example`; empty for those who wait in the run. */
  old: string;
  now: string;
  found: ResolvedMoves;
}

const decisions: Readonly<Record<IdentityDecision, string>> = {
  'renamed-there': words('All of them: renamed there'),
  'new-account': words('All of them: new account'),
};

/** The forms that ask what would become of a decision: of all who wait in a run, or of everybody at a domain. */
export function movesForms(run: string, waiting: number, viewer: Viewer): Html {
  const buttons = (Object.keys(decisions) as IdentityDecision[]).map(
    (decision) => html`<button name="decision" value="${decision}">${t(decisions[decision])}</button>`,
  );
  const domain = (name: string, label: string): Html =>
    field(name, label, { autocapitalize: 'none', spellcheck: 'false' });
  return html`<section>
    <h2>${t('[1 person has|# people have] a new address', waiting)}</h2>
    <p>
      They wait until you say whether the service has their account under the new address (renamed there), or not (new
      account). You see what happens to it before it is done.
    </p>
    ${
      viewer.mayApprove
        ? html`<form method="post" action="/runs/${run}/moves"><div class="row">${buttons}</div></form>
            <form method="post" action="/runs/${run}/moves">
              <p>Or everybody at a domain, whether they wait here or not:</p>
              ${domain('old', t('Old domain, such as @old.example'))}
              ${domain('now', t('New domain, such as @new.example'))}
              <div class="row">${buttons}</div>
            </form>`
        : html`<p>${mayOnly(viewer)}</p>`
    }
  </section>`;
}

/** The page that shows what would become of it, or what happened to it. */
export function movesPage({ run, decision, old, now, found }: MovesView): Html {
  const { moved, unfit, hash, isDone, sources } = found;
  const rows = moved.slice(0, fewMoves).map(({ oldKey, newKey }) => row(oldKey, newKey));
  const unfitRows = unfit
    .slice(0, mostUnfit)
    .map(({ oldKey, newKey, why }) => row(oldKey, newKey, told(say(`unfit-${why}`, 1))));
  const headings = [t('Old address'), t('New address')];
  return html`<h1>${isDone ? t('The moves are resolved') : t(movesTitle)}</h1>
    <p class="lead">${count(moved.length, 'move')}: ${told(decisionWords(decision))}.</p>
    ${isDone && note(t('It is done.'), t('The next run of {sources} sends it.', 1, { sources: sources.join(', ') }))}
    ${rows.length > 0 && table(t('The first {rows}', rows.length, { rows: rows.length }), headings, rows)}
    ${
      unfit.length > 0 &&
      html`<h2>${t('[1 move does|# moves do] not fit', unfit.length)}</h2>
        <p>Nothing is changed for them.</p>
        ${table(t('Moves that do not fit'), [...headings, t('Why')], unfitRows)}
        ${unfit.length > mostUnfit && html`<p>${t('And # more.', unfit.length - mostUnfit)}</p>`}`
    }
    <div class="row">
      ${
        !isDone &&
        moved.length > 0 &&
        deed(`/runs/${run}/moves`, t('Resolve [1 move|# moves]', moved.length), 'main', { decision, old, now, hash })
      }
      <a class="button" href="/runs/${run}">Back to the run</a>
    </div>`;
}

const mostUnfit = 50;
