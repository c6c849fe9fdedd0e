import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, suite, test } from 'node:test';
import { StorageError } from '../../src/core/errors.ts';
import { DamagedDatabaseError, engineLimits } from '../../src/ledger/database/embedded/embedded-engine.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { openEmptyEmbedded } from '../support/empty-data-directory.ts';

suite('the files of the embedded database', () => {
  let folder: string;
  let whole: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rs-files-'));
    whole = join(folder, 'whole');
    const db = await openEmptyEmbedded(whole);
    await db.pool.query("CREATE TABLE kept AS SELECT i, repeat('x', 100) FROM generate_series(1, 5000) i");
    await db.close();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('are there again after closing and opening', async () => {
    const db = await openEmbedded(whole);
    assert.deepEqual((await db.pool.query('SELECT count(*) FROM kept')).rows, [{ count: 5000 }]);
    await db.close();
  });

  test('are for their owner only', async () => {
    const fresh = join(folder, 'private');
    await (await openEmbedded(fresh)).close();
    assert.equal((await stat(fresh)).mode & 0o777, 0o700);
    assert.equal((await stat(join(fresh, 'PG_VERSION'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(fresh, 'base'))).mode & 0o777, 0o700);
  });

  test('half made by a process that was killed are made again', async () => {
    const fresh = join(folder, 'half');
    await cp(whole, `${fresh}.new`, { recursive: true });
    await rm(join(`${fresh}.new`, 'global'), { recursive: true });
    const db = await openEmptyEmbedded(fresh);
    assert.equal((await db.pool.query("SELECT FROM pg_tables WHERE tablename = 'kept'")).rowCount, 0);
    await db.close();
  });

  test('hold what was committed, whole transactions only, after kill -9 of the writing process, three times', async () => {
    const dir = join(folder, 'killed');
    let committed = 0;
    for (let round = 0; round < 3; round += 1) {
      const writer = spawn(process.execPath, [join(import.meta.dirname, '../support/embedded-writer.ts'), dir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let lines = 0;
      for await (const line of createInterface(writer.stdout)) {
        committed = Number(line);
        if (++lines === 200) writer.kill('SIGKILL');
      }
      const db = await openEmbedded(dir);
      const { rows } = await db.pool.query<{ last: number; ones: number; twos: number }>(
        'SELECT max(n) FILTER (WHERE half = 1) AS last, count(*) FILTER (WHERE half = 1) AS ones, ' +
          'count(*) FILTER (WHERE half = 2) AS twos FROM written',
      );
      await db.close();
      const { last = 0, ones, twos } = rows[0] ?? {};
      assert.ok(last >= committed, `${last} of ${committed} is there`);
      assert.equal(ones, twos);
    }
    assert.ok(committed >= 1200);
  });

  const damages: [what: string, harm: (dir: string) => Promise<void>, message: RegExp][] = [
    ['without pg_control', (dir) => rm(join(dir, 'global/pg_control')), /could not open file "global\/pg_control"/],
    ['with half of pg_control', (dir) => truncate(join(dir, 'global/pg_control'), 100), /could not read file/],
    ['without PG_VERSION', (dir) => rm(join(dir, 'PG_VERSION')), /its PG_VERSION is missing/],
    ['without its log', (dir) => rm(join(dir, 'pg_wal'), { recursive: true }), /pg_wal/],
    ['with cut tables', cutTables, /critical system index/],
  ];
  async function cutTables(dir: string): Promise<void> {
    for (const entry of await readdir(join(dir, 'base'), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await stat(file)).size > 8192) await truncate(file, 4000);
    }
  }
  for (const [what, harm, message] of damages) {
    test(`${what} are refused as damaged, at once and without a hang`, async () => {
      const dir = await mkdtemp(join(folder, 'harmed-'));
      await cp(whole, dir, { recursive: true });
      await harm(dir);
      await assert.rejects(openEmbedded(dir), (error) => {
        assert.ok(error instanceof DamagedDatabaseError);
        assert.match(error.message, message);
        assert.ok(error.message.includes(dir));
        assert.deepEqual(error.next, [{ act: 'upkeep.rebuild' }]);
        return true;
      });
    });
  }

  test('of another PostgreSQL version are refused, but not as damaged', async () => {
    const dir = join(folder, 'old');
    await cp(whole, dir, { recursive: true });
    await writeFile(join(dir, 'PG_VERSION'), '15\n');
    await assert.rejects(openEmbedded(dir), (error) => {
      assert.ok(error instanceof StorageError && !(error instanceof DamagedDatabaseError));
      assert.match(error.message, /PostgreSQL version 15.*Use the version of roster-sync that wrote it/);
      return true;
    });
  });

  test('that vanish under a running database end it with a StorageError, and what was committed is there', async () => {
    const dir = join(folder, 'panic');
    await cp(whole, dir, { recursive: true });
    const db = await openEmbedded(dir);
    await db.pool.query('CREATE TABLE before (n int)');
    await db.pool.query('INSERT INTO before VALUES (1)');
    await rename(join(dir, 'pg_wal'), join(dir, 'away'));
    const flood = async (): Promise<void> => {
      for (;;) await db.pool.query("SELECT pg_logical_emit_message(false, 'x', repeat('y', 500000))");
    };
    await assert.rejects(flood(), (error) => {
      assert.ok(error instanceof StorageError && !(error instanceof DamagedDatabaseError));
      assert.match(error.message, /has stopped: could not .*pg_wal/);
      return true;
    });
    await assert.rejects(db.pool.query('SELECT 1'), StorageError);
    await db.close();
    await rename(join(dir, 'away'), join(dir, 'pg_wal'));
    const again = await openEmbedded(dir);
    assert.deepEqual((await again.pool.query('SELECT * FROM before')).rows, [{ n: 1 }]);
    await again.close();
  });

  test('a statement that never ends is ended, with everything that waits for it', async () => {
    const db = await openEmbedded(whole, { limits: { ...engineLimits, statementMs: 500 } });
    const endless = 'SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b';
    const answers = await Promise.allSettled([db.pool.query(endless), db.pool.query('SELECT 1')]);
    for (const answer of answers) {
      assert.ok(answer.status === 'rejected' && answer.reason instanceof StorageError);
      assert.match(answer.reason.message, /no answer within 0\.5 s/);
    }
    await db.close();
  });
});
