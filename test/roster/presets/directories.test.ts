import assert from 'node:assert/strict';
import { constants, createHash, generateKeyPairSync, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { makeCertificate } from '../../support/certificate.ts';
import { without } from '../../support/server-process.ts';
import { deps, everythingIn, refusal } from '../fetch/fetching.ts';
import { directory, type Handler, type Reply } from './directory-server.ts';
import { account, readSource, short } from './reading-presets.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' });

/** The header and the claims of a statement, whose signature is checked. */
function statementIn(
  text: string | null,
  key: KeyObject,
  isPss: boolean,
): [Record<string, unknown>, Record<string, unknown>] {
  const [header = '', claims = '', signature = ''] = (text ?? '').split('.');
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {};
  const signed = Buffer.from(`${header}.${claims}`);
  assert.ok(
    verify('sha256', signed, { key, ...padding }, Buffer.from(signature, 'base64url')),
    'the signature is wrong',
  );
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  return [read(header), read(claims)];
}

const token: Handler = () => ({ token_type: 'Bearer', expires_in: 3599, access_token: 'token-of-directory' });

/** As Graph writes a user; what was not set is null. */
const entraUser = (name: string, more: object = {}) => ({
  ...{ id: `id-${name}`, userPrincipalName: `${name}@acme.example`, mail: `${name}@example.com`, givenName: name },
  ...{ surname: 'Ek', displayName: `${name} Ek`, businessPhones: ['+47 22 00 00 01'], department: 'Sales' },
  ...{ companyName: 'Acme', officeLocation: 'Oslo', accountEnabled: true, userType: 'Member', employeeHireDate: null },
  ...more,
});
const entraPages: Handler = (_, query, base) =>
  query.get('$skiptoken') === null
    ? {
        '@odata.nextLink': `${base}/v1.0/users?$select=id&$top=999&$skiptoken=RFNwdAIAAQ`,
        value: [entraUser('ann'), entraUser('bo', { accountEnabled: false }), entraUser('cy', { userType: 'Guest' })],
      }
    : {
        value: [
          entraUser('di', { mail: null }),
          entraUser('ed', { userPrincipalName: 'ed_other.example#EXT#@acme.example' }),
          entraUser('fay', { department: 'Legal', businessPhones: [], employeeHireDate: '2020-03-01T00:00:00Z' }),
        ],
      };
const entraAccount = (base: string, more: Record<string, string> = {}) =>
  account({
    tenant: 'acme.example',
    clientId: 'app-1',
    baseUrl: base,
    loginUrl: base,
    clientSecret: 's3cret-of-app',
    ...more,
  });
const tokenPath = '/acme.example/oauth2/v2.0/token';

test('entra reads all pages with a secret; guests and disabled accounts are filtered, no mail is a reject', async (t) => {
  const { base, asked, arrivals } = await directory(t, { [tokenPath]: token, '/v1.0/users': entraPages });
  const found = await readSource({ preset: 'entra', account: entraAccount(base) });
  assert.deepEqual(short(found.members), [
    'ann Ek <ann@example.com> +47 22 00 00 01: Sales',
    'fay Ek <fay@example.com>: Legal',
  ]);
  assert.deepEqual(found.ids, ['id-ann', 'id-fay']);
  assert.equal(found.filtered.length, 3);
  assert.deepEqual(found.rejects, [[4, 'e-mail is empty']]);
  const form = new URLSearchParams(asked(tokenPath)[0]?.body);
  assert.deepEqual(
    ['grant_type', 'client_id', 'client_secret', 'scope'].map((key) => form.get(key)),
    ['client_credentials', 'app-1', 's3cret-of-app', `${base}/.default`],
  );
  const query = new URL(asked('/v1.0/users')[0]?.path ?? '', base).searchParams;
  assert.equal(query.get('$top'), '999');
  for (const field of ['mail', 'department', 'companyName', 'officeLocation', 'accountEnabled', 'employeeHireDate']) {
    assert.ok(query.get('$select')?.split(',').includes(field), field);
  }
  assert.match(query.get('$select') ?? '', /,employeeHireDate$/);
  assert.equal(arrivals[1]?.headers.authorization, 'Bearer token-of-directory');
});

