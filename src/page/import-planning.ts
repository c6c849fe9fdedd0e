// How far the planning of a large upload is.
import { estimate, figure, html, type Html } from '../core/text/format.ts';
import { bar, deed } from './parts.ts';
import { stepper } from './import.ts';

export const planningTitle = 'Reading everybody';

interface PlanningView {
  /** The address of the upload. */
  path: string;
  source: string;
  /** Rows that have been read, of the file. */
  done: number;
  rows: number;
  takenMs: number;
}

export function planningPage({ path, source, done, rows, takenMs }: PlanningView): Html {
  const leftMs = done > 0 ? (takenMs / done) * (rows - done) : undefined;
  const words =
    done < rows || rows === 0
      ? `${figure(done)} of ${figure(rows)} rows read.${leftMs === undefined ? '' : ` About ${estimate(leftMs)} left.`}`
      : `All ${figure(rows)} rows read. Comparing them with what was sent before.`;
  return html`${stepper('People', path.split('/').at(-1) ?? '')}
    <h1>${planningTitle}</h1>
    <p class="lead" role="status">${source}: ${words} Nothing is sent.</p>
    ${bar([
      { tone: 'live', value: done, words: 'read' },
      { tone: 'mute', value: rows - done, words: 'to go' },
    ])}
    ${deed(`${path}/planning/cancel`, 'Cancel')}`;
}
