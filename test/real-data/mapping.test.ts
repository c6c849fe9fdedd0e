import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { columnsToRead } from '../../src/core/mapping/mapping-options.ts';
import { resolveColumns } from '../../src/core/mapping/mapping.ts';
import type { MappingRules } from '../../src/core/mapping/mapping-rules.ts';
import { RowCensus } from '../../src/core/inspect/census.ts';
import { openRoster } from '../../src/roster/open-roster.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const skip = existsSync(data) ? false : 'the samples in ../shared/data are not here';

/** The day by which an end is in the past. */
const today = new Date('2026-11-20T00:00:00Z');

/** Rules such as a person would write for a roster, and the expected result. */
type Expected = { file: string; rules: MappingRules; records?: string } & (
  | { refused: RegExp }
  | {
      people: number;
      /** Why rows are left out, and how many. */
      filtered?: Record<string, number>;
      rejects?: Record<string, number>;
      /** All groups with the people in them. */
      groups: Record<string, number>;
      remarks?: string[];
    }
);

const rosters: Record<string, Expected> = {
  'hogwarts, every level of the paths': {
    file: 'midpoint-hogwarts/accounts.csv',
    rules: {
      members: { email: { template: '{login}@hogwarts.example' } },
      except: [{ column: 'disabled', is: true }],
      groups: [{ column: 'memberOf', split: ';', path: { separator: '/', take: 'every' } }],
    },
    people: 69,
    groups: {
      Hogwarts: 69,
      'Hogwarts/Students': 52,
      'Hogwarts/Students/Gryffindor': 20,
      'Hogwarts/Staff': 17,
      'Hogwarts/Staff/Professors': 14,
      'Hogwarts/Students/Ravenclaw': 12,
      'Hogwarts/Students/Hufflepuff': 11,
      'Hogwarts/Students/Slytherin': 9,
      'quiddich-hufflepuff': 7,
      'quiddich-griffindor': 6,
      'Hogwarts/Staff/Auxiliary': 4,
      'quiddich-ravenclaw': 4,
      'quiddich-slytherin': 4,
    },
  },
  'evolveum, names and ids in columns of their own': {
    file: 'midpoint-evolveum/hr.csv',
    rules: {
      members: { email: { template: '{empno}@evolveum.example' }, employeeId: 'empno' },
      only: [{ column: 'active', is: true }],
      groups: [{ template: 'Unit {orgId}' }, { when: { column: 'job', startsWith: 'Software' }, add: 'Developers' }],
    },
    people: 13,
    groups: {
      ...{ Developers: 5, 'Unit F1110': 4, 'Unit F1130': 3, 'Unit F1200': 3 },
      ...{ 'Unit F1100': 1, 'Unit F1210': 1, 'Unit F1220': 1 },
    },
  },
  'evolveum, whole names with titles behind a comma': {
    file: 'midpoint-evolveum/hr.csv',
    rules: {
      members: {
        fullname: { column: 'fullname', form: 'First Last' },
        email: { template: '{empno}@evolveum.example' },
      },
      groups: [{ always: 'All staff' }],
    },
    people: 13,
    groups: { 'All staff': 13 },
    remarks: [
      '10 names have commas or titles and are sent as written; the first: line 2',
      '2 remarks after names are left out; the first: line 3, "PhD"',
    ],
  },
  'groups separated by # in a file separated by ;': {
    file: 'midpoint-csv/User.csv',
    rules: {
      members: { firstname: 'name', lastname: 'name', email: { template: '{name}@example.com' } },
      groups: [{ column: 'organization', split: '#' }],
    },
    people: 4,
    rejects: { 'no group: organization is empty': 1 },
    groups: { org1: 2, org2: 2, org3: 1 },
    remarks: [
      '5 people have digits in their names and are sent as written; the first: line 2',
      '4 names look like a test, a vacancy or a team, and are sent; the first: line 2',
    ],
  },
  'an inverted flag': {
    file: 'midpoint-csv/midpoint-hr.csv',
    rules: {
      members: { email: { template: '{firstname}.{lastname}@example.com' } },
      only: [{ column: 'disabled', is: false }],
      groups: [{ always: 'All staff' }],
    },
    people: 8,
    filtered: { 'disabled is yes': 2 },
    groups: { 'All staff': 8 },
  },
  'a customer as the group': {
    file: 'midpoint-csv/midpoint-crm-flatfile.csv',
    rules: { members: { email: 'customerContact' }, groups: [{ column: 'customerDisplayName' }] },
    people: 2,
    groups: { 'Ultra One Cloud Inc.': 1, 'Your Things Ours - Cloud Solutions Inc.': 1 },
  },
  'adobe user-sync, a template of which a part is empty': {
    file: 'adobe-user-sync/users-file.csv',
    rules: { groups: [{ column: 'groups', split: ',' }, { template: '{country} – {type}' }] },
    people: 3,
    groups: { 'AdobeCC-All': 3, 'US – enterpriseID': 1, 'US – federatedID': 1 },
  },
  'adobe user-sync, a ragged file': {
    file: 'adobe-user-sync/users-file-with-custom-attributes-and-mappings.csv',
    rules: { groups: [{ column: 'groups', split: ',' }, { template: '{country} – {subco}' }] },
    people: 3,
    groups: { 'US – Company 1': 1, 'US – Company 2': 1, 'US – Company 3': 1 },
    remarks: ['3 people have digits in their names and are sent as written; the first: line 2'],
  },
  'adobe user-sync, a needed column beyond the end of each row': {
    file: 'adobe-user-sync/users-file-with-custom-attributes-and-mappings.csv',
    rules: { groups: [{ always: 'All staff' }, { column: 'domain' }] },
    people: 0,
    rejects: { 'the row ends before domain: is it complete?': 3 },
    groups: {},
  },
  'adobe user-sync, people to remove, who have addresses and no names': {
    file: 'adobe-user-sync/remove-list.csv',
    rules: { members: { email: 'username' }, groups: [{ always: 'All staff' }] },
    refused: /no column gives the first name/,
  },
  'Google Workspace, downloaded': {
    file: 'vendor-doc-examples/google-workspace-download.csv',
    rules: { only: [{ column: 'Status', equals: 'active' }], groups: [{ always: 'All staff' }] },
    people: 2,
    groups: { 'All staff': 2 },
  },
  'Google Workspace, for upload: somebody at the root is in no unit': {
    file: 'vendor-doc-examples/google-workspace-upload.csv',
    rules: { groups: [{ column: 'Org Unit Path', path: { separator: '/', take: 'leaf' } }] },
    people: 0,
    rejects: { 'no group: Org Unit Path [Required] is empty': 1 },
    groups: {},
  },
  'Entra, where Yes means blocked, and telephones that are not valid are left out': {
    file: 'vendor-doc-examples/entra-bulk-create.csv',
    rules: {
      members: { telephone: { column: 'mobile', country: 'US' } },
      only: [{ column: 'accountEnabled', is: false }],
      groups: [{ column: 'department' }],
    },
    people: 2,
    groups: { Engineering: 1, Sales: 1 },
    remarks: [
      '2 telephones are left out: not a valid number, more than one, or with words beside it; the first: line 3',
    ],
  },
  'OneRoster of Japan, with a cell too many that is empty': {
    file: 'vendor-doc-examples/oneroster-japan-profile-users.csv',
    rules: {
      only: [
        { column: 'status', equals: 'active' },
        { column: 'enabledUser', is: true },
      ],
      groups: [
        { template: '{metadata.jp.grade} {metadata.jp.classRoom}' },
        { when: { column: 'role', equals: 'teacher' }, add: 'Teachers' },
      ],
    },
    people: 2,
    groups: { Teachers: 1, '小3 1組': 1 },
  },
  'students of SDS, their addresses made of user names': {
    file: 'ms-sds-v1-100users/Student.csv',
    rules: {
      members: { email: { template: '{Username}@contoso.example' } },
      only: [{ column: 'Status', equals: 'active' }],
      groups: [{ template: 'Grade {Grade}' }],
    },
    people: 86,
    groups: { 'Grade 9': 30, 'Grade 10': 28, 'Grade 11': 15, 'Grade 12': 13 },
  },
  'teachers of SDS': {
    file: 'ms-sds-v1-100users/Teacher.csv',
    rules: { members: { email: { template: '{Username}@contoso.example' } }, groups: [{ always: 'Teachers' }] },
    people: 12,
    groups: { Teachers: 12 },
  },
  'BambooHR, all on the address of the recorder': {
    file: 'bamboohr-custom-report/report-custom.response.json',
    rules: {
      only: [{ column: 'status', equals: 'Active' }],
      except: [{ column: 'terminationDate', past: true }],
      groups: [{ column: 'department' }],
    },
    people: 0,
    filtered: { 'status is not Active': 17 },
    rejects: { 'several people share an address': 85, 'workEmail: e-mail is empty': 1 },
    remarks: [
      '84 telephones are left out: not a valid number, more than one, or with words beside it; the first: line 1',
      '1 name has brackets, an "and", or signs such as & and *, and is sent as written: check for remarks and two people in one row; the first: line 17',
    ],
    groups: {},
  },
  'BambooHR, addresses made of ids: 0000-00-00 is no end': {
    file: 'bamboohr-custom-report/report-custom.response.json',
    rules: {
      members: { email: { template: '{id}@example.com' }, telephone: { column: 'workPhone', country: 'US' } },
      except: [{ column: 'terminationDate', past: true }],
      groups: [{ column: 'department' }],
      rename: { 'human resources': 'HR' },
      allow: { groups: { except: ['finance'] } },
    },
    people: 82,
    filtered: { 'terminationDate is in the past': 17 },
    rejects: { 'department: no group: allow.groups leaves out …': 4 },
    groups: {
      ...{ Sales: 20, Product: 16, HR: 14, 'Customer Success': 13, Marketing: 7, Operations: 7, IT: 5 },
    },
    remarks: [
      'allow.groups leaves out "Finance" (4 rows)',
      '80 telephones are left out: not a valid number, more than one, or with words beside it; the first: line 1',
      '1 name has brackets, an "and", or signs such as & and *, and is sent as written: check for remarks and two people in one row; the first: line 17',
    ],
  },
  'Workday, Report_Entry': {
    file: 'workday-raas/personnel-sync.report_entry.json',
    rules: { except: [{ column: 'Account_Locked__Disabled_or_Expired', is: true }], groups: [{ column: 'Company' }] },
    people: 2,
    groups: { Disney: 2 },
  },
  'Workday, a bare array': {
    file: 'workday-raas/personnel-sync.bare-array.json',
    rules: {
      members: { firstname: 'first', lastname: 'last' },
      groups: [{ always: 'All staff' }],
      allow: { emails: { domains: ['acme.com'] } },
    },
    people: 2,
    groups: { 'All staff': 2 },
  },
  'Workday, a record without the key of the e-mail': {
    file: 'workday-raas/personnel-sync.missing-email.json',
    rules: { groups: [{ column: 'Company' }] },
    people: 2,
    rejects: { 'Email: e-mail is empty': 1 },
    groups: { Disney: 2 },
  },
  'Salesforce, whole names and a path': {
    file: 'workday-raas/personnel-sync.salesforce.json',
    rules: {
      members: { fullname: { column: 'Name', form: 'First Last' }, email: 'fHCM2__User__r.Email' },
      groups: [{ column: 'attributes.type' }],
    },
    people: 2,
    groups: { fHCM2__Team_Member__c: 2 },
  },
  'SCIM, the enterprise user of RFC 7643': {
    file: 'scim-rfc7643/enterprise_user.json',
    records: '',
    rules: {
      members: { email: 'emails[type=work].value', telephone: 'phoneNumbers[type=mobile].value' },
      only: [{ column: 'active', is: true }],
      groups: [
        { column: 'groups.display', split: ';' },
        { column: '"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User".department' },
      ],
    },
    people: 1,
    groups: { Employees: 1, 'Tour Guides': 1, 'Tour Operations': 1, 'US Employees': 1 },
  },
  'BambooHR, the documented list': {
    file: 'vendor-doc-examples/bamboohr-list-employees.json',
    rules: {
      members: { email: { template: '{employeeId}@example.com' } },
      only: [{ column: 'status', in: ['Active'] }],
      groups: [{ always: 'All staff' }, { when: { column: 'jobTitleName', contains: 'manager' }, add: 'Managers' }],
    },
    people: 2,
    groups: { 'All staff': 2, Managers: 1 },
  },
  'Finch, a directory without addresses': {
    file: 'vendor-doc-examples/finch-directory.json',
    rules: { groups: [{ column: 'department.name' }] },
    refused: /no column gives the e-mail/,
  },
  'Deel, by the e-mail of type work': {
    file: 'vendor-doc-examples/deel-person.json',
    records: '',
    rules: {
      members: {
        firstname: 'direct_manager.first_name',
        lastname: 'direct_manager.last_name',
        email: 'emails[type=work].value',
      },
      groups: [{ column: 'employments.team.name' }, { column: 'employments.department.name' }],
      allow: { emails: { domains: ['acme.com'] } },
    },
    people: 1,
    groups: { Engineering: 1, 'Platform Team': 1 },
  },
  'Rippling, without names until they are expanded': {
    file: 'vendor-doc-examples/rippling-workers.json',
    rules: { groups: [{ column: 'location.type' }] },
    refused: /no column gives the first name/,
  },
};

