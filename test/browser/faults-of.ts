import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { ApiServer } from '../server/api-server.ts';

/** How a page is shown: its colours, and the size of its window in px. */
export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
  height: number;
}

const light: Look = { colorScheme: 'light', width: 1280, height: 720 };
/** Both colours on a laptop. */
export const usualLooks: readonly Look[] = [light, { ...light, colorScheme: 'dark' }];
/** A phone, and a laptop at 200 % zoom, which is half of its window. */
export const smallLooks: readonly Look[] = [
  { colorScheme: 'light', width: 375, height: 800 },
  { colorScheme: 'dark', width: 640, height: 360 },
];

/**
 * What axe finds on a page, and by how much it is wider than its window; the page itself runs no script, so axe is run in a
 * copy of it that may.
 */
export async function faultsOf(
  browser: Browser,
  page: Page,
  server: ApiServer,
  looks: readonly Look[] = usualLooks,
): Promise<string[]> {
  const [markup, css] = [await page.content(), await (await page.request.get(`${server.url}/page.css`)).text()];
  const faults: string[] = [];
  const copy = await copyIn(browser);
  await copy.setContent(markup.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`));
  const widths = new Set<number>();
  for (const { colorScheme, width, height } of looks) {
    await copy.emulateMedia({ colorScheme });
    await copy.setViewportSize({ width, height });
    // Where the layout has been looked at, only the colours are new.
    const rules = widths.has(width) ? "{ runOnly: ['color-contrast'] }" : '';
    widths.add(width);
    const found = await copy.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      `axe.run(${rules}).then(({ violations }) => violations)`,
    );
    faults.push(...found.map(({ id, nodes }) => `${colorScheme}, ${width} px: ${id}: ${nodes[0]?.html}`));
    const sideways = await sidewaysOf(copy);
    if (sideways > 0) faults.push(`${width} px: ${sideways} px wider than its window`);
  }
  return faults;
}

const copies = new WeakMap<Browser, Promise<Page>>();

/** One page of a browser with axe in it, whose content is replaced: a process for each, and axe compiled anew, is most of what looking costs. */
function copyIn(browser: Browser): Promise<Page> {
  let copy = copies.get(browser);
  if (copy === undefined) {
    copy = browser.newPage().then(async (page) => {
      await page.evaluate(axe.source);
      return page;
    });
    copies.set(browser, copy);
  }
  return copy;
}

/** How much wider than its window a page is, or one of its tables than its place, px. */
export async function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    `Math.max(...[document.documentElement, ...document.querySelectorAll('.scroll')].map((each) => each.scrollWidth - each.clientWidth))`,
  );
}
