// Opens the rows of a database query as a roster.
import { refusal, codeOf, InputError } from '../../core/errors.ts';
import type { SqlSource } from './sql-schema.ts';
import { isLoopback } from '../../core/host/this-machine.ts';
import { couldNot, redactorFor, saidBy, triesOf, tryAgain } from '../fetch/tries.ts';
import { authorityOf, missingPackage } from '../files/read-failure.ts';
import { openRecords } from '../open-records.ts';
import type { RosterFile, SourceDeps } from '../roster-file.ts';
import type { SqlAsked, SqlReader } from './sql-rows.ts';

const longestConnectMs = 10_000;
const graceMs = 5000;

/** All rows have arrived when this returns. Throws an `InputError` when any of them cannot be had. */
export async function openSql(at: SqlSource, deps: SourceDeps): Promise<RosterFile> {
  const { timeout, caFile, query } = at;
  const url = new URL(at.url.reveal());
  const shown = `${url.host}${url.pathname}`;
  const { rows, passing } = await readerOf(url.protocol, deps.name);
  const tries = triesOf(at, deps);
  const asked: SqlAsked = {
    url: url.href,
    query: query.trim().replace(/;$/, ''),
    timeoutMs: timeout,
    connectMs: Math.min(timeout, longestConnectMs),
    signal: tries.signal,
    graceMs,
    // A database on another machine is spoken to over TLS only, and must show a certificate that is trusted.
    ...(!isLoopback(url.hostname) && {
      ssl: { rejectUnauthorized: true, servername: url.hostname, ...(await authorityOf(caFile)) },
    }),
  };
  const records = async function* (): AsyncGenerator<object> {
    try {
      yield* rows(asked);
    } catch (error) {
      throw troubleOf(error, shown, passing, deps);
    }
  };
  return tryAgain(tries, deps, shown, () =>
    openRecords(records(), { ...deps.open, name: shown, modifiedAt: deps.now() }),
  );
}

/** Only the driver that is needed is loaded; that of SQL Server is installed by who needs it: it brings 50 MB along. */
async function readerOf(protocol: string, name: string): Promise<SqlReader> {
  if (protocol.startsWith('postgres')) return (await import('./postgres-rows.ts')).postgres;
  if (protocol !== 'sqlserver:') return (await import('./mysql-rows.ts')).mysql;
  const found = await import('./sql-server-rows.ts').catch((error: unknown) => {
    throw missingPackage(error, 'tedious@20', `${name}: SQL Server`);
  });
  return found.sqlServer;
}

function troubleOf(error: unknown, shown: string, passing: RegExp, deps: SourceDeps): unknown {
  const { name } = deps;
  if (!(error instanceof Error)) return error;
  if (error instanceof InputError)
    return new InputError(`${name}: ${error.message}`, {
      cause: error.cause,
      withoutWords: `${name}: ${error.withoutWords}`,
    });
  const code = codeOf(error);
  // The driver names no code where the connection ends.
  if (passing.test(code) || (code === '' && /terminated|timeout/i.test(error.message))) return couldNot(shown, error);
  return refusal('sqlRefused', { name, shown, said: saidBy(error, redactorFor(deps)) });
}
