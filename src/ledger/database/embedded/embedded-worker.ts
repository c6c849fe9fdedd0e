// Runs PGlite in its own thread.
import { MemoryFS, PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { type PackedFolder, unpack } from './template.ts';

/**
 * Runs PGlite in its own thread, so that a long statement never holds up the pace, and so that a hang can be
 * ended: after an abort (a full disk, a damaged file) PGlite loops for ever at the next statement.
 *
 * The thread loads PGlite before it is told what to open.
 *
 * What the thread says: that it is ready, PostgreSQL's reply to what it was given, or why it failed.
 */
export type FromWorker = { ready: true } | { reply: Uint8Array } | { failed: string };
/** What the thread is told: what to open, PostgreSQL's messages, or to end. */
export type ToWorker = ToOpen | { exec: Uint8Array } | { close: true };

/** A directory, or `memory://`; `template` is what a database in memory begins with. */
interface ToOpen {
  open: string;
  template?: Uint8Array | undefined;
}

/**
 * PGlite's own 128 MB of buffers are zeroed at each start, which costs a quarter of it, and stay in memory. What they would keep is in
 * the cache of the operating system (bench/first-use, bench/plan).
 */
const startParams = [
  ...PGlite.defaultStartParams,
  ...['-c', 'shared_buffers=32MB'],
  // Filling each new file of the log with zeros, and looking at 30,000 rows of a table, would hold the one session for 0.1 to 0.4 s.
  ...['-c', 'wal_init_zero=off', '-c', 'default_statistics_target=10'],
];

/**
 * V8 compiles a function again, with optimizations, once it has executed about this number of its bytes: 13 million by default. A short
 * command spends 40 % of its processor time on that and ends before it gains anything; a long run passes any of these bounds at once.
 */
setFlagsFromString('--wasm-tiering-budget=100000000');

declare const WebAssembly: { compile(code: Uint8Array): Promise<object> };

const port = parentPort;
if (port === null) throw new Error('embedded-worker runs as a worker thread only');
const say = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** The reason in PostgreSQL's words: only such lines, since others may quote statements with their values. */
const reasons: string[] = [];
function listen(line: string): boolean {
  const [, level, text] = /\b(PANIC|FATAL|DETAIL): (.*)$/s.exec(line) ?? [];
  if (text !== undefined && (level !== 'DETAIL' || reasons.length > 0)) reasons.push(text.trimStart());
  return false;
}

function because(error: unknown): string {
  if (reasons.length > 0) return reasons.slice(0, 4).join('; ').replace(/\.$/, '');
  return error instanceof Error ? error.message : String(error);
}

const folderOfPglite = import.meta.resolve('@electric-sql/pglite');
const read = (name: string): Promise<Buffer<ArrayBuffer>> => readFile(new URL(name, folderOfPglite));
const loading = Promise.all([
  read('pglite.wasm').then((code) => WebAssembly.compile(code)),
  read('pglite.data').then((bytes) => new Blob([bytes])),
]);
// The opener tells it.
loading.catch(() => {});

/** What is used of Emscripten's file system, whose types PGlite does not bring. */
interface EmscriptenFiles {
  mkdirTree(path: string, mode: number): void;
  open(this: void, path: string, flags: number, mode?: number): unknown;
  /** With `canOwn` the file shares the bytes it is given until it is written to. */
  writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void;
}

/** Files in memory, of which those of the template are there from the start and share its buffer until they are written. */
class TemplateFiles extends MemoryFS {
  readonly #template: PackedFolder;

  constructor(template: PackedFolder) {
    super();
    this.#template = template;
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = this.pg!.Module as unknown as { FS: EmscriptenFiles };
    const root = '/pglite/data';
    FS.mkdirTree(root, 0o700);
    for (const path of this.#template.folders) FS.mkdirTree(`${root}/${path}`, 0o700);
    for (const { path, size, bytes } of this.#template.files) {
      let whole = bytes;
      if (size > bytes.length) (whole = new Uint8Array(size)).set(bytes);
      FS.writeFile(`${root}/${path}`, whole, { canOwn: true });
    }
  }
}

/** Files in a folder. PGlite has a umask of its own, 022, with which PostgreSQL makes some of them, such as `pg_internal.init`. */
class PrivateFiles extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const keepPrivate = (module: object): void => {
      const { FS } = module as { FS: EmscriptenFiles };
      const { open } = FS;
      FS.open = (path, flags, mode) => open(path, flags, mode === undefined ? mode : mode & 0o700);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), keepPrivate] } };
  }
}

async function open({ open: dataDir, template }: ToOpen): Promise<PGlite> {
  const [pgliteWasmModule, fsBundle] = await loading;
  const isInMemory = dataDir.startsWith('memory:');
  const where = template
    ? { fs: new TemplateFiles(unpack(template)) }
    : isInMemory
      ? { dataDir }
      : { fs: new PrivateFiles(dataDir) };
  const db = await PGlite.create({ ...where, pgliteWasmModule, fsBundle, startParams, onStderr: listen });
  Object.assign(db.Module, { onAbort: (what: unknown) => say({ failed: because(what) }) });
  return db;
}

async function exec(db: PGlite, messages: Uint8Array): Promise<void> {
  const chunks: Uint8Array[] = [];
  const onRawData = (bytes: Uint8Array): void => void chunks.push(bytes.slice());
  await db.execProtocolRawStream(messages, { syncToFs: false, onRawData });
  const reply = new Uint8Array(Buffer.concat(chunks));
  say({ reply }, [reply.buffer]);
}

let db: PGlite | undefined;
port.on('message', (request: ToWorker) => {
  const end = (): void => port.close();
  const fail = (error: unknown): void => say({ failed: because(error) });
  if ('open' in request) {
    open(request).then(
      (opened) => {
        db = opened;
        say({ ready: true });
      },
      (error: unknown) => {
        fail(error);
        end();
      },
    );
  } else if (db === undefined) end();
  else if ('close' in request) db.close().then(end, end);
  else exec(db, request.exec).catch(fail);
});