suite('real rosters by rules', { skip }, () => {
  for (const [name, { file, rules, records, ...expected }] of Object.entries(rosters)) {
    test(name, async () => {
      const options = { groups: [], groupColumns: [], rules, today };
      const asked = columnsToRead(options);
      const roster = await openRoster(join(data, file), { ...asked, ...(records === undefined ? {} : { records }) });
      try {
        if ('refused' in expected) {
          assert.throws(() => resolveColumns(roster.form.header, options), expected.refused);
          return;
        }
        const mapping = resolveColumns(roster.form.header, options);
        const census = new RowCensus(mapping);
        for await (const batch of roster.batches()) for (const row of batch) census.add(row);
        const { rows, members, merged, ...found } = census.result();
        const filtered = counts(found.filtered);
        const rejects = counts(found.rejects);
        assert.deepEqual(
          { people: members, filtered, rejects, groups: groupsOf(found.groups), remarks: mapping.remarks.list() },
          { filtered: {}, rejects: {}, remarks: [], ...expected },
        );
        assert.equal(rows, members + merged + sum(filtered) + sum(rejects), 'every row is accounted for');
      } finally {
        await roster.close();
      }
    });
  }
});

const counts = (tallies: readonly { what: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(tallies.map(({ what, count }) => [what, count]));
const groupsOf = (groups: readonly { group: string; people: number }[]): Record<string, number> =>
  Object.fromEntries(groups.map(({ group, people }) => [group, people]));
const sum = (numbers: Record<string, number>): number => Object.values(numbers).reduce((all, one) => all + one, 0);
