// Reads the rows of a query from MySQL or MariaDB, in a transaction that can only read.
import { addAbortListener } from 'node:events';
import { refusal } from '../../core/errors.ts';
import { isIP } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { type Connection, createConnection, type FieldPacket } from 'mysql2';
import { columnsOf, partsOf, recordsOf, type SqlAsked, type SqlReader } from './sql-rows.ts';

/** Rows that wait to be taken, at most. */
const waiting = 1000;
const bits = 16;

/** The rows of a query as records. It is one statement: the connection takes no more. */
async function* mysqlRows(asked: SqlAsked): AsyncGenerator<object> {
  const { query, timeoutMs, graceMs, signal } = asked;
  signal.throwIfAborted();
  const connection = connect(asked);
  const broken = new AbortController();
  using _ = addAbortListener(signal, () => broken.abort(signal.reason));
  // The end of a connection is told to it, not to the rows that wait.
  connection.on('error', (error) => broken.abort(error));
  const silence = setTimeout(() => {
    const message = `no answer for ${(timeoutMs + graceMs) / 1000} s`;
    broken.abort(Object.assign(new Error(message), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }));
  }, timeoutMs + graceMs);
  const ask = (sql: string): Promise<unknown> => {
    silence.refresh();
    return answerOf(connection, sql, broken.signal);
  };
  try {
    await ask('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const isMariadb = /mariadb/i.test(JSON.stringify(await ask('SELECT VERSION()')));
    const limit = isMariadb ? `max_statement_time = ${timeoutMs / 1000}` : `max_execution_time = ${timeoutMs}`;
    // MySQL cuts the text of GROUP_CONCAT after 1,024 bytes unless told otherwise, without an error.
    await ask(`SET SESSION ${limit}, group_concat_max_len = GREATEST(@@group_concat_max_len, 1000000)`);
    await ask('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    // Its own timeout outlives a connection that breaks, and then ends the process.
    const answer = connection.query({ sql: query, rowsAsArray: true });
    // What still comes after the rows were given up is told to nobody else.
    answer.on('error', () => {});
    let fields: readonly FieldPacket[] = [];
    let columns: string[] = [];
    answer.on('fields', (found: readonly FieldPacket[] | undefined) => {
      fields = found ?? [];
    });
    const rows = addAbortSignal(broken.signal, answer.stream({ highWaterMark: waiting }));
    for await (const row of rows as AsyncIterable<unknown[]>) {
      silence.refresh();
      if (columns.length === 0) columns = columnsOf(fields.map(({ name }) => name));
      yield* recordsOf(columns, [row.map((value, index) => textOf(value, fields[index]?.columnType))]);
    }
  } catch (error) {
    // A stream that was stopped says only that.
    throw broken.signal.aborted ? broken.signal.reason : error;
  } finally {
    clearTimeout(silence);
    connection.destroy();
  }
}

/** Values come as the server writes them, so that no day moves with a time zone and no number loses digits. */
function connect({ url, ssl, connectMs }: SqlAsked): Connection {
  const { host, port, user, password, database } = partsOf(url);
  if (ssl && isIP(host) !== 0) throw refusal('sqlHostAddress', {});
  return createConnection({
    host,
    port: port ?? 3306,
    user,
    password,
    database,
    connectTimeout: connectMs,
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    // A server may not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    ...(ssl && { ssl: { ...ssl, verifyIdentity: true } }),
  });
}

/** Bits as a number, so that a flag is 1 or 0. */
function textOf(value: unknown, type: number | undefined): unknown {
  return type === bits && Buffer.isBuffer(value) ? String(BigInt(`0x${value.toString('hex') || '0'}`)) : value;
}

function answerOf(connection: Connection, sql: string, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}

/** The server starts or ends, has too many connections or a deadlock, or the connection broke. */
const passing =
  /^(?:ER_(?:CON_COUNT_ERROR|TOO_MANY_USER_CONNECTIONS|SERVER_SHUTDOWN|NORMAL_SHUTDOWN|LOCK_DEADLOCK|CONNECTION_KILLED)|PROTOCOL_(?:CONNECTION_LOST|SEQUENCE_TIMEOUT)|E[A-Z]+)$/;

export const mysql: SqlReader = { rows: mysqlRows, passing };
