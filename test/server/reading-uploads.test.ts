import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import { request } from 'undici';
import { type KeptUpload, KeptUploads } from '../../src/intake/kept-uploads.ts';
import { withUpload } from '../../src/intake/open-upload.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const people = 'First name,Last name,E-mail,Team\nNia,Day,nia@example.com,Sales\nSmý,Þór,smy@example.com,Sales\n';

suite('uploads are read two at a time', () => {
  let server: ApiServer;
  let token: string;
  let upload: KeptUpload;
  before(async () => {
    server = await startApiServer();
    token = await server.token('importer', ['read', 'run']);
    const bytes = (async function* () {
      yield people;
    })();
    upload = await new KeptUploads(server.context).add({ name: 'people.csv', by: 'mette' }, bytes);
  });
  after(() => server.close());

  /** A reading that lasts until it is let go. */
  function hold(signal?: AbortSignal) {
    const [open, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isOpen = false;
    const use = async (): Promise<void> => {
      isOpen = true;
      open.resolve();
      await release.promise;
    };
    const ended = withUpload(upload, use, signal);
    ended.catch(() => {});
    return { opened: open.promise, isOpen: () => isOpen, letGo: release.resolve, ended };
  }

  const inspect = (signal?: AbortSignal) =>
    request(`${server.url}/api/v1/uploads?file=new.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: people,
      ...(signal && { signal }),
    });

  test('a third waits for its turn, and gets it', async () => {
    const [first, second] = [hold(), hold()];
    await Promise.all([first.opened, second.opened]);
    const third = hold();
    const asked = inspect();
    for (let turns = 0; turns < 20; turns += 1) await turn();
    assert.ok(!third.isOpen());
    first.letGo();
    await third.opened;
    for (const each of [second, third]) each.letGo();
    const { statusCode, body } = await asked;
    // Other encodings are tried within its own reading.
    assert.deepEqual(
      [statusCode, ((await body.json()) as { sum: object }).sum],
      [201, { rows: 2, members: 2, merged: 0, filtered: 0, rejects: 0 }],
    );
    await Promise.all([first.ended, second.ended, third.ended]);
  });

  test('whoever has hung up waits no longer; beyond 20 who wait the answer is 503 BUSY', async () => {
    const held = [hold(), hold()];
    await Promise.all(held.map(({ opened }) => opened));
    const leaving = new AbortController();
    const before = (await new KeptUploads(server.context).of('token importer')).length;
    const left = inspect(leaving.signal);
    left.catch(() => {});
    while ((await new KeptUploads(server.context).of('token importer')).length === before);
    leaving.abort();
    while (!server.logged().includes('the client hung up')) await turn();
    const waiting = Array.from({ length: 20 }, () => hold());
    const { statusCode, headers, body } = await inspect();
    const { code } = (await body.json()) as { code: string };
    assert.deepEqual([statusCode, code, headers['retry-after']], [503, 'BUSY', '10']);
    for (const each of [...held, ...waiting]) each.letGo();
    await Promise.all([...held, ...waiting].map(({ ended }) => ended));
  });

  test('a change on the pages that many go before is 503, and one that fails after its page has gone on is said', async () => {
    const cookie = await server.signIn('token importer', ['read', 'run']);
    const get = (path: string) => server.ask(path, { headers: { cookie } });
    const rows = Array.from({ length: 1100 }, (_, at) => `Nia,Day,nia${at}@example.com,Sales,${'x'.repeat(950)}`);
    const large = Buffer.from(['First name,Last name,E-mail,Team,Notes', ...rows].join('\n'));
    const headers = { 'content-type': 'text/csv' };
    const added = await server.ask('/api/v1/uploads?file=large.csv', { method: 'POST', token, headers, body: large });
    const path = `/import/${added.json.upload}`;
    await server.ask(`/api/v1/uploads/${added.json.upload}/plan`, { method: 'POST', token, body: {} });
    const change = () =>
      server.ask(`${path}/correct`, {
        method: 'POST',
        headers: { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('to=changes&place=1&was=Nowhere&value=There'),
      });
    const held = [hold(), hold()];
    await Promise.all(held.map(({ opened }) => opened));
    const waiting = Array.from({ length: 20 }, () => hold());
    const refused = await change();
    assert.deepEqual([refused.status, /<h1>([^<]*)/.exec(refused.text)?.[1]], [503, 'The server is busy']);
    for (const each of waiting) each.letGo();
    held[0]?.letGo();
    await Promise.all(waiting.map(({ ended }) => ended));
    const third = hold();
    await third.opened;
    const late = await change();
    assert.deepEqual([late.status, late.headers['location']], [303, `${path}/planning`]);
    for (const each of [...held, third]) each.letGo();
    let next = await get(`${path}/planning`);
    while (next.status === 200) next = await get(`${path}/planning`);
    assert.equal(next.headers['location'], `${path}/people`);
    assert.match(
      (await get(`${path}/people`)).text,
      /No cell of &#34;Last name&#34; holds &#34;Nowhere&#34;\. Nothing was changed\./,
    );
    assert.ok(!server.logged().includes('Nowhere'));
  });

  test('a reading that nobody waits for any more ends, and its place is free', async () => {
    const leaving = new AbortController();
    const gone = new Error('gone');
    const read = withUpload(
      upload,
      async (roster) => {
        leaving.abort(gone);
        for await (const _ of roster.batches());
      },
      leaving.signal,
    );
    await assert.rejects(read, gone);
    const both = [hold(), hold()];
    await Promise.all(both.map(({ opened }) => opened));
    const stopped = new AbortController();
    const third = hold(stopped.signal);
    stopped.abort(gone);
    await assert.rejects(third.ended, gone);
    for (const each of both) each.letGo();
    await Promise.all(both.map(({ ended }) => ended));
  });
});
