import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { personKey } from '../../src/core/person/member.ts';
import { httpSource } from '../roster/fetch/fetching.ts';
import { account, readSource, serve, short } from '../roster/presets/reading-presets.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const skip = existsSync(data) ? false : 'the samples in ../shared/data are not here';
const json = (name: string): unknown => JSON.parse(readFileSync(join(data, name), 'utf8')) as unknown;

suite('real answers of HR systems', { skip }, () => {
  test('bamboohr-report: of 103 people 17 are Inactive, and one Active has no e-mail; the recorder gave the others one address', async (t) => {
    const { base } = await serve(t, {
      'POST /api/v1/reports/custom': () => json('bamboohr-custom-report/report-custom.response.json'),
    });
    const found = await readSource({
      preset: 'bamboohr-report',
      account: account({ company: 'acme', apiKey: 'key', baseUrl: base }),
    });
    assert.deepEqual([found.members.length, found.filtered.length], [85, 17]);
    assert.deepEqual(
      found.rejects.map(([, reason]) => reason),
      ['e-mail is empty'],
    );
    assert.equal(new Set(found.ids).size, 85);
    assert.equal(new Set(found.members.map(({ email }) => personKey(email))).size, 1);
    assert.ok(found.members.every(({ groups }) => groups.length === 1));
  });

  test('bamboohr-employees: the documented answer has no e-mail, so both people are rejects', async (t) => {
    const answer = json('vendor-doc-examples/bamboohr-list-employees.json') as { meta: { total: number } };
    // The example shows two of 2,456 people: the rest never comes.
    const cut = { ...answer, meta: { total: 2 }, _links: {} };
    const { base } = await serve(t, { 'GET /api/v1/employees': () => cut });
    const found = await readSource({
      preset: 'bamboohr-employees',
      account: account({ company: 'acme', accessToken: 'token', baseUrl: base }),
    });
    assert.deepEqual([found.members.length, found.filtered.length], [0, 0]);
    assert.deepEqual(found.rejects, [
      [1, 'e-mail is empty'],
      [2, 'e-mail is empty'],
    ]);
  });

  for (const name of ['report_entry', 'missing-email']) {
    test(`workday-raas: personnel-sync.${name} gives its two people their company, never the personal address`, async (t) => {
      const { base } = await serve(t, { 'GET /Report': () => json(`workday-raas/personnel-sync.${name}.json`) });
      const found = await readSource(
        {
          preset: 'workday-raas',
          account: account({ url: `${base}/Report`, username: 'isu', password: 'secret' }),
        },
        { rules: { groups: [{ column: 'Company' }] } },
      );
      assert.deepEqual(short(found.members), [
        'Mickey Mouse <mickey_mouse@acme.com>: Disney',
        'Donald Duck <donald_duck@acme.com>: Disney',
      ]);
      assert.deepEqual(found.rejects, name === 'missing-email' ? [[3, 'e-mail is empty']] : []);
      assert.deepEqual(found.ids, ['10013', '10011']);
    });
  }

  test('http: a bare array, and records below a dotted path with nested objects', async (t) => {
    const { base } = await serve(t, {
      'GET /array': () => json('workday-raas/personnel-sync.bare-array.json'),
      'GET /query': () => json('workday-raas/personnel-sync.salesforce.json'),
    });
    const array = await readSource(
      { http: httpSource(`${base}/array`) },
      { groups: ['All'], map: { firstname: 'first', lastname: 'last' } },
    );
    assert.deepEqual(
      array.members.map(({ email }) => email),
      ['mickey_mouse@acme.com', 'donald_duck@acme.com'],
    );
    const query = await readSource(
      { http: httpSource(`${base}/query`, { records: '/records' }) },
      {
        rules: {
          members: { fullname: { column: 'Name', form: 'First Last' }, email: 'fHCM2__User__r.Email' },
          groups: [{ always: 'All' }],
        },
      },
    );
    assert.deepEqual(short(query.members), [
      'Mickey Mouse <mickey_mouse@acme.com>: All',
      'Donald Duck <donald_duck@acme.com>: All',
    ]);
  });

  test('scim: the user of RFC 7643, by work e-mail, with the three groups of the record', async (t) => {
    const user = json('scim-rfc7643/enterprise_user.json');
    const group = json('scim-rfc7643/group.json');
    const list = (resource: unknown): object => ({ totalResults: 1, startIndex: 1, Resources: [resource] });
    const { base } = await serve(t, { 'GET /v2/Users': () => list(user), 'GET /v2/Groups': () => list(group) });
    const location = { preset: 'scim', account: account({ url: `${base}/v2`, token: 'token' }) };
    const found = await readSource(location);
    assert.deepEqual(short(found.members), [
      'Barbara Jensen <bjensen@example.com> 555-555-5555: Tour Guides, Employees, US Employees',
    ]);
    assert.deepEqual(found.ids, ['2819c223-7f76-453a-919d-413861904646']);
    const byGroup = await readSource({ ...location, preset: 'scim-groups' });
    assert.deepEqual(byGroup.members[0]?.groups, ['Tour Guides']);
    const column = '"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User".department';
    const byDepartment = await readSource(location, { rules: { groups: [{ column }] } });
    assert.deepEqual(byDepartment.members[0]?.groups, ['Tour Operations']);
  });

  test('finch: the documented directory says 25 people and shows one: that is not a roster', async (t) => {
    const { base } = await serve(t, {
      'GET /employer/directory': (_, query) =>
        query.get('offset') === '0'
          ? json('vendor-doc-examples/finch-directory.json')
          : { paging: { count: 25, offset: 1 }, individuals: [] },
      'POST /employer/individual': () => ({ responses: [] }),
      'POST /employer/employment': () => ({ responses: [] }),
    });
    const reading = readSource({ preset: 'finch', account: account({ accessToken: 'token', baseUrl: base }) });
    await assert.rejects(reading, /said 25 people and gave 1, 3 times: people may be missing/);
  });

  test('the example for Rippling reads the documented answer: work e-mail, and no names without expanding', async (t) => {
    const { base } = await serve(t, { 'GET /workers': () => json('vendor-doc-examples/rippling-workers.json') });
    const reading = readSource(
      { http: httpSource(`${base}/workers`, { records: '/results', paging: { by: 'next', path: 'next_link' } }) },
      { groups: ['All'] },
    );
    // Its next page is on the vendor's own server.
    await assert.rejects(reading, /leads to rest\.ripplingapis\.com, another server/);
  });

  test('http: the documented person of Deel, by the e-mail of type work and never the primary one', async (t) => {
    const { base } = await serve(t, {
      'GET /people': () => ({ data: [json('vendor-doc-examples/deel-person.json')] }),
    });
    const found = await readSource(
      { http: httpSource(`${base}/people`, { records: '/data' }) },
      {
        rules: {
          members: {
            firstname: 'direct_manager.first_name',
            lastname: 'direct_manager.last_name',
            email: 'emails[type=work].value',
          },
          groups: [{ column: 'employments.department.name' }],
        },
      },
    );
    assert.deepEqual(
      found.members.map(({ email, groups }) => [email, groups]),
      [['jane.smith@acme.com', ['Engineering']]],
    );
  });
});

