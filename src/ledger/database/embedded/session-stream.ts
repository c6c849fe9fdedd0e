// The stream that pg's client uses as its socket to the embedded database.
import { Duplex } from 'node:stream';
import { StorageError } from '../../../core/errors.ts';
import type { Session, SessionUser } from './session.ts';
import {
  channelOf,
  errorFrame,
  frame,
  readyFrame,
  splitFrames,
  stringsOf,
  welcomeFrames,
  zeroTerminated,
} from './wire.ts';
import type { Frame, TransactionState } from './wire.ts';

const comments = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[\s\S]*?\*/)*`;
const listening = new RegExp(
  String.raw`^${comments}(LISTEN|UNLISTEN)\s+("(?:[^"]|"")+"|[\w$]+|\*)\s*;?${comments}$`,
  'i',
);

/** Reads `LISTEN channel` and `UNLISTEN channel | *`, with comments around; channel as PostgreSQL folds it. */
function listenCommand(sql: string): { verb: 'LISTEN' | 'UNLISTEN'; channel: string } | undefined {
  const [, verb, name] = listening.exec(sql) ?? [];
  if (verb === undefined || name === undefined) return undefined;
  const channel = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();
  return { verb: verb.toUpperCase() === 'LISTEN' ? 'LISTEN' : 'UNLISTEN', channel };
}

const rollbackMessage: Buffer = frame('Q', zeroTerminated('ROLLBACK'));

let lastProcessId = 0;

/**
 * What pg's client takes for its socket to a server: it answers the startup message by itself, gathers messages
 * up to the end of a batch (Query or Sync), and gives the batch to the session when it is its turn.
 */
export class SessionStream extends Duplex implements SessionUser {
  readonly #session: Session;
  readonly #processId = ++lastProcessId;
  readonly #channels = new Set<string>();
  /** The texts of prepared statements by their names. */
  readonly #prepared = new Map<string, string>();
  #started = false;
  #rest: Buffer = Buffer.alloc(0);
  #batch: Frame[] = [];
  #state: TransactionState = 'I';

  constructor(session: Session) {
    super();
    this.#session = session;
    session.join(this);
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  /** This connection cannot break unnoticed, so it can promise what BullMQ requires of a listening client. */
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  notify(notification: Frame): void {
    if (this.#channels.has(channelOf(notification))) this.push(notification.bytes);
  }

  override _read(): void {}

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#take(Buffer.concat([this.#rest, ...chunks.map(({ chunk }) => chunk)]));
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#session.leave(this, rollbackMessage).then(
      () => done(error),
      () => done(error),
    );
  }

  #take(bytes: Buffer): void {
    if (!this.#started) {
      if (bytes.length < 4 || bytes.length < bytes.readInt32BE(0)) {
        this.#rest = bytes;
        return;
      }
      this.#started = true;
      this.push(welcomeFrames('embedded', this.#processId));
      bytes = bytes.subarray(bytes.readInt32BE(0));
    }
    const { frames, rest } = splitFrames(bytes);
    this.#rest = rest;
    for (const message of frames) {
      if (message.type === 'X') continue;
      this.#batch.push(this.#own(message));
      if (message.type === 'Q' || message.type === 'S' || message.type === 'H') this.#send(this.#batch.splice(0));
    }
  }

  /** Names of prepared statements are per client, the session is not: put the client's number before each. */
  #own(message: Frame): Frame {
    const at = { P: 0, B: 1, D: 0, C: 0 }[message.type];
    if (at === undefined) return message;
    const offset = 5 + (message.type === 'D' || message.type === 'C' ? 1 : 0);
    if (offset === 6 && message.bytes[5] !== 0x53) return message;
    let start = offset;
    for (let skipped = 0; skipped < at; skipped += 1) start = message.bytes.indexOf(0, start) + 1;
    if (message.bytes[start] === 0) return message;
    const body = [message.bytes.subarray(5, start), Buffer.from(`c${this.#processId}_`), message.bytes.subarray(start)];
    return { type: message.type, bytes: frame(message.type, Buffer.concat(body)) };
  }

  #send(batch: Frame[]): void {
    const statement = this.#statementOf(batch);
    const command = listenCommand(statement);
    if (command?.verb === 'LISTEN') this.#channels.add(command.channel);
    if (command?.verb === 'UNLISTEN') {
      if (command.channel === '*') this.#channels.clear();
      this.#channels.delete(command.channel);
      this.push(Buffer.concat([frame('C', zeroTerminated('UNLISTEN')), readyFrame(this.#state)]));
      return;
    }
    this.#session.run(this, Buffer.concat(batch.map(({ bytes }) => bytes)), statement).then(
      ({ bytes, state }) => {
        this.#state = state;
        this.push(bytes);
      },
      (error: unknown) => {
        const { code, message } = error instanceof StorageError ? error : new StorageError(String(error));
        this.#state = 'I';
        this.push(Buffer.concat([errorFrame(code, message), readyFrame('I')]));
      },
    );
  }

  /** The SQL of a batch, for messages. */
  #statementOf(batch: Frame[]): string {
    const query = batch.find(({ type }) => type === 'Q');
    if (query !== undefined) return stringsOf(query, 1)[0] ?? '';
    const parse = batch.find(({ type }) => type === 'P');
    if (parse !== undefined) {
      const [name = '', text = ''] = stringsOf(parse, 2);
      if (name !== '') this.#prepared.set(name, text);
      return text;
    }
    const bind = batch.find(({ type }) => type === 'B');
    const name = bind && stringsOf(bind, 2)[1];
    return (name && this.#prepared.get(name)) ?? '(a prepared statement)';
  }
}
