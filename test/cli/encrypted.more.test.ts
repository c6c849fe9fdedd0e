import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { gpg, makeKey, withoutGpg } from '../roster/pgp-keys.ts';
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
      ['plain.csv', /not encrypted and signed/],
      ['staff.csv.pgp', /not signed/],
    ] as const) {
      const { code, stderr } = await run(file);
      assert.equal(code, 2);
      assert.match(stderr, why, file);
    }
  });
});
