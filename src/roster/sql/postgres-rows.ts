// Reads the rows of a query from PostgreSQL, in a transaction that can only read.
import { addAbortListener } from 'node:events';
import { Client, types, type CustomTypesConfig, type QueryArrayResult, type QueryConfig } from 'pg';
import { columnsOf, recordsOf, type SqlAsked, type SqlReader } from './sql-rows.ts';

const batch = 1000;
const boolean = 16;
/** text[] and varchar[]: several groups in one column. */
const textArrays = new Set([1009, 1015]);
const textArray = 1009 as Parameters<typeof types.getTypeParser>[0];

/** Everything as the server writes it, so that no day moves with a time zone and no number loses digits. */
const asWritten: CustomTypesConfig = {
  getTypeParser(id: number) {
    if (id === boolean) return (text: string) => (text === 't' ? 'true' : 'false');
    if (textArrays.has(id)) return types.getTypeParser(textArray) as (text: string) => string[];
    return (text: string) => text;
  },
};

/** Of one statement; the types of pg do not know it yet. */
type Extended = QueryConfig & { queryMode: 'extended' };

/** One statement: the extended protocol refuses several, and a cursor everything that is no query. */
async function* postgresRows(asked: SqlAsked): AsyncGenerator<object> {
  const { url, query, ssl, timeoutMs, graceMs, connectMs, signal } = asked;
  const client = new Client({
    connectionString: url,
    ssl: ssl ?? false,
    connectionTimeoutMillis: connectMs,
    types: asWritten,
    application_name: 'roster-sync',
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + graceMs,
  });
  // What breaks off is told by the query that waits for it.
  client.on('error', () => {});
  using _ = addAbortListener(signal, () => void client.end().catch(() => {}));
  try {
    await client.connect();
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const declare: Extended = { text: `DECLARE roster NO SCROLL CURSOR FOR ${query}`, queryMode: 'extended' };
    await client.query(declare);
    for (;;) {
      signal.throwIfAborted();
      const page: QueryArrayResult<unknown[]> = await client.query({
        text: `FETCH ${batch} FROM roster`,
        rowMode: 'array',
      });
      yield* recordsOf(columnsOf(page.fields.map(({ name }) => name)), page.rows);
      if (page.rows.length < batch) break;
    }
    await client.query('ROLLBACK');
  } finally {
    await client.end().catch(() => {});
  }
}

/** It starts or ends, has too many connections, or the connection broke (appendix A; errors of the system). */
const passing = /^(?:57P0[123]|53300|08\w{3}|40001|E[A-Z]+)$/;

export const postgres: SqlReader = { rows: postgresRows, passing };
