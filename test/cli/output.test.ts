import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { createOutput, wantsColor } from '../../src/cli/frame/output.ts';
import { FakeStream } from '../report/fake-terminal.ts';

function outputTo(options: { json?: boolean; quiet?: boolean; isTTY?: boolean } = {}) {
  const stdout = new FakeStream({ isTTY: options.isTTY ?? false, columns: 90 });
  const stderr = new FakeStream({ columns: 70 });
  const { json = false, quiet = false } = options;
  return { stdout, stderr, output: createOutput({ stdout, stderr, json, quiet, color: false }) };
}

test('results go to stdout, remarks and problems to stderr', () => {
  const { output, stdout, stderr } = outputTo();
  output.print('the result');
  output.note('a remark');
  output.problem('a problem');
  assert.equal(stdout.written, 'the result\n');
  assert.equal(stderr.written, 'a remark\na problem\n');
  assert.equal(output.style.width, 90);
});

test('a terminal that says it has no column is as wide as none', () => {
  const widthOf = (columns?: number): number => {
    const stdout = new FakeStream({ isTTY: true, ...(columns !== undefined && { columns }) });
    return createOutput({ stdout, stderr: stdout, json: false, quiet: false, color: false }).style.width;
  };
  assert.equal(widthOf(0), widthOf());
  assert.equal(widthOf(33), 33);
});

test('with --json stdout holds one JSON document and nothing else', () => {
  const { output, stdout, stderr } = outputTo({ json: true });
  output.print('the result');
  output.note('a remark');
  output.json('init', { file: 'gro\u202eup' });
  assert.deepEqual(JSON.parse(stdout.written), { version: 1, file: 'gro\u202eup' });
  assert.match(stdout.written, /^\{\n {2}"version": 1,/);
  assert.doesNotMatch(stdout.written, /\u202e/);
  assert.equal(stderr.written, 'the result\na remark\n');
});

test('with --quiet remarks are left out, results and problems are not', () => {
  const { output, stdout, stderr } = outputTo({ quiet: true });
  output.print('the result');
  output.note('a remark');
  output.problem('a problem');
  assert.equal(stdout.written, 'the result\n');
  assert.equal(stderr.written, 'a problem\n');
});

test('colour is for terminals that can, unless NO_COLOR is set and not empty', () => {
  const terminal = new FakeStream({ isTTY: true });
  assert.equal(wantsColor(terminal, {}), true);
  assert.equal(wantsColor(terminal, { noColor: '' }), true);
  assert.equal(wantsColor(terminal, { noColor: '1' }), false);
  assert.equal(wantsColor(terminal, { term: 'dumb' }), false);
  assert.equal(wantsColor(new FakeStream(), {}), false);
});

test('a reader that goes away, as head does, ends the command quietly with exit code 0', async () => {
  const module = new URL('../../src/cli/frame/output.ts', import.meta.url).href;
  const program = `
    import { createOutput } from ${JSON.stringify(module)};
    const { stdout, stderr } = process;
    const output = createOutput({ stdout, stderr, json: false, quiet: false, color: false });
    let lines = 0;
    const more = () => {
      for (let at = 0; at < 1000; at++) output.print('line ' + lines++);
      if (!output.closed.aborted) setImmediate(more);
    };
    more();
    output.closed.addEventListener('abort', async () => {
      output.print('into the void');
      await output.flush();
      output.note('stopped');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  assert.deepEqual([code, signal, await errors], [0, null, 'stopped\n']);
});

test('a full disk behind stdout is a sentence and exit code 1', { skip: !existsSync('/dev/full') }, async () => {
  const program = join(import.meta.dirname, '../../src/cli/main.ts');
  for (const words of [['--help'], ['completions', 'bash']]) {
    const child = spawn(process.execPath, [program, ...words], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const errors = text(child.stderr as Readable);
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 1);
    assert.match(
      await errors,
      /^Standard output cannot be written \(ENOSPC.*\): make room, then run the command again\.\n$/,
    );
  }
});

test('flush waits until everything was taken', async () => {
  const { output, stdout } = outputTo();
  output.print('the result');
  await output.flush();
  assert.equal(stdout.written, 'the result\n');
});
