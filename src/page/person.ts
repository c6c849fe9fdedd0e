// One person: who they are here, what they were given, and everything that happened, newest first.
import { count, duration, html, type Html } from '../core/text/format.ts';
import type { PersonHistory, PersonRun } from '../acts/shapes/person.ts';
import { allowForm, forgetSection } from './forget.ts';
import type { Viewer } from './layout.ts';
import { deed, field, pill, row, stats, table, time, type Tone } from './parts.ts';
import { saidOf, wordForWord } from './run-people.ts';
import { outcomes } from './people-table.ts';

/** The form that looks for somebody; what is typed is posted, so that it stays out of logs. */
export function personSearch(asked = '', problem?: string): Html {
  return html`<h1>Look somebody up</h1>
    <p class="lead">Everything that is known about one person, over all runs and sources.</p>
    <form method="post" action="/people" role="search">
      ${field('email', 'Name or e-mail address', { required: '', maxlength: '320', value: asked }, { hint: 'A part of it is enough.', why: problem })}
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
    ...(rosters.length > 0 ? [`in the roster of ${rosters.join(', ')}`] : []),
    ...(others.length > 0 ? [`before ${others.join(', ')}`] : []),
  ];
  return html`<div class="head">
      <div>
        <h1>${name}</h1>
        <p class="lead">${facts.join(' · ')}</p>
      </div>
      ${deed('/people/download', 'Download everything', '', { email: asked })}
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
  return html`<h1>${asked}</h1>
    <p>
      ${
        forgottenAt
          ? html`Forgotten on ${time(forgottenAt, 'day')}. Nothing else is kept.`
          : 'Nobody with this address was ever in a roster.'
      }
    </p>
    ${forgottenAt && viewer.mayApprove && allowForm(asked)}
    ${!forgottenAt && viewer.mayApprove && deed('/people/forget', 'Keep this address out of every roster', '', { email: asked })}
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
    [last ? stateOf(last)[0] : 'Rejected', 'now'],
    [first?.calls[0] ? time(first.calls[0].calledAt, 'day') : 'never', 'first sent'],
    [`${deliveries}`, `${deliveries === 1 ? 'delivery' : 'deliveries'}, ${count(calls, 'call')}`],
    ...(answers.length > 0 ? [[`${right} of ${answers.length}`, 'questions right'] as const] : []),
  ]);
}

function stateOf({ outcome, state, action }: PersonRun): [string, Happening['tone']] {
  if (outcome === 'cancelled') return ['Not sent', ''];
  if (outcome !== null) return outcomes[outcome];
  if (state === 'held') return ['Held', 'warn'];
  if (state !== null) return ['To go', ''];
  return action === 'unchanged' ? ['Unchanged', ''] : action === 'later' ? ['Later', ''] : ['Not sent', ''];
}

function happenings(history: PersonHistory): Happening[] {
  const { runs, rejects, departures, moves } = history;
  const all = [
    ...runs.map(ofRun),
    ...rejects.map(({ startedAt, file, line, reason, source, run }): Happening => ({
      at: startedAt,
      tone: 'bad',
      what: 'Rejected',
      words: html`Line ${line} of ${file}: ${reason}.`,
      where: at(source, run),
    })),
    ...departures.map(({ at: when, source, run, byRow }): Happening => ({
      at: when,
      tone: 'warn',
      what: 'Left',
      words: html`${byRow ? 'Their row says so.' : 'They are no longer in the roster.'}`,
      where: at(source, run),
    })),
    ...moves.map(({ decidedAt, from, to, decision, source }): Happening => ({
      at: decidedAt,
      tone: '',
      what: 'Address decided',
      words: html`${from} → ${to}: ${decision}.`,
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
  const answer =
    last === undefined
      ? ''
      : last.kind === 'accepted'
        ? ` The service answered ${count(inserts, 'insert')}, ${count(warnings, 'warning')}.`
        : ` ${last.kind === 'rejected' ? saidOf(last.reason) : last.reason || run.reason}.`;
  const approval = run.deeds.find(({ did }) => did === 'approve');
  const took = last?.responseTime ?? null;
  return {
    at: run.endedAt ?? last?.answeredAt ?? run.startedAt,
    tone,
    what: what === 'Held' ? 'Held, not sent' : what,
    words: html`${into.length > 0 && html`${run.outcome === 'succeeded' ? 'Into ' : ''}${list}.`}${answer}${what === 'Held' && ' Waits for a decision.'}${run.outcome === 'cancelled' && ' The run was cancelled before they were sent.'}`,
    where: html`${at(run.source, run.run)}${run.calls.length > 0 && ` · ${count(run.calls.length, 'call')}`}${took !== null && `, ${duration(took * 1000)}`}${approval && ` · approved by ${approval.by}`}`,
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
      const why = html`No roster gives it any more${since && html` since ${time(since, 'day')}`}.`;
      return row(html`${group} ${pill('Left behind', 'warn')}<br /><span class="small quiet">${why}</span>`, '');
    }),
  ];
  return table('Groups that were given', ['Given', { n: 'Last given' }], rows);
}

function answered({ answers }: PersonHistory): Html | false {
  if (answers.length === 0) return false;
  const stories = Map.groupBy(answers, ({ story }) => story);
  const rows = [...stories].map(([story, all]) =>
    row(story, { n: `${all.filter(({ correct }) => correct).length} of ${all.length}` }),
  );
  return html`<h2>Stories</h2>
    ${table('Stories', ['Story', { n: 'Right' }], rows)}`;
}
