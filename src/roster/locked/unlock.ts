// Opens a workbook that is locked with a password, completely or not at all.
import { refusal, InputError } from '../../core/errors.ts';
import { Readable } from 'node:stream';
import { spool, type RosterBytes } from '../files/bytes.ts';
import type { Opening } from '../roster-file.ts';
import { inMemory } from '../workbook/open-workbook.ts';
import { openCompoundFile } from '../xls/compound-file.ts';
import { createDecipheriv, createHmac, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Secret } from '../../core/secrets/secret.ts';

/** The workbook inside; undefined for a file that is not encrypted. Throws an `InputError` for all that is wrong. */
export async function unlock(bytes: RosterBytes, opening: Opening): Promise<RosterBytes | undefined> {
  try {
    const plain = await open(bytes, opening);
    if (plain) await bytes.close();
    return plain;
  } catch (error) {
    await bytes.close();
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`${bytes.file}: the workbook is damaged or was changed. Fetch it again.`, { cause: error });
  }
}

async function open(bytes: RosterBytes, { options, limits }: Opening): Promise<RosterBytes | undefined> {
  const { file, modifiedAt } = bytes;
  const whole = await inMemory(bytes, limits);
  // Records alone, as some systems write an old workbook.
  if (whole.readUInt16LE(0) !== 0xcfd0) return undefined;
  const compound = openCompoundFile(whole, file);
  if (!compound.has('EncryptedPackage')) return undefined;
  const [info, sealed] = [compound.read('EncryptionInfo'), compound.read('EncryptedPackage')];
  if (!info || !sealed) throw refusal('rightsManagement', { file });
  const next = [{ setting: 'passwordFile' as const, value: 'FILE' }];
  if (!options.password) throw refusal('lockedWithoutPassword', { file }, { next });
  const decrypt = await openerOf(info, options.password, file);
  if (decrypt)
    return spool(Readable.from(decrypt(sealed)), { file, most: limits.unpacked, modifiedAt: () => modifiedAt });
  throw refusal('wrongPassword', { file }, { next });
}

/** A password that opens an encrypted package: gives what is in it, and throws at its end if it was changed. */
type Open = (sealed: Buffer) => Iterable<Uint8Array>;

/** Excel spins 100,000 times; a file that asks for more than this only wants to keep us busy. */
const mostSpins = 1_000_000;
const spinsOfStandard = 50_000;
/** Spins after which other work goes on. */
const spinsAtOnce = 5000;
const blockBytes = 16;
const segmentBytes = 4096;
const hashes = ['sha1', 'sha256', 'sha384', 'sha512'];
/** What keys and vectors are for (MS-OFFCRYPTO, 2.3.4.13 and 2.3.4.14). */
const uses = {
  input: Buffer.from('fea7d2763b4b9e79', 'hex'),
  value: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
  hmacKey: Buffer.from('5fb2ad010cb9e1f6', 'hex'),
  hmacValue: Buffer.from('a0677f02b22c8433', 'hex'),
};

/** Undefined for a wrong password. Throws a `RangeError` for what is damaged, an `InputError` for another encryption. */
async function openerOf(info: Buffer, password: Secret, file: string): Promise<Open | undefined> {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  if (major === 4 && minor === 4) return agile(info.toString('utf8', 8), password, file);
  if (minor === 2 && major >= 2 && major <= 4) return standard(info, password, file);
  throw unknown(file, `version ${major}.${minor}`);
}

async function agile(xml: string, password: Secret, file: string): Promise<Open | undefined> {
  const all = elementsOf(xml, file);
  const [data, integrity] = ['keyData', 'dataIntegrity'].map((wanted) => all.find(({ name }) => name === wanted));
  // Keys for certificates have no count.
  const lock = all.find(({ name, text }) => name === 'encryptedKey' && text('spinCount') !== '');
  if (!lock) throw unknown(file, 'a certificate');
  if (!data || !integrity) throw new RangeError('it does not say how it is encrypted, or how that is checked');
  const spins = Number(lock.text('spinCount'));
  if (!(spins <= mostSpins)) throw refusal('manySpins', { file, mostSpins });
  const { algorithm, keyBytes } = lock.cipher();
  const salt = lock.bytes('saltValue');
  const stretched = await stretch(algorithm, salt, password, spins);
  const unlock = (use: Buffer, name: string): Buffer =>
    aes(fit(digest(algorithm, stretched, use), keyBytes), fit(salt, blockBytes), lock.bytes(name));
  const proof = digest(algorithm, unlock(uses.input, 'encryptedVerifierHashInput'));
  if (!unlock(uses.value, 'encryptedVerifierHashValue').subarray(0, proof.length).equals(proof)) return undefined;

  const sealing = data.cipher();
  const key = fit(unlock(uses.key, 'encryptedKeyValue'), sealing.keyBytes);
  const vector = (use: Buffer): Buffer => fit(digest(sealing.algorithm, data.bytes('saltValue'), use), blockBytes);
  const check = (use: Buffer, name: string): Buffer =>
    aes(key, vector(use), integrity.bytes(name)).subarray(0, digest(sealing.algorithm).length);
  const [hmacKey, expected] = [check(uses.hmacKey, 'encryptedHmacKey'), check(uses.hmacValue, 'encryptedHmacValue')];
  return function* (sealed) {
    const hmac = createHmac(sealing.algorithm, hmacKey).update(sealed.subarray(0, 8));
    yield* segmentsOf(sealed, (segment, number) => {
      hmac.update(segment);
      return aes(key, vector(word(number)), segment);
    });
    if (!hmac.digest().equals(expected)) throw new RangeError('it is not what was encrypted');
  };
}

