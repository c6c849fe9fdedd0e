// Runs the system's gpg with a key folder of its own.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../core/errors.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import { temporaryFailure } from '../../core/host/temporary-folder.ts';
import type { StatusLine } from './status.ts';

/** Taken of what gpg says about itself, in characters: a file can make it say much. */
const mostStatus = 256 * 1024;

export interface GpgResult<T> {
  code: number | null;
  status: StatusLine[];
  /** What was made of its output. */
  output: T;
}

/** The input of gpg, and the reader of its output, which is read to its end. */
export interface GpgRun<T> {
  input: AsyncIterable<Uint8Array | string>;
  passphrase?: Secret | undefined;
  /** The one that fails ends gpg. */
  take(output: AsyncIterable<Uint8Array>): Promise<T>;
}

/** Where gpg is looked for: where Debian, Homebrew and MacPorts put it. */
const programFolders = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin';

/** A folder of keys for gpg that only this user may read, for as long as it is needed. */
export class Keyring {
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(home: string, env: NodeJS.ProcessEnv) {
    this.#home = home;
    this.#env = env;
  }

  /** Lets `use` work with an empty folder of keys, which is removed afterwards. Throws an `InputError` without gpg. */
  static async with<T>(file: string, use: (keyring: Keyring) => Promise<T>, folders = programFolders): Promise<T> {
    // Nothing else of our environment, which holds secrets.
    const env = { PATH: folders, LC_ALL: 'C' };
    // Only its owner may open what mkdtemp makes.
    const home = await mkdtemp(join(tmpdir(), 'roster-pgp-')).catch((error: unknown) => {
      throw temporaryFailure(`The keys for ${file}`, tmpdir(), error);
    });
    try {
      return await use(new Keyring(home, env));
    } catch (error) {
      if (!isMissingProgram(error)) throw error;
      throw new InputError(
        `${file}: GnuPG is needed for PGP, and there is no program gpg here. Install it (Debian: apt-get install gnupg), or decrypt the file first.`,
        { cause: error },
      );
    } finally {
      await endAgent(home, env);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Runs gpg. Nothing secret is among the arguments: anybody on the machine can read these. */
  async run<T>(words: readonly string[], { input, passphrase, take }: GpgRun<T>): Promise<GpgResult<T>> {
    const args = [
      ...['--homedir', this.#home, '--no-options', '--batch', '--no-tty', '--quiet', '--status-fd', '3'],
      ...['--pinentry-mode', 'loopback', '--passphrase-fd', '4', '--no-auto-key-retrieve', '--trust-model', 'always'],
      ...words,
    ];
    const child = spawn('gpg', args, { env: this.#env, stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // It is awaited below.
    ended.catch(() => {});
    const [, stdout, , status, secret] = child.stdio;
    let text = '';
    status?.on('data', (chunk: Buffer) => {
      if (text.length < mostStatus) text += chunk.toString('latin1');
    });
    const output = keptFrom(stdout as Readable);
    const failed = new AbortController();
    try {
      const fed = Promise.all([
        feed(secret as Writable, [passphrase === undefined ? '\n' : `${passphrase.reveal()}\n`], failed.signal),
        feed(child.stdin as Writable, input, failed.signal),
      ]);
      // What is wrong with the input ends the output, and is what is said.
      const [made] = await Promise.all([take(output), fed]);
      return { code: await ended, status: parse(text), output: made };
    } catch (error) {
      failed.abort();
      child.kill('SIGKILL');
      await ended;
      throw error;
    }
  }
}

/** Node throws away what nobody has begun to read when a child ends: who opens late would get a part, or nothing. */
function keptFrom(stdout: Readable): Readable {
  const kept = new PassThrough();
  stdout.once('error', (error) => kept.destroy(error));
  return stdout.pipe(kept);
}

function parse(text: string): StatusLine[] {
  return text.split('\n').flatMap((line) => {
    const [, word, rest = ''] = /^\[GNUPG:\] (\w+)(?: (.*))?$/.exec(line) ?? [];
    return word === undefined ? [] : [{ word, values: rest.split(' ') }];
  });
}

/** Writes what is to be read; gpg may end before it has read all of it. */
async function feed(
  to: Writable,
  input: AsyncIterable<Uint8Array | string> | Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  // A chunk is valid only until the next one is asked for, and a stream asks ahead.
  const copies = async function* () {
    for await (const chunk of input) yield typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk);
  };
  try {
    await pipeline(Readable.from(copies(), { objectMode: false }), to, { signal });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EPIPE' && code !== 'ECONNRESET' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function isMissingProgram(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'spawn gpg';
}

async function endAgent(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('gpgconf', ['--homedir', home, '--kill', 'all'], { env, stdio: 'ignore' });
  // Where there is no gpg there is no agent.
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}
