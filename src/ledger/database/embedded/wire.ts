// Parses and writes the PostgreSQL protocol messages that the embedded session needs.

/**
 * The little of PostgreSQL's message format (docs: "Message Formats", protocol 3.0) that the embedded session
 * needs: every message but the first is one type byte, a four-byte length that counts itself, and a body.
 */
export interface Frame {
  /** The type byte as a character. */
  type: string;
  /** The whole message, type and length included. */
  bytes: Buffer;
}

const headerLength = 5;

/** Cuts whole messages off the front of `bytes`; `rest` is what is not yet a whole message. */
export function splitFrames(bytes: Buffer): { frames: Frame[]; rest: Buffer } {
  const frames: Frame[] = [];
  let at = 0;
  while (bytes.length - at >= headerLength) {
    const length = 1 + bytes.readInt32BE(at + 1);
    if (bytes.length - at < length) break;
    frames.push({ type: String.fromCharCode(bytes[at]!), bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return { frames, rest: bytes.subarray(at) };
}

export function frame(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write(type, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

/** The zero-terminated strings at the front of a message's body, at most `count`. */
export function stringsOf({ bytes }: Frame, count: number): string[] {
  const strings: string[] = [];
  let at = headerLength;
  while (strings.length < count) {
    const end = bytes.indexOf(0, at);
    if (end < 0) break;
    strings.push(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  return strings;
}

/** A body of zero-terminated strings. */
export function zeroTerminated(...strings: string[]): Buffer {
  return Buffer.from(strings.map((text) => `${text}\0`).join(''), 'utf8');
}

/** An ErrorResponse as PostgreSQL would send it, with a code and a message. */
export function errorFrame(code: string, message: string): Buffer {
  return frame('E', Buffer.concat([zeroTerminated('SERROR', 'VERROR', `C${code}`, `M${message}`), Buffer.alloc(1)]));
}

/** What a session's state may be after a statement: idle, in a transaction, in a failed transaction. */
export type TransactionState = 'I' | 'T' | 'E';

/** ReadyForQuery: the session waits for the next statement in the given state. */
export function readyFrame(state: TransactionState): Buffer {
  return frame('Z', Buffer.from(state, 'latin1'));
}

export function stateOf({ bytes }: Frame): TransactionState {
  const state = String.fromCharCode(bytes[headerLength] ?? 0);
  return state === 'T' || state === 'E' ? state : 'I';
}

/** The channel that a NotificationResponse names (after the process id of the sender). */
export function channelOf({ bytes }: Frame): string {
  const start = headerLength + 4;
  return bytes.toString('utf8', start, bytes.indexOf(0, start));
}

/** What a server answers to a startup message: no password wanted, a key for cancelling, ready. */
export function welcomeFrames(serverVersion: string, processId: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeInt32BE(processId, 0);
  return Buffer.concat([
    frame('R', Buffer.alloc(4)),
    frame('S', zeroTerminated('server_version', serverVersion)),
    frame('S', zeroTerminated('client_encoding', 'UTF8')),
    frame('K', key),
    readyFrame('I'),
  ]);
}
