// `demo`: runs the main job over HTTP against a sandbox of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { foreignEnvironment } from '../../../config/load.ts';
import { temporaryFailure } from '../../core/host/temporary-folder.ts';
import { escapeText } from '../../core/text/escape.ts';
import { count, figure } from '../../core/text/figures.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { packageRoot } from '../../process/version.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { type completionJson, completionLine } from '../../report/story/completion-report.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import type { Output } from '../frame/output.ts';
import { openOutput } from '../frame/session.ts';

const roster = 'examples/new-starters.csv';
const groups = ['--group', 'New starters', '--group-column', 'Department', '--group-column', 'Country'];
const command = ['import', roster, ...groups, '--rate', '50', '--yes'];
/** People of the example who are in Sales at the service before it begins: a warning each, and no invitation. */
const alreadyThere = [
  { firstname: 'Mary-Kate', lastname: 'Johnson-Lee', email: 'mary-kate.johnson-lee@example.com' },
  { firstname: 'Torbjørn', lastname: 'Tveit', email: 'torbjorn.tveit@example.com' },
];
/** The share of users who take a story in the short time of the demo. */
const answerRate = 0.31;
const story = 'Fire safety';
/** Any seed works; this one gives the figures in the README. */
const seed = 175;
/** The longest that an invitation takes (the interface's "Limits"), in ms. */
const fiveMinutes = 5 * 60_000;

/** Each command is its own process; the first that fails gives the exit code. @throws StorageError without a folder */
export async function runDemo(): Promise<number> {
  const output = openOutput({});
  const { signal, dispose } = listenForInterruptions(() => {});
  const folder = await makeFolder();
  const sandbox = await startSandbox({ record: 'totals', answerRate, seed });
  try {
    await mkdir(join(folder, 'examples'));
    await cp(join(packageRoot(), roster), join(folder, roster));
    for (const person of alreadyThere) sandbox.assign(person, ['Sales']);
    output.print(`SANDBOX ${sandbox.url} - made-up people; nothing leaves this machine; data in a temporary folder\n`);
    const stage = { folder, sandbox, signal };
    await perform(stage, output);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const said = signal.aborted ? 'The demo was interrupted; nothing was kept.' : error.message;
    output.problem(said.split('\n').map(escapeText).join('\n'));
    return error.exitCode;
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
    dispose();
  }
}

async function makeFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'roster-sync-demo-'));
  } catch (cause) {
    throw temporaryFailure('What the demo makes', tmpdir(), cause);
  }
}

async function perform(
  { sandbox, ...stage }: DemoStage & { sandbox: Awaited<ReturnType<typeof startSandbox>> },
  output: Output,
): Promise<void> {
  const here = { ...stage, sandbox };
  output.print(`$ roster-sync ${command.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`);
  await showCommand(here, command);
  sandbox.clock.advance(fiveMinutes);

  const callsBefore = sandbox.stats().calls;
  const again = (await readCommand(here, command)) as Pick<RunReport, 'plan' | 'calls'>;
  const callsOfAgain = sandbox.stats().calls - callsBefore;
  const sent = again.calls === 0 ? 'nothing sent' : `${count(again.calls, 'call')} sent`;
  const counted = `the sandbox counted ${callsOfAgain === 0 ? 'none' : figure(callsOfAgain)}`;
  output.print(`\n$ the same file again      ${figure(again.plan.unchanged)} unchanged, ${sent} (${counted})`);

  const invited = sandbox.outbox.sent().map(({ email }) => email);
  const twice = invited.length - new Set(invited).size;
  const there = `${count(alreadyThere.length, 'person was', 'people were')} already there`;
  const repeats = twice === 0 ? 'none twice' : `${figure(twice)} twice`;
  output.print(`$ sandbox clock +5 min     ${count(invited.length, 'invitation')} (${there}), ${repeats}`);

  const asked = ['completion', '--story', story, '--source', basename(roster, extname(roster))];
  const completion = (await readCommand(here, asked)) as ReturnType<typeof completionJson>;
  const { total, groups: byGroup } = completion;
  output.print(
    `$ ${completionLine({ ...completion, shown: { total: total ?? undefined, groups: byGroup, hidden: 0 } })}`,
  );

  const remark = 'Your turn. Nothing is sent, and you need no account:';
  const next = 'npx roster-sync import YOUR.csv --group Test --dry-run';
  output.print(`${remark}${remark.length + next.length + 2 <= output.style.width ? '  ' : '\n  '}${next}`);
}

interface DemoStage {
  folder: string;
  sandbox: Pick<Sandbox, 'url' | 'token'>;
  signal: AbortSignal;
}

/** A command of the demo ended with another exit code than 0; the demo ends with the same. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  constructor(words: readonly string[], exitCode: number) {
    super(`roster-sync ${words.join(' ')} ended with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Runs a command and shows all it says. Throws CommandFailed. */
async function showCommand(stage: DemoStage, words: readonly string[]): Promise<void> {
  await ended(start(stage, words, 'inherit'), words, stage.signal);
}

async function readCommand(stage: DemoStage, words: readonly string[]): Promise<unknown> {
  const child = start(stage, [...words, '--json', '--quiet'], 'pipe');
  const [document] = await Promise.all([child.stdout && text(child.stdout), ended(child, words, stage.signal)]);
  return JSON.parse(document ?? '') as unknown;
}

function start(stage: DemoStage, words: readonly string[], stdout: 'inherit' | 'pipe'): ChildProcess {
  const main = join(packageRoot(), 'bin', 'roster-sync.cjs');
  return spawn(process.execPath, [main, ...words], {
    cwd: stage.folder,
    env: environmentOf(stage),
    stdio: ['ignore', stdout, 'inherit'],
  });
}

/** The sandbox's settings and no other, whatever was set for the demo. */
function environmentOf({ folder, sandbox }: DemoStage): NodeJS.ProcessEnv {
  return {
    ...foreignEnvironment(),
    ROSTER_SYNC_BASE_URL: sandbox.url,
    ROSTER_SYNC_TOKEN: sandbox.token,
    ROSTER_SYNC_DATA_DIR: join(folder, 'data'),
    // Its warnings were never seen before: a canary release would wait for somebody to look at them.
    ROSTER_SYNC__DELIVERY__CANARY: 'false',
  };
}

/** Waits for its end; an interruption of the demo is one of the command, which then ends in its own way. */
async function ended(child: ChildProcess, words: readonly string[], signal: AbortSignal): Promise<void> {
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new CommandFailed(words, code ?? (signal.aborted ? 130 : 1));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
