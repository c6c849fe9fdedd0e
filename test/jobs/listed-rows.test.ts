import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RowsToList } from '../../jobs/run/listed-rows.ts';

test('rows to list come out by file and in order, however often their keys were packed', () => {
  const row = fc.record({
    key: fc.emailAddress(),
    file: fc.constantFrom('a.csv', 'b.csv'),
    line: fc.nat(),
    packs: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const list = new RowsToList();
      for (const { key, packs, ...place } of rows) {
        list.add(key, place);
        if (packs) list.pack();
      }
      assert.equal(list.size, rows.length);
      const expected = Map.groupBy(rows, ({ file }) => file);
      assert.deepEqual(
        list.all().map(({ file, keys, lines }) => [file, keys.split('\n'), lines]),
        [...expected].map(([file, of]) => [file, of.map(({ key }) => key), of.map(({ line }) => line)]),
      );
    }),
  );
});
