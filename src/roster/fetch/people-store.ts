// Keeps records by id in a temporary file, so that only their places are in memory.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFailure } from '../../core/host/temporary-folder.ts';

/** Records that a batch has. */
export const storedAtOnce = 500;
const bufferBytes = 256 * 1024;

/** Texts by id. 100,000 ids take about 15 MB of memory, however long their texts are. */
export class PeopleStore {
  readonly #path = join(tmpdir(), `roster-${randomUUID()}`);
  readonly #fd: number;
  readonly #places = new Map<string, { at: number; length: number }>();
  #buffer: Buffer[] = [];
  #buffered = 0;
  /** Bytes in the file. */
  #written = 0;

  /** Throws a `StorageError` where there is no room for temporary files. */
  constructor() {
    this.#fd = this.#kept(() => openSync(this.#path, 'wx+', 0o600));
    // Without a name it is gone with this process; not every system allows it.
    this.#tryRemove();
  }

  get size(): number {
    return this.#places.size;
  }

  /** Keeps a text in place of the one of this id. */
  set(id: string, text: string): void {
    const bytes = Buffer.from(text);
    this.#places.set(id, { at: this.#written + this.#buffered, length: bytes.length });
    this.#buffer.push(bytes);
    this.#buffered += bytes.length;
    if (this.#buffered >= bufferBytes) this.#flush();
  }

  get(id: string): string | undefined {
    const place = this.#places.get(id);
    if (!place) return undefined;
    if (place.at + place.length > this.#written) this.#flush();
    const bytes = Buffer.allocUnsafe(place.length);
    for (let read = 0; read < place.length;) {
      const count = readSync(this.#fd, bytes, read, place.length - read, place.at + read);
      if (count === 0) throw new Error('a temporary file has become shorter');
      read += count;
    }
    return bytes.toString('utf8');
  }

  delete(id: string): void {
    this.#places.delete(id);
  }

  clear(): void {
    this.#places.clear();
  }

  /** All texts, in the order of their ids, so that the same people are always in the same order. */
  *batches(): Generator<[id: string, text: string][]> {
    const ids = [...this.#places.keys()].toSorted();
    for (let at = 0; at < ids.length; at += storedAtOnce) {
      yield ids.slice(at, at + storedAtOnce).map((id) => [id, this.get(id) ?? '']);
    }
  }

  close(): void {
    closeSync(this.#fd);
    this.#tryRemove();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#buffer);
    this.#kept(() => {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#fd, bytes, done, bytes.length - done);
    });
    this.#written += bytes.length;
    this.#buffer = [];
    this.#buffered = 0;
  }

  #kept<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw temporaryFailure('The people of a source', tmpdir(), error);
    }
  }

  #tryRemove(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // It is removed when it is closed.
    }
  }
}
