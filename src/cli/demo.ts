import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreignEnvironment } from '../../config/load.ts';
import { type Sandbox, startSandbox } from '../sandbox/index.ts';
import { packageRoot } from '../version.ts';
import { openOutput } from './session.ts';

const roster = 'examples/new-starters.csv';
const command = [
  'import',
  roster,
  '--group',
  'New starters',
  '--group-column',
  'Department',
  '--group-column',
  'Country',
  '--rate',
  '50',
  '--yes',
];
/** People of the example who are at the service before it begins; whoever is in a group already is a warning. */
const alreadyThere = [{ firstname: 'Chloé', lastname: 'Dubois', email: 'chloe.dubois@example.com' }];

/**
 * `roster-sync demo`: the main job, for real, over HTTP, against a sandbox of its own. The commands run as processes
 * of their own in a temporary folder, with no setting of whoever starts it.
 */
export async function runDemo(): Promise<number> {
  const output = openOutput({});
  const folder = await mkdtemp(join(tmpdir(), 'roster-sync-demo-'));
  const sandbox = await startSandbox({ record: 'no-bodies' });
  try {
    await mkdir(join(folder, 'examples'));
    await cp(join(packageRoot(), roster), join(folder, roster));
    for (const person of alreadyThere) sandbox.assign(person, ['Sales']);
    output.print(`SANDBOX ${sandbox.url} - made-up people; nothing leaves this machine; data in a temporary folder\n`);
    output.print(`$ roster-sync ${command.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`);
    const first = await run(folder, sandbox, command, 'inherit');
    if (first.code !== 0) return first.code;
    const again = await run(folder, sandbox, [...command, '--json'], 'pipe');
    const { plan } = JSON.parse(again.text) as { plan: { unchanged: number } };
    const calls = sandbox.stats().calls;
    output.print(
      `\n$ the same file again      ${plan.unchanged} unchanged, nothing sent (the sandbox counted ${calls} calls in all)`,
    );
    sandbox.clock.advance(5 * 60_000);
    const invited = sandbox.outbox.sent().map(({ email }) => email);
    const twice = invited.length - new Set(invited).size;
    output.print(
      `$ sandbox clock +5 min     ${invited.length} invitations (${alreadyThere.length} people were already there), ${twice === 0 ? 'none' : twice} twice`,
    );
    output.print(
      'Your turn, nothing is sent, no account needed:  npx roster-sync import YOUR.csv --group Test --dry-run',
    );
    return again.code;
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs this very program with nothing but the sandbox's settings. */
async function run(
  cwd: string,
  sandbox: Sandbox,
  words: readonly string[],
  stdout: 'inherit' | 'pipe',
): Promise<{ code: number; text: string }> {
  const main = join(packageRoot(), 'bin', 'roster-sync.cjs');
  const env = {
    ...foreignEnvironment(),
    ROSTER_SYNC_BASE_URL: sandbox.url,
    ROSTER_SYNC_TOKEN: sandbox.token,
    ROSTER_SYNC_DATA_DIR: join(cwd, 'data'),
  };
  const child = spawn(process.execPath, [main, ...words], {
    cwd,
    env,
    stdio: ['ignore', stdout, stdout === 'pipe' ? 'ignore' : 'inherit'],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { code: await ended, text };
}
