import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfaceExamples, openSandbox } from '../support/sandbox.ts';
import type { SandboxStory } from '../../src/sandbox/index.ts';
import { call } from './call.ts';

const { authorization, groupInsert, questionAnalysis } = interfaceExamples;

/** What may differ from the example, checked for its form and taken out. */
function comparable(text: string): unknown {
  const { hash, response_time, ...rest } = JSON.parse(text);
  assert.match(hash, /^[0-9a-f]{32}$/);
  assert.ok(Number.isFinite(response_time) && response_time >= 0, `response_time ${response_time}`);
  return rest;
}

test('a conversation of group inserts is answered as written by hand from the interface', async (t) => {
  const sandbox = await openSandbox(t);
  for (const { title, request, response } of groupInsert.cases) {
    const answer = await call(sandbox, groupInsert.path, request, { authorization });
    assert.equal(answer.status, 200, title);
    assert.deepEqual(comparable(answer.text), comparable(JSON.stringify(response)), title);
  }
});

test('question analyses are answered as written by hand from the interface', async (t) => {
  const everything = questionAnalysis.cases[0]?.response.data as unknown as SandboxStory[];
  const sandbox = await openSandbox(t, { stories: everything });
  for (const { title, request, response } of questionAnalysis.cases) {
    const answer = await call(sandbox, questionAnalysis.path, request, { authorization });
    assert.equal(answer.status, 200, title);
    assert.deepEqual(comparable(answer.text), comparable(JSON.stringify(response)), title);
  }
});

test('no two answers carry the same hash', async (t) => {
  const sandbox = await openSandbox(t);
  const hashes = new Set<string>();
  for (let at = 0; at < 50; at += 1) hashes.add(JSON.parse((await call(sandbox, questionAnalysis.path, {})).text).hash);
  assert.equal(hashes.size, 50);
});
