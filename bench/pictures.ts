/**
 * Makes pictures of the documentation: `docs/images/terminal.svg`, an import as a terminal shows it, and
 * `docs/images/report.png`, its report in the system's Chromium. Made-up people, against a sandbox of its own.
 *
 *   node bench/pictures.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { osUser } from '../src/cli/frame/os-user.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import { openBrowser } from '../test/browser/chromium.ts';
import { pictureOf } from './support/terminal-picture.ts';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin/roster-sync.cjs');
const images = join(root, 'docs/images');
const folder = join(tmpdir(), 'people');
const columns = 120;
const words = ['import', 'new-starters.csv', '--group', 'New starters', '--group-column', 'Department', '--rate', '50'];

const shellWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `"${word}"`);

/** Runs a command of roster-sync on a pseudo-terminal and answers its question with y. Returns what the terminal was sent. */
async function onTerminal(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `stty cols ${columns} rows 50; exec ${command}`, '/dev/null'],
    { cwd: folder, env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let output = '';
  let isAsked = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (!isAsked && output.includes('[y/N]')) {
      isAsked = true;
      child.stdin.write('y\n');
    }
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`exit ${code}:\n${output}`);
  return output;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
mkdirSync(images, { recursive: true });
const sandbox = await startSandbox({ port: 4100, seed: 175 });
const browser = await openBrowser();
try {
  cpSync(join(root, 'examples/new-starters.csv'), join(folder, 'new-starters.csv'));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TZ: 'UTC',
    ROSTER_SYNC_BASE_URL: sandbox.url,
    ROSTER_SYNC_TOKEN: Buffer.from('sandbox:sandbox').toString('base64'),
  };
  const output = await onTerminal(env, words);
  writeFileSync(
    join(images, 'terminal.svg'),
    pictureOf(`roster-sync ${words.map(shellWord).join(' ')}`, output, columns),
  );
  await onTerminal(env, ['show', 'latest', '--report', 'report.html']);
  const page = await browser.newPage({ viewport: { width: 960, height: 1280 }, deviceScaleFactor: 0.8 });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  // The name of this machine's user does not belong in a picture.
  await page.evaluate(
    `document.body.innerHTML = document.body.innerHTML.replaceAll(${JSON.stringify(osUser())}, 'anna@hr-laptop')`,
  );
  await page.screenshot({ path: join(images, 'report.png') });
} finally {
  await browser.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
