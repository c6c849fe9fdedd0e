// Reads every table and index to find damage, and names what is damaged.
import { type RawBuilder, sql } from 'kysely';
import { codeOf, StorageError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { type Database, rowsOf } from '../database/database.ts';

/** PostgreSQL's codes: a page or index that is not what was written (XX), a lost file (58P01), an I/O error (58030). */
const damageCodes = new Set(['XX001', 'XX002', '58P01', '58030']);

/** The file of a table is damaged: what stands there cannot be read. */
export class DamagedTableError extends StorageError {}

/** Turns a PostgreSQL error about damage, or about a file of another user, into one that a person can act on; any other stays as it is. */
export function namingDamage(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (codeOf(error) === '42501' && error.message.startsWith('could not open file')) {
    return new StorageError(say('fileOfOtherUser', 1, { why: error.message }), { cause: error });
  }
  if (!damageCodes.has(codeOf(error))) return error;
  return new DamagedTableError(`a table of the ledger is damaged (${error.message}).`, {
    cause: error,
    next: [{ act: 'upkeep.doctor' }],
  });
}

interface TableFacts {
  schema: string;
  name: string;
  pages: number;
}

/** Pages that one statement reads, 8 KiB each: that takes a few ms, and nobody waits for it. */
const pagesAtOnce = 256;

/**
 * Reads every row, long values included, and every entry of every index. Returns the tables with unreadable parts, with what
 * PostgreSQL says about the first damage of each.
 */
export async function findDamage(db: Database): Promise<{ table: string; reason: string }[]> {
  const tables = await rowsOf<TableFacts>(db)`
    select n.nspname as schema, c.relname as name, pg_relation_size(c.oid) / current_setting('block_size')::int as pages
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = any(current_schemas(false)) order by 1, 2`;
  const damaged: { table: string; reason: string }[] = [];
  for (const facts of tables) {
    const found = (await readPages(db, facts)) ?? (await readIndexes(db, facts));
    if (found) damaged.push({ table: facts.name, reason: found.message });
  }
  return damaged;
}

/** The error of a statement that met damage; undefined if it met none. What else goes wrong is thrown. */
async function damageIn(statement: Promise<unknown>): Promise<Error | undefined> {
  try {
    await statement;
    return undefined;
  } catch (error) {
    if (error instanceof DamagedTableError && error.cause instanceof Error) return error.cause;
    throw error;
  }
}

async function readPages(db: Database, { schema, name, pages }: TableFacts): Promise<Error | undefined> {
  // Even without pages the file itself must exist.
  for (let from = 0; from === 0 || from < pages; from += pagesAtOnce) {
    const found = await damageIn(
      bySteps(
        db,
        sql`select count(t::text) from ${sql.id(schema, name)} t
          where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${from + pagesAtOnce},0)`}::tid`,
      ),
    );
    if (found) return found;
  }
  return undefined;
}

/** Forces the read by index instead of a cheaper scan of the table. */
async function bySteps(db: Database, statement: RawBuilder<unknown>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    await sql`set local enable_sort = off`.execute(transaction);
    await statement.execute(transaction);
  });
}

/** Reads each index from its first entry to its last, by asking for what only it gives without sorting. */
async function readIndexes(db: Database, { schema, name }: TableFacts): Promise<Error | undefined> {
  const indexes = await rowsOf<{ method: string; columns: string[]; predicate: string | null }>(db)`
    select m.amname as method, pg_get_expr(i.indpred, i.indrelid) as predicate,
      (select jsonb_agg(pg_get_indexdef(i.indexrelid, n, true) order by n) from generate_series(1, i.indnkeyatts) n) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where i.indrelid = format('%I.%I', ${schema}::text, ${name}::text)::regclass order by c.relname`;
  for (const { method, columns, predicate } of indexes) {
    const condition = method === 'btree' ? (predicate ?? 'true') : `${columns[0]} is not null`;
    const order = method === 'btree' ? `order by ${columns.join(', ')}` : '';
    const entries = sql`
      select count(*) from (select 1 from ${sql.id(schema, name)} where ${sql.raw(condition)} ${sql.raw(order)} offset 0) e`;
    const found = await damageIn(bySteps(db, entries));
    if (found) return found;
  }
  return undefined;
}
