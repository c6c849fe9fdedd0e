import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { askWhoAnswered } from '../../jobs/story/complete-roster.ts';
import { analysisPath, call } from '../sandbox/call.ts';
import { browserSkipReason } from './chromium.ts';
import { openPages } from './open-pages.ts';
import { rosterOf } from './signed-in.ts';

suite('sources, stories and settings', { skip: browserSkipReason }, () => {
  const pages = openPages(`    schedule: { cron: "15 2 * * *", timezone: Europe/Berlin }
    webhook: { preset: bamboohr, secret: hook-secret-4711-for-tests }
  sealed:
    file: ./sealed.csv.pgp
    members: { firstname: firstname, lastname: lastname, email: email }
    pgp: { privateKey: not-a-private-key }
server:
  signIn: { issuer: "https://login.example.com", clientId: roster-sync, clientSecret: not-to-be-shown-4711, roles: {} }
`);

  test('a source says where it is from, when it is next, and what holds it; it is read now, and held until approved', async () => {
    pages.server.roster(rosterOf(30));
    const { page, context } = await pages.signedIn();
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    const main = page.locator('main');
    assert.match(
      await main.innerText(),
      /staff[^]*staff\.csv[^]*Every day at 02:15 by the clocks of Europe\/Berlin[^]*nothing is usual yet/,
    );
    await page.getByRole('button', { name: 'Read it and show me first: staff' }).click();
    assert.match(await page.locator('h1').innerText(), /Should these 30 people be sent\?/);
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    assert.equal((await pages.server.context.ledger.findRuns(run))[0]?.begunBy, 'mette@desk');
    await page.getByLabel('Send all 30').check();
    await page.getByLabel(/^Type/).fill('30');
    await page.locator('[data-names=choice]').click();
    await pages.ended(run);
    const { ledger } = pages.server.context;
    const event = (key: string, kind: string) =>
      ledger.addEvent({
        ...{ source: 'staff', key, kind, employees: ['ada.lovelace'], people: null },
        body: '{"a":1}',
      });
    await event('id:1', 'employee.updated');
    const [taken] = await ledger.takeEvents({ source: 'staff', withPeople: false, limit: 1 });
    await ledger.eventsHandled({ source: 'staff', ids: [taken?.id ?? 0], runId: run });
    await event('id:2', '<script>employee.created');
    await ledger.countEvents([
      { source: 'staff', result: 'stored', count: 2 },
      { source: 'staff', result: 'wrong', count: 3 },
    ]);
    await page.goto('/sources');
    assert.match(await main.innerText(), /usually 30, held below \d+/);
    assert.match(await main.innerText(), /Accepted\s+2\s+Refused: the signature or secret is wrong\s+3/);
    await page.getByText('The last 2 events that were accepted').click();
    assert.match(
      await main.innerText(),
      new RegExp(`<script>employee\\.created\\s+Accepted\\s+waits[^]*employee\\.updated\\s+Accepted\\s+run ${run}`),
    );
    assert.doesNotMatch(await page.content(), /lovelace/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'sources');
    const looking = await pages.signedIn({ name: 'eve@desk', scopes: ['read'] });
    await looking.page.goto('/sources');
    assert.equal(await looking.page.getByRole('button', { name: /Read it/ }).count(), 0);
    const posted = await looking.page.request.post('/sources/run', {
      headers: { origin: pages.server.url },
      form: { source: 'staff' },
    });
    assert.equal(posted.status(), 403);
    await looking.context.close();
    await context.close();
  });

  test('stories show how far people are and how well they answer; small groups are hidden, and so are stories of few', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto('/stories');
    assert.match(await page.locator('h1').innerText(), /No answers are kept/);
    assert.deepEqual(await pages.faultsOf(page), []);
    const { address } = pages.server.context.service;
    const counts = (people: number, answered: number) => ({
      ...{ people, answered, wrongly: 0, partly: 0, notAnswered: people - answered, notYetGiven: 0 },
    });
    const story = { ID: '4711', name: 'Fire safety' };
    const question = { question: 'Is it?', type: 'choice', possibleAnswers: [], responses: [], otherResponses: 0 };
    const figures = (ID: string, people: number) => ({
      story: {
        ID,
        name: ID === '4711' ? 'Fire safety' : 'Rare',
        type: 'story',
        app: { ID: 'a', name: 'App', version: '1' },
      },
      people,
      questions: [{ ...question, answered: people, correct: 3, incorrect: 1, attempts: 0, attemptsKnown: 0 }],
    });
    for (const answered of [10, 25]) {
      await pages.server.context.ledger.keepAnswers({
        service: address,
        request: {},
        figures: { answers: 40, stories: [figures('4711', 25), figures('s2', 4)], breaches: [] },
        completion: [
          {
            ...{ source: 'staff', rosterAt: '2026-01-05T06:00:00Z', story, questions: 1, total: counts(30, answered) },
            groups: [
              { group: 'Sales', ...counts(20, answered > 20 ? 20 : answered) },
              { group: 'Board', ...counts(3, 1) },
              { group: 'IT', ...counts(7, 3) },
            ],
          },
        ],
      });
    }
    await page.reload();
    const words = await page.locator('main').innerText();
    assert.match(
      words,
      /Fire safety: staff[^]*25 answered[^]*83 % of 30 people[^]*Sales[^]*100 %[^]*2 small groups are hidden/,
    );
    assert.match(words, /Is it\?\s+25\s+75 %/);
    assert.doesNotMatch(words, /Board|Rare/);
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'stories');
    await context.close();
  });

  test('who has not answered a story is listed, copied and downloaded by whoever may look, and noted in the audit', async () => {
    const { context: served, sandbox, url } = pages.server;
    const answered = await call(sandbox, analysisPath, { story: '4711' });
    const expected = Array.from({ length: 30 }, (_, at) => `ann.${at}@example.com`).filter(
      (email) => !answered.text.includes(`"${email}"`),
    );
    assert.ok(expected.length > 0 && expected.length < 30);
    const { page, context } = await pages.signedIn({ name: 'eve@desk', scopes: ['read'], javaScriptEnabled: true });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    await page.goto('/stories');
    await page.getByRole('button', { name: 'See who has not answered' }).click();
    assert.match(await page.locator('h1').innerText(), new RegExp(`^${expected.length} people have not answered$`));
    assert.deepEqual((await page.locator('#addresses').inputValue()).split('\n').toSorted(), expected.toSorted());
    assert.equal(await page.locator('tbody tr').count(), expected.length);
    await page.getByRole('button', { name: 'Copy the addresses' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.deepEqual(copied.split('\n').toSorted(), expected.toSorted());
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'not-answered');
    for (const time of ['first', 'second']) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as CSV' }).click();
      assert.equal((await downloading).suggestedFilename(), 'not-answered.csv', time);
    }
    const post = (path: string, form: Record<string, string>) =>
      page.request.post(path, { headers: { origin: url }, form });
    const file = await post('/stories/people/download', { source: 'staff', story: '4711' });
    assert.match(file.headers()['content-disposition'] ?? '', /filename="not-answered\.csv"/);
    const [head, ...rows] = (await file.text()).trim().split(/\r?\n/);
    assert.match(head ?? '', /firstname,lastname,email,groups,status,questions$/);
    assert.equal(rows.length, expected.length);
    assert.ok(rows.every((row) => row.endsWith(',not-answered,0')));
    assert.equal((await post('/stories/people', { source: 'staff', story: 'none' })).status(), 404);
    assert.equal((await post('/stories/people', { source: 'none', story: '4711' })).status(), 404);
    const deeds = await served.ledger.listDeeds({ limit: 20 });
    const did = (action: string) => deeds.some((deed) => deed.by === 'eve@desk' && deed.action === action);
    assert.ok(did('look at who has not answered') && did('download who has not answered'));

    sandbox.faults.add('status=401,path=story-question-analysis');
    const refused = await post('/stories/people', { source: 'staff', story: '4711' });
    assert.equal(refused.status(), 504);
    assert.match(await refused.text(), /The service gave no answers/);
    sandbox.faults.clear();
    sandbox.faults.add('latency=forever,path=story-question-analysis');
    const asked = { source: 'staff', story: '4711', withinMs: 300, signal: new AbortController().signal };
    await assert.rejects(askWhoAnswered(served, asked), /did not send the answers within 0.3 seconds/);
    sandbox.faults.clear();
    await context.close();
  });

  test('settings show what is in force and where it is from, without a secret, and what doctor finds', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto('/settings');
    const words = await page.locator('main').innerText();
    assert.match(words, /Sending\s[^]*Rate limit\s+500\s+ROSTER_SYNC__DELIVERY__RATE__LIMIT/);
    assert.match(
      words,
      /The service\s[^]*Token\s+\*\*\*\s+ROSTER_SYNC_TOKEN[^]*Source staff\s[^]*File\s+\S*staff\.csv/,
    );
    assert.match(words, /source staff\s+Good/);
    const token = pages.server.context.config.service.token?.reveal() ?? '';
    for (const secret of [token, 'not-to-be-shown-4711']) assert.ok(!(await page.content()).includes(secret));
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'settings');
    await page.getByRole('button', { name: 'Ask the service, too' }).click();
    assert.match(await page.locator('main').innerText(), /service\s+Good\s+.* answers and accepts the token/);
    await page.getByRole('button', { name: 'Check backup, tables and PGP keys' }).click();
    const checked = await page.locator('main').innerText();
    assert.match(checked, /tables\s+Good\s+every row of every table can be read/);
    assert.match(checked, /PGP of sealed\s+Problem\s+.*pgp\.privateKey holds no private key/);
    assert.match(checked, /backup\s+Good\s+of (?:today|yesterday) \d\d:\d\d, with 30 people/);
    await photograph(page, 'settings-checked');
    const looking = await pages.signedIn({ name: 'eve@desk', scopes: ['read'] });
    const posted = await looking.page.request.post('/settings/check', { headers: { origin: pages.server.url } });
    assert.equal(posted.status(), 403);
    await looking.context.close();
    await pages.server.context.ledger.addAccount({ key: 'mette', name: 'Mette', role: 'viewer', password: 'scrypt' });
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ['/sources', '/stories', '/settings', '/sign-in']) {
      await page.goto(path);
      const isWider = (await page.locator('body').boundingBox())?.width ?? 0;
      assert.ok(isWider <= 390, path);
    }
    assert.equal(await page.getByLabel('Password').count(), 1);
    assert.deepEqual(await pages.faultsOf(page), []);
    await photograph(page, 'sign-in');
    await context.close();
  });

  /** For whoever changes how a page looks, where `PICTURES` names a folder. */
  async function photograph(page: Page, name: string): Promise<void> {
    const to = process.env['PICTURES'];
    if (to === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${to}/${name}-${colorScheme}.png`, fullPage: true });
    }
  }
});
