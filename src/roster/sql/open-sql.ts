// Opens the rows of a database query as a roster.
import type { SqlSource } from '../../../config/sql-schema.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { isLoopback } from '../../core/host/loopback.ts';
import { maskAddresses } from '../../core/person/mask.ts';
import type { Redact } from '../../core/secrets/secret.ts';
import { quote } from '../../core/text/quote.ts';
import { PassingTrouble, triesOf, tryAgain } from '../fetch/tries.ts';
import { readText } from '../files/read-failure.ts';
import { missingPackage } from '../missing-package.ts';
import { openRecords } from '../open-records.ts';
import type { RosterFile } from '../roster-file.ts';
import type { SourceDeps } from '../source-location.ts';
import { redactorOf, secretsOfSource } from '../source-secrets.ts';
import type { SqlAsked, SqlProtection, SqlReader } from './sql-rows.ts';

const longestConnectMs = 10_000;
const graceMs = 5000;

/** All rows have arrived when this returns. Throws an `InputError` when any of them cannot be had. */
export async function openSql(source: SqlSource, deps: SourceDeps): Promise<RosterFile> {
  const { timeout } = source;
  const { name, now } = deps;
  const url = new URL(source.url.reveal());
  const shown = `${url.host}${url.pathname}`;
  const ssl = isLoopback(url.hostname) ? undefined : await protection(source, url.hostname);
  const tries = triesOf(source, deps);
  const redact = redactorOf(secretsOfSource({ sql: source }), [name]);
  const asked: SqlAsked = {
    url: url.href,
    query: source.query.trim().replace(/;$/, ''),
    timeoutMs: timeout,
    connectMs: Math.min(timeout, longestConnectMs),
    signal: tries.signal,
    graceMs,
    ...defined({ ssl }),
  };
  const { rows, passing } = await readerOf(url.protocol, name);
  const records = async function* (): AsyncGenerator<object> {
    try {
      yield* rows(asked);
    } catch (error) {
      throw tries.ended(shown) ?? troubleOf(error, { name, shown, redact, passing });
    }
  };
  return tryAgain(tries, deps, () => openRecords(records(), { ...deps.open, name: shown, modifiedAt: now() }));
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

/** A database on another machine is spoken to over TLS only, and must show a certificate that is trusted. */
async function protection({ caFile }: SqlSource, servername: string): Promise<SqlProtection> {
  const ca = caFile === undefined ? undefined : await readText(caFile);
  return { rejectUnauthorized: true, servername, ...defined({ ca }) };
}

function troubleOf(
  error: unknown,
  { name, shown, redact, passing }: { name: string; shown: string; redact: Redact; passing: RegExp },
): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof InputError)
    return new InputError(`${name}: ${error.message}`, {
      cause: error.cause,
      withoutWords: `${name}: ${error.withoutWords}`,
    });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The driver names no code where the connection ends.
  if (passing.test(code) || (code === '' && /terminated|timeout/i.test(error.message))) {
    return new PassingTrouble(`${shown} could not be read${code === '' ? '' : ` (${code})`}`);
  }
  const said = quote(maskAddresses(redact(error.message)), 200);
  return new InputError(`${name}: ${shown} refused, saying ${said}. Check sql.url and sql.query. None of it was used.`);
}
