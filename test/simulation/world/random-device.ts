import type { PGlite } from '@electric-sql/pglite';
import { Chance } from './chance.ts';

/** What Emscripten has of devices. */
interface Devices {
  lookupPath(path: string): { node: { rdev: number } };
  getDevice(rdev: number): { stream_ops: { read: Read } };
}

type Read = (stream: unknown, buffer: Uint8Array, offset: number, length: number) => number;

/**
 * Gives PostgreSQL the same random bytes in each story. Emscripten draws 1,024 at a time, from the chance of the story that
 * asks for the first of them, and leaves the others to later stories.
 * @returns what begins them anew
 */
export function ownRandomDevice(db: PGlite): () => void {
  let chance = new Chance(0);
  const { FS } = (db as unknown as { Module: { FS: Devices } }).Module;
  for (const path of ['/dev/random', '/dev/urandom']) {
    FS.getDevice(FS.lookupPath(path).node.rdev).stream_ops.read = (_, buffer, offset, length) => {
      for (let at = 0; at < length; at += 1) buffer[offset + at] = chance.between(0, 255);
      return length;
    };
  }
  return () => void (chance = new Chance(0));
}
