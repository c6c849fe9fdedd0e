import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { InputError, StorageError } from '../../src/core/errors.ts';
import { OwnerGoneError } from '../../src/ledger/directory/owner.ts';
import { actsPath } from '../../src/acts/act.ts';
import { errorOf } from '../../src/cli/frame/through-owner.ts';
import { createOwnerApp } from '../../src/server/owner-app.ts';
import { answerOthers } from '../../src/server/owner-socket.ts';
import { signInLinkPath } from '../../src/server/page/session.ts';
import type { DeliveryContext } from '../../src/wiring/context.ts';
import { startApiServer } from './api-server.ts';

test('what is asked while the owner closes its ledger says that the owner is gone, so that it is asked again elsewhere', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const listRuns = async (): Promise<never> => {
    void app.close();
    if (!app.closing.aborted) await once(app.closing, 'abort');
    throw new StorageError('the embedded database has stopped: it was closed.');
  };
  const app = await createOwnerApp({
    context: { ...context, ledger: { ...context.ledger, listRuns } },
    poke: () => {},
  });
  t.after(() => app.close());
  const asked = { by: 'anna@hr-laptop', input: { limit: 1 } };
  const answer = await app.inject({ method: 'POST', url: `${actsPath}/runs.list`, payload: asked });
  assert.ok(errorOf(answer.json()) instanceof OwnerGoneError);
});

test('acts are asked for on the socket by their ids; what they refuse comes back with its code, and who asked is in the audit', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const app = await createOwnerApp({ context, poke: () => {} });
  t.after(() => app.close());
  const ask = async (id: string, input: object): Promise<Record<string, unknown>> => {
    const payload = { by: 'anna@hr-laptop', input };
    const answer = await app.inject({ method: 'POST', url: `${actsPath}/${id}`, payload });
    return answer.json<Record<string, unknown>>();
  };
  const { code, detail, next } = await ask('runs.pause', { run: '7f3a' });
  assert.deepEqual([code, detail, next], ['NOT_FOUND', 'There is no run 7f3a.', [{ act: 'runs.list' }]]);
  assert.ok(errorOf({ code: String(code), detail: String(detail) }) instanceof InputError);
  for (const id of ['runs.erase', 'runs.start', 'uploads.inspect'])
    assert.equal((await ask(id, {}))['code'], 'NOT_FOUND', id);
  assert.equal((await ask('leftBehind.mark', { before: new Date().toISOString() }))['by'], 'anna@hr-laptop');
  const [deed] = await context.ledger.listDeeds({ limit: 1 });
  assert.deepEqual([deed?.by, deed?.origin], ['anna@hr-laptop', '']);
});

/** Has a context answer on a socket of its own; `status` is that of the answer to a request for a link to sign in. */
async function answerOn(t: TestContext, context: DeliveryContext) {
  const path = join(context.directory?.path ?? '', 'asked.sock');
  const ownSocket = createServer().listen(path);
  await once(ownSocket, 'listening');
  t.after(() => ownSocket.close());
  const answering = answerOthers(Object.defineProperty(context, 'ownSocket', { value: ownSocket }));
  t.after(() => answering.close());
  const status = async (): Promise<number | undefined> => {
    const headers = { 'content-type': 'application/json' };
    const asked = request({ socketPath: path, path: signInLinkPath, method: 'POST', agent: false, headers });
    asked.end(JSON.stringify({ name: 'ann' }));
    const [answer] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
    answer.resume();
    return answer.statusCode;
  };
  return { answering, status };
}

const serving = {
  address: 'http://127.0.0.1:1',
  host: '127.0.0.1',
  poke: () => {},
  notReady: () => Promise.resolve([]),
};

test('who asked while `serve` was starting does not keep its socket from what it can do once it has started', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const { answering, status } = await answerOn(t, { ...context });
  assert.equal(await status(), 409);
  answering.as({ ...serving, context });
  assert.equal(await status(), 200);
});

test('a socket that could not be served once is served when somebody asks again', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  let times = 0;
  const { status } = await answerOn(t, {
    ...context,
    get ledger() {
      if ((times += 1) === 1) throw new Error('too many open files');
      return context.ledger;
    },
  });
  await assert.rejects(status());
  assert.equal(await status(), 409);
});

test('closing waits for the answers that are under way', async (t) => {
  const { context, close } = await startApiServer();
  t.after(close);
  const ledger = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const slow = {
    ...context,
    ledger: { ...context.ledger, addSession: () => (asked.resolve(), ledger.promise) },
  };
  const { answering, status } = await answerOn(t, slow);
  answering.as({ ...serving, context: slow });
  const answered = status();
  await asked.promise;
  const order: string[] = [];
  setTimeout(() => {
    order.push('written');
    ledger.resolve();
  }, 200);
  await answering.close();
  order.push('closed');
  assert.equal(await answered, 200);
  assert.deepEqual(order, ['written', 'closed']);
});
