import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openPostgres } from '../../src/ledger/database/postgres.ts';
import { sharedServers } from './shared-servers.ts';
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

/** For `suite(title, { skip: postgresSkipReason }, …)`: false if PostgreSQL is there, else what to install. */
export const postgresSkipReason: string | false = missing ?? false;

/** A PostgreSQL on 127.0.0.1, without fsync, of which each test has databases of its own. */
export interface TestPostgres {
  port: number;
  /** Makes an empty database and gives its URL. */
  freshDatabase(): Promise<string>;
  /** Makes a database with a ledger in which nobody is known, and gives its URL. */
  freshLedger(): Promise<string>;
}

/** A private one, for this process only: to be stopped, killed, or set up otherwise. */
export interface OwnPostgres extends TestPostgres {
  /** Ends the server; `kill` is a crash (SIGQUIT), `stop` disconnects everybody and shuts down. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Starts the same server again, same port and data. */
  start(): Promise<void>;
}

/** Starts a PostgreSQL on a free port. */
export async function startPostgres(): Promise<OwnPostgres> {
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
  const settings = {
    fsync: 'off',
    max_connections: '400',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    lc_messages: 'C',
    // In its folder, which is removed: what lies in /dev/shm outlives a server that is killed.
    dynamic_shared_memory_type: 'mmap',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const run = () =>
    startServer(
      join(dirname(initdb), 'postgres'),
      ['-D', data, '-p', String(port), ...flags],
      /ready to accept connections/,
      user,
    );
  let server = await run();
  return {
    ...databasesOf(port),
    stop: () => server.stop('SIGINT'),
    kill: () => server.stop('SIGQUIT'),
    async start() {
      server = await run();
    },
  };
}

function databasesOf(port: number): TestPostgres {
  const urlOf = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`;
  async function withClient<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: urlOf('postgres'), ssl: false });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }
  const nameOne = (): string => `test_${randomBytes(6).toString('hex')}`;
  return {
    port,
    async freshDatabase() {
      const name = nameOne();
      await withClient((client) => client.query(`CREATE DATABASE ${name}`));
      return urlOf(name);
    },
    async freshLedger() {
      const name = nameOne();
      await withClient(async (client) => {
        await makeTemplate(client, urlOf);
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      });
      return urlOf(name);
    },
  };
}

/** The database that those with a ledger are copies of; made by whoever needs it first. */
const template = 'empty_ledger';

async function makeTemplate(client: Client, urlOf: (name: string) => string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(1)');
  const there = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
  if (there.rowCount === 0) {
    const making = `making_${randomBytes(6).toString('hex')}`;
    await client.query(`CREATE DATABASE ${making}`);
    const { pool, close } = await openPostgres(urlOf(making));
    await openLedger(pool, { worker: 'test', lossPolicy: { forMs: 0, onLoss: () => {} } });
    // Its id and its key are its own: each copy makes them anew.
    await pool.query('delete from ledger');
    await close();
    await client.query(`ALTER DATABASE ${making} RENAME TO ${template}`);
  }
  await client.query('SELECT pg_advisory_unlock(1)');
}

let shared: Promise<TestPostgres> | undefined;

/** The PostgreSQL of this run of the tests, or else of this test process. */
export function testPostgres(): Promise<TestPostgres> {
  return (shared ??= sharedServers.postgres ? Promise.resolve(databasesOf(sharedServers.postgres)) : startPostgres());
}
