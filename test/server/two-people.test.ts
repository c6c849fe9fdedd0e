import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { needsSomebodyElse } from '../../jobs/run/steer-run.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

suite('where two people are needed', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer('server: { twoPeople: true }\n');
  });
  after(() => server.close());

  async function signedIn(name: string): Promise<string> {
    return await server.signIn(name, ['read', 'run', 'approve']);
  }

  async function held(token: string): Promise<{ run: string; hash: string }> {
    const people = Array.from({ length: 60 }, (_, at) => `Ann ${at},Ek,ann.${at}@example.com,Sales`);
    server.roster(['firstname,lastname,email,groups', ...people, ''].join('\n'));
    const { json } = await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } });
    const run = (await server.ask(`/api/v1/runs/${json.run}`, { token })).json;
    assert.equal(run.status, 'held');
    return { run: json.run, hash: run.hold.hash };
  }

  test('who started a run may not approve it, on the page and over the API; they may cancel it, and somebody else may approve', async () => {
    const starter = await server.token('starter', ['read', 'run', 'approve']);
    const { run, hash } = await held(starter);
    const approve = (token: string) =>
      server.ask(`/api/v1/runs/${run}/approve`, { method: 'POST', token, body: { hash } });
    const refused = await approve(starter);
    assert.equal(refused.status, 403);
    assert.match(refused.json.detail, /was brought or started by token starter, who may not approve it/);

    const cookie = await signedIn('token starter');
    const page = await server.ask(`/runs/${run}`, { headers: { cookie } });
    assert.match(page.text, /Waiting for somebody else’s yes\. You started it, so you may not approve it\./);
    assert.doesNotMatch(page.text, /value="all"/);
    assert.match(page.text, /value="none"/);
    const posted = await server.ask(`/runs/${run}/decide`, {
      method: 'POST',
      headers: { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams({ choice: 'all', confirm: '60', hash }).toString()),
    });
    assert.equal(posted.status, 403);
    assert.match(posted.text, /Somebody else has to/);
    assert.equal((await server.context.ledger.findRuns(run))[0]?.status, 'held');

    const other = await server.ask(`/runs/${run}`, { headers: { cookie: await signedIn('jonas@desk') } });
    assert.match(other.text, /value="all"/);
    const second = await approve(await server.token('second', ['approve']));
    assert.equal(second.status, 200);
    assert.equal(second.json.released, 60);
  });

  test('who brought a file may not approve it', async () => {
    const token = await server.token('bringer', ['read', 'run', 'approve']);
    const headers = { 'content-type': 'application/octet-stream' };
    const body = 'firstname,lastname,email,groups\nBo,Ek,bo@example.com,Sales\n';
    const { json } = await server.ask('/api/v1/uploads?file=new.csv', { method: 'POST', token, headers, body });
    const planned = await server.ask(`/api/v1/uploads/${json.upload}/plan`, { method: 'POST', token, body: {} });
    const { run } = planned.json;
    const { hash } = (await server.ask(`/api/v1/runs/${run}`, { token })).json.hold;
    const refused = await server.ask(`/api/v1/runs/${run}/approve`, { method: 'POST', token, body: { hash } });
    assert.equal(refused.status, 403);
    assert.match(refused.json.detail, /was brought or started by token bringer/);
  });

  test('whose name has changed since is the person who started it', () => {
    const begunBy = 'Mette Krogh, mette@example.com (2f9c0a1be3d45867)';
    const { config } = server.context;
    assert.ok(needsSomebodyElse(config, { begunBy }, 'Mette Holm, mette.holm@example.com (2f9c0a1be3d45867)'));
    assert.ok(!needsSomebodyElse(config, { begunBy }, 'Mette Krogh, mette@example.com (99999a1be3d45867)'));
  });

  test('two people have to ask for a source that lets more through than before', async () => {
    const body = { settings: 'everybody: true\n' };
    const [one, two] = [await server.token('one', ['run', 'approve']), await server.token('two', ['run', 'approve'])];
    const keep = (token: string) => server.ask('/api/v1/sources/wide', { method: 'PUT', token, body });
    for (const again of [1, 2]) {
      const refused = await keep(one);
      assert.equal(refused.status, 403, String(again));
      assert.match(refused.json.detail, /somebody else who may approve has to send the same settings/);
    }
    assert.equal((await keep(two)).status, 200);
  });
});
