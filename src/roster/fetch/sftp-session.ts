// One connection to an SFTP server, for reading: the host's key, time limits, what went wrong in words.
import { addAbortListener } from 'node:events';
import { createHash } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { matchesGlob, posix } from 'node:path';
import type { Readable } from 'node:stream';
import type { SFTPWrapper, FileEntryWithStats } from 'ssh2';
import Client from 'ssh2-sftp-client';
import type { SftpSource } from './sftp-schema.ts';
import { defined } from '../../core/defined.ts';
import { InputError, refusal } from '../../core/errors.ts';
import { beforeAbort } from '../../core/before-abort.ts';
import { trimSign } from '../../core/text/trim-end.ts';
import { type SeenFile, picked } from '../files/file-source.ts';
import { sayBytes } from '../files/limits.ts';
import { isMeant } from '../files/passing-files.ts';
import type { FileChoice, SourceDeps } from '../roster-file.ts';
import { IdleTimer, PassingTrouble, redactorFor, saidBy } from './tries.ts';

/** The fingerprint of a host's key, as `ssh-keygen -lf` shows it: `SHA256:` and Base64 without padding. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${trimSign(createHash('sha256').update(key).digest('base64'), '=')}`;
}

export interface RemoteFile extends SeenFile {
  size: number;
}

const mostFiles = 10_000;
/** The longest wait for a server to close its side of the connection, ms. */
const longestCloseMs = 1000;
/** As OpenSSH's own; it also notices a connection that died. */
const keepaliveMs = 15_000;

export class SftpSession {
  readonly #at: SftpSource;
  readonly #deps: SourceDeps;
  readonly #signal: AbortSignal;
  readonly #client: Client;
  #strangerKey: string | undefined;
  #socket: Socket | undefined;
  #sftp: SFTPWrapper | undefined;
  #bytes = 0;

  constructor(at: SftpSource, deps: SourceDeps, signal: AbortSignal) {
    this.#at = at;
    this.#deps = deps;
    this.#signal = signal;
    const ignore = (): void => {};
    // Errors reach the code that awaits them; without these the library writes to the console.
    this.#client = new Client(deps.name, { error: ignore, end: ignore, close: ignore });
  }

  /** How a file of this host is called in messages and rows. */
  nameOf(path: string): string {
    return `${this.#at.host}:${path}`;
  }

