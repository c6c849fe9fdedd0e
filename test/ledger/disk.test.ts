import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { StorageError } from '../../src/core/errors.ts';
import { assertDiskSpace, freeBytes, minimumFreeBytes } from '../../src/ledger/directory/disk.ts';

test('a disk with less than the minimum free is a storage error that says how much, and what to do', async () => {
  const read = (path: string) => Promise.resolve(path === '/data' ? minimumFreeBytes - 1 : 0);
  await assert.rejects(assertDiskSpace('/data', undefined, read), (error) => {
    assert.ok(error instanceof StorageError);
    assert.match(
      error.message,
      /^The disk of \/data is nearly full: 127 MiB free, 128 MiB needed\. Free some space first\.$/,
    );
    return true;
  });
});

test('a disk with just the minimum free is enough', async () => {
  await assertDiskSpace('/data', undefined, () => Promise.resolve(minimumFreeBytes));
});

test('free space is read from the disk itself', async () => {
  assert.ok((await freeBytes(tmpdir())) > 0);
  await assert.rejects(assertDiskSpace(tmpdir(), Number.MAX_SAFE_INTEGER), StorageError);
});
