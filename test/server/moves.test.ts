import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

const ids = `  ids:
    file: ./staff.csv
    settle: 1ms
    members: { firstname: firstname, lastname: lastname, email: email, employeeId: id }
    groups: [{ column: groups }]
`;

suite('people whose address changed, on the server', () => {
  let server: ApiServer;
  let token: string;
  before(async () => {
    server = await startApiServer(ids);
    token = await server.token('client', ['read', 'run', 'approve']);
    const run = await readRoster('old.example');
    await post(`runs/${run}/approve`, { hash: (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json.hash });
    while ((await server.ask(`/api/v1/runs/${run}`, { token })).json.status !== 'finished') await pause(10);
  });
  after(() => server.close());

  const names = ['ann', 'bo', 'cy', 'di', 'eve', 'flo'];
  const service = (): string => server.context.service.address;
  const post = (path: string, body: object, by = token): Promise<Answered> =>
    server.ask(`/api/v1/${path}`, { method: 'POST', token: by, body });

  /** Reads a roster of everybody at a domain, and of somebody elsewhere. Returns its run. */
  async function readRoster(domain: string): Promise<string> {
    const rows = names.map((name, at) => `${at + 1},${name},Ek,${name}@${domain},Staff`);
    server.roster(['id,firstname,lastname,email,groups', '0,Zoe,Ek,zoe@example.com,Staff', ...rows, ''].join('\n'));
    const { json, text } = await post('runs', { source: 'ids' });
    assert.ok(json.run, text);
    return String(json.run);
  }

  async function known(domain: string): Promise<number> {
    return (await server.context.ledger.keysAt(service(), domain)).length;
  }

  test('the API shows what happens to a rule, and does it by the hash of that only, kept in the audit', async () => {
    const helper = await server.token('helper', ['read', 'run']);
    const rule = { decision: 'renamed-there', moves: [{ old: '@old.example', new: '@new.example' }] };
    assert.equal((await post('moves', rule, helper)).status, 403);
    assert.equal((await post('moves', { decision: 'renamed-there' })).status, 422);
    const { json: preview } = await post('moves', rule);
    assert.deepEqual([preview.moves, preview.sample.length, preview.isDone], [6, 5, false]);
    assert.deepEqual(preview.sample[0], { old: 'ann@old.example', new: 'ann@new.example' });
    const other = await post('moves', { ...rule, decision: 'new-account', hash: preview.hash });
    assert.deepEqual([other.status, other.json.code, await known('@old.example')], [409, 'CHANGED', 6]);
    const { json: done } = await post('moves', { ...rule, hash: preview.hash });
    assert.deepEqual([done.isDone, done.sources, await known('@new.example')], [true, ['ids'], 6]);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deed?.by, deed?.action], ['token client', 'resolve 6 moves: renamed-there']);
    const none = await post('moves', rule);
    assert.deepEqual([none.json.moves, none.json.unfit], [0, []]);
    const unfit = (await post('moves', { ...rule, moves: [{ old: 'x@y.example', new: 'nobody' }] })).json.unfit;
    assert.deepEqual(unfit, [{ old: 'x@y.example', new: 'nobody', why: 'no-address' }]);
  });

  test('the page of a run asks about all who wait in it, shows what happens to it, and then does it', async () => {
    const run = await readRoster('third.example');
    const cookie = await server.signIn('mette', ['read', 'run', 'approve']);
    const send = async (fields: Record<string, string>): Promise<string> => {
      const headers = { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' };
      const body = Buffer.from(new URLSearchParams(fields).toString());
      return (await server.ask(`/runs/${run}/moves`, { method: 'POST', headers, body })).text;
    };
    const page = async (): Promise<string> => (await server.ask(`/runs/${run}`, { headers: { cookie } })).text;
    assert.match(await page(), /6 people have a new address.*All of them: renamed there.*All of them: new account/s);
    const rule = await send({ decision: 'renamed-there', old: '@new.example', now: '@fourth.example' });
    assert.match(rule, /ann@new\.example.*ann@fourth\.example/s);
    const preview = await send({ decision: 'renamed-there' });
    assert.match(preview, /6 moves: what was given at the old address.*ann@new\.example.*ann@third\.example/s);
    assert.equal(await known('@new.example'), 6, 'nothing is done yet');
    const [, hash = ''] = /name="hash" value="([^"]*)"/.exec(preview) ?? [];
    assert.match(await send({ decision: 'renamed-there', hash }), /It is done/);
    assert.deepEqual([await known('@new.example'), await known('@third.example')], [0, 6]);
    assert.doesNotMatch(await page(), /a new address/);
    assert.match(await send({ decision: 'renamed-there', hash }), /not the moves that were shown/);
  });
});