  async connect(): Promise<void> {
    const { host, port, username, password, privateKey, passphrase, fingerprint, timeout } = this.#at;
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
          const shown = fingerprintOf(key);
          if (fingerprint.some((one) => trimSign(one, '=') === shown)) return true;
          this.#strangerKey = shown;
          return false;
        },
      }),
    );
  }

  /** The oldest first. */
  async choose(pick: FileChoice['pick']): Promise<[RemoteFile, ...RemoteFile[]]> {
    const { path: pattern } = this.#at;
    const [folder, name] = [posix.dirname(pattern), posix.basename(pattern)];
    if (!/[*?]/.test(name)) return [await this.#stat(pattern)];
    const listed = await this.#list(folder, (one) => matchesGlob(one, name) && isMeant(one, name));
    if (listed.length > mostFiles) throw new InputError(`${this.nameOf(pattern)}: more than ${mostFiles} files match.`);
    const files: RemoteFile[] = [];
    for (const { filename, attrs } of listed) {
      const path = posix.join(folder, filename);
      // What a link leads to is not in the listing.
      files.push(attrs.isSymbolicLink() ? await this.#stat(path) : this.#seen(path, attrs.size, attrs.mtime * 1000));
    }
    const none = 'no file matches this pattern. Was the export made, and is the folder right?';
    return picked(files, pick, `${this.nameOf(pattern)}: ${none}`);
  }

  /** The bytes of a file. Throws `PassingTrouble` when it breaks off, or is not what it was when it ends. */
  async *read(file: RemoteFile): AsyncGenerator<Uint8Array> {
    const { timeout, maxBytes } = this.#at;
    using idle = new IdleTimer(timeout, this.#signal);
    if (file.size > maxBytes - this.#bytes) throw this.#tooLarge(file);
    const stream = this.#client.createReadStream(file.path) as Readable;
    const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const { promise: silence, reject } = Promise.withResolvers<never>();
    silence.catch(() => {});
    using _ = addAbortListener(idle.signal, () => reject(this.#silence()));
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
      stream.destroy();
    }
    const after = await this.#stat(file.path);
    if (size !== file.size || after.state !== file.state) {
      const more = size > file.size ? 'more than ' : '';
      const said =
        size === file.size ? '' : `: it has ${file.size} bytes, and ${more}${Math.min(size, file.size)} came`;
      throw new PassingTrouble(`${this.nameOf(file.path)} changed while it was read${said}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => this.#socket?.destroy(), longestCloseMs);
    await this.#client.end().catch(() => false);
    clearTimeout(timer);
    this.#socket?.destroy();
  }

  #tooLarge({ path }: RemoteFile): InputError {
    const most = sayBytes(this.#at.maxBytes);
    return new InputError(`${this.nameOf(path)}: it gives more than ${most}. Is it the right file?`);
  }

  #silence(): PassingTrouble {
    const { host, port, timeout } = this.#at;
    return new PassingTrouble(`${host}:${port} was silent for ${timeout / 1000} s`);
  }

  async #stat(path: string): Promise<RemoteFile> {
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
    const silent = AbortSignal.timeout(this.#at.timeout);
    try {
      return await beforeAbort(question(), AbortSignal.any([this.#signal, silent]));
    } catch (error) {
      throw this.#troubleOf(silent.aborted ? this.#silence() : error);
    }
  }

  #troubleOf(error: unknown): unknown {
    const { host, port, username, path } = this.#at;
    const { name } = this.#deps;
    if (error instanceof InputError || error instanceof PassingTrouble) return error;
    const place = `${host}:${port}`;
    if (this.#strangerKey !== undefined) return refusal('strangerKey', { name, place, strangerKey: this.#strangerKey });
    const redact = redactorFor(this.#deps);
    const said = redact(error instanceof Error ? error.message : String(error));
    const file = this.nameOf(path);
    const refusals: [RegExp, string][] = [
      [/authentication/i, `${name}: ${place} refused ${username}. Check its user name, and password or key.`],
      [/privateKey|passphrase/, `${name}: the private key cannot be used. Check it and its passphrase.`],
      [/no such file|ENOENT/i, `${file}: there is no such file. Check the name and the folder.`],
      [/permission denied|EACCES/i, `${file}: ${username} may not read it. Give ${username} the right to.`],
    ];
    const found = refusals.find(([pattern]) => pattern.test(said));
    if (found) return new InputError(found[1]);
    return new PassingTrouble(`${place} could not be read (${saidBy(error, redact)})`);
  }

  /**
   * The files in a folder whose names are wanted, and what the listing says about them. No more than a part of the listing
   * is held at a time, whatever its length. Throws an `InputError` for a folder with more entries than `mostEntries`.
   */
  async #list(folder: string, isWanted: (name: string) => boolean): Promise<FileEntryWithStats[]> {
    const sftp = this.#sftp;
    if (sftp === undefined) throw new Error('an SFTP session that is not connected');
    const handle = await this.#ask(() => {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      sftp.opendir(folder, (error, opened) => (error ? reject(error) : resolve(opened)));
      return promise;
    });
    const files: FileEntryWithStats[] = [];
    try {
      for (let entries = 0; ;) {
        const some = await this.#ask(() => nextEntries(sftp, handle));
        if (some === undefined) return files;
        // An empty answer counts too, or it could be repeated for ever.
        entries += some.length || emptyAnswer;
        if (entries > mostEntries) {
          const place = this.nameOf(folder);
          throw new InputError(`${place}: the folder has more than ${mostEntries} entries. Is it the right one?`);
        }
        files.push(...some.filter(({ filename, attrs }) => !attrs.isDirectory() && isWanted(filename)));
      }
    } finally {
      sftp.close(handle, () => {});
    }
  }
}

/** The most entries of a folder that are read: export folders have fewer, and an endless listing ends here. */
const mostEntries = 100_000;
/** What an answer without entries counts as. */
const emptyAnswer = 1000;
/** What SFTP answers where there are no further entries. */
const endOfFile = 1;

function nextEntries(sftp: SFTPWrapper, handle: Buffer): Promise<FileEntryWithStats[] | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<FileEntryWithStats[] | undefined>();
  sftp.readdir(handle, (error, list) => {
    if (!error) resolve(list);
    else if ('code' in error && error.code === endOfFile) resolve(undefined);
    else reject(error);
  });
  return promise;
}
