import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { deserialize } from 'node:v8';
import { Pool } from 'pg';
import { InputError } from '../../src/core/errors.ts';
import type { Database } from '../../src/ledger/database/database.ts';
import { OwnerGoneError } from '../../src/ledger/directory/owner.ts';
import { type Verb, verb } from '../../src/ledger/verb.ts';
import { verbs } from '../../src/ledger/verbs.ts';
import { actsPath, errorOf, ledgerPath, packResult, unpackResult } from '../../src/server/ledger-calls.ts';
import { createOwnerApp } from '../../src/server/owner-app.ts';
import { answerOthers } from '../../src/server/owner-socket.ts';
import { signInLinkPath } from '../../src/server/page/session.ts';
import { startApiServer } from './api-server.ts';

test('what is asked while the owner closes its ledger says that the owner is gone, so that it is asked again elsewhere', async () => {
  const pool = new Pool();
  await pool.end();
  const packed = await packResult(() => pool.query('select 1'));
  assert.throws(() => unpackResult(packed), OwnerGoneError);
});

test('a verb of the ledger compiles only with both marks', () => {
  const act = (_db: Database): Promise<void> => Promise.resolve();
  const marked = {
    whole: verb(act, 'repeat', 'local'),
    // @ts-expect-error: it says neither whether it may be asked twice nor from where
    bare: act,
    // @ts-expect-error: it does not say from where
    half: verb(act, 'repeat'),
  } satisfies Record<string, Verb>;
  assert.equal(marked.whole.act, act);
});

test('the owner answers on its socket the verbs that are marked remote, and refuses every other name', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const app = await createOwnerApp({ context, poke: () => {} });
  t.after(() => app.close());
  const ask = async (name: string): Promise<number> => {
    const answer = await app.inject({ method: 'POST', url: `${ledgerPath}/${name}` });
    return answer.statusCode;
  };
  const { ledger } = context;
  const names = [...Object.keys(ledger), 'constructor', '__proto__', 'toString'];
  const isMarked = (name: string): boolean =>
    Object.entries(verbs).some((each) => each[0] === name && each[1].reach === 'remote');
  const local = names.filter((name) => !isMarked(name));
  for (const name of ['claim', 'record', 'everybody', 'worker', 'releaseRun', 'stageRows', 'erasePerson']) {
    assert.ok(local.includes(name), name);
  }
  for (const name of local) assert.equal(await ask(name), 404, name);
  for (const name of ['ledgerId', 'unfinishedRuns', 'listTokens']) assert.equal(await ask(name), 200, name);
});

test('acts are asked for on the socket by their ids; what they refuse comes back with its code, and who asked is in the audit', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const app = await createOwnerApp({ context, poke: () => {} });
  t.after(() => app.close());
  const ask = async (id: string, input: object): Promise<Record<string, unknown>> => {
    const payload = { by: 'anna@hr-laptop', input };
    const answer = await app.inject({ method: 'POST', url: `${actsPath}/${id}`, payload });
    return answer.statusCode < 300 ? (deserialize(answer.rawPayload) as Record<string, unknown>) : answer.json();
  };
  const { code, detail } = await ask('runs.pause', { run: '7f3a' });
  assert.deepEqual([code, detail], ['NOT_FOUND', 'There is no run 7f3a; `roster-sync runs` lists them.']);
  assert.ok(errorOf({ code: String(code), message: String(detail) }) instanceof InputError);
  assert.equal((await ask('runs.erase', {}))['code'], 'NOT_FOUND');
  assert.equal((await ask('leftBehind.mark', { before: new Date().toISOString() }))['by'], 'anna@hr-laptop');
  const [deed] = await context.ledger.listDeeds({ limit: 1 });
  assert.deepEqual([deed?.by, deed?.origin], ['anna@hr-laptop', '']);
});

test('who asked while `serve` was starting does not keep its socket from what it can do once it has started', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const path = join(context.directory?.path ?? '', 'asked.sock');
  const ownSocket = createServer().listen(path);
  await once(ownSocket, 'listening');
  t.after(() => ownSocket.close());
  const answering = answerOthers({ ...context, ownSocket });
  t.after(() => answering.close());
  const status = async (): Promise<number | undefined> => {
    const headers = { 'content-type': 'application/json' };
    const asked = request({ socketPath: path, path: signInLinkPath, method: 'POST', agent: false, headers });
    asked.end(JSON.stringify({ name: 'ann' }));
    const [answer] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
    answer.resume();
    return answer.statusCode;
  };
  assert.equal(await status(), 409);
  const address = 'http://127.0.0.1:1';
  answering.as({ context, address, host: '127.0.0.1', poke: () => {}, notReady: () => Promise.resolve([]) });
  assert.equal(await status(), 200);
});
