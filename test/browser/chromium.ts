import { type Browser, chromium } from 'playwright-core';
import { findProgram, serversRequired } from '../support/server-process.ts';

const program = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => findProgram(name))
  .find((found) => found !== undefined);

/** Why no page can be looked at here, or false. */
export const browserSkipReason: string | false =
  program !== undefined || serversRequired ? false : 'SKIPPED: not installed: chromium (apt-get install chromium)';

/** Starts the system's Chromium; whoever starts it closes it. */
export function openBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error('no chromium is installed');
  // As root, and in a container, Chromium has no sandbox of its own; what it shows here is ours.
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
