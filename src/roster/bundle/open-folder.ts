// Opens a folder as a roster.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tooMany } from '../archive/zip.ts';
import { formatByName } from '../files/magic.ts';
import { isPassing } from '../files/passing-files.ts';
import { openingInside, type Opening } from '../opening.ts';
import { lookFailure, readFailure } from '../files/read-failure.ts';
import type { RosterFile } from '../roster-file.ts';
import type { Folder } from './folder.ts';
import { openBundle } from './open-bundle.ts';

/** What is in folders inside it is not looked at; its time is that of its newest file. Throws an `InputError`. */
export async function openFolder(
  path: string,
  opening: Opening,
  open: (path: string, opening: Opening) => Promise<RosterFile>,
): Promise<RosterFile> {
  try {
    const names = await namesIn(path);
    if (names.length > opening.limits.files) throw tooMany(path, names.length, opening.limits.files);
    const times: number[] = [];
    for (const name of names) times.push(await timeOf(join(path, name)));
    const modifiedAt = times.length === 0 ? opening.now() : new Date(Math.max(...times));
    const inside = openingInside(opening);
    const folder: Folder = { file: path, names, modifiedAt, open: (name) => open(join(path, name), inside) };
    return await openBundle(folder, opening);
  } catch (error) {
    throw readFailure(path, error);
  }
}

/** The names of the files in a folder that can be read, sorted. Throws what the system throws. */
async function namesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !isPassing(entry.name) && formatByName(entry.name) !== undefined)
    .map(({ name }) => name)
    .toSorted();
}

async function timeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    throw await lookFailure(path, error);
  }
}