suite('real files of directories', { skip }, () => {
  const file = (name: string): string => join(data, name);

  test('entra-bulk-create: two people, none blocked; the title line and passwords are left alone', async () => {
    const found = await readSource({
      preset: 'entra-bulk-create',
      file: file('vendor-doc-examples/entra-bulk-create.csv'),
    });
    assert.deepEqual(short(found.members), [
      'John Doe <john.doe@contoso.onmicrosoft.com> 555-1234: Engineering',
      'Jane Smith <jane.smith@contoso.onmicrosoft.com> 555-2345: Sales',
    ]);
    assert.deepEqual([found.filtered.length, found.rejects.length], [0, 0]);
  });

  test('google-workspace: the download has no org unit, so a group has to be named', async () => {
    const location = { preset: 'google-workspace', file: file('vendor-doc-examples/google-workspace-download.csv') };
    await assert.rejects(readSource(location), /groups/);
    const found = await readSource(location, { groups: ['Everybody'] });
    assert.deepEqual(
      found.members.map(({ email }) => email),
      ['john.doe@company.com', 'jane.smith@company.com'],
    );
  });

  test('google-workspace-upload: the one person sits at the root, so in no group', async () => {
    const found = await readSource({
      preset: 'google-workspace-upload',
      file: file('vendor-doc-examples/google-workspace-upload.csv'),
    });
    assert.deepEqual([found.members.length, found.filtered.length], [0, 0]);
    assert.match(found.rejects[0]?.[1] ?? '', /no group/);
  });

  test('adobe-user-sync: three people with their groups; three without are rejects', async () => {
    const found = await readSource({ preset: 'adobe-user-sync', file: file('adobe-user-sync/users-file.csv') });
    assert.deepEqual(
      short(found.members),
      ['John Smith <jsmith', 'Jane Doe <jdoe', 'Richard Roe <rroe'].map((name) => `${name}@example.com>: AdobeCC-All`),
    );
    const custom = 'adobe-user-sync/users-file-with-custom-attributes-and-mappings.csv';
    const without = await readSource({ preset: 'adobe-user-sync', file: file(custom) });
    assert.deepEqual(
      without.rejects.map(([line]) => line),
      [2, 3, 4],
    );
  });

  test('adobe-user-sync: the list of people to remove is not taken for people to add', async () => {
    const reading = readSource({ preset: 'adobe-user-sync', file: file('adobe-user-sync/remove-list.csv') });
    await assert.rejects(reading, /there is no column "firstname"/);
  });
});
