// One connection to an SFTP server, for reading: the host's key, time limits, what went wrong in words.
import { refusal } from '../../core/words/say.ts';
import { createConnection, type Socket } from 'node:net';
import { matchesGlob, posix } from 'node:path';
import type { Readable } from 'node:stream';
import type { SFTPWrapper, FileEntryWithStats } from 'ssh2';
import Client from 'ssh2-sftp-client';
import type { SftpSource } from '../../../config/fetch-schema.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { beforeAbort } from '../../core/before-abort.ts';
import { maskAddresses } from '../../core/person/mask.ts';
import { quote } from '../../core/text/quote.ts';
import { type SeenFile, picked } from '../files/file-source.ts';
import { sayBytes } from '../files/limits.ts';
import { isMeant } from '../files/passing-files.ts';
import type { SourceDeps } from '../source-location.ts';
import { redactorOf, secretsOfSource } from '../source-secrets.ts';
import { fingerprintOf, isTrusted } from './host-key.ts';
import { IdleTimer, type Tries, PassingTrouble } from './tries.ts';

export interface RemoteFile extends SeenFile {
  size: number;
}

const mostFiles = 10_000;
/** The longest wait for a server to close its side of the connection, ms. */
const farewellMs = 1000;
/** As OpenSSH's own; it also notices a connection that died. */
const keepaliveMs = 15_000;

export class SftpSession {
  readonly path: string;
  readonly #source: SftpSource;
  readonly #deps: SourceDeps;
  readonly #tries: Tries;
  readonly #client: Client;
  #strangerKey: string | undefined;
  #socket: Socket | undefined;
  #sftp: SFTPWrapper | undefined;
  #bytes = 0;

  constructor(source: SftpSource, deps: SourceDeps, tries: Tries) {
    this.path = source.path;
    this.#source = source;
    this.#deps = deps;
    this.#tries = tries;
    const ignore = (): void => {};
    // Errors reach the code that awaits them; without these the library writes to the console.
    this.#client = new Client(deps.name, { error: ignore, end: ignore, close: ignore });
  }

  /** How a file of this host is called in messages and rows. */
  nameOf(path: string): string {
    return `${this.#source.host}:${path}`;
  }

