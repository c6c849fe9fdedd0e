import { loadavg } from 'node:os';

/** One figure of an issue, measured. */
export interface Figure {
  name: string;
  /** One per round. */
  values: readonly number[];
  unit?: string;
  /** The bounds; absent if the figure is only shown. */
  must?: number;
  aim?: number;
  /** Whether the bounds are floors (`least`) or ceilings (`most`). */
  bound?: 'least' | 'most';
  /** What it was made of, in words and numbers. */
  of: string;
}

/** The middle one; of an even number the lower middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Prints figures as a table, each beside its bounds; a bound that must hold and does not makes the exit code 1. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`${title}\nNode ${process.versions.node}; load average ${loadavg()[0]?.toFixed(1)} on 2 cores\n`);
  for (const { name, values, unit = '', must, aim, bound = 'least', of } of figures) {
    const value = median(values);
    const holds = (limit: number): boolean => (bound === 'least' ? value >= limit : value <= limit);
    const judge = (word: string, limit: number | undefined): string =>
      limit === undefined
        ? ''
        : `${word} ${bound === 'least' ? '≥' : '≤'} ${limit}${unit} ${holds(limit) ? 'ok' : 'MISSED'}`;
    const spread = values.length > 1 ? ` (${write(Math.min(...values))}–${write(Math.max(...values))})` : '';
    const text = [`${write(value)}${unit}${spread}`, judge('must', must), judge('aim', aim)]
      .filter(Boolean)
      .join('   ');
    console.log(`${name}\n    ${text}\n    ${of}`);
    if (must !== undefined && !holds(must)) process.exitCode = 1;
  }
}

function write(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return value.toFixed(digits);
}
