import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { inspect } from 'node:util';
import { BusyError, StorageError } from '../../src/core/errors.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { holdDeliveryLock, openPostgres, type PostgresDatabase } from '../../src/ledger/database/postgres.ts';
import { type OwnPostgres, postgresSkipReason, startPostgres, testPostgres } from '../support/postgres.ts';
import { freePort } from '../support/server-process.ts';

suite('the PostgreSQL ledger', { skip: postgresSkipReason }, () => {
  let server: OwnPostgres;
  let url: string;
  let db: PostgresDatabase;
  before(async () => {
    // One of its own: it is restarted.
    server = await startPostgres();
    url = await server.freshDatabase();
    db = await openPostgres(url);
  });
  after(() => db.close());

  test('its connections say that they are roster-sync', async () => {
    const { rows } = await db.pool.query("SELECT current_setting('application_name') AS name");
    assert.deepEqual(rows, [{ name: 'roster-sync' }]);
  });

  test('its statements are not compiled: that takes seconds where they take one', async () => {
    const { rows } = await db.pool.query('show jit');
    assert.deepEqual(rows, [{ jit: 'off' }]);
  });

  test('time limits that an admin has set for a database end none of its statements', async () => {
    const name = new URL(url).pathname.slice(1);
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout'];
    for (const limit of limits) await db.pool.query(`alter database ${name} set ${limit} = '200ms'`);
    const limited = await openPostgres(url);
    const { rows } = await limited.pool.query('select name, setting from pg_settings where name = any ($1)', [limits]);
    await limited.close();
    for (const limit of limits) await db.pool.query(`alter database ${name} reset ${limit}`);
    assert.deepEqual(
      rows.map(({ name: limit, setting }) => `${limit} ${setting}`).toSorted(),
      limits.map((limit) => `${limit} 0`).toSorted(),
    );
  });

  test('the server too notices soon that a machine has gone: else it keeps its locks for hours', async () => {
    const { rows } = await db.pool.query<{ idle: string }>("SELECT current_setting('tcp_keepalives_idle') AS idle");
    assert.deepEqual(rows, [{ idle: '5' }]);
  });

  test('times are read whatever form a database has for them', async () => {
    const name = new URL(url).pathname.slice(1);
    await db.pool.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
    const other = await openPostgres(url);
    const { rows } = await other.pool.query(
      "select '2026-03-04T05:06:07Z'::timestamptz as at, date '2026-03-04' as day",
    );
    await other.close();
    await db.pool.query(`alter database ${name} reset datestyle`);
    assert.deepEqual(rows, [{ at: new Date('2026-03-04T05:06:07Z'), day: '2026-03-04' }]);
  });

  test('a pooler that shares a session between transactions is refused: two processes would have the lock in it', async (t) => {
    const port = await startPooler(server.port, (close) => t.after(close));
    await assert.rejects(openPostgres(url.replace(`:${server.port}/`, `:${port}/`)), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, /a pooler .*pool_mode = session/);
      return true;
    });
  });

  test('exactly one process holds the delivery lock, and it passes on when released or lost', async () => {
    const other = await openPostgres(url);
    const lock = await holdDeliveryLock(db.pool, 'alone');
    await assert.rejects(holdDeliveryLock(other.pool, 'alone'), BusyError);
    await lock.release();
    const second = await untilHeld(other);
    await db.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = " +
        '(SELECT oid FROM pg_database WHERE datname = current_database())',
    );
    assert.ok((await second.lost) instanceof Error);
    await second.release();
    await (await untilHeld(db)).release();
    await other.close();
  });

  test('whoever had the delivery lock takes it again although the server has not noticed that the connection broke', async () => {
    const lost = await holdDeliveryLock(db.pool, 'alone');
    await assert.rejects(holdDeliveryLock(db.pool, 'alone', { ...lost.session, since: 'another one' }), BusyError);
    const again = await holdDeliveryLock(db.pool, 'alone', lost.session);
    assert.ok((await lost.lost) instanceof Error);
    await Promise.all([lost.release(), again.release()]);
    await (await untilHeld(db)).release();
  });

  test('a connection that breaks while somebody has it fails their statement, and never the process', async () => {
    const client = await db.pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const failed = assert.rejects(client.query('SELECT pg_sleep(60)'));
    const gone = new Promise((resolve) => void client.once('end', resolve));
    await db.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await Promise.all([failed, gone]);
    client.release(true);
  });

  test('any number of processes that share a pace hold the delivery lock together, but not beside one that is alone', async () => {
    const other = await openPostgres(url);
    const together = [await holdDeliveryLock(db.pool, 'together'), await holdDeliveryLock(other.pool, 'together')];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await assert.rejects(holdDeliveryLock(other.pool, 'alone'), BusyError);
    }
    for (const lock of together) await lock.release();
    const alone = await untilHeld(db);
    await assert.rejects(holdDeliveryLock(other.pool, 'together'), BusyError);
    await alone.release();
    // Nothing is left behind on a connection that was asked in vain.
    const client = await other.pool.connect();
    assert.ok(client.listenerCount('error') <= 1);
    client.release();
    await other.close();
  });

  /** The server lets a lock go a moment after its connection has ended. */
  async function untilHeld({ pool }: PostgresDatabase) {
    for (;;) {
      try {
        return await holdDeliveryLock(pool, 'alone');
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
      }
    }
  }

  test('a server that restarts is used again, and its going is told, not thrown', async () => {
    const told: Error[] = [];
    const own = await openPostgres(url, { onError: (error) => told.push(error) });
    await server.stop();
    await server.start();
    assert.deepEqual((await own.pool.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
    assert.ok(told.length > 0);
    await own.close();
  });
});

