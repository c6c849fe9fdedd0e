import { existsSync, realpathSync } from 'node:fs';
import { type Context, type ContextOptions, openContext } from '../../src/wiring/context.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { afterFile } from './after-file.ts';
import { keepEmbeddedCode } from './embedded-code.ts';

/** The embedded databases that stay open between the commands of this process, by their directories; the oldest first. */
const open = new Map<string, EmbeddedDatabase>();

/** Each takes 200 MB, and few tests go to and fro between more places. */
const mostOpen = 2;

afterFile(letGoOfLedgers);

/**
 * Opens a context whose embedded database, once it is closed, stays open for the next one in this process: opening
 * it anew is most of the time that a short command takes. Let go of it before anything else opens or reads its files.
 */
export async function openContextAgain(options: ContextOptions): Promise<Context> {
  await keepEmbeddedCode();
  return openContext({ ...options, openEmbedded: openAgain });
}

const openAgain: typeof openEmbedded = async (directory, options) => {
  // In memory, or to be made.
  if (!existsSync(directory)) return openEmbedded(directory, options);
  const real = realpathSync(directory);
  const database = open.get(real) ?? (await openEmbedded(directory, options));
  open.delete(real);
  open.set(real, database);
  for (const one of [...open.keys()].slice(0, -mostOpen)) await letGo(one);
  return { pool: database.pool, close: () => Promise.resolve() };
};

async function letGo(real: string): Promise<void> {
  const database = open.get(real);
  open.delete(real);
  await database?.close();
}

/** Closes all of them, for whoever else opens or reads their files. */
export async function letGoOfLedgers(): Promise<void> {
  for (const one of [...open.keys()]) await letGo(one);
}
