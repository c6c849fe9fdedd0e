import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { type ApiServer, startApiServer } from '../server/api-server.ts';
import { browserSkipReason, openBrowser } from './chromium.ts';
import { rosterOf, signedIn } from './signed-in.ts';

suite('what the pages count', { skip: browserSkipReason }, () => {
  let browser: Browser;
  let server: ApiServer;
  let statements = 0;
  before(async () => {
    browser = await openBrowser();
    server = await startApiServer('', {
      async openEmbedded(folder, options) {
        const database = await openEmbedded(folder, options);
        const { pool } = database;
        const connect = pool.connect.bind(pool) as () => ReturnType<typeof pool.connect>;
        pool.connect = (() => {
          statements += 1;
          return connect();
        }) as typeof pool.connect;
        return database;
      },
    });
  });
  after(async () => {
    await server.close();
    await browser.close();
  });

  /** Waits until a run is over. */
  async function ended(run: string): Promise<void> {
    for (;;) {
      const [found] = await server.context.ledger.findRuns(run);
      if (found?.finishedAt) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Has `staff` sent, approved by somebody else. */
  async function sent(roster: string): Promise<string> {
    server.roster(roster);
    const token = await server.token(`starter-${Math.random()}`, ['read', 'run', 'approve']);
    const post = (path: string, body: object) => server.ask(`/api/v1/${path}`, { method: 'POST', token, body });
    const { run, status } = (await post('runs', { source: 'staff' })).json as { run: string; status: string };
    if (status === 'held') {
      const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
      await post(`runs/${run}/approve`, { hash });
    }
    await ended(run);
    return run;
  }

  test('somebody whose next file was only looked at is still delivered', async () => {
    const run = await sent(rosterOf(3));
    const { page, context } = await signedIn(browser, server);
    await page.goto('/import');
    await page.getByLabel('What is it?').selectOption('staff');
    const text = rosterOf(3).replaceAll(/Sales|IT|Marketing/g, 'Support');
    await page
      .getByLabel('The file')
      .setInputFiles({ name: 'next.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.match(await page.locator('h1').innerText(), /Should these 3 people be sent\?/);
    await page.getByLabel('Send none').check();
    await page.locator('[data-names=choice]').click();
    assert.match(await page.locator('h1').innerText(), /staff Cancelled/);
    assert.match(await page.locator('main').innerText(), /Approved by|Started by mette@desk/);
    assert.doesNotMatch(await page.locator('main').innerText(), /Started by\s+api|keeps? groups the roster no longer/);

    await page.goto('/people');
    await page.getByLabel('E-mail address').fill('ann.1@example.com');
    await page.getByRole('button', { name: 'Look up' }).click();
    const main = await page.locator('main').innerText();
    assert.match(main, /Delivered\s+now/);
    assert.match(main, /Not sent\s+Support\. The run was cancelled before they were sent\./);
    await page.goto(`/runs/${run}`);
    assert.match(await page.locator('main').innerText(), /Everybody who was sent was delivered\./);
    await context.close();
  });

  test('the page to cancel says how everybody ended so far', async () => {
    for (const fault of ['status=400,email=ann.0@', 'body=html,email=ann.1@', 'body=group-failed,email=ann.2@']) {
      server.sandbox.faults.add(`${fault}part.example`);
    }
    const run = await sent(rosterOf(5).replaceAll('example.com', 'part.example'));
    server.sandbox.faults.clear();
    const { page, context } = await signedIn(browser, server);
    await page.goto(`/runs/${run}/cancel`);
    assert.match(
      await page.locator('main').innerText(),
      /2 people were delivered and stay so\. 1 person is in only some[^.]*\. 1 person may have been delivered: nobody knows\. 1 person failed\.\s+0 people are not sent/,
    );
    await context.close();
  });

  test('the first page asks the ledger as often for many runs as for few', async () => {
    const { page, context } = await signedIn(browser, server);
    // What follows a run, such as removing what is old, asks beside the page.
    const asked = async (): Promise<number> => {
      const times: number[] = [];
      while (times.length < 5) {
        const before = statements;
        await page.goto('/');
        times.push(statements - before);
      }
      return Math.min(...times);
    };
    const few = await asked();
    for (let at = 0; at < 4; at += 1) await sent(rosterOf(3).replaceAll('Sales', `Sales ${at}`));
    assert.ok((await asked()) <= few, `${few} for few`);
    await context.close();
  });

  test('who is unchanged is listed, everybody is those who can be sent, and people stand by last name', async () => {
    const { page, context } = await signedIn(browser, server);
    const bring = async (text: string): Promise<void> => {
      await page.goto('/import');
      await page
        .getByLabel('The file')
        .setInputFiles({ name: 'club.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: /^See all/ }).click();
    };
    const rows = [10, 9, 1].map((at) => `Ann,Ek ${at},zoe.${10 - at}@example.com,Lab`);
    const text = ['First name,Last name,E-mail,Group', ...rows, 'Bo,Aaby,zz@example.com,Lab', ''].join('\n');
    await bring(text);
    const names = (): Promise<string[]> => page.locator('tbody th b').allInnerTexts();
    assert.deepEqual(await names(), ['Bo Aaby', 'Ann Ek 1', 'Ann Ek 9', 'Ann Ek 10']);
    await page.getByRole('button', { name: 'Send to 4 people' }).click();
    await ended(new URL(page.url()).pathname.split('/').at(-1) ?? '');

    await bring(`${text}Cy,Berg,cy@example.com,Lab\nNo,Address,nobody,Lab\n`);
    const filters = (): Promise<string> => page.locator('nav.filters').innerText();
    assert.match(await filters(), /Everybody 5\s+New 1\s+Unchanged 4\s+Rejected 1/);
    assert.deepEqual(await names(), ['No Address', 'Bo Aaby', 'Cy Berg', 'Ann Ek 1', 'Ann Ek 9', 'Ann Ek 10']);
    assert.match(await page.locator('main').innerText(), /1–5 of 5/);
    await page.getByRole('link', { name: 'Unchanged 4' }).click();
    assert.deepEqual(await names(), ['Bo Aaby', 'Ann Ek 1', 'Ann Ek 9', 'Ann Ek 10']);
    await context.close();
  });
});
