import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/load.ts';
import { InputError } from './core/errors.ts';
import { type Forgotten, readBackup } from './ledger/backup.ts';
import { openDataDirectory } from './ledger/directory.ts';
import { openEmbedded } from './ledger/embedded/embedded.ts';
import { openLedger } from './ledger/ledger.ts';
import { claimOwnership } from './ledger/owner.ts';
import { backupFile } from './context.ts';

const page = 1000;

/**
 * Rebuilds an embedded ledger that cannot be read from the backup beside it: what everybody was given comes back,
 * the history of the runs does not. The unreadable one is moved aside, never deleted. Returns what to tell.
 * @throws InputError when PostgreSQL holds the ledger; StorageError when the backup cannot be read
 */
export async function rebuildLedger(config: Config): Promise<string> {
  if (config.databaseUrl) throw new InputError('The ledger is in PostgreSQL: restore it from a backup of PostgreSQL.');
  const directory = await openDataDirectory(config.dataDir, { create: false });
  const owner = await claimOwnership(directory.path, { command: 'doctor --rebuild', startedAt: new Date() });
  try {
    const { people, forgotten } = await readAll(backupFile(directory));
    const aside = join(directory.path, `ledger-unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '')}`);
    if (!directory.isNew) await rename(directory.ledger, aside);
    const database = await openEmbedded(directory.ledger);
    try {
      const ledger = await openLedger(database.pool, { worker: 'rebuild', patience: { forMs: 0, onLoss: () => {} } });
      for (let at = 0; at < people.length; at += page) await ledger.restorePeople(people.slice(at, at + page));
      if (forgotten) await ledger.restoreForgotten(forgotten);
    } finally {
      await database.close();
    }
    return `The ledger was rebuilt: what ${people.length} people were given is known again. The unreadable one is in ${aside}.`;
  } finally {
    await owner.release();
  }
}

/** All of it before anything is moved: damage at the end of a backup shows only there. */
async function readAll(file: string): Promise<{ people: object[]; forgotten?: Forgotten }> {
  const people: object[] = [];
  const { header, lines } = await readBackup(file);
  for await (const person of lines) people.push(person);
  return { people, ...(header.forgotten && { forgotten: header.forgotten }) };
}
