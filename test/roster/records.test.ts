import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import type { Reject, Row } from '../../src/core/rows/row.ts';
import { parseBlock } from '../../src/roster/text/parse-block.ts';
import { RecordCutter, RecordFailure, type Dialect } from '../../src/roster/text/records.ts';
import { hardCell, splitAt, tableOf } from './reading.ts';

function readPieces(pieces: string[], dialect: Dialect, limit = Infinity): (Row | Reject)[] {
  const cutter = new RecordCutter(dialect, limit);
  const blocks = pieces.flatMap((piece) => cutter.cut(piece));
  return [...blocks, ...cutter.end()].flatMap((block) => parseBlock(block, dialect, 'f'));
}

function linesIn(text: string, lineEnd: string): number {
  return text.split(lineEnd).length - 1;
}

const delimiters = fc.constantFrom(',', ';', '\t', '|', '^');
const places = fc.array(fc.nat(), { maxLength: 12 });

test('any table that papaparse writes is read back equal, with its lines, however it is cut', () => {
  const newlines = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(
      tableOf(hardCell),
      delimiters,
      newlines,
      fc.boolean(),
      fc.boolean(),
      places,
      (table, delimiter, newline, quotes, ends, at) => {
        const lineEnd = newline === '\r' ? '\r' : '\n';
        const text = Papa.unparse(table, { delimiter, newline, quotes }) + (ends ? newline : '');
        const rows = readPieces(splitAt(text, at), { delimiter, lineEnd });
        assert.deepEqual(
          rows.map(({ cells }) => cells),
          table,
        );
        let line = 1;
        for (const [index, cells] of table.entries()) {
          assert.equal(rows[index]?.line, line);
          line += 1 + linesIn(cells.join(''), lineEnd);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('line ends of both kinds may stand in one file', () => {
  const newlines = fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(tableOf(hardCell), newlines, fc.boolean(), places, (table, ends, quotes, at) => {
      const text = table.map((cells, row) => Papa.unparse([cells], { quotes }) + ends[row % ends.length]).join('');
      const rows = readPieces(splitAt(text, at), { delimiter: ',', lineEnd: '\n' });
      assert.deepEqual(
        rows.map(({ cells }) => cells),
        table,
      );
    }),
    { numRuns: 500 },
  );
});

test('whatever the quotes, nothing is lost or read twice, and where it is cut does not matter', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('"', '"', ',', '\n', '\r\n', '\r', ' ', 'a', '\ufeff'),
    maxLength: 60,
  });
  const attempt = (pieces: string[], lineEnd: Dialect['lineEnd']) => {
    try {
      return readPieces(pieces, { delimiter: ',', lineEnd });
    } catch (error) {
      assert.ok(error instanceof RecordFailure, `${error}`);
      return [error.line, error.message];
    }
  };
  fc.assert(
    fc.property(nasty, fc.constantFrom('\n', '\r'), places, (text, lineEnd, at) => {
      const whole = attempt([text], lineEnd);
      assert.deepEqual(attempt(splitAt(text, at), lineEnd), whole);
      const lines = whole.flatMap((row) => (typeof row === 'object' ? [row.line] : []));
      assert.deepEqual(
        lines,
        [...new Set(lines)].toSorted((a, b) => a - b),
      );
      if (lines.length < whole.length) return;
      const letters = whole.flatMap((row) => (typeof row === 'object' ? row.cells : [])).join('');
      assert.equal(linesIn(letters, 'a'), linesIn(text, 'a'));
    }),
    { numRuns: 2000 },
  );
});

const commas: Dialect = { delimiter: ',', lineEnd: '\n' };

test('text after a closing quote spoils its own row only', () => {
  const rows = readPieces(['a,b\n"Bob" Smith,x\n"Jane",y\n'], commas);
  assert.deepEqual(rows[1], {
    ...{ file: 'f', line: 2, cells: ['"Bob" Smith', 'x'], column: '', value: '' },
    reason: 'text follows a closing quote: inside a quoted cell, a quote is written "".',
  });
  assert.deepEqual(rows[2], { file: 'f', line: 3, cells: ['Jane', 'y'] });
});

test('a row that a stray quote joined to the next says which lines it took', () => {
  const rows = readPieces(['a,b\n"Bob,x\nJane,"Doe"\nKim,z\n'], commas);
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 2, 4],
  );
  assert.match((rows[1] as Reject).reason, /Lines 2 to 3 were taken as one row/);
  assert.deepEqual(rows[1]?.cells, ['"Bob,x\nJane,"Doe"']);
});

test('a quote within an unquoted cell, and spaces after a closing one, are harmless', () => {
  const rows = readPieces(['a,b\n5" pipe,say "hi"\n"x" ,"y"  \n'], commas);
  assert.deepEqual(
    rows.map(({ cells }) => cells),
    [
      ['a', 'b'],
      ['5" pipe', 'say "hi"'],
      ['x', 'y'],
    ],
  );
});

test('blank rows are left out and counted as lines', () => {
  const rows = readPieces(['\n\na,b\n \n,\n"",""\nx,y\n'], commas);
  assert.deepEqual(
    rows.map(({ line }) => line),
    [3, 7],
  );
});

test('a quote that is never closed names the line on which it opened', () => {
  assert.throws(() => readPieces(['a,b\n"x\ny",1\nz,"open\n1,2\n'], commas), { line: 4, message: /never closed/ });
});

test('a quote that is never closed does not gather more than the limit', () => {
  const cutter = new RecordCutter(commas, 100);
  cutter.cut('a,b\nx,"open');
  assert.throws(() => cutter.cut('\n1,2'.repeat(30)), { line: 2, message: /never closed/ });
});

test('a line beyond the limit names itself', () => {
  assert.throws(() => readPieces(['a,b\n', 'x'.repeat(200), '\n'], commas, 100), {
    line: 2,
    message: /longer than 100/,
  });
});
