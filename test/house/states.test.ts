import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { mayMove, type Move, type RunMove, runMoves, type RunStatus, runStates } from '../../src/core/run/states.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/development/architecture.md'), 'utf8');
const [, ofRuns = ''] = page.split('\n## States of a run\n');
const section = ofRuns.split('\n## ')[0] ?? '';
const moves = Object.keys(runMoves) as RunMove[];

/** The moves of a run as a diagram. In its language a name has no hyphens. */
function drawMoves(): string {
  const node = (state: RunStatus): string => state.replaceAll('-', '_');
  const named = runStates.filter((state) => state.includes('-')).map((state) => `  state "${state}" as ${node(state)}`);
  const lines = moves.flatMap((move) => {
    const { from, to }: Move = runMoves[move];
    const words = move.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return (from.length === 0 ? ['[*]'] : from.map(node)).map((start) => `  ${start} --> ${node(to)}: ${words}`);
  });
  return ['```mermaid', 'stateDiagram-v2', ...named, ...lines, '```'].join('\n');
}

/** Statements that write the state of a run, however they are put together. */
const writes = [
  /update runs\b(?:(?!\bwhere\b)[^`])*?\bstatus\s*=/,
  /insert into runs\b/,
  /insertInto\('runs'\)/,
  /updateTable\('runs'\)[^;]*?\bstatus:/,
];

describe('the states of a run', () => {
  it('are drawn in docs/development/architecture.md as core/run/states.ts has them', () => {
    const drawn = /```mermaid\n[^`]*```/.exec(section)?.[0];
    assert.equal(drawn, drawMoves(), 'put the expected text into docs/development/architecture.md');
  });

  it('have a row each in docs/development/architecture.md, which names the moves out of it', () => {
    const rows = [...section.matchAll(/^\| `([a-z-]+)` \|[^|]*\| ([^|]*)\|$/gm)].map(([, state = '', left = '']) => [
      state,
      [...new Set([...left.matchAll(/`([A-Za-z]+)`/g)].map(([, move = '']) => move))].toSorted(),
    ]);
    const expected = runStates.map((state) => [state, moves.filter((move) => mayMove(move, state)).toSorted()]);
    assert.deepEqual(
      rows.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      expected.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    );
  });

  it('are written by two files only: one begins a run, one moves it', () => {
    const files = ['src/**/*.ts', 'jobs/**/*.ts', 'config/**/*.ts'].flatMap((pattern) =>
      globSync(pattern, { cwd: root }),
    );
    const writers = files.filter((file) => {
      if (file.includes('/migrations/')) return false;
      const text = readFileSync(join(root, file), 'utf8');
      return writes.some((statement) => statement.test(text));
    });
    assert.deepEqual(writers.toSorted(), ['src/ledger/moves/begin-run.ts', 'src/ledger/moves/move-run.ts']);
  });
});
