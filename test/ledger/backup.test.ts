import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { array, asyncProperty, assert as assertProperty, jsonValue } from 'fast-check';
import { StorageError } from '../../src/core/errors.ts';
import { readBackup, writeBackup } from '../../src/ledger/directory/backups.ts';

const written = { ledger: 'l1', at: new Date('2026-01-02T03:04:05Z') };

async function* from(values: readonly object[]): AsyncGenerator<object> {
  yield* values;
}

async function all(file: string): Promise<object[]> {
  const { lines } = await readBackup(file);
  const read: object[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

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
        await writeBackup(file, written, from(lines));
        assert.deepEqual(await all(file), JSON.parse(JSON.stringify(lines)));
      }),
      { numRuns: 30 },
    );
  });

  test('says first whose it is and when it was written, and is private', async () => {
    await writeBackup(file, written, from([]));
    const { header, lines } = await readBackup(file);
    assert.deepEqual(header, {
      format: 'roster-sync-backup',
      version: 1,
      ledger: 'l1',
      at: '2026-01-02T03:04:05.000Z',
    });
    for await (const line of lines) assert.fail(JSON.stringify(line));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('stays the old one whole when the new one cannot be finished', async () => {
    await writeBackup(file, written, from([{ old: 1 }]));
    async function* failing(): AsyncGenerator<object> {
      yield { new: 1 };
      throw new RangeError('the ledger is gone');
    }
    await assert.rejects(writeBackup(file, written, failing()), RangeError);
    assert.deepEqual(await all(file), [{ old: 1 }]);
    assert.deepEqual(await readdir(join(folder, 'sub')), ['given.ndjson.gz']);
  });

  test('is refused when it is cut anywhere', async () => {
    await writeBackup(file, written, from(Array.from({ length: 50 }, (_, n) => ({ n, filler: Math.sin(n) }))));
    const whole = await readFile(file);
    const cut = join(folder, 'cut.gz');
    for (let length = 0; length < whole.length; length += 13) {
      await writeFile(cut, whole.subarray(0, length));
      await assert.rejects(all(cut), StorageError, `cut at ${length}`);
    }
  });

  test('is refused when lines are missing, though the compression is whole', async () => {
    const header = { format: 'roster-sync-backup', version: 1, ledger: 'l1', at: '2026-01-02T03:04:05.000Z' };
    const cut = join(folder, 'short.gz');
    for (const lines of [[header], [header, { n: 1 }], [header, { n: 1 }, { lines: 2 }]]) {
      await writeFile(cut, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      await assert.rejects(all(cut), StorageError);
    }
  });

  test('is refused when it is foreign, newer, plain text or not there, and the message names the file', async () => {
    const newer = { format: 'roster-sync-backup', version: 2, ledger: 'l1', at: '' };
    const contents = [
      gzipSync('{"format":"other"}\n{"lines":0}\n'),
      gzipSync(`${JSON.stringify(newer)}\n`),
      'plain',
      gzipSync(''),
    ];
    const foreign = join(folder, 'foreign.gz');
    for (const content of contents) {
      await writeFile(foreign, content);
      await assert.rejects(readBackup(foreign), (error) => {
        assert.ok(error instanceof StorageError);
        assert.ok(error.message.includes(foreign));
        return true;
      });
    }
    await assert.rejects(readBackup(join(folder, 'nowhere.gz')), /ENOENT/);
  });

  test('that cannot be written is a storage error', async () => {
    await writeFile(join(folder, 'a-file'), '');
    await assert.rejects(writeBackup(join(folder, 'a-file', 'x.gz'), written, from([])), StorageError);
  });
});