/** A pooler that gives its one session to one transaction after the other, on a free port. */
async function startPooler(targetPort: number, closing: (close: () => void) => void): Promise<number> {
  const far = connect(targetPort, '127.0.0.1');
  const sockets = new Set([far]);
  const greeting: Buffer[] = [];
  let asking: Socket | undefined;
  far.on('data', (bytes: Buffer) => {
    const said = Buffer.concat(greeting);
    // ReadyForQuery, and no transaction is open.
    if (!said.subarray(-6).equals(Buffer.from('Z\0\0\0\u0005I'))) greeting.push(bytes);
    asking?.write(bytes);
  });
  const server = createServer((near) => {
    sockets.add(near);
    near.once('data', (startup: Buffer) => {
      if (greeting.length === 0) far.write(startup);
      else near.write(Buffer.concat(greeting));
      asking = near;
      near.on('data', (bytes: Buffer) => {
        asking = near;
        // Terminate is for the pooler.
        if (bytes[0] !== 0x58) far.write(bytes);
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

suite('a PostgreSQL that cannot be used', () => {
  test('is named by host and database, never by password', async () => {
    const port = await freePort();
    await assert.rejects(openPostgres(`postgres://anna:geh-heim@127.0.0.1:${port}/staff`), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}/staff`));
      assert.match(error.message, /ECONNREFUSED/);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /geh-heim|anna/);
      return true;
    });
    await assert.rejects(openPostgres('not a url geh-heim'), (error) => {
      assert.ok(error instanceof StorageError);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /geh-heim/);
      return true;
    });
  });
});

suite('SQL values', { skip: postgresSkipReason }, () => {
  const samples: [type: string, given: unknown, read: unknown][] = [
    ['int2', -7, -7],
    ['int4', 2147483647, 2147483647],
    ['int8', 9007199254740991, 9007199254740991],
    ['int8', '9007199254740993', 9007199254740993n],
    ['int8', -5n, -5],
    ['int8[]', [1, null, 9007199254740993n], [1, null, 9007199254740993n]],
    ['numeric', '12345678901234567890.10', '12345678901234567890.10'],
    ['float8', 0.1, 0.1],
    ['text', "Åse 'quoted' \\ 名前 \u{1f600}", "Åse 'quoted' \\ 名前 \u{1f600}"],
    ['text', '', ''],
    ['bool', true, true],
    ['bool', false, false],
    ['json', JSON.stringify({ a: [1, 'x', null] }), { a: [1, 'x', null] }],
    ['json', { a: { b: 1 } }, { a: { b: 1 } }],
    ['jsonb', JSON.stringify(['a', { b: 'ü' }]), ['a', { b: 'ü' }]],
    ['jsonb', '"text"', 'text'],
    ['timestamptz', new Date('2026-02-03T04:05:06.789Z'), new Date('2026-02-03T04:05:06.789Z')],
    ['timestamptz', '2026-02-03T04:05:06.789+05:30', new Date('2026-02-02T22:35:06.789Z')],
    ['date', '2026-03-29', '2026-03-29'],
    ['text[]', ['a', 'b,c', '"d"', null, '', 'NULL', '\\'], ['a', 'b,c', '"d"', null, '', 'NULL', '\\']],
    ['text[]', [], []],
    ['bytea', Buffer.from([0, 1, 255]), Buffer.from([0, 1, 255])],
    ['uuid', '7f3a0c1e-0000-4000-8000-000000000000', '7f3a0c1e-0000-4000-8000-000000000000'],
    ['text', null, null],
    ['jsonb', null, null],
  ];
  const mistakes: [sql: string, params: unknown[]][] = [
    ['SELECT 1 FROM nowhere', []],
    ['INSERT INTO kept VALUES ($1)', [1]],
    ['INSERT INTO kept VALUES ($1)', [null]],
    ['SELECT $1::int', ['x']],
    ['SELECT (', []],
  ];

  test('are the same from the embedded database and from PostgreSQL', async () => {
    const embedded = await openEmbedded('memory://');
    const server = await openPostgres(await (await testPostgres()).freshDatabase());
    for (const { pool } of [embedded, server]) {
      for (const [type, given, read] of samples) {
        const { rows } = await pool.query(`SELECT $1::${type} AS value`, [given]);
        assert.deepEqual(rows, [{ value: read }], type);
      }
      for (const [type, given, read] of samples) {
        await pool.query(`CREATE TABLE kept (value ${type}); CREATE INDEX ON kept ((1))`);
        // A text of its own for each type: a statement that comes back often is prepared, with the types it had first.
        await pool.query(`INSERT INTO kept VALUES ($1) -- ${type}`, [given]);
        assert.deepEqual((await pool.query('SELECT value FROM kept')).rows, [{ value: read }], type);
        await pool.query('DROP TABLE kept');
      }
    }
    await embedded.close();
    await server.close();
  });

  test('that are wrong give the same errors from both', async () => {
    const embedded = await openEmbedded('memory://');
    const server = await openPostgres(await (await testPostgres()).freshDatabase());
    const seen = await Promise.all(
      [embedded, server].map(async ({ pool }) => {
        await pool.query('CREATE TABLE kept (id int PRIMARY KEY); INSERT INTO kept VALUES (1)');
        const errors: unknown[] = [];
        for (const [sql, params] of mistakes) {
          await pool.query(sql, params).catch((error: Record<string, unknown>) => {
            const { name, message, code, detail, constraint, table, column, severity, position } = error;
            errors.push({ name, message, code, detail, constraint, table, column, severity, position });
          });
        }
        return errors;
      }),
    );
    assert.equal(seen[0]?.length, mistakes.length);
    assert.deepEqual(seen[0], seen[1]);
    await embedded.close();
    await server.close();
  });
});
