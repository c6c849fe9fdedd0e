import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
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
    for (const name of ['Mette', 'Jonas']) {
      const kept = await hashPassword(password, randomBytes(saltBytes));
      await server.context.ledger.addAccount({ key: name.toLowerCase(), name, role: 'approver', password: kept });
    }
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

  async function choose(page: Page, name: string, text: string): Promise<void> {
    await page.getByLabel('The file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  async function signIn(page: Page, name = 'Mette'): Promise<void> {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const waiting = (): string[] => readdirSync(join(server.folder, '.roster-sync', 'uploads'));

  for (const javaScriptEnabled of [true, false]) {
    test(`is there after signing in again, and is imported; JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      const { context, page, over } = await signedIn(javaScriptEnabled);
      await page.goto('/import');
      const name = `<script>alert(${javaScriptEnabled})<.csv`;
      const person = `Ann,Ek,late.${javaScriptEnabled}@example.com,Sales`;
      await choose(page, name, `First name,Last name,E-mail,Department\n${person}\n`);
      await over();
      await page.getByRole('button', { name: 'Read it' }).click();
      assert.equal(await page.locator('h1').innerText(), 'You were signed out');
      assert.match(
        await page.locator('main').innerText(),
        /Your file is kept: <script>alert\(\w+\)<\.csv\. Nothing was read/,
      );
      assert.doesNotMatch(await page.content(), /<script>alert/);
      assert.deepEqual(await faultsOf(browser, page, server), []);
      await signIn(page);
      assert.equal(await page.locator('h1').innerText(), 'Your file is here');
      assert.deepEqual(await faultsOf(browser, page, server), []);
      assert.equal((await server.context.ledger.listRuns(5)).filter(({ status }) => status === 'planning').length, 0);
      await page.goto('/import');
      await page.getByRole('link', { name }).click();
      await page.getByRole('button', { name: 'Go on' }).click();
      assert.equal(await page.locator('h1').innerText(), 'Is this how the file is meant?');
      await page.getByRole('button', { name: 'See this person' }).click();
      assert.match(await page.locator('tbody').innerText(), new RegExp(`late\\.${javaScriptEnabled}@example\\.com`));
      await context.close();
    });
  }

  test('of a source in the config is held by its rules; only who sent it may continue with it, and only two are kept', async () => {
    const { context, page, over } = await signedIn();
    const forms = [page, await context.newPage(), await context.newPage()];
    for (const form of forms) await form.goto('/import');
    await over();
    const already = new Set(waiting());
    const late = (): string[] => waiting().filter((id) => !already.has(id));
    for (const [at, form] of forms.entries()) {
      await form.getByLabel('What is it?').selectOption('staff');
      await choose(form, `staff-${at}.csv`, `firstname,lastname,email,groups\nBo,Ny,bo.${at}@example.com,IT\n`);
      await form.getByRole('button', { name: 'Read it' }).click();
      const kept = at < 2 ? new RegExp(`Your file is kept: staff-${at}`) : /was not kept\. Choose it again/;
      assert.match(await form.locator('main').innerText(), kept);
      assert.equal(late().length, Math.min(at + 1, 2));
    }
    const other = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
    const jonas = await other.newPage();
    await jonas.goto(`/import/${late()[0]}/brought`);
    await signIn(jonas, 'Jonas');
    assert.match(await jonas.locator('main').innerText(), /This upload is Mette’s\./);
    await other.close();

    await page.goto('/sign-in?to=/import');
    await signIn(page);
    await page.getByRole('link', { name: 'staff-0.csv' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    assert.match(await page.locator('h1').innerText(), /Should this person be sent\? Held/);
    assert.equal(late().length, 1);
    await page.goto('/import');
    await page.getByRole('link', { name: 'staff-1.csv' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    assert.equal(late().length, 0);
    await context.close();
  });

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
