import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fuzz, fuzzTargets, tryOne } from './fuzz.ts';

it('every parser reads what is right', async () => {
  for (const target of fuzzTargets) {
    for (const good of target.good) assert.equal(await tryOne(target, good), undefined, target.name);
  }
});

it('every parser reads or refuses what is nearly right, in bounded time and memory', async (test) => {
  const seed = Math.floor(Math.random() * 1_000_000_000);
  const { inputs, wrong } = await fuzz(seed, 20_000);
  test.diagnostic(`seed ${seed}: ${JSON.stringify(inputs)}`);
  assert.ok(wrong === undefined, wrong ?? '');
});
