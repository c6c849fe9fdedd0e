import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createConnection } from 'mysql2/promise';
import { loadConfig } from '../../../config/load.ts';
import { mappingOf } from '../../../src/roster/configured-source.ts';
import { mysql } from '../../../src/roster/sql/mysql-rows.ts';
import type { SqlAsked } from '../../../src/roster/sql/sql-rows.ts';
import { mariadbSkipReason, startMariadb, type TestMariadb } from '../../support/mariadb.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { all, everythingIn, refusal } from '../fetch/fetching.ts';
import { readSource, short } from '../presets/reading-presets.ts';
import { cellsOf } from './sql-cells.ts';

const example = join(import.meta.dirname, '../../../examples/hr-systems/mysql.yaml');
const statements = [
  'SET NAMES utf8mb4',
  `CREATE DATABASE payroll CHARACTER SET utf8mb4`,
  `CREATE TABLE payroll.people (id bigint, first_name text, last_name text, email text, department text, teams text, left_on date)`,
  `INSERT INTO payroll.people VALUES (9007199254740993, 'Ann', 'Ek', 'ann@acme.example', 'Sales', 'Red;Blue', NULL), (2, 'Bo', 'Å', 'bo@acme.example', 'Legal', NULL, NULL), (3, 'Cy', 'X', 'cy@acme.example', 'Legal', NULL, '2026-01-31')`,
  `CREATE TABLE payroll.kinds (yes bit(1), flag boolean, day date, at datetime, price decimal(30,2), notes json, bytes varbinary(4), none text)`,
  `INSERT INTO payroll.kinds VALUES (b'1', true, '2026-01-31', '2026-03-29 02:30:00', 12345678901234567890.10, '{"a":1}', x'00ff', NULL)`,
  `CREATE FUNCTION payroll.hire() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM payroll.people; RETURN 1; END`,
  `CREATE USER 'reader'@'%' IDENTIFIED BY 'p@ss of payroll'`,
  `GRANT ALL ON payroll.* TO 'reader'@'%'`,
  `GRANT RELOAD ON *.* TO 'reader'@'%'`,
];
const password = encodeURIComponent('p@ss of payroll');

