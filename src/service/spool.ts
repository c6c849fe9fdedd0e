// Keeps bytes in a temporary file without a name.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFailure } from '../core/host/this-machine.ts';

/** What is written and read at a time, in bytes, while the block before it is worked on. */
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
  /** One is filled while the other is written; they are used again, so that no memory is taken for each block. */
  #filling = Buffer.allocUnsafeSlow(blockBytes);
  #written = Buffer.allocUnsafeSlow(blockBytes);
  #writing = Promise.resolve();
  #filled = 0;
  #size = 0;

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

  get size(): number {
    return this.#size + this.#filled;
  }

  async add(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(this.#filling, this.#filled, at);
      at += taken;
      this.#filled += taken;
      if (this.#filled === blockBytes) await this.#handOn();
    }
  }

  /** Writes what was gathered: to be called before it is read. */
  async flush(): Promise<void> {
    await this.#handOn();
    await this.#writing;
  }

  /** Begins to write what was gathered, once what was gathered before is written. */
  async #handOn(): Promise<void> {
    await this.#writing;
    [this.#filling, this.#written] = [this.#written, this.#filling];
    this.#writing = this.#write(this.#written.subarray(0, this.#filled), this.#size);
    // Its failure is seen when it is awaited.
    this.#writing.catch(() => {});
    this.#size += this.#filled;
    this.#filled = 0;
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, position + at).catch(noRoom);
      at += bytesWritten;
    }
  }

  /** Reads from the beginning, each time it is called. A part is valid until the next one is asked for. */
  async *parts(): AsyncGenerator<Buffer> {
    let [buffer, other] = [Buffer.allocUnsafeSlow(blockBytes), Buffer.allocUnsafeSlow(blockBytes)];
    let reading = this.#read(buffer, 0);
    for (let position = 0; position < this.#size;) {
      const block = await reading;
      if (block.length === 0) return;
      position += block.length;
      [buffer, other] = [other, buffer];
      reading = this.#read(buffer, position);
      reading.catch(() => {});
      for (let at = 0; at < block.length; at += givenBytes) yield block.subarray(at, at + givenBytes);
    }
  }

  async #read(buffer: Buffer, position: number): Promise<Buffer> {
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, position).catch(noRoom);
    return buffer.subarray(0, bytesRead);
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
