import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StorageError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { tables } from './migrations/001-tables.ts';

/** Every migration in order. Ledgers in the field have run them: never edit one that was released, add another. */
const migrations: Record<string, Migration> = {
  '001-tables': tables,
};

/**
 * Brings the tables up to date, under kysely's lock so that several processes may start at once.
 * @throws StorageError when a newer program has already changed the ledger
 */
export async function migrate(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where to_regclass('kysely_migration') is not null order by name`
    .execute(db)
    .catch(() => ({ rows: [] }));
  const unknown = rows.filter(({ name }) => !(name in migrations));
  if (unknown.length > 0) {
    throw new StorageError(
      `This ledger was last used by a newer roster-sync (it holds ${unknown.map(({ name }) => name).join(', ')}). ` +
        'Install that version or a later one; nothing was changed.',
    );
  }
  // Nothing to do is the rule, and kysely looks long before it finds that out.
  if (rows.length === Object.keys(migrations).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error)
    throw new StorageError('The ledger could not be brought up to date; nothing was changed.', { cause: error });
}
