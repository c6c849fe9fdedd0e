import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { openPostgres } from '../../src/ledger/database/postgres.ts';
import { keepEmbeddedCode } from './embedded-code.ts';

/** What the rows of a table are, in figures: equal for two tables with the same rows. */
export interface TableDigest {
  rows: number;
  digest: string;
}

/** Tables about processes and sign-ins of one place, which an archive leaves out. */
const ofOnePlace = ['workers', 'leases', 'event_failures', 'sessions', 'sign_ins'];

/**
 * Reads every row of every table of a ledger.
 * @param where the folder of an embedded one that nobody has open, or a URL of PostgreSQL
 */
export async function digestRows(where: string): Promise<Record<string, TableDigest>> {
  if (!where.startsWith('postgres:')) await keepEmbeddedCode();
  const { pool, close } = where.startsWith('postgres:') ? await openPostgres(where) : await openEmbedded(where);
  const client = await pool.connect();
  try {
    await client.query("set timezone = 'UTC'");
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    );
    const digests: Record<string, TableDigest> = {};
    for (const { name } of tables) {
      if (ofOnePlace.includes(name) || name.startsWith('kysely')) continue;
      // A ledger's mark and count of backups are its place's own.
      const row = name === 'ledger' ? `to_jsonb(t) - 'moved_at' - 'backups'` : 'to_jsonb(t)';
      const { rows } = await client.query<TableDigest>(
        `select count(*) as rows, coalesce(md5(string_agg(md5((${row})::text), '' order by md5((${row})::text))), '') as digest from "${name}" t`,
      );
      digests[name] = rows[0]!;
    }
    return digests;
  } finally {
    client.release();
    await close();
  }
}
