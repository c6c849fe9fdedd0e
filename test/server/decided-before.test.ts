import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Scope } from '../../src/core/secrets/token.ts';
import { makeSignInLink } from '../../src/server/page/session.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

suite('a decision on a page while somebody else decides', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
  });
  after(() => server.close());

  async function held(token: string, domain: string): Promise<{ run: string; hash: string }> {
    const people = Array.from({ length: 60 }, (_, at) => `Ann ${at},Ek,ann.${at}@${domain},Sales`);
    server.roster(['firstname,lastname,email,groups', ...people, ''].join('\n'));
    const { json } = await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } });
    const run = (await server.ask(`/api/v1/runs/${json.run}`, { token })).json;
    assert.equal(run.status, 'held');
    return { run: json.run, hash: run.hold.hash };
  }

  test('only from a page of ours, and only by somebody who may steer runs, is a run cancelled', async () => {
    const { run } = await held(await server.token('starter', ['read', 'run']), 'pages.example.com');
    const { ledger } = server.context;
    const cancel = async (scopes: Scope[], origin?: string): Promise<number> => {
      const link = await makeSignInLink(ledger, 'eva@desk', scopes);
      const cookie = String((await server.ask(link)).headers['set-cookie']).split(';')[0] ?? '';
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) };
      return (await server.ask(`/runs/${run}/cancel`, { method: 'POST', headers, body: Buffer.from('') })).status;
    };
    assert.equal(await cancel(['read'], server.url), 403);
    for (const origin of [undefined, 'null', server.url.replace(/:\d+$/, ':1')]) {
      assert.equal(await cancel(['read', 'run', 'approve'], origin), 403, String(origin));
    }
    assert.equal((await ledger.findRuns(run))[0]?.status, 'held');
    assert.equal(await cancel(['read', 'run'], server.url), 303);
    assert.equal((await ledger.findRuns(run))[0]?.status, 'cancelled');
  });

  for (const deed of ['cancel', 'approve'] as const) {
    test(`after the page has read the run, another ${deed} comes first: the page says so, and not that it is held`, async () => {
      const token = await server.token(`decider-${deed}`, ['read', 'run', 'approve']);
      const { run, hash } = await held(token, `${deed}.example.com`);
      const { ledger } = server.context;
      const link = await makeSignInLink(ledger, 'jonas@desk', ['read', 'run', 'approve']);
      const cookie = String((await server.ask(link)).headers['set-cookie']).split(';')[0] ?? '';
      const { countHeldPart } = ledger;
      // The moment between reading the run and approving it.
      Object.assign(ledger, {
        async countHeldPart(...asked: Parameters<typeof countHeldPart>) {
          Object.assign(ledger, { countHeldPart });
          const { status } = await server.ask(`/api/v1/runs/${run}/${deed}`, {
            method: 'POST',
            token,
            body: deed === 'approve' ? { hash } : {},
          });
          assert.equal(status, 200);
          return countHeldPart(...asked);
        },
      });
      const { status, text } = await server.ask(`/runs/${run}/decide`, {
        method: 'POST',
        headers: { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(new URLSearchParams({ choice: 'all', confirm: '60', hash }).toString()),
      });
      assert.equal(status, 409);
      assert.match(text, /role="alert"/);
      assert.match(text, /Somebody decided before you\. Nothing of what you chose was done\./);
      assert.doesNotMatch(text, /value="all"|This is what is left/);
    });
  }
});
