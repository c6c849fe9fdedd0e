import { Writable } from 'node:stream';
import type { Clock } from '../../src/report/terminal/live-line.ts';

/** A stream that remembers what was written, as a terminal or not. */
export class FakeStream extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  written = '';
  constructor(terminal: { isTTY?: boolean; columns?: number } = {}) {
    super({ decodeStrings: false });
    this.isTTY = terminal.isTTY ?? false;
    this.columns = terminal.columns ?? 120;
  }
  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.written += String(chunk);
    done();
  }
  /** What a terminal would show: every redrawn line as it was last, without escape sequences. */
  get shown(): string {
    // oxlint-disable-next-line no-control-regex -- the sequences are what is left out
    const sequence = /\u001b(?:7|8|\[[\d;?]*[A-HJKlh])/g;
    const lines = this.written.split('\n').map((line) => {
      // A line is drawn again from its first column, or cleared as a whole.
      const last = line.split('\u001b[1G').at(-1) ?? '';
      return (last.split('\u001b[2K').at(-1) ?? '').replace(sequence, '');
    });
    return lines.join('\n');
  }
}

/** A clock that tests move. */
export class FakeClock implements Clock {
  #now = 0;
  #timers = new Map<object, { ms: number; due: number; call: () => void }>();
  readonly now = (): number => this.#now;
  readonly every = (ms: number, call: () => void): (() => void) => {
    const key = {};
    this.#timers.set(key, { ms, due: this.#now + ms, call });
    return () => this.#timers.delete(key);
  };
  /** Moves the clock, calling what falls due on the way. */
  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = [...this.#timers.values()].filter(({ due }) => due <= until).toSorted((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#now = next.due;
      next.due += next.ms;
      next.call();
    }
    this.#now = until;
  }
  /** How many timers are still running. */
  get running(): number {
    return this.#timers.size;
  }
}