test('entra asks for the first day also where further properties are named', async (t) => {
  const { base, asked } = await directory(t, { [tokenPath]: token, '/v1.0/users': entraPages });
  const fields = 'employeeHireDate,employeeLeaveDateTime';
  await readSource({ preset: 'entra', account: entraAccount(base, { fields }) });
  const query = new URL(asked('/v1.0/users')[0]?.path ?? '', base).searchParams;
  assert.match(query.get('$select') ?? '', /,userType,employeeHireDate,employeeLeaveDateTime$/);
});

const skip = without('openssl');
test(
  'entra signs with a certificate, and nothing of the key is shown where the server echoes it',
  { skip },
  async (t) => {
    const certificate = makeCertificate('app.example');
    const x509 = new X509Certificate(certificate.cert);
    let isRefused = false;
    const { base, asked } = await directory(t, {
      [tokenPath]: (arrival, query, at) =>
        isRefused
          ? { status: 401, body: { error: 'invalid_client', error_description: `AADSTS700027: ${arrival.body}` } }
          : token(arrival, query, at),
      '/v1.0/users': () => ({ value: [entraUser('ann')] }),
    });
    // The key of the certificate is of another kind: what signs is ours, what is named is the certificate.
    const given = { clientSecret: '', privateKey: pem.replaceAll('\n', '\\n'), certificate: certificate.cert };
    const location = { preset: 'entra', account: entraAccount(base, given) };
    assert.equal((await readSource(location)).members.length, 1);
    const form = new URLSearchParams(asked(tokenPath)[0]?.body);
    assert.equal(form.get('client_assertion_type'), 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const [header, claims] = statementIn(form.get('client_assertion'), rsa.publicKey, true);
    const thumbprint = createHash('sha256').update(x509.raw).digest('base64url');
    assert.deepEqual(header, { alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint });
    const { iss, sub, aud, iat, exp, jti } = claims;
    assert.deepEqual([iss, sub, aud, Number(exp) - Number(iat)], ['app-1', 'app-1', `${base}${tokenPath}`, 300]);
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    isRefused = true;
    const error = await readSource(location).catch((error: unknown) => error);
    const statement = new URLSearchParams(asked(tokenPath)[1]?.body).get('client_assertion') ?? 'x';
    assert.ok(!everythingIn(error).includes(statement));
    assert.match(everythingIn(error), /answered 401, saying "AADSTS700027/);
  },
);

test('a key that cannot be read is refused without showing it', async (t) => {
  const { base, arrivals } = await directory(t, {});
  const given = { clientSecret: '', privateKey: 'no-key-at-all', certificate: 'none' };
  const error = await readSource({ preset: 'entra', account: entraAccount(base, given) }).catch(
    (error: unknown) => error,
  );
  assert.match(everythingIn(error), /the certificate of its account cannot be read/);
  assert.doesNotMatch(everythingIn(error), /no-key-at-all/);
  assert.equal(arrivals.length, 0);
});

test('entra waits as long as Graph says, and begins again when its place is lost', async (t) => {
  let count = 0;
  const faults: (Reply | undefined)[] = [
    {
      status: 429,
      headers: { 'retry-after': '17' },
      body: { error: { code: 'TooManyRequests', message: 'slow down' } },
    },
    undefined,
    { status: 410, body: { error: { code: 'syncStateNotFound', message: 'gone' } } },
    undefined,
    { status: 400, body: { error: { code: 'Directory_ExpiredPageToken', message: 'expired' } } },
  ];
  const { base } = await directory(t, {
    [tokenPath]: token,
    '/v1.0/users': (...given) => faults[count++] ?? entraPages(...given),
  });
  const given = deps();
  const found = await readSource({ preset: 'entra', account: entraAccount(base) }, {}, given);
  assert.equal(found.members.length, 2);
  assert.deepEqual(given.waits, [17_000]);
});

test('entra sends nothing to another server, and says what Graph says', async (t) => {
  const { base } = await directory(t, {
    [tokenPath]: token,
    '/v1.0/users': () => ({
      '@odata.nextLink': 'https://graph.elsewhere.example/v1.0/users',
      value: [entraUser('ann')],
    }),
  });
  assert.match(
    await refusal(readSource({ preset: 'entra', account: entraAccount(base) })),
    /leads to graph\.elsewhere\.example, another server, to which nothing is sent/,
  );
  const denied = await directory(t, {
    [tokenPath]: token,
    '/v1.0/users': () => ({
      status: 403,
      body: {
        error: { code: 'Authorization_RequestDenied', message: 'Insufficient privileges to complete the operation.' },
      },
    }),
  });
  assert.match(
    await refusal(readSource({ preset: 'entra', account: entraAccount(denied.base) })),
    /answered 403, saying "Insufficient privileges to complete the operation\."\. Its credentials may not read this/,
  );
});

const entraGroups = [
  { id: 'g1', displayName: 'Sales-ACL' },
  { id: 'g2', displayName: 'Legal-ACL' },
  { id: 'g3', displayName: 'Everybody' },
];
const members: Record<string, string[]> = { g1: ['id-ann', 'id-fay'], g2: ['id-fay', 'id-ann'], g3: ['id-ann'] };

test('entra-groups takes groups by name or id with all nested members, and renames them by pattern', async (t) => {
  const casts = Object.fromEntries(
    Object.entries(members).map(([id, ids]) => [
      `/v1.0/groups/${id}/transitiveMembers/microsoft.graph.user`,
      () => ({ '@odata.count': ids.length, value: ids.map((id) => ({ id })) }),
    ]),
  );
  const { base, asked } = await directory(t, {
    [tokenPath]: token,
    '/v1.0/users': entraPages,
    '/v1.0/groups': () => ({ value: entraGroups }),
    ...casts,
  });
  const found = await readSource({
    preset: 'entra-groups',
    account: entraAccount(base, { groups: '*-acl; g3 ;gone*' }),
  });
  assert.deepEqual(short(found.members), [
    'ann Ek <ann@example.com> +47 22 00 00 01: Sales-ACL, Legal-ACL, Everybody',
    'fay Ek <fay@example.com>: Sales-ACL, Legal-ACL',
  ]);
  assert.ok(found.notes.includes('3 of 3 groups are read: those that account.groups names.'));
  assert.ok(found.notes.some((note) => note.startsWith('No group has a name or an id like "gone*"')));
  const cast = asked('/v1.0/groups/g1/')[0];
  assert.equal(cast?.headers['consistencylevel'], 'eventual');
  assert.match(cast?.path ?? '', /\$count=true/);
  const none = { preset: 'entra-groups', account: entraAccount(base, { groups: 'gone' }) };
  assert.match(await refusal(readSource(none)), /none of its 3 groups has a name or an id as account\.groups says/);
  const renamed = { preset: 'entra-groups', account: entraAccount(base, { groups: 'Sales-ACL; Legals' }) };
  assert.match(await refusal(readSource(renamed)), /none of its 3 groups .* says: "Legals"/);
});

for (const displayName of ['sales-acl', 'Sales -ACL', '[Sales-ACL]', '["Sales-ACL"]', '[Sales-ACL;x]'])
  test(`entra-groups refuses two groups of one name, ${displayName}: anybody may make another one`, async (t) => {
    const value = [...entraGroups, { id: 'g4', displayName }];
    const { base } = await directory(t, {
      [tokenPath]: token,
      '/v1.0/users': entraPages,
      '/v1.0/groups': () => ({ value }),
      '/v1.0/groups/g4/transitiveMembers/microsoft.graph.user': () => ({ '@odata.count': 0, value: [] }),
    });
    const both = { preset: 'entra-groups', account: entraAccount(base, { groups: '*-ACL*' }) };
    assert.match(
      await refusal(readSource(both)),
      /several groups are called "Sales-ACL": g1 and g4\. Name the right one/,
    );
    const one = await readSource({ preset: 'entra-groups', account: entraAccount(base, { groups: 'g4' }) });
    assert.deepEqual(one.members, []);
  });

test('entra-groups uses nothing when a group says more members than it gives', async (t) => {
  const { base } = await directory(t, {
    [tokenPath]: token,
    '/v1.0/users': entraPages,
    '/v1.0/groups': () => ({ value: entraGroups.slice(0, 1) }),
    '/v1.0/groups/g1/transitiveMembers/microsoft.graph.user': () => ({ '@odata.count': 2, value: [{ id: 'id-ann' }] }),
  });
  const location = { preset: 'entra-groups', account: entraAccount(base, { groups: '*' }) };
  assert.match(await refusal(readSource(location)), /said 2 people and gave 1, 3 times: people may be missing/);
});

const googleUser = (name: string, more: object = {}) => ({
  ...{ kind: 'admin#directory#user', id: `1${name}`, primaryEmail: `${name}@example.com`, isAdmin: false },
  ...{ name: { givenName: name, familyName: 'Ek', fullName: `${name} Ek` }, suspended: false, archived: false },
  ...{
    orgUnitPath: '/Nordics/Sales',
    phones: [
      { value: '+47 22', type: 'work' },
      { value: '+47 9', type: 'mobile' },
    ],
  },
  ...{ organizations: [{ department: 'Old' }, { department: 'Field', primary: true }], ...more },
});
const googleKey = JSON.stringify({
  ...{ type: 'service_account', private_key_id: 'key-7', private_key: pem, client_email: 'sync@acme.iam.example' },
});
const googleAccount = (base: string, more: Record<string, string> = {}) =>
  account({ key: googleKey, admin: 'admin@example.com', baseUrl: base, tokenUrl: `${base}/token`, ...more });
const google = '/admin/directory/v1';

test('google-directory signs for an administrator, reads all pages, and takes the org unit', async (t) => {
  const { base, asked } = await directory(t, {
    '/token': token,
    [`${google}/users`]: (_, query) =>
      query.get('pageToken') === null
        ? {
            kind: 'admin#directory#users',
            ...{ users: [googleUser('ann'), googleUser('bo', { suspended: true })], nextPageToken: 'p/2=' },
          }
        : {
            kind: 'admin#directory#users',
            users: [googleUser('cy', { archived: true }), googleUser('di', { phones: [] })],
          },
  });
  const location = { preset: 'google-directory', account: googleAccount(base) };
  const found = await readSource(location);
  assert.deepEqual(short(found.members), ['ann Ek <ann@example.com> +47 22: Sales', 'di Ek <di@example.com>: Sales']);
  assert.equal(found.filtered.length, 2);
  const form = new URLSearchParams(asked('/token')[0]?.body);
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [header, claims] = statementIn(form.get('assertion'), rsa.publicKey, false);
  assert.deepEqual([header['alg'], header['kid']], ['RS256', 'key-7']);
  assert.deepEqual(
    [claims['iss'], claims['sub'], claims['aud']],
    ['sync@acme.iam.example', 'admin@example.com', `${base}/token`],
  );
  assert.match(String(claims['scope']), /admin\.directory\.user\.readonly .*group\.member\.readonly$/);
  const query = new URL(asked(`${google}/users`)[0]?.path ?? '', base).searchParams;
  assert.deepEqual([query.get('customer'), query.get('maxResults')], ['my_customer', '500']);
  const departments = [{ column: 'organizations[primary=true].department' }];
  const paths = { open: { paths: ['organizations[primary=true].department'] } };
  const byDepartment = await readSource(location, { rules: { groups: departments } }, deps(paths));
  assert.deepEqual(byDepartment.members[0]?.groups, ['Field']);
});

test('google-directory waits at a limit of 403, and gives up at once where it is forbidden', async (t) => {
  const refused = (reason: string): Reply => ({
    status: 403,
    body: { error: { code: 403, message: 'No.', errors: [{ domain: 'usageLimits', reason, message: 'No.' }] } },
  });
  let answers: (Reply | undefined)[] = [refused('userRateLimitExceeded'), refused('quotaExceeded')];
  const { base } = await directory(t, {
    '/token': token,
    [`${google}/users`]: () => answers.shift() ?? { kind: 'admin#directory#users', users: [googleUser('ann')] },
  });
  const given = deps();
  const location = { preset: 'google-directory', account: googleAccount(base) };
  assert.equal((await readSource(location, {}, given)).members.length, 1);
  assert.deepEqual(given.waits, [2000, 4000]);
  answers = [refused('forbidden')];
  assert.match(
    await refusal(readSource(location, {}, deps())),
    /answered 403, saying "No\."\. Its credentials may not read/,
  );
});

test('google-directory knows an answer without users from one that is none', async (t) => {
  let answer: object = { kind: 'admin#directory#users', etag: '"x"' };
  const { base } = await directory(t, { '/token': token, [`${google}/users`]: () => answer }, { isStrange: true });
  const location = { preset: 'google-directory', account: googleAccount(base) };
  assert.match(await refusal(readSource(location)), /it gave no records at all, so there is nobody in it/);
  answer = { hello: 'world' };
  assert.match(await refusal(readSource(location)), /there is no list of people at "\/users"/);
});

test('google-directory-groups takes people of nested groups, and not the groups in them', async (t) => {
  const { base, asked } = await directory(t, {
    '/token': token,
    [`${google}/users`]: () => ({ kind: 'admin#directory#users', users: [googleUser('ann'), googleUser('bo')] }),
    [`${google}/groups`]: () => ({
      kind: 'admin#directory#groups',
      groups: [
        { id: 'x1', email: 'sales@example.com', name: 'Sales', directMembersCount: '2' },
        { id: 'x2', email: 'empty@example.com', name: 'Empty', directMembersCount: '0' },
        { id: 'x3', email: 'other@other.example', name: 'Other', directMembersCount: '1' },
      ],
    }),
    [`${google}/groups/sales%40example.com/members`]: (_, query) =>
      query.get('pageToken') === null
        ? {
            kind: 'admin#directory#members',
            ...{
              members: [
                { id: '1ann', type: 'USER' },
                { id: '1bo', type: 'GROUP' },
              ],
              nextPageToken: 'n',
            },
          }
        : { kind: 'admin#directory#members', members: [{ id: '1bo', type: 'USER' }] },
    [`${google}/groups/empty%40example.com/members`]: () => ({ kind: 'admin#directory#members' }),
  });
  const location = { preset: 'google-directory-groups', account: googleAccount(base, { groups: '*@example.com' }) };
  const found = await readSource(location);
  assert.deepEqual(short(found.members), [
    'ann Ek <ann@example.com> +47 22: Sales',
    'bo Ek <bo@example.com> +47 22: Sales',
  ]);
  assert.match(asked(`${google}/groups/sales`)[0]?.path ?? '', /includeDerivedMembership=true/);
  assert.equal(asked(`${google}/groups/other`).length, 0);
});

const oktaUser = (name: string, status = 'ACTIVE') => ({
  ...{ id: `00u${name}`, status, created: '2026-01-01T00:00:00.000Z', type: { id: 'oty1' } },
  profile: {
    ...{ firstName: name, lastName: 'Ek', email: `${name}@example.com`, login: `${name}@login.example` },
    ...{ secondEmail: `${name}@private.example`, mobilePhone: '+47 9', department: 'Sales' },
  },
});

test('okta-users follows Link headers with an API token; who is not in yet or suspended is filtered', async (t) => {
  const { base, arrivals } = await directory(t, {
    '/api/v1/users': (_, query, at) =>
      query.get('after') === null
        ? {
            headers: {
              link: `<${at}/api/v1/users?limit=200>; rel="self", <${at}/api/v1/users?after=200u&limit=200>; rel="next"`,
            },
            body: [oktaUser('ann'), oktaUser('bo', 'STAGED'), oktaUser('cy', 'LOCKED_OUT')],
          }
        : { headers: { link: `<${at}/api/v1/users?limit=200>; rel="self"` }, body: [oktaUser('di', 'SUSPENDED')] },
  });
  const location = { preset: 'okta-users', account: account({ url: base, token: '00Abc-token-of-okta' }) };
  const found = await readSource(location);
  assert.deepEqual(short(found.members), ['ann Ek <ann@example.com>: Sales', 'cy Ek <cy@example.com>: Sales']);
  assert.equal(found.filtered.length, 2);
  assert.equal(arrivals[0]?.headers.authorization, 'SSWS 00Abc-token-of-okta');
  assert.equal(arrivals[0]?.path, '/api/v1/users?limit=200');
});

test('okta-users waits until the limit is reset, by the clock of Okta', async (t) => {
  const begun = Date.parse('2030-01-01T00:00:00Z');
  const limit = (remaining: string, seconds: number) => ({
    ...{ 'x-rate-limit-limit': '600', 'x-rate-limit-remaining': remaining, date: new Date(begun).toUTCString() },
    'x-rate-limit-reset': String(begun / 1000 + seconds),
  });
  const body = { errorCode: 'E0000047', errorSummary: 'API call exceeded rate limit due to too many requests.' };
  let count = 0;
  const { base } = await directory(t, {
    '/api/v1/users': (_, query, at) => {
      count += 1;
      if (count === 1) return { status: 429, headers: limit('0', 42), body };
      if (query.get('after') !== null) return { headers: limit('7', 9), body: [oktaUser('bo')] };
      return {
        headers: { ...limit('0', 13), link: `<${at}/api/v1/users?after=1>; rel="next"` },
        body: [oktaUser('ann')],
      };
    },
  });
  let now = Date.parse('2026-01-01T00:00:00Z');
  const waits: number[] = [];
  const given = deps({
    now: () => new Date(now),
    wait: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  });
  const location = { preset: 'okta-users', account: account({ url: base, token: '00Abc-token-of-okta' }) };
  assert.equal((await readSource(location, {}, given)).members.length, 2);
  assert.deepEqual(waits, [42_000, 13_000]);
});

test('okta-groups signs for a service app, and reads the groups that are named', async (t) => {
  const { base, asked } = await directory(t, {
    '/oauth2/v1/token': token,
    '/api/v1/users': () => [oktaUser('ann'), oktaUser('bo')],
    '/api/v1/groups': () => [
      { id: '00g1', type: 'OKTA_GROUP', profile: { name: 'Sales', description: 'Everybody who sells' } },
      { id: '00g2', type: 'BUILT_IN', profile: { name: 'Everyone', description: 'All users' } },
    ],
    '/api/v1/groups/00g1/users': () => [oktaUser('ann'), oktaUser('bo')],
  });
  const given = { url: base, clientId: '0oa1', privateKey: pem, keyId: 'k1', groups: 'sales' };
  const found = await readSource({ preset: 'okta-groups', account: account(given) });
  assert.deepEqual(short(found.members), ['ann Ek <ann@example.com>: Sales', 'bo Ek <bo@example.com>: Sales']);
  const form = new URLSearchParams(asked('/oauth2/v1/token')[0]?.body);
  const [header, claims] = statementIn(form.get('client_assertion'), rsa.publicKey, false);
  assert.deepEqual([header['alg'], header['kid'], claims['iss'], claims['sub']], ['RS256', 'k1', '0oa1', '0oa1']);
  assert.equal(claims['aud'], `${base}/oauth2/v1/token`);
  assert.equal(form.get('scope'), 'okta.users.read okta.groups.read');
  assert.equal(asked('/api/v1/users')[0]?.headers.authorization, 'Bearer token-of-directory');
});
