import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { mostCallsInWindow, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';
import { without } from '../support/server-process.ts';

// Imports that need a process of their own: for its pace, or for its output.

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

describe('the pace of an import', () => {
  it('R4: --rate lowers what is configured, as the receiving side sees it', async () => {
    place.write('slow.csv', csvOf(25, { domain: 'slow.example' }));
    const { ended, value } = await place.jsonAlone('import', 'slow.csv', '--yes', '--rate', '20');
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(value.calls, 25);
    assert.ok(mostCallsInWindow(sandbox.calls.slice(1), 1000) <= 20);
    assert.ok(value.durationMs >= 1200);
  });

  it('R4: --rate cannot raise what is configured, and says so', async () => {
    place.write('fast.csv', csvOf(8, { domain: 'fast.example' }));
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '5';
    const { ended } = await place.jsonAlone('import', 'fast.csv', '--yes', '--rate', '400');
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '500';
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stderr, /the rate 400 is above the configured 5\/s, which stays in force/);
    // The first call pays for opening the connection, and so arrives closer to the next one than it left.
    assert.ok(mostCallsInWindow(sandbox.calls.slice(1), 1000) <= 5);
  });

  it('a rate that is none is refused: exit 2', async () => {
    for (const rate of ['0', '-1', 'fast', '1/0s', '']) {
      const { code, stderr } = await place.run('import', 'fast.csv', '--yes', '--all', `--rate=${rate}`);
      assert.equal(code, 2, rate);
      assert.match(stderr, /write a rate like 200/);
    }
    assert.equal(sandbox.calls.length, 0);
  });
});

describe('a reader that goes away', { skip: without('bash') }, () => {
  const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');

  async function pipedToHead(command: string): Promise<{ error: Error | null; stdout: string; stderr: string }> {
    const shell = `set -o pipefail; '${process.execPath}' '${bin}' ${command} | head -n 1`;
    await place.letGo();
    return new Promise((resolve) => {
      execFile('bash', ['-c', shell], { cwd: place.folder, env: place.env }, (error, stdout, stderr) =>
        resolve({ error, stdout, stderr }),
      );
    });
  }

  it('does not stop the import: everybody is sent, exit 0, no stack trace', async () => {
    place.write('head.csv', csvOf(6, { domain: 'head.example' }));
    const { error, stdout, stderr } = await pipedToHead('import head.csv --yes --json');
    assert.equal(error, null, stderr);
    assert.equal(stdout, '{\n');
    assert.doesNotMatch(stderr, /EPIPE|\n {4}at /);
    assert.equal(sandbox.calls.length, 6);
  });

  it('ends a listing quietly', async () => {
    const { error, stdout, stderr } = await pipedToHead('runs');
    assert.deepEqual([error, stderr], [null, '']);
    assert.match(stdout, /^Run /);
  });
});
