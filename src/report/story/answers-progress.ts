// Shows the progress of fetching and reading answers.
import { count, figure } from '../../core/text/figures.ts';
import { clip } from '../terminal/layout.ts';
import { labelWidth } from '../terminal/lines.ts';
import { type Clock, type ProgressStream, startLateLine, systemClock } from '../terminal/live-line.ts';

export interface AnswersProgress {
  received: (bytes: number) => void;
  read: (answers: number) => void;
  /** It is asked again later. */
  waiting: (text: string) => void;
  stop: () => void;
}

/** Starts to tell it, once it takes over a second: `Fetch  120 MB so far   60 MB/s`, then `Read   400,000 answers so far`. */
export function createAnswersProgress(stream: ProgressStream, clock: Clock = systemClock): AnswersProgress {
  const began = clock.now();
  let bytes = 0;
  let answers = 0;
  const draw = (width: number): string => {
    const perSecond = bytes / Math.max(1, clock.now() - began) / 1000;
    const text =
      answers > 0
        ? `${'Read'.padEnd(labelWidth)}${count(answers, 'answer')} so far`
        : `${'Fetch'.padEnd(labelWidth)}${megabytes(bytes)} so far   ${perSecond.toFixed(1)} MB/s`;
    return clip(text, width);
  };
  const line = startLateLine(stream, clock, draw);
  return {
    received: (now) => {
      bytes = now;
    },
    read: (now) => {
      answers = now;
    },
    waiting: line.note,
    stop: line.stop,
  };
}

/** A number of bytes for people: `2.4 MB`, `340 kB`. */
export function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${figure(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
