// One person: who they are here, what they were given, and everything that happened, newest first.
import { duration, type Html } from '../core/text/format.ts';
import type { PersonHistory, PersonRun } from '../acts/shapes/person.ts';
import { allowForm, forgetSection } from './forget.ts';
import type { Viewer } from './layout.ts';
import { deed, field, pill, row, stats, table, time, type Tone } from './parts.ts';
import { saidOf, wordForWord } from './run-people.ts';
import { outcomes } from './people-table.ts';
import { count, html, t, words } from './words.ts';
import { told } from './told.ts';

/** What happened to an address, as the ledger has it. */
const decisions = { 'renamed-there': words('renamed-there'), 'new-account': words('new-account') } as const;

/** The form that looks for somebody; what is typed is posted, so that it stays out of logs. */
export function personSearch(asked = '', problem?: string): Html {
  const attributes = { required: '', maxlength: '320', value: asked };
  return html`<h1>Look somebody up</h1>
    <p class="lead">Everything that is known about one person, over all runs and sources.</p>
    <form method="post" action="/people" role="search">
      ${field('email', t('Name or e-mail address'), attributes, { hint: t('A part of it is enough.'), why: problem })}
      <button>Look up</button>
    </form>`;
}

interface Happening {
  at: string;
  tone: Tone | '';
  what: string;
  /** What was sent and what came back, in a sentence or two. */
  words: Html;
  /** Where: the source, its run, and who approved it. */
  where: Html;
  /** What the service answered, as it was received. */
  raw?: Html | false;
}

export function person(history: PersonHistory, viewer: Viewer): Html {
  const { asked, addresses, forgottenAt, given, runs, rejects, leftBehind } = history;
  if (given.length + runs.length + rejects.length === 0) return nobody(asked, viewer, forgottenAt);
  const names = [...given, ...runs.flatMap(({ row }) => row ?? [])]
    .map(({ firstname, lastname }) => `${firstname ?? ''} ${lastname ?? ''}`.trim())
    .filter((each) => each !== '');
  const [name = asked] = names;
  const telephone = given.find((each) => each.telephone !== null)?.telephone;
  const rosters = [...new Set(given.map(({ source }) => source))];
  const others = addresses.slice(1);
  const facts = [
    asked,
    ...(telephone ? [telephone] : []),
    ...(rosters.length > 0 ? [t('in the roster of {sources}', 1, { sources: rosters.join(', ') })] : []),
    ...(others.length > 0 ? [t('before {addresses}', 1, { addresses: others.join(', ') })] : []),
  ];
  return html`<div class="head">
      <div>
        <h1>${name}</h1>
        <p class="lead">${facts.join(' · ')}</p>
      </div>
      ${deed('/people/download', t('Download everything'), '', { email: asked })}
    </div>
    ${inFigures(history)}
    <div class="columns of-person">
      <div>
        <h2>Everything, newest first</h2>
        <ol class="story">
          ${happenings(history).map(happening)}
        </ol>
      </div>
      <aside>
        <h2>Groups</h2>
        ${groups(history)}
        ${leftBehind.length > 0 && html`<p class="small quiet">Take them out of groups left behind in the service.</p>`}
        ${answered(history)} ${forgetSection(asked, viewer)}
      </aside>
    </div>
    <p><a href="/people">Look somebody else up</a></p>`;
}

function nobody(asked: string, viewer: Viewer, forgottenAt: string | null): Html {
  const keepOut = t('Keep this address out of every roster');
  return html`<h1>${asked}</h1>
    <p>
      ${
        forgottenAt
          ? html`Forgotten on ${time(forgottenAt, 'day')}. Nothing else is kept.`
          : t('Nobody with this address was ever in a roster.')
      }
    </p>
    ${forgottenAt && viewer.mayApprove && allowForm(asked)}
    ${!forgottenAt && viewer.mayApprove && deed('/people/forget', keepOut, '', { email: asked })}
    <p><a href="/people">Look somebody else up</a></p>`;
}

function inFigures({ runs, answers }: PersonHistory): Html {
  // What was cancelled, or left to a newer run, changes nothing for them.
  const last = runs.findLast(({ outcome }) => outcome !== 'cancelled' && outcome !== 'superseded') ?? runs.at(-1);
  const first = runs.find(({ calls }) => calls.length > 0);
  const calls = runs.reduce((sum, run) => sum + run.calls.length, 0);
  const deliveries = runs.filter((run) => run.calls.length > 0).length;
  const right = answers.filter(({ correct }) => correct).length;
  return stats([
    [last ? t(stateOf(last)[0]) : t('Rejected'), t('now')],
    [first?.calls[0] ? time(first.calls[0].calledAt, 'day') : t('never'), t('first sent')],
    [`${deliveries}`, t('[delivery|deliveries], {calls}', deliveries, { calls: count(calls, 'call') })],
    ...(answers.length > 0 ? [[ofAll(right, answers), t('questions right')] as const] : []),
  ]);
}

const ofAll = (part: number, { length }: readonly unknown[]): string => t('{part} of {all}', 1, { part, all: length });

