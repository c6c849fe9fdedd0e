import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import type { Reject, Row } from '../../src/core/rows/row.ts';
import { parseBlock } from '../../src/roster/text/parse-block.ts';
import { RecordCutter, RecordFailure, type Dialect } from '../../src/roster/text/records.ts';
import { hardCell, readText, refusalOf, splitAt, tableOf } from './reading.ts';

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

suite('a stray quote that takes in the rows of other lines', () => {
  const header = 'First name,Last name,Email,Notes';
  const row = (name: string, notes = 'ok') => `${name},Ek,${name}@example.com,${notes}`;
  const emails = (rows: readonly Row[]) => rows.map(({ cells }) => cells[2]);
  const ann = row('ann');

  /** Where it opens and closes: the rows, and how many are taken as one. */
  const strays: Record<string, [string[], number]> = {
    'in the last column, and closes there': [[row('bo', '"see'), row('cy'), row('di', 'ok"')], 3],
    'in the last column, and closes on the next line': [[row('bo', '"see'), row('cy', 'ok"')], 2],
    'in the middle, and closes there': [['bo,"Ek,bo@example.com,ok', row('cy'), 'di,Ek",di@example.com,ok'], 3],
    'in the middle, and closes at the end': [['bo,"Ek,bo@example.com,ok', row('cy', 'ok"')], 2],
    'and closes where the next quote opens': [[row('bo', '"see'), row('cy'), 'di,"Ek, Di",di@example.com,ok'], 3],
    'and closes before other text': [[row('bo', '"see'), row('cy', 'he said "ok" twice')], 2],
    'in a row without an address': [['bo,Ek,,"see', row('cy'), row('di', 'ok"')], 3],
  };
  for (const [where, [lines, count]] of Object.entries(strays)) {
    for (const [delimiter, newline] of [
      [',', '\n'],
      [';', '\r\n'],
      ['\t', '\r'],
    ] as const) {
      test(`opens ${where}: each line is a reject (${JSON.stringify(delimiter + newline)})`, async () => {
        const text = [header, ann, ...lines, row('ed')].join(newline).replaceAll(/,(?! )/g, delimiter) + newline;
        const { rows } = await readText(text);
        const people = ['ann', 'bo', 'cy', 'di'].slice(0, count + 1).map((name) => `${name}@example.com`);
        if (lines[0]?.includes(',,')) people[1] = '';
        assert.deepEqual(emails(rows), [...people, 'ed@example.com']);
        const rejects = rows.filter((found) => 'reason' in found);
        assert.deepEqual(
          rejects.map(({ line, hidesOthers }) => [line, hidesOthers]),
          [3, 4, 5].slice(0, count).map((line) => [line, true]),
        );
        for (const { reason } of rejects)
          assert.match(reason, new RegExp(`Lines 3 to ${count + 2} were taken as one row`));
      });
    }
  }

  test('and is never closed is refused', async () => {
    const text = [header, ann, row('bo', '"see'), row('cy'), row('di')].join('\n');
    assert.match(await refusalOf(readText(text)), /line 3: a quote opens a cell and is never closed/);
  });

  test('is told from addresses and notes of several lines', async () => {
    for (const notes of [
      '"High St 1\nLondon"',
      '"Flat 2\nHigh St 1, North, London, UK"',
      '"a\n\nwrite to x@example.com, or call"',
    ]) {
      const { rows } = await readText([header, ann, row('bo', notes), row('cy')].join('\n'));
      assert.deepEqual(emails(rows), ['ann@example.com', 'bo@example.com', 'cy@example.com'], notes);
      assert.ok(
        rows.every((found) => !('reason' in found)),
        notes,
      );
    }
    const first = await readText(
      `Address,Name,Email\n"High St 1\nLondon",Ann Ek,ann@example.com\n"A 1, B\nOslo",Bo Ek,bo@example.com\n`,
    );
    assert.ok(first.rows.every((found) => !('reason' in found)));
  });

  test('is told in a roster without addresses by two more rows', async () => {
    const text = (...rows: string[]) => ['Id,First name,Last name,Team', '1,Ann,Ek,A', ...rows, '9,Ed,Ek,A'].join('\n');
    const { rows } = await readText(text('2,Bo,Ek,"B', '3,Cy,Ek,B', '4,Di,Ek,B"'));
    assert.deepEqual(
      rows.map((found) => 'reason' in found),
      [false, true, true, true, false],
    );
    assert.equal((await readText(text('2,Bo,Ek,"B\n1, 2, 3, 4"'))).rows.length, 3);
  });
});
