import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openEmbedded } from '../../src/ledger/embedded.ts';
import type { EmbeddedDatabase } from '../../src/ledger/embedded.ts';

suite('the embedded database behind pg', () => {
  let db: EmbeddedDatabase;
  before(async () => {
    db = await openEmbedded('memory://');
  });
  after(() => db.close());

  test('gives rows, counts and commands as pg does', async () => {
    await db.pool.query('CREATE TABLE person (id int PRIMARY KEY, name text); CREATE TABLE other (id int)');
    const inserted = await db.pool.query('INSERT INTO person VALUES ($1, $2), ($3, $4)', [1, 'Åse', 2, 'Jo']);
    assert.equal(inserted.command, 'INSERT');
    assert.equal(inserted.rowCount, 2);
    assert.deepEqual((await db.pool.query('SELECT * FROM person ORDER BY id')).rows, [
      { id: 1, name: 'Åse' },
      { id: 2, name: 'Jo' },
    ]);
  });

  test('a transaction is not seen and not joined by statements from outside', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query("INSERT INTO person VALUES (3, 'Mo')");
    const outside = db.pool.query('SELECT count(*) FROM person');
    await client.query('ROLLBACK');
    client.release();
    assert.deepEqual((await outside).rows, [{ count: 2 }]);
  });
});