async function standard(info: Buffer, password: Secret, file: string): Promise<Open | undefined> {
  const headerBytes = info.readUInt32LE(8);
  const keyBits = { 0x660e: 128, 0x660f: 192, 0x6610: 256 }[info.readUInt32LE(20)];
  if (keyBits === undefined) throw unknown(file, 'RC4');
  const verifier = info.subarray(12 + headerBytes);
  const stretched = await stretch('sha1', verifier.subarray(4, 20), password, spinsOfStandard);
  const last = digest('sha1', stretched, word(0));
  const half = (pad: number): Buffer => {
    const block = Buffer.alloc(64, pad);
    for (const [at, byte] of last.entries()) block[at] = byte ^ pad;
    return digest('sha1', block);
  };
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBits / 8);
  const proof = digest('sha1', aes(key, null, verifier.subarray(20, 36)));
  if (!aes(key, null, verifier.subarray(40, 72)).subarray(0, proof.length).equals(proof)) return undefined;
  return (sealed) => segmentsOf(sealed, (segment) => aes(key, null, segment));
}

/** The size is in the first eight bytes; what is after it fills the last block. */
function* segmentsOf(sealed: Buffer, decrypt: (segment: Buffer, number: number) => Buffer): Generator<Buffer> {
  let left = sealed.length < 8 ? Infinity : Number(sealed.readBigUInt64LE(0));
  if (left > sealed.length - 8) throw new RangeError('it is cut off');
  for (let number = 0, at = 8; at < sealed.length; number++, at += segmentBytes) {
    const plain = decrypt(sealed.subarray(at, at + segmentBytes), number);
    yield plain.subarray(0, left);
    left = Math.max(0, left - plain.length);
  }
}

async function stretch(algorithm: string, salt: Buffer, password: Secret, spins: number): Promise<Buffer> {
  let last = digest(algorithm, salt, Buffer.from(password.reveal(), 'utf16le'));
  // One buffer for all rounds: its number, and what the last one gave.
  const round = Buffer.concat([word(0), last]);
  for (let spin = 0; spin < spins; spin++) {
    round.writeUInt32LE(spin);
    last.copy(round, 4);
    last = hash(algorithm, round, 'buffer');
    if (spin % spinsAtOnce === spinsAtOnce - 1) await setImmediate();
  }
  return last;
}

function elementsOf(xml: string, file: string) {
  return [...xml.matchAll(/<(?:\w+:)?(\w+)\s([^<>]*)>/g)].map(([, name = '', inside = '']) => {
    const attributes = new Map([...inside.matchAll(/\b(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const text = (key: string): string => attributes.get(key) ?? '';
    return {
      name,
      text,
      bytes: (key: string): Buffer => Buffer.from(text(key), 'base64'),
      cipher() {
        const algorithm = text('hashAlgorithm').replace('-', '').toLowerCase();
        const keyBytes = Number(text('keyBits')) / 8;
        const cipher = `${text('cipherAlgorithm')} ${text('cipherChaining')} ${algorithm}`;
        if (!cipher.startsWith('AES ChainingModeCBC ') || !hashes.includes(algorithm)) throw unknown(file, cipher);
        if (![16, 24, 32].includes(keyBytes)) throw new RangeError('AES has no key of this length');
        return { algorithm, keyBytes };
      },
    };
  });
}

function unknown(file: string, what: string): InputError {
  const name = what.replaceAll(/[^\w .-]/g, '').slice(0, 60);
  return refusal('otherEncryption', { file, name });
}

const word = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};

const digest = (algorithm: string, ...parts: Buffer[]): Buffer => hash(algorithm, Buffer.concat(parts), 'buffer');

/** The first bytes, filled up as the format says. */
const fit = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(length, 0x36)]).subarray(0, length);

/** CBC, or without a vector ECB. */
function aes(key: Buffer, vector: Buffer | null, bytes: Buffer): Buffer {
  if (bytes.length % blockBytes !== 0) throw new RangeError('a part is no number of blocks');
  const cipher = createDecipheriv(`aes-${key.length * 8}-${vector ? 'cbc' : 'ecb'}`, key, vector).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}
