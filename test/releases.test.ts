import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Releases } from '../src/wiring/releases.ts';

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
