// Parses one JSON record and keeps long numbers whole.

/** More digits than a number of JavaScript keeps. */
const longNumber = /\d{16}/;
const wholeNumber = /^-?\d{16,}$/;

/** Parses one JSON value, long whole numbers (ids) as texts, so that no digit is lost. Throws a `SyntaxError`. */
export function parseRecord(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text) as unknown;
  // The third argument is of ES2026; Node has had it since 21.
  const keep = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && wholeNumber.test(context?.source ?? '') ? context?.source : value;
  return JSON.parse(text, keep) as unknown;
}
