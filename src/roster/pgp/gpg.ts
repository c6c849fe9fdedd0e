// Runs the system's gpg with a key folder of its own.
import { refusal, codeOf } from '../../core/errors.ts';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Secret } from '../../core/secrets/secret.ts';
import { temporaryFailure } from '../../core/host/this-machine.ts';

/** Taken of what gpg says about itself, in characters: a file can make it say much. */
const mostStatus = 256 * 1024;

interface GpgResult<T> {
  code: number | null;
  status: StatusLine[];
  output: T;
}

/** The input of gpg, and the reader of its output, which is read to its end. */
interface GpgRun<T> {
  input: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
  passphrase?: Secret | undefined;
  /** The one that fails ends gpg. */
  take(output: AsyncIterable<Uint8Array>): Promise<T>;
}

/** Where gpg is looked for: where Debian, Homebrew and MacPorts put it. */
const programFolders = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin';

/** Runs gpg with a folder of keys that only this user may read. */
export type Gpg = <T>(words: readonly string[], run: GpgRun<T>) => Promise<GpgResult<T>>;

/** Lets `use` work with an empty folder of keys, which is removed afterwards. Throws an `InputError` without gpg. */
export async function withKeyring<T>(
  file: string,
  use: (gpg: Gpg) => Promise<T>,
  folders = programFolders,
): Promise<T> {
  // Nothing else of our environment, which holds secrets.
  const env = { PATH: folders, LC_ALL: 'C' };
  // Only its owner may open what mkdtemp makes.
  const home = await mkdtemp(join(tmpdir(), 'roster-pgp-')).catch((error: unknown) => {
    throw temporaryFailure(`The keys for ${file}`, tmpdir(), error);
  });
  try {
    return await use((words, run) => runGpg(home, env, words, run));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && error.syscall === 'spawn gpg')) throw error;
    throw refusal('missingGpg', { file }, { cause: error });
  } finally {
    await endAgent(home, env);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Nothing secret is among the arguments: anybody on the machine can read these. */
async function runGpg<T>(
  home: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  { input, passphrase, take }: GpgRun<T>,
): Promise<GpgResult<T>> {
  const args = [
    ...['--homedir', home, '--no-options', '--batch', '--no-tty', '--quiet', '--status-fd', '3'],
    ...['--pinentry-mode', 'loopback', '--passphrase-fd', '4', '--no-auto-key-retrieve', '--trust-model', 'always'],
    ...words,
  ];
  const child = spawn('gpg', args, { env, stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'] });
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
async function feed(to: Writable, input: GpgRun<unknown>['input'], signal: AbortSignal): Promise<void> {
  // A chunk is valid only until the next one is asked for, and a stream asks ahead.
  const copies = async function* () {
    for await (const chunk of input) yield typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk);
  };
  try {
    await pipeline(Readable.from(copies(), { objectMode: false }), to, { signal });
  } catch (error) {
    if (!['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error))) throw error;
  }
}

async function endAgent(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('gpgconf', ['--homedir', home, '--kill', 'all'], { env, stdio: 'ignore' });
  // Where there is no gpg there is no agent.
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}

/** A line of what gpg says to programs (GnuPG, doc/DETAILS). */
interface StatusLine {
  word: string;
  values: readonly string[];
}

/** What says that a signature is none that counts. */
const spoilt = ['BADSIG', 'ERRSIG', 'EXPSIG', 'EXPKEYSIG', 'REVKEYSIG'];
const damaged = ['DECRYPTION_FAILED', 'BADMDC', 'NODATA', 'TRUNCATED', 'ERROR', 'FAILURE', 'UNEXPECTED'];

/**
 * Why nothing of a decrypted file may be used; undefined if all of it may. Its exit code alone does not tell: gpg ends
 * with 0 for a file that was cut off.
 * @param signers the fingerprints of those one of whom must have signed; undefined if nobody must
 */
export function faultOf(
  code: number | null,
  status: readonly StatusLine[],
  signers: readonly string[] | undefined,
): string | undefined {
  const has = (word: string): boolean => status.some((line) => line.word === word);
  const count = (word: string): number => status.filter((line) => line.word === word).length;
  const isSafe =
    has('GOODMDC') || status.some(({ word, values }) => word === 'DECRYPTION_INFO' && Number(values[2]) > 0);
  const isWhole =
    count('DECRYPTION_OKAY') === 1 && count('BEGIN_DECRYPTION') === 1 && count('PLAINTEXT') === 1 && isSafe;
  if (!isWhole || damaged.some(has)) return brokenBy(status, has);
  if (signers !== undefined) {
    const fault = signatureFault(status, signers);
    if (fault !== undefined) return fault;
  }
  // Without a key for it, a signature is not looked at, and gpg ends with 2 as it cannot.
  const isUnchecked = signers === undefined && has('ERRSIG') && !has('BADSIG');
  return code === 0 || (code === 2 && isUnchecked) ? undefined : brokenBy(status, has);
}

function brokenBy(status: readonly StatusLine[], has: (word: string) => boolean): string {
  const wrongPassphrase =
    'the private key does not open with this passphrase. Check pgp.passphrase; where it is right, the file was changed on its way.';
  if (has('BAD_PASSPHRASE') || has('MISSING_PASSPHRASE')) return wrongPassphrase;
  // No key gave what the file is locked with: gpg has one and cannot use it, or has none.
  if (has('BEGIN_DECRYPTION') && has('ENC_TO') && !has('DECRYPTION_KEY')) {
    return has('KEY_CONSIDERED') ? wrongPassphrase : otherKey(status);
  }
  return 'the PGP file is damaged, cut off, or was changed on its way. Nothing of it was read. Fetch it again.';
}

function otherKey(status: readonly StatusLine[]): string {
  const ids = status.filter(({ word }) => word === 'ENC_TO').map(({ values }) => values[0] ?? '');
  const which = ids.filter((id) => /^[0-9A-F]{16}$/.test(id) && !/^0+$/.test(id));
  return `the file is encrypted for another key${which.length > 0 ? ` (${which.join(', ')})` : ''}. Set pgp.privateKey to the key that it is for, or give its sender yours.`;
}

function signatureFault(status: readonly StatusLine[], signers: readonly string[]): string | undefined {
  const next = 'Nothing of it was read. Ask its sender, or check pgp.signedBy.';
  const begin = status.findIndex(({ word }) => word === 'BEGIN_DECRYPTION');
  const end = status.findIndex(({ word }) => word === 'END_DECRYPTION');
  // What is signed must be what was encrypted.
  const inside = status.slice(begin, end === -1 ? undefined : end);
  if (!status.some(({ word }) => word === 'NEWSIG' || word.endsWith('SIG'))) return `the file is not signed. ${next}`;
  const isGood = inside.some(({ word }) => word === 'GOODSIG') && !status.some(({ word }) => spoilt.includes(word));
  const isTheirs = inside.some(
    ({ word, values }) =>
      word === 'VALIDSIG' && [values[0], values[9]].some((key) => key !== undefined && signers.includes(key)),
  );
  return isGood && isTheirs
    ? undefined
    : `the file is not signed by a key in pgp.signedBy, or its signature is wrong. ${next}`;
}
