// The first page: what waits for somebody, the sources, and the last seven days.
import { inPageWords, withButtons } from './press.ts';
import type { Html, HtmlPart } from '../core/text/format.ts';
import { sentence } from '../core/words/say.ts';
import { countUndelivered } from '../core/call/outcome.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { runBars, progressOf } from './run-progress.ts';
import { dropForm, dropWords } from './import.ts';
import { whenRead } from './sources.ts';
import { localMoments, part, pill, row, statePill, stats, table, time } from './parts.ts';
import { count, figure, html, t } from './words.ts';

export interface SourceView {
  name: string;
  /** Its runs, the newest first, at most 14. */
  runs: RunReport[];
  /** ISO 8601: when it is read next by itself; absent where it has no schedule. */
  nextAt?: string;
  /** An identity provider pushes its people (SCIM). */
  isPushed?: boolean;
  /** Present where an HR system reports events. */
  webhook?: object;
}

export interface HomeView {
  /** The newest first. */
  runs: RunReport[];
  sources: SourceView[];
  /** How many people keep groups that they should have left. */
  leftBehind: number;
  /** How many kinds of answers were never seen before the last seven days, and the newest run that got one. */
  unseen: { kinds: number; run: string | null };
  /** The most bytes of a file that whoever looks may bring; absent where they may not. */
  limitBytes?: number;
  now: string;
}

interface Waiting {
  state: Html;
  what: string;
  why: string;
  path: string;
  button: string;
}

export function home(view: HomeView): { title: string; body: Html } {
  const waiting = whatWaits(view);
  const title =
    waiting.length === 0 ? t('Nothing waits for you') : t('[1 thing waits|# things wait] for you', waiting.length);
  if (view.runs.length === 0 && view.sources.length === 0) return { title: t('Import a file'), body: firstStart(view) };
  const body = html`${part(
      'waiting',
      html`<h1>${title}</h1>
        <p class="lead">${time(view.now, 'full')}. ${sendingNow(view.runs)}</p>`,
    )}
    <div class="${waiting.length > 0 && 'columns home'}">
      ${waiting.length > 0 && part('waits', html`<div class="box">${waiting.map(waits)}</div>`)}
      ${view.limitBytes !== undefined && bring(view.limitBytes, waiting.length === 0)}
    </div>
    ${part(
      'sources',
      html`<h2>
          Sources
          <span class="aside"
            >One bar per run, its height the number of people. <span class="is-warn">Amber</span> is held,
            <span class="is-bad">red</span> stopped, pale had nothing to send.</span
          >
        </h2>
        ${sources(view.sources)}`,
    )}
    ${part(
      'week',
      html`<h2>Last seven days</h2>
        ${stats(lastWeek(view))}`,
    )}
    <p class="small"><a href="/runs">All runs</a></p>`;
  return { title, body };
}

function bring(limitBytes: number, isFirst: boolean): Html {
  return html`<aside class="bring" aria-labelledby="bring">
    <h2 id="bring">Import a file</h2>
    <p class="small quiet">CSV, Excel, JSON and more.${dropWords()}</p>
    <p><a class="button ${isFirst && 'dark'}" href="/import">Import a file</a></p>
    <p class="small quiet">Nothing is sent before you say so.</p>
    ${dropForm(limitBytes)}
  </aside>`;
}

function firstStart({ limitBytes }: HomeView): Html {
  return html`<div class="first">
    <h1>Import a file</h1>
    <p class="quiet">A list of people, with the groups they belong to: CSV, Excel, JSON and more.</p>
    ${
      limitBytes !== undefined &&
      html`<p class="quiet" data-scripted hidden>Drop it anywhere on this page, or paste its rows.</p>
        <p><a class="button dark big" href="/import">Choose a file</a></p>
        ${dropForm(limitBytes)}`
    }
    <p class="small quiet">Nothing is sent before you say so.</p>
  </div>`;
}

function sendingNow(runs: readonly RunReport[]): Html {
  const now = runs.find(({ status, isAbandoned }) => status === 'delivering' && !isAbandoned);
  if (!now) return html`Nothing is being sent now.`;
  const { done, all } = progressOf(now);
  return html`<a href="/runs/${now.run}">${now.source} is being sent: ${figure(done)} of ${figure(all)}</a>.`;
}

const urgency: Partial<Record<RunReport['status'], number>> = {
  halted: 0,
  held: 1,
  paused: 2,
  delivering: 3,
  failed: 4,
};

/** Runs that somebody has to decide about, the most urgent first; then what has to be done by hand. */
function whatWaits({ runs, sources, leftBehind }: HomeView): Waiting[] {
  const newest = new Set(sources.map(({ runs }) => runs[0]?.run));
  const open = runs
    .filter(({ status, isAbandoned, hold, run }) => {
      if (status === 'held' || status === 'halted' || status === 'paused' || isAbandoned) return true;
      return (hold?.deliveries ?? 0) > 0 || (status === 'failed' && newest.has(run));
    })
    .toSorted((one, other) => (urgency[one.status] ?? 9) - (urgency[other.status] ?? 9));
  const rejects = runs.filter(({ run, roster }) => newest.has(run) && roster.rejects - (roster.erased ?? 0) > 0);
  return [
    ...open.map(decision),
    ...rejects.map(({ run, source, roster }) => ({
      state: pill(count(roster.rejects, 'reject'), 'warn'),
      what: t('{source}: [1 row|# rows] could not be sent', roster.rejects, { source }),
      why: t(
        'Each names the cell and the reason. Correct them at their source, or in the file of rejects, and import that.',
      ),
      path: `/runs/${run}/people?show=reject`,
      button: t('See them'),
    })),
    ...(leftBehind > 0
      ? [
          {
            state: pill(t('By hand')),
            what: t('[1 person keeps|# people keep] groups they should have left', leftBehind),
            why: t('roster-sync cannot take anybody out of a group. Somebody has to, in the service.'),
            path: '/left-behind',
            button: t('See the list'),
          },
        ]
      : []),
  ];
}

