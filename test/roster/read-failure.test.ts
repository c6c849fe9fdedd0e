import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { readFailure } from '../../src/roster/files/read-failure.ts';

const codes: [code: string, message: RegExp][] = [
  ['EACCES', /staff\.csv: it may not be read/],
  ['EPERM', /another program may have it open/],
  ['EBUSY', /open and locked\. Close it there/],
  ['EIO', /disk or the network share failed/],
  ['EWHATEVER', /cannot be read \(EWHATEVER\)/],
];
for (const [code, message] of codes) {
  test(`${code} is told as something to act on, with its cause`, () => {
    const cause = Object.assign(new Error('open'), { code });
    const failure = readFailure('staff.csv', cause);
    assert.ok(failure instanceof InputError);
    assert.match(failure.message, message);
    assert.equal(failure.cause, cause);
  });
}

test('what the system did not say is passed on as it is', () => {
  const bug = new TypeError('x is not a function');
  assert.equal(readFailure('staff.csv', bug), bug);
});
