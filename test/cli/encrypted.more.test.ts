import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { gpg, makeKey, withoutGpg } from '../roster/pgp-keys.ts';
import { lockedOf } from '../roster/locked-writer.ts';
import { textRows, workbookOf } from '../roster/workbook-writer.ts';
import { openPlace, type Place } from '../support/cli.ts';

const csv = 'First Name,Last Name,Email\nAnn,Ek,ann@example.com\n';

suite('import of a file whose source has PGP keys', { skip: withoutGpg }, () => {
  let place: Place;
  const dryRun = (file: string) => place.run('import', file, '--source', 'payroll', '--dry-run');

  before(async () => {
    place = await openPlace({}, { here: true });
    place.write('key.asc', makeKey('payroll').privateKey);
    place.write('bank.asc', makeKey('bank').publicKey);
    place.write(
      'roster-sync.yaml',
      `sources:
  payroll: { groups: [{ always: Staff }], pgp: { privateKeyFile: ./key.asc } }
  signed: { groups: [{ always: Staff }], pgp: { privateKeyFile: ./key.asc, signedByFile: ./bank.asc } }
`,
    );
    const to = ['--recipient', 'payroll@example.com'];
    place.write('plain.csv', csv);
    place.write('staff.csv.pgp', gpg([...to, '--encrypt'], csv));
    place.write('signed.csv.pgp', gpg([...to, '--local-user', 'bank@example.com', '--sign', '--encrypt'], csv));
  });

  test('decrypts it with them, and still reads what is not encrypted', async () => {
    for (const file of ['staff.csv.pgp', 'plain.csv']) {
      const { code, stdout, stderr } = await dryRun(file);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Ann Ek <ann@example\.com> -> Staff/, file);
    }
  });

  test('takes only what is signed where the source says so', async () => {
    const run = (file: string) => place.run('import', file, '--source', 'signed', '--dry-run');
    assert.equal((await run('signed.csv.pgp')).code, 0);
    for (const [file, why] of [
      ['plain.csv', /must be encrypted and signed, and it is not/],
      ['staff.csv.pgp', /not signed/],
    ] as const) {
      const { code, stderr } = await run(file);
      assert.equal(code, 2);
      assert.match(stderr, why, file);
    }
  });
});

suite('a workbook that is locked with a password', () => {
  let place: Place;
  const table = [
    ['First Name', 'Last Name', 'Email', 'Team'],
    ['Ann', 'Ek', 'ann@example.com', 'Sales'],
  ];
  const more = [{ name: 'xl/media/image1.png', content: randomBytes(5000) }];
  const workbook = workbookOf({ sheets: [{ name: 'Staff', rows: textRows(table) }], more });

  before(async () => {
    place = await openPlace({}, { here: true });
    for (const folder of ['secret', 'settings']) mkdirSync(join(place.folder, folder));
    place.write('staff.xlsx', lockedOf(workbook, { password: 'hemlig 7' }));
    place.write('secret/password', 'hemlig 7\n');
  });

  test('is read by every command that reads a file, with the file of its password, which init keeps as a setting', async () => {
    for (const words of [
      ['import', 'staff.xlsx', '--dry-run', '--group-column', 'Team'],
      ['plan', 'staff.xlsx', '--group-column', 'Team'],
      ['inspect', 'staff.xlsx'],
      ['init', 'staff.xlsx', '--config', 'settings/roster-sync.yaml'],
    ]) {
      const { code, stdout, stderr } = await place.run(...words, '--password-file', 'secret/password');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Sales|Team/);
    }
    assert.match(place.read('settings/roster-sync.yaml'), /^    passwordFile: \.\.\/secret\/password$/m);
    const { code, stdout, stderr } = await place.run(
      'sync',
      'staff',
      '--dry-run',
      '--config',
      'settings/roster-sync.yaml',
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Ann Ek <ann@example\.com> -> Sales/);
  });

  test('is refused without a file of its password, or with one that holds none or another, and shows none', async () => {
    place.write('empty', '\n');
    place.write('wrong', 'hemlig 8');
    place.write('two', 'hemlig 8\nhemlig 9\n');
    for (const [words, why] of [
      [[], /locked with a password\. Name a file that holds it .*--password-file FILE names a file/],
      [['--password-file', 'nowhere'], /^nowhere: there is no such file/m],
      [['--password-file', 'empty'], /^empty: it is empty\. Write the password/m],
      [['--password-file', 'wrong'], /^staff\.xlsx: the password is wrong/m],
      [['--password-file', 'two'], /^two: this is not a password\. Write one line/m],
    ] as const) {
      const { code, stdout, stderr } = await place.run('plan', 'staff.xlsx', ...words);
      assert.equal(code, 2);
      assert.match(stderr, why);
      assert.doesNotMatch(stdout + stderr, /hemlig/);
    }
  });
});
