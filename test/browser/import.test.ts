import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from './chromium.ts';
import { smallLooks, usualLooks } from './faults-of.ts';
import { openPages } from './open-pages.ts';

const everyLook = [...usualLooks, ...smallLooks];

/** Headings that are usual, names of many scripts, a status, a first day, a group that is a slip, two wrong rows. */
function starters(people = 24, more = ''): string {
  const names = ['Åse Lindqvist', 'Łukasz Wójcik', 'Νίκος Παπαδόπουλος', 'Zoë Brückner'];
  const rows = Array.from({ length: people }, (_, at) => {
    const [first = '', last = ''] = (names[at] ?? `Ann${'abcdefghijklmnopqrstuvwxyz'[at % 26]} Ek`).split(' ');
    const department = at === 5 ? 'Customer Sucess' : at % 2 === 0 ? 'Customer Success' : 'Engineering';
    return `${first};${last};starter.${at}@example.com;${department};Active`;
  });
  return ['First name;Last name;E-mail;Department;Status', ...rows, more].join('\n');
}

suite('importing an unknown file on the pages', { skip: browserSkipReason }, () => {
  const pages = openPages();

  async function choose(page: Page, name: string, text: string | Buffer): Promise<void> {
    const buffer = Buffer.isBuffer(text) ? text : Buffer.from(text);
    await page.getByLabel('The file').setInputFiles({ name, mimeType: 'text/csv', buffer });
  }

  for (const [javaScriptEnabled, width] of [
    [false, 1280],
    [true, 1280],
    [false, 390],
    [true, 390],
  ] as const) {
    const scripts = javaScriptEnabled ? 'on' : 'off';
    test(`with usual headings, from the first page to done in 6 clicks and 3 screens; ${width} px, JavaScript ${scripts}`, async () => {
      const { page, context } = await pages.signedIn({ javaScriptEnabled });
      await page.setViewportSize({ width, height: 800 });
      const picture = async (name: string): Promise<void> => {
        const folder = process.env['PICTURES'];
        if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${scripts}.png`, fullPage: true });
      };
      let clicks = 0;
      const screens = new Set<string>();
      const click = async (role: 'link' | 'button', name: string | RegExp): Promise<void> => {
        await page
          .getByRole(role, { name, exact: typeof name === 'string' })
          .first()
          .click();
        clicks += 1;
        screens.add(await page.title());
      };
      await picture('home');
      await click('link', 'Import a file');
      await picture('import');
      const list = `usual-${width}-${scripts}`;
      await choose(page, `${list}.csv`, starters(25).replaceAll('starter.', `${list}.`));
      clicks += 1;
      if (!javaScriptEnabled) await click('button', 'Continue');
      await page.getByRole('heading', { name: 'Is this how the file is meant?' }).waitFor();
      await picture('check');
      await click('button', 'See all 25 people');
      await page.getByLabel('Type 25 to confirm').fill('25');
      await picture('people');
      const calls = (await pages.server.context.ledger.listRuns(1))[0]?.status;
      assert.equal(calls, 'held', 'nothing is sent before');
      await click('button', 'Send to 25 people');
      await pages.readEnd(page, runOf(page));
      assert.match(await page.locator('main').innerText(), /25 of 25 people|25 delivered/);
      const sent = page.url();
      await page.goBack();
      assert.equal(page.url(), sent, 'Back finds the run');
      screens.delete(await page.title());
      screens.delete(`${list} · roster-sync`);
      assert.equal(clicks, javaScriptEnabled ? 4 : 5);
      assert.ok([...screens].filter((title) => !title.startsWith('usual')).length <= 3, [...screens].join(', '));
      await context.close();
    });
  }

  test('with JavaScript columns are worked out as they are changed, and what is pressed meanwhile is done behind that', async () => {
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    await page.goto('/import');
    await choose(page, 'at-once.csv', starters(3).replaceAll('starter.', 'once.'));
    await page.getByRole('heading', { name: 'Is this how the file is meant?' }).waitFor();
    await page.getByLabel('E-mail becomes').selectOption({ label: 'Not sent' });
    await page.getByText('Which column is the e-mail? Nobody can be sent without.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'E-mail becomes');
    assert.doesNotMatch(await page.locator('#columns').innerText(), /work it out again/);
    await page.getByLabel('E-mail becomes').selectOption({ label: 'E-mail' });
    await page.getByRole('button', { name: /^See/ }).click();
    await page.getByRole('heading', { name: 'Look at everybody' }).waitFor();
    assert.match(await page.locator('nav.filters').innerText(), /Everybody 3/);
    await page.getByRole('button', { name: 'Send to 3 people' }).click();
    await page.getByRole('heading', { name: 'at-once' }).waitFor();
    await context.close();
  });

  test('correct the mapping, see everybody, correct a reject, confirm, and watch it done', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto('/import');
    const hostile = '<script>alert(1)</script>;Tables;hostile@example.com;Engineering;Active\n';
    await choose(
      page,
      '../../<script>alert(2)<.csv',
      starters(
        24,
        `${hostile}Jane;Achterberg;jane@;Sales;Active\nTom;Left;tom@example.com;Sales;Terminated\n`,
      ).replaceAll('Customer', 'Client'),
    );
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.equal(await page.locator('h1').innerText(), 'Is this how the file is meant?');
    const main = await page.locator('main').innerText();
    assert.match(main, /27 rows/);
    assert.match(main, /Νίκος Παπαδόπουλος/);
    assert.match(main, /Read as UTF-8, fields between semicolons, headings in line 1/);
    assert.match(main, /Leave out the 1 person whose Status is Terminated[^]*Tom Left/);
    assert.match(main, /“Client Sucess” looks like a slip\.[^]*like “Client Success”/);
    assert.match(main, /Rows in the file\s+27\s+Left out\s+− 1\s+Rejected\s+− 1\s+People\s+25/);
    assert.deepEqual(await pages.faultsOf(page), []);
    assert.doesNotMatch(await page.content(), /<script>/);

    await page.getByRole('button', { name: 'Put them into Client Success' }).click();
    assert.equal(await page.getByLabel('Client Sucess becomes').inputValue(), 'Client Success');
    assert.doesNotMatch(await page.locator('#groups').innerText(), /looks like a slip|“Client Sucess” \(/);
    await page.getByLabel('E-mail becomes').selectOption({ label: 'Not sent' });
    await page.getByRole('button', { name: 'Work it out again' }).click();
    assert.match(
      await page.getByRole('alert').innerText(),
      /Which column is the e-mail\? Nobody can be sent without\./,
    );
    assert.deepEqual(await pages.faultsOf(page), []);
    await page.getByLabel('E-mail becomes').selectOption({ label: 'E-mail' });
    await page.getByLabel('A group for everybody').fill('New starters');
    await page.getByRole('button', { name: 'Work it out again' }).click();
    assert.match(await page.locator('#groups').innerText(), /New starters\s*everybody\s*25/);
    await page.getByRole('button', { name: 'See all 25 people' }).click();

    assert.equal(await page.locator('h1').innerText(), 'Look at everybody');
    assert.match(await page.locator('tbody').last().innerText(), /<script>alert\(1\)<\/script> Tables/);
    assert.equal(await page.locator('tbody tr').count(), 26);
    assert.deepEqual(await pages.faultsOf(page), []);
    const wrong = page.getByLabel('E-mail of Jane Achterberg');
    assert.equal(await wrong.inputValue(), 'jane@');
    await wrong.fill('jane@nowhere');
    await page.getByRole('button', { name: 'Correct' }).click();
    assert.match(await page.getByRole('status').innerText(), /Line 27 is still rejected/);
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.className');
    assert.equal(await focused(), 'E-mail of Jane Achterberg');
    await page.getByLabel('E-mail of Jane Achterberg').fill('jane@example.com');
    await page.getByRole('button', { name: 'Correct' }).click();
    assert.equal(await page.getByRole('status').innerText(), 'Jane Achterberg is corrected. 26 invitations at most.');
    assert.equal(await focused(), 'note ok');
    assert.match(await page.locator('tbody').innerText(), /Jane Achterberg\s+jane@example\.com\s+New/);
    await page.getByRole('button', { name: 'Send to 26 people' }).click();
    assert.equal(await page.getByRole('alert').innerText(), 'Type 26 to confirm.');
    assert.equal(pages.server.context.adopted.size, 0);
    const stale = await context.newPage();
    await stale.goto(page.url().replace('/send', '/people'));
    await page.getByRole('link', { name: 'Back to the columns' }).click();
    await page.getByLabel('A group for everybody').fill('Starters');
    await page.getByRole('button', { name: 'Work it out again' }).click();
    await stale.getByLabel('Type 26 to confirm').fill('26');
    await stale.getByRole('button', { name: 'Send to 26 people' }).click();
    assert.match(await stale.locator('main').innerText(), /columns were changed after this plan was made/);
    assert.equal(pages.server.context.adopted.size, 0);
    await page.getByRole('button', { name: 'See all 26 people' }).click();
    await page.getByLabel('Type 26 to confirm').fill('26');
    await page.getByRole('button', { name: 'Send to 26 people' }).click();
    await pages.readEnd(page, runOf(page));
    assert.match(await page.locator('main').innerText(), /26 of 26 people/);
    const uploads = join(pages.server.folder, '.roster-sync', 'uploads');
    const kept = readdirSync(uploads);
    assert.ok(kept.length > 0);
    for (const name of kept) {
      assert.equal(readFileSync(join(uploads, name, 'bytes'), 'utf8'), '', 'what was sent is not kept');
      assert.doesNotMatch(readFileSync(join(uploads, name, 'upload.json'), 'utf8'), /example\.com/);
    }
    await context.close();
  });

  test('a choice that is remembered reads the next file; it is edited as YAML, with what is wrong beside it', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto('/import');
    await choose(page, 'kept-list.csv', starters(2));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('What this list is called').fill('staff');
    await page.getByRole('button', { name: 'See all 2 people' }).click();
    assert.match(await page.getByRole('alert').innerText(), /The config has rules for staff/);
    await page.getByLabel('What this list is called').fill('kept-list');
    await page.getByLabel('Remember this for the next file').check();
    await page.getByRole('button', { name: 'See all 2 people' }).click();
    assert.equal(await page.locator('h1').innerText(), 'Look at everybody');

    await page.goto('/import');
    await page.getByRole('link', { name: 'kept-list', exact: true }).click();
    assert.match(await page.locator('main').innerText(), /Kept from an import by mette@desk/);
    await page.getByText('For whoever runs roster-sync').click();
    assert.match(await page.locator('pre').innerText(), /^sources:\n {2}kept-list:\n {4}members:/);
    assert.deepEqual(await pages.faultsOf(page), []);
    const settings = page.getByLabel('Its rules');
    const before = await settings.inputValue();
    await settings.fill(`file: /etc/passwd\n${before}`);
    await page.getByRole('button', { name: 'Save' }).click();
    assert.match(await page.getByRole('alert').innerText(), /file: only the config says where a source is/);
    assert.match(await settings.inputValue(), /^file: \/etc\/passwd/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await settings.fill(before.replace('groups:', 'groups:\n  - always: Remembered'));
    await page.getByRole('button', { name: 'Save' }).click();

    await page.goto('/import');
    await page.getByLabel('What is it?').selectOption('kept-list');
    await choose(page, 'next.csv', starters(3).replaceAll('starter.', 'next.'));
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.match(await page.locator('main').innerText(), /Remembered/);
    await context.close();
  });

  test('groups are renamed, put together, left out and pasted; that is remembered, and shown for the next file', async () => {
    const { page, context } = await pages.signedIn();
    const cells = ['Engineering', 'Eng.', '100', 'Temp', 'Sales'];
    const file = (place: string, more = ''): string =>
      [
        'First name;Last name;E-mail;Department',
        ...cells.map((cell, at) => `Ann${'abcde'[at]};Ek;named.${at}@${place}.example.com;${cell}`),
        more,
      ].join('\n');
    const becomes = (name: string) => page.getByLabel(`${name} becomes`, { exact: true });
    const shown = (...names: string[]) => Promise.all(names.map((name) => becomes(name).inputValue()));
    await page.goto('/import');
    await choose(page, 'named-groups.csv', file('first'));
    await page.getByRole('button', { name: 'Continue' }).click();
    assert.deepEqual(await shown(...cells), cells);
    await becomes('Eng.').fill('Engineering');
    await becomes('Temp').fill('');
    await becomes('Engineering').press('Enter');
    assert.deepEqual(await shown('Engineering', 'Eng.', 'Temp'), ['Engineering', 'Engineering', '']);
    await page.getByText('Paste names from a table').click();
    await page.getByLabel('What the file says, and what it becomes').fill('100\tLegal\n200\tFinance\nSales');
    await page.getByRole('button', { name: 'Use these names' }).click();
    assert.match(await page.getByRole('alert').innerText(), /“Sales” has no second column/);
    assert.equal(await becomes('100').inputValue(), 'Legal');
    assert.match(await page.locator('#groups').innerText(), /3 groups[^]*Eng\.[^]*together with “Engineering”/);
    assert.deepEqual(await pages.faultsOf(page, everyLook), []);
    await becomes('Sales').fill('Selling');
    await page.getByRole('button', { name: 'Use these names' }).click();
    assert.equal(new URL(page.url()).hash, '#groups');
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.match(await page.locator('.sum').innerText(), /Rejected\s+− 1\s+People\s+4/);
    await page.getByLabel('Remember this for the next file').check();
    await page.getByRole('button', { name: 'See all 4 people' }).click();
    const everybody = await page.locator('tbody').last().innerText();
    for (const group of ['Engineering', 'Legal', 'Selling']) assert.match(everybody, new RegExp(group));
    assert.doesNotMatch(everybody.replaceAll(/leaves out.*/g, ''), /Eng\.|100|\bSales\b/);
    await page.getByRole('button', { name: /^Send to/ }).click();
    await pages.ended(runOf(page));

    for (const chosen of ['', 'named-groups']) {
      await page.goto('/import');
      await page.getByLabel('What is it?').selectOption(chosen);
      const name = chosen === '' ? 'named-groups.csv' : 'other.csv';
      await choose(
        page,
        name,
        file('next', 'Flo;Ek;flo@next.example.com;200\nGil;Ek;gil@next.example.com;Engineerings'),
      );
      await page.getByRole('button', { name: 'Continue' }).click();
      assert.match(await page.locator('main').innerText(), /This is read as the last file of named-groups was\./);
      assert.equal(await page.getByLabel('What this list is called').inputValue(), 'named-groups');
      assert.deepEqual(await shown('Eng.', '100', '200', 'Temp', 'Sales'), [
        ...['Engineering', 'Legal', 'Finance', '', 'Selling'],
      ]);
      const note = page.locator('.note', { hasText: 'was never used before' });
      assert.match(await note.innerText(), /“Engineerings” was never used before\. 1 person\. [^]*\(used before\)/);
      assert.equal(await becomes('Engineerings').inputValue(), 'Engineerings', 'it is offered, and not done by itself');
      if (chosen === '') continue;
      await page.getByRole('button', { name: 'Put them into Engineering' }).click();
      assert.equal(await becomes('Engineerings').inputValue(), 'Engineering');
    }
    await context.close();
  });

  test('a group that was left out is let in again only by somebody who may approve; other settings of the source stay', async () => {
    const { page, context } = await pages.signedIn({ scopes: ['read', 'run'] });
    const { ledger } = pages.server.context;
    const block = [
      'members: { firstname: First name, lastname: Last name, email: E-mail }',
      'groups: [{ column: Department }]',
      'allow: { groups: { except: [Temp] } }',
      'invites: { perRun: 7 }',
      'deliver: { rate: 2/s }',
    ].join('\n');
    await ledger.keepSource({ name: 'let-in', block, by: 'mette@desk' });
    await page.goto('/import');
    await choose(
      page,
      'let-in.csv',
      'First name;Last name;E-mail;Department\nAnn;Ek;ann@in.example.com;Temp\nBo;Ek;bo@in.example.com;Legal',
    );
    await page.getByRole('button', { name: 'Continue' }).click();
    const temp = page.getByLabel('Temp becomes');
    assert.equal(await temp.inputValue(), '');
    await page.getByLabel('Legal becomes').fill('Law');
    await page.getByRole('button', { name: 'See this person' }).click();
    assert.equal(await page.locator('h1').innerText(), 'Look at everybody');
    const kept = async () => (await ledger.listKeptSources()).find(({ name }) => name === 'let-in')?.block ?? '';
    assert.match(await kept(), /perRun: 7[^]*rename:\s+Legal: Law[^]*except:\s+- Temp[^]*rate: 2\/s/);
    await page.getByRole('link', { name: 'Back to the columns' }).click();
    await temp.fill('Temp');
    await page.getByRole('button', { name: /^See/ }).click();
    assert.match(
      await page.getByRole('alert').innerText(),
      /lets more through than before \(allow\.groups\.except\), which needs the scope approve/,
    );
    assert.match(await kept(), /- Temp/);
    // What the rules leave to be recognised stays so.
    assert.doesNotMatch(await kept(), /telephone|employeeId/);
    await context.close();
  });

  test('no screen is wider than a phone, nor has a fault there', async () => {
    const { page, context } = await pages.signedIn();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/import');
    await choose(page, 'phone.csv', starters(3, 'Jane;Achterberg;jane.phone@;Sales;Active\n'));
    await page.getByRole('button', { name: 'Continue' }).click();
    const isNarrow = async (): Promise<void> => {
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 390);
      assert.deepEqual(await pages.faultsOf(page), []);
    };
    await isNarrow();
    await page.getByRole('button', { name: /^See all/ }).click();
    await isNarrow();
    await context.close();
  });
});

/** The run whose page it is. */
function runOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
