import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface ZipFile {
  name: string;
  content: string | Uint8Array;
  /** What the archive says about its size, where that is not true. */
  claims?: number;
  /** Where the archive says that it begins, where that is not true. */
  claimedAt?: bigint;
  /** What was packed, where that is what the checksum is of. */
  packed?: string;
}

/** Writes a zip archive (PKWARE APPNOTE 4.3), its files deflated. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claims, claimedAt, packed: before } of files) {
    const data = typeof content === 'string' ? Buffer.from(content) : content;
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(before ?? data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claims ?? data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(claimedAt === undefined ? offset : 0xffff_ffff, 10);
    const extra = claimedAt === undefined ? Buffer.alloc(0) : zip64Offset(claimedAt);
    const own = Buffer.from(fields);
    own.writeUInt16LE(extra.length, 24);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), own, tail, Buffer.from(name), extra]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

/** The field that has what 32 bits cannot hold (PKWARE APPNOTE 4.5.3). */
function zip64Offset(offset: bigint): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(offset, 4);
  return field;
}

/** An archive that says that its zip64 end record begins at an offset (PKWARE APPNOTE 4.3.15). */
export function zip64EndAt(zip: Buffer, offset: bigint): Buffer {
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(offset, 8);
  locator.writeUInt32LE(1, 16);
  const end = zip.lastIndexOf('PK\x05\x06', -1, 'latin1');
  return Buffer.concat([zip.subarray(0, end), locator, zip.subarray(end)]);
}
