import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { deps, refusal } from '../fetch/fetching.ts';
import { directory, type Handler, type Reply, wrongIn } from './directory-server.ts';
import { account, readSource } from './reading-presets.ts';

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const googleKey = JSON.stringify({ private_key_id: 'k', private_key: pem, client_email: 'sync@acme.iam.example' });

/** A directory of a vendor: two pages with one person each. */
interface Vendor {
  preset: string;
  account: (base: string) => Record<string, string>;
  tokenPath: string;
  usersPath: string;
  pages: [first: (base: string) => Reply, second: (base: string) => Reply];
  /** How the vendor refuses: too many requests, a token that has ended, a page that is gone. */
  busy: Reply;
  ended: Reply;
  gone: Reply;
  /** What is seen of a page that is gone: all is read again, or the run fails in these words. */
  whenGone: 'again' | RegExp;
}

const graphUser = (name: string) => ({
  ...{ id: name, mail: `${name}@example.com`, givenName: name, surname: 'Ek', department: 'Sales' },
  ...{ accountEnabled: true, userType: 'Member', businessPhones: [] },
});
const graphError = (status: number, code: string, headers = {}): Reply => {
  return { status, headers, body: { error: { code, message: `${code}.` } } };
};
const googleUser = (name: string) => ({
  ...{ kind: 'admin#directory#user', id: name, primaryEmail: `${name}@example.com`, orgUnitPath: '/Sales' },
  name: { givenName: name, familyName: 'Ek' },
});
const googleError = (status: number, reason: string, headers = {}): Reply => {
  const errors = [{ domain: 'global', reason, message: `${reason}.` }];
  return { status, headers, body: { error: { code: status, message: `${reason}.`, errors } } };
};
const oktaUser = (name: string) => ({
  ...{ id: name, status: 'ACTIVE' },
  profile: {
    firstName: name,
    lastName: 'Ek',
    email: `${name}@example.com`,
    login: `${name}@example.com`,
    department: 'Sales',
  },
});
const oktaError = (status: number, errorCode: string, headers = {}): Reply => {
  return {
    status,
    headers,
    body: { errorCode, errorSummary: `${errorCode}.`, errorLink: errorCode, errorId: 'oae1', errorCauses: [] },
  };
};

const vendors: Record<string, Vendor> = {
  Graph: {
    preset: 'entra',
    account: (base) => ({ tenant: 't', clientId: 'c', clientSecret: 's', baseUrl: base, loginUrl: base }),
    tokenPath: '/t/oauth2/v2.0/token',
    usersPath: '/v1.0/users',
    pages: [
      (base) => ({ body: { value: [graphUser('ann')], '@odata.nextLink': `${base}/v1.0/users?$skiptoken=2` } }),
      () => ({ body: { value: [graphUser('bo')] } }),
    ],
    busy: graphError(429, 'TooManyRequests', { 'retry-after': '7' }),
    ended: graphError(401, 'InvalidAuthenticationToken'),
    gone: graphError(410, 'syncStateNotFound'),
    whenGone: 'again',
  },
  Google: {
    preset: 'google-directory',
    account: (base) => ({ key: googleKey, admin: 'a@example.com', baseUrl: base, tokenUrl: `${base}/token` }),
    tokenPath: '/token',
    usersPath: '/admin/directory/v1/users',
    pages: [
      () => ({ body: { kind: 'admin#directory#users', users: [googleUser('ann')], nextPageToken: '2' } }),
      () => ({ body: { kind: 'admin#directory#users', users: [googleUser('bo')] } }),
    ],
    busy: googleError(429, 'rateLimitExceeded', { 'retry-after': '7' }),
    ended: googleError(401, 'authError'),
    gone: googleError(410, 'deleted'),
    whenGone: /answered 410, saying "deleted\."/,
  },
  Okta: {
    preset: 'okta-users',
    account: (base) => ({ url: base, clientId: '0oa1', privateKey: pem, keyId: 'k1' }),
    tokenPath: '/oauth2/v1/token',
    usersPath: '/api/v1/users',
    pages: [
      (base) => ({ headers: { link: `<${base}/api/v1/users?after=2>; rel="next"` }, body: [oktaUser('ann')] }),
      () => ({ body: [oktaUser('bo')] }),
    ],
    busy: oktaError(429, 'E0000047', { 'retry-after': '7' }),
    ended: oktaError(401, 'E0000011'),
    gone: oktaError(410, 'E0000007'),
    whenGone: /answered 410, saying "E0000007\."/,
  },
};

const isSecond = (query: URLSearchParams) => ['$skiptoken', 'pageToken', 'after'].some((name) => query.has(name));

