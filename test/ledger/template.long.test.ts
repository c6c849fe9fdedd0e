import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { emptyLedger } from '../../src/wiring/empty-ledger.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { migrationTexts } from '../../src/ledger/database/migrations.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import {
  packFolder,
  unpack,
  writeFolder,
  asKept,
  keep,
  readKept,
} from '../../src/ledger/database/embedded/template.ts';
import { createLogger } from '../../src/process/logger.ts';

const lossPolicy = { forMs: 0, onLoss: () => {} };

suite('the template of an empty ledger', () => {
  let folder: string;
  let archive: Buffer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rs-template-'));
    archive = (await emptyLedger(createLogger({ quiet: true })))!;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function identityOf(dataDir: string): Promise<Record<string, unknown>> {
    const { pool, close } = await openEmbedded(dataDir, { template: () => Promise.resolve(archive) });
    try {
      await openLedger(pool, { worker: 'test', lossPolicy });
      const { rows } = await pool.query<Record<string, unknown>>('select id, forget_key, created_at from ledger');
      assert.equal(rows.length, 1);
      return rows[0]!;
    } finally {
      await close();
    }
  }

  test('holds nothing that must be unique: two ledgers made of it have ids and secret keys of their own, and keep them', async () => {
    const [one, two] = [await identityOf(join(folder, 'one')), await identityOf(join(folder, 'two'))];
    const inMemory = await identityOf('memory://');
    for (const { id, forget_key } of [one, two, inMemory]) {
      assert.match(String(id), /^[\da-f]{32}$/);
      assert.match(String(forget_key), /^[\da-f]{64}$/);
    }
    assert.equal(new Set([one, two, inMemory].flatMap(({ id, forget_key }) => [id, forget_key])).size, 6);
    assert.deepEqual(await identityOf(join(folder, 'one')), one);
  });

  test('is created again when any text of the migrations changes, those of the first tables too', () => {
    const texts = migrationTexts();
    for (const part of ['create table deliveries', 'create table runs'])
      assert.ok(
        texts.some((text) => text.includes(part)),
        part,
      );
  });

  test('has no row in any of our tables but what the migrations remember of themselves', async () => {
    const { pool, close } = await openEmbedded('memory://', { template: () => Promise.resolve(archive) });
    try {
      const { rows: tables } = await pool.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
      );
      const filled: string[] = [];
      for (const { name } of tables) {
        if ((await pool.query(`select 1 from ${name} limit 1`)).rowCount !== 0) filled.push(name);
      }
      assert.ok(tables.some(({ name }) => name === 'public.deliveries'));
      assert.deepEqual(filled, ['public.kysely_migration', 'public.kysely_migration_lock']);
    } finally {
      await close();
    }
  });

  test('makes a directory that is for its owner only', async () => {
    const dataDir = join(folder, 'private');
    writeFolder(unpack(archive), dataDir);
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name);
    }
  });

  test('gives each file back as it was: empty ones, empty folders, and zeros at the end', async () => {
    const from = join(folder, 'from');
    const files = { 'a/b/zeros': Buffer.alloc(9000), 'a/text': Buffer.from('x\0y\0\0'), empty: Buffer.alloc(0) };
    writeFolder(
      {
        folders: ['a/b', 'a/nothing'],
        files: Object.entries(files).map(([path, bytes]) => ({ path, size: bytes.length, bytes })),
      },
      from,
    );
    const to = join(folder, 'to');
    writeFolder(unpack(await packFolder(from, 'quick')), to);
    for (const [path, bytes] of Object.entries(files)) assert.deepEqual(await readFile(join(to, path)), bytes);
    assert.deepEqual(await readdir(join(to, 'a/nothing')), []);
  });

  test('is used only when whole, of the same versions, and closed to everybody else', async () => {
    const cache = join(folder, 'cache');
    const file = join(cache, 'kept');
    const kept = asKept(archive, 'key');
    assert.deepEqual(await readKept(file, 'key', true), { unfit: 'absent' });
    await keep(file, kept);
    assert.equal((await stat(cache)).mode & 0o777, 0o700);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readKept(file, 'key', true), { archive });
    assert.deepEqual(await readKept(file, 'another key', true), { unfit: 'made of other versions' });
    await chmod(file, 0o644);
    assert.deepEqual(await readKept(file, 'key', true), { unfit: 'not only yours' });
    assert.deepEqual(await readKept(file, 'key', false), { archive });
    await chmod(file, 0o600);
    const changed = Buffer.from(kept);
    changed[kept.length - 1]! ^= 1;
    const spoilt = { cut: kept.subarray(0, kept.length / 2), changed, nothing: Buffer.alloc(0), foreign: archive };
    for (const [how, bytes] of Object.entries(spoilt)) {
      await writeFile(file, bytes);
      assert.deepEqual(await readKept(file, 'key', true), { unfit: 'damaged' }, how);
    }
    await keep(file, kept);
    assert.deepEqual(await readKept(file, 'key', true), { archive });
    await chmod(cache, 0o777);
    await assert.rejects(keep(file, kept), /others may write to/);
  });

  test('that is damaged is made again, with a line in the log, by two at once, in the first place that can be written', async () => {
    const cannot = join(folder, 'a file', 'kept');
    const can = join(folder, 'second', 'kept');
    await writeFile(join(folder, 'a file'), '');
    await keep(can, Buffer.from('half of a temp'));
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    const log = createLogger({ stream });
    const [one, two] = await Promise.all([emptyLedger(log, [cannot, can]), emptyLedger(log, [cannot, can])]);
    assert.equal(lines.filter((line) => line.includes('"reason":"damaged"') && line.includes(can)).length, 2);
    assert.equal(lines.length, 2, 'a first run says nothing about how it begins');
    const kept = await readFile(can);
    assert.ok([one!, two!].some((made) => kept.subarray(kept.indexOf('\n') + 1).equals(made)));
    lines.length = 0;
    assert.ok(await emptyLedger(log, [cannot, can]));
    assert.deepEqual(lines, []);
    assert.deepEqual(await readdir(join(folder, 'second')), ['kept']);
  });
});
