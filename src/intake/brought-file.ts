// A file that is brought for a known source: kept only while it is read, and only so many at a time.
import { NotFoundError, RequestError } from '../core/errors.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { columnsToRead } from '../core/mapping/mapping-options.ts';
import { say } from '../core/words/say.ts';
import { mappingOf, requireSource, timezoneOf } from '../roster/configured-source.ts';
import { loadKeys } from '../roster/places.ts';
import type { RosterFile } from '../roster/roster-file.ts';
import { takeReadingPlace } from './reading-places.ts';
import { openInThread } from '../roster/thread/open-in-thread.ts';
import type { Context } from '../wiring/context.ts';

/** Uploads that may arrive or be planned at the same time: each may fill the disk up to its limit. */
const mostUploads = 2;
/** Uploads under way, by the process's configuration: the API and the pages share the limit. */
const underWay = new WeakMap<object, number>();

export interface BroughtFile {
  source: string;
  /** What it is called in messages; it never becomes a path. */
  name: string;
  bytes: AsyncIterable<Buffer>;
}

/**
 * Removes it then. Throws a RequestError for an unknown source, an empty or too large file, or too many at a time.
 */
export async function withBroughtFile<Result>(
  context: Pick<Context, 'config' | 'directory'>,
  { source: named, name, bytes }: BroughtFile,
  use: (roster: RosterFile) => Promise<Result>,
): Promise<Result> {
  const { config, directory } = context;
  refuseUnknown(context, named);
  using _ = beginUpload(config);
  const path = join(directory?.path ?? '', `upload-${randomUUID()}`);
  try {
    await receiveUpload(context, bytes, path);
    const source = requireSource(config, named);
    const asked = columnsToRead({ groups: [], groupColumns: [], ...mappingOf(source) });
    using _ = await takeReadingPlace();
    const roster = await openInThread(path, {
      ...source.read,
      name,
      timezone: timezoneOf(source),
      ...asked,
      ...(await loadKeys(source)),
    });
    try {
      return await use(roster);
    } finally {
      await roster.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** Counts an upload as under way until it is disposed of. Throws a RequestError where too many are. */
export function beginUpload(config: Context['config']): Disposable {
  const count = underWay.get(config) ?? 0;
  if (count >= mostUploads) {
    throw new RequestError(503, 'BUSY', say('manyUploads', mostUploads));
  }
  underWay.set(config, count + 1);
  return { [Symbol.dispose]: () => void underWay.set(config, (underWay.get(config) ?? 1) - 1) };
}

/** Writes an upload to a new file, and gives its size. Throws a RequestError for an empty one, and beyond the limit. */
export async function receiveUpload(
  context: Pick<Context, 'config'>,
  bytes: AsyncIterable<Buffer | string>,
  path: string,
): Promise<number> {
  let size = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += part.length;
      if (size > context.config.server.uploadLimit) throw tooLarge(context);
      yield part;
    }
  };
  await pipeline(counted(), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  if (size === 0) throw new RequestError(400, 'NO_FILE', say('nothingSent', 1));
  return size;
}

export function tooLarge({ config }: Pick<Context, 'config'>): RequestError {
  const { uploadLimit } = config.server;
  return new RequestError(413, 'TOO_LARGE', say('largeUpload', 1, { uploadLimit }));
}

export function refuseUnknown({ config }: Pick<Context, 'config'>, source: string): void {
  if (Object.hasOwn(config.sources, source)) return;
  throw new NotFoundError(say('noSuchSource', 1), { code: 'NO_SOURCE' });
}
