// Opens kysely over a pool, for PGlite and PostgreSQL alike.
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';

/** The ledger over PGlite or PostgreSQL. Statements are SQL, the same on both; the tables are in the migrations. */
export type Database = Kysely<unknown>;

/** Databases with one session. */
const ofOneSession = new WeakSet<Database>();

/** Opens kysely over a pool; the opener of the pool closes it. */
export function databaseOver(pool: PostgresPool & { options?: { max?: number } }): Database {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  if (pool.options?.max === 1) ofOneSession.add(db);
  return db;
}

/** Does what needs one session for several statements, such as a cursor. Where there is only one, others use it in between. */
export function inOneSession(db: Database, act: (session: Database) => Promise<void>): Promise<void> {
  return ofOneSession.has(db) ? act(db) : db.connection().execute(act);
}

/** Does something in one transaction: in the one that is open, or in its own. */
export function inTransaction<Result>(db: Database, work: (transaction: Database) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
