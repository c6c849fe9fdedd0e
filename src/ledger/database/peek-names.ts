// Reads the names of the newest runs and of kept sources from PostgreSQL, or gives up soon.
import { Client } from 'pg';
import type { KnownNames } from '../directory/known-names.ts';

/**
 * Reads them without anything else that opening a ledger does: no lock, no migration, no sign of life.
 * @param most how many runs
 * @throws Error when the server does not answer in time, or has no ledger
 */
export async function peekNames(
  url: string,
  { most, withinMs }: { most: number; withinMs: number },
): Promise<KnownNames> {
  const client = new Client({
    ...{ connectionString: url, connectionTimeoutMillis: withinMs, query_timeout: withinMs },
    application_name: 'roster-sync completion',
  });
  // Whoever waits for a query gets its error; one that comes later is nobody's.
  client.on('error', () => {});
  try {
    await client.connect();
    const runs = await client.query<KnownNames['runs'][number]>(
      'select id as run, source, status from runs order by number desc limit $1',
      [most],
    );
    const kept = await client.query<{ name: string }>('select name from kept_sources order by name');
    return { runs: runs.rows, kept: kept.rows.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}
