import { frame, splitFrames, zeroTerminated } from './wire.ts';

/** Runs messages of PostgreSQL's protocol. */
export type Execute = (messages: Buffer) => Promise<Buffer>;

const parseComplete = frame('1');
const sync = frame('S');

/**
 * Plans each statement once for all stories, since planning takes most of the time that a statement takes: what clients
 * parse without a name gets one, and later ones of the same text are bound to that.
 */
export class PreparedStatements {
  /** The names of statements, by their texts and the types of their parameters. */
  readonly #names = new Map<string, string>();
  readonly #seen = new Map<string, Buffer>();

  /** Runs a batch; a statement that is known is not parsed again. */
  async run(messages: Buffer, execute: Execute): Promise<Buffer> {
    const frames = splitFrames(messages);
    const [first] = frames;
    // A new client takes away what the one before it has prepared; these stay.
    if (messages.includes('DEALLOCATE ALL')) return execute(frame('Q', zeroTerminated('ROLLBACK; CLOSE ALL')));
    if (first?.type !== 'P' || first.bytes[5] !== 0) return execute(messages);
    const body = first.bytes.subarray(6);
    const key = body.toString('latin1');
    const name = this.#names.get(key);
    if (name === undefined) {
      this.#seen.set(key, Buffer.from(body));
      return execute(messages);
    }
    const rest = frames.slice(1).map(({ type, bytes }) => {
      if (type !== 'B') return bytes;
      const end = bytes.indexOf(0, 5) + 1;
      return frame('B', Buffer.concat([bytes.subarray(5, end), zeroTerminated(name), bytes.subarray(end + 1)]));
    });
    return Buffer.concat([parseComplete, await execute(Buffer.concat(rest))]);
  }

  /** Prepares and plans whatever was seen up to now. */
  async prepare(execute: Execute, plan: (name: string) => Promise<void>): Promise<void> {
    for (const [key, body] of this.#seen) {
      const name = `s${this.#names.size}`;
      const parse = frame('P', Buffer.concat([zeroTerminated(name), body]));
      const answer = await execute(Buffer.concat([parse, sync]));
      if (splitFrames(answer).some(({ type }) => type === 'E')) continue;
      this.#names.set(key, name);
      await plan(name);
    }
    this.#seen.clear();
  }
}