function decision(report: RunReport): Waiting {
  const { run, source, hold, pending, roster, statusReason = '' } = report;
  const held = hold?.deliveries ?? 0;
  const isHeld = held > 0 || report.status === 'held';
  return {
    state: isHeld ? pill(t('Held'), 'warn') : statePill(report),
    what: isHeld
      ? t('{source}: {held} of [1 person|# people]', roster.members, { source, held: figure(held) })
      : t(pending > 0 ? '{source}: [1 person|# people] not sent' : '{source}: nothing was sent', pending, { source }),
    why: isHeld
      ? (hold?.reasons ?? [])
          .map(({ message, next }) => withButtons(sentence(message.split('\n', 1)[0] ?? ''), next, run))
          .join(' ')
      : inPageWords(statusReason.split('\n', 1)[0] ?? ''),
    path: `/runs/${run}`,
    button: held > 0 ? t('Look at the {held}', held, { held: figure(held) }) : t(isHeld ? 'Look at it' : 'See why'),
  };
}

function waits({ state, what, why, path, button }: Waiting, at: number): Html {
  return html`<div class="waits">
    <div>${state}</div>
    <div>
      <h2>${what}</h2>
      <p>${localMoments(why)}</p>
    </div>
    <a class="button${at === 0 && ' dark'}" href="${path}">${button}</a>
  </div>`;
}

function sources(all: readonly SourceView[]): Html {
  const rows = all.map(({ name, runs, nextAt, ...how }) => {
    const [last] = runs;
    const standsStill = last !== undefined && isOpen(last);
    const next = standsStill
      ? html`stands still until you decide`
      : nextAt === undefined
        ? whenRead(how, t('when you import a file'))
        : time(nextAt);
    return row(
      html`<b>${name}</b>`,
      last
        ? html`<a href="/runs/${last.run}">${statePill(last)}</a><br /><span class="small quiet"
              >${time(last.startedAt)}</span
            >`
        : t('not read yet'),
      {
        'n late': html`${last && figure(last.roster.members)}<br /><span class="small quiet"
            >${last && usually(runs)}</span
          >`,
      },
      { late: runBars(runs) },
      html`<span class="phone quiet">Next: </span>${next}`,
      { act: button(name, last, nextAt !== undefined || how.isPushed === true) },
    );
  });
  const headings = [
    t('Source'),
    t('Last run'),
    { late: t('People') },
    { wide: t('Last 14 runs') },
    t('Next'),
    { unseen: t('What to do') },
  ];
  return table(t('Sources'), headings, rows);
}

function isOpen({ status, isAbandoned }: RunReport): boolean {
  return status === 'held' || status === 'paused' || status === 'halted' || isAbandoned === true;
}

function usually([, ...before]: readonly RunReport[]): string {
  const members = before.filter(({ status }) => status.startsWith('finished')).map(({ roster }) => roster.members);
  if (members.length < 3) return '';
  const [least, most] = [Math.min(...members), Math.max(...members)];
  const said = { least: figure(least), most: figure(most) };
  if (most > least * 2) return t('no fixed number');
  return t(least === most ? 'usually {most}' : 'usually {least}–{most}', most, said);
}

function button(name: string, last: RunReport | undefined, isScheduled: boolean): Html | false {
  if (last && isOpen(last)) {
    const word = t(last.status === 'held' ? 'Look at it' : 'See why');
    return slim(`/runs/${last.run}`, word, `${word}: ${name}`);
  }
  if (!isScheduled)
    return slim(`/import?source=${encodeURIComponent(name)}`, t('Import'), t('Import for {name}', 1, { name }));
  return last !== undefined && slim(`/runs/${last.run}`, t('See it'), t('See it: the last run of {name}', 1, { name }));
}

const slim = (path: string, word: string, label: string): Html =>
  html`<a class="button slim" href="${path}" aria-label="${label}">${word}</a>`;

/** How many people a run may have invited: those who are new, or had no call that succeeded, of those for whom a call was made. */
function mostInvited({ plan, settings, outcome, baseline }: RunReport): number {
  const { succeeded, partial, failed, unknown } = outcome;
  return settings.invite && !baseline ? Math.min(plan.new + plan.again, succeeded + partial + failed + unknown) : 0;
}

function lastWeek({ runs, unseen, now }: HomeView): [number, HtmlPart][] {
  const since = Date.parse(now) - 7 * 24 * 60 * 60_000;
  const recent = runs.filter(({ startedAt }) => Date.parse(startedAt) >= since);
  const unseenWords = t('[answer|answers] not seen before', unseen.kinds);
  const sum = (of: (report: RunReport) => number): number => recent.reduce((total, each) => total + of(each), 0);
  return [
    [sum(({ outcome }) => outcome.succeeded), t('people delivered')],
    [sum(mostInvited), t('invitations, at most')],
    // Whom somebody cancelled, or a newer plan replaced, nobody waits for.
    [sum(({ outcome }) => countUndelivered(outcome) - outcome.cancelled), t('not delivered')],
    [unseen.kinds, unseen.run === null ? unseenWords : html`<a href="/runs/${unseen.run}">${unseenWords}</a>`],
  ];
}
