// Shows the progress of reading, fetching and delivering on the terminal.
import { countEnded } from '../../core/call/outcome.ts';
import { count, duration, escapeText, estimate, figure, percentOf, perSecond } from '../../core/text/format.ts';
import { clip, displayWidth } from '../terminal/layout.ts';
import { labelled, labelWidth } from '../terminal/style.ts';
import { type Clock, type ProgressStream, startLateLine, startLiveLine, systemClock } from '../terminal/live-line.ts';
import type { OutcomeCounts } from './run-report.ts';

export interface ProgressOptions {
  stream: ProgressStream;
  total: number;
  /** The earlier outcomes of a run that continues. */
  before?: Partial<OutcomeCounts>;
  clock?: Clock;
}

const barWidth = 24;
/** If the line is too long the bar shrinks, down to this number of columns. */
const barLeast = 6;
/** The time over which the shown rate is measured, ms. */
const rateWindow = 10_000;
/** The shortest time between two samples of the rate, ms. */
const sampleApart = 200;

/** On a terminal; as a line every ten seconds elsewhere. In the end: `Send   [########] 200/200   50/s   4.0 s`. */
export function createProgress({ stream, total, before = {}, clock = systemClock }: ProgressOptions) {
  const plain = { color: false, width: Infinity };
  const started = clock.now();
  const doneBefore = countEnded(before);
  let counts = before;
  let waiting: string | undefined;
  let samples = [{ at: started, done: doneBefore }];

  const sample = () => {
    const at = clock.now();
    const last = samples.at(-1);
    if (last && at - last.at < sampleApart) return;
    // One sample older than the window stays: the window reaches back to it.
    const first = samples.findLastIndex((each) => each.at <= at - rateWindow);
    samples = [...samples.slice(Math.max(0, first)), { at, done: countEnded(counts) }];
  };
  const rateNow = () => {
    const first = samples[0] ?? { at: started, done: doneBefore };
    const passed = clock.now() - first.at;
    return passed > 0 ? ((countEnded(counts) - first.done) / passed) * 1000 : 0;
  };
  const draw = (width: number) => {
    sample();
    const done = countEnded(counts);
    const rate = rateNow();
    const parts = [` ${figure(done)}/${figure(total)}`];
    if (done > doneBefore) parts.push(perSecond(rate));
    parts.push(outcomes(counts));
    if (waiting !== undefined) parts.push(escapeText(waiting));
    else if (rate > 0 && done < total) parts.push(`about ${estimate(((total - done) / rate) * 1000)} left`);
    const rest = parts.filter((part) => part !== '').join('   ');
    const room = width - labelWidth - displayWidth(rest) - 2;
    return clip(labelled('Send', bar(done, total, Math.max(barLeast, Math.min(barWidth, room))) + rest, plain), width);
  };
  const line = startLiveLine(stream, clock, draw);

  return {
    /** How all deliveries of the run ended so far, and why nobody is called just now, if so. */
    update: (now: Partial<OutcomeCounts>, why?: string) => {
      counts = now;
      waiting = why;
      sample();
    },
    note: line.note,
    stop: () => {
      const done = countEnded(counts);
      const took = clock.now() - started;
      const rate = took > 0 ? ((done - doneBefore) / took) * 1000 : 0;
      const said = `${bar(done, total)} ${figure(done)}/${figure(total)}   ${perSecond(rate)}   ${duration(took)}`;
      line.stop(labelled('Send', said, plain));
    },
  };
}

function bar(done: number, total: number, columns = barWidth): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  return `[${'#'.repeat(Math.floor(share * columns)).padEnd(columns)}]`;
}

/** `148 succeeded, 2 failed`: only what there is. */
function outcomes(counts: Partial<OutcomeCounts>): string {
  return Object.entries(counts)
    .filter(([, times]) => times > 0)
    .map(([outcome, times]) => `${figure(times)} ${outcome}`)
    .join(', ');
}

const amounts = {
  row: (rows: number) => count(rows, 'row'),
  person: (people: number) => count(people, 'person', 'people'),
  answer: (answers: number) => count(answers, 'answer'),
  byte: megabytes,
};

/** What is done, and what of: `Read`, `row`. */
interface Told {
  label: string;
  unit: keyof typeof amounts;
}

/** Tells how much was read, planned or fetched, once that takes over a second: `Read   120,000 rows so far   60,000/s   45 %, about 3 s left`. */
export function createRowProgress({
  stream,
  clock = systemClock,
  ...first
}: Told & { stream: ProgressStream; clock?: Clock }) {
  let told: Told = first;
  let started = clock.now();
  let soFar = 0;
  let part = 0;
  const draw = (width: number) => {
    const amount = amounts[told.unit];
    const passed = Math.max(1, clock.now() - started);
    const rate = (soFar / passed) * 1000;
    const parts = [`${amount(soFar)} so far`, told.unit === 'byte' ? `${megabytes(rate)}/s` : perSecond(rate)];
    if (part > 0 && part < 1) {
      parts.push(`${percentOf(part, 1)}, about ${estimate((passed / part) * (1 - part))} left`);
    }
    return clip(told.label.padEnd(labelWidth) + parts.join('   '), width);
  };
  const { note, stop } = startLateLine(stream, clock, draw);
  return {
    /** `share`: which part of everything that is, from 0 to 1, where somebody knows. `next` is told from now on. */
    update(done: number, share = 0, next = told): void {
      if (next.label !== told.label) started = clock.now();
      [told, soFar, part] = [next, done, share];
    },
    note,
    stop,
    [Symbol.dispose]: stop,
  };
}

/** A number of bytes for people: `2.4 MB`, `340 kB`. */
export function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${figure(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
