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

    for (const path of [`/runs/${run}/inserts`, `/runs/${run}`, `/runs/${run}/people`]) {
      await page.goto(path);
      await page.getByRole('button', { name: 'Bea Ek' }).click();
      assert.equal(await page.locator('h1').innerText(), 'Bea Ek');
      assert.ok(!page.url().includes('bea'), page.url());
    }
    await context.close();
  });

  test('two runs are compared from the page of the newer one: who joined, changed and left', async () => {
    const older = await sent({ Dan: 'Sales', Eve: 'Sales', Fay: 'IT' });
    const newer = await sent({ Eve: 'Sales;IT', Fay: 'IT', Gus: 'IT' });
    const { page, context } = await pages.signedIn();
    await page.goto(`/runs/${newer}`);
    await page.getByRole('link', { name: 'Compare with the run before' }).click();
    const main = page.locator('main');
    assert.match(
      await main.innerText(),
      new RegExp(`run ${newer} of .* with 3 people, compared with run ${older} of .* with 3`),
    );
    assert.match(
      await page.locator('tbody').innerText(),
      /Dan Ek\s+dan@example\.com\s+Left\s+Sales[^]*Eve Ek\s+eve@example\.com\s+Changed[^]*Gus Ek\s+gus@example\.com\s+Joined\s+IT/,
    );
    assert.match(await page.locator('.pages').innerText(), /1–3 of 3/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'compare');
    await page.getByRole('link', { name: 'Joined 1' }).click();
    assert.match(await page.locator('tbody').innerText(), /^\s*Gus Ek[^]*Joined\s+IT\s*$/);
    await context.close();
  });

  test('runs are sorted, filtered, searched and paged; who began them and how long they took is there; previews are hidden', async () => {
    const { context: served, url } = pages.server;
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    await page.goto('/runs');
    assert.match(await page.locator('.pages').innerText(), /1–\d of \d/);
    const rows = await page.locator('tbody tr').count();
    await page.locator('thead').getByRole('link', { name: 'Started' }).click();
    assert.equal(await page.locator('th[aria-sort=ascending]').innerText(), 'Started ↑');
    const first = await page.locator('tbody tr').first().innerText();
    await page
      .locator('thead')
      .getByRole('link', { name: /Started/ })
      .click();
    assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Started ↓');
    assert.equal(await page.locator('tbody tr').last().innerText(), first);
    assert.match(first, /starter-0\.\d+/);
    // With the script a filter applies when it is changed.
    assert.equal(await page.getByRole('button', { name: 'Show', exact: true }).isVisible(), false);
    await page.getByLabel('State').selectOption('Not all sent');
    await page.waitForURL(/status=finished-with-failures/);
    assert.match(page.url(), /sort=-started/);
    assert.equal(await page.locator('tbody tr').count(), 1);
    await page.getByRole('searchbox').fill('no-such-run');
    await page.getByRole('button', { name: 'Search' }).click();
    assert.match(await page.locator('main').innerText(), /No run is like “no-such-run”\./);
    assert.equal(page.url(), `${url}/runs`);
    await page.getByRole('link', { name: 'Show all runs' }).click();
    assert.equal(await page.locator('tbody tr').count(), rows);

    const token = await pages.server.token('bringer', ['read', 'run']);
    const body = rosterOf({ Hal: 'Sales' });
    const brought = await pages.server.ask('/api/v1/uploads?file=brought.csv', {
      ...{ method: 'POST', token, body, headers: { 'content-type': 'text/csv' } },
    });
    const mapping = {
      members: { firstname: 'firstname', lastname: 'lastname', email: 'email' },
      groups: [{ column: 'groups' }],
    };
    const plan = async (source: string) => {
      const asked = { method: 'POST', token, body: { source, mapping } } as const;
      return (await pages.server.ask(`/api/v1/uploads/${brought.json.upload}/plan`, asked)).json.run as string;
    };
    const replaced = await plan('one');
    const planned = await plan('other');
    assert.equal((await served.ledger.findRuns(replaced))[0]?.status, 'cancelled');
    await page.goto('/runs');
    const main = page.locator('main');
    assert.match(await main.innerText(), new RegExp(`other\\s+${planned}[^]*1 preview that nobody sent is hidden`));
    assert.ok(!(await main.innerText()).includes(replaced));
    await page.getByRole('link', { name: 'Show it' }).click();
    assert.match(await main.innerText(), new RegExp(`one\\s+${replaced}[^]*Hide previews`));
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'runs');
    await context.close();
  });

  test('somebody is found by a part of their name, and nobody is told as much', async () => {
    const { page, context } = await pages.signedIn({ name: 'eve@desk', scopes: ['read'] });
    await page.goto('/people');
    const lookUp = async (text: string): Promise<string> => {
      await page.getByLabel('Name or e-mail address').fill(text);
      await page.getByRole('button', { name: 'Look up' }).click();
      return page.locator('main').innerText();
    };
    assert.match(await lookUp('nn'), /Ann Ek\s+ann@example\.com\s+staff\s+(Sales · IT|IT · Sales)\s+Delivered/);
    assert.equal(await page.locator('tbody tr').count(), 1);
    assert.match(await lookUp('EK cy'), /Cy Ek\s+cy@example\.com\s+staff\s+Failed/);
    assert.match(await lookUp('%_'), /Nobody who was sent is like “%_”/);
    assert.match(await lookUp('a'), /Type at least two letters\./);
    assert.match(await lookUp('@example'), /Ann Ek[^]*Bea Ek[^]*Cy Ek/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'found');
    await page.getByRole('button', { name: 'Bea Ek' }).click();
    assert.equal(await page.locator('h1').innerText(), 'Bea Ek');
    assert.ok(!page.url().includes('ek'), page.url());
    const deeds = await pages.server.context.ledger.listDeeds({ limit: 20 });
    assert.ok(deeds.some(({ by, action }) => by === 'eve@desk' && action === 'look for people'));
    await context.close();
  });

  test('people of a run are sorted, of one group and searched; each way keeps the rest, and no name is in an address', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`P${at}`, at % 6 === 0 ? 'Rare' : 'Sales']));
    const run = await sent(many);
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    await page.goto(`/runs/${run}/people`);
    const range = page.locator('.pages span');
    const first = page.locator('table.everybody tbody tr').first();
    assert.equal(await range.innerText(), '1–50 of 60');
    await page.getByRole('link', { name: 'Line' }).click();
    await page.getByRole('link', { name: /^Line/ }).click();
    assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Line ↓');
    assert.match(await first.innerText(), /P59 Ek/);
    await page.getByRole('link', { name: 'Next' }).click();
    assert.equal(await range.innerText(), '51–60 of 60');
    assert.match(await first.innerText(), /P9 Ek/);
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByLabel('Group').selectOption('Rare');
    await page.waitForURL(/group=Rare/);
    assert.equal(await range.innerText(), '1–10 of 10');
    assert.match(await first.innerText(), /P54 Ek/);
    await page.getByRole('searchbox').fill('ek');
    await page.getByRole('button', { name: 'Search' }).click();
    assert.equal(await range.innerText(), '1–50 of 60');
    await page.getByRole('button', { name: 'Next' }).click();
    assert.equal(await range.innerText(), '51–60 of 60');
    await page.getByRole('button', { name: /^Address/ }).click();
    assert.equal(await range.innerText(), '1–50 of 60');
    assert.match(await first.innerText(), /P0 Ek/);
    assert.equal(await page.getByRole('searchbox').inputValue(), 'ek');
    assert.ok(!page.url().includes('ek') || page.url().endsWith('/people'), page.url());
    const height = (await first.boundingBox())?.height ?? 0;
    assert.ok(height <= 38.5, `${height} px`);
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'people');
    await page.getByRole('button', { name: 'P1 Ek', exact: true }).click();
    assert.equal(await page.locator('h1').innerText(), 'P1 Ek');
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
