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
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByRole('button', { name: 'See all 8 people' }).click();
    const rows = page.locator('table.everybody').first();
    assert.match(await rows.innerText(), /Bo a Ny[^]*Bo b Ny[^]*5 more, all alike[^]*Ann a Ek/);
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
});
