import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { forgottenDigest } from '../../src/core/person/forgotten.ts';
import { makeSignInLink } from '../../src/server/page/session.ts';
import { browserSkipReason } from './chromium.ts';
import { openPages } from './open-pages.ts';
import { rosterOf } from './signed-in.ts';
import { readVersion } from '../../src/process/version.ts';

suite('the pages', { skip: browserSkipReason }, () => {
  const pages = openPages();

  test('a held run: see who is behind it, type the number, send, and see it done; without any script', async () => {
    const run = await pages.start(
      `${rosterOf(25)}<script>alert(1)</script>,"O'Neill & Co",odd@example.com,Sales\nNo,Address,nobody,IT\n`,
    );
    const { page, context } = await pages.signedIn();
    assert.equal(await page.title(), '2 things wait for you · roster-sync');
    assert.match(await page.locator('header').innerText(), /mette@desk, may approve/);
    await page.getByRole('link', { name: 'Look at the 26' }).click();
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Should these 26 people be sent? Held');
    assert.deepEqual(await pages.faultsOf(page), []);

    await page.getByRole('link', { name: 'See everybody whom this holds' }).click();
    assert.match(await page.locator('tbody').innerText(), /<script>alert\(1\)<\/script> O'Neill & Co/);
    assert.equal(await page.locator('tbody tr').count(), 26);
    assert.deepEqual(await pages.faultsOf(page), []);
    await page.goto(`/runs/${run}/people?show=reject`);
    assert.match(await page.locator('tbody').innerText(), /nobody.*is not an e-mail address/);

    await page.goto(`/runs/${run}`);
    await page.locator('[data-names=choice]').click();
    assert.match(await page.getByRole('alert').innerText(), /Choose first/);
    await page.getByLabel('Send all 26').check();
    await page.getByLabel('Why?').fill('new starters of December');
    await page.getByLabel('Type 26 to confirm').fill('62');
    await page.locator('[data-names=choice]').click();
    assert.equal(await page.getByRole('alert').innerText(), 'It is 26, not 62.');
    assert.equal(await page.getByLabel('Why?').inputValue(), 'new starters of December');
    assert.equal((await pages.server.context.ledger.findRuns(run))[0]?.status, 'held');

    await page.getByLabel('Type 26 to confirm').fill('26');
    await page.locator('[data-names=choice]').click();
    assert.equal(new URL(page.url()).pathname, `/runs/${run}`);
    await pages.readEnd(page, run);
    assert.match(await page.locator('main').innerText(), /staff Done[^]*26 delivered[^]*26 delivered/);
    assert.match(await page.locator('main').innerText(), /mette@desk, .*: new starters of December/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await context.close();
  });

  test('who may only look sees no form, and a form that is posted all the same changes nothing', async () => {
    const run = await pages.start(rosterOf(26) + more(40));
    const { page, context } = await pages.signedIn({ name: 'jonas@desk', scopes: ['read'] });
    await page.goto(`/runs/${run}`);
    assert.equal(await page.locator('[data-names=choice]').count(), 0);
    const answer = await page.request.post(`/runs/${run}/cancel`, { headers: { origin: pages.server.url } });
    assert.equal(answer.status(), 403);
    assert.match(await answer.text(), /You may look\. Somebody else may approve\. Nothing was changed\./);
    const status = (await pages.server.context.ledger.findRuns(run))[0]?.status;
    assert.notEqual(status, 'cancelled');
    await context.close();
  });

  function more(people: number): string {
    return Array.from({ length: people }, (_, at) => `Bo ${at},Ny,bo.${at}@example.com,Sales\n`).join('');
  }

  test('two people decide at once: one wins, the other is told', async () => {
    const [held] = (await pages.server.context.ledger.listRuns(10)).filter(({ status }) => status === 'held');
    assert.ok(held, 'the run before is held');
    const one = await pages.signedIn();
    const other = await pages.signedIn({ name: 'jonas@desk' });
    for (const { page } of [one, other]) await page.goto(`/runs/${held.id}`);
    await one.page.getByLabel('Send none').check();
    await one.page.locator('[data-names=choice]').click();
    await other.page.getByLabel('Send none').check();
    await other.page.locator('[data-names=choice]').click();
    assert.match(await one.page.locator('h1').innerText(), /staff Cancelled/);
    assert.match(
      await other.page.getByRole('alert').innerText(),
      /This run is cancelled by now\.\s+Somebody decided before you\. Nothing of what you chose was done\./,
    );
    await one.context.close();
    await other.context.close();
  });

  test('a link signs in once; signed out, every page leads to the way in', async () => {
    const link = await makeSignInLink(pages.server.context.ledger, 'mette@desk', ['read']);
    const context = await pages.browser.newContext({ javaScriptEnabled: false, baseURL: pages.server.url });
    const page = await context.newPage();
    await page.goto('/runs');
    assert.equal(await page.title(), 'Sign in · roster-sync');
    assert.match(await page.locator('main').innerText(), /Whoever runs roster-sync can give you a link/);
    await page.goto(link);
    assert.equal(new URL(page.url()).pathname, '/');
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/runs');
    assert.equal(await page.title(), 'Sign in · roster-sync');
    await page.goto(link);
    assert.match(await page.locator('h1').innerText(), /This link worked once already/);
    await context.close();
  });

  test('a page of another origin changes nothing, nor does a request that no page sent', async () => {
    const { page, context } = await pages.signedIn();
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
      const answer = await page.request.post('/runs/latest/cancel', { headers });
      assert.equal(answer.status(), 403, JSON.stringify(headers));
    }
    await context.close();
  });

  test('a person: the address is posted, and everything that is known is there', async () => {
    const { page, context } = await pages.signedIn();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    assert.deepEqual(await pages.faultsOf(page), []);
    await page.getByLabel('E-mail address').fill('Ann.3@example.com');
    await page.getByRole('button', { name: 'Look up' }).click();
    assert.equal(new URL(page.url()).href, `${pages.server.url}/people`);
    const shown = await page.locator('main').innerText();
    assert.match(shown, /^Ann 3 Ek[^]*Delivered\s+now[^]*1\s+delivery, 1 call/);
    assert.match(
      shown,
      /Delivered\s+Into Support\. The service answered 1 insert, 0 warnings\.[^]*approved by mette@desk/,
    );
    assert.deepEqual(await pages.faultsOf(page), []);
    const file = await page.request.post('/people/download', {
      ...{ headers: { origin: pages.server.url }, form: { email: 'ann.3@example.com' } },
    });
    assert.equal(((await file.json()) as { asked: string }).asked, 'ann.3@example.com');

    await pages.server.context.ledger.blockPeople([
      { service: 'any', digest: forgottenDigest(await pages.server.context.ledger.forgetKey(), 'gone@example.com') },
    ]);
    for (const [email, said] of [
      ['gone@example.com', /Forgotten on \d+ [A-Z][a-z]+ \d{4}\. Nothing else is kept\./],
      ['nobody@example.com', /Nobody with this address was ever in a roster\./],
    ] as const) {
      await page.goto('/people');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Look up' }).click();
      assert.match(await page.locator('main').innerText(), said);
    }
    await context.close();
  });

  test('a person is forgotten once their address is typed; the page says what stays, and that nothing brings it back', async () => {
    const { page, context } = await pages.signedIn();
    const main = page.locator('main');
    const lookUp = async (on: typeof page, email: string): Promise<void> => {
      await on.goto('/people');
      await on.getByLabel('E-mail address').fill(email);
      await on.getByRole('button', { name: 'Look up' }).click();
    };
    const looking = await pages.signedIn({ name: 'eve@desk', scopes: ['read', 'run'] });
    await lookUp(looking.page, 'odd@example.com');
    assert.match(
      await looking.page.locator('main').innerText(),
      /<script>alert\(1\)<\/script> O'Neill & Co[^]*may approve/,
    );
    assert.equal(await looking.page.getByRole('button', { name: 'Forget this person' }).count(), 0);
    const posted = await looking.page.request.post('/people/forget', {
      ...{ headers: { origin: pages.server.url }, form: { email: 'odd@example.com', confirm: 'odd@example.com' } },
    });
    assert.equal(posted.status(), 403);
    await looking.context.close();

    await lookUp(page, 'odd@example.com');
    await picture(page, 'person');
    await page.getByRole('button', { name: 'Forget this person' }).click();
    assert.match(
      await main.innerText(),
      /This erases what 1 source gave them, who 1 delivery was for and 1 answer of the service\.[^]*keyed hash[^]*cannot be taken back/,
    );
    assert.deepEqual(await pages.faultsOf(page), []);
    await page.getByLabel('Type odd@example.com to confirm').fill('<script>@example.com');
    await page.getByRole('button', { name: 'Forget this person' }).click();
    assert.equal(await page.getByRole('alert').innerText(), 'That is another address.');
    await picture(page, 'forget');
    await page.getByLabel('Type odd@example.com to confirm').fill('Odd@Example.com');
    await page.getByRole('button', { name: 'Forget this person' }).click();
    assert.match(
      await main.innerText(),
      /This person is forgotten[^]*Erased: what 1 source gave[^]*rejects this address/,
    );
    assert.equal(new URL(page.url()).href, `${pages.server.url}/people/forget`);
    assert.deepEqual(await pages.faultsOf(page), []);
    await picture(page, 'forgotten');
    const deeds = await pages.server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deeds[0]?.by, deeds[0]?.action], ['mette@desk', 'forget a person']);

    const [run] = (await pages.server.context.ledger.listRuns(50))
      .filter(({ status }) => status === 'finished')
      .slice(-1);
    await page.goto(`/runs/${run?.id}/people`);
    assert.match(await main.innerText(), /Ann 3 Ek/);
    assert.doesNotMatch(await page.content(), /odd@example|O&#39;Neill/);
    await lookUp(page, 'odd@example.com');
    assert.match(await main.innerText(), /Forgotten on \d+ [A-Z][a-z]+ \d{4}/);
    await page.getByRole('button', { name: 'Let them be sent again' }).click();
    assert.match(await main.innerText(), /odd@example\.com may be sent again/);
    await context.close();
  });

  /** For whoever changes how a page looks: both themes, where `PICTURES` names a folder. */
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env['PICTURES'];
    if (folder === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
    }
  }

  test('home and runs have no fault of access, and are no wider than a phone', async () => {
    const { page, context } = await pages.signedIn();
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ['/', '/runs', '/left-behind', '/runs/latest/cancel']) {
      await page.goto(path);
      assert.deepEqual(await pages.faultsOf(page), [], path);
    }
    await context.close();
  });

  test('on a phone the menu opens below its button, figures end where their headings do, and no word is cut', async () => {
    const { page, context } = await pages.signedIn();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/runs');
    const menu = page.locator('.menu summary');
    const before = await menu.boundingBox();
    await menu.click();
    assert.deepEqual(await menu.boundingBox(), before);
    const [run] = (await pages.server.context.ledger.listRuns(50)).filter(({ status }) => status === 'finished');
    await page.goto(`/runs/${run?.id}`);
    const ends = await page.evaluate<number[]>(
      `[...document.querySelectorAll('#groups tr')].map(({ lastElementChild: cell }) => {
        const { right } = cell.getBoundingClientRect();
        return Math.round(right - Number.parseFloat(getComputedStyle(cell).paddingRight));
      })`,
    );
    assert.ok(ends.length > 1);
    assert.equal(new Set(ends).size, 1, String(ends));
    const lines = await page.evaluate<number>(
      `(() => {
        const range = document.createRange();
        range.selectNodeContents([...document.querySelectorAll('.fold th')].find((cell) => cell.textContent === 'approve'));
        return range.getClientRects().length;
      })()`,
    );
    assert.equal(lines, 1);
    await context.close();
  });

  test('an address that leads nowhere is a page for a browser, and a problem for a program', async () => {
    const { page, context } = await pages.signedIn();
    const answer = await page.goto('/nowhere/at/all');
    assert.equal(answer?.status(), 404);
    assert.match(await page.locator('main').innerText(), /Not there\s+There is nothing at this address\.[^]*Home/);
    const asked = await pages.server.ask('/nowhere/at/all');
    assert.deepEqual([asked.status, asked.json.code], [404, 'NOT_FOUND']);
    const ofApi = await pages.server.ask('/api/v1/nowhere', { headers: { accept: 'text/html' } });
    assert.deepEqual([ofApi.status, ofApi.json.code], [404, 'NOT_FOUND']);
    await context.close();
  });

  test('times are those of the viewer, also under the chart', async () => {
    const [run] = (await pages.server.context.ledger.listRuns(50)).filter(({ status }) => status === 'finished');
    const { page, context } = await pages.signedIn();
    await page.goto(`/runs/${run?.id}`);
    const state = await context.storageState();
    const far = await pages.browser.newContext({
      ...{ storageState: state, baseURL: pages.server.url, timezoneId: 'Asia/Kathmandu' },
    });
    const there = await far.newPage();
    await there.goto(`/runs/${run?.id}`);
    const label = there.locator('svg.chart text[data-at]').first();
    const shown = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Kathmandu' });
    assert.equal(await label.textContent(), shown.format(new Date((await label.getAttribute('data-at')) ?? '')));
    assert.doesNotMatch(await there.locator('main').innerText(), /UTC/);
    const started = there.locator('.lead time').first();
    const at = new Date((await started.getAttribute('datetime')) ?? '');
    const inKathmandu = (form: Intl.DateTimeFormatOptions, when: Date): string =>
      new Intl.DateTimeFormat('en-GB', { ...form, timeZone: 'Asia/Kathmandu' }).format(when);
    const day = inKathmandu({ dateStyle: 'short' }, at) === inKathmandu({ dateStyle: 'short' }, new Date());
    const words = `${day ? 'today' : 'yesterday'} ${inKathmandu({ timeStyle: 'short' }, at)}`;
    assert.equal(await started.textContent(), words);
    await far.close();
    await context.close();
  });

  test('a file that somebody brings is read, shown whole, and sent only once it is approved', async () => {
    const { page, context } = await pages.signedIn();
    await page.getByRole('link', { name: 'Import a file' }).click();
    assert.deepEqual(await pages.faultsOf(page), []);
    const bring = async (name: string, text: string): Promise<void> => {
      await page.getByLabel('What is it?').selectOption('staff');
      await page.getByLabel('The file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await bring('../../etc/empty.csv', '');
    assert.match(await page.getByRole('alert').innerText(), /The file is empty, or none was sent/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await bring('slides.pdf', '%PDF-1.7 and so on');
    assert.match(await page.getByRole('alert').innerText(), /PDF/);

    const calls = (await pages.server.context.ledger.listRuns(50)).length;
    await bring('starters.csv', 'firstname,lastname,email,groups\nNia,Day,nia@example.com,Sales\n');
    assert.equal(await page.locator('h1').innerText(), 'Should this person be sent? Held');
    assert.match(await page.locator('main').innerText(), /mette@desk"? brought this file/);
    assert.match(await page.locator('tbody').first().innerText(), /Nia Day\s+nia@example\.com[^]*Sales/);
    assert.equal((await pages.server.context.ledger.listRuns(50)).length, calls + 1);
    await page.getByLabel('Send all 1').check();
    await page.locator('[data-names=choice]').click();
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await pages.readEnd(page, run);
    assert.match(await page.locator('main').innerText(), /1 delivered[^]*1 delivered/);
    await context.close();
  });

  test('what was sent holds no token, no script but our own file, and no place outside', async () => {
    const { page, context } = await pages.signedIn();
    const answer = await page.goto('/runs/latest');
    assert.match(
      answer?.headers()['content-security-policy'] ?? '',
      /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; /,
    );
    assert.equal(answer?.headers()['cache-control'], 'no-store');
    const markup = await page.content();
    assert.deepEqual(markup.match(/<script[^>]*>[^<]*/g), [`<script src="/page.js?${readVersion()}" defer="">`]);
    assert.doesNotMatch(markup, /javascript:|\son\w+=|\sstyle=|https?:\/\/(?!127\.0\.0\.1)/);
    await context.close();
  });
});
