import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSandbox } from '../support/sandbox.ts';
import { call, insert, insertBody, insertPath } from './call.ts';

const minute = 60_000;
const ann = { firstname: 'Ann', lastname: 'Example', email: 'ann@example.com' };

test('each group of the request yields one item, in its order', async (t) => {
  const sandbox = await openSandbox(t);
  const groups = ['Zebra', 'apple', 'Mango', 'apple'];
  const items = await insert(sandbox, 'ann@example.com', groups);
  assert.deepEqual(
    items.map(({ group }) => group),
    groups,
  );
  assert.deepEqual(
    items.map(({ inserts }) => inserts),
    [1, 1, 1, 0],
    'the group named twice is filled once',
  );
});

test('a group that does not exist is created', async (t) => {
  const sandbox = await openSandbox(t);
  await insert(sandbox, 'ann@example.com', ['Sales']);
  await insert(sandbox, 'bo@example.com', ['Sales', 'Sweden']);
  assert.deepEqual(sandbox.groups(), [
    { group: 'Sales', members: 2 },
    { group: 'Sweden', members: 1 },
  ]);
});

test('the same user into the same group again inserts nothing and warns', async (t) => {
  const sandbox = await openSandbox(t);
  await insert(sandbox, 'ann@example.com', ['Sales']);
  const items = await insert(sandbox, 'ANN@example.com', ['Sales']);
  assert.deepEqual(items, [{ group: 'Sales', status: 'success', inserts: 0, warnings: 1 }]);
  assert.equal(sandbox.users().length, 1);
});

test('a new user is invited once, 1 to 5 minutes later on the clock that tests move', async (t) => {
  const sandbox = await openSandbox(t, { now: () => 1_000_000 });
  for (let at = 0; at < 200; at += 1) await insert(sandbox, `p${at}@example.com`, ['Sales']);
  await insert(sandbox, 'p0@example.com', ['Sales']);
  const delays = sandbox.outbox.pending().map(({ addedAt, dueAt }) => dueAt - addedAt);
  assert.equal(delays.length, 200);
  assert.ok(Math.min(...delays) >= minute && Math.max(...delays) <= 5 * minute);
  assert.ok(Math.max(...delays) - Math.min(...delays) > 3 * minute, 'spread over the whole time');
  sandbox.clock.advance(minute - 1);
  assert.equal(sandbox.outbox.sent().length, 0);
  sandbox.clock.advance(4 * minute + 1);
  assert.equal(sandbox.outbox.pending().length, 0);
  assert.equal(new Set(sandbox.outbox.sent().map(({ email }) => email)).size, 200);
});

test('when an invitation is sent depends on seed and person, not on the order of the calls', async (t) => {
  const dueOf = async (seed: number, people: string[]): Promise<Map<string, number>> => {
    const sandbox = await openSandbox(t, { seed, now: () => 0 });
    for (const email of people) await insert(sandbox, email, ['Sales']);
    return new Map(sandbox.outbox.pending().map(({ email, dueAt }) => [email, dueAt]));
  };
  const first = await dueOf(7, ['a@example.com', 'b@example.com']);
  assert.deepEqual(
    await dueOf(7, ['b@example.com', 'a@example.com']).then((due) => due.get('a@example.com')),
    first.get('a@example.com'),
  );
  assert.notDeepEqual(await dueOf(8, ['a@example.com', 'b@example.com']), first);
});

test('nobody is invited with invite false, nor a user who was already there', async (t) => {
  const sandbox = await openSandbox(t);
  sandbox.assign(ann, ['Board']);
  await insert(sandbox, 'ann@example.com', ['Sales'], { invite: true });
  await insert(sandbox, 'bo@example.com', ['Sales'], { invite: false });
  await insert(sandbox, 'bo@example.com', ['Sales'], { invite: true });
  assert.deepEqual(sandbox.outbox.count(), { sent: 0, pending: 0 });
});

test('forceSync takes a user out of the other groups they were put in by hand, and only out of those', async (t) => {
  const sandbox = await openSandbox(t);
  sandbox.assign(ann, ['Board', 'Choir', 'Sales']);
  await insert(sandbox, 'ann@example.com', ['Sweden']);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Board', 'Choir', 'Sales', 'Sweden']);
  const items = await insert(sandbox, 'ann@example.com', ['Sales', 'Finance'], { forceSync: true });
  assert.deepEqual(
    items.map(({ inserts, warnings }) => [inserts, warnings]),
    [
      [0, 1],
      [1, 0],
    ],
  );
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales', 'Sweden', 'Finance']);
  assert.deepEqual(
    sandbox.groups().find(({ group }) => group === 'Board'),
    { group: 'Board', members: 0 },
  );
});

