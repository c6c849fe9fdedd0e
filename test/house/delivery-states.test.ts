import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deliveryMoves } from '../../src/core/run/states.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Statements that write the state of a delivery: from the verb to the end of what it sets. */
const writes = [
  /\bupdate\s+deliveries\b(?:(?!\bwhere\b|\bfrom\b|`)[^])*?\bstate\s*=/i,
  /\b(?:insert|merge)\s+into\s+deliveries\b/i,
  /\b(?:updateTable|insertInto|mergeInto)\('deliveries'\)/,
];

test('only src/ledger/moves writes the state of a delivery', () => {
  const writers = globSync('{src,jobs,config}/**/*.ts', { cwd: root })
    .filter((path) => !path.startsWith('src/ledger/database/migrations'))
    .filter((path) => writes.some((write) => write.test(read(path))));
  assert.ok(writers.length > 5, 'the test finds the writers');
  assert.deepEqual(
    writers.filter((path) => !path.startsWith('src/ledger/moves/')),
    [],
  );
});

test('docs/development/architecture.md draws the moves of core', () => {
  const [, drawing = ''] =
    read('docs/development/architecture.md').split('## States of a delivery')[1]?.split('```mermaid') ?? [];
  const drawn = (drawing.split('```')[0] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes('-->'));
  const moves = Object.entries(deliveryMoves).flatMap(([name, { from, to }]) =>
    (from.length === 0 ? ['[*]'] : from).flatMap((a) =>
      to.map((b) => `${a} --> ${b}: ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`),
    ),
  );
  assert.deepEqual(drawn.toSorted(), moves.toSorted());
});