/** In English. */
function stateOf({ outcome, state, action }: PersonRun): [string, Happening['tone']] {
  if (outcome === 'cancelled') return [words('Not sent'), ''];
  if (outcome !== null) return outcomes[outcome];
  if (state === 'held') return [words('Held'), 'warn'];
  if (state !== null) return [words('To go'), ''];
  if (action === 'unchanged') return [words('Unchanged'), ''];
  return action === 'later' ? [words('Later'), ''] : [words('Not sent'), ''];
}

function happenings(history: PersonHistory): Happening[] {
  const { runs, rejects, departures, moves } = history;
  const all = [
    ...runs.map(ofRun),
    ...rejects.map(({ startedAt, file, line, reason, source, run }): Happening => ({
      at: startedAt,
      tone: 'bad',
      what: t('Rejected'),
      words: html`Line ${line} of ${file}: ${told(reason)}.`,
      where: at(source, run),
    })),
    ...departures.map(({ at: when, source, run, byRow }): Happening => ({
      at: when,
      tone: 'warn',
      what: t('Left'),
      words: byRow ? html`Their row says so.` : html`They are no longer in the roster.`,
      where: at(source, run),
    })),
    ...moves.map(({ decidedAt, from, to, decision, source }): Happening => ({
      at: decidedAt,
      tone: '',
      what: t('Address decided'),
      words: html`${from} → ${to}: ${t(decisions[decision])}.`,
      where: html`${source}`,
    })),
  ];
  return all.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function at(source: string, run: string): Html {
  return html`${source} · <a href="/runs/${run}">run ${run}</a>`;
}

function ofRun(run: PersonRun): Happening {
  const [what, tone] = stateOf(run);
  const last = run.calls.at(-1);
  const into = run.row?.groups ?? [];
  const list = into.map((group, at) => html`${at > 0 && ', '}<b>${group}</b>`);
  const inserts = last?.results.reduce((sum, each) => sum + each.inserts, 0) ?? 0;
  const warnings = last?.results.reduce((sum, each) => sum + each.warnings, 0) ?? 0;
  const said = { inserts: count(inserts, 'insert'), warnings: count(warnings, 'warning') };
  const answer =
    last === undefined
      ? ''
      : last.kind === 'accepted'
        ? ` ${t('The service answered {inserts}, {warnings}.', 1, said)}`
        : ` ${last.kind === 'rejected' ? saidOf(last.reason) : last.reason || run.reason}.`;
  const approval = run.deeds.find(({ did }) => did === 'approve');
  const approved = approval && ` · ${t('approved by {by}', 1, { by: approval.by })}`;
  const calls = run.calls.length > 0 && ` · ${count(run.calls.length, 'call')}`;
  const took = last?.responseTime ?? null;
  return {
    at: run.endedAt ?? last?.answeredAt ?? run.startedAt,
    tone,
    what: what === 'Held' ? t('Held, not sent') : t(what),
    words: html`${into.length > 0 && (run.outcome === 'succeeded' ? html`Into ${list}.` : html`${list}.`)}${answer}
    ${what === 'Held' && t('Waits for a decision.')}
    ${run.outcome === 'cancelled' && t('The run was cancelled before they were sent.')}`,
    where: html`${at(run.source, run.run)}${calls}${took !== null && `, ${duration(took * 1000)}`}${approved}`,
    raw: last ? wordForWord(last) : false,
  };
}

function happening({ at: when, tone, what, words, where, raw }: Happening): Html {
  return html`<li class="${tone}">
    ${time(when)}
    <div>
      <p><b>${what}</b></p>
      <p>${words}</p>
      <p class="small quiet">${where}</p>
      ${raw}
    </div>
  </li>`;
}

function groups({ given, leftBehind }: PersonHistory): Html {
  const now = given.flatMap(({ groups, givenAt }) => (groups ?? []).map((group) => ({ group, givenAt })));
  const behind = leftBehind.filter(({ group }) => !now.some((each) => each.group === group));
  if (now.length + behind.length === 0) return html`<p>No call for them has succeeded so far.</p>`;
  const rows = [
    ...now.map(({ group, givenAt }) => row(group, { 'n quiet': givenAt && time(givenAt, 'day') })),
    ...behind.map(({ group, since }) => {
      const why = since
        ? html`No roster gives it any more since ${time(since, 'day')}.`
        : html`No roster gives it any more.`;
      return row(html`${group} ${pill(t('Left behind'), 'warn')}<br /><span class="small quiet">${why}</span>`, '');
    }),
  ];
  return table(t('Groups that were given'), [t('Given'), { n: t('Last given') }], rows);
}

function answered({ answers }: PersonHistory): Html | false {
  if (answers.length === 0) return false;
  const stories = Map.groupBy(answers, ({ story }) => story);
  const rows = [...stories].map(([story, all]) => {
    const right = all.filter(({ correct }) => correct).length;
    return row(story, { n: ofAll(right, all) });
  });
  return html`<h2>Stories</h2>
    ${table(t('Stories'), [t('Story'), { n: t('Right') }], rows)}`;
}
