import assert from 'node:assert/strict';
import { it } from 'node:test';
import { faultsOf, figuresOf, fuzz } from './fuzz.ts';

it('every parser reads or refuses what is nearly right, in bounded time and memory', async (test) => {
  const seed = Math.floor(Math.random() * 1_000_000_000);
  const searches = await fuzz({ seed, minutes: 0.5 });
  test.diagnostic(`seed ${seed}\n${figuresOf(searches)}`);
  assert.equal(faultsOf(searches), undefined);
  for (const { inputs, target } of searches) assert.ok(inputs > 0, target.name);
});
