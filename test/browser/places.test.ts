import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { browserSkipReason } from './chromium.ts';
import { openPages } from './open-pages.ts';
import { rosterOf } from './signed-in.ts';

suite('sources, stories and settings', { skip: browserSkipReason }, () => {
  const pages = openPages(`    schedule: { cron: "15 2 * * *", timezone: Europe/Berlin }
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
      /staff[^]*staff\.csv[^]*15 2 \* \* \*, Europe\/Berlin[^]*nothing is usual yet/,
    );
    await page.getByRole('button', { name: 'Read it and show me first: staff' }).click();
    assert.match(await page.locator('h1').innerText(), /Should these 30 people be sent\?/);
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    assert.equal((await pages.server.context.ledger.findRuns(run))[0]?.begunBy, 'mette@desk');
    await page.getByLabel('Send all 30').check();
    await page.getByLabel(/^Type/).fill('30');
    await page.getByRole('button', { name: 'Confirm my choice' }).click();
    await pages.ended(run);
    await page.goto('/sources');
    assert.match(await main.innerText(), /usually 30, held below \d+/);
    assert.deepEqual(await pages.faultsOf(page), []);
    if (process.env['PICTURES'])
      await page.screenshot({ path: `${process.env['PICTURES']}/sources.png`, fullPage: true });
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
    const story = { ID: 's1', name: 'Phishing' };
    const question = { question: 'Is it?', type: 'choice', possibleAnswers: [], responses: [], otherResponses: 0 };
    const figures = (ID: string, people: number) => ({
      story: {
        ID,
        name: ID === 's1' ? 'Phishing' : 'Rare',
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
        figures: { answers: 40, stories: [figures('s1', 25), figures('s2', 4)], breaches: [] },
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
      /Phishing: staff[^]*25 answered[^]*83 % of 30 people[^]*Sales[^]*100 %[^]*2 small groups are hidden/,
    );
    assert.match(words, /Is it\?\s+25\s+75 %/);
    assert.doesNotMatch(words, /Board|Rare/);
    assert.deepEqual(await pages.faultsOf(page), []);
    if (process.env['PICTURES'])
      await page.screenshot({ path: `${process.env['PICTURES']}/stories.png`, fullPage: true });
    await context.close();
  });

  test('settings show what is in force and where it is from, without a secret, and what doctor finds', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto('/settings');
    const words = await page.locator('main').innerText();
    assert.match(words, /delivery\.rate\.limit\s+500\s+ROSTER_SYNC__DELIVERY__RATE__LIMIT/);
    assert.match(words, /service\.token\s+\*\*\*\s+ROSTER_SYNC_TOKEN/);
    assert.match(words, /source staff\s+Good/);
    const token = pages.server.context.config.service.token?.reveal() ?? '';
    for (const secret of [token, 'not-to-be-shown-4711']) assert.ok(!(await page.content()).includes(secret));
    assert.deepEqual(await pages.faultsOf(page), []);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/settings.png` });
    await page.getByRole('button', { name: 'Ask the service, too' }).click();
    assert.match(await page.locator('main').innerText(), /service\s+Good\s+.* answers and accepts the token/);
    await pages.server.context.ledger.addAccount({ key: 'mette', name: 'Mette', role: 'viewer', password: 'scrypt' });
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ['/sources', '/stories', '/settings', '/sign-in']) {
      await page.goto(path);
      const isWider = (await page.locator('body').boundingBox())?.width ?? 0;
      assert.ok(isWider <= 390, path);
    }
    assert.equal(await page.getByLabel('Password').count(), 1);
    assert.deepEqual(await pages.faultsOf(page), []);
    if (process.env['PICTURES'])
      await page.screenshot({ path: `${process.env['PICTURES']}/sign-in.png`, fullPage: true });
    await context.close();
  });
});
