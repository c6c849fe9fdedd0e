import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { compoundFile } from './xls-writer.ts';

export interface Locking {
  password: string;
  spinCount?: number | string;
  hash?: 'SHA1' | 'SHA512';
  keyBits?: 128 | 256;
  /** Changes the XML that says how it is encrypted. */
  describe?: (xml: string) => string;
  /** Changes what is encrypted. */
  spoil?: (sealed: Buffer) => Buffer;
}

const word = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

const filled = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
const sizeOf = (plain: Buffer): Buffer => {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(plain.length));
  return size;
};

/** Encrypts a workbook as Excel does since 2010 (MS-OFFCRYPTO, agile). */
export function lockedOf(plain: Buffer, locking: Locking): Buffer {
  const { password, spinCount = 1000, hash = 'SHA512', keyBits = 256, describe, spoil } = locking;
  const digest = (...parts: Buffer[]) => createHash(hash).update(Buffer.concat(parts)).digest();
  const cipher = (key: Buffer, iv: Buffer, bytes: Buffer) => {
    const aes = createCipheriv(`aes-${keyBits}-cbc`, key, iv).setAutoPadding(false);
    return Buffer.concat([aes.update(filled(bytes)), aes.final()]);
  };
  const [salt, dataSalt, key, hmacKey] = [16, 16, keyBits / 8, digest().length].map((size) => randomBytes(size)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  let spun = digest(salt, Buffer.from(password, 'utf16le'));
  for (let spin = 0; spin < Number(spinCount) && Number(spinCount) <= 100_000; spin++) spun = digest(word(spin), spun);
  const keyFor = (use: string) => digest(spun, Buffer.from(use, 'hex')).subarray(0, keyBits / 8);
  const ivFor = (use: Buffer) => digest(dataSalt, use).subarray(0, 16);
  const segments: Buffer[] = [];
  for (let at = 0; at < plain.length; at += 4096) {
    segments.push(cipher(key, ivFor(word(at / 4096)), plain.subarray(at, at + 4096)));
  }
  const sealed = Buffer.concat([sizeOf(plain), ...segments]);
  const hmac = createHmac(hash, hmacKey).update(sealed).digest();
  const proof = randomBytes(16);
  const base64 = (bytes: Buffer) => bytes.toString('base64');
  const how = `blockSize="16" keyBits="${keyBits}" hashSize="${digest().length}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="${hash}"`;
  const sealedKey = (use: string, bytes: Buffer) => base64(cipher(keyFor(use), salt, bytes));
  const xml =
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">` +
    `<keyData saltSize="16" ${how} saltValue="${base64(dataSalt)}"/>` +
    `<dataIntegrity encryptedHmacKey="${base64(cipher(key, ivFor(Buffer.from('5fb2ad010cb9e1f6', 'hex')), hmacKey))}" encryptedHmacValue="${base64(cipher(key, ivFor(Buffer.from('a0677f02b22c8433', 'hex')), hmac))}"/>` +
    `<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="${spinCount}" saltSize="16" ${how} saltValue="${base64(salt)}" encryptedVerifierHashInput="${sealedKey('fea7d2763b4b9e79', proof)}" encryptedVerifierHashValue="${sealedKey('d7aa0f6d3061344e', digest(proof))}" encryptedKeyValue="${sealedKey('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`;
  return compoundFile({
    EncryptionInfo: Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(describe?.(xml) ?? xml)]),
    EncryptedPackage: spoil?.(sealed) ?? sealed,
  });
}

/** Encrypts a workbook as Excel 2007 does (MS-OFFCRYPTO, standard: AES with 128 bits, ECB). */
export function lockedOf2007(plain: Buffer, password: string): Buffer {
  const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest();
  const salt = randomBytes(16);
  let spun = sha1(salt, Buffer.from(password, 'utf16le'));
  for (let spin = 0; spin < 50_000; spin++) spun = sha1(word(spin), spun);
  const block = Buffer.alloc(64, 0x36);
  for (const [at, byte] of sha1(spun, word(0)).entries()) block[at] = byte ^ 0x36;
  const cipher = (bytes: Buffer) => {
    const aes = createCipheriv('aes-128-ecb', sha1(block).subarray(0, 16), null).setAutoPadding(false);
    return Buffer.concat([aes.update(filled(bytes)), aes.final()]);
  };
  const proof = randomBytes(16);
  const provider = Buffer.from('Microsoft Enhanced RSA and AES Cryptographic Provider\0', 'utf16le');
  const header = Buffer.concat([...[0x24, 0, 0x660e, 0x8004, 128, 0x18, 0, 0].map(word), provider]);
  const verifier = Buffer.concat([word(16), salt, cipher(proof), word(20), cipher(sha1(proof))]);
  return compoundFile({
    EncryptionInfo: Buffer.concat([Buffer.from([4, 0, 2, 0, 0x24, 0, 0, 0]), word(header.length), header, verifier]),
    EncryptedPackage: Buffer.concat([sizeOf(plain), cipher(plain)]),
  });
}
