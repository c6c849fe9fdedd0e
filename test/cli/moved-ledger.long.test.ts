import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { csvOf } from '../support/cli.ts';
import { digestRows } from '../support/ledger-rows.ts';
import { exported, inserts, openImported, openNew, people } from '../support/moving-ledger.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';

suite('a ledger that moves', () => {
  test(
    'is the same row by row in PostgreSQL and back in a data directory, and the next import sends nothing',
    { skip: postgresSkipReason },
    async (t) => {
      const { sandbox, place } = await openImported(t);
      await place.run('token', 'create', '--name', 'monitor', '--scope', 'read');
      await place.run('forget', 'person3@example.com', '--yes');
      const file = await exported(place);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      await place.letGo();
      const before = await digestRows(join(place.data, 'ledger'));
      assert.ok(
        before['receipts']!.rows >= people - 1 && before['rejects']!.rows === 1 && before['tokens']!.rows === 1,
      );

      const url = await (await testPostgres()).freshDatabase();
      const server = await openNew(sandbox, place, { DATABASE_URL: url });
      const imported = await server.run('import-ledger', file);
      assert.equal(imported.code, 0, imported.stderr);
      assert.match(
        imported.stdout,
        /^Imported \d+ records of people, 1 run and 60 receipts into the database that DATABASE_URL/,
      );
      assert.deepEqual(await digestRows(url), before);
      const next = await server.json('import', 'people.csv', '--yes');
      assert.deepEqual([next.value.plan.unchanged, next.value.plan.new, inserts(sandbox)], [people - 1, 0, 0]);
      assert.match((await server.run('token', 'list')).stdout, /monitor/);

      const back = join(server.folder, 'back.ndjson.gz');
      assert.equal((await server.run('export', back, '--json')).code, 0);
      const laptop = await openNew(sandbox, place);
      const again = await laptop.run('import-ledger', back);
      assert.equal(again.code, 0, again.stderr);
      await laptop.letGo();
      assert.deepEqual(await digestRows(join(laptop.data, 'ledger')), await digestRows(url));
      const last = await laptop.json('import', 'people.csv', '--yes');
      assert.deepEqual([last.value.plan.unchanged, last.value.plan.new, inserts(sandbox)], [people - 1, 0, 0]);
    },
  );

  test('sends nothing more from its old place, until that is undone', async (t) => {
    const { sandbox, place } = await openImported(t);
    await exported(place);
    place.write('people.csv', csvOf(people + 5));
    for (const words of [
      ['import', 'people.csv', '--yes'],
      ['import', 'people.csv', '--yes', '--baseline'],
    ]) {
      const refused = await place.run(...words);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, /this ledger was exported at .* UTC and sends nothing more/);
    }
    assert.match((await place.run('export', join(place.folder, 'second.gz'))).stderr, /was exported at/);
    assert.equal((await place.run('runs')).code, 0);
    assert.equal(inserts(sandbox), 0);
    const undone = await place.run('export', '--undo');
    assert.match(undone.stdout, /^This ledger sends again\. Delete the archive/);
    assert.equal((await place.run('import', 'people.csv', '--yes')).code, 0);
    assert.equal(inserts(sandbox), 5);
  });
});

