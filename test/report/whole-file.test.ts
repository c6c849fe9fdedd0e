import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { checkWritable, writeWhole } from '../../src/report/files/whole-file.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-whole-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function* these(...parts: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* parts;
}

test('texts and bytes of any length come out as they went in, wherever a block ends', async (t) => {
  const path = join(folderOf(t), 'a.txt');
  for (const before of [0, 1, 2, 3]) {
    const parts = ['x'.repeat(256 * 1024 - before), '€😀'.repeat(100_000), Buffer.alloc(600_000, 'é'), '', '😀'];
    const expected = Buffer.concat(parts.map((part) => Buffer.from(part)));
    assert.equal(await writeWhole(path, these(...parts)), expected.length);
    assert.ok(readFileSync(path).equals(expected), String(before));
  }
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(await writeWhole(path, these()), 0);
});

test('what fails in the middle leaves the file that was there, and nothing beside it', async (t) => {
  const folder = folderOf(t);
  const path = join(folder, 'a.txt');
  await writeWhole(path, these('before'));
  async function* failing(): AsyncGenerator<string> {
    yield 'y'.repeat(1_000_000);
    throw new Error('interrupted');
  }
  await assert.rejects(writeWhole(path, failing()), /interrupted/);
  assert.equal(readFileSync(path, 'utf8'), 'before');
  assert.deepEqual(readdirSync(folder), ['a.txt']);
});

test('a place that cannot be written to is refused before the work', (t) => {
  const folder = folderOf(t);
  checkWritable(join(folder, 'a.txt'));
  assert.throws(() => checkWritable(folder), InputError);
  assert.throws(() => checkWritable(join(folder, 'missing', 'a.txt')), /its folder does not exist/);
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  assert.throws(() => checkWritable(join(folder, 'a.txt')), /may not be written here/);
});
