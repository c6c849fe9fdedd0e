import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFailure } from '../core/temporary.ts';

/** What is written and read at a time, in bytes. What is read becomes text, and small texts are cheaper to forget. */
const writtenBytes = 256 * 1024;
const readBytes = 16 * 1024;

/** Temporary files in use. A handle that nobody refers to would be closed by the runtime, with a warning. */
const inUse = new Set<Spool>();

/**
 * Bytes kept aside in a temporary file of this user's alone, which has no name any more as soon as it is open where the
 * system allows: whatever happens to the process, nothing of it stays. Everything throws a StorageError when the disk fails.
 */
export class Spool {
  readonly #handle: FileHandle;
  readonly #nameLeft: string | undefined;
  /** What was gathered, to be written at once: one block, used again, so that no memory is taken for each. */
  readonly #block = Buffer.allocUnsafeSlow(writtenBytes);
  #filled = 0;
  #size = 0;

  private constructor(handle: FileHandle, nameLeft: string | undefined) {
    this.#handle = handle;
    this.#nameLeft = nameLeft;
    inUse.add(this);
  }

  /** Opens an empty one. */
  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `roster-sync-answer-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600).catch(noRoom);
    const isGone = await rm(path).then(
      () => true,
      () => false,
    );
    return new Spool(handle, isGone ? undefined : path);
  }

  /** How many bytes it was given. */
  get size(): number {
    return this.#size + this.#filled;
  }

  /** Adds bytes at the end. */
  async add(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(this.#block, this.#filled, at);
      at += taken;
      this.#filled += taken;
      if (this.#filled === writtenBytes) await this.flush();
    }
  }

  /** Writes what was gathered: to be called before it is read. */
  async flush(): Promise<void> {
    for (let at = 0; at < this.#filled;) {
      const { bytesWritten } = await this.#handle
        .write(this.#block, at, this.#filled - at, this.#size + at)
        .catch(noRoom);
      at += bytesWritten;
    }
    this.#size += this.#filled;
    this.#filled = 0;
  }

  /** Reads from the beginning, each time it is called. A block is valid until the next one is asked for. */
  async *blocks(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafe(readBytes);
    for (let position = 0; position < this.#size;) {
      const { bytesRead } = await this.#handle.read(buffer, 0, readBytes, position).catch(noRoom);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Forgets it. A second call does nothing. */
  async close(): Promise<void> {
    if (!inUse.delete(this)) return;
    await this.#handle.close();
    if (this.#nameLeft !== undefined) await rm(this.#nameLeft, { force: true });
  }
}

function noRoom(cause: unknown): never {
  throw temporaryFailure("The service's answer", tmpdir(), cause);
}
