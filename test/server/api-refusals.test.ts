import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { csvOf } from '../support/cli.ts';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

suite('what the JSON API refuses', () => {
  let server: ApiServer;
  let token: string;
  /** A run that is held. */
  let run: string;
  let hash: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('nightly-ci', ['read', 'run', 'approve']);
    server.roster(csvOf(3));
    const started = await post('/runs', { source: 'staff' });
    assert.equal(started.json.status, 'held', started.text);
    run = started.json.run;
    hash = (await get(`/runs/${run}/plan`)).json.hash;
  });
  after(() => server.close());

  const get = (path: string): Promise<Answered> => server.ask(`/api/v1${path}`, { token });
  const post = (path: string, body: object | Buffer): Promise<Answered> =>
    server.ask(`/api/v1${path}`, {
      ...{ method: 'POST', token, body },
      ...(Buffer.isBuffer(body) && { headers: { 'content-type': 'application/json' } }),
    });

  function assertProblem({ status, headers, json, text }: Answered, expected: number, code: string): void {
    assert.equal(status, expected, text);
    assert.equal(headers['content-type'], 'application/problem+json');
    assert.equal(json.code, code, text);
    assert.doesNotMatch(text, /node_modules|at .*\.[tj]s/);
  }

  /** Nothing of the run was released or sent. */
  async function assertUntouched(): Promise<void> {
    const { runs } = (await get('/runs')).json;
    assert.deepEqual(
      runs.map((each: { run: string; status: string; held: number }) => [each.run, each.status, each.held]),
      [[run, 'held', 3]],
    );
  }

  test('a token that was revoked, or has expired, opens nothing', async () => {
    const revoked = await server.token('revoked', ['read']);
    const expired = await server.token('expired', ['read'], new Date(Date.now() - 1));
    assert.equal((await server.ask('/api/v1/runs', { token: revoked })).status, 200);
    await server.context.ledger.revokeToken('revoked');
    for (const bad of [revoked, expired]) {
      assertProblem(await server.ask('/api/v1/runs', { token: bad }), 401, 'UNAUTHORIZED');
    }
  });

  test('an empty list is refused, because it would select everybody', async () => {
    assertProblem(await post('/runs', { source: 'staff', only: [] }), 400, 'FST_ERR_VALIDATION');
    assertProblem(await post('/runs', { source: 'staff', only: [''] }), 400, 'FST_ERR_VALIDATION');
    assertProblem(await post(`/runs/${run}/approve`, { hash, only: [] }), 400, 'FST_ERR_VALIDATION');
    assertProblem(await post(`/runs/${run}/approve`, { hash, exceptGroups: [] }), 400, 'FST_ERR_VALIDATION');
    assertProblem(await post(`/runs/${run}/approve`, { hash, exceptGroups: [''] }), 400, 'FST_ERR_VALIDATION');
    const blank = await post(`/runs/${run}/approve`, { hash, exceptGroups: [' '] });
    assertProblem(blank, 409, 'NOT_NOW');
    assert.match(blank.json.detail, /exceptGroups is empty, which would approve everything/);
    await assertUntouched();
  });

  test('a value of another type than the document says is refused, not converted', async () => {
    for (const wrong of [
      { source: 'staff', all: 1 },
      { source: 'staff', all: 'true' },
      { source: 'staff', anew: null },
      { source: ['staff'] },
      { source: 'staff', only: 'person0@example.com' },
    ]) {
      assertProblem(await post('/runs', wrong), 400, 'FST_ERR_VALIDATION');
    }
    for (const wrong of [{ hash: [hash] }, { hash, only: 'new' }, { hash, note: 7 }, { hash, exceptGroups: 'Staff' }]) {
      assertProblem(await post(`/runs/${run}/approve`, wrong), 400, 'FST_ERR_VALIDATION');
    }
    assertProblem(await post('/person', { email: ['person0@example.com'] }), 400, 'FST_ERR_VALIDATION');
    await assertUntouched();
  });

  test('a query has whole numbers in plain digits, and each name once', async () => {
    assert.equal((await get('/runs?limit=1')).status, 200);
    for (const wrong of ['', '0', '101', '1.5', '1e1', '0x10', '+5', '05', 'true', '%31%00', '5&limit=6']) {
      assertProblem(await get(`/runs?limit=${wrong}`), 400, wrong === '%31%00' ? 'TEXT' : 'FST_ERR_VALIDATION');
    }
    assertProblem(await get(`/runs/${run}/report?format=csv&format=json`), 400, 'FST_ERR_VALIDATION');
    assertProblem(await get('/runs?limits=1'), 400, 'FST_ERR_VALIDATION');
  });

  test('a NUL or half of a surrogate pair is refused wherever it stands', async () => {
    for (const path of ['/runs/%00', '/runs/a%00b', '/runs/%00/plan', '/runs/%00/report', '/runs/%00/audit']) {
      assertProblem(await get(path), 400, 'TEXT');
    }
    assertProblem(await post('/runs/%00/cancel', {}), 400, 'TEXT');
    assertProblem(await post('/person', { email: 'a\0b@example.com' }), 400, 'TEXT');
    assertProblem(await post('/person', { email: '\uD800@example.com' }), 400, 'TEXT');
    assertProblem(await post('/runs', { source: 'staff', only: ['a\0@example.com'] }), 400, 'TEXT');
    assertProblem(await post('/runs', { source: 'st\0aff' }), 400, 'TEXT');
    assertProblem(await post('/runs', { source: 'staff', ['a\0']: 1 }), 400, 'TEXT');
    for (const more of [{ note: 'a\0' }, { note: '\uDC00' }, { exceptGroups: ['Staff\0'] }]) {
      assertProblem(await post(`/runs/${run}/approve`, { hash, ...more }), 400, 'TEXT');
    }
    assertProblem(await get('/runs/%20'), 400, 'FST_ERR_VALIDATION');
    await assertUntouched();
  });

  test('a body nested deeper than anybody needs is refused before it is parsed', async () => {
    const deep = (levels: number): Buffer =>
      Buffer.from(`{"source":"staff","only":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    assertProblem(await post('/runs', deep(30_000)), 400, 'TOO_DEEP');
    assertProblem(await post('/runs', deep(64)), 400, 'TOO_DEEP');
    assertProblem(await post('/runs', deep(60)), 400, 'FST_ERR_VALIDATION');
  });

  test('an upload with a record nested 50,000 deep is a run that failed, with its reason', async () => {
    const deep = `[{"email":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`;
    const answer = await server.ask('/api/v1/runs/upload?source=staff', {
      ...{ method: 'POST', token, body: Buffer.from(deep), headers: { 'content-type': 'application/json' } },
    });
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.json.detail, /more than 64 levels deep/);
    await assertUntouched();
  });
});
