// Notices that a data directory is a copy of another one.
import { open, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';

const Place = z.object({
  host: z.string(),
  path: z.string(),
  /** The number of this very file on its disk: a copy of the file has another. */
  inode: z.string(),
});
type Place = z.infer<typeof Place>;

const name = 'place.json';

/** The directory that this one is a copy of. */
export interface Original {
  host: string;
  path: string;
}

/**
 * Finds out whether a data directory is a copy: then it lies in another place than it remembers, and the file in which it
 * remembers that is another file. A directory that was moved or mounted elsewhere keeps the file, and one that was restored
 * in its old place keeps the place; both are no copies. A copy of a whole disk (a snapshot of a volume) keeps everything,
 * and is not noticed.
 * @param path its real path
 */
export async function originalOf(path: string): Promise<Original | undefined> {
  const before = await remembered(path);
  if (before === undefined || !isElsewhere(before, path)) return undefined;
  if (before.inode === (await inodeOf(join(path, name)))) return undefined;
  return { host: before.host, path: before.path };
}

/** The same, and a directory that is no copy remembers where it is from now on. */
export async function settlePlace(path: string): Promise<Original | undefined> {
  const original = await originalOf(path);
  if (original) return original;
  const before = await remembered(path);
  const isSettled =
    before !== undefined && !isElsewhere(before, path) && before.inode === (await inodeOf(join(path, name)));
  if (!isSettled) await rememberPlace(path);
  return undefined;
}

const isElsewhere = (before: Place, path: string): boolean => before.host !== hostname() || before.path !== path;

async function remembered(path: string): Promise<Place | undefined> {
  try {
    return Place.safeParse(JSON.parse(await readFile(join(path, name), 'utf8'))).data;
  } catch {
    // Absent, or cut off by a power cut: it is written again.
    return undefined;
  }
}

const inodeOf = async (file: string): Promise<string> => String((await stat(file, { bigint: true })).ino);

/** Makes a directory remember where it is: from now on it is the original. */
export async function rememberPlace(path: string): Promise<void> {
  // Into the same file: a new one would have another number.
  await using handle = await open(join(path, name), 'w', 0o600);
  const { ino } = await handle.stat({ bigint: true });
  const place: Place = { host: hostname(), path, inode: String(ino) };
  await handle.writeFile(`${JSON.stringify(place)}\n`);
}

/** What to say of a copy, and what to do next. */
export function copyError(path: string, original: Original): InputError {
  const from = `${escapeText(original.path)}${original.host === hostname() ? '' : ` on ${escapeText(original.host)}`}`;
  return new InputError(
    `${path} is a copy of ${from}. If both send, neither knows what the other sends, and people may be invited twice. ` +
      'Nothing is sent from the copy.',
    { next: [{ act: 'upkeep.movedHere' }] },
  );
}
