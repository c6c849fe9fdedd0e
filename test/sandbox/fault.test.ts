import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { formatFault, parseFault, type Fault } from '../../src/sandbox/index.ts';

test('a fault reads the same from its text and from an object, and is written back as it was', () => {
  const faults: [string, Fault][] = [
    ['status=429,retry-after=2,first=3', { status: 429, 'retry-after': 2, first: 3 }],
    ['status=503,retry-after=date+30', { status: 503, 'retry-after': 'date+30' }],
    ['latency=200', { latency: 200 }],
    ['latency=100-300,probability=0.5', { latency: '100-300', probability: 0.5 }],
    ['latency=forever,nth=2', { latency: 'forever', nth: 2 }],
    ['status=403,email=ann@example.com', { status: 403, email: 'ann@example.com' }],
    ['reset=after,probability=0.1', { reset: 'after', probability: 0.1 }],
    ['reset=after,apply=no,every=3', { reset: 'after', apply: false, every: 3 }],
    ['status=500,apply=yes,path=groups/insert', { status: 500, apply: true, path: 'groups/insert' }],
    ['body=trickle,interval=5', { body: 'trickle', interval: 5 }],
    ['body=group-failed,group=R & D', { body: 'group-failed', group: 'R & D' }],
  ];
  for (const [text, fault] of faults) {
    assert.deepEqual(parseFault(text), fault);
    assert.deepEqual(parseFault(fault), fault);
    assert.equal(formatFault(fault), text);
  }
  assert.deepEqual(parseFault(' status = 500 , after = 10'), { status: 500, after: 10 });
});

test('a fault that cannot be read says what is wrong with which part', () => {
  const wrong: [unknown, RegExp][] = [
    ['', /not of the form key=value/],
    ['status', /"status" is not of the form key=value/],
    ['status=429,,first=3', /not of the form/],
    ['status=429,status=500', /status is given twice/],
    ['statsu=429', /no key is called "statsu": .*status/],
    ['__proto__=1', /no key is called/],
    ['status=42', /status is a whole number from 200 to 599, not "42"/],
    ['status=4xx', /status is a whole number/],
    ['status=', /status is not to be empty/],
    ['first=0,status=500', /first is a whole number from 1/],
    ['nth=1.5,status=500', /nth is a whole number/],
    ['probability=2,status=500', /probability is a number from 0 to 1/],
    ['latency=-1', /latency is milliseconds/],
    ['latency=300-100', /latency is milliseconds/],
    ['reset=later', /reset is one of before, after/],
    ['body=xml', /body is one of html, .*string-counts/],
    ['status=429,retry-after=soon', /retry-after is seconds/],
    ['status=500,apply=maybe', /apply is yes or no/],
    ['first=3', /not what happens/],
    ['retry-after=3', /not what happens/],
    ['retry-after=3,latency=1', /retry-after needs a status/],
    ['reset=after,status=500', /neither status nor body/],
    ['reset=before,email=ann@example.com', /nobody knows for whom/],
    ['reset=before,apply=yes', /cannot be applied/],
    ['status=500,body=missing', /needs a status below 300/],
    ['body=html,interval=5', /interval goes with body=trickle/],
    ['body=missing,apply=no', /apply goes with/],
    [null, /a text like/],
    [{ status: {} }, /status is not to be empty/],
  ];
  for (const [given, message] of wrong) {
    assert.throws(
      () => parseFault(given),
      (error) => error instanceof InputError && message.test(error.message),
      JSON.stringify(given),
    );
  }
});

test('the examples of docs/sandbox.md are faults', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/sandbox.md'), 'utf8');
  const examples =
    /\nExamples:(.*?)```/s
      .exec(page)?.[1]
      ?.trim()
      .split(/\s{2,}/) ?? [];
  assert.ok(examples.length >= 6);
  for (const example of examples) assert.doesNotThrow(() => parseFault(example), example);
});
