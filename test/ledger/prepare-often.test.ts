import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { prepareOften } from '../../src/ledger/database/preparing-client.ts';
import { openEmptyEmbedded } from '../support/empty-data-directory.ts';

suite('statements that come back often', () => {
  test('get a name at their tenth use, always the same one', () => {
    const often = prepareOften();
    const uses = Array.from({ length: 12 }, (_, n) => often('select $1', [n]));
    assert.deepEqual(
      uses.map((use) => use?.name),
      [...Array(9).fill(undefined), 'often_1', 'often_1', 'often_1'],
    );
    assert.deepEqual(uses[10], { name: 'often_1', text: 'select $1', values: [10] });
  });

  test('get none without values, nor beyond the fiftieth, and texts that never come back are forgotten', () => {
    const often = prepareOften();
    const use = (text: string, values: unknown[]): string | undefined =>
      Array.from({ length: 10 }, () => often(text, values)).at(-1)?.name;
    assert.equal(use('begin', []), undefined);
    for (let n = 0; n < 5000; n += 1) often(`select ${n}, $1`, [n]);
    for (let n = 1; n <= 50; n += 1) assert.equal(use(`text ${n}`, [n]), `often_${n}`);
    assert.equal(use('text 51', [51]), undefined);
  });

  test('get none when they go through the people of runs, unless they look up one of them', () => {
    const often = prepareOften();
    const nameOf = (text: string): string | undefined =>
      Array.from({ length: 10 }, () => often(text, [1])).at(-1)?.name;
    assert.equal(nameOf('select 1 from members where run_id = $1'), undefined);
    const joined = 'select $1 from deliveries d join members m on m.run_id = d.run_id';
    assert.equal(nameOf(joined), undefined);
    const lookUp = 'cross join lateral (select * from members where run_id = c.run_id offset 0) m';
    assert.equal(nameOf(`select $1 from deliveries c ${lookUp}`), 'often_1');
    assert.equal(nameOf(`delete from in_hand h using (${joined}) d`), 'often_2', 'what is claimed and recorded');
    assert.equal(nameOf(`delete from members using deliveries c ${lookUp} where c.id = $1`), undefined);
  });

  test('are prepared once in the embedded database, and give what they should', async () => {
    const { pool, close } = await openEmptyEmbedded('memory://', { waitMs: () => 300 });
    try {
      await pool.query('create table person (id int primary key, name text)');
      const sums: unknown[] = [];
      for (let n = 1; n <= 30; n += 1) {
        await pool.query('insert into person values ($1, $2)', [n, `Ann ${n}`]);
        const { rows } = await pool.query<{ count: number }>('select count(*) from person where id <= $1', [n]);
        sums.push(rows[0]?.count);
      }
      assert.deepEqual(
        sums,
        Array.from({ length: 30 }, (_, at) => at + 1),
      );
      const { rows } = await pool.query<{ statement: string }>(
        'select statement from pg_prepared_statements order by 1',
      );
      assert.deepEqual(
        rows.map(({ statement }) => statement),
        ['insert into person values ($1, $2)', 'select count(*) from person where id <= $1'],
      );
      await assert.rejects(pool.query('insert into person values ($1, $2)', [30, 'twice']), { code: '23505' });
      const holder = await pool.connect();
      await holder.query('begin');
      await holder.query('select count(*) from person where id <= $1', [1]);
      await assert.rejects(pool.query('select 1'), /held since .* by "select count\(\*\) from person where id <= \$1"/);
      await holder.query('rollback');
      holder.release();
    } finally {
      await close();
    }
  });
});
