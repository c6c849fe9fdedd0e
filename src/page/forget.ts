// What may be decided about people: to forget one, and what it means that addresses changed.
import { count, html, type Html } from '../core/text/format.ts';
import type { Erased, Known } from '../ledger/people/forget.ts';
import { decisionWords, erasedInWords, fewMoves } from '../report/person/person-words.ts';
import { mayOnly, type Viewer } from './layout.ts';
import { deed, field, hidden, note, row, table } from './parts.ts';
import type { IdentityDecision } from '../core/rows/row.ts';
import { say } from '../core/words/say.ts';
import type { ResolvedMoves } from '../ledger/planning/resolving.ts';

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

export const forgetTitle = 'Forget this person?';

export function forgetSection(email: string, viewer: Viewer): Html {
  return html`<div class="last">
    <h2>Forget this person</h2>
    <p class="small quiet">Erases what is kept here, and nothing is sent about them again. They stay in the service.</p>
    ${
      viewer.mayApprove
        ? deed('/people/forget', 'Forget this person', 'danger', { email })
        : html`<p class="small">${mayOnly(viewer)}</p>`
    }
  </div>`;
}

/** Nothing is erased by opening it. */
export function forgetPage(view: ForgetView): Html {
  const { email, services, notReached } = view;
  const stops = whatPrevents(view.known);
  return html`<h1>${forgetTitle}</h1>
    <p class="lead">${email}</p>
    <ul class="read">
      <li>${erases(view.known)} Totals of runs stay.</li>
      <li>
        From then on every roster for ${services.join(', ')} rejects this address. For that a keyed hash of it is kept,
        from which nobody can read the address.
      </li>
    </ul>
    <h2>What stays elsewhere</h2>
    ${list(notReached)} ${stops ?? confirmForm(view)} ${deed('/people', 'Back to the person', '', { email })}`;
}

function erases({ sources, deliveries, answers, rejects, storyAnswers, unsent }: Known): string {
  if (sources + deliveries + rejects + storyAnswers === 0) return 'Nothing is known about this address.';
  const what = [
    ...(sources > 0 ? [`what ${count(sources, 'source')} gave them`] : []),
    ...(deliveries > 0 ? [`who ${count(deliveries, 'delivery was', 'deliveries were')} for`] : []),
    ...(answers > 0 ? [`${count(answers, 'answer')} of the service`] : []),
    ...(rejects > 0 ? [count(rejects, 'rejected row')] : []),
    ...(storyAnswers > 0 ? [`${count(storyAnswers, 'answer')} to questions of stories`] : []),
  ];
  const words = `This erases ${[what.slice(0, -1).join(', '), what.at(-1) ?? ''].filter(Boolean).join(' and ')}.`;
  if (unsent === 0) return words;
  return `${words} ${count(unsent, 'delivery', 'deliveries')} not sent yet ${unsent === 1 ? 'is' : 'are'} cancelled.`;
}

/** What has to end first; undefined where the person can be forgotten now. */
function whatPrevents({ inTheWay, inFlight }: Known): Html | undefined {
  const [run] = inTheWay;
  if (run) {
    const isRead = run.status === 'planning';
    return note(
      html`A run of ${run.source} ${isRead ? 'is being read' : 'waits for an approval'} with this person in it.`,
      html`${isRead ? 'Wait until it is read.' : 'Decide about it first.'} Nothing is erased until then.
        <a href="/runs/${run.id}">Look at the run</a>`,
    );
  }
  if (inFlight === 0) return undefined;
  return note('A call for this person is being made at this moment.', 'Try again in a minute. Nothing was erased.');
}

function confirmForm({ email, confirm }: ForgetView): Html {
  return html`<form method="post" action="/people/forget">
    ${hidden({ email })}
    ${field(
      'confirm',
      `Type ${email} to confirm`,
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
        `${count(left.length, 'file')} of the data directory still ${left.length === 1 ? 'holds' : 'hold'} the address.`,
        'Whoever runs roster-sync has to remove what is listed below by hand.',
        'bad',
      )
    }
    ${erasedInWords(erased).map((line) => html`<p>${line}</p>`)}
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
    ${deed('/people/allow', 'Let them be sent again', '', { email })}`;
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
    ${lines.map((line) => html`<li>${line.replaceAll('`', '')}</li>`)}
  </ul>`;
}

export const movesTitle = 'What does it mean that addresses changed?';

/** Moves of a run, and what somebody wants to decide about them. */
interface MovesView {
  run: string;
  decision: IdentityDecision;
  /** A rule that was typed instead, such as `@old.example` and `@new.example`; empty for those who wait in the run. */
  old: string;
  now: string;
  found: ResolvedMoves;
}

const words: Readonly<Record<IdentityDecision, string>> = {
  'renamed-there': 'All of them: renamed there',
  'new-account': 'All of them: new account',
};

/** The forms that ask what would become of a decision: of all who wait in a run, or of everybody at a domain. */
export function movesForms(run: string, waiting: number, viewer: Viewer): Html {
  const buttons = (Object.keys(words) as IdentityDecision[]).map(
    (decision) => html`<button name="decision" value="${decision}">${words[decision]}</button>`,
  );
  const domain = (name: string, label: string): Html =>
    field(name, label, { autocapitalize: 'none', spellcheck: 'false' });
  return html`<section>
    <h2>${count(waiting, 'person has', 'people have')} a new address</h2>
    <p>
      They wait until you say whether the service has their account under the new address (renamed there), or not (new
      account). You see what happens to it before it is done.
    </p>
    ${
      viewer.mayApprove
        ? html`<form method="post" action="/runs/${run}/moves"><div class="row">${buttons}</div></form>
            <form method="post" action="/runs/${run}/moves">
              <p>Or everybody at a domain, whether they wait here or not:</p>
              ${domain('old', 'Old domain, such as @old.example')} ${domain('now', 'New domain, such as @new.example')}
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
    .map(({ oldKey, newKey, why }) => row(oldKey, newKey, say(`unfit-${why}`, 1)));
  return html`<h1>${isDone ? 'The moves are resolved' : movesTitle}</h1>
    <p class="lead">${count(moved.length, 'move')}: ${decisionWords[decision]}.</p>
    ${isDone && note('It is done.', `The next run of ${sources.join(', ')} sends it.`)}
    ${rows.length > 0 && table(`The first ${rows.length}`, ['Old address', 'New address'], rows)}
    ${
      unfit.length > 0 &&
      html`<h2>${count(unfit.length, 'move does', 'moves do')} not fit</h2>
        <p>Nothing is changed for them.</p>
        ${table('Moves that do not fit', ['Old address', 'New address', 'Why'], unfitRows)}
        ${unfit.length > mostUnfit && html`<p>And ${count(unfit.length - mostUnfit, 'more', 'more')}.</p>`}`
    }
    <div class="row">
      ${!isDone && moved.length > 0 && deed(`/runs/${run}/moves`, `Resolve ${count(moved.length, 'move')}`, 'main', { decision, old, now, hash })}
      <a class="button" href="/runs/${run}">Back to the run</a>
    </div>`;
}

const mostUnfit = 50;
