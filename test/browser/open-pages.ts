import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RunStatus } from '../../src/core/run/states.ts';
import { type ApiServer, startApiServer } from '../server/api-server.ts';
import { openBrowser } from './chromium.ts';
import { faultsOf, type Look } from './faults-of.ts';
import { signedIn, type SignedInOptions } from './signed-in.ts';

/** States in which a run stays until somebody does something. */
const stops: readonly RunStatus[] = ['held', 'paused', 'halted', 'cancelled', 'failed'];

/** A browser and a server of pages, which all tests of a suite share. */
export interface Pages {
  readonly browser: Browser;
  readonly server: ApiServer;
  /** A page in which somebody is signed in, without the script of the pages unless asked for. */
  signedIn(options?: SignedInOptions): Promise<{ page: Page; context: BrowserContext }>;
  /** Has a run of `staff` begun over the API by somebody else; what guards hold of it is approved if asked for. */
  start(roster: string, options?: { approved?: boolean }): Promise<string>;
  /** Waits until a run is in a state. */
  until(run: string, isSo: (status: RunStatus) => boolean): Promise<void>;
  /** Waits until a run is over. */
  ended(run: string): Promise<void>;
  /** Waits until a run is over, and reads the page anew once it is there: Chromium refuses while it still changes to it. */
  readEnd(page: Page, run: string): Promise<void>;
  /** What is wrong with a page for whoever cannot see it, and where it is too wide; on a laptop unless looks are given. */
  faultsOf(page: Page, looks?: readonly Look[]): Promise<string[]>;
}

/** Opens them before the tests of the suite in which this is called, and closes them after. */
export function openPages(settings = '', options: { rate?: number } = {}): Pages {
  let browser: Browser;
  let server: ApiServer;
  before(async () => {
    browser = await openBrowser();
    server = await startApiServer(settings, options);
  });
  after(async () => {
    await server.close();
    await browser.close();
  });

  async function until(run: string, isSo: (status: RunStatus) => boolean): Promise<void> {
    for (;;) {
      const [found] = await server.context.ledger.findRuns(run);
      if (found && isSo(found.status)) return;
      if (found && stops.includes(found.status)) assert.fail(`${found.status}: ${found.statusReason}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const ended = (run: string): Promise<void> => until(run, (status) => status.startsWith('finished'));

  return {
    get browser() {
      return browser;
    },
    get server() {
      return server;
    },
    signedIn: (options) => signedIn(browser, server, options),
    async start(roster, { approved = false } = {}) {
      server.roster(roster);
      const token = await server.token(`starter-${Math.random()}`, ['read', 'run', 'approve']);
      const post = (path: string, body: object) => server.ask(`/api/v1/${path}`, { method: 'POST', token, body });
      const { run, status } = (await post('runs', { source: 'staff' })).json as { run: string; status: string };
      if (approved && status === 'held') {
        const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
        const { status: answered, text } = await post(`runs/${run}/approve`, { hash });
        assert.equal(answered, 200, text);
      }
      return run;
    },
    until,
    ended,
    async readEnd(page, run) {
      await ended(run);
      await page.waitForLoadState();
      await page.reload();
    },
    faultsOf: (page, looks) => faultsOf(browser, page, server, looks),
  };
}
