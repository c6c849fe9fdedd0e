// People whose address changed: what would become of a decision about all of them, and the forms that make it.
import type { IdentityDecision } from '../core/rows/row.ts';
import { count, html, type Html } from '../core/text/format.ts';
import { say } from '../core/words/say.ts';
import type { ResolvedMoves } from '../ledger/planning/resolving.ts';
import { decisionWords, fewMoves } from '../report/person/person-words.ts';
import { mayOnly, type Viewer } from './layout.ts';
import { deed, field, note, row, table } from './parts.ts';

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
