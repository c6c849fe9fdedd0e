// Brings the tables up to date, and refuses a ledger that a newer program has changed.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StorageError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { type Database, isThere, valuesOf } from './database.ts';

const folder = join(import.meta.dirname, 'migrations');
const names = readdirSync(folder)
  .map((file) => basename(file, '.sql'))
  .toSorted();

/** The migrations as they are written, in order: two programs with the same texts make the same tables. */
export const migrationTexts = (): string[] => names.map(textOf);

const textOf = (name: string): string => readFileSync(join(folder, `${name}.sql`), 'utf8');

/** Every migration, by its name. Ledgers in the field have run them: never edit one that was released, add another. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  names.map((name) => [name, { up: async (db: Kysely<unknown>) => void (await sql.raw(textOf(name)).execute(db)) }]),
);

/** @throws StorageError when a newer program has changed the ledger */
export function refuseNewer(done: readonly string[]): void {
  const unknown = done.filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StorageError(say('newerLedger', 1, { unknown: unknown.join(', ') }));
}

/** The names of the migrations that a database has gone through, in order; none where it has no ledger. */
export async function migrationsOf(db: Database): Promise<string[]> {
  if (!(await isThere(db)`select 1 where to_regclass('public.kysely_migration') is not null`)) return [];
  return valuesOf<string>(db)`select name from kysely_migration order by name`;
}

/**
 * Brings the tables up to date, under kysely's lock so that several processes may start at once.
 * @param last the name of the last migration to make; all of them unless it is given
 * @throws StorageError when a newer program has already changed the ledger
 */
export async function migrate(db: Database, last?: string): Promise<void> {
  try {
    const done = await migrationsOf(db);
    refuseNewer(done);
    // Usually there is nothing to do, and kysely takes long to determine that.
    if (done.length === Object.keys(migrations).length) return;
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
    if (error !== undefined) throw error;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const reason = error instanceof Error ? ` (${error.message})` : '';
    throw new StorageError(say('outdatedLedger', 1, { reason }), { cause: error });
  }
}
