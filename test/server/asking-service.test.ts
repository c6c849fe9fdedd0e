import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { mostCallsInWindow } from '../../src/sandbox/index.ts';
import type { Scope } from '../../src/core/secrets/token.ts';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

suite('the service is asked from the settings page', () => {
  let server: ApiServer;
  let cookie = '';
  before(async () => {
    server = await startApiServer('', { rate: 2 });
    cookie = await signIn(['read', 'run']);
  });
  after(() => server.close());

  async function signIn(may: Scope[]): Promise<string> {
    return await server.signIn(may.join(), may);
  }

  const press = (by = cookie): Promise<Answered> =>
    server.ask('/settings/ask', { method: 'POST', headers: { cookie: by, origin: server.url } });

  test('by one at a time, at the pace of all calls, and the audit says who asked', async () => {
    // Nobody may call until all have asked.
    await server.context.pacer.tell('throttled', 0, 4000, 'HTTP 429');
    const answers = await Promise.all(Array.from({ length: 5 }, () => press()));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [200, 409, 409, 409, 409],
    );
    assert.match(answers[statuses.indexOf(200)]?.text ?? '', /answers and accepts the token/);
    for (let more = 0; more < 3; more += 1) assert.equal((await press()).status, 200);
    assert.equal(server.sandbox.calls.length, 4);
    assert.ok(mostCallsInWindow(server.sandbox.calls, 1000) <= 2);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deed?.by, deed?.action], ['read,run', 'ask the service']);
  });

  test('and not by somebody who may only look', async () => {
    const before = server.sandbox.calls.length;
    assert.equal((await press(await signIn(['read']))).status, 403);
    assert.equal(server.sandbox.calls.length, before);
  });

  test('while it asks not to be called nobody calls it, and the page says until when', async () => {
    server.sandbox.faults.add('status=429,retry-after=3600,nth=1');
    const refused = await press();
    assert.match(refused.text, /is rate-limiting us/);
    const before = server.sandbox.calls.length;
    const answer = await press();
    assert.match(answer.text, /not asked: .* is rate-limiting us until .*HTTP 429/);
    assert.equal(server.sandbox.calls.length, before);
  });
});
