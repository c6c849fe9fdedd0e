// Runs the commands of the demo in a temporary folder, with only the demo's own settings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { foreignEnvironment } from '../../../config/load.ts';
import { loadEngine } from '../../ledger/database/embedded/embedded-engine.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../ledger/database/embedded/embedded.ts';
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
  const code = await ended(start(stage, words), stage.signal);
  if (code !== 0) throw new CommandFailed(words, code, '');
}

/**
 * Reads the one JSON document that a command prints. It runs in this process, with the ledger kept open from one to the
 * next: starting a process takes longer than such a command.
 */
export interface Reader {
  /** Loads what the commands need. */
  load(): Promise<void>;
  /** Runs a command. Throws CommandFailed with what it said, or what it throws. */
  read(words: readonly string[]): Promise<unknown>;
  /** Closes the ledger. */
  close(): Promise<void>;
}

/** Makes the reader; it opens nothing before the first command. */
export function createReader(stage: DemoStage): Reader {
  let database: EmbeddedDatabase | undefined;
  const openKept: typeof openEmbedded = async (directory, options) => {
    database ??= await openEmbedded(directory, options);
    return { pool: database.pool, close: () => Promise.resolve() };
  };
  return {
    async load() {
      loadEngine();
      await Promise.all([import('./runs.ts'), import('./completion.ts'), import('./import.ts')]);
    },
    async read(words) {
      const { createProgram } = await import('../program.ts');
      const { openContext } = await import('../../wiring/context.ts');
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const said = Promise.all([text(stdout), text(stderr)]);
      const program = createProgram({
        openContext: (options) => openContext({ ...options, openEmbedded: openKept }),
        settings: { environment: environmentOf(stage), cwd: stage.folder },
        stdout,
        stderr,
      });
      await program.parseAsync([...words, '--json', '--quiet'], { from: 'user' });
      const { exitCode = 0 } = process;
      process.exitCode = 0;
      for (const stream of [stdout, stderr]) stream.end();
      const [document, problems] = await said;
      if (exitCode !== 0) throw new CommandFailed(words, Number(exitCode), problems);
      return JSON.parse(document) as unknown;
    },
    async close() {
      await database?.close();
    },
  };
}

/** Starts this very program. */
function start(stage: DemoStage, words: readonly string[]) {
  const main = join(packageRoot(), 'bin', 'roster-sync.cjs');
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  return spawn(process.execPath, [main, ...words], { cwd: stage.folder, env: environmentOf(stage), stdio: [...stdio] });
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
