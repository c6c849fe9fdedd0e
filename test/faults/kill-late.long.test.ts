import { suite, test } from 'node:test';
import { killDuringImport } from './kill-during-import.ts';

suite('kill -9 in the middle of an embedded import, then resume', () => {
  test('R2: with 70 % called, delivers everybody, loses no receipt, repeats what was in flight', () =>
    killDuringImport(0.7));
});
