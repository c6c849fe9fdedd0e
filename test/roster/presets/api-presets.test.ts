import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenHttp, sendJson } from '../../service/local-server.ts';
import { everythingIn, refusal } from '../fetch/fetching.ts';
import { account, readSource, recorded, serve, short } from './reading-presets.ts';

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

test('bamboohr reads all pages of the employee dataset; Inactive is filtered, no e-mail is a reject', async (t) => {
  const { base, arrivals } = await serve(t, {
    'POST /api/v2/datasets/employee/data': ({ body }) =>
      recorded(`bamboohr-dataset-${(JSON.parse(body) as { page: number }).page}.json`),
  });
  const found = await readSource({
    preset: 'bamboohr',
    account: account({ company: 'acme', apiKey: 'key-of-acme', baseUrl: base, fields: 'mobilePhone, pronouns' }),
  });
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com>: Finance']);
  assert.deepEqual(found.ids, ['4']);
  assert.equal(found.filtered.length, 1);
  assert.deepEqual(found.rejects, [[3, 'e-mail is empty']]);
  assert.equal(arrivals[0]?.headers.authorization, basic('key-of-acme:x'));
  assert.equal(arrivals[0]?.headers['content-type'], 'application/json');
  const { fields, page, pageSize, orderBy } = JSON.parse(arrivals[0]?.body ?? '') as Record<string, unknown>;
  assert.deepEqual([page, pageSize, orderBy], [1, 1000, 'eeid asc']);
  assert.deepEqual((fields as string[]).slice(-2), ['mobilePhone', 'pronouns']);
  assert.ok(!(fields as string[]).includes('homeEmail'));
});

test('bamboohr-report takes workEmail of Active people', async (t) => {
  const { base, arrivals } = await serve(t, { 'POST /api/v1/reports/custom': () => recorded('bamboohr-report.json') });
  const found = await readSource({
    preset: 'bamboohr-report',
    account: account({ company: 'acme', apiKey: 'key-of-acme', baseUrl: base }),
  });
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com> +47 22 00 00 01: Finance']);
  assert.equal(found.filtered.length, 1);
  assert.deepEqual(found.rejects, [[3, 'e-mail is empty']]);
  assert.deepEqual(found.ids, ['4']);
  assert.equal(arrivals[0]?.path, '/api/v1/reports/custom?format=JSON');
  assert.equal(arrivals[0]?.headers['content-type'], 'application/json');
});

test('bamboohr-directory reads whoever is in it', async (t) => {
  const { base, arrivals } = await serve(t, {
    'GET /api/v1/employees/directory': () => recorded('bamboohr-directory.json'),
  });
  const found = await readSource({
    preset: 'bamboohr-directory',
    account: account({ company: 'acme', accessToken: 'oauth-token', baseUrl: base }),
  });
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com> +47 22 00 00 01: Finance']);
  assert.deepEqual(found.ids, ['4']);
  assert.equal(arrivals[0]?.headers.accept, 'application/json');
  assert.equal(arrivals[0]?.headers.authorization, 'Bearer oauth-token');
});

test('bamboohr-employees follows cursors, and does not take a hidden department for none', async (t) => {
  const { base } = await serve(t, {
    'GET /api/v1/employees': (_, query) =>
      recorded(`bamboohr-employees-${query.get('page[after]') === 'eyJhZnRlciI6MTI0fQ==' ? 2 : 1}.json`),
  });
  const found = await readSource(
    { preset: 'bamboohr-employees', account: account({ company: 'acme', accessToken: 'oauth-token', baseUrl: base }) },
    { groups: ['Everybody'] },
  );
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com>: Everybody']);
  assert.deepEqual(found.ids, ['123']);
  assert.deepEqual(found.rejects, [[2, 'e-mail is empty']]);
  assert.equal(found.filtered.length, 1);
  assert.match(found.notes.join('\n'), /The server hides fields of 1 person/);
});

test('bamboohr-employees begins again when its place is lost, and gives up in the end', async (t) => {
  let losses = 1;
  const { base } = await listenHttp(t, (response, { path }) => {
    if (!path.includes('after')) sendJson(response, recorded('bamboohr-employees-1.json'));
    else if ((losses -= 1) < 0) sendJson(response, recorded('bamboohr-employees-2.json'));
    else sendJson(response, { error: { code: 'BadPage', message: 'The page changed' } }, 400);
  });
  const location = {
    preset: 'bamboohr-employees',
    account: account({ company: 'acme', accessToken: 'oauth-token', baseUrl: base }),
  };
  const found = await readSource(location);
  assert.equal(found.members.length + found.filtered.length + found.rejects.length, 3);
  losses = 3;
  assert.match(await refusal(readSource(location)), /lost its place, 3 times: people may be missing/);
});

