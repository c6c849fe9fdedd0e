import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { Secret } from '../../src/core/secrets/secret.ts';
import { lockedOf, lockedOf2007, type Locking } from './locked-writer.ts';
import { fileOf, read, refusalOf, streamOf } from './reading.ts';
import { textRows, workbookOf } from './workbook-writer.ts';
import { compoundFile } from './xls-writer.ts';
import { zipOf } from './zip-writer.ts';

const table = [
  ['First Name', 'Last Name', 'Email'],
  ['Åse', 'Ek', 'ase@example.com'],
];
// A picture, so that there are several segments.
const more = [{ name: 'xl/media/image1.png', content: randomBytes(9000) }];
const workbook = workbookOf({ sheets: [{ name: 'Staff', rows: textRows(table) }], more });
const password = new Secret('blåbær 1');
const lock = (more: Partial<Locking> = {}): Buffer => lockedOf(workbook, { password: password.reveal(), ...more });

suite('a workbook that is locked with a password', () => {
  let locked: Buffer;
  const refuse = async (bytes: Uint8Array, given: Secret | undefined = password) =>
    refusalOf(read(await fileOf(bytes, 'staff.xlsx'), given && { password: given }));

  before(() => {
    locked = lock();
  });

  test('is read with it: of Excel 2007 and of later ones, from a file, from a stream, and in an archive', async () => {
    const sources = [
      await fileOf(locked, 'staff.xlsx'),
      streamOf(locked),
      streamOf(lock({ hash: 'SHA1', keyBits: 128 })),
      streamOf(lockedOf2007(workbook, password.reveal())),
      streamOf(zipOf([{ name: 'staff.xlsx', content: locked }])),
    ];
    for (const source of sources) {
      const { table: found, roster } = await read(source, { password });
      assert.deepEqual(found, table);
      assert.equal(roster.form.format, 'xlsx');
    }
  });

  test('is refused without it, and with another one, by words that say what to do and hold no password', async () => {
    const without = await refusalOf(read(await fileOf(locked, 'staff.xlsx')));
    assert.match(
      without,
      /staff\.xlsx: this workbook is locked .*Name a file that holds it \(passwordFile of its source\)/,
    );
    for (const bytes of [locked, lockedOf2007(workbook, password.reveal())]) {
      const wrong = await refuse(bytes, new Secret('blåbær 2'));
      assert.match(wrong, /staff\.xlsx: the password is wrong\. Correct it/);
      assert.doesNotMatch(wrong, /bl/);
    }
  });

  test('of which any byte was changed, or an end is missing, gives nothing', async () => {
    const changed = (at: number) => (sealed: Buffer) => {
      const other = Buffer.from(sealed);
      other.writeUInt8(other.readUInt8(at) ^ 1, at);
      return other;
    };
    for (const at of [0, 8, 5000, 9000]) assert.match(await refuse(lock({ spoil: changed(at) })), /was changed/);
    assert.match(await refuse(lock({ spoil: (sealed) => sealed.subarray(0, -4096) })), /damaged/);
    assert.match(await refuse(lock({ spoil: () => Buffer.alloc(3) })), /damaged/);
    assert.match(await refuse(lock({ describe: (xml) => xml.replace(/<dataIntegrity[^>]*>/, '') })), /damaged/);
  });

  test('is not read where its key would keep us busy, or is of a kind that we do not know', async () => {
    assert.match(await refuse(lock({ spinCount: 1_000_001 })), /hashed more than 1000000 times/);
    assert.match(await refuse(lock({ spinCount: 'many' })), /hashed more than 1000000 times/);
    const describe = (xml: string) => xml.replaceAll('ChainingModeCBC', 'ChainingModeCFB');
    assert.match(await refuse(lock({ describe })), /not supported \(AES ChainingModeCFB sha512\)\. Save it again/);
    const EncryptionInfo = Buffer.from([3, 0, 3, 0, 0, 0, 0, 0]);
    const EncryptedPackage = Buffer.alloc(16);
    assert.match(await refuse(compoundFile({ EncryptionInfo, EncryptedPackage })), /not supported \(version 3\.3\)/);
    assert.match(await refuse(compoundFile({ EncryptedPackage })), /rights management/);
  });
});