  async connect(): Promise<void> {
    const { host, port, username, password, privateKey, passphrase, fingerprint, timeout } = this.#source;
    // With Nagle's algorithm each part of a file would wait for the one before to be acknowledged.
    const socket = createConnection({ host, port, noDelay: true });
    // The library tells the waiting code, unless that refuses the settings first.
    socket.on('error', () => {});
    this.#socket = socket;
    this.#sftp = await this.#ask(() =>
      this.#client.connect({
        username,
        readyTimeout: timeout,
        keepaliveInterval: keepaliveMs,
        sock: socket,
        ...defined({
          password: password?.reveal(),
          privateKey: privateKey?.reveal(),
          passphrase: passphrase?.reveal(),
        }),
        hostVerifier: (key: Buffer) => {
          if (isTrusted(key, fingerprint)) return true;
          this.#strangerKey = fingerprintOf(key);
          return false;
        },
      }),
    );
  }

  /** The oldest first. */
  async choose(pick: 'newest' | 'all'): Promise<[RemoteFile, ...RemoteFile[]]> {
    const name = posix.basename(this.path);
    if (!/[*?]/.test(name)) return [await this.#look(this.path)];
    const folder = posix.dirname(this.path);
    const listed = await listFiles(this.#open, folder, {
      ask: (question) => this.#ask(question),
      isWanted: (one) => matchesGlob(one, name) && isMeant(one, name),
      place: this.nameOf(folder),
    });
    if (listed.length > mostFiles)
      throw new InputError(`${this.nameOf(this.path)}: more than ${mostFiles} files match.`);
    const files: RemoteFile[] = [];
    for (const { filename, attrs } of listed) {
      const path = posix.join(folder, filename);
      // What a link leads to is not in the listing.
      files.push(attrs.isSymbolicLink() ? await this.#look(path) : this.#seen(path, attrs.size, attrs.mtime * 1000));
    }
    const none = 'no file matches this pattern. Was the export made, and is the folder right?';
    return picked(files, pick, `${this.nameOf(this.path)}: ${none}`);
  }

  /** The bytes of a file. Throws `PassingTrouble` when it breaks off, or is not what it was when it ends. */
  async *read(file: RemoteFile): AsyncGenerator<Uint8Array> {
    const { timeout, maxBytes } = this.#source;
    const idle = new IdleTimer(timeout, this.#tries.signal);
    if (file.size > maxBytes - this.#bytes) throw this.#tooLarge(file);
    const stream = this.#client.createReadStream(file.path) as Readable;
    const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(this.#silence());
    silence.catch(() => {});
    idle.signal.addEventListener('abort', stop, { once: true });
    // It may fail again after it was given up.
    stream.on('error', () => {});
    let size = 0;
    try {
      for (;;) {
        // A stream whose file was never opened never ends, not even when it is destroyed.
        const next = await Promise.race([chunks.next(), silence]);
        if (next.done === true) break;
        const chunk = next.value;
        idle.restart();
        size += chunk.length;
        this.#bytes += chunk.length;
        if (this.#bytes > maxBytes) throw this.#tooLarge(file);
        // It grows, or never ends.
        if (size > file.size) break;
        yield chunk;
      }
    } catch (error) {
      throw this.#troubleOf(error);
    } finally {
      idle.stop();
      idle.signal.removeEventListener('abort', stop);
      stream.destroy();
    }
    const after = await this.#look(file.path);
    if (size !== file.size || after.state !== file.state) {
      const more = size > file.size ? 'more than ' : '';
      const said =
        size === file.size ? '' : `: it has ${file.size} bytes, and ${more}${Math.min(size, file.size)} came`;
      throw new PassingTrouble(`${this.nameOf(file.path)} changed while it was read${said}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => this.#socket?.destroy(), farewellMs);
    await this.#client.end().catch(() => false);
    clearTimeout(timer);
    this.#socket?.destroy();
  }

  get #open(): SFTPWrapper {
    if (this.#sftp === undefined) throw new Error('an SFTP session that is not connected');
    return this.#sftp;
  }

  #tooLarge({ path }: RemoteFile): InputError {
    const most = sayBytes(this.#source.maxBytes);
    return new InputError(`${this.nameOf(path)}: it gives more than ${most}. Is it the right file?`);
  }

  #silence(): PassingTrouble {
    const { host, port, timeout } = this.#source;
    return new PassingTrouble(`${host}:${port} was silent for ${timeout / 1000} s`);
  }

  async #look(path: string): Promise<RemoteFile> {
    const { size, modifyTime, isDirectory } = await this.#ask(() => this.#client.stat(path));
    if (isDirectory) throw new InputError(`${this.nameOf(path)}: this is a folder. Name a file in it, or a pattern.`);
    return this.#seen(path, size, modifyTime);
  }

  #seen(path: string, size: number, modifyTime: number): RemoteFile {
    if (!Number.isSafeInteger(size) || !Number.isFinite(modifyTime))
      throw refusal('unknownSize', { path: this.nameOf(path) });
    return { path, size, state: `${path} ${size} ${modifyTime}`, modifiedAt: new Date(modifyTime) };
  }

  async #ask<Result>(question: () => Promise<Result>): Promise<Result> {
    const silent = AbortSignal.timeout(this.#source.timeout);
    try {
      return await beforeAbort(question(), AbortSignal.any([this.#tries.signal, silent]));
    } catch (error) {
      throw this.#troubleOf(silent.aborted ? this.#silence() : error);
    }
  }

  #troubleOf(error: unknown): unknown {
    const { host, port, username } = this.#source;
    if (error instanceof InputError) return error;
    const place = `${host}:${port}`;
    const ended = this.#tries.ended(place);
    if (ended) return ended;
    if (error instanceof PassingTrouble) return error;
    if (this.#strangerKey !== undefined) {
      return refusal('strangerKey', { name: this.#deps.name, place, strangerKey: this.#strangerKey });
    }
    const redact = redactorOf(secretsOfSource({ sftp: this.#source }), [this.#deps.name]);
    const said = redact(error instanceof Error ? error.message : String(error));
    const file = this.nameOf(this.path);
    const refusals: [RegExp, string][] = [
      [
        /authentication/i,
        `${this.#deps.name}: ${place} refused ${username}. Check its user name, and password or key.`,
      ],
      [/privateKey|passphrase/, `${this.#deps.name}: the private key cannot be used. Check it and its passphrase.`],
      [/no such file|ENOENT/i, `${file}: there is no such file. Check the name and the folder.`],
      [/permission denied|EACCES/i, `${file}: ${username} may not read it. Give ${username} the right to.`],
    ];
    const found = refusals.find(([pattern]) => pattern.test(said));
    if (found) return new InputError(found[1]);
    return new PassingTrouble(`${place} could not be read (${quote(maskAddresses(said), 200)})`);
  }
}

/** The most entries of a folder that are read: export folders have fewer, and an endless listing ends here. */
const mostEntries = 100_000;
/** What an answer without entries counts as. */
const emptyAnswer = 1000;
/** What SFTP answers where there are no further entries. */
const endOfFile = 1;

type Ask = <Result>(question: () => Promise<Result>) => Promise<Result>;

/**
 * The files in a folder whose names are wanted, and what the listing says about them. No more than a part of the listing is held at a time, whatever its length.
 * @param place the folder, for messages
 * @throws InputError for a folder with more entries than `mostEntries`
 */
async function listFiles(
  sftp: SFTPWrapper,
  folder: string,
  { ask, isWanted, place }: { ask: Ask; isWanted: (name: string) => boolean; place: string },
): Promise<FileEntryWithStats[]> {
  const handle = await ask(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        sftp.opendir(folder, (error, opened) => (error ? reject(error) : resolve(opened)));
      }),
  );
  const files: FileEntryWithStats[] = [];
  try {
    for (let entries = 0; ;) {
      const some = await ask(() => nextEntries(sftp, handle));
      if (some === undefined) return files;
      // An empty answer counts too, or it could be repeated for ever.
      entries += some.length || emptyAnswer;
      if (entries > mostEntries) {
        throw new InputError(`${place}: the folder has more than ${mostEntries} entries. Is it the right one?`);
      }
      files.push(...some.filter(({ filename, attrs }) => !attrs.isDirectory() && isWanted(filename)));
    }
  } finally {
    sftp.close(handle, () => {});
  }
}

function nextEntries(sftp: SFTPWrapper, handle: Buffer): Promise<FileEntryWithStats[] | undefined> {
  return new Promise((resolve, reject) => {
    sftp.readdir(handle, (error, list) => {
      if (!error) resolve(list);
      else if ('code' in error && error.code === endOfFile) resolve(undefined);
      else reject(error);
    });
  });
}
