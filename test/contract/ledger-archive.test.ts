import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Pool } from 'pg';
import { archiveText, checkArchive, importArchive } from '../../src/ledger/archive/archive.ts';
import { databaseOver } from '../../src/ledger/database/database.ts';
import { migrate, migrations } from '../../src/ledger/database/migrations.ts';
import { openPostgres } from '../../src/ledger/database/postgres.ts';
import { writeGzip } from '../../src/ledger/directory/disk.ts';
import { headerOf, textOf } from '../support/backups.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';

async function openDatabase(t: TestContext): Promise<Pool> {
  const { pool, close } = await openPostgres(await (await testPostgres()).freshDatabase());
  t.after(close);
  return pool;
}

async function archiveOf(t: TestContext, pool: Pool): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ledger.gz');
  const text = archiveText(databaseOver(pool), { at: new Date(), program: '0.0.1', onEnd: () => {} });
  await writeGzip(file, text, { what: 'the archive' });
  return file;
}

const names = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ name: string }>('select name from kysely_migration order by name')).rows.map(({ name }) => name);

test('an archive of an older version is imported and brought up to date', { skip: postgresSkipReason }, async (t) => {
  const old = await openDatabase(t);
  await migrate(databaseOver(old), '001-tables');
  await old.query(
    `insert into runs (id, source, service, trigger, status, status_reason, settings, worker)
     values ('a', 's', 'x', 'cli', 'cancelled', 'replaced by run b', '{}', 'w')`,
  );
  const archive = await checkArchive(await archiveOf(t, old));
  const pool = await openDatabase(t);
  await importArchive(databaseOver(pool), archive, 'here');
  assert.deepEqual(await names(pool), Object.keys(migrations));
  // A later migration reads this out of the reason.
  assert.deepEqual((await pool.query('select id, superseded_by from runs')).rows, [{ id: 'a', superseded_by: 'b' }]);

  const other = await openDatabase(t);
  await migrate(databaseOver(other));
  await assert.rejects(
    importArchive(databaseOver(other), archive, 'the other'),
    /tables of another version than the other/,
  );
});

test('an archive of a newer version is refused', { skip: postgresSkipReason }, async (t) => {
  const newer = await openDatabase(t);
  await migrate(databaseOver(newer));
  await newer.query(`insert into kysely_migration (name, timestamp) values ('999-later', '')`);
  const archive = await checkArchive(await archiveOf(t, newer));
  const pool = await openDatabase(t);
  await assert.rejects(importArchive(databaseOver(pool), archive, 'here'), /newer roster-sync \(it holds 999-later\)/);
  assert.equal((await pool.query(`select to_regclass('runs') as runs`)).rows[0].runs, null);
});

test('a backup is not imported as a whole ledger: the one that it is of goes on sending', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'people.ndjson.gz');
  async function* nobody(): AsyncGenerator<object> {}
  await writeGzip(file, textOf(headerOf(1), nobody()), { what: 'the backup' });
  await assert.rejects(checkArchive(file), /it is a backup, and no ledger that was exported\. Nothing was imported/);
});
