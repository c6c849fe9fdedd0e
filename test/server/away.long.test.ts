import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeSignInLink } from '../../src/server/page/session.ts';
import { postgresSkipReason, startPostgres } from '../support/postgres.ts';
import { redisSkipReason, startRedis } from '../support/redis.ts';
import { startApiServer } from './api-server.ts';

/** A page is answered within this time, ms, whatever is away; a busy machine takes its part of it. */
const boundMs = 10_000;

suite('the pages while a server is away', { skip: postgresSkipReason || redisSkipReason }, () => {
  test('say which one, answer in bounded time, and are as before when it is back', async (t) => {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const servers = { databaseUrl: await postgres.freshLedger(), redisUrl: redis.url };
    const server = await startApiServer('', { servers });
    t.after(async () => {
      await server.close();
      await Promise.all([postgres.stop(), redis.stop()]);
    });
    const link = await makeSignInLink(server.context.ledger, 'mette@desk', ['read', 'run', 'approve']);
    const entered = await server.ask(link);
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
    const ask = async (path: string, method: 'GET' | 'POST' = 'GET') => {
      const type = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url };
      const headers = { cookie, ...(method === 'POST' && type) };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${path} was not answered within ${boundMs} ms`)), boundMs);
      });
      const answer = await Promise.race([server.ask(path, { method, headers }), late]);
      clearTimeout(timer);
      return answer;
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
    assert.match(shown.text, /You\s+can still look, bring files and decide\.[^]*Nothing waits for you/);
    const token = await server.token('client', ['read', 'run', 'approve']);
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
    await postgres.start();
    const back = await until('/runs', ({ status }) => status === 200);
    assert.match(back.text, /<b>mette@desk<\/b>, may approve/);
  });
});
