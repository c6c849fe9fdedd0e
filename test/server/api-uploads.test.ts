import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

const people = 'First name,Last name,E-mail,Team\nNia,Day,nia@example.com,Sales\nJane,Roe,jane@,Sales\n';

suite('uploads over the API', () => {
  let server: ApiServer;
  let token: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('importer', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  const inspect = (text: string, as = token): Promise<Answered> =>
    server.ask('/api/v1/uploads?file=new-people.csv', {
      ...{ method: 'POST', token: as, headers: { 'content-type': 'text/csv' }, body: Buffer.from(text) },
    });
  const post = (path: string, body: object, as = token): Promise<Answered> =>
    server.ask(`/api/v1/uploads/${path}`, { method: 'POST', token: as, body });

  test('a file is inspected, planned with a mapping of its own, a reject corrected, and sent once approved', async () => {
    const inspected = await inspect(people);
    assert.equal(inspected.status, 201, inspected.text);
    const { upload, sum, columns, mapping, source } = inspected.json;
    assert.deepEqual(sum, { rows: 2, leftOut: 0, twice: 0, rejected: 1, people: 1 });
    assert.deepEqual(
      columns.map(({ name, use }: { name: string; use: string }) => [name, use]),
      [
        ['First name', 'firstname'],
        ['Last name', 'lastname'],
        ['E-mail', 'email'],
        ['Team', 'group'],
      ],
    );
    assert.equal(source, 'new-people');
    assert.doesNotMatch(inspected.text, /nia@example|Nia/, 'no cell is in the answer');

    const own = { ...mapping, groups: [{ column: 'Team' }, { always: 'Newcomers' }], deliver: { invite: false } };
    const planned = await post(`${upload}/plan`, { mapping: own });
    assert.equal(planned.status, 201, planned.text);
    assert.equal(planned.json.status, 'held');
    const again = await post(`${upload}/plan`, { mapping: own });
    assert.deepEqual([again.status, again.json.run], [200, planned.json.run], 'the same is not planned twice');

    const corrected = await post(`${upload}/corrections`, { line: 3, column: 'E-mail', value: 'jane@example.com' });
    assert.equal(corrected.status, 201, corrected.text);
    assert.notEqual(corrected.json.run, planned.json.run);
    const [before] = await server.context.ledger.findRuns(planned.json.run);
    assert.equal(before?.status, 'cancelled');
    const { run } = corrected.json;
    const plan = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
    assert.equal(plan.counts.new, 2);
    assert.equal(plan.possibleInvitations, 0, 'the mapping says to add them silently');
    assert.deepEqual(plan.groups.map(({ group }: { group: string }) => group).toSorted(), ['Newcomers', 'Sales']);
    const approved = await server.ask(`/api/v1/runs/${run}/approve`, {
      ...{ method: 'POST', token, body: { hash: plan.hash } },
    });
    assert.equal(approved.json.released, 2, approved.text);
    const status = async (): Promise<unknown> => (await server.ask(`/api/v1/runs/${run}`, { token })).json.status;
    // No other file of the source is planned while it is delivered.
    while ((await status()) !== 'finished') await pause(20);
  });

  test('what cannot be is refused: a name of the config, a wrong mapping, a place, another’s upload, no such column', async () => {
    const { upload } = (await inspect(people)).json;
    const taken = await post(`${upload}/plan`, { source: 'staff' });
    assert.deepEqual([taken.status, taken.json.code], [409, 'NAME_TAKEN']);
    for (const mapping of [{ groups: [] }, { file: '/etc/passwd' }, { http: { url: 'https://example.com' } }]) {
      const refused = await post(`${upload}/plan`, { mapping });
      assert.deepEqual([refused.status, refused.json.code], [422, 'INPUT'], refused.text);
    }
    const lacking = await post(`${upload}/plan`, { mapping: { members: { email: 'Nowhere' } } });
    assert.equal(lacking.status, 422);
    const other = await server.token('other', ['run']);
    assert.equal((await post(`${upload}/plan`, {}, other)).status, 403);
    assert.equal((await post('..%2f..%2fledger/plan', {})).status, 400);
    assert.equal((await post('00000000-0000-4000-8000-000000000000/plan', {})).status, 404);
    const nowhere = await post(`${upload}/corrections`, { line: 2, column: 'Phone', value: 'x' });
    assert.equal(nowhere.json.code, 'NO_COLUMN');
    assert.equal((await inspect('')).json.code, 'NO_FILE');
    const reader = await server.token('reader', ['read']);
    assert.equal((await inspect(people, reader)).status, 403);
  });
});
