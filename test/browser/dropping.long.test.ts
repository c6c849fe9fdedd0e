import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type ApiServer, startApiServer } from '../server/api-server.ts';
import { browserSkipReason, openBrowser } from './chromium.ts';
import { faultsOf } from './faults-of.ts';
import { signedIn } from './signed-in.ts';

suite('a file that is dropped on a page', { skip: browserSkipReason }, () => {
  let browser: Browser;
  let server: ApiServer;
  before(async () => {
    browser = await openBrowser();
    server = await startApiServer('server: { uploadLimit: 1MB }\n');
  });
  after(async () => {
    await server.close();
    await browser.close();
  });

  const rows = 'First name\tLast name\tE-mail\tDepartment\n<script>alert(1)</script>\tEk\tann@example.com\tSales\n';

  /** Does what a browser does when somebody drops files, or pastes. */
  async function give(
    page: Page,
    kind: 'drop' | 'paste',
    files: [name: string, text: string][],
    text = '',
  ): Promise<void> {
    await page.evaluate(
      `(() => {
        const data = new DataTransfer();
        for (const [name, text] of ${JSON.stringify(files)}) data.items.add(new File([text], name));
        if (${JSON.stringify(text)} !== '') data.setData('text/plain', ${JSON.stringify(text)});
        const init = { bubbles: true, cancelable: true };
        document.body.dispatchEvent('${kind}' === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data }));
      })()`,
    );
  }

  test('on Home is read at once, and so are pasted rows; two files, and one that is too large, are refused', async () => {
    const { page, context } = await signedIn(browser, server, { javaScriptEnabled: true });
    await page.goto('/');
    assert.match(await page.locator('main').innerText(), /Drop it anywhere on this page, or paste rows\./);
    await page.evaluate(
      `document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer: (() => {
        const data = new DataTransfer(); data.items.add(new File(['a'], 'a.csv')); return data; })() }))`,
    );
    assert.equal(await page.locator('body.dropping').count(), 1);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/dropping.png` });
    await give(page, 'drop', [
      ['one.csv', rows],
      ['two.csv', rows],
    ]);
    assert.equal(await page.locator('body.dropping').count(), 0);
    assert.equal(await page.getByRole('alert').innerText(), 'Drop one file at a time, or a zip of them.');
    await give(page, 'drop', [['large.csv', 'x'.repeat(2_000_000)]]);
    assert.match(await page.getByRole('alert').innerText(), /^The file has 2 MB; 1 MB is the most\.$/);
    assert.equal(new URL(page.url()).pathname, '/');
    await give(page, 'drop', [['<script>alert(2)<.tsv', rows]]);
    await page.getByRole('heading', { name: 'Is this how the file is meant?' }).waitFor();
    assert.match(
      await page.locator('main').innerText(),
      /<script>alert\(2\)<\.tsv, 1 row[^]*<script>alert\(1\)<\/script>/,
    );

    await page.goto('/');
    await give(page, 'paste', [], 'just a word');
    await give(page, 'paste', [], rows);
    await page.getByRole('heading', { name: 'Is this how the file is meant?' }).waitFor();
    assert.match(await page.locator('main').innerText(), /pasted-rows\.csv, 1 row/);
    await context.close();
  });

  test('on Import is chosen, and read once somebody says what it is', async () => {
    const { page, context } = await signedIn(browser, server, { javaScriptEnabled: true });
    await page.goto('/import');
    await give(page, 'drop', [['drop.csv', 'firstname,lastname,email,groups\nBo,Ny,bo@example.com,IT\n']]);
    assert.match(
      await page.getByRole('alert').innerText(),
      /drop\.csv is chosen\. Say what it is, then press “Continue”\./,
    );
    assert.equal(await page.evaluate('document.activeElement.id'), 'source');
    assert.deepEqual(await faultsOf(browser, page, server), []);
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.getByLabel('What is it?').inputValue(), 'staff');
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.match(await page.locator('h1').innerText(), /Should this person be sent\?/);

    await page.goto('/import');
    await give(page, 'paste', [], rows);
    assert.equal(await page.getByLabel('Rows, with their headings').inputValue(), rows.trim());
    assert.equal(new URL(page.url()).pathname, '/import');
    await context.close();
  });

  test('one that is chosen and too large is refused before it is sent', async () => {
    const { page, context } = await signedIn(browser, server, { javaScriptEnabled: true });
    await page.goto('/import');
    const posted: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()));
    const chosen = page.getByLabel('The file');
    await chosen.setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(2_000_000, 'x') });
    assert.equal(await page.getByRole('alert').innerText(), 'The file has 2 MB; 1 MB is the most.');
    assert.equal(await chosen.inputValue(), '');
    assert.deepEqual(posted, []);
    await context.close();
  });

  test('is not offered without the script, nor to who may only look', async () => {
    const plain = await signedIn(browser, server);
    await plain.page.goto('/');
    assert.doesNotMatch(await plain.page.locator('main').innerText(), /Drop it/);
    assert.equal(await plain.page.getByRole('link', { name: 'Import a file' }).count(), 1);
    assert.deepEqual(await faultsOf(browser, plain.page, server), []);
    await plain.context.close();
    const looking = await signedIn(browser, server, { scopes: ['read'], javaScriptEnabled: true });
    await looking.page.goto('/');
    assert.equal(await looking.page.locator('form[data-drop]').count(), 0);
    assert.equal(await looking.page.getByRole('link', { name: 'Import a file' }).count(), 0);
    await looking.context.close();
  });
});
