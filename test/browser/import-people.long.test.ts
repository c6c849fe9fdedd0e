import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type ApiServer, startApiServer } from '../server/api-server.ts';
import { browserSkipReason, openBrowser } from './chromium.ts';
import { faultsOf, sidewaysOf } from './faults-of.ts';
import { signedIn } from './signed-in.ts';

suite('everybody of an import', { skip: browserSkipReason }, () => {
  let browser: Browser;
  let server: ApiServer;
  before(async () => {
    browser = await openBrowser();
    server = await startApiServer();
  });
  after(async () => {
    await server.close();
    await browser.close();
  });

  test('rejects that are alike are folded, who is left out is listed with the reason, and one group is shown alone', async () => {
    const { page, context } = await signedIn(browser, server);
    const people = (count: number, of: (at: number) => string): string[] =>
      Array.from({ length: count }, (_, at) => of(at));
    const text = [
      'First name,Last name,E-mail,Department,Status',
      ...people(8, (at) => `Ann ${'abcdefgh'[at]},Ek,ann.${at}@example.com,${at % 2 ? 'Sales' : 'R & D'},Active`),
      ...people(7, (at) => `Bo ${'abcdefgh'[at]},Ny,bo.${at}@,Sales,Active`),
      '<script>alert(1)</script>,Gone,gone@example.com,Sales,Terminated',
    ].join('\n');
    await page.goto('/import');
    await page
      .getByLabel('The file')
      .setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'See all 8 people' }).click();
    const main = page.locator('main');
    assert.match(await main.innerText(), /Bo a Ny\s+E-mail[^]*Bo b Ny[^]*5 more, all alike[^]*Ann a Ek/);
    assert.match(await main.innerText(), /1–8 of 8/);
    assert.equal(await page.getByLabel('E-mail of Bo g Ny').isVisible(), false);
    assert.deepEqual(await faultsOf(browser, page, server), []);
    await page.getByText('5 more, all alike').click();
    assert.equal(await page.getByLabel('E-mail of Bo g Ny').isVisible(), true);
    if (process.env['PICTURES']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${process.env['PICTURES']}/alike-${colorScheme}.png`, fullPage: true });
      }
    }
    await page.getByLabel('E-mail of Bo g Ny').fill('bo.6@example.com');
    await page.getByRole('row', { name: 'Bo g Ny' }).last().getByRole('button', { name: 'Correct' }).click();
    assert.match(await page.getByRole('status').innerText(), /Bo g Ny is corrected\. 9 invitations at most\./);

    await page.getByRole('link', { name: 'Left out 1' }).click();
    assert.match(
      await page.locator('tbody').innerText(),
      /<script>alert\(1\)<\/script> Gone\s+gone@example\.com\s+Left out[^]*Status is not Active\s+17/,
    );
    assert.doesNotMatch(await page.content(), /<script>alert/);
    assert.doesNotMatch(page.url(), /gone/);
    assert.deepEqual(await faultsOf(browser, page, server), []);

    await page.getByLabel('Group').selectOption('R & D');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    assert.equal(await page.locator('tbody tr').count(), 4);
    assert.doesNotMatch(await page.locator('tbody').innerText(), /Sales/);
    assert.equal(await page.getByLabel('Group').inputValue(), 'R & D');
    await page.setViewportSize({ width: 360, height: 780 });
    assert.equal(await sidewaysOf(page), 0);
    await context.close();
  });

  test('rejects that are downloaded, corrected and dropped in again are new people, read with the mapping of before', async () => {
    const { page, context } = await signedIn(browser, server);
    page.setDefaultTimeout(10_000);
    const bring = async (name: string, text: string): Promise<void> => {
      await page.goto('/import');
      await page.getByLabel('The file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    const wrong = Array.from({ length: 21 }, (_, at) => `Cleo,Ek,cleo.${at}@,Lab`);
    await bring(
      'new-lab.csv',
      [
        'First name,Last name,E-mail,Place',
        'Dora,Ek,dora@example.com,Lab',
        'Gil,Ek,gil@example.com,Lab',
        ...wrong,
      ].join('\n'),
    );
    await page.getByLabel('Place becomes').selectOption('group');
    assert.match(await page.getByRole('alert').innerText(), /^No group yet\./);
    await page.getByLabel('A group for everybody').fill('Newcomers');
    await page.getByRole('button', { name: 'See everybody' }).click();
    const link = page.getByRole('link', { name: 'Download the 21 rejects' });
    const rejects = await (await context.request.get((await link.getAttribute('href')) ?? '')).text();
    await page.getByRole('button', { name: 'Send to 2 people' }).click();
    const first = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    // No other file of the source is planned while it is delivered.
    for (;;) {
      const [found] = await server.context.ledger.findRuns(first);
      if (found?.status.startsWith('finished')) break;
      await page.waitForTimeout(50);
    }

    await bring('Mappe1.csv', `\ufeff${rejects.replaceAll(/(cleo\.\d+)@/g, '$1@example.com').replaceAll(',', ';')}`);
    assert.match(
      await page.locator('main .note').first().innerText(),
      /These are rejects of run [0-9a-f]{8} of new-lab\.\s+They are read with the mapping of that run\./,
    );
    assert.doesNotMatch(await page.locator('#groups').innerText(), /rejects of run/);
    assert.match(await page.locator('#groups').innerText(), /Newcomers/);
    assert.equal(await page.getByLabel('What this list is called').inputValue(), 'new-lab');
    assert.deepEqual(await faultsOf(browser, page, server), []);
    await page.getByRole('button', { name: 'See all 21 people' }).click();
    assert.match(await page.locator('nav.filters').innerText(), /New 21/);
    assert.match(await page.locator('tbody').innerText(), /cleo\.0@example\.com\s+New[^]*Newcomers/);

    server.roster('firstname,lastname,email,groups\nEva,Ek,eva@example.com,Lab\nFay,Ek,fay@,Lab\n');
    const token = await server.token('nightly', ['read', 'run']);
    const { run } = (await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } })).json;
    for (;;) {
      const [found] = await server.context.ledger.findRuns(run);
      if (found?.status === 'held' || found?.status.startsWith('finished')) break;
      await page.waitForTimeout(50);
    }
    const ofStaff = (await server.ask(`/api/v1/runs/${run}/rejects`, { token })).text;
    await bring('corrected.csv', ofStaff.replace('fay@', 'fay@example.com'));
    const [newest] = await server.context.ledger.listRuns(1);
    assert.equal(new URL(page.url()).pathname, `/runs/${newest?.id}`, 'the rules of its source read it');
    assert.deepEqual([newest?.source, newest?.status, newest?.plan?.counts.new], ['staff', 'held', 1]);
    await context.close();
  });

  test('a large file is planned behind a page that says how far it is, and cancels it', async () => {
    const { page, context } = await signedIn(browser, server);
    const rows = Array.from({ length: 250_000 }, (_, at) => `Ann,Ek ${at},many.${at}@example.com,Lab`);
    const buffer = Buffer.from(['First name,Last name,E-mail,Group', ...rows, ''].join('\n'));
    await page.goto('/import');
    await page.getByLabel('The file').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer });
    const timeout = 120_000;
    await page.getByRole('button', { name: 'Continue' }).click({ timeout });
    await page.getByRole('button', { name: 'See all 250,000 people' }).click({ timeout });
    assert.equal(await page.locator('h1').innerText(), 'Reading everybody');
    await page
      .getByText(/[1-9][\d,]* of 250,000 rows read\. About .* left\.|All 250,000 rows read\./)
      .waitFor({ timeout: 120_000 });
    assert.deepEqual(await faultsOf(browser, page, server), []);
    const other = await signedIn(browser, server, { name: 'jonas@desk' });
    await other.page.goto(page.url());
    assert.equal(await other.page.getByRole('button', { name: 'Cancel' }).count(), 0);
    await other.context.close();
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/planning.png` });
    // Once all rows are read, the plan is made first.
    await page.getByRole('button', { name: 'Cancel' }).click({ timeout: 120_000 });
    await page.getByText('You cancelled it. Nothing was sent.').waitFor({ timeout: 120_000 });
    const left = (await server.context.ledger.listRuns(50)).filter(({ source }) => source === 'many');
    assert.ok(left.every(({ status }) => status === 'cancelled'));
    await context.close();
  });
});
