// Tells whether a file belongs to a bundle in its folder.
import { basename, dirname, join } from 'node:path';
import { InputError } from '../core/errors.ts';
import { findFile, plainName, type Folder } from './bundle/folder.ts';
import { isBundle } from './bundle/bundles.ts';
import type { JoinPeople } from './bundle/join-spec.ts';
import { namesIn } from './bundle/open-folder.ts';
import { recognise } from './bundle/open-bundle.ts';
import { openRoster } from './open-roster.ts';

/** The bundle that a file belongs to. */
export interface BundleBeside {
  /** The folder of the file. */
  folder: string;
  /** Such as `OneRoster 1.1`. */
  name: string;
  /** What the other files add to the people. */
  columns: string[];
}

/**
 * Tells whether a file is one of a bundle in its folder; undefined if it is not, or nobody can tell. Files are opened
 * only where their names are those of a bundle.
 */
export async function bundleBeside(path: string): Promise<BundleBeside | undefined> {
  const file = dirname(path);
  const folder: Folder = {
    file,
    names: await namesIn(file).catch(() => []),
    modifiedAt: new Date(0),
    open: (name) => openRoster(join(file, name)),
  };
  if (!isBundle(folder.names)) return undefined;
  try {
    const plan = await recognise(folder);
    const own = plainName(basename(path));
    const parts = plan?.spec.people ?? [];
    if (!plan || !parts.some((part) => filesOf(part).some((each) => plainName(each) === own))) return undefined;
    const columns = parts.flatMap((part) => columnsFrom(part, folder));
    return { folder: file, name: plan.name, columns: [...new Set(columns)] };
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function filesOf({ file, columns }: JoinPeople): string[] {
  const ways = Object.values(columns).flat();
  return [file, ...ways.flatMap(({ steps }) => steps.map((step) => step.file))];
}

/** The columns that are joined from other files, where all of these are there. */
function columnsFrom({ columns }: JoinPeople, folder: Folder): string[] {
  const isThere = (file: string): boolean => findFile(folder, file) !== undefined;
  return Object.entries(columns).flatMap(([name, ways]) =>
    ways.some(({ steps }) => steps.length > 0 && steps.every(({ file }) => isThere(file))) ? [name] : [],
  );
}
