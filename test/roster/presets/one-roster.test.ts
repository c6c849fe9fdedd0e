import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { signatureBase } from '../../../src/roster/fetch/request-signature.ts';
import { listenHttp, sendJson, type Arrival } from '../../service/local-server.ts';
import { deps, refusal } from '../fetch/fetching.ts';
import { account, readSource } from './reading-presets.ts';

const ref = (sourcedId: string) => ({ sourcedId, href: `https://sis.example/${sourcedId}`, type: 'x' });
const user = (id: string, more: object) => ({
  ...{ sourcedId: id, status: 'active', enabledUser: 'true', givenName: id.toUpperCase(), familyName: 'Ek' },
  ...{ email: `${id}@school.example`, phone: '+4722000001', ...more },
});
const lists = {
  users: [
    user('ann', { role: 'student', orgs: [ref('o1'), ref('o2')] }),
    user('bo', { roles: [{ roleType: 'primary', role: 'teacher', org: ref('o1') }], enabledUser: true }),
    user('cy', { role: 'parent', orgs: [ref('o1')] }),
    user('fa', { roles: ['parent', 'guardian'].map((role) => ({ role, org: ref('o1') })) }),
    user('di', { role: 'student', orgs: [ref('o1')], enabledUser: 'false' }),
    user('ed', { role: 'student', orgs: [ref('o1')], email: '' }),
  ],
  orgs: [
    { sourcedId: 'o1', name: 'North' },
    { sourcedId: 'o2', name: 'District' },
  ],
  classes: [
    { sourcedId: 'c1', title: 'Algebra' },
    { sourcedId: 'c2', title: 'Art' },
  ],
  enrollments: [
    { sourcedId: 'e1', user: ref('ann'), class: ref('c1') },
    { sourcedId: 'e2', user: ref('ann'), class: ref('c2') },
    { sourcedId: 'e3', user: ref('bo'), class: ref('c1') },
    { sourcedId: 'e4', user: ref('bo'), class: ref('gone') },
  ],
};
/** The signature of OAuth 1.0a that a server works out for a request, after RFC 5849. */
function signatureOf({ path, headers }: Arrival, base: string, secret: string): { sent: string; right: string } {
  const header = headers.authorization ?? '';
  const fields = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]),
  );
  const { oauth_signature: sent = '', ...others } = fields;
  const text = signatureBase('GET', new URL(path, base), others);
  return { sent, right: createHmac('sha256', `${secret}&`).update(text).digest('base64') };
}
type Fault = (response: ServerResponse, arrival: Arrival, count: number) => boolean;

/** A OneRoster server that gives two people a page, whatever it is asked for. */
async function school(
  t: TestContext,
  {
    links = false,
    total = true,
    fault = () => false,
  }: {
    links?: boolean;
    total?: boolean;
    fault?: Fault;
  } = {},
) {
  let tokens = 0;
  let count = 0;
  const { base, arrivals } = await listenHttp(t, (response, arrival) => {
    const url = new URL(arrival.path, 'http://127.0.0.1');
    if (url.pathname === '/token') return sendJson(response, { access_token: `token-${++tokens}`, expires_in: 3600 });
    if (fault(response, arrival, ++count)) return;
    const name = url.pathname.replace('/ims/oneroster/v1p1/', '') as keyof typeof lists;
    const all: readonly object[] = lists[name];
    const offset = Number(url.searchParams.get('offset'));
    if (total) response.setHeader('X-Total-Count', String(all.length));
    const next = `<${url.pathname}?limit=2&offset=${offset + 2}&cursor=next>; rel="next", <${url.pathname}>; rel="first"`;
    if (links) response.setHeader('Link', offset + 2 < all.length ? next : `<${url.pathname}>; rel="first"`);
    sendJson(response, { [name]: all.slice(offset, offset + 2) });
  });
  const credentials = account({
    ...{
      url: `${base}/ims/oneroster/v1p1`,
      tokenUrl: `${base}/token`,
      clientId: 'id',
      clientSecret: 's3cret-of-school',
    },
  });
  return { location: { preset: 'oneroster-1.1', account: credentials }, arrivals, base };
}

const ofUsers = (arrivals: readonly Arrival[]) =>
  arrivals.filter(({ path }) => path.includes('/users')).map(({ path }) => path.slice(path.indexOf('?')));
const everybody = [
  ['ann@school.example', ['Algebra', 'Art', 'North', 'District'], undefined],
  ['bo@school.example', ['Algebra', 'North'], undefined],
];

test('oneroster gives people of both versions with classes and orgs, and filters parents and who is not enabled', async (t) => {
  const { location, arrivals } = await school(t);
  const found = await readSource(location);
  assert.deepEqual(
    found.members.map(({ email, groups, telephone }) => [email, groups, telephone]),
    everybody,
  );
  assert.deepEqual(found.ids, ['ann', 'bo']);
  assert.equal(found.filtered.length, 3);
  assert.deepEqual(
    found.rejects.map(([line]) => line),
    [6],
  );
  const [token] = arrivals;
  assert.equal(token?.headers.authorization, `Basic ${Buffer.from('id:s3cret-of-school').toString('base64')}`);
  assert.match(
    token?.body ?? '',
    /scope=https%3A%2F%2Fpurl\.imsglobal\.org%2Fspec%2For%2Fv1p1%2Fscope%2Froster-core\.readonly/,
  );
  assert.deepEqual(
    ofUsers(arrivals),
    [0, 2, 4].map((offset) => `?limit=100&filter=status%3D%27active%27&offset=${offset}`),
  );
});

