import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type Ended, runHere } from '../support/run-here.ts';

export type { Ended };

const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');

/** A process of the real command line. */
export interface Cli {
  pid: number;
  /** `kill -9`: returns once the signal is sent. */
  kill(): void;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it has gone and its output was read. */
  ended: Promise<Ended>;
}

/** Where a process works, and what is set for it. */
export interface CliOptions {
  dataDir: string;
  service?: Pick<Sandbox, 'url' | 'token'>;
  /** Further environment variables; nothing else of ours is inherited. */
  environment?: Record<string, string>;
  /** Modules that are loaded first. */
  preload?: readonly string[];
}

/** What is set for a process: nothing of ours is inherited. */
function environmentOf({ dataDir, service, environment }: CliOptions): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ROSTER_SYNC|REDIS_URL|DATABASE_URL|NODE_|.*_PROXY|.*_proxy)/.test(name),
  );
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ROSTER_SYNC_DATA_DIR: dataDir,
    ROSTER_SYNC__DELIVERY__CANARY: 'false',
    ...(service ? { ROSTER_SYNC_BASE_URL: service.url, ROSTER_SYNC_TOKEN: service.token } : {}),
    ...environment,
  };
}

/** Starts `roster-sync` with the sources as they are, in a process of its own. */
export function startCli(args: readonly string[], options: CliOptions): Cli {
  const { dataDir, preload = [] } = options;
  const child = spawn(process.execPath, [...preload.flatMap((module) => ['--import', module]), bin, ...args], {
    cwd: join(dataDir, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(options),
  });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout: stdout(), stderr: stderr(), said: stdout() + stderr() }),
    );
  });
  return {
    pid: child.pid ?? 0,
    kill: () => void child.kill('SIGKILL'),
    signal: (signal) => void child.kill(signal),
    ended,
  };
}

/** Runs a command to its end; kills it when the test ends before. */
export async function runCli(test: TestContext, args: readonly string[], options: CliOptions): Promise<Ended> {
  const cli = startCli(args, options);
  test.after(() => cli.kill());
  return cli.ended;
}

/** Runs a command to its end in this process, one at a time: for what comes after a process that died. */
export async function runCliHere(args: readonly string[], options: Omit<CliOptions, 'preload'>): Promise<Ended> {
  return runHere({ folder: join(options.dataDir, '..'), env: environmentOf(options) }, ...args);
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  return () => text;
}
