import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerItem, Sandbox, SandboxStory } from '../../src/sandbox/index.ts';
import { seededStories } from '../../src/sandbox/stories.ts';
import { openSandbox } from '../support/sandbox.ts';
import { analysisPath, call, insert } from './call.ts';

interface Reported {
  story: SandboxStory['story'];
  questions: {
    question: string;
    stats: { total: number; correct: number; incorrect: number };
    answers: AnswerItem[];
  }[];
}

async function analyse(sandbox: Sandbox, request: object = {}): Promise<Reported[]> {
  const { status, text } = await call(sandbox, analysisPath, request);
  assert.equal(status, 200, text);
  const envelope: { data: Reported[] } = JSON.parse(text);
  return envelope.data;
}

async function enrolled(sandbox: Sandbox, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await insert(sandbox, `p${at}@example.com`, ['New starters', at % 2 === 0 ? 'Even' : 'Odd']);
  }
}

test('in every question total = correct + incorrect = the answers, each counted as it says', async (t) => {
  const sandbox = await openSandbox(t);
  await enrolled(sandbox, 40);
  const items = await analyse(sandbox);
  assert.ok(items.some(({ story }) => story.name === 'Fire safety'));
  for (const { questions } of items) {
    for (const { stats, answers } of questions) {
      const correct = answers.filter(({ answer }) => answer.correct).length;
      assert.deepEqual(stats, { total: answers.length, correct, incorrect: answers.length - correct });
      assert.equal(new Set(answers.map(({ email }) => email)).size, answers.length, 'one item per answering user');
    }
  }
});

test('users who were inserted answer, some right and some wrong, and some do not', async (t) => {
  const sandbox = await openSandbox(t);
  await enrolled(sandbox, 60);
  const [fire] = await analyse(sandbox, { story: 'Fire safety' });
  const answers = (fire?.questions[0]?.answers ?? []).filter(({ email }) => email.startsWith('p'));
  assert.ok(answers.length > 20 && answers.length < 55, `${answers.length} of 60 answered`);
  assert.equal(new Set(answers.map(({ answer }) => answer.correct)).size, 2);
  assert.deepEqual(answers[0]?.groups.slice(0, 1), ['New starters']);
});

test('who answered what depends on the seed alone', async (t) => {
  const answersWith = async (seed: number): Promise<Reported[]> => {
    const sandbox = await openSandbox(t, { seed });
    await enrolled(sandbox, 20);
    return analyse(sandbox);
  };
  assert.deepEqual(await answersWith(5), await answersWith(5));
  assert.notDeepEqual(await answersWith(5), await answersWith(6));
});

test('everybody or nobody answers at a rate of 1 or 0', async (t) => {
  const everybody = await openSandbox(t, { answerRate: 1 });
  const nobody = await openSandbox(t, { answerRate: 0 });
  for (const sandbox of [everybody, nobody]) await enrolled(sandbox, 30);
  const peopleOf = (items: Reported[]): Set<string> => {
    const answers = items.flatMap(({ questions }) => questions.flatMap((question) => question.answers));
    return new Set(answers.map(({ email }) => email).filter((email) => email.startsWith('p')));
  };
  assert.equal(peopleOf(await analyse(everybody)).size, 30);
  assert.equal(peopleOf(await analyse(nobody)).size, 0);
});

test('app and story are found by ID or name, and what is not found is an empty list', async (t) => {
  const sandbox = await openSandbox(t);
  const names = async (request: object): Promise<string[]> =>
    (await analyse(sandbox, request)).map(({ story }) => story.name);
  assert.deepEqual(await names({ story: '4711' }), ['Fire safety']);
  assert.deepEqual(await names({ story: 'Fire safety', app: 'Onboarding' }), ['Fire safety']);
  assert.deepEqual(await names({ app: '13' }), ['Canteen survey', 'Welcome']);
  assert.deepEqual(await names({ story: 'Fire safety', app: '13' }), []);
  assert.deepEqual(await names({ story: 'no such story' }), []);
});

