import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import {
  debianPostgresFolders,
  findProgram,
  freePort,
  removeAtExit,
  serversRequired,
  startServer,
  unprivilegedUser,
} from './server-process.ts';

const initdb = findProgram('initdb', debianPostgresFolders());
const missing =
  initdb === undefined ? 'PostgreSQL is not installed (Debian, Ubuntu: apt-get install postgresql)' : undefined;
if (missing !== undefined && serversRequired) throw new Error(missing);

/** For `suite(title, { skip: postgresSkipReason }, …)`: false where PostgreSQL is there, else what to install. */
export const postgresSkipReason: string | false = missing ?? false;

/** A private PostgreSQL on a free port of 127.0.0.1, for this process only, without fsync. */
export interface TestPostgres {
  port: number;
  /** Makes an empty database and gives its URL. */
  freshDatabase(): Promise<string>;
  /** Ends the server; `kill` is a crash (SIGQUIT), `stop` disconnects everybody and shuts down. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Starts the same server again, same port and data. */
  start(): Promise<void>;
}

async function startPostgres(): Promise<TestPostgres> {
  if (initdb === undefined) throw new Error(missing);
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'rs-pg-'));
  removeAtExit(folder);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    stdio: 'pipe',
    cwd: '/',
    ...user,
  });
  const port = await freePort();
  const settings = { fsync: 'off', listen_addresses: '127.0.0.1', unix_socket_directories: folder, lc_messages: 'C' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const run = () =>
    startServer(
      join(dirname(initdb), 'postgres'),
      ['-D', data, '-p', String(port), ...flags],
      /ready to accept connections/,
      user,
    );
  let server = await run();
  let databases = 0;
  return {
    port,
    async freshDatabase() {
      const name = `test_${++databases}`;
      const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', ssl: false });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    stop: () => server.stop('SIGINT'),
    kill: () => server.stop('SIGQUIT'),
    async start() {
      server = await run();
    },
  };
}

let shared: Promise<TestPostgres> | undefined;

/** The PostgreSQL of this test process, started at the first call. */
export function testPostgres(): Promise<TestPostgres> {
  return (shared ??= startPostgres());
}
