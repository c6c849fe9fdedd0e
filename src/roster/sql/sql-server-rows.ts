// Reads the rows of a query from SQL Server, in a transaction that is always rolled back.
import { addAbortListener } from 'node:events';
import { Readable } from 'node:stream';
import { Connection, Request } from 'tedious';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { columnsOf, partsOf, recordsOf, type SqlAsked, type SqlReader } from './sql-rows.ts';

const waiting = 1000;

/** A value of a row, as tedious gives it. */
interface Cell {
  value: unknown;
  metadata: { colName: string; type: { name: string } };
}

async function* sqlServerRows(asked: SqlAsked): AsyncGenerator<object> {
  const { query, signal } = asked;
  signal.throwIfAborted();
  const connection = connect(asked);
  let answers = 0;
  let isAsking = false;
  const request = new Request(query, (error) => {
    isAsking = false;
    // tedious is not done with the request yet.
    if (rows.destroyed) setImmediate(() => connection.close());
    if (error) rows.destroy(codedOf(error));
    else rows.push(null);
  });
  const rows = new Readable({ objectMode: true, highWaterMark: waiting, read: () => request.resume() });
  // Whatever it ends with is told to who takes the rows; before that nobody listens.
  rows.on('error', () => {});
  request.on('columnMetadata', () => {
    if (++answers > 1) rows.destroy(new InputError('sql.query gives several results. It must be one query.'));
  });
  request.on('row', (cells: readonly Cell[]) => {
    if (!rows.push(cells)) request.pause();
  });
  using _ = addAbortListener(signal, () => void rows.destroy(signal.reason as Error));
  connection.on('error', (error: Error) => void rows.destroy(codedOf(error)));
  connection.on('end', () => {
    const lost = Object.assign(new Error('The server closed the connection.'), { code: 'ECLOSE' });
    if (!rows.readableEnded) rows.destroy(lost);
  });
  connection.connect((error) => {
    if (error) return void rows.destroy(codedOf(error));
    isAsking = true;
    // Nothing commits it: it ends with the connection.
    connection.beginTransaction((refused) => {
      if (!refused && !rows.destroyed) return connection.execSqlBatch(request);
      isAsking = false;
      if (rows.destroyed) setImmediate(() => connection.close());
      else rows.destroy(codedOf(refused ?? new Error('no transaction')));
    });
  });
  try {
    let columns: string[] | undefined;
    for await (const cells of rows as AsyncIterable<readonly Cell[]>) {
      columns ??= columnsOf(cells.map(({ metadata }) => metadata.colName));
      yield* recordsOf(columns, [cells.map(textOf)]);
    }
  } finally {
    // Closed while an answer is being read, tedious would end the process.
    if (isAsking) connection.cancel();
    else connection.close();
  }
}

/** tedious refuses a server that does not encrypt where `encrypt` is true. */
function connect({ url, ssl, timeoutMs, graceMs, connectMs }: SqlAsked): Connection {
  const { host, port, user, password, database } = partsOf(url);
  return new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      encrypt: ssl !== undefined,
      trustServerCertificate: false,
      appName: 'roster-sync',
      useUTC: true,
      connectTimeout: connectMs,
      requestTimeout: timeoutMs + graceMs,
      cancelTimeout: graceMs,
      connectionRetryInterval: 1,
      maxRetriesOnTransientErrors: 0,
      ...defined({ port }),
      ...(database !== '' && { database }),
      ...defined({ serverName: ssl?.servername }),
      ...(ssl?.ca !== undefined && { cryptoCredentialsDetails: { ca: ssl.ca } }),
    },
  });
}

/**
 * A day stays a day, and a time has no zone that the database did not write. Of a `numeric` tedious gives a number: one of more digits
 * than that can hold is written as a spreadsheet shortens it, since two of them may be one.
 */
export function textOf({ value, metadata }: Cell): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  if (!(value instanceof Date)) return value;
  const text = value.toISOString();
  const name = metadata.type.name;
  if (name === 'Date') return text.slice(0, 10);
  if (name === 'Time') return text.slice(11, -1).replace('.000', '');
  if (name === 'DateTimeOffset') return text;
  return text.slice(0, -1).replace('T', ' ').replace('.000', '');
}

/** An error of the server has a number, which says more than its code. */
function codedOf(error: Error): Error {
  const deadlock = 'number' in error && error.number === 1205;
  return deadlock ? Object.assign(new Error(error.message), { code: '1205' }) : error;
}

/** The connection failed or broke, nothing came in time, or the server chose this query to end a deadlock (1205). */
const passing = /^(?:ESOCKET|ETIMEOUT|ECLOSE|ECONNRESET|1205)$/;

export const sqlServer: SqlReader = { rows: sqlServerRows, passing };
