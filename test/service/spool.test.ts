import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Spool } from '../../src/service/spool.ts';

/** Bytes that tell their place, given out in pieces of this length. */
function* piecesOf(size: number, length: number): Generator<Buffer> {
  const all = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) all.writeUInt32LE(at, at);
  for (let at = 0; at < size; at += length) yield all.subarray(at, at + length);
}

async function filled(size: number, length: number): Promise<Spool> {
  const spool = await Spool.open();
  for (const piece of piecesOf(size, length)) await spool.add(piece);
  assert.equal(spool.size, size);
  await spool.flush();
  return spool;
}

const whole = (size: number): Buffer => Buffer.concat([...piecesOf(size, 1 << 20)]);

async function read(spool: Spool): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of spool.parts()) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

const block = 256 * 1024;
for (const size of [0, 1, block - 1, block, block + 1, 2 * block, 5 * block + 12_345]) {
  test(`${size} bytes come out as they went in, twice`, async () => {
    for (const length of [block, 65_536, 10_007]) {
      const spool = await filled(size, length);
      assert.ok((await read(spool)).equals(whole(size)));
      assert.ok((await read(spool)).equals(whole(size)));
      await spool.close();
    }
  });
}

test('it can be read by several at a time, and by one who stops', async () => {
  const size = 3 * block + 7;
  const spool = await filled(size, 50_000);
  for await (const part of spool.parts()) {
    assert.ok(part.length > 0);
    break;
  }
  const [one, other] = await Promise.all([read(spool), read(spool)]);
  assert.ok(one.equals(whole(size)) && other.equals(whole(size)));
  await spool.close();
  await spool.close();
});

test('it can be forgotten while it is written', async () => {
  const spool = await Spool.open();
  for (const piece of piecesOf(3 * block, block)) await spool.add(piece);
  await spool.close();
});
