import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  lastStage,
  leastForCanary,
  mostCanaries,
  reasonToStop,
  secondShare,
  unknownFields,
} from '../../../src/core/run/canary.ts';

const calm = { unseen: [], ended: 10, failed: 0 };

it('a field that the interface does not name is found in the envelope and in a group; text that is no JSON has none', () => {
  const group = { group: 'A', status: 'success', inserts: 1, warnings: 0 };
  const answer = { status: 'success', hash: '', response_time: 0.1, data: [group] };
  assert.deepEqual(unknownFields(JSON.stringify(answer)), []);
  const odd = { ...answer, notice: 'soon', data: [group, { ...group, id: 1 }, { ...group, id: 2 }, null] };
  assert.deepEqual(unknownFields(JSON.stringify(odd)), ['notice', 'id']);
  for (const text of ['', '<html>', '[]', 'null', '{"data": 1', '3']) assert.deepEqual(unknownFields(text), []);
});

it('the interface’s own example has nothing unseen', () => {
  const examples = readFileSync(join(import.meta.dirname, '../../support/interface-examples.json'), 'utf8');
  const { groupInsert } = JSON.parse(examples) as { groupInsert: { cases: { response: unknown }[] } };
  assert.ok(groupInsert.cases.length > 0);
  for (const { response } of groupInsert.cases) assert.deepEqual(unknownFields(JSON.stringify(response)), []);
});

it('a canary release stops for what was not seen before, and for more than a fifth not delivered; else it goes on', () => {
  assert.deepEqual([leastForCanary, mostCanaries, secondShare, lastStage], [50, 10, 0.1, 2]);
  assert.equal(reasonToStop(calm), undefined);
  assert.equal(reasonToStop({ ...calm, failed: 2 }), undefined);
  assert.match(reasonToStop({ ...calm, failed: 3 })?.reason ?? '', /after the first 10 calls 3 were not delivered/);
  const unseen = [{ kind: '1 warning', count: 4, example: '' }];
  assert.match(
    reasonToStop({ ...calm, unseen })?.reason ?? '',
    /not seen before: 1 warning, 4 times\. Resuming treats it as seen$/,
  );
});
