import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, removeAtExit, serversRequired, startServer } from './server-process.ts';

const program = findProgram('redis-server');
const missing =
  program === undefined ? 'Redis is not installed (Debian, Ubuntu: apt-get install redis-server)' : undefined;
if (missing !== undefined && serversRequired) throw new Error(missing);

/** For `suite(title, { skip: redisSkipReason }, …)`: false where Redis is there, else what to install. */
export const redisSkipReason: string | false = missing ?? false;

/** A private Redis on a free port of 127.0.0.1, for this process only. */
export interface TestRedis {
  port: number;
  url: string;
  /** Where its data lies with `appendonly`; to be touched only while it is stopped. */
  folder: string;
  /** One command as words; gives the first line of the answer. */
  command(...words: string[]): Promise<string>;
  /** A figure of `INFO`, by its section and name; undefined where there is none. */
  info(section: string, name: string): Promise<string | undefined>;
  /** Empties it. */
  flush(): Promise<void>;
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
): Promise<TestRedis> {
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

  async function ask(words: readonly string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(`*${words.length}\r\n${words.map((w) => `$${Buffer.byteLength(w)}\r\n${w}\r\n`).join('')}`);
    const [answer] = (await once(socket, 'data')) as [string];
    socket.destroy();
    return answer;
  }
  async function command(...words: string[]): Promise<string> {
    const answer = await ask(words);
    const line = answer.slice(0, answer.indexOf('\r\n'));
    if (line.startsWith('-')) throw new Error(`redis: ${line.slice(1)}`);
    return line;
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    command,
    info: async (section, name) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(await ask(['INFO', section]))?.[1],
    async flush() {
      await command('FLUSHALL');
    },
    stop: () => server.stop('SIGTERM'),
    kill: () => server.stop('SIGKILL'),
    async start() {
      server = await run();
    },
  };
}

let shared: Promise<TestRedis> | undefined;

/** The Redis of this test process, started at the first call. */
export function testRedis(): Promise<TestRedis> {
  return (shared ??= startRedis());
}
