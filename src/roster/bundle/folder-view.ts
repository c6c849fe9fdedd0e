// Reads the headers and first rows of a folder's files, each once.
import type { FolderView } from './bundle.ts';
import { findFile, type Folder } from './folder.ts';

/** The most rows that are read of a file to tell what a bundle is. */
const mostRows = 1000;

interface Seen {
  header: readonly string[];
  rows: string[][];
}

/** Looks at each file of a folder at most once. */
export function viewOf(folder: Folder): FolderView {
  const seen = new Map<string, Promise<Seen>>();
  const look = (name: string): Promise<Seen> => {
    const known = seen.get(name);
    if (known) return known;
    const found = lookAt(folder, name);
    seen.set(name, found);
    return found;
  };
  return {
    folder,
    header: async (name) => (await look(name)).header,
    rows: async (name) => (await look(name)).rows,
  };
}

async function lookAt(folder: Folder, wanted: string): Promise<Seen> {
  const name = findFile(folder, wanted);
  if (name === undefined) return { header: [], rows: [] };
  const roster = await folder.open(name);
  try {
    const rows: string[][] = [];
    for await (const batch of roster.batches()) {
      rows.push(...batch.map(({ cells }) => cells));
      if (rows.length >= mostRows) break;
    }
    return { header: roster.form.header, rows };
  } finally {
    await roster.close();
  }
}
