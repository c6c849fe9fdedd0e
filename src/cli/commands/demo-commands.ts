// Runs the commands of the demo in a temporary folder, with only the demo's own settings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { foreignEnvironment } from '../../../config/load.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { packageRoot } from '../../process/version.ts';

/** Where the demo's commands run: in a temporary folder, against its own sandbox, until somebody ends it. */
export interface DemoStage {
  folder: string;
  sandbox: Pick<Sandbox, 'url' | 'token'>;
  signal: AbortSignal;
}

/** A command of the demo ended with another exit code than 0; the demo ends with the same. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  constructor(words: readonly string[], exitCode: number, said: string) {
    super(`roster-sync ${words.join(' ')} ended with exit code ${exitCode}\n${said}`.trimEnd());
    this.exitCode = exitCode;
  }
}

/** Runs a command and shows all it says. Throws CommandFailed. */
export async function showCommand(stage: DemoStage, words: readonly string[]): Promise<void> {
  const child = start(stage, words, 'inherit');
  const code = await ended(child, stage.signal);
  if (code !== 0) throw new CommandFailed(words, code, '');
}

/** Runs a command and reads the one JSON document that it prints. Throws CommandFailed with what it said. */
export async function readCommand(stage: DemoStage, words: readonly string[]): Promise<unknown> {
  const child = start(stage, [...words, '--json'], 'pipe');
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('a piped child has its streams');
  const [code, document, said] = await Promise.all([ended(child, stage.signal), text(stdout), text(stderr)]);
  if (code !== 0) throw new CommandFailed(words, code, said);
  return JSON.parse(document);
}

/** Starts this very program with the sandbox's settings and no other, whatever was set for the demo. */
function start({ folder, sandbox }: DemoStage, words: readonly string[], output: 'inherit' | 'pipe') {
  const main = join(packageRoot(), 'bin', 'roster-sync.cjs');
  const env = {
    ...foreignEnvironment(),
    ROSTER_SYNC_BASE_URL: sandbox.url,
    ROSTER_SYNC_TOKEN: sandbox.token,
    ROSTER_SYNC_DATA_DIR: join(folder, 'data'),
    // Its warnings were never seen before: a canary release would wait for somebody to look at them.
    ROSTER_SYNC__DELIVERY__CANARY: 'false',
  };
  return spawn(process.execPath, [main, ...words], { cwd: folder, env, stdio: ['ignore', output, output] });
}

/** The exit code; an interruption of the demo is one of the command, which then ends in its own way. */
async function ended(child: ReturnType<typeof start>, signal: AbortSignal): Promise<number> {
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? (signal.aborted ? 130 : 1);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
