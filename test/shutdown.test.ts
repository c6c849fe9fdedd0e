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

test('work that begins after a first signal, which other work has heard, stops too', async () => {
  const whole = listenForInterruptions(() => {});
  process.emit('SIGBREAK');
  const part = listenForInterruptions(() => {});
  await Promise.resolve();
  assert.equal(part.signal.aborted, true);
  for (const { dispose } of [part, whole]) dispose();
  const later = listenForInterruptions(() => {});
  await Promise.resolve();
  assert.equal(later.signal.aborted, false);
  later.dispose();
});
