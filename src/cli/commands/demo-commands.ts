// Runs the commands of the demo in a temporary folder, with only the demo's own settings.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { foreignEnvironment } from '../../../config/load.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { packageRoot } from '../../process/version.ts';

export interface DemoStage {
  folder: string;
  sandbox: Pick<Sandbox, 'url' | 'token'>;
  signal: AbortSignal;
}

/** A command of the demo ended with another exit code than 0; the demo ends with the same. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  constructor(words: readonly string[], exitCode: number) {
    super(`roster-sync ${words.join(' ')} ended with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Runs a command and shows all it says. Throws CommandFailed. */
export async function showCommand(stage: DemoStage, words: readonly string[]): Promise<void> {
  await ended(start(stage, words, 'inherit'), words, stage.signal);
}

export async function readCommand(stage: DemoStage, words: readonly string[]): Promise<unknown> {
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
