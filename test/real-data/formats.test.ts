import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { mapRow } from '../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { personKey, mergeRows, type PersonRow } from '../../src/core/person/member.ts';
import { isReject } from '../../src/core/rows/row.ts';
import type { OpenOptions } from '../../src/roster/open-roster.ts';
import { read, refusalOf } from '../roster/reading.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const skip = existsSync(data) ? false : 'the samples in ../shared/data are not here';

/** What is expected of a file: that it is refused, or how many rows it has and what they become. */
type Expected =
  | RegExp
  | {
      rows: number;
      /** Rows that became a person, before those of one address are judged; absent if the columns do not do. */
      members?: number;
      /** Line and reason of each row that did not. */
      rejects?: string[];
      /** Why its columns do not make a person. */
      columns?: RegExp;
      form?: { format?: string; encoding?: string; delimiter?: string; part?: string; headerLine?: number };
      notes?: RegExp;
      open?: OpenOptions;
      map?: Partial<MappingOptions>;
    };

const noFirst = /no column gives the first name|"[Nn]ame" is not split automatically/;
const noMail = /no column gives the e-mail/;
const nobody = /it has a header and nobody below it/;
const unclear = /not clear which of its values are the people/;

/** Every roster of the samples. The acid tests of csv-spectrum are in test/roster/shared-data.test.ts. */
const files: Record<string, Expected> = {
  'adobe-user-sync/remove-list.csv': { rows: 4, columns: noFirst },
  // Ten names in the header, eight cells in each row: "groups" is among those that are there, and empty.
  'adobe-user-sync/users-file-with-custom-attributes-and-mappings.csv': {
    rows: 3,
    members: 0,
    rejects: ['2: no group: groups is empty', '3: no group: groups is empty', '4: no group: groups is empty'],
    map: { groups: [] },
  },
  'adobe-user-sync/users-file.csv': { rows: 3, members: 3, map: { groups: [] } },
  'bamboohr-custom-report/meta-users.response.json': /it holds no list/,
  'bamboohr-custom-report/report-custom.request.json': unclear,
  // All but one share the address by which the recorder replaced theirs; see below.
  'bamboohr-custom-report/report-custom.response.json': {
    rows: 103,
    members: 102,
    rejects: ['103: e-mail is empty'],
    form: { format: 'json', part: '/employees', headerLine: 0 },
  },
  'csvkit-encodings/bad.csv': { rows: 3, columns: noFirst },
  'csvkit-encodings/blanks.csv': { rows: 1, columns: noFirst },
  'csvkit-encodings/dummy.tsv': { rows: 1, columns: noFirst, form: { delimiter: '\t' } },
  'csvkit-encodings/mac_newlines.csv': { rows: 2, columns: noFirst },
  'csvkit-encodings/null_byte.csv': /line 2: there is a NUL byte/,
  'csvkit-encodings/sheets.xlsx': {
    rows: 5,
    columns: noFirst,
    open: { sheet: 'data' },
    form: { part: 'data' },
    notes: /to the right of its header in one row/,
  },
  'csvkit-encodings/test_empty_columns.csv': { rows: 2, columns: noFirst, notes: /no name for columns 4, 5/ },
  'csvkit-encodings/test_empty_columns_long_row.csv': nobody,
  'csvkit-encodings/test_empty_columns_short_row.csv': nobody,
  'csvkit-encodings/test_header_newline.csv': { rows: 1, columns: noFirst },
  'csvkit-encodings/test_latin1.csv': { rows: 2, columns: noFirst, form: { encoding: 'windows-1252' } },
  'csvkit-encodings/test_locale.csv': { rows: 1, columns: noFirst },
  'csvkit-encodings/test_skip_lines.csv': { rows: 1, columns: noFirst },
  // Three lines of text stand above the table, and a remark to its right.
  'csvkit-encodings/test_skip_lines.xlsx': {
    rows: 5,
    columns: noFirst,
    form: { format: 'xlsx', part: 'Sheet1', headerLine: 4 },
    notes: /to the right of its header in one row/,
  },
  'csvkit-encodings/test_utf16_big.csv': { rows: 2, columns: noFirst, form: { encoding: 'utf-16be' } },
  'csvkit-encodings/test_utf16_little.csv': { rows: 2, columns: noFirst, form: { encoding: 'utf-16le' } },
  'csvkit-encodings/test_utf8.csv': { rows: 2, columns: noFirst },
  'csvkit-encodings/test_utf8_bom.csv': { rows: 2, columns: noFirst },
  'midpoint-csv/Organization.csv': { rows: 3, columns: noFirst, form: { delimiter: ';' } },
  'midpoint-csv/User.csv': { rows: 5, columns: noFirst, form: { delimiter: ';' } },
  'midpoint-csv/midpoint-crm-flatfile.csv': { rows: 2, columns: noMail },
  // A header alone does not mean that everybody has left.
  'midpoint-csv/midpoint-groups.csv': nobody,
  'midpoint-csv/midpoint-hr.csv': { rows: 10, columns: noMail },
  'midpoint-evolveum/hr.csv': { rows: 13, columns: noMail },
  'midpoint-hogwarts/accounts.csv': {
    rows: 69,
    members: 69,
    map: {
      groups: [],
      rules: {
        members: { email: { template: '{login}@hogwarts.example' } },
        groups: [{ column: 'memberOf', split: ';', path: { separator: '/', take: 'every' } }, { always: 'All' }],
      },
    },
  },
  'ms-sds-v1-100users/School.csv': { rows: 2, columns: noFirst },
  'ms-sds-v1-100users/Section.csv': { rows: 28, columns: noFirst },
  // Only user names: the domain is the administrator's to add.
  'ms-sds-v1-100users/Student.csv': {
    rows: 86,
    members: 86,
    map: { rules: { members: { email: { template: '{Username}@contoso.example' } } } },
  },
  'ms-sds-v1-100users/StudentEnrollment.csv': { rows: 602, columns: noFirst },
  'ms-sds-v1-100users/Teacher.csv': {
    rows: 12,
    members: 12,
    map: { rules: { members: { email: { template: '{Username}@contoso.example' } } } },
  },
  'ms-sds-v1-100users/TeacherRoster.csv': { rows: 28, columns: noFirst },
  'scim-rfc7643/enterprise_user.json': {
    rows: 1,
    members: 1,
    open: { records: '' },
    map: {
      groups: [],
      rules: {
        members: {
          firstname: 'name.givenName',
          lastname: 'name.familyName',
          email: 'emails[type=work].value',
          telephone: 'phoneNumbers[type=work].value',
        },
        groups: [{ column: 'groups.display', split: ';' }],
      },
    },
  },
  'scim-rfc7643/group.json': { rows: 2, columns: noFirst, form: { part: '/members' } },
  'vendor-doc-examples/bamboohr-list-employees.json': {
    rows: 2,
    columns: noMail,
    form: { part: '/data' },
    notes: /meta.page.nextCursor" says that there are more people/,
  },
  'vendor-doc-examples/deel-person.json': {
    rows: 1,
    columns: noFirst,
    open: { records: '' },
  },
  'vendor-doc-examples/entra-bulk-create.csv': {
    rows: 2,
    members: 2,
    form: { headerLine: 2 },
    notes: /left out: "version:v1\.0"/,
  },
  'vendor-doc-examples/finch-directory.json': {
    rows: 1,
    columns: noMail,
    form: { part: '/individuals' },
    notes: /paging.count" says that there are more people/,
  },
  'vendor-doc-examples/google-workspace-download.csv': { rows: 2, members: 2 },
  'vendor-doc-examples/google-workspace-upload.csv': { rows: 1, members: 1 },
  'vendor-doc-examples/oneroster-japan-profile-users.csv': { rows: 2, members: 2 },
  'vendor-doc-examples/rippling-workers.json': {
    rows: 1,
    columns: noFirst,
    form: { part: '/results' },
    notes: /next_link" says that there are more people/,
  },
  'workday-raas/personnel-sync.bare-array.json': {
    rows: 2,
    members: 2,
    map: { map: { firstname: 'first', lastname: 'last' } },
  },
  'workday-raas/personnel-sync.missing-email.json': {
    rows: 3,
    members: 2,
    rejects: ['3: e-mail is empty'],
    form: { part: '/Report_Entry' },
  },
  'workday-raas/personnel-sync.report_entry.json': { rows: 2, members: 2, form: { part: '/root/Report_Entry' } },
  'workday-raas/personnel-sync.salesforce.json': {
    rows: 2,
    members: 2,
    form: { part: '/records' },
    map: {
      rules: {
        members: { fullname: { column: 'Name', form: 'First Last' }, email: 'fHCM2__User__r.Email' },
      },
    },
  },
};

