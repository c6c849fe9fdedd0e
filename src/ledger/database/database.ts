// Opens kysely over a pool, for PGlite and PostgreSQL alike.
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';

/** The ledger over PGlite or PostgreSQL. Statements are SQL, the same on both; the tables are in the migrations. */
export type Database = Kysely<unknown>;

/** Opens kysely over a pool; the opener of the pool closes it. */
export function databaseOver(pool: PostgresPool): Database {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}
