import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readFiles } from '../../src/data/data.ts';
import { ownScopes } from '../../src/core/secrets/token.ts';
import { browserSkipReason } from './chromium.ts';
import { smallLooks, usualLooks } from './faults-of.ts';
import { openPages } from './open-pages.ts';

const folder = join(import.meta.dirname, '../../src/server/page');
const hostile = `<script>alert(1)</script>,"O'Neill & Co with a name of many words that goes on and on",odd@example.com,Support`;

/** People of a group. */
function people(group: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `Ann ${from + at},Ek,ann.${from + at}@example.com,${group}`);
}

suite('every page', { skip: browserSkipReason }, () => {
  const pages = openPages();
  const roster = (lines: string[]): string => ['firstname,lastname,email,groups', ...lines, ''].join('\n');
  const [before, now] = [
    roster([...people('Marketing', 0, 41), ...people('Sales', 100, 30), hostile, 'No,Address,no-address,Sales']),
    roster([...people('Brand', 0, 38), ...people('Marketing', 38, 3), ...people('Sales', 100, 30), hostile]),
  ];
  let done = '';
  let held = '';
  const paths = (): Record<string, string> => ({
    ...{ home: '/', runs: '/runs', done: `/runs/${done}`, held: `/runs/${held}`, cancel: `/runs/${held}/cancel` },
    ...{ everybody: `/runs/${done}/people`, rejects: `/runs/${done}/people?show=reject` },
    ...{ behind: `/runs/${held}/people?reason=1`, people: '/people', 'left-behind': '/left-behind' },
    ...{ import: '/import', sources: '/sources', stories: '/stories', settings: '/settings', accounts: '/accounts' },
    ...{ 'not-there': '/runs/nothing', nowhere: '/nowhere/at/all' },
  });

  test('has no fault of access on a phone and at 200 % zoom, in the light and the dark, and never scrolls sideways', async () => {
    pages.server.sandbox.faults.add('status=400,email=ann.120@example.com');
    pages.server.sandbox.faults.add('body=html,email=ann.121@example.com');
    done = await pages.start(before, { approved: true });
    await pages.ended(done);
    pages.server.sandbox.faults.clear();
    await pages.ended(await pages.start(before.replace(/,Support$/m, ',IT'), { approved: true }));
    held = await pages.start(now);
    const { page, context } = await pages.signedIn({ scopes: [...ownScopes] });
    const faults: string[] = [];
    const look = async (name: string): Promise<void> => {
      faults.push(...(await pages.faultsOf(page, smallLooks)).map((fault) => `${name}: ${fault}`));
      await picture(page, name);
    };
    for (const [name, path] of Object.entries(paths())) {
      await page.goto(path);
      await look(name);
    }
    await page.goto('/left-behind');
    await page.getByRole('button', { name: /^Done.*O'Neill/ }).click();
    assert.match(await page.locator('main').innerText(), /Nobody keeps a group[^]*1 group marked as done/);
    await page.goto('/people');
    await page.getByLabel('E-mail address').fill('ann.120@example.com');
    await page.getByRole('button', { name: 'Look up' }).click();
    await look('person');
    await page.goto('/import');
    const buffer = Buffer.from(
      'First name;Last name;E-mail;Department\nZoë;Brückner;zoe@example.com;Sales\nJo;Ek;jo@;IT\n',
    );
    await page.getByLabel('The file').setInputFiles({ name: 'starters.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Continue' }).click();
    await look('check');
    await page.getByRole('button', { name: /^See all|^See this/ }).click();
    await look('import-people');
    await page.goto('/accounts');
    await page.getByLabel('Name').fill('Mette Krogh');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await look('invited');
    const link = await page.getByLabel('The link for Mette Krogh').inputValue();
    await page.goto('/accounts');
    await page.getByLabel('Change Mette Krogh').click();
    await look('accounts-with-somebody');
    await page.goto(link);
    await look('welcome');
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.goto('/sign-in');
    await look('sign-in');
    assert.deepEqual(faults, []);
    await context.close();
  });

  for (const [language, messages] of Object.entries(readFiles<Record<string, string>>('page-languages'))) {
    test(`is in ${language} where the browser asks for that, with no fault of access`, async () => {
      const { page, context } = await pages.signedIn({
        scopes: [...ownScopes],
        locale: language,
        javaScriptEnabled: true,
      });
      const english = new Map(Object.entries(messages).filter(([text, other]) => text !== other));
      const faults: string[] = [];
      const look = async (name: string): Promise<void> => {
        const texts = await page.evaluate<string[]>(
          `[...document.querySelectorAll('body *')].flatMap((each) => [...each.childNodes].flatMap((one) => (one.nodeType === 3 ? one.data.trim() : [])))`,
        );
        assert.equal(await page.evaluate('document.documentElement.lang'), language, name);
        // Names of settings are made of the settings themselves.
        const own = name === 'settings' ? [] : texts;
        faults.push(...own.filter((text) => english.has(text)).map((text) => `${name}: “${text}” is English`));
        faults.push(...(await pages.faultsOf(page, smallLooks)).map((fault) => `${name}: ${fault}`));
        await picture(page, `${language}-${name}`);
      };
      for (const [name, path] of Object.entries(paths())) {
        await page.goto(path);
        await look(name);
      }
      await page.goto('/import');
      const buffer = Buffer.from('Förnamn;Efternamn;E-post;Team\nZoë;Ek;zoe@example.com;Sales\nJo;Ek;jo@;IT\n');
      await page.locator('#file').setInputFiles({ name: 'starters.csv', mimeType: 'text/csv', buffer });
      await page.waitForURL(/\/import\/./);
      await look('check');
      await page.locator('button[value=people]').click();
      await page.waitForURL(/\/people/);
      await look('import-people');
      assert.deepEqual(faults, []);
      await context.close();
    });
  }

  test('every form that changes something is refused to who may only look', async () => {
    const { page, context } = await pages.signedIn({ name: 'eve@desk', scopes: ['read'] });
    const forms = globSync('*.ts', { cwd: folder }).flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const found = (of: RegExp) => [...text.matchAll(of)].map(([, path = '']) => path);
      const lists = found(/peopleRoutes\(app, parts, \{\s*path: '([^']+)'/g);
      return [...found(/app\.post\(\s*['`](\/[^'`]+)['`]/g), ...lists.flatMap((path) => [path, `${path}/download`])];
    });
    assert.ok(forms.length > 15, String(forms));
    assert.ok(forms.includes('/import/:upload/people/download'), String(forms));
    const reads = [
      '/sign-in',
      '/sign-in/with',
      '/sign-out',
      '/runs',
      '/runs/:run/people',
      '/runs/:run/people/download',
      '/people',
      '/people/download',
      '/left-behind/download',
      '/stories/people',
      '/stories/people/download',
    ];
    const changes = forms
      .filter((path) => !reads.includes(path))
      .flatMap((path) =>
        path.includes('${command}')
          ? ['pause', 'cancel', 'resume', 'retry'].map((command) => path.replace('${command}', command))
          : [path],
      );
    for (const path of changes) {
      const url = path.replace(':run', held).replace(':upload', 'latest').replace(':name', 'staff');
      const form = { source: 'staff', email: 'odd@example.com', choice: 'all', confirm: '1' };
      const sent = url === '/import' ? { multipart: form } : { form };
      const answer = await page.request.post(url, { headers: { origin: pages.server.url }, ...sent });
      assert.equal(answer.status(), 403, path);
    }
    assert.equal((await pages.server.context.ledger.findRuns(held))[0]?.status, 'held');
    await context.close();
  });

  /** For whoever changes how a page looks, where `PICTURES` names a folder. */
  async function picture(page: Page, name: string): Promise<void> {
    const to = process.env['PICTURES'];
    if (to === undefined) return;
    for (const { colorScheme, width, height } of [...usualLooks, ...smallLooks]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `${to}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  }
});
