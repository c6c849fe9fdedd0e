import { Session } from 'node:inspector';

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}
type Functions = { isBlockCoverage: boolean; ranges: Range[] }[];
type Taken = { result: { scriptId: string; url: string; functions: Functions }[] };

/** Pieces of a function's text, in order, that do not touch. */
type Pieces = (readonly [from: number, to: number])[];

/**
 * Knows which code of the product and its libraries has run in this process (V8's precise coverage), and how often within
 * one look, roughly. Code that was loaded before is not counted.
 */
export class Coverage {
  readonly #session = new Session();
  /** By script and place of a function: what of it never ran. */
  readonly #neverRan = new Map<string, Pieces>();
  readonly #often = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#ask('Profiler.enable');
    this.#ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** How many blocks and functions ran since the last look that never ran before, or never as often. */
  look(): number {
    return this.#take(true);
  }

  /** The same, and it stays news. */
  news(): number {
    return this.#take(false);
  }

  /** Everything is new again. */
  forget(): void {
    this.#neverRan.clear();
    this.#often.clear();
  }

  #take(remembers: boolean): number {
    let news = 0;
    for (const { scriptId, url, functions } of (this.#ask('Profiler.takePreciseCoverage') as Taken).result) {
      if (!url.startsWith('file:') || url.includes('/test/')) continue;
      for (const { ranges } of functions) {
        const [whole] = ranges;
        if (!whole || whole.count === 0) continue;
        const key = `${scriptId}:${whole.startOffset}`;
        const often = `${key}:${Math.floor(Math.log2(whole.count) / 2)}`;
        if (!this.#often.has(often)) news += 1;
        if (remembers) this.#often.add(often);
        if (this.#hasNews(key, ranges, remembers)) news += 1;
      }
    }
    return news;
  }

  #hasNews(key: string, ranges: readonly Range[], remembers: boolean): boolean {
    const before = this.#neverRan.get(key);
    if (before?.length === 0) return false;
    const now: Pieces = ranges
      .filter(({ count }) => count === 0)
      .map(({ startOffset, endOffset }) => [startOffset, endOffset]);
    const left = before === undefined ? now : both(before, now);
    if (remembers) this.#neverRan.set(key, left);
    return before === undefined || sizeOf(left) < sizeOf(before);
  }

  #ask(method: string, parameters?: object): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error: Error | null, result?: object) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  }
}

const sizeOf = (pieces: Pieces): number => pieces.reduce((sum, [from, to]) => sum + to - from, 0);

/** What is in both. */
function both(one: Pieces, other: Pieces): Pieces {
  return one.flatMap(([from, to]) =>
    other.flatMap(([start, end]) => {
      const piece = [Math.max(from, start), Math.min(to, end)] as const;
      return piece[0] < piece[1] ? [piece] : [];
    }),
  );
}
