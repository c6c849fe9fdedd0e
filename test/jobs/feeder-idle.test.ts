import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFeeder } from '../../jobs/deliver/feeder.ts';
import { eventually } from '../support/cli.ts';

test('the end of a run is noticed when nothing is in hand or due, without waiting for the next round', async () => {
  let tended = 0;
  let due = 3;
  const feeder = startFeeder(
    {
      leads: async () => true,
      runs: async () => [{ id: 'run', urgent: false }],
      positions: {
        async take(_, limit) {
          const taken = Array.from({ length: Math.min(limit, due) }, (_each, id) => ({
            id,
            feeds: 1,
            repeated: false,
          }));
          due -= taken.length;
          return taken;
        },
        forget() {},
      },
      queue: { add: async () => {}, size: async () => 0 },
      pacer: { gateClosedFor: async () => 0, callsIn: () => Infinity },
      async tend() {
        tended += 1;
      },
      onError: assert.ifError,
    },
    { mostJobs: 400, busyMs: 1, idleMs: 1, tendMs: Infinity },
  );
  try {
    await eventually('everything is in the queue', () => due === 0);
    assert.equal(tended, 1, 'the first round is at once, the next one never');
    feeder.idle();
    await eventually('it has looked after the run', () => tended === 2);
    due = 1;
    feeder.idle();
    await eventually('what became due meanwhile is fed', () => due === 0);
    assert.equal(tended, 2, 'a run that has something to feed is not over');
  } finally {
    await feeder.stop();
  }
});
