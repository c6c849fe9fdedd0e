// Gives a data directory exactly one owner, proved by a socket.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyError, codeOf, StorageError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { deniedIn, inTemporaryFolder } from './disk.ts';
import { escapeText, moment } from '../../core/text/format.ts';

/** Who owns a data directory, for messages only: that it lives is proved by its socket. */
export interface Owner {
  /** What it was started to do, without any secret: `import staff.csv`. */
  command: string;
  startedAt: Date;
}

/** A data directory has an owner that lives. */
export class OwnedError extends BusyError {
  /** Where the owner answers. */
  readonly socketPath: string;
  /** Who it is, as it said about itself: `serve (process 42)`. */
  readonly who: string;
  constructor(message: string, { socketPath, who }: { socketPath: string; who: string }) {
    super(message);
    this.socketPath = socketPath;
    this.who = who;
  }
}

/** The owner that was asked has ended, or answers nobody: what was asked may or may not have been done. */
export class OwnerGoneError extends StorageError {
  override readonly code = 'OWNER_GONE';
}

export interface Ownership {
  /** Listens on the directory's socket and ends every connection, unless another `connection` listener is added. */
  server: Server;
  path: string;
  release(): Promise<void>;
}

/**
 * The socket of the owner, or of one who wants to be, `owner-<random>.sock`, with `owner-<random>.json` saying who
 * that is. A name is never used twice and appears, by a rename, only once it listens: so one that refuses is dead for
 * good, and removing it can hit nobody else.
 *
 * To become the owner: appear, then look. A process that sees another one alive steps back. Of two, the one who appeared
 * later always sees the other, so two owners cannot be; when both step back, they try again after a random while.
 */
const socketName = /^owner-[0-9a-f]{16}\.sock$/;
const attempts = 50;

/** The longest path of a socket in bytes: 104 on macOS, 108 on Linux, with the final zero and a little room. */
const longestPath = 100;

/**
 * Gives a short way to the same socket where its path is too long to bind or to connect to: through a symbolic link
 * in a private temporary folder, which is needed only for that moment. The socket itself always lies in the directory,
 * so that processes with different temporary folders still see each other.
 */
async function throughShortPath<T>(path: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= longestPath) return use(path);
  return inTemporaryFolder('rs-', `A short name for ${path}`, async (folder) => {
    const link = join(folder, 'd');
    await symlink(dirname(path), link);
    return use(join(link, basename(path)));
  });
}

/**
 * True when somebody listens there, also when it is stopped and never answers: the kernel accepts for it.
 * Throws a StorageError if it is another user's.
 */
async function lives(path: string): Promise<boolean> {
  try {
    const socket = await connectToOwner(path);
    socket.destroy();
    return true;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const denied = deniedIn(path);
    if (denied === undefined) return !['ECONNREFUSED', 'ENOENT'].includes(codeOf(error));
    throw new StorageError(`whether another process is at work cannot be asked. ${denied}`);
  }
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

/** A server that closes at once, even with open connections. */
function newServer(): { server: Server; close(): Promise<void> } {
  const server = createServer().unref();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    if (server.listenerCount('connection') === 1) socket.destroy();
  });
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Connects to an owner's socket. Rejects when nobody is there. */
export function connectToOwner(path: string): Promise<Socket> {
  return throughShortPath(path, async (short) => {
    const socket = connect(short);
    await once(socket, 'connect');
    return socket;
  });
}

/** What the message says about the process that is there. */
async function busy(dir: string, infoFile: string, socketPath: string): Promise<OwnedError> {
  let [said, who, next] = ['another process', 'another process', 'ownerEnds'];
  try {
    const { command, pid, startedAt } = JSON.parse(await readFile(infoFile, 'utf8')) as Record<string, unknown>;
    said = `"${String(command)}" (process ${Number(pid)}, since ${moment(String(startedAt))})`;
    who = `${String(command)} (process ${Number(pid)})`;
    if (command === 'serve') next = 'ownerGoesOn';
  } catch {
    // It has just ended, or is of another version: there is still an owner.
  }
  return new OwnedError(say(next, 1, { dir, said: escapeText(said) }), { socketPath, who });
}

function informationOf(owner: Owner): string {
  return JSON.stringify({ command: owner.command, pid: process.pid, startedAt: owner.startedAt.toISOString() });
}

async function livingOthers(dir: string, own?: string): Promise<{ living: string[]; dead: string[] }> {
  const names = (await readdir(dir)).filter((name) => socketName.test(name) && name !== own);
  const states = await Promise.all(names.map((name) => lives(join(dir, name))));
  return { living: names.filter((_, at) => states[at]), dead: names.filter((_, at) => !states[at]) };
}

const infoName = (name: string): string => name.replace(/\.sock$/, '.json');

async function remove(dir: string, name: string): Promise<void> {
  await rm(join(dir, name), { force: true });
  await rm(join(dir, infoName(name)), { force: true });
}

/** Appears in the directory with a socket that listens. */
async function appear(dir: string, owner: Owner): Promise<{ name: string; server: Server; leave(): Promise<void> }> {
  const name = `owner-${randomBytes(8).toString('hex')}.sock`;
  const unseen = join(dir, `.${name}`);
  const { server, close } = newServer();
  try {
    await writeFile(join(dir, infoName(name)), informationOf(owner), { mode: 0o600 });
    await throughShortPath(unseen, (short) => listen(server, short));
    await chmod(unseen, 0o600);
    await rename(unseen, join(dir, name));
  } catch (error) {
    await close();
    await remove(dir, name).catch(() => {});
    if (error instanceof StorageError) throw error;
    throw new StorageError(say('noSocket', 1, { dir, error: String(error) }), { cause: error });
  }
  async function leave(): Promise<void> {
    await remove(dir, name);
    await close();
  }
  return { name, server, leave };
}

/** On Windows a named pipe goes with its process, so there is nothing to take over. */
async function claimPipe(dir: string, owner: Owner): Promise<Ownership> {
  const { createHash } = await import('node:crypto');
  const path =
    String.raw`\\.\pipe\roster-sync-` + createHash('sha256').update(dir.toLowerCase()).digest('hex').slice(0, 32);
  const infoFile = join(dir, 'owner.json');
  // Wine lets two processes listen on one pipe.
  if (await lives(path)) throw await busy(dir, infoFile, path);
  const { server, close } = newServer();
  try {
    await listen(server, path);
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE'
      ? await busy(dir, infoFile, path)
      : new StorageError(String(error), { cause: error });
  }
  await writeFile(infoFile, informationOf(owner));
  return { server, path, release: close };
}

/**
 * Makes this process the owner of a data directory, until it releases it or dies, by whatever way.
 * @throws OwnedError naming the owner when there is one that lives; StorageError when no socket can be made there
 */
export async function claimOwnership(dir: string, owner: Owner): Promise<Ownership> {
  const real = await realpath(dir);
  if (process.platform === 'win32') return claimPipe(real, owner);
  let seen = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await livingOthers(real);
    if (before.living[0] !== undefined)
      throw await busy(real, join(real, infoName(before.living[0])), join(real, before.living[0]));
    const { name, server, leave } = await appear(real, owner);
    const after = await livingOthers(real, name);
    if (after.living[0] === undefined) {
      for (const dead of after.dead) await remove(real, dead);
      return { server, path: join(real, name), release: leave };
    }
    seen = after.living[0];
    await leave();
    await pause(1 + Math.random() * 20 * (attempt + 1));
  }
  throw await busy(real, join(real, infoName(seen)), join(real, seen));
}