suite('a data directory and a ledger in PostgreSQL', { skip: postgresSkipReason }, () => {
  test('once used together, the directory makes no ledger of its own when DATABASE_URL is missing', async (t) => {
    const { sandbox, place } = await openImported(t);
    const url = await (await testPostgres()).freshDatabase();
    const server = await openNew(sandbox, place, { DATABASE_URL: url });
    const { value } = await server.json('import', 'people.csv', '--yes');
    assert.deepEqual([value.plan.new, inserts(sandbox)], [people, people]);
    sandbox.clearCalls();
    delete server.env['DATABASE_URL'];
    const where = new URL(url);
    for (const words of [
      ['import', 'people.csv', '--yes'],
      ['import', 'people.csv', '--dry-run'],
      ['runs'],
      ['doctor'],
    ]) {
      const { code, stdout, stderr } = await server.run(...words);
      assert.equal(code, 2, stderr);
      assert.match(stdout + stderr, /DATABASE_URL is not set, and .* was last used with the ledger in PostgreSQL at/);
      assert.ok((stdout + stderr).includes(`at ${where.host}${where.pathname}.`), stderr);
    }
    assert.equal(inserts(sandbox), 0);
    assert.equal(existsSync(join(server.data, 'ledger')), false);
    const file = join(server.data, 'postgresql');
    assert.deepEqual(
      [readFileSync(file, 'utf8'), statSync(file).mode & 0o777],
      [`${where.host}${where.pathname}\n`, 0o600],
    );
    rmSync(file);
    assert.equal((await server.run('import', 'people.csv', '--dry-run')).code, 0);
  });

  test('a database without a ledger is refused where the directory was used with one', async (t) => {
    const { sandbox, place } = await openImported(t);
    await place.letGo();
    place.env['DATABASE_URL'] = await (await testPostgres()).freshDatabase();
    const refused = await place.run('import', 'people.csv', '--yes');
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(
      refused.stderr,
      /has no ledger yet, but .* was used with the ledger in it\. A new ledger would know nobody/,
    );
    const server = await openNew(sandbox, place, { DATABASE_URL: place.env['DATABASE_URL'] });
    assert.equal((await server.run('runs')).code, 0);
    server.env['DATABASE_URL'] = await (await testPostgres()).freshDatabase();
    const again = await server.run('import', 'people.csv', '--yes');
    assert.match(again.stderr, /has no ledger yet, but .* was used with PostgreSQL at /);
    assert.equal(inserts(sandbox), 0);
    // A directory with a ledger of its own keeps that one, whatever else was opened from there.
    place.env['DATABASE_URL'] = server.env['DATABASE_URL'] = await (await testPostgres()).freshDatabase();
    await openNew(sandbox, place, { DATABASE_URL: place.env['DATABASE_URL'] }).then((other) => other.run('runs'));
    await place.run('runs');
    delete place.env['DATABASE_URL'];
    assert.equal((await place.run('runs')).code, 0);
  });
});

suite('an archive', () => {
  test('is refused when it is cut, changed, of a newer version, or foreign, and nothing is imported', async (t) => {
    const { sandbox, place } = await openImported(t);
    const file = await exported(place);
    const bytes = readFileSync(file);
    const lines = gunzipSync(bytes).toString().split('\n');
    const gzip = (changed: readonly string[]): Buffer => gzipSync(changed.join('\n'));
    const [header = '', ...rest] = lines;
    const cases: [string, Buffer, RegExp][] = [
      ['cut', bytes.subarray(0, bytes.length / 2), /cannot be used: .*(unexpected end of file|cut)/],
      ['without its end', gzip([...lines.slice(0, -2), '']), /it is cut: its last line is missing/],
      ['without a row', gzip(lines.filter((line) => !line.includes('person7@'))), /its content was changed/],
      ['changed', gzip(lines.map((line) => line.replace('person7@', 'person8@'))), /its content was changed/],
      ['newer form', gzip([header.replace('"version":1', '"version":2'), ...rest]), /newer version of roster-sync/],
      ['foreign', gzip(['{"people":[]}', '']), /it is (cut|no ledger)/],
      ['no gzip', Buffer.from('hello'), /cannot be used/],
    ];
    const next = await openNew(sandbox, place);
    for (const [name, content, said] of cases) {
      writeFileSync(file, content);
      const refused = await next.run('import-ledger', file);
      assert.equal(refused.code, 1, `${name}: ${refused.stderr}`);
      assert.match(refused.stderr, said, name);
    }
    writeFileSync(file, bytes);
    assert.equal((await next.run('import-ledger', file, '--json')).code, 0);
  });

  test('is refused by a ledger in which something is, and does not overwrite a file', async (t) => {
    const { place } = await openImported(t);
    const file = await exported(place);
    const refused = await place.run('import-ledger', file);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /the ledger in .* is not empty .*import into a new data directory/);
    assert.match((await place.run('export', file)).stderr, /is already there/);
  });
});

suite('a data directory', () => {
  test('that was copied says so and sends nothing, until it is the one in use', async (t) => {
    const { sandbox, place } = await openImported(t);
    await place.letGo();
    const copy = await openNew(sandbox, place);
    cpSync(place.data, copy.data, { recursive: true });
    copy.write('people.csv', csvOf(people + 1));
    const refused = await copy.run('import', 'people.csv', '--yes');
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, new RegExp(`is a copy of .*${place.folder}.* Nothing is sent from the copy\\.`));
    assert.equal((await copy.run('doctor')).code, 2);
    assert.equal((await copy.run('runs')).code, 0);
    assert.equal(inserts(sandbox), 0);
    assert.match((await copy.run('doctor', '--moved-here')).stdout, /is in use from now on/);
    assert.equal((await copy.run('import', 'people.csv', '--yes')).code, 0);
    assert.equal(inserts(sandbox), 1);
    // The original does not notice, and must not be used; it is no copy.
    assert.equal((await place.run('doctor')).code, 0);
  });
});
