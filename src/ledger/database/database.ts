// Opens kysely over a pool, for PGlite and PostgreSQL alike.
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Tables } from './schema.ts';

/** The ledger's tables over PGlite or PostgreSQL: the same SQL on both. */
export type Database = Kysely<Tables>;

/** Opens kysely over a pool; the opener of the pool closes it. */
export function databaseOver(pool: PostgresPool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
