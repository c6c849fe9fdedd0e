import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTrouble, explainRefusal } from '../src/process/trouble.ts';

function open() {
  const lines: [string, { cause: string; times?: number }][] = [];
  let now = 0;
  const trouble = createTrouble({ warn: (data, text) => void lines.push([text, data]) }, () => now);
  return { lines, trouble, pass: (ms: number) => (now += ms) };
}

const full = new Error("OOM command not allowed when used memory > 'maxmemory'. script: 4b1, on @user_script:7.");

describe('temporary trouble', () => {
  it('is told once a minute, with how often it was met', () => {
    const { lines, trouble, pass } = open();
    for (let time = 0; time < 3684; time += 1) trouble('could not get a slot of the pace', full);
    assert.equal(lines.length, 1);
    assert.match(lines[0]?.[0] ?? '', /^Redis is out of memory and refuses to write\. Raise its maxmemory/);
    assert.deepEqual(lines[0]?.[1], { cause: full.message });
    pass(60_000);
    trouble('could not get a slot of the pace', full);
    assert.deepEqual(lines[1]?.[1], { cause: full.message, times: 3684 });
  });

  it('is one kind where Redis refuses, whoever met it', () => {
    const { lines, trouble } = open();
    trouble('trouble with the queue', full);
    trouble('could not get a slot of the pace', new Error('OOM command not allowed.'));
    assert.equal(lines.length, 1);
  });

  it('is another kind with another cause, but not with another number', () => {
    const { lines, trouble } = open();
    trouble('trouble with the queue', new Error('could not renew lock for job 17-1'));
    trouble('trouble with the queue', new Error('could not renew lock for job 18-1'));
    trouble('trouble with the queue', new Error('connect ECONNREFUSED 127.0.0.1:6379'));
    assert.deepEqual(
      lines.map(([, { cause }]) => cause),
      ['could not renew lock for job 17-1', 'connect ECONNREFUSED 127.0.0.1:6379'],
    );
  });

  it('is explained where Redis says what it is', () => {
    const said = (message: string): string => explainRefusal(new Error(message)) ?? '';
    assert.match(said("READONLY You can't write against a read only replica."), /^Redis is a read-only replica/);
    assert.match(said('NOREPLICAS Not enough good replicas to write.'), /^Redis has fewer replicas/);
    assert.match(said('MISCONF Redis is configured to save RDB snapshots'), /^Redis cannot save its data/);
    assert.match(said('LOADING Redis is loading the dataset in memory'), /^Redis is loading its data/);
    assert.equal(said('ERR wrong number of arguments'), '');
  });
});
