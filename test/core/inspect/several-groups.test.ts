import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ColumnSurvey } from '../../../src/core/columns/column-survey.ts';
import { severalIn } from '../../../src/core/inspect/proposed.ts';

function judge(cells: string[], isList = false): string {
  const survey = new ColumnSurvey(0, 'Department');
  for (const cell of cells) survey.add(cell);
  const found = severalIn(survey, isList);
  return found.kind === 'one' ? 'one' : `${found.kind} ${JSON.stringify(found.separator)} ${found.example}`;
}

suite('whether a cell names several groups', () => {
  for (const [sign, cell] of [
    [';', 'IT;Sales'],
    ['|', 'IT | Sales'],
    ['\n', 'IT\nSales'],
  ] as const) {
    test(`${JSON.stringify(sign)} always stands between groups`, () => {
      assert.equal(judge(['HR', cell]), `list ${JSON.stringify(sign)} ${cell}`);
    });
  }

  for (const sign of [',', '/', '#']) {
    test(`"${sign}" does where what it parts stands alone elsewhere`, () => {
      const cell = `IT${sign} Sales`;
      assert.equal(judge(['IT', 'Sales', cell, 'HR']), `list "${sign}" ${cell}`);
    });

    test(`"${sign}" does not where nothing of it does`, () => {
      assert.equal(judge([`Research${sign} Development`, 'IT', 'IT', 'HR']), 'one');
    });
  }

  test('a department and its city may be one group or two', () => {
    assert.equal(judge(['IT, Oslo', 'IT, Bergen', 'Sales, Oslo', 'HR']), 'unclear "," IT, Oslo');
    assert.equal(judge(['Sales', 'Sales, Nordic', 'IT', 'IT']), 'unclear "," Sales, Nordic');
    assert.equal(judge(['IT, Oslo', 'IT, Oslo', 'HR']), 'one');
  });

  test('what people were given before counts as standing alone', () => {
    const survey = new ColumnSurvey(0, 'Department');
    survey.add('Sales, IT');
    assert.deepEqual(severalIn(survey, false, new Set(['Sales', 'IT'])), {
      ...{ kind: 'list', separator: ',', example: 'Sales, IT' },
    });
    assert.deepEqual(severalIn(survey), { kind: 'one' });
    assert.deepEqual(severalIn(survey, false, new Set(['Sales', 'IT', 'Sales, IT'])), { kind: 'one' }, 'it is one too');
  });

  test('levels of a path are no groups of their own', () => {
    assert.equal(judge(['/Staff/Sales', '/Staff/IT', '/Staff']), 'one');
    assert.equal(judge(['Sales/North', 'Sales/South', 'Sales', 'IT', 'HR']), 'one');
  });

  test('a column that is called groups holds lists where a few are repeated', () => {
    assert.equal(judge(['A,B', 'A,C', 'B,C'], true), 'list "," A,B');
    assert.equal(judge(['A,B', 'A,C', 'B,C']), 'unclear "," A,B');
  });

  test('too many different cells to compare: a few with a sign are left alone, many are unclear', () => {
    const many = (share: number): string[] =>
      Array.from({ length: 1000 }, (_, at) => (at % share === 0 ? `a${at}, b${at}` : `c${at}`));
    assert.equal(judge(many(500)), 'one');
    assert.equal(judge(many(5)), 'unclear "," a0, b0');
  });
});
