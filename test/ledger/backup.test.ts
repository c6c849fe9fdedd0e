import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { array, asyncProperty, assert as assertProperty, jsonValue } from 'fast-check';
import { StorageError } from '../../src/core/errors.ts';
import { archiveLines, type WrittenTable } from '../../src/ledger/archive/archive-form.ts';
import { checkBackup } from '../../src/ledger/directory/backups.ts';
import { writeGzip } from '../../src/ledger/directory/disk.ts';
import { headerOf, rowsIn, textOf } from '../support/backups.ts';

const header = headerOf(1);
const write = (file: string, people: AsyncIterable<object>): Promise<void> =>
  writeGzip(file, textOf(header, people), { what: 'the backup' });

async function* none(): AsyncGenerator<WrittenTable> {}

async function* from(values: readonly object[]): AsyncGenerator<object> {
  yield* values;
}

const all = async (file: string): Promise<object[]> => rowsIn(await checkBackup(file), 'people');

suite('a backup', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rs-backup-'));
    file = join(folder, 'sub', 'given.ndjson.gz');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('reads as it was written, whatever its lines hold', async () => {
    await assertProperty(
      asyncProperty(array(jsonValue()), async (values) => {
        const lines = values.map((value) => ({ value }));
        await write(file, from(lines));
        assert.deepEqual(await all(file), JSON.parse(JSON.stringify(lines)));
      }),
      { numRuns: 30 },
    );
  });

  test('says first whose it is and when it was written, and is private', async () => {
    await write(file, from([]));
    const checked = await checkBackup(file);
    assert.deepEqual(checked.header, {
      format: 'roster-sync-ledger',
      version: 1,
      ledger: 'l1',
      at: '2026-01-02T03:04:05.000Z',
      program: '0.0.0',
      migrations: ['001-tables'],
      backup: { number: 1, people: 0, forgotten: 0 },
    });
    assert.deepEqual(await rowsIn(checked, 'people'), []);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('stays the old one whole when the new one cannot be finished', async () => {
    await write(file, from([{ old: 1 }]));
    async function* failing(): AsyncGenerator<object> {
      yield { new: 1 };
      throw new RangeError('the ledger is gone');
    }
    await assert.rejects(write(file, failing()), RangeError);
    assert.deepEqual(await all(file), [{ old: 1 }]);
    assert.deepEqual(await readdir(join(folder, 'sub')), ['given.ndjson.gz']);
  });

  test('is refused when it is cut anywhere', async () => {
    await write(file, from(Array.from({ length: 50 }, (_, n) => ({ n, filler: Math.sin(n) }))));
    const whole = await readFile(file);
    const cut = join(folder, 'cut.gz');
    for (let length = 0; length < whole.length; length += 13) {
      await writeFile(cut, whole.subarray(0, length));
      await assert.rejects(all(cut), StorageError, `cut at ${length}`);
    }
  });

  test('is refused when lines are missing, though the compression is whole', async () => {
    const table = { table: 'people', columns: [] };
    const cut = join(folder, 'short.gz');
    for (const lines of [
      [header],
      [header, table],
      [header, table, { row: { n: 1 } }, { rows: { people: 2 }, sha256: '' }],
    ]) {
      await writeFile(cut, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      await assert.rejects(all(cut), StorageError);
    }
  });

  test('is refused when it is foreign, newer, plain text or not there, and the message names the file', async () => {
    const newer = { ...header, version: 2 };
    const { backup: _none, ...exported } = header;
    const contents = [
      gzipSync('{"format":"other"}\n{"lines":0}\n'),
      gzipSync(`${JSON.stringify(newer)}\n`),
      gzipSync(await text(archiveLines(exported, none()))),
      'plain',
      gzipSync(''),
    ];
    const foreign = join(folder, 'foreign.gz');
    for (const content of contents) {
      await writeFile(foreign, content);
      await assert.rejects(checkBackup(foreign), (error) => {
        assert.ok(error instanceof StorageError);
        assert.ok(error.message.includes(foreign));
        return true;
      });
    }
    await assert.rejects(checkBackup(join(folder, 'nowhere.gz')), /ENOENT/);
  });

  test('that cannot be written is a storage error', async () => {
    await writeFile(join(folder, 'a-file'), '');
    await assert.rejects(write(join(folder, 'a-file', 'x.gz'), from([])), StorageError);
  });
});
