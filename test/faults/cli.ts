import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';

const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');

/** How a process of the command line ended, and what it said. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

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

/** Starts `roster-sync` with the sources as they are, in a process of its own. */
export function startCli(args: readonly string[], options: CliOptions): Cli {
  const { dataDir, service, environment = {}, preload = [] } = options;
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ROSTER_SYNC|REDIS_URL|DATABASE_URL|NODE_|.*_PROXY|.*_proxy)/.test(name),
  );
  const child = spawn(process.execPath, [...preload.flatMap((module) => ['--import', module]), bin, ...args], {
    cwd: join(dataDir, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      ROSTER_SYNC_DATA_DIR: dataDir,
      ROSTER_SYNC__DELIVERY__CANARY: 'false',
      ...(service ? { ROSTER_SYNC_BASE_URL: service.url, ROSTER_SYNC_TOKEN: service.token } : {}),
      ...environment,
    },
  });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout: stdout(), stderr: stderr() }));
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

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  return () => text;
}
