import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from './chromium.ts';
import { sidewaysOf } from './faults-of.ts';
import { openPages } from './open-pages.ts';

/** A roster of so many people of a domain. */
function people(count: number, domain: string): string {
  const rows = Array.from({ length: count }, (_, at) => `Ann,Ek ${at},ann.${at}@${domain},${at % 3 ? 'Sales' : 'IT'}`);
  return ['firstname,lastname,email,groups', ...rows, ''].join('\n');
}

suite("a run's page", { skip: browserSkipReason }, () => {
  const pages = openPages('', { rate: 20 });

  async function steer(run: string, command: 'pause' | 'resume'): Promise<void> {
    const token = await pages.server.token(`steerer-${Math.random()}`, ['run']);
    const { status, text } = await pages.server.ask(`/api/v1/runs/${run}/${command}`, { method: 'POST', token });
    assert.equal(status, 200, text);
  }

  /** Waits for a text in the content, without loading the page again. */
  async function seen(page: Page, text: RegExp): Promise<void> {
    const until = performance.now() + 90_000;
    for (;;) {
      const shown = await page.locator('main').innerText();
      if (text.test(shown)) return;
      assert.ok(performance.now() < until, `${text} is not in:\n${shown}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  test('is watched until it is done, without being loaded again, and says so to who cannot see it', async () => {
    const run = await pages.start(people(60, 'example.com'), { approved: true });
    await steer(run, 'pause');
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`/runs/${run}`);
    await page.evaluate('window.stays = true');
    await seen(page, /Paused[^]*of 60 people[^]*waiting · limit 20\/s/);
    await steer(run, 'resume');
    await seen(page, /60 delivered/);
    assert.equal(await page.evaluate('window.stays'), true);
    assert.match(await page.locator('h1').innerText(), /staff Done/);
    assert.match(await page.getByRole('status').innerText(), /Done\. 60 of 60 people\./);
    assert.match(
      await page.locator('main').innerText(),
      /Over time[^]*Groups[^]*Sales\s+40\s+40[^]*Ann Ek \d+\s+Delivered/,
    );
    assert.deepEqual(complaints, []);
    assert.deepEqual(await pages.faultsOf(page), []);
    await page.setViewportSize({ width: 360, height: 780 });
    assert.equal(await sidewaysOf(page), 0);
    await context.close();
  });

  test('what somebody is about to press stays where it is; new people are offered', async () => {
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    const run = await pages.start(people(400, 'second.example'), { approved: true });
    await page.goto(`/runs/${run}`);
    await seen(page, /Ann Ek/);
    const pauseButton = page.getByRole('button', { name: 'Pause' });
    await pauseButton.focus();
    const first = await page.locator('#latest tbody tr').first().innerText();
    const newer = page.getByRole('button', { name: /newer, show/ });
    await newer.waitFor();
    assert.equal(await page.locator('#latest tbody tr').first().innerText(), first);
    await newer.click();
    assert.notEqual(await page.locator('#latest tbody tr').first().innerText(), first);
    await pauseButton.click();
    await seen(page, /Paused by mette@desk\. Nobody is called\./);
    await page.getByRole('link', { name: 'Cancel the rest' }).click();
    await page.getByRole('button', { name: 'Cancel the rest' }).click();
    await seen(page, /Cancelled[^]*\d+ cancelled/);
    await context.close();
  });

  test('a service that fails pauses the run, which says why in words; resumed, it is delivered', async () => {
    pages.server.sandbox.faults.add('status=400,email=*@third.example');
    const run = await pages.start(people(30, 'third.example'), { approved: true });
    const { page, context } = await pages.signedIn({ javaScriptEnabled: true });
    await page.goto(`/runs/${run}`);
    await seen(page, /Paused[^]*10 deliveries in a row failed in the same way[^]*Nobody is called/);
    assert.match(await page.locator('#failures').innerText(), /Failed[^]*400[^]*Correct these people in the roster/);
    assert.equal(await page.getByRole('button', { name: /Retry these/ }).count(), 0);
    assert.deepEqual(await pages.faultsOf(page), []);
    pages.server.sandbox.faults.clear();
    await page.getByRole('button', { name: 'Resume' }).click();
    await seen(page, /Not all sent[^]*\d+ delivered, \d+ not/);
    const see = page.getByRole('link', { name: /^See the \d+$/ });
    const failed = Number(/\d+/.exec(await see.innerText())?.[0]);
    await see.click();
    assert.equal(await page.locator('tbody tr').count(), failed);
    assert.ok(failed >= 10);
    assert.deepEqual(await pages.faultsOf(page), []);
    await context.close();
  });

  test('those of one cause are retried where that can help, without any script', async () => {
    pages.server.sandbox.faults.add('status=400,email=ann.1@fourth.example');
    pages.server.sandbox.faults.add('body=html,email=ann.2@fourth.example');
    const run = await pages.start(people(8, 'fourth.example'), { approved: true });
    await pages.ended(run);
    pages.server.sandbox.faults.clear();
    const { page, context } = await pages.signedIn();
    await page.goto(`/runs/${run}`);
    const before = pages.server.sandbox.calls.length;
    await page.getByRole('button', { name: 'Retry this one' }).click();
    await pages.ended(run);
    assert.deepEqual(
      pages.server.sandbox.calls.slice(before).map(({ email }) => email),
      ['ann.2@fourth.example'],
    );
    await page.reload();
    assert.match(await page.locator('main').innerText(), /7 delivered, 1 not/);
    await page.goto('/');
    assert.match(await page.locator('#week').innerText(), /not delivered\s+[1-9]\d*\s+answers? not seen before/);
    assert.match((await page.locator('#week a').getAttribute('href')) ?? '', /^\/runs\/[\da-f]{8}/);
    if (process.env['PICTURES']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${process.env['PICTURES']}/home-week-${colorScheme}.png`, fullPage: true });
      }
    }
    await context.close();
  });

  test('who may only look sees everything and no button', async () => {
    const { page, context } = await pages.signedIn({ name: 'jonas@desk', scopes: ['read'] });
    await page.goto('/runs/latest');
    assert.match(await page.locator('main').innerText(), /7 delivered, 1 not[^]*Not delivered[^]*Failed/);
    // A person's name is a button, since their address is posted.
    const deeds = page.locator('main').getByRole('button').and(page.locator(':not(.who-is)'));
    assert.deepEqual(await deeds.allInnerTexts(), ['Search']);
    assert.equal(await page.locator('main .who-is').count(), 8);
    await context.close();
  });

  test('a retry says how many are sent of whom the deadline left, too', async () => {
    const { ledger } = pages.server.context;
    pages.server.sandbox.faults.add('status=400,email=ann.1@fifth.example');
    const run = await pages.start(people(40, 'fifth.example'), { approved: true });
    await steer(run, 'pause');
    await ledger.moveRun(run, 'resume', { by: 'person', reason: '' });
    assert.ok(await ledger.endAtDeadline(run, 0));
    const { page, context } = await pages.signedIn();
    await page.goto(`/runs/${run}`);
    await page.getByRole('button', { name: /^(?:Retry \d+ and send|Send) the \d+ left$/ }).waitFor();
    assert.match(await page.locator('main').innerText(), /Its deadline passed before \d+ people were sent\./);
    pages.server.sandbox.faults.clear();
    await context.close();
  });
});
