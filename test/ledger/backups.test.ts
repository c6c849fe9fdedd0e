import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { StorageError } from '../../src/core/errors.ts';
import { addBackup, listBackups, newestBackup } from '../../src/ledger/directory/backups.ts';
import { headerOf, textOf } from '../support/backups.ts';

async function* nobody(): AsyncGenerator<object> {}

const names = ['people-1.ndjson.gz', 'people-2.ndjson.gz', 'people.ndjson.gz'];

suite('the backups of a ledger', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'rs-backups-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  const add = (folder: string, number: number, ledger = 'l1'): Promise<void> =>
    addBackup(folder, ledger, textOf(headerOf(number, ledger), nobody()));
  const numbers = async (folder: string): Promise<unknown[]> =>
    (await listBackups(folder)).map(({ header }) => header?.backup.number);

  test('are the last three, the newest first', async () => {
    const folder = join(root, 'three');
    for (const number of [1, 2, 3, 4, 5]) await add(folder, number);
    assert.deepEqual(await numbers(folder), [5, 4, 3]);
    assert.deepEqual((await readdir(folder)).toSorted(), names);
  });

  test('are not overwritten by those of another ledger', async () => {
    const folder = join(root, 'other');
    await add(folder, 7);
    await assert.rejects(add(folder, 1, 'l2'), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, /is of another ledger: it is not overwritten\.$/);
      assert.deepEqual(error.next, [{ act: 'upkeep.doctor' }]);
      return true;
    });
    assert.deepEqual(await numbers(folder), [7]);
  });

  test('are found whole where a process died between two renames', async () => {
    const folder = join(root, 'between');
    for (const number of [1, 2]) await add(folder, number);
    await rm(join(folder, 'people.ndjson.gz'));
    assert.equal((await newestBackup(folder))?.header.backup.number, 1);
    await add(folder, 3);
    assert.deepEqual(await numbers(folder), [3, 1]);
  });

  test('are not pushed out by one that cannot be read', async () => {
    const folder = join(root, 'damaged');
    for (const number of [1, 2, 3]) await add(folder, number);
    await writeFile(join(folder, 'people.ndjson.gz'), 'no backup');
    assert.equal((await newestBackup(folder))?.header.backup.number, 2);
    await add(folder, 4);
    assert.deepEqual(await numbers(folder), [4, 2, 1]);
  });

  test('that hold somebody who was erased are removed', async () => {
    const folder = join(root, 'erased');
    for (const number of [1, 2, 3]) await add(folder, number);
    await addBackup(folder, 'l1', textOf(headerOf(4), nobody()), { onlyThis: true });
    assert.deepEqual(await readdir(folder), ['people.ndjson.gz']);
  });
});
