import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { mostCallsInWindow, overlappingCalls, repeatedCalls, type SandboxCall } from '../../src/sandbox/index.ts';

function served(sequence: number, email: string, arrivedAt: number, endedAt?: number): SandboxCall {
  const ends = endedAt === undefined ? {} : { endedAt };
  return {
    sequence,
    email,
    arrivedAt,
    arrivedWall: 0,
    method: 'POST',
    path: '/',
    inFlight: 1,
    inserts: 0,
    warnings: 0,
    ...ends,
  };
}

test('the most calls in a window are those of any window, not of the whole seconds', () => {
  const calls = [900, 950, 1000, 1050, 2500].map((arrivedAt) => ({ arrivedAt }));
  assert.equal(mostCallsInWindow(calls, 1000), 4);
  assert.equal(mostCallsInWindow(calls, 100), 2);
  assert.equal(mostCallsInWindow(calls, 101), 3);
  assert.equal(mostCallsInWindow([], 1000), 0);
});

test('the most calls in a window agree with counting from every call', () => {
  const times = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 100 }), (arrivals, window) => {
      const counted = arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + window).length);
      assert.equal(
        mostCallsInWindow(
          arrivals.map((arrivedAt) => ({ arrivedAt })),
          window,
        ),
        Math.max(0, ...counted),
      );
    }),
  );
});

test('two calls of one person overlap when the second arrives before the first has ended', () => {
  const calls = [
    served(1, 'ann@example.com', 0, 10),
    served(2, 'ANN@example.com', 9, 12),
    served(3, 'bo@example.com', 5, 8),
    served(4, 'ann@example.com', 12, 14),
    served(5, 'bo@example.com', 20),
    served(6, 'bo@example.com', 30, 31),
  ];
  assert.deepEqual(
    overlappingCalls(calls).map(({ email, first, second }) => [email, first.sequence, second.sequence]),
    [
      ['ann@example.com', 1, 2],
      ['bo@example.com', 5, 6],
    ],
  );
});

test('a person is found to overlap exactly when some pair of their calls does', () => {
  const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 10 })), { maxLength: 8 });
  fc.assert(
    fc.property(spans, (given) => {
      const calls = given.map(([from, length], at) => served(at, 'ann@example.com', from, from + length));
      const isPair = calls.some((a, i) =>
        calls.some((b, j) => i < j && a.arrivedAt < b.endedAt! && b.arrivedAt < a.endedAt!),
      );
      assert.equal(overlappingCalls(calls).length > 0, isPair);
    }),
  );
});

test('a person called more than once is found with all calls, however the address was written', () => {
  const calls = [served(1, 'ann@example.com', 0), served(2, 'bo@example.com', 1), served(3, 'Ann@Example.com', 2)];
  assert.deepEqual(repeatedCalls(calls), [{ email: 'ann@example.com', calls: [calls[0], calls[2]] }]);
  assert.deepEqual(repeatedCalls(calls.slice(0, 2)), []);
});
