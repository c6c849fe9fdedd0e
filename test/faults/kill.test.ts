import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { playRound, timeoutMs } from './kill-round.ts';

const people = 300;
const concurrency = 20;

suite('kill -9 in the middle of an embedded import, then resume', () => {
  for (const killedAt of [0.2, 0.7]) {
    test(`R2: with ${killedAt * 100} % called, delivers everybody, loses no receipt, repeats what was in flight`, async () => {
      const found = await playRound({ people, concurrency, killedAt });
      assert.equal(found.exitCode, 0);
      assert.equal(found.succeeded, people);
      assert.deepEqual(found.shown.outcome, {
        succeeded: people,
        partial: 0,
        failed: 0,
        unknown: 0,
        superseded: 0,
        cancelled: 0,
      });
      assert.equal(found.shown.status, 'finished');
      assert.ok(found.serving >= 5 && found.kept > 0, JSON.stringify(found));
      assert.deepEqual(found.lost, []);
      assert.deepEqual(found.forgotten, []);
      // No more than are in hand. Most of those that call no longer are writing down what they got; on a busy machine others have
      // missed their slot, and count as begun until they are handed back.
      assert.ok(found.begun < 2 * concurrency, `${found.begun} calls had begun`);
      assert.ok(found.repeated.length <= found.begun);
      assert.deepEqual(found.repeatedInVain, []);
      assert.ok(found.soonestRepeat >= timeoutMs, `a call was repeated after ${found.soonestRepeat} ms`);
      assert.equal(found.overlaps, 0);
      assert.equal(found.shown.calls, people + found.begun);
      assert.match(found.stderr, new RegExp(`^${found.begun} calls were in flight`, 'm'));
    });
  }
});
