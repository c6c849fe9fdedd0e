import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { ApiServer } from '../server/api-server.ts';

/** What axe finds on a page; the page itself runs no script, so axe is run in a copy of it that may. */
export async function faultsOf(browser: Browser, page: Page, server: ApiServer): Promise<string[]> {
  const [markup, css] = [await page.content(), await (await page.request.get(`${server.url}/page.css`)).text()];
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const copy = await browser.newPage({ colorScheme });
    await copy.setContent(markup.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`));
    await copy.evaluate(axe.source);
    const found = await copy.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      'axe.run().then(({ violations }) => violations)',
    );
    faults.push(...found.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes[0]?.html}`));
    await copy.close();
  }
  return faults;
}

/** How much wider than its window a page is, px. */
export async function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
