import assert from 'node:assert/strict';
import { it } from 'node:test';
import { search } from './search.ts';
import { openSimulation } from './simulation.ts';

it('new stories of half a minute keep every rule', async (test) => {
  const simulation = await openSimulation();
  const from = Math.floor(Math.random() * 1_000_000_000);
  try {
    const { seeds, nights, failure } = await search(simulation, { from, forMs: 30_000, shrinkMs: 60_000 });
    test.diagnostic(`${seeds} seeds from ${from}, ${nights} nights`);
    assert.ok(failure === undefined, failure?.said ?? '');
  } finally {
    await simulation.close();
  }
});