async function readPeople(path: string, open: OpenOptions = {}, map: Partial<MappingOptions> = {}) {
  const found = await read(path, open);
  const { roster, rows } = found;
  const mapping = () => resolveColumns(roster.form.header, { groups: ['All'], groupColumns: [], file: path, ...map });
  const mapped = () => {
    const settled = mapping();
    return rows.map((row) => (isReject(row) ? row : mapRow(row, settled)));
  };
  return { ...found, mapping, mapped };
}

suite('the samples', { skip }, () => {
  for (const [name, expected] of Object.entries(files)) {
    test(name, async () => {
      const path = join(data, name);
      if (expected instanceof RegExp) {
        assert.match(await refusalOf(read(path)), expected);
        return;
      }
      const { roster, rows, mapping, mapped } = await readPeople(path, expected.open, expected.map);
      assert.equal(rows.length, expected.rows);
      const form = Object.fromEntries(Object.entries(roster.form).filter(([key]) => key in (expected.form ?? {})));
      assert.deepEqual(form, expected.form ?? {});
      assert.match(roster.form.notes.join('\n'), expected.notes ?? /^$/);
      if (expected.columns) {
        assert.throws(mapping, expected.columns);
        return;
      }
      const results = mapped();
      const rejects = results.filter(isReject).map(({ line, reason }) => `${line}: ${reason}`);
      assert.deepEqual(rejects, expected.rejects ?? []);
      assert.equal(results.filter((result) => 'member' in result).length, expected.members);
    });
  }

  test('are all in the list', async () => {
    const found = (await readdir(data, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
    const rosters = found.filter(
      (name) => /\.(csv|tsv|json|xlsx)$/.test(name) && !/^(csv-spectrum|webhook)/.test(name),
    );
    assert.deepEqual(rosters.toSorted(), Object.keys(files).toSorted());
  });

  test('of BambooHR: 102 people on one address are all rejects', async () => {
    const { mapped } = await readPeople(join(data, 'bamboohr-custom-report/report-custom.response.json'));
    const people = new Map<string, PersonRow[]>();
    for (const result of mapped()) {
      if (!('member' in result)) continue;
      const { row, member, employeeId } = result;
      const key = personKey(member.email);
      const person: PersonRow = { ...row, member, ...(employeeId !== undefined && { employeeId }) };
      people.set(key, [...(people.get(key) ?? []), person]);
    }
    assert.equal(people.size, 1);
    const [rows = []] = people.values();
    const merged = mergeRows(rows, 'workEmail');
    assert.ok(Array.isArray(merged) && merged.length === 102);
    assert.match(merged[0]?.reason ?? '', /people share this address: lines 1, 2, 3/);
  });

  test('of Microsoft SDS: a folder of 98 people with their sections', async () => {
    const { roster, rows, mapped } = await readPeople(
      join(data, 'ms-sds-v1-100users'),
      {},
      {
        groups: [],
        groupColumns: ['sections'],
        rules: { members: { email: { template: '{Username}@contoso.example' } } },
      },
    );
    assert.equal(roster.form.part, 'Microsoft SDS v1');
    assert.deepEqual(roster.form.notes, []);
    assert.equal(rows.length, 98);
    const members = mapped().flatMap((result) => ('member' in result ? [result] : []));
    assert.equal(members.length, 98);
    const memberships = (file: string) =>
      members.filter(({ row }) => row.file.endsWith(file)).reduce((sum, { member }) => sum + member.groups.length, 0);
    // 86 students in seven sections each; 28 sections, each with its teacher.
    assert.equal(memberships('Student.csv'), 602);
    assert.equal(memberships('Teacher.csv'), 28);
  });
});
