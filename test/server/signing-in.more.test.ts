import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { hashPassword, saltBytes } from '../../src/core/access/password.ts';
import { accountKey, type Role } from '../../src/core/access/roles.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const password = 'a long enough password';

suite('signing in to the pages with an account', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
  });
  after(() => server.close());

  async function account(name: string, role: Role = 'viewer'): Promise<void> {
    const kept = await hashPassword(password, randomBytes(saltBytes));
    await server.context.ledger.addAccount({ key: accountKey(name), name, role, password: kept });
  }

  function post(path: string, fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
    const type = 'application/x-www-form-urlencoded';
    return server.ask(path, {
      method: 'POST',
      headers: { 'content-type': type, origin: server.url, cookie, ...headers },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    });
  }

  async function signIn(name: string, fields: Record<string, string> = {}): Promise<string> {
    const answer = await post('/sign-in', { name, password, ...fields });
    assert.ok(answer.status < 400, answer.text);
    return String(answer.headers['set-cookie']).split(';')[0] ?? '';
  }

  async function status(path: string, cookie: string): Promise<number> {
    return (await server.ask(path, { headers: { cookie } })).status;
  }

  test('leads to where somebody was; the cookie is for no script and no other site; the audit names them', async () => {
    await account('Mette Krogh', 'approver');
    const answer = await post('/sign-in', { name: 'mette KROGH ', password, to: '/runs?x=1' });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers['location'], '/runs?x=1');
    assert.match(String(answer.headers['set-cookie']), /; HttpOnly; SameSite=Lax$/);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deed?.by, deed?.action], ['Mette Krogh', 'sign in to the pages']);
    const page = await server.ask('/runs', { headers: { cookie: String(answer.headers['set-cookie']) } });
    assert.match(page.text, /<b>Mette Krogh<\/b>, may approve/);
  });

  test('an address elsewhere is no way back', async () => {
    await account('Wanda');
    for (const to of ['//evil.example/x', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      assert.equal((await post('/sign-in', { name: 'wanda', password, to })).headers['location'], '/', to);
    }
  });

  test('takes a form and nothing else: what is no form, has no body or names something twice is no failure of ours', async () => {
    const asked: [path: string, type: string | undefined, body: string, status: number][] = [
      ...['[]', '7', 'null', '{"name":{"a":1}}', '{"name":["x"],"password":7}', '{', '"x"'].map(
        (body): [string, string, string, number] => ['/sign-in', 'application/json', body, 415],
      ),
      ['/sign-in', 'text/plain', 'name', 415],
      ['/sign-in', undefined, '', 401],
      ['/sign-in', 'application/x-www-form-urlencoded', 'name=a&name=b&kept=[1]', 401],
      ['/sign-out', 'application/json', '[]', 401],
    ];
    for (const [path, type, body, expected] of asked) {
      const headers = { origin: server.url, ...(type !== undefined && { 'content-type': type }) };
      const answer = await server.ask(path, { method: 'POST', headers, body: Buffer.from(body) });
      assert.equal(answer.status, expected, `${path} ${type} ${body}`);
    }
    assert.equal((await server.ask('/sign-in?link=a&link=b&to=%2F&to=x')).status, 403);
    assert.doesNotMatch(server.logged(), /failed unexpectedly/);
  });

  test('a wrong password and an unknown name are answered alike, and take the same work', async () => {
    await account('Ole');
    const wrong = await post('/sign-in', { name: 'ole', password: 'another long password' });
    const unknown = await post('/sign-in', { name: 'odd', password: 'another long password' });
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /Name or password is wrong\./);
    assert.equal(wrong.text.replaceAll('"ole"', '"odd"'), unknown.text);
    assert.equal(wrong.headers['set-cookie'], undefined);
    const took = async (name: string): Promise<number> => {
      const begun = process.cpuUsage();
      await post('/sign-in', { name, password: 'another long password' });
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1000;
    };
    const [known, nobody] = [await took('ole'), await took('odd')];
    // Without the hash it would be a few ms of the processor.
    assert.ok(nobody > known / 3, `${nobody} ms for nobody, ${known} ms for somebody`);
  });

  test('after ten attempts with one name the right password does not help either, and others still get in', async () => {
    await account('Paula');
    await account('Quentin');
    for (let at = 0; at < 10; at += 1) {
      assert.equal((await post('/sign-in', { name: 'paula', password: 'wrong' })).status, 401);
    }
    const answer = await post('/sign-in', { name: 'PAULA', password });
    assert.equal(answer.status, 429);
    assert.match(answer.text, /Too many attempts\. Wait 15 minutes/);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal((await post('/sign-in', { name: 'quentin', password })).status, 303);
  });

  test('a form of another page does not sign in', async () => {
    const answer = await post('/sign-in', { name: 'ole', password }, '', { origin: 'https://evil.example' });
    assert.equal(answer.status, 403);
    assert.equal((await post('/sign-in', { name: 'ole', password }, '', { origin: 'null' })).status, 403);
  });

  test('over a line that is not encrypted no password is taken', async () => {
    const host = '192.0.2.7:8080';
    const answer = await post('/sign-in', { name: 'ole', password }, '', { host, origin: `http://${host}` });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /not encrypted, so nobody signs in over it/);
  });

  test('a new role counts at once; a new password, signing out and removing end every session', async () => {
    const { ledger } = server.context;
    await account('Rosa', 'operator');
    const cookie = await signIn('rosa');
    const upload = (): Promise<{ status: number; text: string }> => post('/runs/latest/pause', {}, cookie);
    assert.equal((await upload()).status, 404);
    await ledger.changeRole('rosa', 'viewer');
    const refused = await upload();
    assert.equal(refused.status, 403);
    assert.match(refused.text, /You may look\. Mette Krogh may approve\. Nothing was changed\./);
    assert.doesNotMatch((await server.ask('/runs', { headers: { cookie } })).text, /href="\/import"/);
    await ledger.changePassword('rosa', await hashPassword(password, randomBytes(saltBytes)));
    assert.equal(await status('/runs', cookie), 303);
    const again = await signIn('rosa');
    assert.equal(await status('/runs', again), 200);
    assert.equal(await ledger.endSessionsOf({ account: 'rosa', name: 'Rosa' }), 1);
    assert.equal(await status('/runs', again), 303);
    const last = await signIn('rosa');
    await ledger.removeAccount('rosa');
    assert.equal(await status('/runs', last), 303);
    assert.equal((await post('/sign-in', { name: 'rosa', password })).status, 401);
  });

  test('a form that is sent after the session ended is kept, and sent only when somebody says so', async () => {
    const { ledger } = server.context;
    await account('Sven', 'approver');
    const cookie = await signIn('sven');
    await ledger.endSessionsOf({ account: 'sven', name: 'Sven' });
    const typed = { email: 'ann"<b>@example.com' };
    const answer = await post('/people', typed, cookie);
    assert.equal(answer.status, 401);
    assert.match(answer.text, /You were signed out[^]*A session lasts 8 hours\. What you typed is kept\./);
    assert.match(answer.text, /Sign in and go on/);
    const kept = JSON.stringify(typed);
    const back = await post('/sign-in', { name: 'sven', password, to: '/people', kept });
    assert.equal(back.status, 200);
    assert.match(
      back.text,
      /was not sent yet[^]*action="\/people"[^]*name="email" value="ann&#34;&#60;b&#62;@example\.com"/,
    );
    assert.doesNotMatch(answer.text + back.text, /ann"<b>/);
  });

  test('without a session a large form is not read, and names are remembered by their first 64 letters', async () => {
    for (const path of ['/import', '/import/x', '/kept/x']) {
      const answer = await post(path, { typed: 'x'.repeat(path === '/import' ? 1000 : 100_000) });
      assert.equal(answer.status, 401);
      assert.doesNotMatch(answer.text, /xxx/, path);
    }
    const long = '\u{FDFA}'.repeat(64);
    for (let at = 0; at < 10; at += 1) await post('/sign-in', { name: long + at, password });
    assert.equal((await post('/sign-in', { name: long, password })).status, 429);
  });

  test('a file is taken as multipart/form-data alone', async () => {
    await account('Tove', 'operator');
    const answer = await post('/import', { file: 'x' }, await signIn('tove'));
    assert.equal(answer.status, 415);
    assert.match(answer.text, /Send the file as multipart/);
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; charset=utf-8',
    ]) {
      const headers = { cookie: await signIn('tove'), origin: server.url, 'content-type': type };
      const { status, text } = await server.ask('/import', { method: 'POST', headers, body: Buffer.from('x') });
      assert.deepEqual([status, /The form says no boundary/.test(text)], [400, true], type);
    }
  });

  test('who opens a page without a session comes back to it', async () => {
    const answer = await server.ask('/runs?x=1');
    assert.equal(answer.headers['location'], '/sign-in?to=%2Fruns%3Fx%3D1');
    const page = await server.ask('/sign-in?to=%2Fruns%3Fx%3D1');
    assert.match(page.text, /name="to" value="\/runs\?x=1"/);
  });
});
