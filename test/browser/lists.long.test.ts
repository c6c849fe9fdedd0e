import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from './chromium.ts';
import { smallLooks } from './faults-of.ts';
import { openPages } from './open-pages.ts';

suite('lists of the pages', { skip: browserSkipReason }, () => {
  const pages = openPages('    snapshot: true\n    guards: { departed: off, changed: off }\n');

  /** A roster of people by their first names, each with groups. */
  function rosterOf(people: Readonly<Record<string, string>>): string {
    const rows = Object.entries(people).map(
      ([name, groups]) => `${name},Ek,${name.toLowerCase()}@example.com,${groups}`,
    );
    return ['firstname,lastname,email,groups', ...rows, ''].join('\n');
  }

  async function sent(people: Readonly<Record<string, string>>): Promise<string> {
    const run = await pages.start(rosterOf(people), { approved: true });
    await pages.ended(run);
    return run;
  }

  test('what a run really gave everybody is a page, a CSV and a workbook; what nobody knows is marked', async () => {
    const { sandbox } = pages.server;
    sandbox.faults.add('body=missing,email=bea@example.com');
    sandbox.faults.add('status=422,email=cy@example.com');
    const run = await sent({ Ann: 'Sales;IT', Bea: 'Sales;IT', Cy: 'Sales' });
    sandbox.faults.clear();
    const { page, context } = await pages.signedIn();
    await page.goto(`/runs/${run}`);
    await page.getByRole('link', { name: 'What exactly did they get?' }).click();
    assert.match(await page.locator('main').innerText(), /3\s+inserts confirmed\s+1\s+people whose outcome is unknown/);
    assert.match(
      await page.locator('tbody').innerText(),
      /Ann Ek\s+ann@example\.com\s+Sales · IT[^]*Bea Ek\s+bea@example\.com\s+(Sales|IT)\s+Unknown (IT|Sales) the answer does not mention/,
    );
    assert.doesNotMatch(await page.locator('tbody').innerText(), /Cy Ek/);
    assert.deepEqual(await pages.faultsOf(page), []);
    assert.deepEqual(await pages.faultsOf(page, smallLooks), []);
    await photograph(page, 'inserts');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), `${run}-inserts.csv`);
    const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    assert.equal(head, 'email,firstname,lastname,group,result,inserts,answered_at,hash,reason');
    assert.deepEqual(
      rows
        .map((row) =>
          row
            .split(',')
            .slice(0, 5)
            .filter((_, at) => [0, 4].includes(at))
            .join(' '),
        )
        .toSorted(),
      ['ann@example.com inserted', 'ann@example.com inserted', 'bea@example.com inserted', 'bea@example.com unknown'],
    );
    const workbook = await page.request.get(`/files/runs/${run}/inserts?format=xlsx`);
    assert.equal(workbook.status(), 200);
    assert.equal((await workbook.body()).subarray(0, 2).toString('latin1'), 'PK');
    const deeds = await pages.server.context.ledger.listDeeds({ runId: run, limit: 20 });
    assert.ok(deeds.some(({ by, action }) => by === 'mette@desk' && action === 'download inserts'));

    await page.getByRole('button', { name: 'Bea Ek' }).click();
    assert.equal(await page.locator('h1').innerText(), 'Bea Ek');
    assert.ok(!page.url().includes('bea'), page.url());
    await context.close();
  });

  /** For whoever changes how a page looks, where `PICTURES` names a folder. */
  async function photograph(page: Page, name: string): Promise<void> {
    const to = process.env['PICTURES'];
    if (to === undefined) return;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `${to}/${name}-${width}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});
