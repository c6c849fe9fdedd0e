// Proposes a join for the files of a folder, for `inspect` and `init`.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openRoster, type OpenOptions } from './open-roster.ts';
import { namesIn } from './bundle/open-folder.ts';
import { proposeJoin, type ProposedJoin } from './bundle/propose-join.ts';
import { sampleFolder } from './bundle/sample-folder.ts';

/** Proposes a join for the files of a folder; undefined for what is no folder, and where nothing seems to belong together. */
export async function proposeForFolder(
  path: string,
  options: Pick<OpenOptions, 'encoding' | 'delimiter'> = {},
): Promise<ProposedJoin | undefined> {
  const found = await stat(path);
  if (!found.isDirectory()) return undefined;
  const names = await namesIn(path);
  const files = await sampleFolder({
    ...{ file: path, names, modifiedAt: found.mtime },
    open: (name) => openRoster(join(path, name), options),
  });
  return proposeJoin(files);
}
