import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { suite, test, type TestContext } from 'node:test';
import { isShortened } from '../../../src/core/mapping/read-name.ts';
import { missingPackage } from '../../../src/roster/files/read-failure.ts';
import type { SqlAsked } from '../../../src/roster/sql/sql-rows.ts';
import { sqlServer, textOf } from '../../../src/roster/sql/sql-server-rows.ts';
import { freePort } from '../../support/server-process.ts';
import { all, everythingIn, refusal } from '../fetch/fetching.ts';
import { cellsOf } from './sql-cells.ts';
import { type Answer, done, failed, startTds, table, tds } from './tds-server.ts';

/** Days since the first of the year 1. */
const day = 739_646;
const names = ['name', 'id', 'day'] as const;
const query = 'SELECT name, id, day FROM people';
const url = (port: number): string => `sqlserver://reader:secret-word@127.0.0.1:${port}/payroll`;
/** Answers the query itself, and says yes to what a client says before. */
const answering =
  (answer: () => ReturnType<Answer>): Answer =>
  (sql) =>
    sql.includes('FROM people') ? answer() : done;
const serve = (t: TestContext, answer: () => ReturnType<Answer>) => startTds(t, answering(answer));

suite('a query of SQL Server', { timeout: 60_000 }, () => {
  test('gives every row, in a transaction that nothing commits', async (t) => {
    const rows = Array.from({ length: 5000 }, (_, index) => [`Ann Å ${index}`, index, day] as const);
    const { port, seen } = await serve(t, () => Buffer.concat([table(names, rows), done]));
    const cells = await cellsOf(url(port), query);
    assert.deepEqual([cells.length, cells[4999]], [5000, ['Ann Å 4999', '4999', '2026-01-31']]);
    // A prelogin, a sign-in, the settings of the driver, the transaction, the query.
    assert.deepEqual(seen, [tds.prelogin, tds.login, tds.batch, tds.transaction, tds.batch]);
  });

  test('is refused where the server refuses it half-way, gives several results, or two columns of one name', async (t) => {
    const some = table(names, [['Ann', 1, day]]);
    for (const [answer, expected] of [
      [
        Buffer.concat([some, failed(8134, 'Divide by zero with secret-word')]),
        /refused, saying "Divide by zero with \*\*\*"/,
      ],
      [Buffer.concat([some, Buffer.from(done).fill(1, 1, 2), some, done]), /sql\.query gives several results/],
      [Buffer.concat([table(['a', 'a', 'b'], [['Ann', 1, day]]), done]), /two columns called "a"/],
    ] as const) {
      const { port } = await serve(t, () => answer);
      const message = await refusal(cellsOf(url(port), query));
      assert.match(message, expected);
      assert.doesNotMatch(message, /secret-word/);
    }
  });

  test('is tried again after a deadlock, a lost connection and a closed port', async (t) => {
    let tries = 0;
    const { port } = await serve(t, () => {
      tries++;
      if (tries === 1) return failed(1205, 'deadlock victim');
      return tries === 2 ? 'gone' : Buffer.concat([table(names, [['Ann', 1, day]]), done]);
    });
    assert.deepEqual(await cellsOf(url(port), query), [['Ann', '1', '2026-01-31']]);
    assert.equal(tries, 3);
    const closed = await refusal(cellsOf(url(await freePort()), query, { attempts: 2 }));
    assert.match(closed, /could not be read \(ESOCKET\) \(tried 2 times\)\. Nothing from it was used/);
  });

  test('a number of more digits than tedious keeps is no employee id', () => {
    const ofNumeric = (value: number): unknown =>
      textOf({ value, metadata: { colName: 'id', type: { name: 'NumericN' } } });
    assert.ok(isShortened(String(ofNumeric(123_456_789_012_345_680))));
    assert.equal(ofNumeric(123_456_789_012_345), 123_456_789_012_345);
  });

  test('gives no password to a server that does not encrypt, where it must', async (t) => {
    const { port, seen } = await serve(t, () => done);
    const asked: SqlAsked = {
      ...{ url: url(port), query, timeoutMs: 5000, graceMs: 0, connectMs: 5000 },
      ...{ signal: new AbortController().signal, ssl: { rejectUnauthorized: true, servername: 'db.acme.example' } },
    };
    await assert.rejects(all(sqlServer.rows(asked)), { code: 'EENCRYPT' });
    assert.deepEqual(seen, [tds.prelogin]);
  });

  test('ends with a plain message where the server speaks something else, and when it is told to', async (t) => {
    const other = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const address = other.address();
    assert.ok(address && typeof address === 'object');
    const error = await cellsOf(url(address.port), query, { attempts: 1, timeout: 1000 }).catch(
      (error: unknown) => error,
    );
    assert.match(everythingIn(error), /could not be read|refused/);
    assert.doesNotMatch(everythingIn(error), /secret-word/);

    const stop = new AbortController();
    const { port } = await serve(t, () => {
      stop.abort(new Error('stopped by the test'));
      return Buffer.alloc(0);
    });
    const asked: SqlAsked = {
      ...{ url: url(port), query, timeoutMs: 20_000, graceMs: 0, connectMs: 5000, signal: stop.signal },
    };
    await assert.rejects(all(sqlServer.rows(asked)), /stopped by the test/);
  });

  test('says what to install where its driver is not installed', () => {
    const missing = Object.assign(new Error("Cannot find package 'tedious' imported from x"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    assert.match(
      String(missingPackage(missing, 'tedious@20', 'payroll: SQL Server')),
      /payroll: SQL Server needs the package tedious.*npm install tedious@20/,
    );
    const another = Object.assign(new Error("Cannot find package 'x'"), { code: 'ERR_MODULE_NOT_FOUND' });
    assert.equal(missingPackage(another, 'tedious@20', 'payroll: SQL Server'), another);
  });
});
