// Small files that strangers have, and what is right to say of them: read rightly, asked, rejected, or remarked on.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place } from '../support/cli.ts';

const cases = join(import.meta.dirname, '../fixtures/cases');

interface Case {
  file: string;
  /** Besides `import FILE --dry-run`: the flags that its messages ask for. */
  flags: string[];
  /** 2: nothing can be read so; 3: it is asked, and held where nobody is there to answer. */
  code: 0 | 2 | 3;
  says: RegExp[];
}

const all: Case[] = [
  {
    file: '05-powershell-type-as-group.csv',
    flags: ['--group-column', 'MemberOf'],
    code: 2,
    says: [/group .Microsoft\.ActiveDirectory\S+ is what a program wrote in place of a value/],
  },
  {
    file: '06-groups-in-json-list.csv',
    flags: ['--group-column', 'Teams'],
    code: 0,
    says: [/ann@example\.com> -> Sales, HR\n/, /bo@example\.com> -> Sales\n/, /ida@example\.com> -> Sales, HR\n/],
  },
  {
    file: '08-formula-as-group.csv',
    flags: ['--group-column', 'Department'],
    code: 2,
    says: [/=HYPERLINK.* is a formula/],
  },
  { file: '13-student-name.csv', flags: ['--group', 'All'], code: 2, says: [/--map fullname="Student Name"/] },
  {
    file: '13-student-name.csv',
    flags: ['--group', 'All', '--map', 'fullname=Student Name'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> All/],
  },
  {
    file: '13c-first-last-prefixed.csv',
    flags: ['--group', 'All'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> All/],
  },
  { file: '14-heading-with-line-break.csv', flags: ['--group', 'All'], code: 0, says: [/Ann Ek <ann@example\.com>/] },
  {
    file: '15-none-usable-hint.csv',
    flags: ['--map', 'email={Login}@example.com', '--group-column', 'Section'],
    code: 2,
    says: [/The commonest reject, line 3: "Section: no group: Section is .-./, /^(?!.*--map email)/s],
  },
  {
    file: '16-json-list-in-list.json',
    flags: ['--records', '/0/answer/students', '--group-column', 'class'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> 1A/, /Bo Falk <bo@example\.com> -> 1B/],
  },
  {
    file: '16-json-list-in-list.json',
    flags: ['--group', 'All'],
    code: 2,
    says: [/--records \/0\/answer\/students/],
  },
  {
    file: '17-name-and-address-in-one.csv',
    flags: ['--group-column', 'Team'],
    code: 2,
    says: [/--map fullname="Contact"/, /--map email="Contact"/],
  },
  {
    file: '17-name-and-address-in-one.csv',
    flags: ['--group-column', 'Team', '--map', 'fullname=Contact', '--map', 'email=Contact'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Sales/],
  },
  {
    file: '18-entra-display-name-only.csv',
    flags: ['--group', 'All'],
    code: 2,
    says: [/use --map fullname="Name \[displayName\] Required"/],
  },
  { file: '19-empty-column-competes.csv', flags: ['--group', 'All'], code: 0, says: [/Ann Ek <ann@example\.com>/] },
  {
    file: '20-no-heading-no-address.csv',
    flags: ['--group', 'All'],
    code: 2,
    says: [/Add a line above it that names the columns/],
  },
  {
    file: '40-generic-type-left.csv',
    flags: ['--group-column', 'Team'],
    code: 0,
    says: [/line 4 group "List`1\[System\.String\]" is what a program wrote/],
  },
  {
    file: '41-groups-signs.csv',
    flags: ['--group-column', 'Department'],
    code: 0,
    says: [/look like others: "Verkauf\." \(1\) like "Verkauf" \(2\) and "Ver-kauf" \(1\)/, /Verkauf +2\n/],
  },
  {
    file: '42-block-class.csv',
    flags: ['--group-column', 'Class', '--group', 'All'],
    code: 0,
    says: [/"Class" is empty below a filled cell in 3 rows: does the group continue there\?/],
  },
  {
    file: '43-cost-centre-codes.csv',
    flags: ['--group-column', 'Cost centre'],
    code: 0,
    says: [/look like codes: "4100", "4200"; --map-group 4100=NAME/],
  },
  {
    file: '43-cost-centre-codes.csv',
    flags: ['--group-column', 'Cost centre', '--map-group', '4100=Sales', '--map-group-file', '52-codes.csv'],
    code: 0,
    says: [/ann@example\.com> -> Sales\n/, /bo@example\.com> -> "Finance, Nordic"\n/, /^(?!.*codes: )/s],
  },
  {
    file: '44-japanese-name.csv',
    flags: ['--map', 'fullname=氏名', '--group', 'All'],
    code: 0,
    says: [/太郎 山田 </, /1 name of one word is split behind the surname/],
  },
  { file: '45-pupil.csv', flags: ['--group', 'All'], code: 2, says: [/--map fullname="Pupil"/] },
  {
    file: '46-name-address-brackets.csv',
    flags: ['--group-column', 'Group', '--map', 'fullname=Member', '--map', 'email=Member'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Sales/],
  },
  {
    file: '47-cut-department.csv',
    flags: ['--group-column', 'Department'],
    code: 0,
    says: [/line 4 the file ends in this row, and its last cell, "Marketi", is the beginning of "Marketing"/],
  },
  { file: '48-nome.csv', flags: ['--group', 'All'], code: 2, says: [/--map fullname="Nome"/] },
  {
    file: '49-quote-in-heading.csv',
    flags: ['--group-column', 'Section'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Cubs/],
  },
  {
    file: '50-graphql.json',
    flags: ['--group-column', 'node.team'],
    code: 0,
    says: [/Ann Ek <ann@example\.com> -> Sales/],
  },
  {
    file: '51-php-serialised-group.csv',
    flags: ['--group-column', 'Team'],
    code: 0,
    says: [/3 rows = 1 used \+ 2 rejected/],
  },
  { file: '21-users.ldif', flags: ['--group', 'All'], code: 2, says: [/this is LDIF/] },
];

describe('small files that were read wrongly', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { here: true });
    for (const file of readdirSync(cases)) copyFileSync(join(cases, file), join(place.folder, file));
  });

  it('14-heading-with-line-break.csv: what `init` writes of it can be read', async () => {
    const written = await place.run('init', '14-heading-with-line-break.csv', '--group', 'All');
    assert.equal(written.code, 0, written.stderr);
    const { code, stdout, stderr } = await place.run('sync', '14-heading-with-line-break', '--dry-run');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Ann Ek <ann@example\.com> -> All/);
    rmSync(join(place.folder, 'roster-sync.yaml'));
  });

  for (const { file, flags, code, says } of all) {
    it(`${file} ${flags.join(' ')} is read rightly, asked about, or refused with what to do`, async () => {
      const ended = await place.run('import', file, '--dry-run', ...flags);
      const said = ended.stdout + ended.stderr;
      assert.equal(ended.code, code, said);
      for (const pattern of says) assert.match(said, pattern);
    });
  }
});

