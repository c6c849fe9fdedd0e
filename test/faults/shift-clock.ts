/**
 * Loaded before the command line (`--import`), it sets the clock of this process and its threads wrong: by `CLOCK_OFF`
 * milliseconds, and where `CLOCK_JUMPS` has a file, by what stands in there at each moment. An embedded database takes its
 * time from the same clock.
 */
import { readFileSync } from 'node:fs';

const constant = Number(process.env['CLOCK_OFF'] ?? 0);
const jumps = process.env['CLOCK_JUMPS'];
const RealDate = Date;
let off = 0;
let readAt = -Infinity;
/** A file that was just read has not changed, ms. */
const freshMs = 20;

function now(): number {
  if (jumps !== undefined && performance.now() - readAt > freshMs) {
    readAt = performance.now();
    off = Number(readFileSync(jumps, 'utf8'));
  }
  return RealDate.now() + constant + off;
}

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }
  static override now(): number {
    return now();
  }
} as DateConstructor;