for (const [name, vendor] of Object.entries(vendors)) {
  const { preset, tokenPath, usersPath, pages } = vendor;
  /** A server that gives both pages, but for what `fault` answers instead. */
  async function serve(
    t: Parameters<typeof directory>[0],
    fault: (query: URLSearchParams, authorization?: string) => Reply | undefined,
  ) {
    let tokens = 0;
    const users: Handler = ({ headers }, query, base) => {
      return fault(query, headers.authorization) ?? pages[isSecond(query) ? 1 : 0](base);
    };
    const server = await directory(t, {
      [tokenPath]: () => ({ token_type: 'Bearer', expires_in: 3600, access_token: `token-${(tokens += 1)}` }),
      [usersPath]: users,
    });
    const given = deps();
    const read = () => readSource({ preset, account: account(vendor.account(server.base)) }, {}, given);
    return { ...server, given, read };
  }

  test(`${name}: a 429 on the second page makes the read wait as long as Retry-After says`, async (t) => {
    let faults = [vendor.busy, vendor.busy];
    const { read, given, asked } = await serve(t, (query) => (isSecond(query) ? faults.shift() : undefined));
    assert.equal((await read()).members.length, 2);
    assert.deepEqual(given.waits, [7000, 7000]);
    assert.equal(asked(usersPath).length, 4);
    faults = Array<Reply>(6).fill(vendor.busy);
    assert.match(await refusal(read()), /answered 429.*\(tried 6 times\)\. Nothing from it was used\./);
  });

  test(`${name}: a token that ends before the second page is renewed once, and no second time`, async (t) => {
    const { read, asked } = await serve(t, (query, authorization) => {
      return isSecond(query) && authorization === 'Bearer token-1' ? vendor.ended : undefined;
    });
    assert.equal((await read()).members.length, 2);
    assert.equal(asked(tokenPath).length, 2);
    assert.deepEqual(
      asked(usersPath).map(({ headers }) => headers.authorization),
      ['Bearer token-1', 'Bearer token-1', 'Bearer token-2'],
    );
    const refused = await serve(t, (query) => (isSecond(query) ? vendor.ended : undefined));
    assert.match(await refusal(refused.read()), /answered 401.*Check the credentials of this source/);
    assert.equal(refused.asked(tokenPath).length, 2);
  });

  test(`${name}: a second page that is gone never gives half of the people`, async (t) => {
    let isGone = true;
    const { read, asked } = await serve(t, (query) => {
      if (!isSecond(query) || !isGone) return undefined;
      isGone = vendor.whenGone !== 'again';
      return vendor.gone;
    });
    if (vendor.whenGone !== 'again') return assert.match(await refusal(read()), vendor.whenGone);
    assert.equal((await read()).members.length, 2);
    assert.equal(asked(usersPath).length, 4);
  });

  test(`${name}: a page that moves so that it comes again is refused, and nothing is used`, async (t) => {
    // The first page again; its link leads to this same server.
    const { read } = await serve(t, (query) => (isSecond(query) ? pages[0]('') : undefined));
    assert.match(await refusal(read()), /gave the same page twice/);
  });
}

const graphPage = {
  value: [graphUser('ann')],
  '@odata.nextLink': 'https://graph.microsoft.com/v1.0/users?$skiptoken=1',
};
const googlePage = { kind: 'admin#directory#users', users: [googleUser('ann')], nextPageToken: 'n' };
const googleMember = {
  kind: 'admin#directory#member',
  id: '1',
  email: 'ann@example.com',
  role: 'MEMBER',
  type: 'USER',
};
const oktaGroup = { id: '00g1', type: 'OKTA_GROUP', profile: { name: 'Sales', description: 'All' } };
const oktaUsers = '/api/v1/users';

/** Answers as they should be, and the same with one thing that the vendor would not write. */
const bodies: [path: string, status: number, right: object, wrong: object][] = [
  ['/v1.0/users', 200, graphPage, { ...graphPage, value: [{ ...graphUser('ann'), accountEnabled: 'True' }] }],
  ['/v1.0/users', 200, { value: [] }, { users: [] }],
  [
    '/v1.0/users',
    200,
    { value: [{ ...graphUser('a'), employeeHireDate: '2020-03-01T00:00:00Z' }] },
    { value: [{ ...graphUser('a'), employeeHireDate: '2020-03-01' }] },
  ],
  ['/v1.0/groups', 200, { value: [{ id: 'g', displayName: 'Sales' }] }, { value: [{ displayName: 'Sales' }] }],
  [
    '/v1.0/groups/g/transitiveMembers/microsoft.graph.user',
    200,
    { '@odata.count': 1, value: [{ id: 'a' }] },
    { '@odata.count': '1', value: [{ id: 'a' }] },
  ],
  ['/v1.0/users', 429, { error: { code: 'TooManyRequests', message: 'Slow down.' } }, { error: 'TooManyRequests' }],
  ['/admin/directory/v1/users', 200, googlePage, { ...googlePage, nextPageToken: 2 }],
  ['/admin/directory/v1/users', 200, { kind: 'admin#directory#users' }, { users: [] }],
  [
    '/admin/directory/v1/groups',
    200,
    {
      kind: 'admin#directory#groups',
      groups: [{ id: 'g', email: 'g@example.com', name: 'G', directMembersCount: '2' }],
    },
    { kind: 'admin#directory#groups', groups: [{ id: 'g', directMembersCount: 2 }] },
  ],
  [
    '/admin/directory/v1/groups/g/members',
    200,
    { kind: 'admin#directory#members', members: [googleMember] },
    { kind: 'admin#directory#members', members: [{ ...googleMember, type: null }] },
  ],
  [
    '/admin/directory/v1/users',
    403,
    { error: { code: 403, message: 'No.', errors: [{ reason: 'forbidden' }] } },
    { error: { message: 'No.' } },
  ],
  [oktaUsers, 200, [oktaUser('ann')], [{ ...oktaUser('ann'), status: 'Active' }]],
  [oktaUsers, 200, [], { users: [] }],
  ['/api/v1/groups/00g1/users', 200, [oktaUser('ann')], [{ ...oktaUser('ann'), profile: { firstName: '' } }]],
  ['/api/v1/groups', 200, [oktaGroup], [{ ...oktaGroup, profile: { name: 1 } }]],
  [oktaUsers, 429, { errorCode: 'E0000047', errorSummary: 'Too many.' }, { error: { message: 'Too many.' } }],
];

for (const [path, status, right, wrong] of bodies) {
  test(`an answer of ${path} (${status}) is held against its public description: ${JSON.stringify(wrong).slice(0, 60)}`, () => {
    assert.deepEqual(wrongIn(path, status, right), []);
    assert.ok((wrongIn(path, status, wrong) ?? []).length > 0);
  });
}
