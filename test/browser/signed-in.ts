import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Scope } from '../../src/core/secrets/token.ts';
import { makeSignInLink } from '../../src/server/page/session.ts';
import type { ApiServer } from '../server/api-server.ts';

/** Who is signed in, and how. */
export interface SignedInOptions {
  name?: string;
  scopes?: Scope[];
  /** Whether the script of the pages runs. */
  javaScriptEnabled?: boolean;
  /** The language that the browser asks for. */
  locale?: string;
}

/** A page of a browser in which somebody is signed in, without the script of the pages unless asked for. */
export async function signedIn(
  browser: Browser,
  server: ApiServer,
  {
    name = 'mette@desk',
    scopes = ['read', 'run', 'approve'],
    javaScriptEnabled = false,
    locale = 'en-GB',
  }: SignedInOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ javaScriptEnabled, locale, baseURL: server.url });
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
