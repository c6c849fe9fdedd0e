/**
 * Counts what work costs in steps, so that a test can bound it on any machine, however busy: how often each block of
 * JavaScript is entered (V8's precise coverage), and how many characters its own functions for texts look at.
 */
import { Session } from 'node:inspector';

let looked = 0;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a method of one of JavaScript's own objects. */
function replaceMethod<T extends object>(owner: T, name: keyof T & string, by: (method: Method) => Method): void {
  Object.defineProperty(owner, name, { configurable: true, writable: true, value: by(owner[name] as Method) });
}

/** Has a method count what it looked at. */
function counting<T extends object>(
  owner: T,
  name: keyof T & string,
  cost: (self: unknown, result: unknown, args: readonly unknown[]) => number,
): void {
  replaceMethod(owner, name, (method) => {
    return function (...args) {
      const result = method.apply(this, args);
      looked += cost(this, result, args);
      return result;
    };
  });
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
const from = (at: unknown): number => (typeof at === 'number' ? at : 0);

/** From where the search began to where it found something, or to the end. */
const searched = (self: unknown, result: unknown, [, at]: readonly unknown[]): number =>
  (typeof result === 'number' && result >= 0 ? result : lengthOf(self)) - from(at);

function countNativeWork(): void {
  counting(String.prototype, 'indexOf', searched);
  counting(String.prototype, 'includes', (self, _, [, at]) => lengthOf(self) - from(at));
  counting(String.prototype, 'lastIndexOf', (self, result) => lengthOf(self) - Math.max(0, Number(result)));
  for (const name of ['trim', 'trimStart', 'trimEnd'] as const) {
    counting(String.prototype, name, (self, result) => lengthOf(self) - lengthOf(result));
  }
  for (const name of [
    ...([
      'split',
      'normalize',
      'toLowerCase',
      'toUpperCase',
      'toLocaleLowerCase',
      'isWellFormed',
      'toWellFormed',
    ] as const),
    ...(['replace', 'replaceAll', 'search', 'match', 'matchAll', 'localeCompare'] as const),
  ]) {
    // With a regular expression, its steps are counted there.
    counting(String.prototype, name, (self, _, [by]) => (by instanceof RegExp ? 0 : lengthOf(self)));
  }
  // All that asks a regular expression asks its `exec`, once that is not V8's own. None takes more than linear time (test/house).
  replaceMethod(RegExp.prototype, 'exec', (exec) => {
    return function (this: unknown, text) {
      const pattern = this as RegExp;
      const start = pattern.global || pattern.sticky ? pattern.lastIndex : 0;
      const found = exec.call(pattern, text) as RegExpExecArray | null;
      const end = found ? found.index + found[0].length : pattern.sticky ? start + 1 : lengthOf(text);
      looked += end - start;
      return found;
    };
  });
  counting(JSON, 'parse', (_, __, [text]) => lengthOf(text));
  counting(JSON, 'stringify', (_, result) => lengthOf(result));
  counting(Buffer, 'from', (_, __, [text]) => lengthOf(text));
  counting(Buffer, 'byteLength', (_, __, [text]) => lengthOf(text));
  counting(Array.prototype as { join(): string }, 'join', (_, result) => lengthOf(result));
  for (const name of ['includes', 'indexOf'] as const) {
    counting(
      Array.prototype as unknown as Record<typeof name, () => unknown>,
      name,
      (self) => (self as unknown[]).length,
    );
  }
}

/**
 * Begins to count, for the rest of this process. What is to be counted must not be loaded before: code that ran already
 * has no counters.
 * @returns a function that gives the steps of some work
 */
export function countSteps(): (work: () => unknown) => Promise<number> {
  const session = new Session();
  session.connect();
  const ask = (method: string, parameters?: object): object | undefined => {
    let answer: object | undefined;
    session.post(method, parameters, (error: Error | null, result?: object) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  ask('Profiler.enable');
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  countNativeWork();
  type Coverage = { result: { url: string; functions: { ranges: { count: number }[] }[] }[] };
  const entered = (): number =>
    (ask('Profiler.takePreciseCoverage') as Coverage).result
      .filter(({ url }) => url.startsWith('file:') && url !== import.meta.url)
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  return async (work) => {
    entered();
    looked = 0;
    await work();
    return looked + entered();
  };
}
