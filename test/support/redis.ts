import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedServers } from './shared-servers.ts';
import { findProgram, freePort, removeAtExit, serversRequired, startServer } from './server-process.ts';

const program = findProgram('redis-server');
const missing =
  program === undefined ? 'Redis is not installed (Debian, Ubuntu: apt-get install redis-server)' : undefined;
if (missing !== undefined && serversRequired) throw new Error(missing);

/** For `suite(title, { skip: redisSkipReason }, …)`: false if Redis is there, else what to install. */
export const redisSkipReason: string | false = missing ?? false;

/** A database of a Redis on 127.0.0.1, which nobody else uses. */
export interface TestRedis {
  port: number;
  url: string;
  /** One command as words; gives the first line of the answer. */
  command(...words: string[]): Promise<string>;
  /** A figure of `INFO`, by its section and name; undefined if there is none. */
  info(section: string, name: string): Promise<string | undefined>;
  /** Empties it. */
  flush(): Promise<void>;
}

/** A private Redis on a free port, for this process only: to be stopped, killed, or set up otherwise. */
export interface OwnRedis extends TestRedis {
  /** Where its data lies with `appendonly`; to be touched only while it is stopped. */
  folder: string;
  /** Ends the server; `kill` is a crash (SIGKILL). */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Starts the same server again, same port and data (which is there only with `appendonly`). */
  start(): Promise<void>;
}

/**
 * Starts a Redis; `appendonly` (default off) keeps its data over `kill` and `start`, fsynced at every write. Further
 * settings under Redis' own names.
 */
export async function startRedis(
  options: { appendonly?: boolean; port?: number; settings?: Record<string, string> } = {},
): Promise<OwnRedis> {
  if (program === undefined) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), 'rs-redis-'));
  removeAtExit(folder);
  const port = options.port ?? (await freePort());
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: options.appendonly === true ? 'yes' : 'no',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const run = () => startServer(program, flags, /Ready to accept connections/i);
  let server = await run();
  return {
    ...databaseOf(port, 0),
    url: `redis://127.0.0.1:${port}`,
    folder,
    stop: () => server.stop('SIGTERM'),
    kill: () => server.stop('SIGKILL'),
    async start() {
      server = await run();
    },
  };
}

function databaseOf(port: number, number: number): TestRedis {
  async function ask(...words: string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    try {
      if (number !== 0) await answerOf(socket, ['SELECT', String(number)]);
      return await answerOf(socket, words);
    } finally {
      socket.destroy();
    }
  }
  const command = async (...words: string[]): Promise<string> => {
    const answer = await ask(...words);
    return answer.slice(0, answer.indexOf('\r\n'));
  };
  return {
    port,
    url: `redis://127.0.0.1:${port}/${number}`,
    command,
    info: async (section, name) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(await ask('INFO', section))?.[1],
    async flush() {
      await command('FLUSHDB');
    },
  };
}

/** The first piece of what it answers, which is all of what tests ask. @throws Error when it refuses */
async function answerOf(socket: Socket, words: readonly string[]): Promise<string> {
  socket.write(`*${words.length}\r\n${words.map((w) => `$${Buffer.byteLength(w)}\r\n${w}\r\n`).join('')}`);
  const [answer] = (await once(socket, 'data')) as [string];
  if (answer.startsWith('-')) throw new Error(`redis: ${answer.slice(1, answer.indexOf('\r\n'))}`);
  return answer;
}

/** More than there are tests. */
const databases = '10000';

/** Starts a Redis of which many tests can have a database each. */
export function startSharedRedis(): Promise<OwnRedis> {
  return startRedis({ settings: { databases } });
}

let shared: Promise<number> | undefined;

/** An empty database of the Redis that this run of the tests, or else this test process, has. */
export async function freshRedis(): Promise<TestRedis> {
  const port = await (shared ??= sharedServers.redis
    ? Promise.resolve(sharedServers.redis)
    : startSharedRedis().then((redis) => redis.port));
  const number = await databaseOf(port, 0).command('INCR', 'databases');
  return databaseOf(port, Number(number.slice(1)));
}
