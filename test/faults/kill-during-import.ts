// Plays a kill in the middle of an import, and says what must hold after it.
import assert from 'node:assert/strict';
import { playRound, timeoutMs } from './kill-round.ts';

const people = 300;
const concurrency = 20;

/**
 * Kills an embedded import with `kill -9` once this share of the people was called, resumes it, and checks that everybody was
 * delivered, no receipt lost, and only what was in flight repeated.
 */
export async function killDuringImport(killedAt: number): Promise<void> {
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
  assert.match(found.stderr, new RegExp(`^${found.begun} calls? (?:was|were) in flight`, 'm'));
}
