import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Client } from 'pg';
import { loadConfig } from '../../../config/load.ts';
import { mappingOf } from '../../../src/roster/configured-source.ts';
import { postgresSkipReason, testPostgres } from '../../support/postgres.ts';
import { everythingIn, refusal } from '../fetch/fetching.ts';
import { readSource, short } from '../presets/reading-presets.ts';
import { cellsOf } from './sql-cells.ts';

const example = join(import.meta.dirname, '../../../examples/hr-systems/sql.yaml');

suite('a query of PostgreSQL', { skip: postgresSkipReason }, () => {
  let url: string;
  let client: Client;
  before(async () => {
    url = await (await testPostgres()).freshDatabase();
    client = new Client({ connectionString: url, ssl: false });
    await client.connect();
    await client.query(`
      CREATE TABLE people (id bigint, first_name text, last_name text, email text, department text, teams text[], left_on date);
      INSERT INTO people VALUES
        (9007199254740993, 'Ann', 'Ek', 'ann@acme.example', 'Sales', '{Red,Blue}', NULL),
        (2, 'Bo', 'Å', 'bo@acme.example', 'Legal', NULL, NULL), (3, 'Cy', 'X', 'cy@acme.example', 'Legal', NULL, '2026-01-31');
    `);
  });
  after(() => client.end());

  test('gives the people of the example', async () => {
    const config = loadConfig({ configFile: example, environment: { PAYROLL_DATABASE_URL: url } });
    const { payroll } = config.sources;
    assert.ok(payroll && readFileSync(example, 'utf8').includes('SELECT'));
    const found = await readSource(payroll, mappingOf(payroll));
    assert.deepEqual(short(found.members), [
      'Bo Å <bo@acme.example>: Legal',
      'Ann Ek <ann@acme.example>: Sales, Red, Blue',
    ]);
    assert.deepEqual(found.ids, ['2', '9007199254740993']);
  });

  test('gives every row of many, with values as they are written', async () => {
    const rows = await cellsOf(
      url,
      `SELECT n, (n % 2 = 0) AS even, date '2026-01-31' AS day, NULL AS none FROM generate_series(1, 2500) AS n;`,
    );
    assert.equal(rows.length, 2500);
    assert.deepEqual(rows[1999], ['2000', 'true', '2026-01-31', '']);
  });

  test('can only read', async () => {
    await client.query(`CREATE FUNCTION hire() RETURNS int LANGUAGE sql AS $$ DELETE FROM people RETURNING 1 $$`);
    for (const query of [
      'SELECT hire()',
      'SELECT 1 AS a; DELETE FROM people',
      'WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone',
    ]) {
      assert.match(await refusal(cellsOf(url, query)), /refused, saying .* Nothing from it was used\./, query);
    }
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM people');
    assert.equal(rows[0]?.count, '3');
  });

  test('is refused for two columns of one name, and for a query that fails half-way, without the secret', async () => {
    assert.match(
      await refusal(cellsOf(url, 'SELECT 1 AS a, 2 AS a')),
      /staff: sql\.query gives two columns called "a"/,
    );
    const half = 'SELECT 10 / (1500 - n) AS a FROM generate_series(1, 2000) AS n';
    assert.match(await refusal(cellsOf(url, half)), /division by zero/);
    const wrong = new URL(url);
    [wrong.username, wrong.password, wrong.pathname] = ['nobody', 'pass-of-payroll', '/nothing'];
    const error = await cellsOf(wrong.href, 'SELECT 1 AS a').catch((error: unknown) => error);
    assert.match(everythingIn(error), /refused, saying/);
    assert.doesNotMatch(everythingIn(error), /pass-of-payroll/);
  });
});
