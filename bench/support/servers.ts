import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  debianPostgresFolders,
  findProgram,
  freePort,
  removeAtExit,
  startServer,
  unprivilegedUser,
} from '../../test/support/server-process.ts';

/** A Redis and a PostgreSQL of this bench alone, on free ports of 127.0.0.1; they end with the process. */
export interface Servers {
  redisUrl: string;
  databaseUrl: string;
  redis: Redis;
  database: pg.Pool;
  /** Their process ids, for the account of processor time. */
  pids: { redis: number; postgres: number };
  /** Empties both, for the next round. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts both as production has them: Redis with AOF (`everysec`) and `noeviction`, PostgreSQL with its own defaults,
 * which write every commit through to the disk.
 */
export async function startServers(): Promise<Servers> {
  const [redisPort, postgres] = [await startRedis(), await startPostgres()];
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const redis = new Redis(redisUrl);
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  const address = `postgres://postgres@127.0.0.1:${postgres.port}`;
  const server = new pg.Client(`${address}/postgres`);
  await server.connect();
  let databases = 0;
  const servers: Servers = {
    redisUrl,
    databaseUrl: '',
    redis,
    database: new pg.Pool(),
    pids: { redis: pid, postgres: postgres.pid },
    async reset() {
      await redis.flushall();
      await servers.database.end();
      const last = `bench_${databases}`;
      await server.query(`drop database if exists ${last} with (force)`);
      databases += 1;
      await server.query(`create database bench_${databases}`);
      servers.databaseUrl = `${address}/bench_${databases}`;
      servers.database = new pg.Pool({ connectionString: servers.databaseUrl, max: 2 });
      servers.database.on('error', () => {});
    },
    async stop() {
      await servers.database.end();
      await server.end();
      redis.disconnect();
    },
  };
  await servers.reset();
  return servers;
}

async function startRedis(): Promise<number> {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('Redis is not installed (Debian, Ubuntu: apt-get install redis-server)');
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-redis-'));
  removeAtExit(folder);
  const port = await freePort();
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  await startServer(program, flags, /Ready to accept connections/i);
  return port;
}

async function startPostgres(): Promise<{ port: number; pid: number }> {
  const initdb = findProgram('initdb', debianPostgresFolders());
  if (initdb === undefined) throw new Error('PostgreSQL is not installed (Debian, Ubuntu: apt-get install postgresql)');
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'rs-bench-pg-'));
  removeAtExit(folder);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'], {
    stdio: 'pipe',
    cwd: '/',
    ...user,
  });
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: folder, lc_messages: 'C' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await startServer(
    join(dirname(initdb), 'postgres'),
    ['-D', data, '-p', String(port), ...flags],
    /ready to accept connections/,
    user,
  );
  return { port, pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]) };
}
