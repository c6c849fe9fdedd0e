import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { temporaryLedger } from '../src/wiring/empty-ledger.ts';
import { Releases } from '../src/process/shutdown.ts';

test('what was opened is closed last first and once, also after one that cannot be closed, whose error is told', async () => {
  const closed: string[] = [];
  const releases = new Releases();
  releases.add(async () => void closed.push('socket'));
  releases.add(() => Promise.reject(new Error('the disk is gone')));
  releases.add(async () => void closed.push('notifier'));
  await assert.rejects(releases.close(), /the disk is gone/);
  await assert.rejects(releases.close(), /the disk is gone/);
  assert.deepEqual(closed, ['notifier', 'socket']);
});

test('a dry run of a large roster keeps its rows in a folder that is gone when it ends; one of a small roster makes none', async () => {
  const releases = new Releases();
  assert.equal(await temporaryLedger(8 * 1024 ** 2, releases), 'memory://');
  const ledger = await temporaryLedger(8 * 1024 ** 2 + 1, releases);
  mkdirSync(ledger);
  await releases.close();
  assert.equal(existsSync(dirname(ledger)), false);
});
