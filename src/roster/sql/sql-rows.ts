// What a database is asked, and its rows as records.
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '../../core/errors.ts';
import { quote } from '../../core/text/quote.ts';

/** What a database is asked. */
export interface SqlAsked {
  /** With user name and password. */
  url: string;
  query: string;
  /** How the connection is protected; undefined on this machine. */
  ssl?: ConnectionOptions;
  /** The longest time for one answer, ms. */
  timeoutMs: number;
  connectMs: number;
  signal: AbortSignal;
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
    yield Object.fromEntries(columns.map((name, index) => [name, valueOf(row[index])]));
  }
}

function valueOf(value: unknown): unknown {
  return Buffer.isBuffer(value) ? value.toString('hex') : value;
}
