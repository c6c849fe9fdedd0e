/** A message of PostgreSQL's protocol: a letter, a length of four bytes that counts itself, and a body. */
export interface Frame {
  type: string;
  /** The whole message. */
  bytes: Buffer;
}

const headerLength = 5;

/** Cuts messages apart. */
export function splitFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; bytes.length - at >= headerLength;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    frames.push({ type: String.fromCharCode(bytes[at]!), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return frames;
}

export function frame(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write(type, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

/** A body of one text. */
export function zeroTerminated(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
