import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { findProgram, serversRequired } from '../support/server-process.ts';

const folder = join(import.meta.dirname, '../../examples/observability');
const promtool = findProgram('promtool');
const missing = promtool ? false : 'promtool is not installed (Debian, Ubuntu: apt-get install prometheus)';
if (missing && serversRequired) throw new Error(missing);

suite('the alerts in examples/observability', { skip: missing }, () => {
  for (const words of [
    ['check', 'config', 'prometheus.yaml'],
    ['test', 'rules', 'rules.test.yaml'],
  ]) {
    test(`pass promtool ${words.join(' ')}`, () => {
      const { status, stdout, stderr } = spawnSync(promtool ?? '', words, { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    });
  }
});
