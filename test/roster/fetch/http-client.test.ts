import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { HttpSource, SourceDeps } from '../../../src/roster/roster-file.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { listenHttp, listenRaw, sendJson } from '../../service/local-server.ts';
import { connect, deps, everythingIn, refusal } from './fetching.ts';

/** Reads the address of a server once. */
async function get(
  t: TestContext,
  url: string,
  options: Partial<HttpSource> = {},
  given: SourceDeps = deps(),
): Promise<string> {
  const client = connect(t, url, options, given);
  const { body } = await client.read({ url: client.url, method: options.method ?? 'GET' }, 1_000_000);
  return body.toString('utf8');
}

test('query, headers and credentials arrive', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, { ok: true }));
  const text = await get(t, `${base}/people?all=1`, {
    query: { key: new Secret('a b&c') },
    headers: { 'X-Api-Key': new Secret('k1') },
    auth: { basic: { username: 'hr', password: new Secret('pä:ss') } },
  });
  assert.equal(text, '{"ok":true}');
  const [arrival] = arrivals;
  assert.equal(arrival?.path, '/people?all=1&key=a+b%26c');
  assert.equal(arrival?.headers['x-api-key'], 'k1');
  assert.equal(arrival?.headers['user-agent'], 'roster-sync/0.0.0-test');
  assert.equal(arrival?.headers.authorization, `Basic ${Buffer.from('hr:pä:ss').toString('base64')}`);
});

test('a bearer token arrives as it is', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, []));
  await get(t, base, { auth: { bearer: new Secret('t.o-k_en==') } });
  assert.equal(arrivals[0]?.headers.authorization, 'Bearer t.o-k_en==');
});

test('what is compressed is unpacked, and counted unpacked', async (t) => {
  const people = JSON.stringify(Array.from({ length: 5000 }, () => 'nobody'));
  const { base } = await listenHttp(t, (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(people)),
  );
  assert.equal(await get(t, base), people);
  assert.match(await refusal(get(t, base, { maxBytes: 10_000 })), /gives more than 10\.0 kB in total/);
});

test('a busy server is asked again, after as long as it says, else after longer and longer', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, _, count) => {
    if (count === 1) sendJson(response, {}, 429, { 'retry-after': '7' });
    else if (count < 4) sendJson(response, {}, 503);
    else sendJson(response, ['Jane']);
  });
  const given = deps();
  assert.equal(await get(t, base, {}, given), '["Jane"]');
  assert.equal(arrivals.length, 4);
  assert.deepEqual(given.waits, [7000, 4000, 8000]);
});

test('trouble that does not pass ends the fetch, naming what it was', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response) => sendJson(response, { message: 'on fire' }, 500));
  const message = await refusal(get(t, `${base}/people`, { attempts: 3 }));
  assert.match(message, /^staff: 127\.0\.0\.1:\d+\/people answered 500, saying "on fire" \(tried 3 times\)/);
  assert.equal(arrivals.length, 3);
});

test('a wait beyond the deadline is not waited', async (t) => {
  const { base } = await listenHttp(t, (response) => sendJson(response, {}, 429, { 'retry-after': '7200' }));
  const given = deps();
  assert.match(await refusal(get(t, base, {}, given)), /the next try would come after its deadline/);
  assert.deepEqual(given.waits, []);
});

test('nobody listening is trouble that may pass', async (t) => {
  const base = await listenRaw(t, (socket) => socket.destroy());
  const given = deps();
  assert.match(await refusal(get(t, base, { attempts: 2 }, given)), /could not be read.*tried 2 times/);
  assert.equal(given.waits.length, 1);
});

test('an answer that breaks off is read again from its beginning', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, _, count) => {
    if (count > 1) return void response.writeHead(200, { 'content-length': 6 }).end('a,b\n1,');
    response.writeHead(200, { 'content-length': 1000 }).write('a,b\n');
    response.socket?.destroySoon();
  });
  assert.equal(await get(t, base), 'a,b\n1,');
  assert.equal(arrivals.length, 2);
});

test('a silent server is given up', async (t) => {
  const { base } = await listenHttp(t, (response) => response.writeHead(200).write('{'));
  assert.match(await refusal(get(t, base, { timeout: 50, attempts: 1 })), /was silent for 0\.05 s/);
});

test('a server that drips for ever ends with the deadline', async (t) => {
  const { base } = await listenHttp(t, (response) => {
    response.writeHead(200).write(' ');
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  });
  assert.match(await refusal(get(t, base, { deadline: 100 })), /took longer than 0\.1 s in all/);
});

test('stopping stops at once, and is passed on as it is', async (t) => {
  const stop = new AbortController();
  const { base } = await listenHttp(t, (response) => {
    response.writeHead(200).write('[');
    stop.abort(new Error('interrupted'));
  });
  await assert.rejects(get(t, base, {}, deps({ signal: stop.signal })), /^Error: interrupted$/);
});

