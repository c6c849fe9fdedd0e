import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';

/** True where a missing server must fail the tests instead of skipping them. */
export const serversRequired: boolean =
  process.env['CI'] === 'true' || process.env['ROSTER_SYNC_TEST_REQUIRE_SERVERS'] === '1';

/**
 * The full path of a program on PATH or in one of the given folders; undefined if there is none. PATH alone counts with
 * ROSTER_SYNC_TEST_PATH_ONLY, so that a machine that has everything can try what happens on one that has nothing.
 */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const further = process.env['ROSTER_SYNC_TEST_PATH_ONLY'] === undefined ? folders : [];
  const places = [...further, ...(process.env['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '');
  return places
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * For `test(title, { skip: without('openssl') }, …)`: false if all of these programs are on PATH, else which are not. Where
 * nothing may be skipped the test runs, and fails.
 */
export function without(...names: readonly string[]): string | false {
  const missing = names.filter((name) => findProgram(name) === undefined);
  return missing.length === 0 || serversRequired ? false : `SKIPPED: not installed: ${missing.join(', ')}`;
}

/** The bin folders of Debian's PostgreSQL packages, newest first. */
export function debianPostgresFolders(): string[] {
  try {
    const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => `/usr/lib/postgresql/${version}/bin`);
  } catch {
    return [];
  }
}

/** Who a server that refuses to run as root runs as: the first of these users there is. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user], { stdio: 'pipe' })));
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {
      // no such user: try the next
    }
  }
  throw new Error('root needs a user postgres or nobody to run PostgreSQL as');
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Has a folder removed when this process exits, after the servers were killed. */
export function removeAtExit(folder: string): void {
  folders.add(folder);
}

/** A server that runs as long as this process at most, and does not keep it alive. */
export interface ServerProcess {
  /** Sends the signal and waits until the server has gone. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a server and waits until a line of its output matches `ready`.
 * @throws Error with the last of its output when it ends before
 */
export async function startServer(
  program: string,
  args: readonly string[],
  ready: RegExp,
  user?: { uid: number; gid: number },
): Promise<ServerProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user, cwd: '/' });
  running.add(child);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4000);
        if (ready.test(output)) resolve();
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => {
      running.delete(child);
      reject(new Error(`${program} ended (${code}) before it was ready:\n${output}`));
    });
  });
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
  return {
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}