test('oneroster follows the Link header, and reads to an empty page where nothing says how many there are', async (t) => {
  const linked = await school(t, { links: true, total: false });
  assert.equal((await readSource(linked.location)).members.length, 2);
  assert.deepEqual(ofUsers(linked.arrivals).slice(1), [
    '?limit=2&offset=2&cursor=next',
    '?limit=2&offset=4&cursor=next',
  ]);
  const bare = await school(t, { total: false });
  assert.equal((await readSource(bare.location)).members.length, 2);
  assert.equal(ofUsers(bare.arrivals).length, 4);
});

test('oneroster asks for the users that account.filter names', async (t) => {
  const { location, arrivals } = await school(t);
  const filter = account({ filter: "status='active' AND role='teacher'" });
  await readSource({ ...location, account: { ...location.account, ...filter } });
  assert.match(ofUsers(arrivals)[0] ?? '', /filter=status%3D%27active%27\+AND\+role%3D%27teacher%27&/);
});

test('oneroster waits as long as a 429 says, and asks once for a new token after a 401', async (t) => {
  const { location, arrivals } = await school(t, {
    fault: (response, _, count) => {
      if (count === 2) response.setHeader('Retry-After', '7');
      if (count === 2 || count === 4) sendJson(response, { imsx_codeMajor: 'failure' }, count === 2 ? 429 : 401);
      return count === 2 || count === 4;
    },
  });
  const given = deps();
  assert.equal((await readSource(location, {}, given)).members.length, 2);
  assert.deepEqual(given.waits, [7000]);
  assert.equal(arrivals.filter(({ path }) => path === '/token').length, 2);
});

test('oneroster begins again when somebody comes twice, and gives nothing when pages never stand still', async (t) => {
  // The second page begins with the last of the first, though there are as many people as before.
  const moving = (times: number): Fault => {
    let moved = 0;
    return (response, { path }) => {
      if (!path.includes('/users') || !path.includes('offset=2') || ++moved > times) return false;
      sendJson(response, { users: lists.users.slice(1, 3) });
      return true;
    };
  };
  const once = await school(t, { fault: moving(1) });
  assert.equal((await readSource(once.location)).members.length, 2);
  assert.equal(ofUsers(once.arrivals)[2], ofUsers(once.arrivals)[0]);
  const never = await school(t, { fault: moving(9) });
  assert.match(
    await refusal(readSource(never.location)),
    /gave somebody twice, 3 times: people may be missing\. Nothing from it was used/,
  );
});

test('oneroster gives nobody when there are fewer than the total, or when enrolments cannot be had', async (t) => {
  const few = await school(t, {
    total: false,
    fault: (response, { path }) => {
      if (path.includes('/users')) response.setHeader('X-Total-Count', '7');
      return false;
    },
  });
  assert.match(await refusal(readSource(few.location)), /said 7 people and gave 6, 3 times: people may be missing/);
  const refused = await school(t, {
    fault: (response, { path }) => {
      if (path.includes('/enrollments')) sendJson(response, { imsx_description: 'no' }, 403);
      return path.includes('/enrollments');
    },
  });
  const message = await refusal(readSource(refused.location));
  assert.match(message, /\/enrollments.* answered 403\. Its credentials may not read this/);
  assert.doesNotMatch(message, /s3cret|token-/);
});

test('a school that asks for OAuth 1.0a gets every request signed, without its secret', async (t) => {
  const { location, arrivals, base } = await school(t);
  const { tokenUrl: _, ...signed } = location.account;
  const { members } = await readSource({ ...location, account: signed });
  assert.equal(members.length, 2);
  const nonces = new Set<string>();
  for (const arrival of arrivals) {
    const { sent, right } = signatureOf(arrival, base, 's3cret-of-school');
    assert.equal(sent, right, arrival.path);
    const header = arrival.headers.authorization ?? '';
    assert.match(header, /^OAuth oauth_consumer_key="id", .*oauth_signature_method="HMAC-SHA256"/);
    assert.doesNotMatch(header, /s3cret/);
    nonces.add(/oauth_nonce="([^"]+)"/.exec(header)?.[1] ?? '');
  }
  assert.equal(nonces.size, arrivals.length);
  assert.ok(arrivals.length > 5);
});

test('OneRoster 1.2 needs the address of tokens', async () => {
  const message = await refusal(
    readSource({
      preset: 'oneroster-1.2',
      account: account({ url: 'https://sis.example/x', clientId: 'id', clientSecret: 'b' }),
    }),
  );
  assert.match(message, /account\.tokenUrl is missing/);
});

test('a request is signed as the example of RFC 5849', () => {
  // Section 1.2 signs with HMAC-SHA1 and a token; the text that is signed is the same.
  const text = signatureBase('GET', new URL('http://photos.example.net/photos?file=vacation.jpg&size=original'), {
    ...{ oauth_consumer_key: 'dpf43f3p2l4k3l03', oauth_token: 'nnch734d00sl2jdk', oauth_nonce: 'chapoH' },
    ...{ oauth_signature_method: 'HMAC-SHA1', oauth_timestamp: '137131202' },
  });
  const signature = createHmac('sha1', 'kd94hf93k423kf44&pfkkdhi9sl3r4s00').update(text).digest('base64');
  assert.equal(signature, 'MdpQcU8iPSUjWoN/UDMsK2sui9I=');
});
