import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Secret } from '../../src/core/secrets/secret.ts';
import { keyFault, type PgpKeys } from '../../src/roster/pgp/decrypt.ts';
import { faultOf, withKeyring } from '../../src/roster/pgp/gpg.ts';
import { gpg, makeKey, type TestKey, withoutGpg } from './pgp-keys.ts';
import { fileOf, newPath, read, refusalOf, streamOf } from './reading.ts';
import { textRows, workbookOf } from './workbook-writer.ts';

const csv = `First Name,Last Name,Email\nÅse,Ek,ase@example.com\n${'Bo,By,bo@example.com\n'.repeat(5000)}`;

suite('a file that is encrypted with PGP', { skip: withoutGpg }, () => {
  let ours: TestKey;
  let locked: TestKey;
  let theirs: TestKey;
  let keys: PgpKeys;
  const encrypted = (more: readonly string[] = [], content: string | Uint8Array = csv) =>
    gpg(['--recipient', 'ours@example.com', ...more, '--encrypt'], content);
  const signed = (by = 'theirs@example.com') => encrypted(['--local-user', by, '--sign']);
  const refuse = async (content: string | Uint8Array, pgp: PgpKeys | undefined = keys, limits = {}) =>
    refusalOf(read(await fileOf(content, 'staff.csv.pgp'), { ...(pgp && { pgp }), limits }));

  before(() => {
    ours = makeKey('ours');
    // A passphrase takes gpg seconds, so that nobody can try many.
    locked = makeKey('locked', 'correct horse');
    theirs = makeKey('theirs');
    makeKey('others');
    keys = { privateKey: new Secret(ours.privateKey) };
  });

  test('is read, as bytes and as text, from a file and from a stream, whatever is in it', async () => {
    for (const content of [encrypted(), encrypted(['--armor'])]) {
      for (const source of [await fileOf(content, 'staff.csv.pgp'), streamOf(content)]) {
        const { table, roster } = await read(source, { pgp: keys });
        assert.deepEqual(table[1], ['Åse', 'Ek', 'ase@example.com']);
        assert.equal(table.length, 5002);
        assert.equal(roster.form.format, 'csv');
      }
    }
    const workbook = workbookOf({
      sheets: [{ name: 'Staff', rows: textRows([['Email'], ['a@example.com']]) }],
    });
    for (const content of [gzipSync(csv), workbook]) {
      assert.ok((await read(await fileOf(encrypted([], content)), { pgp: keys })).table.length > 1);
    }
  });

  test('leaves no keys behind', async () => {
    const folders = async () => (await readdir(tmpdir())).filter((name) => /^roster-pgp-(?!test)/.test(name));
    await read(await fileOf(encrypted()), { pgp: keys });
    await refuse('-----BEGIN PGP MESSAGE-----\n\nx\n');
    assert.deepEqual(await folders(), []);
  });

  test('is refused where a byte of it was changed, wherever', async () => {
    const whole = encrypted();
    for (const at of [0.5, 0.999]) {
      const content = Buffer.from(whole);
      const place = Math.floor(content.length * at);
      content[place] = (content[place] ?? 0) ^ 0x55;
      assert.match(await refuse(content), /damaged, cut off, or was changed.*Nothing of it was read/, `${at}`);
    }
  });

  test('is refused where it was cut off, wherever', async () => {
    for (const content of [encrypted(), encrypted(['--compress-algo', 'none']), encrypted(['--armor'])]) {
      for (const length of [content.length >> 1, content.length - 1]) {
        const message = await refusalOf(
          read(await fileOf(content.subarray(0, length)), { pgp: keys }).then(({ table }) => {
            // A text may lack its last line end.
            assert.equal(table.length, 5002);
            return Promise.reject(new Error('whole'));
          }),
        ).catch((error: unknown) => String(error));
        assert.match(message, /damaged, cut off, or was changed|whole/);
      }
    }
  });

  test('is refused without a key, with another, and with a wrong passphrase, which no message holds', async () => {
    const whole = encrypted();
    assert.match(
      await refusalOf(read(await fileOf(whole))),
      /encrypted with PGP. Set pgp.privateKeyFile of its source/,
    );
    const other = { privateKey: new Secret(theirs.privateKey) };
    assert.match(await refuse(whole, other), /encrypted for another key \([0-9A-F]{16}\)/);
    const closed = gpg(['--recipient', 'locked@example.com', '--encrypt'], csv);
    const key = { privateKey: new Secret(locked.privateKey) };
    const opened = await read(await fileOf(closed), {
      pgp: { ...key, passphrase: new Secret('correct horse') },
    });
    assert.equal(opened.table.length, 5002);
    const message = await refuse(closed, { ...key, passphrase: new Secret('battery staple') });
    assert.match(message, /does not open with this passphrase. Check pgp.passphrase/);
    assert.doesNotMatch(message, /battery/);
    assert.match(await refuse(closed, key), /does not open with this passphrase/);
    assert.match(await refuse(whole, { privateKey: new Secret('x') }), /pgp.privateKey holds no private key/);
    assert.match(
      await refuse(whole, { privateKey: new Secret(ours.publicKey) }),
      /pgp.privateKey holds no private key/,
    );
  });

  test('must be signed by a key of the settings, where there is one', async () => {
    const strict = { ...keys, signedBy: theirs.publicKey };
    assert.equal((await read(await fileOf(signed()), { pgp: strict })).table.length, 5002);
    assert.match(await refuse(encrypted(), strict), /the file is not signed. Nothing of it was read/);
    assert.match(await refuse(signed('others@example.com'), strict), /not signed by a key in pgp.signedBy/);
    const byUs = signed('ours@example.com');
    assert.match(await refuse(byUs, strict), /not signed by a key in pgp.signedBy/);
    assert.equal((await read(await fileOf(signed()), { pgp: keys })).table.length, 5002);
    assert.match(await refuse(signed(), { ...keys, signedBy: 'x' }), /pgp.signedBy holds no key/);
  });

  test('cannot be replaced by one that is not encrypted, where it must be signed', async () => {
    const strict = { ...keys, signedBy: theirs.publicKey };
    assert.match(await refuse(csv, strict), /must be encrypted and signed, and it is not/);
    assert.match(await refuse(gzipSync(csv), strict), /must be encrypted and signed, and it is not/);
    const clear = gpg(['--local-user', 'theirs@example.com', '--clearsign'], csv);
    assert.match(await refuse(clear, strict), /must be encrypted and signed, and it is not/);
    const only = gpg(['--local-user', 'theirs@example.com', '--armor', '--sign'], csv);
    assert.match(await refuse(only, strict), /Nothing of it was read/);
  });

  test('that unpacks to more than it may is refused, with what it unpacks to', async () => {
    const bomb = encrypted([], Buffer.alloc(64 * 1024 ** 2, 'a'));
    assert.ok(bomb.length < 1024 ** 2);
    assert.match(await refuse(bomb, keys, { unpacked: 1024 ** 2 }), /decrypted: it has more than 1.0 MB/);
  });

  test('without gpg is refused with what to install', async () => {
    assert.match(
      await refuse(Buffer.from('-----BEGIN PGP MESSAGE-----\n'), { ...keys, programs: newPath('nowhere') }),
      /there is no program gpg here. Install it \(Debian: apt-get install gnupg\)/,
    );
  });

  test('has its keys tried before, so that doctor can tell', async () => {
    assert.equal(await keyFault(keys), undefined);
    assert.equal(await keyFault({ ...keys, signedBy: theirs.publicKey }), undefined);
    assert.match(
      (await keyFault({
        privateKey: new Secret(locked.privateKey),
        passphrase: new Secret('x'),
      })) ?? '',
      /does not open with this passphrase/,
    );
    assert.match((await keyFault({ privateKey: new Secret('x') })) ?? '', /holds no private key/);
  });
});

