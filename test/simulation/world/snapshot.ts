import type { PGlite } from '@electric-sql/pglite';

/** A file or a folder, as Emscripten keeps it in memory. */
interface FileNode {
  contents?: Uint8Array | Record<string, FileNode> | null;
  usedBytes?: number;
  [property: string]: unknown;
}

/** What Emscripten keeps of the files of a PostgreSQL. */
interface Files {
  root: FileNode;
  streams: (Record<string, unknown> | undefined)[];
  nameTable: unknown[];
}

/** The engine of a PostgreSQL in this thread. */
interface Engine {
  wasmMemory: { buffer: ArrayBuffer };
  stackSave(): number;
  FS: Files;
}

/** Everything that a PostgreSQL is made of at one moment, to go back to. */
export interface Snapshot {
  restore(): void;
}

/**
 * Takes a snapshot of a PostgreSQL that nobody uses at this moment: its memory and its files. Each story begins from exactly
 * the same bytes, with the plans of all statements, whatever was played before.
 */
export function takeSnapshot(db: PGlite): Snapshot {
  const engine = (db as unknown as { Module: Engine }).Module;
  const stack = engine.stackSave();
  const memory = Buffer.from(engine.wasmMemory.buffer);
  const used = endOf(memory);
  const kept = Buffer.from(memory.subarray(0, used));
  const restoreFiles = keepFiles(engine.FS);
  return {
    restore() {
      if (engine.stackSave() !== stack) throw new Error('the database is in the middle of something');
      const now = Buffer.from(engine.wasmMemory.buffer);
      kept.copy(now);
      now.fill(0, used);
      restoreFiles();
    },
  };
}

/** Where the zeros at the end begin. */
function endOf(memory: Buffer): number {
  const words = new BigUint64Array(memory.buffer, memory.byteOffset, memory.length / 8);
  let end = words.length;
  while (end > 0 && words[end - 1] === 0n) end -= 1;
  return end * 8;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function keepFiles(files: Files): () => void {
  const nodes: (() => void)[] = [];
  const keep = (node: FileNode): void => {
    const { contents } = node;
    if (ArrayBuffer.isView(contents)) {
      const bytes = Uint8Array.from(bytesOf(contents).subarray(0, node.usedBytes));
      const properties = { ...node };
      nodes.push(() => {
        const now = node.contents;
        const isSame = ArrayBuffer.isView(now) && Buffer.compare(bytesOf(now), bytes) === 0;
        Object.assign(node, properties, { contents: isSame ? now : bytes.slice() });
      });
      return;
    }
    const inside = contents ? { ...contents } : contents;
    const properties = { ...node };
    nodes.push(() => Object.assign(node, properties, inside && { contents: { ...inside } }));
    for (const child of Object.values(inside ?? {})) keep(child);
  };
  keep(files.root);
  const table = [...files.nameTable];
  const streams = files.streams.map((stream) => ({
    stream,
    properties: { ...stream, ...(stream?.['shared'] ? { shared: { ...stream['shared'] } } : {}) },
  }));
  return () => {
    for (const restore of nodes) restore();
    table.forEach((entry, at) => (files.nameTable[at] = entry));
    for (const at of files.nameTable.keys()) files.nameTable[at] = table[at];
    files.streams.length = 0;
    for (const { stream, properties } of streams) {
      const shared = properties['shared'];
      if (stream) Object.assign(stream, properties, shared && { shared: { ...shared } });
      files.streams.push(stream);
    }
  };
}
