// Keeps one line on the terminal up to date.
import { SingleBar } from 'cli-progress';

/** Where progress goes: a terminal when `isTTY`. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** Time for progress, in milliseconds on any one clock. */
export interface Clock {
  now: () => number;
  /** Calls again and again; returns what ends it. */
  every: (ms: number, call: () => void) => () => void;
}

/** The machine's monotonic clock; it never keeps the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  every: (ms, call) => {
    const timer = setInterval(call, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** How often a line is written where there is no terminal, in milliseconds. */
const quietly = 10_000;
/** How wide the line becomes where there is no terminal. */
const widthElsewhere = 120;
/** How often the line on a terminal is drawn again, per second. */
const framesPerSecond = 10;

/** Where there is no terminal, every ten seconds. `draw` gives its text, without a line break, for so many columns. */
export function startLiveLine(stream: ProgressStream, clock: Clock, draw: (width: number) => string) {
  const write = (text: string) => stream.write(`${text}\n`);
  const live = stream.isTTY === true ? startOnTerminal(stream, draw) : undefined;
  const end = live ? () => live.stop() : clock.every(quietly, () => write(draw(widthElsewhere)));
  let stopped = false;
  return {
    /** Writes a line of its own above the live one; `text` has no line break at its end. */
    note: (text: string): void => {
      if (stopped || !live) return void write(text);
      live.stop();
      write(text);
      live.start(1, 0);
    },
    stop: (last?: string): void => {
      if (stopped) return;
      stopped = true;
      end();
      if (last !== undefined) write(last);
    },
  };
}

/** What takes no longer than this is not worth a line, ms. */
const worthShowing = 1000;

/** The same, of what may be over before it is worth a line. */
export function startLateLine(stream: ProgressStream, clock: Clock, draw: (width: number) => string) {
  let line: ReturnType<typeof startLiveLine> | undefined;
  const stopWaiting = clock.every(worthShowing, () => {
    stopWaiting();
    line = startLiveLine(stream, clock, draw);
  });
  return {
    note: (text: string) => (line ? line.note(text) : void stream.write(`${text}\n`)),
    stop: () => {
      stopWaiting();
      line?.stop();
      line = undefined;
    },
  };
}

/** The library's timer would keep a process alive that failed without stopping its progress. */
class UnreferencedBar extends SingleBar {
  declare timer: NodeJS.Timeout | null;
  override render(): void {
    super.render();
    this.timer?.unref();
  }
}

function startOnTerminal(stream: ProgressStream, draw: (width: number) => string): SingleBar {
  const bar = new UnreferencedBar({
    stream,
    // The last column stays free: some terminals wrap a line that fills it.
    format: (_options, { maxWidth }: { maxWidth?: number }) => draw((maxWidth ?? 80) - 1),
    fps: framesPerSecond,
    clearOnComplete: true,
    // Nothing of the terminal is changed that an exit in the middle would leave changed.
    hideCursor: false,
    linewrap: true,
    gracefulExit: false,
  });
  bar.start(1, 0);
  return bar;
}
