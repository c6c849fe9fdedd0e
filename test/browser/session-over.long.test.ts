import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { hashPassword, saltBytes } from '../../src/core/access/password.ts';
import { hashToken, makeToken, tokenBytes, writeToken } from '../../src/core/secrets/token.ts';
import { type ApiServer, startApiServer } from '../server/api-server.ts';
import { browserSkipReason, openBrowser } from './chromium.ts';
import { faultsOf } from './faults-of.ts';

const password = 'a long enough password';
const cookieName = 'roster_sync_session';

suite('a file that is sent when the session is over', { skip: browserSkipReason }, () => {
  let browser: Browser;
  let server: ApiServer;
  before(async () => {
    browser = await openBrowser();
    server = await startApiServer();
    const kept = await hashPassword(password, randomBytes(saltBytes));
    await server.context.ledger.addAccount({ key: 'mette', name: 'Mette', role: 'approver', password: kept });
  });
  after(async () => {
    await server.close();
    await browser.close();
  });

  async function session(forMs: number): Promise<string> {
    const token = makeToken(randomBytes(tokenBytes));
    const session = { id: token.id, hash: hashToken(token.secret), name: 'Mette', account: 'mette', isLink: false };
    await server.context.ledger.addSession({ ...session, scopes: ['read', 'run', 'approve'] }, forMs);
    while (forMs < 100 && (await server.context.ledger.findSession(token.id))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return writeToken(token);
  }

  /** A browser in which somebody is signed in; `over` ends that by its time. */
  async function signedIn(javaScriptEnabled = false) {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url });
    const setCookie = async (value: string) => context.addCookies([{ name: cookieName, value, url: server.url }]);
    await setCookie(await session(60 * 60_000));
    return { context, page: await context.newPage(), over: async () => setCookie(await session(1)) };
  }

  const waiting = (): string[] => globSync('.roster-sync/uploads/*', { cwd: server.folder });

  for (const javaScriptEnabled of [true, false]) {
    test(`is not kept, and the page says so; JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const { context, page, over } = await signedIn(javaScriptEnabled);
      await page.goto('/import');
      await over();
      await page.getByLabel('The file').setInputFiles({
        name: 'late.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('First name,Last name,E-mail\nAnn,Ek,ann@example.com\n'),
      });
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'You were signed out' }).waitFor();
      assert.match(await page.locator('main').innerText(), /Your file was not kept\. Choose it again/);
      assert.deepEqual(await faultsOf(browser, page, server), []);
      await page.getByLabel('Name').fill('Mette');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      assert.equal(await page.locator('h1').innerText(), 'Import a file');
      assert.deepEqual(waiting(), []);
      await context.close();
    });
  }

  test('is not taken from anybody else: no cookie, a made-up one, or one that was signed out', async () => {
    const { context, page } = await signedIn();
    await page.goto('/');
    const [cookie] = await context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await context.close();
    const before = waiting().length;
    const body = Buffer.from(
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na\r\n--x--\r\n',
    );
    for (const value of [undefined, writeToken(makeToken(randomBytes(tokenBytes))), cookie?.value]) {
      const answer = await server.ask('/import', {
        ...{ method: 'POST', body },
        headers: {
          ...{ origin: server.url, 'content-type': 'multipart/form-data; boundary=x' },
          ...(value !== undefined && { cookie: `${cookieName}=${value}` }),
        },
      });
      assert.equal(answer.status, 401);
      assert.match(answer.text, /Your file was not kept\. Choose it again/);
    }
    assert.equal(waiting().length, before);
  });
});
