import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepAnswers } from '../../jobs/story/keep-answers.ts';
import { openSandbox } from '../support/sandbox.ts';
import { releaseRun } from './released-run.ts';

test('what each person answered is kept where the settings ask for it, to the last answer', async (t) => {
  const sandbox = await openSandbox(t);
  const environment = { ROSTER_SYNC__ANSWERS__KEEP: 'people' };
  const { delivery, deliver, context } = await releaseRun(t, { people: 3, sandbox, environment });
  await deliver(delivery);
  const kept = await keepAnswers(delivery, { dueAt: new Date(), signal: t.signal });
  assert.deepEqual(kept, { result: 'kept', reason: '' });
  const known = ['person0', 'person1', 'person2'].map((name) => context.ledger.whatIsKnownOf(`${name}@example.com`));
  const answers = (await Promise.all(known)).map(({ storyAnswers }) => storyAnswers);
  assert.ok(
    answers.some((count) => count > 0),
    answers.join(),
  );
});
