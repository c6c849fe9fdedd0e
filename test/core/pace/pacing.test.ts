import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PaceBook, type Rate, type RateWindow, timeFor, writeRate } from '../../../src/core/pace/pacing.ts';

/** Sums of fractions of milliseconds are not exact. */
const rounding = 1e-6;

const windowOf = fc.record({ limit: fc.integer({ min: 1, max: 40 }), perMs: fc.integer({ min: 1, max: 100_000 }) });
const rateOf: fc.Arbitrary<Rate> = fc
  .tuple(windowOf, fc.array(windowOf, { maxLength: 2 }))
  .map(([first, and]) => ({ ...first, and }));

/** What happens to a book: some time passes, then a slot is taken, and the call leaves with a share of the slack; or all are held. */
const stepOf = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ pass: fc.nat({ max: 3000 }), late: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ pass: fc.nat({ max: 3000 }), hold: fc.integer({ min: -5000, max: 60_000 }) }) },
);

/** The most calls in any window of this length; of moments `t` and `t + perMs` only one is in it. */
function mostIn(calls: readonly number[], { perMs }: RateWindow): number {
  const times = calls.toSorted((a, b) => a - b);
  let most = 0;
  let oldest = 0;
  for (const [newest, time] of times.entries()) {
    while (time - (times[oldest] ?? 0) >= perMs - rounding) oldest += 1;
    most = Math.max(most, newest - oldest + 1);
  }
  return most;
}

describe('the pace', () => {
  it('R4: no window ever sees more calls than its limit, whatever the rate, the holds and the lateness', () => {
    fc.assert(
      fc.property(rateOf, fc.array(stepOf, { maxLength: 150 }), (rate, steps) => {
        const book = new PaceBook(rate);
        let now = 0;
        const calls: number[] = [];
        for (const step of steps) {
          now += step.pass;
          if ('hold' in step) book.hold(now + step.hold);
          else calls.push(book.reserve(now) + step.late * book.slack);
        }
        for (const window of [rate, ...rate.and]) assert.ok(mostIn(calls, window) <= window.limit);
      }),
      { numRuns: 300 },
    );
  });

  it('R4: calls made before, by another process, count in every window', () => {
    const times = fc.array(fc.nat({ max: 20_000 }), { maxLength: 80 }).map((ago) => ago.toSorted((a, b) => b - a));
    fc.assert(
      fc.property(rateOf, times, (rate, ago) => {
        const before = new PaceBook(rate);
        // Calls that themselves kept the rate.
        const earlier = ago.map((each) => before.reserve(-each));
        const now = Math.max(0, earlier.at(-1) ?? 0);
        const book = new PaceBook(rate, earlier);
        const later = ago.map(() => book.reserve(now));
        for (const window of [rate, ...rate.and]) assert.ok(mostIn([...earlier, ...later], window) <= window.limit);
      }),
      { numRuns: 200 },
    );
  });

  it('a single call a moment ago does not cost a whole long window', () => {
    const book = new PaceBook({ limit: 300, perMs: 3_600_000, and: [] }, [-1000]);
    assert.equal(book.slack, 50);
    const short = { limit: 10, perMs: 1000 };
    assert.equal(new PaceBook({ limit: 300, perMs: 3_600_000, and: [short] }).slack, 28, 'of the shortest window');
    assert.ok(Math.abs(book.reserve(0) - (-1000 + 3_600_050 / 300)) < rounding);
  });

  it('calls are spread evenly, at nearly the rate that is allowed', () => {
    const book = new PaceBook({ limit: 50, perMs: 1000, and: [] });
    const slots = Array.from({ length: 500 }, () => book.reserve(0));
    assert.equal(slots[0], 0);
    assert.ok((slots[499] ?? 0) < 500 * 20 * 1.03);
    assert.ok(slots.every((slot, at) => at === 0 || slot - (slots[at - 1] ?? 0) > 19.9));
  });

  it('a shorter hold never cuts a longer one', () => {
    const book = new PaceBook({ limit: 10, perMs: 1000, and: [] });
    book.hold(9000);
    book.hold(3000);
    assert.equal(book.gate, 9000);
    assert.equal(book.earliest(100), 9000);
    assert.equal(book.reserve(100), 9000);
  });

  it('looking at the next slot does not take it', () => {
    const book = new PaceBook({ limit: 1, perMs: 1000, and: [] });
    assert.deepEqual([book.earliest(5), book.earliest(5), book.reserve(5)], [5, 5, 5]);
    assert.equal(book.earliest(5), 1033);
  });
});

describe('a rate in words', () => {
  it('is written as a person writes it', () => {
    assert.equal(writeRate({ limit: 50, perMs: 1000, and: [] }), '50/s');
    assert.equal(writeRate({ limit: 5, perMs: 1500, and: [{ limit: 300, perMs: 300_000 }] }), '5/1500ms and 300/5m');
    assert.equal(writeRate({ limit: 1, perMs: 3_600_000, and: [] }), '1/h');
  });

  it('tells how long so many calls take at least; its narrowest window decides', () => {
    assert.equal(timeFor(0, { limit: 5, perMs: 1000, and: [] }), 0);
    assert.equal(timeFor(1, { limit: 5, perMs: 1000, and: [] }), 0);
    assert.equal(timeFor(201, { limit: 50, perMs: 1000, and: [] }), 4000);
    assert.equal(timeFor(301, { limit: 50, perMs: 1000, and: [{ limit: 300, perMs: 60_000 }] }), 60_000);
  });
});
