import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Corrector, isOfSameCells } from '../../../src/core/rows/corrections.ts';
import type { Row } from '../../../src/core/rows/row.ts';

const header = ['Name', ' Team ', 'City'];
const row = (line: number, ...cells: string[]): Row => ({ file: 'a.csv', line, cells });
const ofRow = (line: number, column: number, value: string) => ({ file: 'a.csv', line, column, value });

suite('corrections', () => {
  test('are made in their order: a later one sees what an earlier one made of a cell', () => {
    const corrector = new Corrector(
      [ofRow(2, 1, 'B'), { was: 'B', column: 1, value: 'C' }, ofRow(3, 1, 'B'), { was: 'C', column: 1, value: 'D' }],
      header,
    );
    const rows = [row(2, 'Ann', 'A', ''), row(3, 'Bo', 'A', ''), row(4, 'Cy', 'B', ''), row(5, 'Di', 'C', '')];
    assert.deepEqual(
      rows.map((each) => corrector.correct(each).cells[1]),
      ['D', 'B', 'D', 'D'],
    );
    assert.deepEqual(
      corrector.made().map((made) => ({ ...made, row: undefined })),
      [
        { file: 'a.csv', line: 2, column: 'Team', was: 'A', value: 'B', cells: 1, row: undefined },
        { column: 'Team', was: 'B', value: 'C', cells: 2, row: undefined },
        { file: 'a.csv', line: 3, column: 'Team', was: 'A', value: 'B', cells: 1, row: undefined },
        { column: 'Team', was: 'C', value: 'D', cells: 3, row: undefined },
      ],
    );
  });

  test('fill a cell that its row lacks, and leave other files and rejects alone', () => {
    const corrector = new Corrector([ofRow(2, 1, 'Sales')], header);
    const short = { ...row(2, 'Ann', '', ''), missing: new Set([1, 2]) };
    assert.deepEqual(corrector.correct(short), { ...row(2, 'Ann', 'Sales', ''), missing: new Set([2]) });
    assert.deepEqual(short.cells, ['Ann', '', ''], 'what was read stays as it is');
    const other = { ...row(2, 'Bo', 'Lab', ''), file: 'b.csv' };
    assert.equal(corrector.correct(other), other);
    const reject = { ...row(2, 'x'), column: '', value: '', reason: 'it is too long' };
    assert.equal(corrector.correct(reject), reject);
  });

  test('that leave a cell as it was change none, and one of the same cells takes the place of another', () => {
    const corrector = new Corrector([ofRow(2, 1, 'Lab'), ofRow(9, 1, 'Lab')], header);
    corrector.correct(row(2, 'Ann', 'Lab', ''));
    assert.deepEqual(
      corrector.made().map(({ cells, row: found }) => [cells, found !== undefined]),
      [
        [0, true],
        [0, false],
      ],
    );
    assert.ok(isOfSameCells(ofRow(2, 1, 'x'), ofRow(2, 1, 'y')));
    assert.ok(!isOfSameCells(ofRow(2, 1, 'x'), { was: 'x', column: 1 }));
    assert.ok(!isOfSameCells({ was: 'x', column: 1 }, { was: 'y', column: 1 }));
  });
});
