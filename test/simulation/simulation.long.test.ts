import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { guards, reachable } from './coverage.ts';
import { search } from './search.ts';
import { tell } from './shrink.ts';
import { openSimulation, type Simulation } from './simulation.ts';
import { storyOf } from './stories/story-of.ts';

/**
 * Always the same seeds: first a few that make all moves together, then, once the stories have changed, the others in
 * their order. What they do not reach, the stories have forgotten.
 */
const seeds = new Set([
  ...[116, 37, 215, 33, 3, 7, 171, 64, 10, 5, 41, 15, 152, 158, 291, 316, 24, 25, 26, 27, 28],
  ...[81, 82, 83, 84, 85, 86, 87, 88],
  ...Array.from({ length: 250 }).keys(),
]);

/** Some that have several processes, deaths, files, and first days to come. */
const played = [27, 152, 36, 16];

describe('simulated stories', () => {
  let simulation: Simulation;
  before(async () => {
    simulation = await openSimulation();
  });
  after(() => simulation.close());

  it('new ones of half a minute keep every rule', async (test) => {
    const from = Math.floor(Math.random() * 1_000_000_000);
    const { seeds, nights, failure } = await search(simulation, { from, forMs: 30_000, shrinkMs: 60_000 });
    test.diagnostic(`${seeds} seeds from ${from}, ${nights} nights`);
    assert.ok(failure === undefined, failure?.said ?? '');
  });

  it('make every move of runs and deliveries, and let each guard both hold and pass a plan', async (test) => {
    const unseen = new Set([
      ...reachable,
      ...guards.flatMap((guard) => [`${guard} holds a plan`, `${guard} lets a plan pass`]),
    ]);
    let played = 0;
    for (const seed of seeds) {
      if (unseen.size === 0) break;
      played += 1;
      const story = storyOf(seed);
      const ending = await simulation.play(story);
      assert.deepEqual(ending.violations, [], tell(story, ending));
      ending.moves.forEach((move) => unseen.delete(move));
      ending.tripped.forEach((guard) => unseen.delete(`${guard} holds a plan`));
      ending.passed.forEach((guard) => unseen.delete(`${guard} lets a plan pass`));
    }
    test.diagnostic(`${played} seeds were played`);
    assert.deepEqual([...unseen], []);
  });

  it('go the same way on another machine: with another time zone, language, folder, memory and number of processors', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'another machine '));
    test.after(() => rmSync(folder, { recursive: true, force: true }));
    const node = [
      ...(existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '-c', '0'] : []),
      ...[process.execPath, '--max-semi-space-size=1', '--max-old-space-size=900'],
    ];
    const [command = '', ...flags] = node;
    const printed = execFileSync(command, [...flags, join(import.meta.dirname, 'digests.ts'), ...played.map(String)], {
      encoding: 'utf8',
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        TMPDIR: folder,
        TZ: 'Pacific/Kiritimati',
        LANG: 'tr_TR.UTF-8',
        LC_ALL: 'tr_TR.UTF-8',
      },
    });
    const here: string[] = [];
    for (const seed of played) here.push((await simulation.play(storyOf(seed))).hash);
    assert.deepEqual(printed.trim().split('\n'), here);
  });
});