suite('a query of MariaDB', { skip: mariadbSkipReason, timeout: 120_000 }, () => {
  let server: TestMariadb;
  const url = (scheme = 'mysql', port = server.port): string =>
    `${scheme}://reader:${password}@127.0.0.1:${port}/payroll`;
  const asked = (query: string, change: Partial<SqlAsked> = {}): SqlAsked => ({
    ...{ url: url().replace('127.0.0.1', 'localhost'), query, timeoutMs: 20_000, graceMs: 5000, connectMs: 10_000 },
    ...{ signal: new AbortController().signal, ...change },
  });
  before(async () => {
    server = await startMariadb(`DELIMITER //\n${statements.join(' //\n')} //\n`);
  });
  after(() => server.stop());

  test('gives the people of the example', async () => {
    const config = loadConfig({ configFile: example, environment: { PAYROLL_DATABASE_URL: url() } });
    const { payroll } = config.sources;
    assert.ok(payroll);
    const found = await readSource(payroll, mappingOf(payroll));
    assert.deepEqual(short(found.members), [
      'Bo Å <bo@acme.example>: Legal',
      'Ann Ek <ann@acme.example>: Sales, Red, Blue',
    ]);
    assert.deepEqual(found.ids, ['2', '9007199254740993']);
  });

  test('gives every row of many, with values as they are written', async () => {
    const rows = await cellsOf(url('mariadb'), 'SELECT seq AS n FROM seq_1_to_20000;');
    assert.deepEqual([rows.length, rows[19_999]], [20_000, ['20000']]);
    const cut = 'SELECT @@group_concat_max_len >= 1000000 AS n';
    assert.deepEqual(await cellsOf(url(), cut), [['1']], 'MySQL cuts after 1024');
    assert.deepEqual(await cellsOf(url(), 'SELECT * FROM kinds'), [
      ['1', '1', '2026-01-31', '2026-03-29 02:30:00', '12345678901234567890.10', '{"a":1}', '00ff', ''],
    ]);
  });

  test('can only read', async () => {
    for (const query of [
      'SELECT hire() AS a',
      'SELECT 1 AS a; DELETE FROM people',
      `WITH gone AS (SELECT 1) DELETE FROM people`,
    ]) {
      assert.match(await refusal(cellsOf(url(), query)), /refused, saying .* Nothing from it was used\./, query);
    }
    assert.deepEqual(await cellsOf(url(), 'SELECT count(*) AS n FROM people'), [['3']]);
  });

  test('is refused when it fails half-way or takes too long, and for two columns of one name', async () => {
    assert.match(
      await refusal(cellsOf(url(), 'SELECT 1 AS a, 2 AS a')),
      /staff: sql\.query gives two columns called "a"/,
    );
    const half = 'SELECT IF(seq < 15000, seq, (SELECT 1 UNION SELECT 2)) AS a FROM seq_1_to_20000';
    assert.match(await refusal(cellsOf(url(), half)), /Subquery returns more than 1 row/);
    assert.match(
      await refusal(cellsOf(url(), 'SELECT sleep(60) AS a UNION SELECT 2', { timeout: 200 })),
      /max_statement_time exceeded/,
    );
  });

  test('shows no password when the sign-in fails', async () => {
    const error = await cellsOf(url().replace('reader', 'nobody'), 'SELECT 1 AS a').catch((error: unknown) => error);
    assert.match(everythingIn(error), /refused, saying .*Access denied/);
    assert.doesNotMatch(everythingIn(error), /p@ss|p%40ss/);
  });

  test('begins again when the connection breaks between two rows', async () => {
    const proxy = await startTcpProxy(server.port);
    const query = `SELECT seq AS n, repeat('x', 1000) AS wide FROM seq_1_to_50000`;
    const rows = mysql.rows(asked(query, { url: url('mysql', proxy.port) }));
    await rows.next();
    proxy.close();
    await assert.rejects(all(rows), { code: 'PROTOCOL_CONNECTION_LOST' });
    const message = await refusal(cellsOf(url('mysql', proxy.port), query, { attempts: 2 }));
    assert.match(message, /could not be read \(ECONNREFUSED\) \(tried 2 times\)\. Nothing from it was used/);
  });

  test('is tried again when the server says nothing any more', async () => {
    const proxy = await startTcpProxy(server.port);
    const query = `SELECT seq AS n, repeat('x', 1000) AS wide FROM seq_1_to_50000`;
    const rows = mysql.rows(asked(query, { url: url('mysql', proxy.port), timeoutMs: 1000, graceMs: 0 }));
    await rows.next();
    proxy.cut();
    await assert.rejects(all(rows), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' });
    proxy.close();
  });

  test('ends when it is told to, while it waits for an answer', async () => {
    const proxy = await startTcpProxy(server.port);
    const stop = new AbortController();
    const rows = all(
      mysql.rows(asked('SELECT sleep(15) AS a', { url: url('mysql', proxy.port), signal: stop.signal })),
    );
    await proxy.nextConnection();
    stop.abort(new Error('stopped by the test'));
    await assert.rejects(rows, /stopped by the test/);
    proxy.close();
  });

  test('goes over TLS, and only to a server whose certificate is for its name', async () => {
    const flush = async (): Promise<void> => {
      const connection = await createConnection(url());
      await connection.query('FLUSH SSL');
      await connection.end();
    };
    const cipher = `SELECT variable_value AS v FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'`;
    const over = (ca: string): Promise<object[]> =>
      all(mysql.rows(asked(cipher, { ssl: { rejectUnauthorized: true, servername: 'localhost', ca } })));
    const trusted = server.certify('localhost');
    await flush();
    assert.match(JSON.stringify(await over(trusted)), /TLS|AES|CHACHA/);
    const other = server.certify('db.acme.example');
    await assert.rejects(over(other), /self-signed certificate|unable to verify/);
    await flush();
    await assert.rejects(over(other), /Hostname\/IP does not match|is not in the cert/);
    assert.match(
      await refusal(cellsOf(`mysql://reader:${password}@192.0.2.7/payroll`, 'SELECT 1 AS a')),
      /sql\.url has an address instead of the name of the host/,
    );
  });
});

test('a server that does not speak the protocol of MySQL is told apart from a query that is refused', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('SSH-2.0-OpenSSH_9.2\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const at = `mysql://reader:secret-word@127.0.0.1:${address.port}/payroll`;
  const message = await refusal(cellsOf(at, 'SELECT 1 AS a', { attempts: 1, timeout: 2000 }));
  assert.match(message, /could not be read|refused/);
  assert.doesNotMatch(message, /secret-word/);
  server.close();
});
