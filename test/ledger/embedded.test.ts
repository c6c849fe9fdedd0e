import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { LedgerBusyError, StorageError } from '../../src/core/errors.ts';
import { migrationTexts } from '../../src/ledger/database/migrations.ts';
import { databaseOver } from '../../src/ledger/database/database.ts';
import { asPlanning } from '../../src/ledger/database/reconnect.ts';
import type { EmbeddedDatabase } from '../../src/ledger/database/embedded/embedded.ts';
import { keyOfTemplate } from '../../src/wiring/empty-ledger.ts';
import { openEmptyEmbedded } from '../support/empty-data-directory.ts';

suite('the embedded database behind pg', () => {
  let db: EmbeddedDatabase;
  before(async () => {
    db = await openEmptyEmbedded('memory://', { waitMs: () => 200 });
    await db.pool.query('CREATE TABLE person (id int PRIMARY KEY, name text)');
  });
  after(() => db.close());

  async function names(): Promise<unknown[]> {
    return (await db.pool.query<{ name: string }>('SELECT name FROM person ORDER BY id')).rows.map(({ name }) => name);
  }

  test('gives rows, counts and commands as pg does', async () => {
    const inserted = await db.pool.query('INSERT INTO person VALUES ($1, $2), ($3, $4)', [1, 'Åse', 2, 'Jo']);
    assert.equal(inserted.command, 'INSERT');
    assert.equal(inserted.rowCount, 2);
    const updated = await db.pool.query({ text: 'UPDATE person SET name = $1 WHERE id = $2', values: ['Al', 2] });
    assert.equal(updated.command, 'UPDATE');
    assert.equal(updated.rowCount, 1);
    assert.deepEqual(await names(), ['Åse', 'Al']);
    const rows = await db.pool.query({ text: 'SELECT id, name FROM person ORDER BY id', rowMode: 'array' });
    assert.deepEqual(rows.rows, [
      [1, 'Åse'],
      [2, 'Al'],
    ]);
  });

  test('runs several statements in one text, all or none', async () => {
    await db.pool.query('CREATE TABLE one (id int); CREATE TABLE two (id int); INSERT INTO two VALUES (1)');
    assert.deepEqual((await db.pool.query('SELECT * FROM two')).rows, [{ id: 1 }]);
    await assert.rejects(db.pool.query('INSERT INTO two VALUES (2); SELECT 1 / 0'), { code: '22012' });
    assert.deepEqual((await db.pool.query('SELECT * FROM two')).rows, [{ id: 1 }]);
  });

  test('goes on after an error of a statement, with the error that pg would give', async () => {
    await assert.rejects(db.pool.query('INSERT INTO person VALUES ($1)', [1]), {
      name: 'error',
      code: '23505',
      constraint: 'person_pkey',
      detail: 'Key (id)=(1) already exists.',
    });
    assert.deepEqual((await db.pool.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
  });

  test('carries a megabyte both ways', async () => {
    const long = 'ä'.repeat(1_000_000);
    assert.deepEqual((await db.pool.query('SELECT $1::text AS long', [long])).rows, [{ long }]);
  });

  test('between two statements of planning others get as many as they need', async (t) => {
    const { pool, close } = await openEmptyEmbedded('memory://');
    t.after(close);
    const order: string[] = [];
    const ask = async (who: string, seconds = 0): Promise<void> => {
      await pool.query('SELECT pg_sleep($1)', [seconds]);
      order.push(who);
    };
    const planning = asPlanning(async () => {
      await ask('planning', 0.5);
      await ask('planning');
    });
    for (let nth = 0; nth < 5; nth += 1) await ask('another');
    await planning;
    assert.ok(order.indexOf('planning') < 2, order.join());
    assert.equal(order.lastIndexOf('planning'), 6, order.join());
  });

  test('a transaction is neither seen nor joined from outside', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query("INSERT INTO person VALUES (3, 'Mo')");
    const outside = names();
    await client.query('ROLLBACK');
    client.release();
    assert.deepEqual(await outside, ['Åse', 'Al']);
  });

  test('statements that wait for a transaction get their turn in the order in which they came', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    const order: number[] = [];
    const waiting = [1, 2, 3, 4, 5].map((n) => db.pool.query('SELECT 1').then(() => order.push(n)));
    await client.query('COMMIT');
    client.release();
    await Promise.all(waiting);
    assert.deepEqual(order, [1, 2, 3, 4, 5]);
  });

  test('a transaction left open by a released client is rolled back', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query("INSERT INTO person VALUES (4, 'Di')");
    client.release();
    assert.deepEqual(await names(), ['Åse', 'Al']);
  });

  test('a transaction left open by a client that is thrown away is rolled back', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query("INSERT INTO person VALUES (4, 'Di')");
    client.release(true);
    assert.deepEqual(await names(), ['Åse', 'Al']);
  });

  test('a failed transaction holds the session until it is rolled back', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await assert.rejects(client.query('SELECT 1 / 0'));
    const outside = names();
    await assert.rejects(client.query('SELECT 1'), { code: '25P02' });
    await client.query('ROLLBACK');
    client.release();
    assert.deepEqual(await outside, ['Åse', 'Al']);
  });

  test('who waits too long for the session is told what holds it, without a value, and can go on', async () => {
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query("UPDATE person SET name = 'Geheim' WHERE id = 1");
    await assert.rejects(db.pool.query('DELETE FROM person WHERE name = $1', ['secret']), (error) => {
      assert.ok(error instanceof LedgerBusyError);
      assert.match(error.message, /held since \d+\.\d s by "UPDATE person SET name = '…' WHERE id = 1"/);
      assert.doesNotMatch(error.message, /Geheim|secret/);
      return true;
    });
    await assert.rejects(db.pool.query('SELECT 1'), LedgerBusyError);
    await client.query('ROLLBACK');
    client.release();
    assert.deepEqual(await names(), ['Åse', 'Al']);
  });

  test('what a client that is thrown away had prepared is prepared again by the next one', async () => {
    for (const type of ['int', 'text']) {
      const client = await db.pool.connect();
      const { rows } = await client.query({ name: 'q', text: `SELECT $1::${type} AS it`, values: [1] });
      assert.deepEqual(rows, [{ it: type === 'int' ? 1 : '1' }]);
      client.release(true);
    }
  });

  test('a notification of a transaction that is rolled back is never heard', async () => {
    const client = await db.pool.connect();
    await client.query('LISTEN tidings');
    const heard: string[] = [];
    client.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await client.query("BEGIN; NOTIFY tidings, 'never'; ROLLBACK");
    const arrived = once(client, 'notification');
    await client.query("NOTIFY tidings, 'now'");
    await arrived;
    assert.deepEqual(heard, ['now']);
    client.release(true);
  });

  test('the event loop stays alive while a statement runs', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await db.pool.query('SELECT count(*) FROM generate_series(1, 1000000) a');
    clearInterval(timer);
    assert.ok(ticks > 5, `${ticks} ticks`);
  });
});

test('the template of an empty ledger is made again when only the last text of the migrations changes', () => {
  const texts = migrationTexts();
  assert.equal(keyOfTemplate(), keyOfTemplate(texts));
  assert.notEqual(keyOfTemplate(), keyOfTemplate([...texts.slice(0, -1), `${texts.at(-1)} `]));
});

suite('closing the embedded database', () => {
  test('lets the process go on, whether or not clients were released', async () => {
    const db = await openEmptyEmbedded();
    const client = await db.pool.connect();
    const waiting = assert.rejects(db.pool.query('SELECT 1'), StorageError);
    const closed = db.close();
    assert.equal(db.close(), closed);
    await closed;
    await waiting;
    await assert.rejects(client.query('SELECT 1'), StorageError);
    await assert.rejects(db.pool.query('SELECT 1'), StorageError);
  });

  test('inside a transaction leaves its reason, not that of the rollback which fails too', async () => {
    const db = await openEmptyEmbedded();
    const transaction = databaseOver(db.pool)
      .transaction()
      .execute(async (session) => {
        await db.close();
        await sql`SELECT 1`.execute(session);
      });
    await assert.rejects(transaction, StorageError);
  });
});
