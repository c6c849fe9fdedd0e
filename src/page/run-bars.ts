// A bar for each run of a source, as a small picture.
import { figure } from '../core/text/figures.ts';
import { html, type Html } from '../core/text/html.ts';
import type { RunReport } from '../report/run/run-report.ts';
import type { Tone } from './parts.ts';

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
    const words = `${figure(roster.members)} people, ${status}`;
    return html`<a href="/runs/${run}" aria-label="${words}"
      ><rect class="fill-${tone}" x="${at * 11}" y="${26 - height}" width="9" height="${height}"
        ><title>${words}</title></rect
      ></a
    >`;
  });
  return html`<svg width="154" height="26" role="group" aria-label="Last runs, one bar each">${bars}</svg>`;
}
