import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from './chromium.ts';
import { smallLooks, usualLooks } from './faults-of.ts';
import { openPages } from './open-pages.ts';

const rows = [
  'First name,Last name,E-mail,Department,Status',
  'Åse,Lindqvist,ase@example.com,Slaes,Active',
  'Jane,Achterberg,jane@,Slaes,Active',
  'Nia,Day,nia@example.com,Lab,Active',
  'Tom,Left,tom@example.com,Lab,Terminated',
];

suite('changing cells before a file is sent', { skip: browserSkipReason }, () => {
  const pages = openPages();

  /** With the script of the pages a file is read as soon as it is chosen. */
  async function bring(page: Page, name: string, isScripted: boolean): Promise<void> {
    await page.goto('/import');
    const buffer = Buffer.from(rows.join('\n').replaceAll('@', `.${name}@`));
    await page.getByLabel('The file').setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer });
    if (!isScripted) await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'See all 2 people' }).click();
    await page.getByRole('heading', { name: 'Look at everybody' }).waitFor();
  }
  const main = (page: Page): Promise<string> => page.locator('main').innerText();
  const said = (page: Page): Promise<string> => page.getByRole('status').innerText();
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.className');
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env['PICTURES'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  for (const [javaScriptEnabled, width] of [
    [false, 390],
    [true, 1280],
  ] as const) {
    const scripts = javaScriptEnabled ? 'on' : 'off';
    test(`any row is changed in its form, a value in every row, and taken back; the run lists it; ${width} px, JavaScript ${scripts}`, async () => {
      const { page, context } = await pages.signedIn({ javaScriptEnabled });
      await page.setViewportSize({ width, height: 800 });
      await bring(page, `cells-${scripts}`, javaScriptEnabled);
      await picture(page, `people-${scripts}`);
      assert.deepEqual(await pages.faultsOf(page, [...usualLooks, ...smallLooks]), []);
      await page.getByRole('link', { name: 'Change line 2', exact: true }).click();
      assert.equal(await page.locator('h1').innerText(), 'Change line 2');
      await picture(page, `row-${scripts}`);
      assert.deepEqual(await pages.faultsOf(page, [...usualLooks, ...smallLooks]), []);
      assert.doesNotMatch(page.url(), /ase/i);
      await page.getByLabel('First name').fill('Åsa');
      await page.getByRole('button', { name: 'Save the row' }).click();
      assert.equal(await said(page), 'Line 2 is corrected. 2 invitations at most.');
      assert.equal(await focused(page), 'note ok');
      assert.match(await main(page), /Åsa Lindqvist/);

      await page.getByRole('link', { name: 'Change line 2', exact: true }).click();
      assert.match(await main(page), /In the file: “Åse”/);
      await page.getByLabel('Department').fill('Sales');
      await page.getByLabel('In every row').check();
      await page.getByRole('button', { name: 'Save the row' }).click();
      assert.equal(await said(page), '2 cells changed. 2 invitations at most.');

      // What is left out, or rejected in more than a cell, is a row as well.
      await page.getByRole('link', { name: 'Left out 1' }).click();
      await page.getByRole('link', { name: 'Change line 5', exact: true }).click();
      await page.getByLabel('Status').fill('Active');
      await page.getByRole('button', { name: 'Save the row' }).click();
      assert.equal(await said(page), 'Line 5 is corrected. 3 invitations at most.');
      assert.match(page.url(), /\/people\?show=out$/, 'on the way back to where it began');

      await page.getByRole('link', { name: 'See 3 changes' }).click();
      assert.match(
        await main(page),
        /4 cells\.[^]*Line 2\s+First name\s+was\s+Åse →\s+becomes\s+Åsa[^]*Every row: 2 cells\s+Department[^]*Line 5\s+Status/,
      );
      await picture(page, `changes-${scripts}`);
      assert.deepEqual(await pages.faultsOf(page, [...usualLooks, ...smallLooks]), []);
      await page.getByRole('row', { name: 'Line 5' }).getByRole('button', { name: 'Undo' }).click();
      assert.equal(await said(page), 'Taken back. 2 invitations at most.');
      assert.doesNotMatch(await main(page), /Line 5/);
      await page.getByLabel('Column').selectOption('Department');
      await page.getByLabel('What it holds now').fill('Labs');
      await page.getByLabel('What it becomes').fill('Research');
      await page.getByRole('button', { name: 'Replace in every row' }).click();
      assert.equal(
        await page.getByRole('alert').first().innerText(),
        'No cell of "Department" holds "Labs". Nothing was changed.',
      );
      assert.deepEqual(await pages.faultsOf(page), []);
      await page.getByLabel('What it holds now').fill('Lab');
      await page.getByRole('button', { name: 'Replace in every row' }).click();
      assert.equal(await said(page), '2 cells changed. 2 invitations at most.');

      await page.getByRole('link', { name: 'Back to everybody' }).click();
      assert.match(await main(page), /Åsa Lindqvist[^]*Sales[^]*Research|Research[^]*Åsa Lindqvist[^]*Sales/);
      await page.getByRole('button', { name: 'Send to 2 people' }).click();
      await page.waitForURL(/\/runs\//);
      const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await pages.readEnd(page, run);
      const summary = page.getByText('5 cells were changed by mette@desk');
      await summary.click();
      assert.match(await main(page), /Line 2\s+First name\s+was\s+Åse[^]*Every row: 2 cells\s+Department\s+was\s+Lab/);
      assert.deepEqual(await pages.faultsOf(page), []);
      await context.close();
    });
  }

  test('with a keyboard alone: to the row, to the cell, save', async () => {
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    await bring(page, 'keys', true);
    const onto = async (words: RegExp): Promise<void> => {
      for (let tabs = 0; tabs < 60; tabs += 1) {
        await page.keyboard.press('Tab');
        const now = await page.evaluate<string>(
          "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent ?? ''",
        );
        if (words.test(now.trim())) return;
      }
      assert.fail(`no way to ${words}`);
    };
    await onto(/^Change line 4$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Change line 4' }).waitFor();
    await onto(/^Department$/);
    await page.keyboard.type('Research');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Line 4 is corrected.').waitFor();
    assert.match(await main(page), /Research/);
    await context.close();
  });
});
