import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenForInterruptions } from '../src/process/shutdown.ts';

test('Ctrl-Break, which only Windows has, ends work in order as Ctrl-C does', () => {
  const interruptions = listenForInterruptions(() => {});
  try {
    assert.equal(interruptions.signal.aborted, false);
    process.emit('SIGBREAK');
    assert.equal(interruptions.signal.aborted, true);
  } finally {
    interruptions.dispose();
  }
  assert.equal(process.listenerCount('SIGBREAK'), 0);
});
