import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { makeSignInLink } from '../../src/server/page/session.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const password = 'a long enough password';

suite('accounts on the pages', () => {
  let server: ApiServer;
  let owner: string;
  before(async () => {
    server = await startApiServer();
    owner = await server.signIn('it@server', ['read', 'run', 'approve', 'access']);
  });
  after(() => server.close());

  const cookieIn = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): string =>
    String(headers['set-cookie']).split(';')[0] ?? '';

  function post(path: string, fields: Record<string, string>, cookie = owner) {
    return server.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url, cookie },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    });
  }

  const get = (path: string, cookie: string) => server.ask(path, { headers: { cookie } });

  /** Invites somebody, and returns what their link holds. */
  async function invite(name: string, role: string): Promise<string> {
    const answer = await post('/accounts', { name, role });
    assert.equal(answer.status, 200, answer.text);
    return linkIn(answer.text);
  }

  function linkIn(text: string): string {
    const [, address = '', link = ''] = /value="([^"]+)\/welcome\?link=(rstk_[\w-]+)"/.exec(text) ?? [];
    assert.equal(address, server.url);
    return link;
  }

  async function accept(link: string): Promise<string> {
    const answer = await post('/welcome', { link, password, again: password }, '');
    assert.equal(answer.status, 303, answer.text);
    return cookieIn(answer);
  }

  test('who is invited chooses a password with the link, once; looking at the link uses nothing up', async () => {
    const link = await invite('Mette Krogh', 'operator');
    assert.match(
      (await get('/accounts', owner)).text,
      /<b>Mette Krogh<\/b>[^]*?operator[^]*?never signed in[^]*?has a link until/,
    );
    for (let look = 0; look < 2; look += 1) {
      const page = await get(`/welcome?link=${link}`, '');
      assert.equal(page.status, 200);
      assert.match(page.text, /Welcome, Mette Krogh/);
    }
    for (const [tried, again, why] of [
      ['short', 'short', /has 5 characters/],
      [password, `${password}!`, /are not the same/],
    ] as const) {
      const refused = await post('/welcome', { link, password: tried, again }, '');
      assert.equal(refused.status, 422);
      assert.match(refused.text, why);
      assert.equal(refused.headers['set-cookie'], undefined);
    }
    const cookie = await accept(link);
    assert.match((await get('/runs', cookie)).text, /<b>Mette Krogh<\/b>, may start and stop runs/);
    for (const answer of [
      await post('/welcome', { link, password: 'quite another one', again: 'quite another one' }, ''),
      await get(`/welcome?link=${link}`, ''),
      await get(`/sign-in?link=${link}`, ''),
    ]) {
      assert.equal(answer.status, 403);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    assert.equal((await post('/sign-in', { name: 'mette krogh', password }, '')).status, 303);
    const said = (await server.context.ledger.listDeeds({ limit: 10 })).map(({ by, action }) => `${by}: ${action}`);
    assert.ok(said.includes('it@server: make a link for Mette Krogh, operator'), said.join('\n'));
    assert.ok(said.includes('Mette Krogh: choose a password'), said.join('\n'));
  });

  test('a link to an account lets nobody in without a password', async () => {
    const link = await invite('Nils', 'approver');
    const answer = await get(`/sign-in?link=${link}`, '');
    assert.equal(answer.status, 403);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal((await get(`/welcome?link=${link}`, '')).status, 200, 'and is not used up by that');
    const own = await makeSignInLink(server.context.ledger, 'it@server', ['read', 'access']);
    const [, token = ''] = /link=(.+)$/.exec(own) ?? [];
    assert.equal((await get(`/welcome?link=${token}`, '')).status, 403);
  });

  test('a new link ends sessions and links of before; so does the end of an account', async () => {
    const cookie = await accept(await invite('Ole', 'viewer'));
    const first = linkIn((await post('/accounts/link', { name: 'ole' })).text);
    assert.equal((await get('/runs', cookie)).status, 303, 'signed out');
    const second = linkIn((await post('/accounts/link', { name: 'Ole' })).text);
    assert.equal((await get(`/welcome?link=${first}`, '')).status, 403);
    await post('/accounts/remove', { name: 'Ole' });
    assert.equal((await get(`/welcome?link=${second}`, '')).status, 403);
    assert.equal((await post('/welcome', { link: second, password, again: password }, '')).status, 403);
    assert.equal((await post('/accounts/link', { name: 'Ole' })).status, 404);
  });

  test('a role is changed at once, and a session ended, also of who has no account', async () => {
    const cookie = await accept(await invite('Paula', 'viewer'));
    assert.equal((await post('/accounts/role', { name: 'Paula', role: 'approver' })).status, 303);
    assert.match((await get('/runs', cookie)).text, /may approve/);
    assert.match((await get('/accounts', owner)).text, /<b>Paula<\/b>[^]*?signed in/);
    const guest = await server.signIn('Rosa, rosa@example.com (2f9c)', ['read']);
    assert.match((await get('/accounts', owner)).text, /Signed in without an account[^]*Rosa, rosa@example.com/);
    for (const [name, session] of [
      ['Paula', cookie],
      ['Rosa, rosa@example.com (2f9c)', guest],
    ] as const) {
      assert.equal((await post('/accounts/sign-out', { name })).status, 303);
      assert.equal((await get('/runs', session)).status, 303, `${name} is signed out`);
    }
  });

  test('only admins give access: an approver neither sees the page nor changes an account', async () => {
    await invite('Sven', 'viewer');
    const approver = await accept(await invite('Tove', 'approver'));
    const admin = await accept(await invite('Ulla', 'admin'));
    assert.equal((await get('/accounts', admin)).status, 200);
    assert.equal((await get('/accounts', approver)).status, 403);
    assert.doesNotMatch((await get('/runs', approver)).text, /href="\/accounts"/);
    for (const [path, fields] of Object.entries({
      '/accounts': { name: 'Vera', role: 'approver' },
      '/accounts/link': { name: 'Sven' },
      '/accounts/role': { name: 'Tove', role: 'admin' },
      '/accounts/sign-out': { name: 'Ulla' },
      '/accounts/remove': { name: 'Sven' },
    })) {
      assert.equal((await post(path, fields, approver)).status, 403, path);
    }
    const accounts = await server.context.ledger.listAccounts();
    assert.deepEqual(
      accounts.filter(({ key }) => ['vera', 'tove'].includes(key)).map(({ role }) => role),
      ['approver'],
    );
    assert.equal((await get('/accounts', admin)).status, 200, 'still signed in');
  });

  test('what is no name or no role is said at the form, which keeps what was typed', async () => {
    for (const [fields, why] of [
      [{ name: '<b>', role: 'viewer' }, /aria-describedby="wrong"/],
      [{ name: 'Wanda', role: 'king' }, /king is not a role/],
      [{ name: 'Tove', role: 'viewer' }, /There is an account Tove already/],
    ] as const) {
      const answer = await post('/accounts', fields);
      assert.equal(answer.status, 422);
      assert.match(answer.text, why);
    }
  });
});
