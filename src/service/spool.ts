// Keeps bytes in a temporary file without a name.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFailure } from '../core/host/this-machine.ts';

/** What is written and read at a time, in bytes. */
const blockBytes = 256 * 1024;
/** What is given out at a time: it becomes text, and small texts are cheaper to forget. */
const givenBytes = 16 * 1024;

/** Temporary files in use. A handle that nobody refers to would be closed by the runtime, with a warning. */
const inUse = new Set<Spool>();

/**
 * Bytes kept aside in a temporary file of this user's alone, which has no name any more as soon as it is open where the
 * system allows: whatever happens to the process, nothing of it stays. Everything throws a StorageError when the disk fails.
 */
export class Spool {
  readonly #handle: FileHandle;
  readonly #nameLeft: string | undefined;
  #gathered: Buffer[] = [];
  #written = 0;
  size = 0;

  private constructor(handle: FileHandle, nameLeft: string | undefined) {
    this.#handle = handle;
    this.#nameLeft = nameLeft;
    inUse.add(this);
  }

  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `roster-sync-answer-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600).catch(noRoom);
    const isGone = await rm(path).then(
      () => true,
      () => false,
    );
    return new Spool(handle, isGone ? undefined : path);
  }

  async add(bytes: Buffer): Promise<void> {
    this.#gathered.push(bytes);
    this.size += bytes.length;
    if (this.size - this.#written >= blockBytes) await this.flush();
  }

  /** Writes what was gathered: to be called before it is read. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#written += bytes.length;
    await this.#handle.appendFile(bytes).catch(noRoom);
  }

  /** Reads from the beginning, each time it is called. A part is valid until the next one is asked for. */
  async *parts(): AsyncGenerator<Buffer> {
    const block = Buffer.allocUnsafeSlow(blockBytes);
    for (let position = 0; position < this.#written;) {
      const { bytesRead } = await this.#handle.read(block, 0, blockBytes, position).catch(noRoom);
      if (bytesRead === 0) return;
      position += bytesRead;
      for (let at = 0; at < bytesRead; at += givenBytes) yield block.subarray(at, Math.min(at + givenBytes, bytesRead));
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