test('text that begins with a sign above ASCII is no PGP', async () => {
  const bytes = Buffer.from('\xc1atko,Email\nx,a@example.com\n', 'latin1');
  assert.equal((await read(await fileOf(bytes), { encoding: 'windows-1251' })).table.length, 2);
});

test('what gpg says is taken only where it says all of it', () => {
  const lines = (...words: string[]) => words.map((word) => ({ word, values: [] }));
  const good = ['BEGIN_DECRYPTION', 'PLAINTEXT', 'DECRYPTION_OKAY', 'GOODMDC', 'END_DECRYPTION'];
  assert.equal(faultOf(0, lines(...good), undefined), undefined);
  for (const word of good.slice(0, -1)) {
    assert.ok(faultOf(0, lines(...good.filter((one) => one !== word)), undefined), word);
  }
  for (const word of ['NODATA', 'BADMDC', 'TRUNCATED', 'DECRYPTION_FAILED', 'PLAINTEXT']) {
    assert.ok(faultOf(0, lines(...good, word), undefined), word);
  }
  assert.ok(faultOf(2, lines(...good), undefined));
  assert.ok(faultOf(0, lines(...good), ['KEY']));
});

const childrenOf = `/proc/${process.pid}/task/${process.pid}/children`;
const skip = withoutGpg || (existsSync(childrenOf) ? false : 'this system does not list the children of a process');

test('the output of gpg is whole, also for a reader that begins after gpg has ended', { skip }, async () => {
  const children = (): string => readFileSync(childrenOf, 'utf8');
  const before = children();
  const { output } = await withKeyring('a test', (gpg) =>
    gpg(['--print-md', 'SHA256'], {
      input: Readable.from(['abc']),
      async take(printed) {
        while (children() !== before) await sleep(5);
        // What Node does once a child has ended is done in the next turns.
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        const parts: Uint8Array[] = [];
        for await (const part of printed) parts.push(part);
        return Buffer.concat(parts).toString();
      },
    }),
  );
  assert.match(output, /BA7816BF 8F01CFEA/);
});
