import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { employeeIdColumns, listColumns } from '../../../src/core/columns/columns.ts';
import { presets } from '../../../src/roster/presets/presets.ts';
import { fileOf } from '../reading.ts';
import { readSource, short } from './reading-presets.ts';

const fixture = (name: string): string => join(import.meta.dirname, '../../fixtures/presets', name);

const expected: [preset: string, members: string[], filtered: number, rejects: number[]][] = [
  ['google-workspace', ['Ada Berg <ada.berg@example.com>: Finance'], 1, [4]],
  ['google-workspace-upload', ['Ada Berg <ada.berg@example.com> +4722000001: Finance, Controlling'], 1, []],
  ['entra-bulk-create', ['Ada Berg <ada.berg@example.com> +4722000001: Finance'], 1, []],
  ['okta', ['Ada Berg <ada.berg@example.com>: Finance'], 0, []],
  ['moodle', ['Ada Berg <ada.berg@example.com>: Finance, Oslo', 'Cleo Ek <cleo.ek@example.com>: Sales'], 1, []],
  [
    'adobe-user-sync',
    ['Ada Berg <ada.berg@example.com>: All apps, Photography', 'Bo Dahl <bo.dahl@example.com>: Photography'],
    0,
    [],
  ],
];
for (const [preset, members, filtered, rejects] of expected) {
  test(`${preset} gives its people their groups, and takes no private address`, async () => {
    const found = await readSource({ preset, file: fixture(`${preset}.csv`) });
    assert.deepEqual(short(found.members), members);
    assert.equal(found.filtered.length, filtered);
    assert.deepEqual(
      found.rejects.map(([line]) => line),
      rejects,
    );
  });
}

test('a download of Google Workspace with few columns still says who is suspended', async () => {
  const file = await fileOf(
    'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY]\n' +
      'Ada,Berg,ada.berg@example.com,Active\nBo,Dahl,bo.dahl@example.com,Suspended\n',
  );
  const found = await readSource({ preset: 'google-workspace', file }, { groups: ['Everybody'] });
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com>: Everybody']);
  assert.equal(found.filtered.length, 1);
});

test('a form of Entra with a word that is neither yes nor no is a reject, not a guess', async () => {
  const file = await fileOf(
    'version:v1.0\nUser name [userPrincipalName] Required,Block sign in (Yes/No) [accountEnabled] Required,' +
      'First name [givenName],Last name [surname],Department [department]\n' +
      'ada.berg@example.com,Perhaps,Ada,Berg,Finance\n',
  );
  const found = await readSource({ preset: 'entra-bulk-create', file });
  assert.match(found.rejects[0]?.[1] ?? '', /"Perhaps" is neither yes nor no/);
});

test('every preset says where its e-mail is from, who counts as active, and what it leaves out', () => {
  for (const [name, { title, email, active, leavesOut, parameters }] of Object.entries(presets())) {
    for (const text of [title, email, active, ...leavesOut]) assert.ok(text.length > 5, name);
    assert.ok(leavesOut.length > 0, name);
    for (const { description } of Object.values(parameters)) assert.match(description, /\.$/, name);
  }
});

test('every system that has an id of its own tells its people apart by that, not by what a company gives or an address', () => {
  const ids = Object.entries(presets()).map(([name, { rules }]) => {
    const id = rules.members?.employeeId;
    const column = typeof id === 'object' && 'columns' in id ? id.columns?.[0] : id;
    return [name, column ?? 'none'];
  });
  const own = 'id';
  assert.deepEqual(Object.fromEntries(ids), {
    'active-directory': 'objectGUID',
    bamboohr: 'fields.eeid',
    'bamboohr-directory': own,
    'bamboohr-employees': 'employeeId',
    'bamboohr-report': own,
    entra: own,
    'entra-groups': own,
    finch: own,
    'google-directory': own,
    'google-directory-groups': own,
    hibob: own,
    merge: own,
    'okta-groups': own,
    'okta-users': own,
    'oneroster-1.1': 'sourcedId',
    'oneroster-1.2': 'sourcedId',
    openldap: 'entryUUID',
    personio: own,
    scim: own,
    'scim-groups': own,
    // Files whose columns have no id of the system; one of the company is found by its heading.
    ...{
      'adobe-user-sync': 'none',
      'entra-bulk-create': 'none',
      'google-workspace': 'none',
      moodle: 'none',
      okta: 'none',
    },
    'google-workspace-upload': 'none',
    // The columns of a report are the tenant's.
    ...{ 'workday-raas': 'none', 'workday-raas-csv': 'none' },
  });
  assert.equal(employeeIdColumns(listColumns(['email', 'sourcedId']))[0]?.name, 'sourcedId', 'of bundles');
});