test('workday-raas finds Report_Entry, and never the personal e-mail', async (t) => {
  for (const answer of [recorded('workday.json'), { root: recorded('workday.json') }]) {
    const { base, arrivals } = await serve(t, { 'GET /ccx/service/customreport2/acme/isu/People': () => answer });
    const found = await readSource(
      {
        preset: 'workday-raas',
        account: account({
          url: `${base}/ccx/service/customreport2/acme/isu/People`,
          username: 'ISU',
          password: 'p:w',
        }),
      },
      { groupColumns: ['Department'], rules: { only: [{ column: 'Worker_Status', in: ['Active'] }] } },
    );
    assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com>: Finance (Cleo Ek)']);
    assert.equal(found.filtered.length, 1);
    assert.deepEqual(found.rejects, [[3, 'e-mail is empty']]);
    assert.equal(arrivals[0]?.path, '/ccx/service/customreport2/acme/isu/People?format=json');
    assert.equal(arrivals[0]?.headers.authorization, basic('ISU:p:w'));
  }
});

test('workday-raas-csv reads the same report as CSV', async (t) => {
  const csv = 'Employee ID,First Name,Last Name,Work Email,Department\n1,Ada,Berg,ada.berg@example.com,Finance\n';
  const { base, arrivals } = await serve(t, { 'GET /People': () => csv });
  const found = await readSource(
    { preset: 'workday-raas-csv', account: account({ url: `${base}/People`, accessToken: 'oauth-token' }) },
    { groupColumns: ['Department'] },
  );
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com>: Finance']);
  assert.equal(arrivals[0]?.path, '/People?format=csv');
});

test('hibob reads people however Bob writes the keys, and asks for active ones', async (t) => {
  const { base, arrivals } = await serve(t, { 'POST /v1/people/search': () => recorded('hibob.json') });
  const found = await readSource({
    preset: 'hibob',
    account: account({ serviceUserId: 'SERVICE-1', token: 'bob-token', baseUrl: base }),
  });
  assert.deepEqual(short(found.members), [
    'Ada Berg <ada.berg@example.com>: Finance',
    'Bo Dahl <bo.dahl@example.com>: Sales',
  ]);
  assert.deepEqual(found.ids, ['2128438031986721630', '2128438031986721631']);
  assert.deepEqual(found.rejects, [[3, 'e-mail is empty']]);
  assert.equal(arrivals[0]?.headers.authorization, basic('SERVICE-1:bob-token'));
  const body = JSON.parse(arrivals[0]?.body ?? '') as Record<string, unknown>;
  assert.deepEqual([body['showInactive'], body['humanReadable']], [false, 'REPLACE']);
});

test('personio joins persons with their employment and the names of their org units', async (t) => {
  const employments = recorded('personio-employments.json') as Record<string, unknown>;
  let base = '';
  const page = (name: string): unknown => JSON.parse(JSON.stringify(recorded(name)).replaceAll('BASE', base));
  const { base: at, arrivals } = await serve(t, {
    'POST /v2/auth/token': () => ({ access_token: 'papi-1', expires_in: 86_400, token_type: 'bearer' }),
    'GET /v2/persons': (_, query) => page(`personio-persons-${query.has('cursor') ? 2 : 1}.json`),
    'GET /v2/org-units': () => page('personio-org-units.json'),
    ...Object.fromEntries(
      Object.entries(employments).map(([id, employment]) => [
        `GET /v2/persons/${id}/employments`,
        () => ({ _data: [employment, { id: 'older', status: 'INACTIVE' }] }),
      ]),
    ),
  });
  base = at;
  const found = await readSource({
    preset: 'personio',
    account: account({ clientId: 'papi-id', clientSecret: 'papi-secret', baseUrl: base }),
  });
  assert.deepEqual(short(found.members), [
    'Ada Berg <ada.berg@example.com>: Finance, Payroll, Oslo',
    'Bo Dahl <bo.dahl@example.com>: Sales',
  ]);
  assert.deepEqual(found.members[0]?.groups, ['Finance', 'Payroll, Oslo']);
  assert.equal(found.filtered.length, 1);
  assert.equal(found.rejects.length, 1);
  assert.match(found.rejects[0]?.[1] ?? '', /no group/);
  assert.match(found.notes.join('\n'), /The group "Payroll; Oslo" is written with commas/);
  const form = new URLSearchParams(arrivals[0]?.body);
  assert.equal(form.get('client_secret'), 'papi-secret');
  assert.ok(arrivals.slice(1).every(({ headers }) => headers.authorization === 'Bearer papi-1'));
});

