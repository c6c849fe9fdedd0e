// `demo`: runs the main job over HTTP against a sandbox of its own.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { foreignEnvironment } from '../../../config/load.ts';
import { temporaryFailure } from '../../core/host/this-machine.ts';
import { escapeText, count, figure } from '../../core/text/format.ts';
import { loadEngine } from '../../ledger/database/embedded/embedded-engine.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../ledger/database/embedded/embedded.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { packageRoot } from '../../process/version.ts';
import type { RunReport } from '../../report/run/run-report.ts';
import { type completionJson, completionLine } from '../../report/story/completion-report.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { openContext } from '../../wiring/context.ts';
import type { Output } from '../frame/output.ts';
import { openOutput, type ProgramParts } from '../frame/session.ts';
import type { RosterCommand } from '../roster-command.ts';

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

/** Its commands run in this process, in a temporary folder; the first that fails gives the exit code. @throws StorageError without a folder */
export const demoOf = (createProgram: CreateProgram) => async () => {
  loadEngine();
  const output = openOutput({});
  const { signal, dispose } = listenForInterruptions(() => {});
  const folder = await makeFolder();
  const cwd = process.cwd();
  const sandbox = await startSandbox({ record: 'totals', answerRate, seed });
  const ledger = keptLedger();
  const settings = { environment: environmentOf(folder, sandbox) };
  const stage = { createProgram, sandbox, parts: { settings, openContext: ledger.openContext } };
  try {
    await mkdir(join(folder, 'examples'));
    await cp(join(packageRoot(), roster), join(folder, roster));
    for (const person of alreadyThere) sandbox.assign(person, ['Sales']);
    output.print(`SANDBOX ${sandbox.url} - made-up people; nothing leaves this machine; data in a temporary folder\n`);
    process.chdir(folder);
    await perform(stage, output);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const said = signal.aborted ? 'The demo was interrupted; nothing was kept.' : error.message;
    output.problem(said.split('\n').map(escapeText).join('\n'));
    return error.exitCode;
  } finally {
    await ledger.close();
    await sandbox.close();
    process.chdir(cwd);
    await rm(folder, { recursive: true, force: true });
    dispose();
  }
};

async function makeFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'roster-sync-demo-'));
  } catch (cause) {
    throw temporaryFailure('What the demo makes', tmpdir(), cause);
  }
}

async function perform(stage: DemoStage, output: Output): Promise<void> {
  const { sandbox } = stage;
  output.print(`$ roster-sync ${command.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`);
  await run(stage, command);
  sandbox.clock.advance(fiveMinutes);

  const callsBefore = sandbox.stats().calls;
  const again = (await read(stage, command)) as Pick<RunReport, 'plan' | 'calls'>;
  const callsOfAgain = sandbox.stats().calls - callsBefore;
  const sent = again.calls === 0 ? 'nothing sent' : `${count(again.calls, 'call')} sent`;
  const counted = `the sandbox counted ${callsOfAgain === 0 ? 'none' : figure(callsOfAgain)}`;
  output.print(`\n$ the same file again      ${figure(again.plan.unchanged)} unchanged, ${sent} (${counted})`);

  const invited = sandbox.outbox.sent().map(({ email }) => email);
  const twice = invited.length - new Set(invited).size;
  const there = `${count(alreadyThere.length, 'person was', 'people were')} already there`;
  const repeats = twice === 0 ? 'none twice' : `${figure(twice)} twice`;
  output.print(`$ sandbox clock +5 min     ${count(invited.length, 'invitation')} (${there}), ${repeats}`);

  const asked = ['progress', '--story', story, '--source', basename(roster, extname(roster))];
  const completion = (await read(stage, asked)) as ReturnType<typeof completionJson>;
  const { total, groups: byGroup } = completion;
  output.print(
    `$ ${completionLine({ ...completion, shown: { total: total ?? undefined, groups: byGroup, hidden: 0 } })}`,
  );

  const remark = 'Your turn. Nothing is sent, and you need no account:';
  const next = 'npx roster-sync import YOUR.csv --group Test --dry-run';
  output.print(`${remark}${remark.length + next.length + 2 <= output.style.width ? '  ' : '\n  '}${next}`);
}

/** Makes the command line that a command of the demo is given to. */
type CreateProgram = (parts: ProgramParts) => RosterCommand;

interface DemoStage {
  createProgram: CreateProgram;
  sandbox: Sandbox;
  parts: ProgramParts;
}

/** The ledger stays open from one command to the next. */
function keptLedger(): Required<Pick<ProgramParts, 'openContext'>> & { close(): Promise<void> } {
  let database: EmbeddedDatabase | undefined;
  const openKept: typeof openEmbedded = async (directory, options) => {
    database ??= await openEmbedded(directory, options);
    return { pool: database.pool, close: () => Promise.resolve() };
  };
  return {
    openContext: (options) => openContext({ ...options, openEmbedded: openKept }),
    close: async () => database?.close(),
  };
}

/** A command of the demo ended with another exit code than 0; the demo ends with the same. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  constructor(words: readonly string[], exitCode: number, said = '') {
    super(`roster-sync ${words.join(' ')} ended with exit code ${exitCode}\n${said}`.trimEnd());
    this.exitCode = exitCode;
  }
}

/** Runs a command and shows all it says. Throws CommandFailed. */
async function run(
  { createProgram, parts }: DemoStage,
  words: readonly string[],
  streams?: ProgramParts,
): Promise<void> {
  await createProgram({ ...parts, ...streams }).parseAsync(words, { from: 'user' });
  const exitCode = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  if (exitCode !== 0) throw new CommandFailed(words, exitCode);
}

/** The JSON document that a command prints. Throws CommandFailed with what it said. */
async function read(stage: DemoStage, words: readonly string[]): Promise<unknown> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const end = (): void => [stdout, stderr].forEach((stream) => void stream.end());
  try {
    await run(stage, [...words, '--json', '--quiet'], { stdout, stderr }).finally(end);
  } catch (error) {
    if (error instanceof CommandFailed) throw new CommandFailed(words, error.exitCode, (await said)[1]);
    throw error;
  }
  return JSON.parse((await said)[0]) as unknown;
}

/** The sandbox's settings and no other, whatever was set for the demo. */
function environmentOf(folder: string, { url, token }: Sandbox): NodeJS.ProcessEnv {
  return {
    ...foreignEnvironment(),
    ROSTER_SYNC_BASE_URL: url,
    ROSTER_SYNC_TOKEN: token,
    ROSTER_SYNC_DATA_DIR: join(folder, 'data'),
    // Its warnings were never seen before: a canary release would wait for somebody to look at them.
    ROSTER_SYNC__DELIVERY__CANARY: 'false',
  };
}
