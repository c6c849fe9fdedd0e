// `open`.
import { spawn } from 'node:child_process';
import { scopes } from '../../core/secrets/token.ts';
import { OwnedError } from '../../ledger/directory/owner.ts';
import { makeSignInLink, signInLinkPath } from '../../server/page/session.ts';
import { isTerminal } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { osUser } from '../frame/os-user.ts';
import { type GlobalOptions, openOutput } from '../frame/session.ts';
import { serve } from './serve.ts';

export interface OpenOptions extends GlobalOptions {
  port: string;
  /** False with `--no-browser`. */
  browser: boolean;
}

/** Where no server runs, it becomes one. Whoever may use the data directory is trusted: no password. */
export async function open(options: OpenOptions): Promise<number> {
  const output = openOutput(options);
  const show = (link: string): void => showLink(link, output, options.browser);
  try {
    return await serve({
      ...options,
      host: '127.0.0.1',
      worker: true,
      onListening: async (address, ledger) => show(address + (await makeSignInLink(ledger, osUser(), [...scopes]))),
    });
  } catch (error) {
    if (!(error instanceof OwnedError)) throw error;
    show(await askOwner(error));
    return 0;
  }
}

/** Asks the server that owns the data directory for a link. */
async function askOwner(owner: OwnedError): Promise<string> {
  const { clientOf } = await import('../frame/through-owner.ts');
  const client = clientOf(owner);
  try {
    const { statusCode, body } = await client.request({
      path: signInLinkPath,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: osUser() }),
    });
    const answer = (await body.json()) as { link?: string; detail?: string };
    if (statusCode < 300 && answer.link !== undefined) return answer.link;
    throw owner;
  } finally {
    await client.close();
  }
}

function showLink(link: string, output: Output, inBrowser: boolean): void {
  output.note(`Open this link to sign in. It works once, within five minutes:\n  ${link}`);
  if (!inBrowser || !isTerminal()) return;
  const [command = 'xdg-open', ...before] = openers[process.platform] ?? [];
  const child = spawn(command, [...before, link], { stdio: 'ignore', detached: true });
  // The link is printed: whoever has no browser here can copy it.
  child.once('error', () => {});
  child.unref();
}

/** What opens an address in the user's browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
