// Keeps an upload in the data directory: the file itself, and what was said about it.
import { RequestError } from '../core/errors.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UploadMapping, type WrittenMapping } from '../../config/source-schema.ts';
import { Correction } from '../core/rows/corrections.ts';
import { say } from '../core/words/say.ts';
import type { ConditionRule } from '../core/mapping/mapping-rules.ts';
import { seriesOf } from '../roster/files/passing-files.ts';
import { sourceNameProblem } from '../core/rows/source.ts';
import type { Context } from '../wiring/context.ts';
import { beginUpload, receiveUpload } from './brought-file.ts';

const OfferedFilter = z.object({
  kind: z.enum(['only', 'except']),
  rule: z.custom<ConditionRule>((value) => typeof value === 'object' && value !== null),
});
export type OfferedFilter = z.output<typeof OfferedFilter>;

const UploadState = z.object({
  name: z.string(),
  /** Who brought it, as the audit names them. */
  by: z.string(),
  /** ISO 8601. */
  at: z.string(),
  source: z.string(),
  /** Absent until one was proposed, or given. */
  mapping: z.custom<WrittenMapping>((value) => UploadMapping.safeParse(value).success).exactOptional(),
  offered: z.array(OfferedFilter),
  corrections: z.array(Correction),
  /** The mapping is to be kept as a source in the ledger, for the next file. */
  remember: z.boolean().exactOptional(),
  /** The settings of that source with which this file is read, and which it is to change. */
  basis: z.object({ source: z.string(), block: z.string() }).exactOptional(),
  /** Groups that look misspelt, and are meant. */
  meantGroups: z.array(z.string()),
  planned: z.object({ runId: z.string(), as: z.string() }).exactOptional(),
  /** Why the last plan could not be made. */
  problem: z.string().exactOptional(),
  origin: z.string().exactOptional(),
  /** The run that it was sent as: nothing else is left of it. */
  sentAs: z.string().exactOptional(),
  /** To be said once, on the next page. */
  said: z.string().exactOptional(),
});
export type UploadState = z.output<typeof UploadState>;

export interface KeptUpload extends UploadState {
  id: string;
  file: string;
  sizeBytes: number;
}

/** An upload without any change is kept for this time, unless `retention.rosters` is shorter. */
const keptForMs = 7 * 24 * 60 * 60_000;
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const folderName = 'uploads';
const bytesName = 'bytes';
const stateName = 'upload.json';

/** An upload was sent: there is only its run. */
export class UploadSent extends RequestError {
  readonly runId: string;
  constructor(runId: string) {
    super(409, 'NOT_NOW', `This upload was sent as run ${runId}.`);
    this.runId = runId;
  }
}

export class KeptUploads {
  readonly #context: Pick<Context, 'config' | 'directory'>;

  constructor(context: Pick<Context, 'config' | 'directory'>) {
    this.#context = context;
  }

