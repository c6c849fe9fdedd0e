import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { beginRun, people } from './begin-run.ts';
import { check } from './check.ts';
import { type Production, scaled, until } from './place.ts';

/** Redis is away for this time, s, in the middle of a run: the calls wait, and go on as soon as it is back. */
export async function redisAway(place: Production, realSeconds: number): Promise<void> {
  const run = await beginRun(place);
  await place.redis.stop();
  await pause(scaled(realSeconds * 1000));
  const made = place.sandbox.calls.length;
  assert.ok(made < people);
  await place.redis.start();
  const backAt = performance.now();
  await until('the calls go on', () => place.sandbox.calls.length > made);
  // A new try every 2 s at most, the window that a new pace waits for, and what a busy machine takes.
  assert.ok(performance.now() - backAt < 18_000, `after ${performance.now() - backAt} ms`);
  await place.settled(run);
  await check(place, [run]);
}