test('groups and users narrow the answers: by group, by address, by name, and by both', async (t) => {
  const sandbox = await openSandbox(t, { answerRate: 1 });
  await enrolled(sandbox, 20);
  const people = async (request: object): Promise<string[]> => {
    const items = await analyse(sandbox, request);
    const all = items.flatMap(({ questions }) => questions.flatMap(({ answers }) => answers.map(({ email }) => email)));
    return [...new Set(all)].toSorted();
  };
  const even = await people({ groups: ['Even'] });
  assert.equal(even.length, 10);
  assert.ok(even.every((email) => Number(/\d+/.exec(email)?.[0]) % 2 === 0));
  assert.deepEqual(await people({ users: ['P3@example.com'] }), ['p3@example.com']);
  assert.deepEqual(await people({ users: ['Mei Chen'] }), ['mei.chen@sandbox.example']);
  assert.deepEqual(await people({ users: ['p3@example.com', 'p4@example.com'], groups: ['Odd'] }), ['p3@example.com']);
  assert.equal((await people({ groups: [], users: [] })).length, 23);
});

test('unknown contact fields are empty or left out, and stories without answers kept or left out, as switched', async (t) => {
  const usual = await openSandbox(t, { answerRate: 1 });
  const switched = await openSandbox(t, {
    answerRate: 1,
    assumptions: { absentFields: 'omit', unansweredStories: 'omit' },
  });
  for (const sandbox of [usual, switched]) await enrolled(sandbox, 3);
  const firstOf = (items: Reported[]): AnswerItem | undefined => {
    return items
      .flatMap(({ questions }) => questions.flatMap(({ answers }) => answers))
      .find(({ email }) => email.startsWith('p'));
  };
  const all = await analyse(usual);
  assert.ok(all.some(({ story }) => story.name === 'Welcome'));
  assert.equal(firstOf(all)?.city, '');
  const some = await analyse(switched);
  assert.ok(!some.some(({ story }) => story.name === 'Welcome'));
  assert.ok(!('city' in (firstOf(some) ?? { city: '' })));
});

test('an analysis that the interface does not describe is refused', async (t) => {
  const sandbox = await openSandbox(t);
  for (const request of [[], { app: 1 }, { story: null }, { groups: 'Sales' }, { users: [1] }, { user: 'ann' }]) {
    assert.equal((await call(sandbox, analysisPath, request)).status, 400, JSON.stringify(request));
  }
});

test('a user whose answer is given with the story does not answer a second time', async (t) => {
  const [fire] = seededStories;
  assert.ok(fire);
  const sandbox = await openSandbox(t, { answerRate: 1, stories: [fire] });
  await insert(sandbox, 'Ines.Moreau@sandbox.example', ['Sales']);
  const [item] = await analyse(sandbox);
  const hers = item?.questions[0]?.answers.filter(({ email }) => /^ines/i.test(email));
  assert.deepEqual(
    hers?.map(({ groups }) => groups),
    [['Sandbox residents']],
  );
});

test('a large answer is made while it is sent, the same as a held one, and can break off', async (t) => {
  const users = 6000;
  const sandbox = await openSandbox(t, { users, stories: 5 });
  const large = await analyse(sandbox, { story: 'Fire safety' });
  const held = await openSandbox(t, { stories: 5 });
  for (const { groups, manual: _, ...fields } of sandbox.users().slice(0, 4000)) held.assign(fields, groups);
  const [small] = await analyse(held, { story: 'Fire safety' });
  const isThere = ({ email }: AnswerItem): boolean => held.user(email) !== undefined || !email.startsWith('user');
  for (const [at, { answers, stats }] of (large[0]?.questions ?? []).entries()) {
    assert.equal(stats.total, answers.length);
    assert.deepEqual(answers.filter(isThere), small?.questions[at]?.answers);
  }
  assert.ok((large[0]?.questions[0]?.answers.length ?? 0) > 3000);
  assert.equal((await analyse(sandbox)).length, 5);
  sandbox.faults.add('body=truncated,first=1');
  await assert.rejects(call(sandbox, analysisPath, {}));
  sandbox.faults.add('body=no-data,first=1');
  assert.ok(!('data' in (JSON.parse((await call(sandbox, analysisPath, { story: '4711' })).text) as object)));
});
