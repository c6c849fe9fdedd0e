import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LedgerAwayError } from '../../src/core/errors.ts';
import { explain } from '../../src/cli/frame/explain.ts';

test('a disk that is full, and a database that went away, are said in a sentence without a stack', (t) => {
  const said: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => said.push(text) > 0);
  const error = new LedgerAwayError('could not extend file: No space left on device');
  const exitCode = explain(error);
  explain(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }));
  t.mock.restoreAll();
  assert.equal(exitCode, 1);
  assert.deepEqual(said, [
    'The ledger cannot be reached or written: could not extend file: No space left on device. Fix the cause, then start again: what was answered is kept.\n',
    'A server that is needed cannot be reached or written: connect ECONNREFUSED 127.0.0.1:6379. Fix the cause, then start again: what was answered is kept.\n',
  ]);
});
