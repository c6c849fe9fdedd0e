import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { writeReport } from '../../src/page/report-file.ts';
import { hostileReport } from '../report/hostile-report.ts';
import { browserSkipReason, openBrowser } from './chromium.ts';

suite('the report as a page', { skip: browserSkipReason }, () => {
  let browser: Browser;
  let folder: string;
  let url: string;
  before(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'page-'));
    const path = join(folder, 'report.html');
    await writeReport(path, hostileReport());
    url = pathToFileURL(path).href;
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  test('fetches nothing, runs no script, and shows markup of a roster as text', async () => {
    const page = await browser.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    assert.equal(await page.title(), 'new-starters, run 7f3a');
    assert.deepEqual(requests, [url]);
    assert.deepEqual(complaints, []);
    assert.equal(await page.locator('script, img, link, iframe').count(), 0);
    assert.match(await page.locator('body').innerText(), /<script>document\.title = "run"<\/script>/);
    assert.match(await page.locator('body').innerText(), /Lindqvist-0\\u202e/);
    await page.close();
  });

  test('has figures, who approved, groups with bars as long as their calls, and a row per person and group', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    const tiles = await page.locator('.stats div').allInnerTexts();
    assert.match(tiles.join(' | '), /^35\s+people delivered \| 4\s+people not delivered/);
    assert.match(await page.locator('dl').first().innerText(), /Approved by\s+eva@desk/);
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('td .bar')].map((bar) =>
        [...bar.children].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0))`,
    );
    assert.equal(widths.length, 5);
    assert.ok(
      widths.every((width, at) => at === 0 || width < (widths[at - 1] ?? 0)),
      String(widths),
    );
    assert.equal(await page.locator('.people tbody tr').count(), 79);
    assert.equal(await page.locator('.people .pill.bad').count(), 1);
    await page.close();
  });

  test('fits a telephone, is readable in the dark, and prints its bars', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 375, height: 800 }, colorScheme });
      await page.goto(url);
      const [wide, ink, paper] = await page.evaluate<[number, string, string]>(
        `((of) => [document.documentElement.scrollWidth, of.color, of.backgroundColor])(getComputedStyle(document.body))`,
      );
      assert.ok(wide <= 375, `${wide} wide`);
      assert.ok(contrast(ink, paper) >= 7, `${ink} on ${paper}`);
      const marks = await page.evaluate<[string, string][]>(
        `[...document.querySelectorAll('.pill')].map((each) => getComputedStyle(each)).map((of) => [of.color, of.backgroundColor])`,
      );
      assert.ok(marks.length > 10);
      for (const [text, behind] of marks)
        assert.ok(contrast(text, behind) >= 4.5, `${text} on ${behind} (${colorScheme})`);
      await page.close();
    }
    const page = await browser.newPage();
    await page.goto(url);
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    await page.close();
  });
});

/** The contrast of two colours (WCAG 2, relative luminance). */
function contrast(one: string, other: string): number {
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
