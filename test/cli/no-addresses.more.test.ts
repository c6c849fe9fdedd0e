import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openPlace, type Place } from '../support/cli.ts';

describe('a roster in which no column is called e-mail', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    place.write('names.csv', 'First Name,Last Name,Department\nAnn,Ek,Sales\nBo,Oh,Support\n');
    place.write('upn.csv', 'Given,First Name,Last Name,UserName\nx,Ann,Ek,ann@example.com\nx,Bo,Oh,bo@example.com\n');
    place.write('empty.csv', 'First Name,Last Name,Email,Username\nAnn,Ek,,ann@example.com\nBo,Oh,,bo@example.com\n');
    place.write('logins.csv', 'First Name,Last Name,Login\nAnn,Ek,ann.ek\nBo,Oh,bo.oh\n');
  });

  it('has none at all: import says so and gives a template that works', async () => {
    const refused = await place.run('import', 'names.csv', '--group-column', 'Department', '--dry-run');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /no column contains addresses \(2 rows checked\)\. If yours are made of names:/);
    const template = '{First Name}.{Last Name}@example.com';
    assert.ok(refused.stderr.includes(`--map email="${template}", with your domain.`), refused.stderr);
    assert.doesNotMatch(refused.stderr, /email="COLUMN"/);
    const done = await place.run(
      'import',
      'names.csv',
      '--group-column',
      'Department',
      '--dry-run',
      '--map',
      `email=${template}`,
    );
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /<Ann\.Ek@example\.com> -> Sales/);
  });

  it('has user names: they are what the template is made of', async () => {
    const { stderr } = await place.run('import', 'logins.csv', '--group', 'All', '--dry-run');
    assert.ok(stderr.includes('--map email="{Login}@example.com", with your domain.'), stderr);
  });

  it('has them in a column that its name says nothing of: import names it, and how many there are', async () => {
    const { code, stderr } = await place.run('import', 'upn.csv', '--group', 'All', '--dry-run');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /no column is called e-mail; addresses are in "UserName" \(2 of 2 rows\)\. If they are work addresses, use --map email="UserName"\./,
    );
  });

  it('has two columns that fit: import asks unless all rows of both are the same, however many the rows', async () => {
    const rows = (other: (at: number) => string): string =>
      Array.from({ length: 1200 }, (_, at) => `Ann${'abcdefghij'[at % 10]},Ek,a${at}@example.com,${other(at)}\n`).join(
        '',
      );
    for (const [name, differs] of [
      ['early.csv', 3],
      ['late.csv', 1150],
      ['never.csv', 1200],
    ] as const) {
      const other = (at: number): string => (at < differs ? `a${at}@example.com` : `a${at}@gmail.com`);
      place.write(name, `First Name,Last Name,Work Email,Email\n${rows(other)}`);
      const { code, stderr } = await place.run('import', name, '--group', 'All', '--dry-run');
      assert.equal(code, differs < 1200 ? 2 : 0, stderr);
      if (differs < 1200) assert.match(stderr, /e-mail can come from "Work Email" or "Email"/);
    }
  });

  it('has several columns of private addresses: import takes none of them, and does not say which', async () => {
    place.write(
      'private.csv',
      'First Name,Last Name,Personal Email,Secondary Email\nAnn,Ek,ann@gmail.com,ann@example.com\nBo,Li,bo@gmail.com,\n',
    );
    const { code, stderr } = await place.run('import', 'private.csv', '--group', 'All', '--dry-run');
    assert.equal(code, 2);
    assert.match(stderr, /"Secondary Email" \(1 of 2 rows\)\. Use the one with work addresses: --map email="COLUMN"\./);
    for (const name of ['Personal', 'Secondary'])
      assert.ok(stderr.includes(`"${name} Email" is not used automatically`));
  });

  it('has an e-mail column that is empty: import names the one with the addresses', async () => {
    const { code, stderr } = await place.run('import', 'empty.csv', '--group', 'All', '--dry-run');
    assert.equal(code, 2);
    assert.match(stderr, /None of the 2 rows .*Addresses are in "Username" \(2 of 2 rows\)/);
  });

  it('the advice for a source of the config names settings, with the domain of the other sources', async () => {
    place.write(
      'sources.yaml',
      [
        'sources:',
        '  other: { file: ./x.csv, allow: { emails: { domains: [corp.example] } } }',
        '  names: { file: ./names.csv, groups: [{ column: Department }] }',
      ].join('\n'),
    );
    const { stderr } = await place.run('sync', 'names', '--dry-run', '--config', 'sources.yaml');
    assert.ok(stderr.includes('members: { email: { template: "{First Name}.{Last Name}@corp.example" } }.'), stderr);
  });

  it('inspect and the block for the config say the same', async () => {
    const { value } = await place.json<{ problem?: string; block: string[] }>('inspect', 'names.csv');
    assert.match(value.problem ?? '', /no column contains addresses \(2 rows checked\)/);
    assert.ok(
      value.block.some((line) =>
        line.includes('# email: { template: "{First Name}.{Last Name}@example.com" } # no column'),
      ),
      value.block.join('\n'),
    );
  });
});
