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