test('personio: one employment that cannot be read fails the whole of it', async (t) => {
  const routes: Record<string, () => unknown> = {
    'POST /v2/auth/token': () => ({ access_token: 'papi-1' }),
    'GET /v2/persons': () => ({ _data: [{ id: '5005', first_name: 'Ada' }], _meta: {} }),
    'GET /v2/org-units': () => ({ _data: [], _meta: {} }),
  };
  const { base } = await serve(t, routes);
  const papi = { clientId: 'papi-id', clientSecret: 'papi-secret', baseUrl: base };
  const read = () => readSource({ preset: 'personio', account: account(papi) });
  assert.match(await refusal(read()), /\/v2\/persons\/5005\/employments answered 404/);
  routes['GET /v2/persons/5005/employments'] = () => ({ _data: [], status: 429 });
  assert.match(await refusal(read()), /\/v2\/persons\/5005\/employments answered that it is an error/);
});

/** Serves a list page by page, as RFC 7644 says: the first has the index 1. */
function scimList(resources: readonly unknown[], query: URLSearchParams): object {
  const [start, count] = [Number(query.get('startIndex')), Math.min(Number(query.get('count')), 2)];
  const Resources = resources.slice(start - 1, start - 1 + count);
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];
  return { schemas, totalResults: resources.length, startIndex: start, itemsPerPage: Resources.length, Resources };
}

test('scim takes the e-mail of type work and the groups of the user, and filters "False"', async (t) => {
  const users = recorded('scim-users.json') as unknown[];
  const { base, arrivals } = await serve(t, { 'GET /scim/v2/Users': (_, query) => scimList(users, query) });
  const found = await readSource({
    preset: 'scim',
    account: account({ url: `${base}/scim/v2`, token: 'scim-token' }),
  });
  assert.deepEqual(
    found.members.map(({ email, telephone, groups }) => [email, telephone, groups]),
    [['ada.berg@example.com', '+4722000001', ['Controllers', 'Everybody, Oslo']]],
  );
  assert.equal(found.filtered.length, 1);
  assert.deepEqual(
    found.rejects.map(([line, reason]) => [line, reason.slice(0, 15)]),
    [
      [3, 'e-mail is empty'],
      [4, 'no group: group'],
    ],
  );
  assert.deepEqual(
    arrivals.map(({ path }) => path),
    ['/scim/v2/Users?count=100&startIndex=1', '/scim/v2/Users?count=100&startIndex=3'],
  );
  assert.equal(arrivals[0]?.headers.authorization, 'Bearer scim-token');
});

test('scim gives the department of the enterprise extension where that is asked', async (t) => {
  const users = recorded('scim-users.json') as unknown[];
  const { base } = await serve(t, { 'GET /Users': (_, query) => scimList(users, query) });
  const department = '"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User".department';
  const found = await readSource(
    { preset: 'scim', account: account({ url: base, token: 'scim-token' }) },
    { rules: { groups: [{ column: department }] } },
  );
  assert.deepEqual(found.members[0]?.groups, ['Finance']);
});

test('scim-groups takes memberships from /Groups', async (t) => {
  const [users, groups] = [recorded('scim-users.json'), recorded('scim-groups.json')] as unknown[][];
  const { base } = await serve(t, {
    'GET /Users': (_, query) => scimList(users ?? [], query),
    'GET /Groups': (_, query) => scimList(groups ?? [], query),
  });
  const found = await readSource({ preset: 'scim-groups', account: account({ url: base, token: 'scim-token' }) });
  assert.deepEqual(
    found.members.map(({ email, groups }) => [email, groups]),
    [
      ['ada.berg@example.com', ['Controllers', 'Oslo']],
      ['dag.foss@example.com', ['Controllers']],
    ],
  );
});

test('scim begins again when somebody comes or goes between two pages', async (t) => {
  const users = recorded('scim-users.json') as unknown[];
  let calls = 0;
  const { base, arrivals } = await serve(t, {
    'GET /Users': (_, query) => scimList((calls += 1) === 2 ? users.slice(1) : users, query),
  });
  const found = await readSource({ preset: 'scim', account: account({ url: base, token: 'scim-token' }) });
  assert.equal(found.members.length + found.filtered.length + found.rejects.length, 4);
  assert.equal(arrivals.length, 4);
});

test('scim gives up when the number never stays the same', async (t) => {
  const users = recorded('scim-users.json') as unknown[];
  let calls = 0;
  const { base } = await serve(t, {
    'GET /Users': (_, query) => scimList((calls += 1) % 2 === 0 ? users.slice(1) : users, query),
  });
  const reading = readSource({ preset: 'scim', account: account({ url: base, token: 'scim-token' }) });
  assert.match(await refusal(reading), /had 4 people, and then 3, 3 times: people may be missing/);
});