test('stopping while it waits to try again is passed on as it is too', async (t) => {
  const stop = new AbortController();
  const { base } = await listenHttp(t, (response) => sendJson(response, {}, 503));
  const wait = (ms: number, signal?: AbortSignal): Promise<void> => {
    stop.abort(new Error('interrupted'));
    return sleep(ms, undefined, signal && { signal });
  };
  await assert.rejects(get(t, base, {}, deps({ signal: stop.signal, wait })), /^Error: interrupted$/);
});

test('redirects on the same server are followed, three at most', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, { path }) => {
    const step = Number(path.slice(1));
    if (step === 3) sendJson(response, 'there');
    else response.writeHead(302, { location: step > 3 ? '/9' : `/${step + 1}` }).end();
  });
  const auth = { bearer: new Secret('token-of-hr') };
  assert.equal(await get(t, `${base}/0`, { auth }), '"there"');
  assert.ok(arrivals.every(({ headers }) => headers.authorization === 'Bearer token-of-hr'));
  assert.match(await refusal(get(t, `${base}/9`, { auth })), /redirects more than 3 times/);
});

test('a redirect to another server is not followed, and no credentials go there', async (t) => {
  const other = await listenHttp(t, (response) => sendJson(response, 'caught'));
  const { base } = await listenHttp(t, (response) => response.writeHead(302, { location: `${other.base}/x` }).end());
  const message = await refusal(get(t, base, { auth: { bearer: new Secret('token-of-hr') } }));
  assert.match(message, /redirects to another server, 127\.0\.0\.1:\d+, which is not followed/);
  assert.equal(other.arrivals.length, 0);
});

test('a POST is sent again only where the server asks for just that', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, { path }) => {
    if (path === '/kept') response.writeHead(307, { location: '/there' }).end();
    else if (path === '/there') sendJson(response, 'there');
    else response.writeHead(303, { location: '/there' }).end();
  });
  assert.equal(await get(t, `${base}/kept`, { method: 'POST' }), '"there"');
  assert.deepEqual(
    arrivals.map(({ method }) => method),
    ['POST', 'POST'],
  );
  assert.match(await refusal(get(t, `${base}/lost`, { method: 'POST' })), /answered 303, which leads nowhere/);
});

test('a link to another server is refused', async (t) => {
  const client = connect(t, 'https://hr.example.com/api/people');
  assert.equal(client.follow('?page=2', client.url).href, 'https://hr.example.com/api/people?page=2');
  assert.throws(() => client.follow('https://evil.example/api', client.url), /leads to evil\.example, another server/);
  assert.throws(() => client.follow('http://hr.example.com/api', client.url), /another server/);
});

test('http is for this machine only, and an address holds no password', (t) => {
  assert.throws(() => connect(t, 'http://hr.example.com/x?key=geheim'), /begins with http:.*use https:/);
  assert.throws(
    () => connect(t, 'https://hr:geheim@hr.example.com'),
    (error) => !everythingIn(error).includes('geheim'),
  );
  assert.throws(() => connect(t, 'ftp://hr.example.com'), /is not an address/);
});

test('a header that would end the header is refused without showing it', (t) => {
  const headers = { 'X-Key': new Secret('geheim\r\nX-Other: 1') };
  assert.throws(
    () => connect(t, 'https://hr.example.com', { headers }),
    (error) => /header x-key has a character/.test(everythingIn(error)) && !everythingIn(error).includes('geheim'),
  );
});

const refusals: [status: number, advice: RegExp][] = [
  [400, /Check its address and settings/],
  [401, /Check the credentials/],
  [403, /give them the right/],
  [404, /Check its address/],
  [413, /Ask for less/],
  [202, /not ready yet/],
  [206, /only a part/],
];
for (const [status, advice] of refusals) {
  test(`${status} is refused at once, with the next step`, async (t) => {
    const { base, arrivals } = await listenHttp(t, (response) =>
      sendJson(response, { detail: 'for jane@example.com' }, status),
    );
    const message = await refusal(get(t, base));
    assert.match(message, advice);
    assert.match(message, /saying "for j\*\*\*@example\.com"/);
    assert.equal(arrivals.length, 1);
  });
}

test('no secret is shown, wherever the server echoes it', async (t) => {
  const secrets = ['key-as-user', 'pass "word" 1', 'header/secret+1', 'query&secret', 'b0dy-secret'];
  const [username = '', password = '', header = '', query = '', body = ''] = secrets;
  const encoded = Buffer.from(`${username}:${password}`).toString('base64');
  const { base } = await listenHttp(t, (response, { path, headers }) =>
    sendJson(response, { message: `${path} ${headers.authorization} ${header} ${password} ${query} ${body}` }, 401),
  );
  const options = {
    auth: { basic: { username, password: new Secret(password) } },
    headers: { 'x-key': new Secret(header) },
    query: { key: new Secret(query) },
    body: { report: { keys: [body], fields: ['answered'] } },
  };
  const error: unknown = await get(t, base, options).catch((error: unknown) => error);
  const shown = everythingIn(error);
  assert.match(shown, /answered 401, saying/);
  for (const secret of [username, password, header, query, body, encoded, encodeURIComponent(query)]) {
    assert.ok(!shown.includes(secret), `${secret} in ${shown}`);
  }
});

