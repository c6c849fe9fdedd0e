// Tries what may throw, such as to read JSON.

/** What the work gives; undefined where it throws. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; undefined where it is none. */
export const parseJson = (text: string): unknown => attempt(() => JSON.parse(text) as unknown);

/** More digits than a number of JavaScript keeps. */
const longNumber = /\d{16}/;
const wholeNumber = /^-?\d{16,}$/;

/** Parses one JSON value, long whole numbers (ids) as texts, so that no digit is lost. Throws a `SyntaxError`. */
export function parseExactly(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text) as unknown;
  // The third argument is of ES2026; Node has had it since 21.
  const keep = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && wholeNumber.test(context?.source ?? '') ? context?.source : value;
  return JSON.parse(text, keep) as unknown;
}
