import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { browserSkipReason } from './chromium.ts';
import { openPages } from './open-pages.ts';

function rows(group: string, from: number, people: number): string[] {
  return Array.from({ length: people }, (_, at) => `Ann ${from + at},Ek,ann.${from + at}@example.com,${group}`);
}

suite('a run that is held for several reasons', { skip: browserSkipReason }, () => {
  const pages = openPages();

  async function planned(lines: string[]): Promise<{ run: string; hash: string; token: string }> {
    pages.server.roster(['firstname,lastname,email,groups', ...lines, ''].join('\n'));
    const token = await pages.server.token(`starter-${Math.random()}`, ['read', 'run', 'approve']);
    const { json } = await pages.server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } });
    const run = (await pages.server.ask(`/api/v1/runs/${json.run}`, { token })).json;
    return { run: json.run, hash: run.hold?.hash, token };
  }

  async function delivered(run: string, people: number): Promise<void> {
    for (;;) {
      const { succeeded } = (await pages.server.context.ledger.totalsOf(run)).outcome;
      if (succeeded === people) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test('each reason is a question with what is usual; one is answered, the other waits; whoever decides later is told', async () => {
    const first = await planned([...rows('Marketing', 0, 41), ...rows('Support', 100, 52), ...rows('Sales', 200, 30)]);
    await pages.server.ask(`/api/v1/runs/${first.run}/approve`, {
      method: 'POST',
      token: first.token,
      body: { hash: first.hash },
    });
    await delivered(first.run, 123);
    await pages.ended(first.run);
    const { run } = await planned([
      ...rows('Brand', 0, 38),
      ...rows('Marketing', 38, 3),
      ...rows('Support', 100, 76),
      ...rows('Sales', 200, 30),
    ]);
    const { page, context } = await pages.signedIn();
    await page.goto(`/runs/${run}`);
    const main = page.locator('main');
    assert.match(await main.innerText(), /1\. Marketing became Brand/);
    assert.match(await main.innerText(), /Last time 41\. Now 3\./);
    assert.match(
      await main.innerText(),
      /It looks like a new name\.\s+Marketing shrank from 41 to 3 and Brand appeared.*To keep the name Marketing at the service, send none of them/,
    );
    assert.match(await main.innerText(), /2\. Groups changed far more than usual: "Support" has 76/);
    assert.match(await main.innerText(), /Last time 52\. Now 76\./);
    assert.deepEqual(await pages.faultsOf(page), []);
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/held.png`, fullPage: true });
    const token = await pages.server.token('reader', ['read']);
    for (const [reason, held] of [
      [1, 38],
      [2, 24],
    ] as const) {
      await page.goto(`/runs/${run}/people?reason=${reason}`);
      assert.equal(await page.locator('tbody tr').count(), held);
      const { json } = await pages.server.ask(`/api/v1/runs/${run}/people`, {
        method: 'POST',
        token,
        body: { reason },
      });
      assert.equal(json.people.length, held, 'the API counts the reasons as the page does');
    }
    assert.equal((await page.goto(`/runs/${run}/people?reason=3`))?.status(), 404);
    await page.goto(`/runs/${run}`);

    const confirm = page.locator('[data-names=choice]');
    await page.getByLabel('Decide one by one').check();
    await confirm.click();
    assert.equal(await page.getByRole('alert').innerText(), 'Answer each question first.');
    assert.match(await page.locator('label[for=answer1]').innerText(), /^1\. 38 people\s*\S+/);
    await page.getByLabel('1. 38 people').selectOption({ label: 'Not now' });
    await page.getByLabel('2. 24 people').selectOption({ label: 'Not now' });
    await confirm.click();
    assert.match(await page.getByRole('alert').innerText(), /Nobody would be sent that way/);
    await page.getByLabel('2. 24 people').selectOption({ label: 'Send them, at most 24 invitations' });
    await page.getByLabel('Why?').fill('HR-1204');
    await confirm.click();
    assert.equal(await page.getByRole('alert').innerText(), 'These are 24 people. Type 24 to confirm.');
    assert.equal(await page.getByLabel('1. 38 people').inputValue(), 'later');
    assert.deepEqual(await pages.faultsOf(page), []);

    const other = await pages.signedIn({ name: 'jonas@desk' });
    await other.page.goto(`/runs/${run}`);
    await page.getByLabel(/^Type/).fill('24');
    await confirm.click();
    await delivered(run, 24);
    assert.equal(await pages.server.context.ledger.countHeld(run), 38);
    await page.reload();
    assert.match(await main.innerText(), /Should these 38 people be sent\?/);
    assert.doesNotMatch(await main.innerText(), /Groups changed far more/);

    await other.page.getByLabel('Decide one by one').check();
    await other.page.getByLabel('1. 38 people').selectOption({ label: 'Not now' });
    await other.page.getByLabel('2. 24 people').selectOption({ label: 'Send them, at most 24 invitations' });
    await other.page.locator('[data-names=choice]').click();
    assert.match(await other.page.getByRole('alert').innerText(), /Nobody would be sent that way/);
    assert.equal(await pages.server.context.ledger.countHeld(run), 38);
    const otherMain = other.page.locator('main');
    assert.match(
      await otherMain.innerText(),
      /mette@desk sent 24 of them (?:today|yesterday) \d\d:\d\d\. This is what is left\./,
    );

    const calls = pages.server.sandbox.calls.length;
    for (const each of [page, other.page]) {
      await each.goto(`/runs/${run}`);
      await each.getByLabel('Send all 38').check();
    }
    await Promise.all([page, other.page].map((each) => each.locator('[data-names=choice]').click()));
    await Promise.any([page, other.page].map((each) => each.getByRole('alert').waitFor()));
    await pages.ended(run);
    const told = await Promise.all([page, other.page].map((each) => each.getByRole('alert').allInnerTexts()));
    const [late = '', ...more] = told.flat();
    assert.deepEqual(more, []);
    assert.match(
      late,
      /sent 62 of them (?:today|yesterday) \d\d:\d\d\.\s+Somebody decided before you\. Nothing of what you chose was done\./,
    );
    assert.equal((await pages.server.context.ledger.approvalsOf(run)).length, 2, 'one of them won');
    assert.equal(pages.server.sandbox.calls.length, calls + 38, 'each person is called once');
    await other.context.close();
    await context.close();
  });

  test('of half a file the first choice is to send none, and the button says what was chosen; few people are named', async () => {
    const { run } = await planned([...rows('Sales', 200, 2), ...rows('New', 300, 1)]);
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    await page.goto(`/runs/${run}`);
    assert.match(
      await page.locator('main').innerText(),
      /This looks like a part of a file[^]*Is the export complete\?/,
    );
    const choices = page.locator('.option');
    assert.match(await choices.first().innerText(), /^Send none of it/);
    assert.equal(await page.locator('input[name=choice]:checked').count(), 0, 'nothing is chosen beforehand');
    assert.match(await page.locator('.decide').innerText(), /Look at this person, then confirm: Ann 300 Ek\./);
    assert.deepEqual(await pages.faultsOf(page), []);
    await page.getByLabel('Send none of it').check();
    await page.getByRole('button', { name: 'Send none of it' }).click();
    assert.match(await page.locator('h1').innerText(), /Cancelled/);
    await context.close();
  });
});
