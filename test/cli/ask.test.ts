import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ask } from '../../src/cli/frame/ask.ts';
import { FakeStream } from '../report/fake-terminal.ts';

async function reply(typed: string, terminal = true) {
  const input = new PassThrough();
  const output = new FakeStream({ isTTY: terminal });
  const asked = ask('Send this?', { input, output });
  input.write(typed);
  const answer = await asked;
  return { answer, output, input };
}

test('only y and yes count as yes', async () => {
  for (const typed of ['y\n', 'Y\n', 'yes\n', ' Yes \n']) assert.equal((await reply(typed)).answer, 'yes', typed);
  for (const typed of ['\n', 'n\n', 'no\n', 'maybe\n', 'yesterday\n']) {
    assert.equal((await reply(typed)).answer, 'no', typed);
  }
});

test('the question says that No is the default', async () => {
  const { output } = await reply('\n', false);
  assert.equal(output.written, 'Send this? [y/N] ');
});

test('Ctrl-C is told apart from a No, and leaves the cursor on a new line', async () => {
  const { answer, output } = await reply('\u0003');
  assert.equal(answer, 'interrupted');
  assert.ok(output.written.endsWith('\n'));
});

test('the end of input, and Ctrl-D, is a No', async () => {
  assert.equal((await reply('\u0004')).answer, 'no');
  const input = new PassThrough();
  const asked = ask('Send this?', { input, output: new FakeStream() });
  input.end();
  assert.equal(await asked, 'no');
});

test('nothing is left listening after the answer', async () => {
  const { input, output } = await reply('y\n');
  assert.equal(input.listenerCount('end'), new PassThrough().listenerCount('end'));
  assert.equal(output.listenerCount('resize'), 0);
});
