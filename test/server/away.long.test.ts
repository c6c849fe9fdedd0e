import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeSignInLink } from '../../src/server/page/session.ts';
import { postgresSkipReason, startPostgres } from '../support/postgres.ts';
import { redisSkipReason, startRedis } from '../support/redis.ts';
import { type Asked, startApiServer } from './api-server.ts';

/** A page is answered within this time, ms, whatever is away; a busy machine takes its part of it. */
const boundMs = 10_000;
/** So is a request of a program, which waits for the ledger for 10 s. */
const programBoundMs = 20_000;

suite('pages and requests of programs while a server is away', { skip: postgresSkipReason || redisSkipReason }, () => {
  test('say which one, answer in bounded time, and are as before when it is back', async (t) => {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const servers = { databaseUrl: await postgres.freshLedger(), redisUrl: redis.url };
    const server = await startApiServer('  pushed: { scim: {} }\n', { servers });
    t.after(async () => {
      await server.close();
      await Promise.all([postgres.stop(), redis.stop()]);
    });
    const link = await makeSignInLink(server.context.ledger, 'mette@desk', ['read', 'run', 'approve']);
    const entered = await server.ask(link);
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    const inTime = async (path: string, asked: Asked, ms: number) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${path} was not answered within ${ms} ms`)), ms);
      });
      const answer = await Promise.race([server.ask(path, asked), late]);
      clearTimeout(timer);
      return answer;
    };
    const ask = (path: string, method: 'GET' | 'POST' = 'GET') => {
      const type = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url };
      return inTime(path, { method, headers: { cookie, ...(method === 'POST' && type) } }, boundMs);
    };
    const until = async (path: string, is: (answer: Awaited<ReturnType<typeof ask>>) => boolean) => {
      for (;;) {
        const answer = await ask(path);
        if (is(answer)) return answer;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    assert.doesNotMatch((await ask('/')).text, /Sending stands still/);

    await redis.stop();
    const shown = await until('/', ({ text }) => text.includes('Sending stands still: the queue does not answer'));
    assert.equal(shown.status, 200);
    assert.match(shown.text, /You\s+can still look, import files and decide\.[^]*Nothing waits for you/);
    const token = await server.token('client', ['read', 'run', 'approve']);
    const provider = await server.token('provider', ['scim:pushed']);
    server.roster('firstname,lastname,email,groups\nAnn,Ek,ann@example.com,Sales\n');
    const post = (path: string, body: object) => server.ask(`/api/v1/runs${path}`, { method: 'POST', token, body });
    const { json } = await post('', { source: 'staff' });
    const { hash } = (await server.ask(`/api/v1/runs/${json.run}/plan`, { token })).json;
    assert.equal((await post(`/${json.run}/approve`, { hash })).status, 200, 'files are planned and decided about');
    assert.equal(server.sandbox.calls.length, 0);
    await redis.start();
    while (server.sandbox.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await until('/', ({ text }) => !text.includes('Sending stands still'));

    await postgres.stop();
    const away = await until('/runs', ({ status }) => status === 503);
    assert.match(away.text, /The ledger does not answer[^]*not lost[^]*tries again every 5 seconds/);
    assert.deepEqual([away.headers['refresh'], away.headers['retry-after']], ['5', '5']);
    const sent = await ask('/people', 'POST');
    assert.equal(sent.status, 503);
    assert.match(sent.text, /may still be done then\. Look before you ask again/);
    assert.equal(sent.headers['refresh'], undefined);
    assert.equal((await ask('/page.css')).status, 200);
    const asks: [path: string, asked: Asked][] = [
      ['/api/v1/runs', { token }],
      [`/api/v1/runs/${json.run}/cancel`, { token, method: 'POST' }],
      ['/scim/v2/pushed/Users', { token: provider }],
    ];
    for (const { status, headers, text } of await Promise.all(
      asks.map(([path, asked]) => inTime(path, asked, programBoundMs)),
    )) {
      assert.equal(status, 503);
      assert.match(String(headers['retry-after']), /^\d+$/);
      assert.match(text, /The ledger does not answer\. What you asked for may still have been done/);
      assert.doesNotMatch(text, /127\.0\.0\.1|ECONN/);
    }
    await postgres.start();
    const back = await until('/runs', ({ status }) => status === 200);
    assert.match(back.text, /<b>mette@desk<\/b>, may approve/);
  });
});