describe('a file beside what its source had before', () => {
  let sandbox: Sandbox;
  let place: Place;
  const header = 'First name,Last name,Email,Department\n';
  const rows = ['Ann,Ek,ann@example.com,Sales', 'Bo,Falk,bo@example.com,Finance'].join('\n');
  before(async () => {
    sandbox = await startSandbox();
    place = await openPlace(envOf(sandbox), { here: true });
    place.write('staff.csv', `${header}${rows}\n`);
    const { code, stderr } = await place.run('import', 'staff.csv', '--group-column', 'Department', '--yes');
    assert.equal(code, 0, stderr);
  });
  after(() => sandbox.close());
  const dry = async (text: string, ...flags: string[]) => {
    place.write('staff.csv', header + text);
    return place.run('import', 'staff.csv', '--group-column', 'Department', '--dry-run', ...flags);
  };

  it('whose last line has no line end, as former files had, is held, and its last row rejected', async () => {
    const { code, stdout } = await dry(`${rows}\nIda,Lund,ida@example.com,Ma`);
    assert.equal(code, 3, stdout);
    assert.match(stdout, /line 4 the file ends in this row, and former files of this source ended with a line end/);
    assert.match(stdout, /Held .*\n.*3 rows, usually 2; it ends without a newline/);
  });

  it('with a group that looks like one given before is remarked on, and new groups are marked', async () => {
    const { code, stdout } = await dry(`${rows}\nIda,Lund,ida@example.com,Sаles\nEva,Ost,eva@example.com,Legal\n`);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /groups that look like others: "Sаles" \(1\) like "Sales" \(given before\)/);
    assert.match(stdout, /Legal \(new\) +1\n/);
  });
});
