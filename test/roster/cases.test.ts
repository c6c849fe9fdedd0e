// Small files that strangers have, and what is right to say of them: read rightly, asked, rejected, or remarked on.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { openPlace, type Place } from '../support/cli.ts';

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
  { file: '21-users.ldif', flags: ['--group', 'All'], code: 2, says: [/this is LDIF/] },
];

describe('small files that were read wrongly', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { here: true });
  });

  for (const { file, flags, code, says } of all) {
    it(`${file} ${flags.join(' ')} is read rightly, asked about, or refused with what to do`, async () => {
      copyFileSync(join(cases, file), join(place.folder, file));
      const ended = await place.run('import', file, '--dry-run', ...flags);
      const said = ended.stdout + ended.stderr;
      assert.equal(ended.code, code, said);
      for (const pattern of says) assert.match(said, pattern);
    });
  }
});
