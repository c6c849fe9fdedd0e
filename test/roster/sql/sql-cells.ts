import { sqlDefaults, type SqlSource } from '../../../src/roster/sql/sql-schema.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import { all, deps } from '../fetch/fetching.ts';

/** All cells of a query, read as a source. */
export async function cellsOf(url: string, query: string, given: Partial<SqlSource> = {}): Promise<unknown[]> {
  const roster = await openSource({ sql: { ...sqlDefaults, url: new Secret(url), query, ...given } }, deps());
  try {
    return (await all(roster.batches())).flat().map((row) => ('cells' in row ? row.cells : row));
  } finally {
    await roster.close();
  }
}
