// What a database is asked, and its rows as records.
import { InputError } from '../../core/errors.ts';
import { decoded } from '../../core/secrets/secret-parts.ts';
import { quote } from '../../core/text/format.ts';

export interface SqlAsked {
  /** With user name and password. */
  url: string;
  query: string;
  /** TLS with a certificate that is trusted, for this name; undefined on this machine. */
  ssl?: { rejectUnauthorized: true; servername: string; ca?: string };
  /** The longest time for one answer, ms. */
  timeoutMs: number;
  /** How much longer than the server the client waits for it. */
  graceMs: number;
  connectMs: number;
  signal: AbortSignal;
}

export interface SqlReader {
  rows(asked: SqlAsked): AsyncGenerator<object>;
  /** Codes of errors that may pass. */
  passing: RegExp;
}

export function partsOf(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? undefined : Number(port),
    user: decoded(username),
    password: decoded(password),
    database: decoded(pathname.slice(1)),
  };
}

/** The names of the columns. Throws an `InputError` where two have the same: one of them would be lost. */
export function columnsOf(names: readonly string[]): string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return [...names];
  throw new InputError(`sql.query gives two columns called ${quote(twice)}. Give one of them another name with AS.`);
}

/** Rows as records; bytes are hexadecimal. */
export function* recordsOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): Generator<object> {
  for (const row of rows) {
    const values = row.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : value));
    yield Object.fromEntries(columns.map((name, index) => [name, values[index]]));
  }
}
