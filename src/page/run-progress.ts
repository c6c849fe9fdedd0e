// How far a run is: count, bar with its legend, pace, why nothing is sent; and a bar for each run of a source.
import { countEnded, countUndelivered } from '../core/call/outcome.ts';
import { duration, estimate, type Html, type HtmlPart } from '../core/text/format.ts';
import { sentence } from '../core/words/say.ts';
import { hasEnded } from '../core/run/states.ts';
import type { RunPace } from '../ledger/runs/watching.ts';
import type { RunReport } from '../report/run/run-report.ts';
import { inPageWords } from './press.ts';
import { bar, note, time, type Tone, statusWord } from './parts.ts';
import { count, figure, html, t, words } from './words.ts';
import { told } from './told.ts';

/** How far a run is: the deliveries that have ended, of all. */
export function progressOf({ outcome, pending }: Pick<RunReport, 'outcome' | 'pending'>) {
  const done = countEnded(outcome);
  return { done, all: done + pending };
}

/** How long the rest takes at this pace, ms; undefined where nobody can say. */
export function leftMs(
  { status, pending, isAbandoned }: RunReport,
  { perSecond, silentSince }: RunPace,
): number | undefined {
  if (status !== 'delivering' || isAbandoned || silentSince !== null || perSecond === 0) return undefined;
  return (pending / perSecond) * 1000;
}

/** What changes with each tenth and each state, for who cannot see it: the key says when to say it. */
function announcement(report: RunReport): { key: string; words: string } {
  const { done, all } = progressOf(report);
  const tenths = all === 0 ? 0 : Math.floor((done / all) * 10);
  const state = report.isAbandoned ? 'interrupted' : report.status;
  const said = report.isAbandoned ? t('Interrupted.') : t(stateWords[report.status] ?? '');
  const far = t('{done} of [1 person|# people].', all, { done: figure(done) });
  return { key: `${state}-${tenths}`, words: `${said} ${far}` };
}

const stateWords: Partial<Record<RunReport['status'], string>> = {
  delivering: words('Sending.'),
  paused: words('Paused.'),
  halted: words('Halted.'),
  finished: words('Done.'),
  'finished-with-failures': words('Done, but not everybody was delivered.'),
};

export function progress(report: RunReport, pace: RunPace): Html | false {
  const { outcome, calls, durationMs, run, roster } = report;
  const { done, all } = progressOf(report);
  if (all === 0 || (calls === 0 && report.hold !== undefined)) return false;
  const isOver = hasEnded(report.status);
  const { key, words } = announcement(report);
  const undelivered = countUndelivered(outcome);
  const made =
    durationMs > 0 ? t('[1 call|# calls] in {time}', calls, { time: duration(durationMs) }) : count(calls, 'call');
  const files = html`<a href="/files/runs/${run}/report?format=csv">Download report</a> (<a
      href="/files/runs/${run}/report?format=xlsx"
      >for Excel</a
    >)${roster.rejects > 0 && html` · <a href="/files/runs/${run}/rejects">Download rejects</a>`}`;
  return html`<p id="say" class="hidden" role="status" data-key="${key}">${words}</p>
    <div id="progress" data-part>
      <div class="line">
        <p>
          ${
            isOver
              ? undelivered > 0
                ? html`<span class="count">${figure(outcome.succeeded)}</span> delivered,
                    <b>${figure(undelivered)} not</b>`
                : html`<span class="count">${figure(outcome.succeeded)}</span> delivered`
              : html`<span class="count">${figure(done)}</span> of ${count(all, 'person', 'people')}`
          }
        </p>
        <p class="quiet">${isOver ? html`${made} · ${files}` : speed(report, pace)}</p>
      </div>
      ${outcomeBar(report)} ${standstill(report, pace)}
      ${!isOver && html`<p class="small quiet"><a href="/runs/${run}">Refresh</a> · ${files}</p>`}
    </div>`;
}

/** How everybody ended so far. */
export const outcomeBar = ({ outcome, pending }: RunReport): Html =>
  bar([
    { tone: 'ok', value: outcome.succeeded, words: t('delivered') },
    { tone: 'warn', value: outcome.partial, words: t('partial') },
    { tone: 'hatch', value: outcome.unknown, words: t('unknown: they may be in') },
    { tone: 'bad', value: outcome.failed, words: t('failed') },
    { tone: 'mute', value: outcome.superseded, words: t('superseded by a newer roster') },
    { tone: 'mute', value: outcome.cancelled, words: t('cancelled') },
    { tone: 'mute', value: pending, words: t('to go') },
  ]);

function speed(report: RunReport, pace: RunPace): Html {
  const left = leftMs(report, pace);
  const { rate } = report.settings;
  if (left === undefined) return html`<b>waiting</b> · limit ${rate}`;
  return html`<b>about ${estimate(left)} left</b> · ${perSecond(pace.perSecond)} calls a second, limit ${rate}`;
}

function perSecond(value: number): string {
  return value >= 9.95 ? figure(Math.round(value)) : value.toFixed(1);
}

function standstill(report: RunReport, { silentSince, now }: RunPace): HtmlPart {
  const { status, isAbandoned, throttled, statusReason = '' } = report;
  if (isAbandoned) {
    return note(t('Nobody delivers this run.'), t('What delivered it has ended. “Resume” continues it.'), 'bad');
  }
  const why = (): string => told(sentence(inPageWords(statusReason || statusWord(status))));
  if (status === 'paused')
    return note(`${why()} ${t('Nobody is called.')}`, t('Resume goes on where it stopped.'), 'bad');
  if (status === 'halted') return note(why(), t('Nobody is called. Correct that, then resume.'), 'bad');
  if (status !== 'delivering') return false;
  if (throttled) {
    return note(
      html`The service asked not to be called until ${time(throttled.until, 'clock')}.`,
      t('It said: {reason}. It goes on by itself.', 1, { reason: throttled.reason }),
    );
  }
  if (silentSince === null) return false;
  const ms = Math.max(0, now.getTime() - silentSince.getTime());
  return note(
    t('The service has not answered for {time}.', 1, { time: duration(ms) }),
    t('Nobody is called; it goes on by itself.'),
  );
}

const barTones: Partial<Record<RunReport['status'], Tone>> = {
  held: 'warn',
  paused: 'bad',
  halted: 'bad',
  failed: 'bad',
};

export function runBars(runs: readonly RunReport[]): Html {
  const most = Math.max(1, ...runs.map(({ roster }) => roster.members));
  const bars = runs.toReversed().map(({ status, roster, plan, run }, at) => {
    const height = Math.max(2, Math.round((roster.members / most) * 26));
    const isQuiet = plan.new + plan.changed + plan.again === 0;
    const tone = barTones[status] ?? (isQuiet ? 'mute' : 'edge');
    const words = t('# people, {status}', roster.members, { status: statusWord(status) });
    return html`<a href="/runs/${run}" aria-label="${words}"
      ><rect class="fill-${tone}" x="${at * 11}" y="${26 - height}" width="9" height="${height}"
        ><title>${words}</title></rect
      ></a
    >`;
  });
  return html`<svg width="154" height="26" role="group" aria-label="Last runs, one bar each">${bars}</svg>`;
}