test('a key in the address and a token behind its scheme are not shown either', async (t) => {
  const [key, token] = ['k3y/in+the address', 't0ken-of-the-header'];
  const { base } = await listenHttp(t, (response, { path }) =>
    sendJson(response, { message: `no ${path}, ${decodeURIComponent(path)}; token ${token} has expired` }, 403),
  );
  const options = { headers: { Authorization: new Secret(`Token id=7, token="${token}"`) } };
  const url = `${base}/people?key=${encodeURIComponent(key)}`;
  const shown = everythingIn(await get(t, url, options).catch((error: unknown) => error));
  assert.match(shown, /answered 403, saying "no \/people\?key=\*\*\*, .*; token \*\*\* has expired"/);
  for (const secret of [key, encodeURIComponent(key), token]) assert.ok(!shown.includes(secret), shown);
});

test('a secret that stands where a text is cut leaves no beginning of it', async (t) => {
  const token = 't0ken-of-the-header';
  const { base } = await listenHttp(t, (response) =>
    sendJson(response, { message: `${'x'.repeat(190)}${token}` }, 403),
  );
  const message = await refusal(get(t, base, { auth: { bearer: new Secret(token) } }));
  assert.doesNotMatch(message, /t0ke/);
});

test('words of ours are not taken for secrets: the name of the source stays', async (t) => {
  const { base } = await listenHttp(t, (response) => sendJson(response, { message: 'bad password "letmein"' }, 403));
  const given = { ...deps(), name: 'workday-staff' };
  const auth = { basic: { username: 'workday-staff', password: new Secret('letmein') } };
  const message = await refusal(get(t, base, { auth }, given));
  assert.match(message, /^workday-staff: .*saying "bad password ”\*\*\*”"/);
});

function oauth(base: string, credentials: 'header' | 'body' = 'header'): Pick<HttpSource, 'auth'> {
  const clientSecret = new Secret('client+secret/1');
  return {
    auth: { oauth2: { tokenUrl: `${base}/token`, clientId: 'roster sync', clientSecret, scope: 'read', credentials } },
  };
}

test('a token is asked for with id and secret, once, and used', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, { path }) =>
    path === '/token' ? sendJson(response, { access_token: 'token-1', expires_in: 3600 }) : sendJson(response, []),
  );
  const client = connect(t, `${base}/people`, oauth(base));
  for (let at = 0; at < 2; at++) await client.read({ url: client.url, method: 'GET' }, 1000);
  assert.deepEqual(
    arrivals.map(({ path }) => path),
    ['/token', '/people', '/people'],
  );
  const [token, people] = arrivals;
  assert.equal(token?.body, 'grant_type=client_credentials&scope=read');
  const pair = Buffer.from('roster%20sync:client%2Bsecret%2F1').toString('base64');
  assert.equal(token?.headers.authorization, `Basic ${pair}`);
  assert.equal(people?.headers.authorization, 'Bearer token-1');
});

test('id and secret go into the form where that is asked', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, { path }) =>
    sendJson(response, path === '/token' ? { access_token: 'token-1' } : []),
  );
  await get(t, `${base}/people`, oauth(base, 'body'));
  const form = new URLSearchParams(arrivals[0]?.body);
  assert.deepEqual([form.get('client_id'), form.get('client_secret')], ['roster sync', 'client+secret/1']);
  assert.equal(arrivals[0]?.headers.authorization, undefined);
});

test('a token that ends early is asked for anew, once', async (t) => {
  let tokens = 0;
  const { base } = await listenHttp(t, (response, { path, headers }) => {
    if (path === '/token') sendJson(response, { access_token: `token-${(tokens += 1)}`, expires_in: 3600 });
    else if (headers.authorization === 'Bearer token-1' && tokens === 1 && path === '/second')
      sendJson(response, {}, 401);
    else sendJson(response, path);
  });
  const client = connect(t, `${base}/first`, oauth(base));
  await client.read({ url: client.url, method: 'GET' }, 1000);
  const second = await client.read({ url: client.follow('/second', client.url), method: 'GET' }, 1000);
  assert.equal(second.body.toString(), '"/second"');
  assert.equal(tokens, 2);
});

test('a refused token request shows neither secret nor token', async (t) => {
  const { base } = await listenHttp(t, (response, { body }) =>
    sendJson(response, { error: 'invalid_client', error_description: `bad ${body} client+secret/1` }, 401),
  );
  const error: unknown = await get(t, base, oauth(base, 'body')).catch((error: unknown) => error);
  assert.match(everythingIn(error), /answered 401, saying "bad /);
  for (const form of ['client+secret/1', 'client%2Bsecret%2F1']) assert.ok(!everythingIn(error).includes(form));
});

test('an answer without a token is refused', async (t) => {
  const { base } = await listenHttp(t, (response) => sendJson(response, { access_token: 'a b' }));
  assert.match(await refusal(get(t, base, oauth(base))), /has no access_token in it/);
});

test('what a server still sends after the end is not waited for', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { base } = await listenHttp(t, (response) => {
    response.on('close', () => closed.resolve());
    response.writeHead(404, { 'content-type': 'text/html' }).write('<html>'.repeat(50_000));
  });
  await refusal(get(t, base));
  await closed.promise;
});