test('finch joins directory, individual and employment; leave is not termination', async (t) => {
  const people = recorded('finch-directory.json') as unknown[];
  const { base, arrivals } = await serve(t, {
    'GET /employer/directory': (_, query) => {
      const offset = Number(query.get('offset'));
      return { paging: { count: 4, offset }, individuals: people.slice(offset, offset + 3) };
    },
    'POST /employer/individual': () => recorded('finch-individual.json'),
    'POST /employer/employment': () => recorded('finch-employment.json'),
  });
  const found = await readSource({
    preset: 'finch',
    account: account({ accessToken: 'finch-token', baseUrl: base }),
  });
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com> +4722000001: Finance']);
  assert.equal(found.filtered.length, 1);
  assert.deepEqual(found.rejects, [
    [3, 'e-mail is empty'],
    [4, 'e-mail is empty'],
  ]);
  assert.deepEqual(found.notes, ['The details of 1 person were refused (404): they have no e-mail here.']);
  const batch = arrivals.find(({ path }) => path === '/employer/individual');
  assert.equal(batch?.headers['finch-api-version'], '2020-09-17');
  assert.deepEqual(JSON.parse(batch?.body ?? ''), {
    requests: ['1', '2', '3'].map((end) => ({ individual_id: `5d0b10a1-000${end}` })),
  });
});

test('finch: a person who cannot be read just now is asked for again', async (t) => {
  const people = (recorded('finch-directory.json') as unknown[]).slice(0, 1);
  let tries = 0;
  const { base } = await serve(t, {
    'GET /employer/directory': () => ({ paging: { count: 1, offset: 0 }, individuals: people }),
    'POST /employer/individual': () =>
      (tries += 1) === 1
        ? { responses: [{ individual_id: '5d0b10a1-0001', code: 429, body: {} }] }
        : recorded('finch-individual.json'),
    'POST /employer/employment': () => recorded('finch-employment.json'),
  });
  const found = await readSource({ preset: 'finch', account: account({ accessToken: 'finch-token', baseUrl: base }) });
  assert.equal(found.members.length, 1);
  assert.equal(tries, 2);
});

test('merge takes departments and teams, and neither cost centres nor personal e-mail', async (t) => {
  const { base, arrivals } = await serve(t, {
    'GET /api/hris/v1/employees': (_, query) => recorded(`merge-${query.has('cursor') ? 2 : 1}.json`),
  });
  const found = await readSource({
    preset: 'merge',
    account: account({ apiKey: 'merge-key', accountToken: 'merge-account', baseUrl: base }),
  });
  assert.deepEqual(short(found.members), ['Ada Berg <ada.berg@example.com>: Finance, Payroll']);
  assert.equal(found.filtered.length, 2);
  assert.deepEqual(found.rejects, [[3, 'e-mail is empty']]);
  assert.equal(arrivals[0]?.headers['x-account-token'], 'merge-account');
  assert.equal(arrivals[1]?.path, '/api/hris/v1/employees?page_size=100&expand=groups&cursor=cD0yMDI0LTAxLTA2');
});

test('what an account lacks, or has too much, is said at once and without a value', async () => {
  const wrong = readSource({ preset: 'bamboohr', account: account({ compny: 'geheim', company: 'not a host/' }) });
  const error: unknown = await wrong.catch((error: unknown) => error);
  assert.match(everythingIn(error), /account\.compny means nothing to it; there are company, apiKey/);
  assert.match(everythingIn(error), /account\.company is not what it must be/);
  assert.doesNotMatch(everythingIn(error), /geheim|not a host/);
  const keyless = readSource({ preset: 'bamboohr', account: account({ company: 'acme' }) });
  assert.match(await refusal(keyless), /needs account\.apiKey, or account\.accessToken/);
  assert.match(
    await refusal(readSource({ preset: 'bambohr' })),
    /There is no preset "bambohr"\. There are active-directory, adobe-user-sync/,
  );
});

test('no key is shown when a system refuses it and echoes it', async (t) => {
  const { base } = await serve(t, {});
  const secret = 'key-of-acme-1234';
  const reading = readSource({
    preset: 'bamboohr',
    account: account({ company: 'acme', apiKey: secret, baseUrl: base }),
  });
  const error: unknown = await reading.catch((error: unknown) => error);
  assert.match(everythingIn(error), /answered 404/);
  for (const form of [secret, Buffer.from(`${secret}:x`).toString('base64')]) {
    assert.ok(!everythingIn(error).includes(form));
  }
});
