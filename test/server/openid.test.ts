import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { request } from 'undici';
import { isSamePerson } from '../../src/core/access/roles.ts';
import { hashToken } from '../../src/core/secrets/token.ts';
import { nameOf } from '../../src/server/page/openid.ts';
import { type SignInService, startSignInService } from '../support/sign-in-service.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const clientSecret = 'the-secret-of-this-registration-9f3';

interface Came {
  status: number;
  text: string;
  url: string;
}

/** What a browser does: it keeps cookies and follows redirects. */
class Browser {
  readonly jar = new Map<string, string>();

  async go(url: string, form?: Record<string, string>, stopAt?: string): Promise<Came> {
    const { origin } = new URL(url);
    const answer = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.jar.set(name, value);
    }
    const text = await answer.body.text();
    const { location } = answer.headers;
    if (location === undefined) return { status: answer.statusCode, text, url };
    const next = new URL(String(location), url).href;
    if (stopAt !== undefined && next.startsWith(stopAt)) return { status: answer.statusCode, text, url: next };
    return this.go(next, undefined, stopAt);
  }
}

suite('signing in by OpenID Connect', () => {
  const people: Record<string, Record<string, unknown>> = {
    mette: { name: 'Mette Krogh', email: 'mette@example.com', email_verified: true, groups: ['staff', 'hr-leads'] },
    jonas: { name: 'Jonas Weber', email: 'mette@example.com', email_verified: false, groups: 'staff' },
    eve: { name: 'Eve', email: 'eve@example.com', groups: ['guests'] },
  };
  let service: SignInService;
  let server: ApiServer;
  let callback: string;
  before(async () => {
    service = await startSignInService(people);
    server = await startApiServer(`
server:
  signIn:
    name: Example Login
    issuer: ${service.issuer}
    clientId: roster-sync
    clientSecret: ${clientSecret}
    scope: openid profile email groups
    roles: { staff: viewer, hr-leads: approver }
`);
    callback = `${server.url}/sign-in/callback`;
    service.register({ id: 'roster-sync', secret: clientSecret, returnTo: callback });
  });
  after(async () => {
    await server.close();
    await service.close();
  });

  /** Signs in at the service; stops before coming back where that is asked for. */
  async function signIn(
    who: string,
    { begin = '/sign-in/with?to=%2Fruns', stopAt = '' } = {},
    browser = new Browser(),
  ) {
    const form = await browser.go(begin.startsWith('http') ? begin : server.url + begin);
    assert.match(form.url, /\/interaction\//, form.text);
    const fields = { prompt: 'login', login: who, password: 'any' };
    return { browser, came: await browser.go(form.url, fields, stopAt === '' ? undefined : stopAt) };
  }

  async function isSignedIn(browser: Browser): Promise<boolean> {
    return (await browser.go(`${server.url}/runs`)).url.endsWith('/runs');
  }

  test('the service says who it is, and its claim what they may do; they come back to where they were', async () => {
    const page = await server.ask('/sign-in?to=%2Fruns');
    assert.match(page.text, /href="\/sign-in\/with\?to=%2Fruns">Sign in with Example Login</);
    const { came } = await signIn('mette');
    assert.equal(came.url, `${server.url}/runs`);
    assert.match(came.text, /<b>Mette Krogh, mette@example\.com \([\da-f]{16}\)<\/b>, may approve/);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.match(deed?.by ?? '', /^Mette Krogh, mette@example\.com \([\da-f]{16}\)$/);
    assert.equal(deed?.action, 'sign in to the pages');
  });

  test('an address that the service has not checked names nobody', async () => {
    const { came } = await signIn('jonas');
    assert.match(came.text, /<b>Jonas Weber, jonas \([\da-f]{16}\)<\/b>, may look/);
  });

  test('by the claim `email` an address that the service has not checked gives no role', async (t) => {
    const another = await startSignInService(people);
    t.after(another.close);
    const byAddress = await startApiServer(`
server:
  signIn:
    issuer: ${another.issuer}
    clientId: by-address
    clientSecret: ${clientSecret}
    claim: email
    roles: { mette@example.com: approver }
`);
    t.after(byAddress.close);
    another.register({ id: 'by-address', secret: clientSecret, returnTo: `${byAddress.url}/sign-in/callback` });
    const begin = `${byAddress.url}/sign-in/with?to=%2Fruns`;
    const { came: refused } = await signIn('jonas', { begin });
    assert.deepEqual([refused.status, /nobody has said what you may do/.test(refused.text)], [403, true]);
    assert.match((await signIn('mette', { begin })).came.text, /<b>Mette Krogh, [^<]*<\/b>, may approve/);
  });

  test('somebody whose address changes is the same person, so that no second yes is theirs', async () => {
    const { ledger } = server.context;
    const names: string[] = [];
    for (const email of ['mette@example.com', 'mette.holm@example.com']) {
      people['mette'] = { ...people['mette'], email };
      await signIn('mette');
      names.push((await ledger.listDeeds({ limit: 1 }))[0]?.by ?? '');
    }
    people['mette'] = { ...people['mette'], email: 'mette@example.com' };
    const [before = '', after = ''] = names;
    assert.notEqual(before, after);
    assert.ok(isSamePerson(before, after), `${before} and ${after}`);
  });

  test('the same `sub` at another service is another person', () => {
    const [name, there] = ['https://one.example.com', 'https://two.example.com'].map((issuer) =>
      nameOf({ sub: '4711', name: 'Mette Krogh' }, new URL(issuer)),
    );
    assert.ok(name && there && !isSamePerson(name, there), `${name} and ${there}`);
  });

  test('a person without a role is told so, and is not let in', async () => {
    const { came, browser } = await signIn('eve');
    assert.equal(came.status, 403);
    assert.match(came.text, /You are Eve, eve \([\da-f]{16}\), but nobody has said what you may do here/);
    assert.ok(!(await isSignedIn(browser)));
  });

  test('a state that is not the one that was sent lets nobody in', async () => {
    const { came, browser } = await signIn('mette', { stopAt: callback });
    const back = new URL(came.url);
    back.searchParams.set('state', 'another');
    const refused = await browser.go(back.href);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /Example Login did not sign you in/);
    assert.ok(!(await isSignedIn(browser)));
    // Its sign-in is used up: the right state does not help any more.
    assert.match((await browser.go(came.url)).text, /This sign-in is over or was used before/);
  });

  test('nor does a nonce that is not the one that was sent', async () => {
    const { ledger } = server.context;
    const { came, browser } = await signIn('mette', { stopAt: callback });
    const id = hashToken(browser.jar.get('roster_sync_sign_in') ?? '');
    const begun = await ledger.takeSignIn(id);
    assert.ok(begun);
    await ledger.keepSignIn({ ...begun, nonce: 'another' }, 60_000);
    const refused = await browser.go(came.url);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /did not sign you in \([^)]*nonce/i);
    assert.ok(!(await isSignedIn(browser)));
  });

  test('nor a sign-in that took too long, that another browser began, or that was used', async () => {
    const { ledger } = server.context;
    const { came, browser } = await signIn('mette', { stopAt: callback });
    const other = await new Browser().go(came.url);
    assert.equal(other.status, 403);
    const id = hashToken(browser.jar.get('roster_sync_sign_in') ?? '');
    const begun = await ledger.takeSignIn(id);
    assert.ok(begun);
    await ledger.keepSignIn(begun, -1);
    const late = await browser.go(came.url);
    assert.equal(late.status, 403);
    assert.match(late.text, /This sign-in is over or was used before\. Sign in again\./);
    const again = await signIn('mette', { stopAt: callback });
    assert.equal((await again.browser.go(again.came.url)).url, `${server.url}/runs`);
    assert.equal((await again.browser.go(again.came.url)).status, 403);
  });

  test('somebody who says no there comes back to words', async () => {
    const browser = new Browser();
    const form = await browser.go(`${server.url}/sign-in/with`);
    const came = await browser.go(`${form.url}/abort`);
    assert.equal(came.status, 403);
    assert.match(came.text, /Example Login did not sign you in \(it answered access_denied\)/);
  });

  test('a form that was sent after the session ended is kept on the way', async () => {
    const browser = new Browser();
    const out = await browser.go(`${server.url}/people`, { email: 'ann@example.com' });
    assert.equal(out.status, 401);
    assert.match(out.text, /Sign in with Example Login and go on/);
    const kept = JSON.stringify({ email: 'ann@example.com' });
    const page = await browser.go(`${server.url}/sign-in/with`, { to: '/people', kept });
    const link = /href="(http[^"]*)">Go on to Example Login/.exec(page.text)?.[1]?.replaceAll('&#38;', '&') ?? '';
    const { came } = await signIn('mette', { begin: link }, browser);
    assert.match(came.text, /was not sent yet[^]*action="\/people"[^]*value="ann@example\.com"/);
  });

  test('the secret is in no setting that is shown, and in no log', () => {
    const { context } = server;
    const shown = JSON.stringify(context.config.settings);
    assert.match(shown, /signIn/);
    assert.ok(!shown.includes(clientSecret));
    assert.equal(context.redact(`a ${clientSecret} b`).includes(clientSecret), false);
    assert.ok(!server.logged().includes(clientSecret));
  });

  test('a service that does not answer is said to be away; the server serves all the same', async (t) => {
    const gone = await startSignInService({});
    await gone.close();
    const away = await startApiServer(`
server:
  signIn: { issuer: "${gone.issuer}", clientId: a, clientSecret: bbbbbbbbbbbb, roles: {} }
`);
    t.after(() => away.close());
    const answer = await away.ask('/sign-in/with');
    assert.equal(answer.status, 502);
    assert.match(answer.text, /127\.0\.0\.1 cannot be asked who you are \(ECONNREFUSED\)\. Try again in a moment/);
    assert.equal((await away.ask('/sign-in')).status, 200);
  });
});