  /** The id is one that nobody can guess. Throws a RequestError for an empty or too large file, or too many at a time. */
  async add(given: Pick<UploadState, 'name' | 'by'>, bytes: AsyncIterable<Buffer | string>): Promise<KeptUpload> {
    using _ = beginUpload(this.#context.config);
    await this.removeOld();
    const id = randomUUID();
    const folder = join(this.#folder(), id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, bytesName);
    try {
      const sizeBytes = await receiveUpload(this.#context, bytes, file);
      const source = sourceNameFor(given.name, Object.keys(this.#context.config.sources));
      const at = new Date().toISOString();
      const state = { ...given, source, at, offered: [], corrections: [], meantGroups: [] };
      await write(folder, state);
      return { ...state, id, file, sizeBytes };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Throws a RequestError if there is none, or somebody else brought it; an UploadSent once it was sent. */
  async get(id: string, by: string): Promise<KeptUpload> {
    const found = await this.#read(id);
    if (!found) throw new RequestError(404, 'NO_UPLOAD', say('noSuchUpload', 1));
    if (found.by !== by) throw new RequestError(403, 'NOT_YOURS', say('uploadOfOther', 1, { by: found.by }));
    if (found.sentAs !== undefined) throw new UploadSent(found.sentAs);
    return found;
  }

  /** What somebody brought and has not sent, the newest first. */
  async of(by: string): Promise<KeptUpload[]> {
    const all = await Promise.all((await this.#ids()).map((id) => this.#read(id, by)));
    return all
      .filter((one) => one !== undefined && one.sentAs === undefined)
      .map((one) => one as KeptUpload)
      .toSorted((a, b) => (a.at < b.at ? 1 : -1));
  }

  async save({ id, file: _file, sizeBytes: _size, ...state }: KeptUpload): Promise<void> {
    await write(join(this.#folder(), id), state);
  }

  async remove(id: string): Promise<void> {
    if (idForm.test(id)) await rm(join(this.#folder(), id), { recursive: true, force: true });
  }

  /** Removes all of it but the run that it was sent as: whoever goes back to it finds that. */
  async leave({ id, file, name, by, at, source }: KeptUpload, sentAs: string): Promise<void> {
    const state = { name, by, at, source, offered: [], corrections: [], meantGroups: [], sentAs };
    await write(join(this.#folder(), id), state);
    await truncate(file);
  }

  /** Removes what nobody has changed for as long as uploads are kept. */
  async removeOld(): Promise<void> {
    const keptMs = Math.min(keptForMs, this.#context.config.retention.rostersMs);
    for (const id of await this.#ids()) {
      const folder = join(this.#folder(), id);
      // What has no state yet is still arriving, unless its process died.
      const changed = await stat(join(folder, stateName)).catch(() => stat(folder).catch(() => undefined));
      if (changed && Date.now() - changed.mtimeMs > keptMs) await this.remove(id);
    }
  }

  #folder(): string {
    return join(this.#context.directory?.path ?? '', folderName);
  }

  async #ids(): Promise<string[]> {
    const names = await readdir(this.#folder()).catch(() => []);
    return names.filter((name) => idForm.test(name));
  }

  /** @param by if given, only what they brought: the mappings of others are not read */
  async #read(id: string, by?: string): Promise<KeptUpload | undefined> {
    if (!idForm.test(id)) return undefined;
    const folder = join(this.#folder(), id);
    const file = join(folder, bytesName);
    try {
      const text = await readFile(join(folder, stateName), 'utf8');
      const { size } = await stat(file);
      const state: unknown = JSON.parse(text);
      if (by !== undefined && UploadState.pick({ by: true }).parse(state).by !== by) return undefined;
      return { ...UploadState.parse(state), id, file, sizeBytes: size };
    } catch (error) {
      // Without its state nobody knows whose it is: it is nobody's, and is removed with the old ones.
      if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

/** Written whole or not at all: a process may die in the middle of it. */
async function write(folder: string, state: UploadState): Promise<void> {
  const next = join(folder, `${stateName}.${randomUUID()}`);
  await writeFile(next, JSON.stringify(state), { mode: 0o600 });
  await rename(next, join(folder, stateName));
}

/** The name of the source that a new kind of file belongs to: without what no source may be called, and never another one's. */
export function sourceNameFor(file: string, taken: readonly string[]): string {
  const stem = seriesOf(file.replace(/\.gz$/i, '').replace(/\.[^.]*$/, ''));
  const plain = stem
    .split(/[^\p{L}\p{M}\p{N}._]+/u)
    .filter((part) => part !== '')
    .join('-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, 90);
  const name = plain !== '' && sourceNameProblem(plain) === undefined ? plain : 'upload';
  const names = [name, ...Array.from({ length: taken.length + 1 }, (_, at) => `${name}-${at + 2}`)];
  return names.find((each) => !taken.includes(each)) ?? name;
}