test('what forceSync removes can be switched', async (t) => {
  const leftWith = async (forceSyncRemoves: 'all' | 'none'): Promise<string[] | undefined> => {
    const sandbox = await openSandbox(t, { assumptions: { forceSyncRemoves } });
    sandbox.assign(ann, ['Board']);
    await insert(sandbox, 'ann@example.com', ['Sweden']);
    await insert(sandbox, 'ann@example.com', ['Sales'], { forceSync: true });
    return sandbox.user('ann@example.com')?.groups;
  };
  assert.deepEqual(await leftWith('all'), ['Sales']);
  assert.deepEqual(await leftWith('none'), ['Board', 'Sweden', 'Sales']);
});

test('the other assumptions about users and groups can be switched', async (t) => {
  const usual = await openSandbox(t);
  const switched = await openSandbox(t, {
    assumptions: {
      repeat: 'silent',
      existingUser: 'keep',
      groupNames: 'ignore-case',
      emptyGroups: 'accept',
      missingUser: 'accept',
    },
  });
  for (const sandbox of [usual, switched]) {
    sandbox.assign({ ...ann, firstname: 'Anna' }, ['sales']);
  }
  assert.deepEqual(
    (await insert(usual, 'ann@example.com', ['Sales'])).map(({ inserts }) => inserts),
    [1],
  );
  assert.equal(usual.user('ann@example.com')?.firstname, 'Ann');
  const [item] = await insert(switched, 'ann@example.com', ['Sales']);
  assert.deepEqual(item, { group: 'Sales', status: 'success', inserts: 0, warnings: 0 });
  assert.equal(switched.user('ann@example.com')?.firstname, 'Anna');
  assert.deepEqual(await insert(switched, 'new@example.com', []), []);
  const nobody = JSON.parse((await call(switched, insertPath, { groups: ['Empty'] })).text);
  assert.deepEqual(nobody.data, [{ group: 'Empty', status: 'success', inserts: 0, warnings: 1 }]);
});

test('a request that the interface does not describe is refused with 400 and changes nothing', async (t) => {
  const sandbox = await openSandbox(t);
  const good = { groups: ['Sales'], user: ann };
  const bad: [string, unknown][] = [
    ['the body is not JSON', '{"groups": ['],
    ['the body is not JSON', ''],
    ['the body is not a JSON object', []],
    ['the body is not a JSON object', 'null'],
    ['groups is missing or empty', { user: ann }],
    ['groups is missing or empty', { ...good, groups: [] }],
    ['groups is not a list of names', { ...good, groups: 'Sales' }],
    ['groups is not a list of names', { ...good, groups: ['Sales', ' '] }],
    ['groups is not a list of names', { ...good, groups: ['Sales', 3] }],
    ['user is missing', { groups: ['Sales'] }],
    ['user is not an object', { ...good, user: 'ann' }],
    ['user.firstname is missing', { ...good, user: { ...ann, firstname: '' } }],
    ['user.lastname is missing', { ...good, user: { ...ann, lastname: undefined } }],
    ['user.email is missing', { ...good, user: { ...ann, email: null } }],
    ['user.email is not an address', { ...good, user: { ...ann, email: 'ann' } }],
    ['user.telephone is not a text', { ...good, user: { ...ann, telephone: 46 } }],
    ['user.country is not a field', { ...good, user: { ...ann, country: 'Sweden' } }],
    ['invite is not true or false', { ...good, invite: 'yes' }],
    ['forceSync is not true or false', { ...good, forceSync: 1 }],
    ['force_sync is not a parameter', { ...good, force_sync: true }],
  ];
  for (const [message, body] of bad) {
    const answer = await call(sandbox, insertPath, body);
    assert.equal(answer.status, 400, message);
    const { status, error } = JSON.parse(answer.text);
    assert.equal(status, 'error');
    assert.equal(error.message, message);
  }
  assert.deepEqual([sandbox.users(), sandbox.groups()], [[], []]);
});

test('options accept unknown fields, other content types and other error bodies', async (t) => {
  const sandbox = await openSandbox(t, {
    assumptions: { unknownFields: 'ignore', contentType: 'any', errorBody: 'text', wrongToken: '403' },
  });
  const body = { ...insertBody('ann@example.com', ['Sales']), extra: 1 };
  const headers = { 'content-type': 'text/plain' };
  assert.equal((await call(sandbox, insertPath, body, { headers })).status, 200);
  const refused = await call(sandbox, insertPath, body, { authorization: null });
  assert.deepEqual([refused.status, refused.text], [403, 'wrong or no token']);
});
