import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Scope } from '../../src/core/secrets/token.ts';
import { makeSignInLink } from '../../src/server/page/session.ts';
import type { ApiServer } from '../server/api-server.ts';

/** A page of a browser in which somebody is signed in; pages run no script of theirs, and are shown without any. */
export async function signedIn(
  browser: Browser,
  server: ApiServer,
  {
    name = 'mette@desk',
    scopes = ['read', 'run', 'approve'],
    javaScriptEnabled = false,
  }: { name?: string; scopes?: Scope[]; javaScriptEnabled?: boolean } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url });
  const page = await context.newPage();
  await page.goto(await makeSignInLink(server.context.ledger, name, scopes));
  return { page, context };
}

/** A roster of new people, all of them in one of four groups. */
export function rosterOf(people: number): string {
  const groups = ['Sales', 'IT', 'Marketing', 'Support'];
  const rows = Array.from(
    { length: people },
    (_, at) => `Ann ${at},Ek,ann.${at}@example.com,${groups[at % groups.length]}`,
  );
  return ['firstname,lastname,email,groups', ...rows, ''].join('\n');
}
