import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Finding } from '../../src/wiring/findings.ts';
import { csvOf, envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

const unreadable = `sources:
  empty: {}
  twice: { file: ./staff.csv, http: { url: "https://hr.example/staff" } }
  misnamed: { preset: foo, file: ./staff.csv }
  untold: { preset: hibob }
  nightly: { groups: [{ always: Staff }], schedule: { cron: "15 2 * * *", timezone: UTC } }
  fine: { file: ./staff.csv }
  rules: { groups: [{ always: Staff }] }
`;
const said: [string, RegExp][] = [
  [
    'empty',
    /yaml:2: sources\.empty: Exactly one of file, http, sftp, ldap, sql, s3 and azureBlob .* none of them is set/,
  ],
  [
    'twice',
    /yaml:3: sources\.twice: Exactly one of file, http, sftp, ldap, sql, s3 and azureBlob .* 2 of them are set/,
  ],
  ['misnamed', /yaml:4: sources\.misnamed: There is no preset "foo"/],
  ['untold', /yaml:5: sources\.untold: The preset hibob: account\.\w+ is missing/],
  ['nightly', /yaml:6: sources\.nightly: Exactly one of file, http, sftp, ldap, sql, s3 and azureBlob/],
];

test('a dry run of a source without groups advises its settings, and no flag that sync lacks', async () => {
  const place = await openPlace({}, { bare: true, here: true });
  place.write('roster-sync.yaml', 'sources: { staff: { file: ./staff.csv } }\n');
  place.write('staff.csv', 'firstname,lastname,mail,email\nAnn,Ek,a@x.example,b@x.example\n');
  const { code, stderr } = await place.run('sync', 'staff', '--dry-run');
  assert.equal(code, 2);
  assert.match(stderr, /members: \{ email: COLUMN \}.*\n.*set groups of the source/);
  assert.doesNotMatch(stderr, /--/);
  const imported = await place.run('import', 'staff.csv', '--dry-run');
  assert.match(imported.stderr, /--group NAME.*, or set groups of the source/);
});

suite('sources that nobody can read', () => {
  test('are refused at once by whatever sends, serves or shows settings, and not by who asks the ledger', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox), { here: true });
    place.write('roster-sync.yaml', unreadable);
    place.write('staff.csv', csvOf(1));
    for (const words of [
      ['serve', '--port', '0'],
      ['worker'],
      ['config'],
      ['sync', 'fine', '--yes'],
      ['import', 'staff.csv', '--yes'],
    ]) {
      const { code, stdout, stderr } = await place.run(...words);
      assert.deepEqual([code, stdout], [2, ''], words.join(' '));
      assert.match(stderr, /The settings have 5 problems:/, words.join(' '));
      for (const [, problem] of said) assert.match(stderr, problem);
    }
    assert.equal(sandbox.calls.length, 0);
    for (const words of [['runs'], ['schedules'], ['prune', '--dry-run']]) {
      const { code, stderr } = await place.run(...words);
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
    }
  });

  test('are each a problem of doctor, which still describes the other sources', async (t) => {
    const place = await openPlace(envOf(await openSandbox(t)), { here: true });
    place.write('roster-sync.yaml', unreadable);
    const { ended, value } = await place.json<{ findings: Finding[] }>('doctor');
    assert.equal(ended.code, 2);
    const found = new Map(value.findings.map((finding) => [finding.what, finding]));
    for (const [name, problem] of said) {
      assert.equal(found.get(`source ${name}`)?.state, 'problem');
      assert.match(found.get(`source ${name}`)?.text ?? '', problem);
    }
    assert.equal(found.get('source fine')?.state, 'ok');
    assert.match(found.get('source rules')?.text ?? '', /for imports and events/);
  });
});
