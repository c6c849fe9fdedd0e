import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Types of packets (MS-TDS 2.2.3.1.1). */
export const tds = { batch: 1, answer: 4, transaction: 14, attention: 6, login: 16, prelogin: 18 } as const;

const le = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, Math.min(bytes, 6));
  return buffer;
};
const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const short = (text: string): Buffer => Buffer.concat([le(1, text.length), ucs2(text)]);

/** `DONE`. */
export const done = Buffer.concat([le(1, 0xfd), le(12, 0)]);
/** `LOGINACK` and `DONE`. */
const accepted = (() => {
  const body = Buffer.concat([le(1, 1), Buffer.from([0x74, 0, 0, 4]), short('test'), le(4, 0)]);
  return Buffer.concat([le(1, 0xad), le(2, body.length), body, done]);
})();

/** `ERROR`, and a `DONE` that says so. */
export function failed(number: number, message: string): Buffer {
  const text = Buffer.concat([le(2, message.length), ucs2(message)]);
  const body = Buffer.concat([le(4, number), le(1, 1), le(1, 16), text, short(''), short(''), le(4, 1)]);
  return Buffer.concat([le(1, 0xaa), le(2, body.length), body, le(1, 0xfd), le(2, 2), le(10, 0)]);
}

/** `COLMETADATA` for a text, a whole number and a day under these names, and a `ROW` for each of the rows. */
export function table(
  names: readonly [string, string, string],
  rows: readonly (readonly [string, number, number])[],
): Buffer {
  const types = [Buffer.concat([le(1, 0xe7), le(2, 200), le(5, 0)]), Buffer.from([0x26, 8]), Buffer.from([0x28])];
  const columns = names.map((name, index) =>
    Buffer.concat([le(4, 0), le(2, 0), types[index] ?? le(0, 0), short(name)]),
  );
  const cells = rows.map(([text, id, day]) => {
    const [bytes, big] = [ucs2(text), Buffer.alloc(8)];
    big.writeBigInt64LE(BigInt(id));
    return Buffer.concat([le(1, 0xd1), le(2, bytes.length), bytes, le(1, 8), big, le(1, 3), le(3, day)]);
  });
  return Buffer.concat([le(1, 0x81), le(2, 3), ...columns, ...cells]);
}

/** How the server answers a batch: with tokens, or by ending the connection. */
export type Answer = (sql: string) => Buffer | 'gone';

/**
 * A server that speaks just enough TDS for a sign-in without encryption and answers to batches. It is ours: it shows how
 * the reader treats the protocol, not how SQL Server behaves. `seen` are the types of the packets that arrived.
 */
export async function startTds(t: TestContext, answer: Answer): Promise<{ port: number; seen: number[] }> {
  const seen: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let waiting = Buffer.alloc(0);
    let sql = '';
    const send = (tokens: Buffer): void => {
      const header = Buffer.from([tds.answer, 1, 0, 0, 0, 0, 1, 0]);
      for (let at = 0; at < tokens.length; at += 4000) {
        const part = tokens.subarray(at, at + 4000);
        header.writeUInt8(at + 4000 >= tokens.length ? 1 : 0, 1);
        header.writeUInt16BE(part.length + 8, 2);
        socket.write(Buffer.concat([header, part]));
      }
    };
    socket.on('data', (data: Buffer) => {
      waiting = Buffer.concat([waiting, data]);
      while (waiting.length >= 8 && waiting.length >= waiting.readUInt16BE(2)) {
        const length = waiting.readUInt16BE(2);
        const [type = 0, status = 0] = waiting;
        const body = waiting.subarray(8, length);
        waiting = waiting.subarray(length);
        if (type === tds.batch) sql += body.toString('utf16le');
        if ((status & 1) === 0) continue;
        seen.push(type);
        if (type === tds.prelogin) {
          const options = [0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff];
          // The last byte: encryption is not supported.
          send(Buffer.from([...options, 16, 0, 0, 0, 0, 0, 2]));
        } else if (type === tds.login) send(accepted);
        else if (type === tds.batch) {
          const tokens = answer(sql);
          sql = '';
          if (tokens === 'gone') socket.destroy();
          else send(tokens);
        } else if (type === tds.attention) send(Buffer.concat([le(1, 0xfd), le(2, 0x20), le(10, 0)]));
        else send(done);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}
