// Keeps the names of the newest runs and of kept sources in a file, for completion in shells.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const KnownNames = z.object({
  /** The newest first. */
  runs: z.array(z.object({ run: z.string(), source: z.string(), status: z.string() })),
  /** Sources that are kept in the ledger. */
  kept: z.array(z.string()),
});

/** What a shell may complete. */
export type KnownNames = z.output<typeof KnownNames>;

const file = 'names.json';

/**
 * Writes them into a data directory, beside and renamed. Opening an embedded ledger only to complete a word would take
 * longer than anybody waits, and would lock others out meanwhile.
 */
export async function writeKnownNames(directory: string, names: KnownNames): Promise<void> {
  const path = join(directory, file);
  const text = `${JSON.stringify(names)}\n`;
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return;
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Reads them; undefined if there are none, or they cannot be read. */
export async function readKnownNames(directory: string): Promise<KnownNames | undefined> {
  try {
    return KnownNames.parse(JSON.parse(await readFile(join(directory, file), 'utf8')));
  } catch {
    return undefined;
  }
}
