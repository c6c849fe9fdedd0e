import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect as connectSocket, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { InputError } from '../../src/core/errors.ts';
import { createLocalStore } from '../../src/queue/pace-store.ts';
import { createPacer } from '../../src/queue/pacer.ts';
import { makeCertificate } from '../support/certificate.ts';
import { without } from '../support/server-process.ts';
import { connect, expectKind, listen, listenHttp, request, sendJson, success } from './local-server.ts';

const skip = without('openssl');
const certificate = skip === false ? makeCertificate('service.test') : undefined;

/** A proxy that records what it is asked to connect to, and does with it as told. */
async function listenProxy(
  t: TestContext,
  serve: (socket: Socket, head: Buffer) => void,
): Promise<{ url: string; port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((message, response) => {
    asked.push(message);
    response.writeHead(500).end();
  });
  server.on('connect', (message, socket, head) => {
    asked.push(message);
    serve(socket as Socket, head);
  });
  const port = await listen(t, server);
  return { url: `http://127.0.0.1:${port}`, port, asked };
}

/** A proxy that tunnels everything to one port of this machine. */
function tunnelTo(port: number): (socket: Socket, head: Buffer) => void {
  return (socket, head) => {
    const target = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy()).on('close', () => target.destroy());
  };
}

/** A secure server for `service.test`, whose certificate is trusted until the test ends. */
async function listenSecure(t: TestContext, trusted: boolean): Promise<{ port: number; arrivals: unknown[] }> {
  if (trusted) {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate?.cert ?? '']);
    t.after(() => setDefaultCACertificates(before));
  }
  return await listenHttp(t, (response) => sendJson(response, success), createSecureServer(certificate ?? {}));
}

for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
  test(
    `calls go through the tunnel of the proxy in ${name}, and its password is sent to it alone`,
    { skip },
    async (t) => {
      const server = await listenSecure(t, true);
      const proxy = await listenProxy(t, tunnelTo(server.port));
      const environment = { [name]: proxy.url.replace('//', '//sync:pro%2Fxy@') };
      const client = await connect(t, 'https://service.test/api', { environment, concurrency: 2 });
      for (let call = 0; call < 3; call += 1) expectKind(await client.insertGroups(request), 'accepted');
      const asked = new Set(proxy.asked.map(({ method, url }) => `${method} ${url}`));
      assert.deepEqual([...asked], ['CONNECT service.test:443']);
      assert.equal(
        proxy.asked[0]?.headers['proxy-authorization'],
        `Basic ${Buffer.from('sync:pro/xy').toString('base64')}`,
      );
      assert.equal(proxy.asked[0]?.headers.authorization, undefined, 'the token is not for the proxy');
      assert.equal(server.arrivals.length, 3);
    },
  );
}

test('through a proxy no more connections are made than the concurrency', { skip }, async (t) => {
  const server = await listenSecure(t, true);
  const proxy = await listenProxy(t, tunnelTo(server.port));
  const client = await connect(t, 'https://service.test', { environment: { https_proxy: proxy.url }, concurrency: 2 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.insertGroups(request)));
  for (const answer of answers) expectKind(answer, 'accepted');
  assert.equal(proxy.asked.length, 2);
});

test(
  'R5: calls that are seconds apart leave on time, though a connection takes longer than a slot lasts',
  { skip },
  async (t) => {
    const server = await listenSecure(t, true);
    const tunnel = tunnelTo(server.port);
    const proxy = await listenProxy(t, (socket, head) => void setTimeout(() => tunnel(socket, head), 60));
    const client = await connect(t, 'https://service.test', { environment: { https_proxy: proxy.url } });
    const rate = { limit: 1, perMs: 3_100, and: [], adaptive: false };
    const store = createLocalStore(rate, () => Promise.resolve({ callsAgo: [], share: 1 }));
    const pacer = createPacer({
      ...{ store, rate, storeOf: () => store, onShare: () => {}, trouble: () => {} },
      connect: client.connect,
    });
    // On a busy machine one may be late all the same; without a connection made ahead all of them are.
    for (let asked = 0; server.arrivals.length < 3; asked += 1) {
      assert.ok(asked < 9);
      const slot = await pacer.slot({ id: 'run' }, () => Promise.resolve(true), new AbortController().signal);
      assert.ok(slot.go);
      await client.insertGroups(request, { notAfter: slot.until });
    }
  },
);

test('a certificate that nobody vouches for: not sent, with and without a proxy', { skip }, async (t) => {
  const server = await listenSecure(t, false);
  const proxy = await listenProxy(t, tunnelTo(server.port));
  const through = await connect(t, 'https://service.test', { environment: { HTTPS_PROXY: proxy.url } });
  const direct = await connect(t, `https://127.0.0.1:${server.port}`);
  for (const client of [through, direct]) {
    const answer = expectKind(await client.insertGroups(request), 'not-sent');
    assert.match(answer.reason, /self-signed certificate/);
  }
  assert.equal(server.arrivals.length, 0);
});

test('a certificate for another host: not sent', { skip }, async (t) => {
  const server = await listenSecure(t, true);
  const answer = expectKind(
    await (await connect(t, `https://127.0.0.1:${server.port}`)).insertGroups(request),
    'not-sent',
  );
  assert.match(answer.reason, /altnames/);
});

for (const [title, serve, says] of [
  ['wants a password', (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), /407/],
  ['forbids the host', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno'), /403/],
  ['cannot reach the host', (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'), /502/],
  ['closes the connection', (socket) => socket.destroy(), /[Pp]roxy|closed/],
  ['opens a tunnel that leads nowhere', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), /TLS|ECONNRESET/],
  ['never answers', () => undefined, /no answer within|[Tt]imeout/],
] satisfies [string, (socket: Socket) => void, RegExp][]) {
  test(`a proxy that ${title}: not sent`, async (t) => {
    const proxy = await listenProxy(t, serve);
    const environment = { HTTPS_PROXY: proxy.url.replace('//', '//sync:proxypass@') };
    const client = await connect(t, 'https://service.test', {
      environment,
      timeoutMs: title === 'never answers' ? 300 : 5_000,
    });
    const answer = expectKind(await client.insertGroups(request), 'not-sent');
    assert.match(answer.reason, says);
    assert.ok(!answer.reason.includes('proxypass'));
    assert.equal(proxy.asked.length, 1);
  });
}

test('a proxy where nobody listens: not sent', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  server.close();
  const client = await connect(t, 'https://service.test', { environment: { HTTPS_PROXY: `127.0.0.1:${port}` } });
  assert.match(expectKind(await client.insertGroups(request), 'not-sent').reason, /ECONNREFUSED/);
});

test('loopback is never called through a proxy', async (t) => {
  const proxy = await listenProxy(t, (socket) => socket.destroy());
  const { base, port } = await listenHttp(t, (response) => sendJson(response, success));
  const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, http_proxy: proxy.url };
  for (const address of [base, `http://localhost:${port}`]) {
    expectKind(await (await connect(t, address, { environment })).insertGroups(request), 'accepted');
  }
  assert.equal(proxy.asked.length, 0);
});

for (const [noProxy, excepted] of [
  ['service.invalid', true],
  ['other.invalid, .invalid', true],
  ['*', true],
  ['service.invalid:8443', false],
  ['other.invalid', false],
] as const) {
  test(`NO_PROXY ${noProxy} ${excepted ? 'excepts' : 'does not except'} service.invalid`, async (t) => {
    const proxy = await listenProxy(t, (socket) => socket.destroy());
    const environment = { HTTPS_PROXY: proxy.url, NO_PROXY: noProxy };
    expectKind(await (await connect(t, 'https://service.invalid', { environment })).insertGroups(request), 'not-sent');
    assert.equal(proxy.asked.length, excepted ? 0 : 1);
  });
}

test('lower case goes before upper case, and an empty value is none', async (t) => {
  const proxy = await listenProxy(t, (socket) => socket.destroy());
  const environment = { https_proxy: proxy.url, HTTPS_PROXY: 'http://127.0.0.1:1', no_proxy: '', NO_PROXY: '' };
  expectKind(await (await connect(t, 'https://service.test', { environment })).insertGroups(request), 'not-sent');
  assert.equal(proxy.asked.length, 1);
});

test('only the environment that was passed in counts, never that of the process', async (t) => {
  const proxy = await listenProxy(t, (socket) => socket.destroy());
  process.env['NO_PROXY'] = '*';
  process.env['https_proxy'] = 'http://127.0.0.1:1';
  t.after(() => {
    delete process.env['NO_PROXY'];
    delete process.env['https_proxy'];
  });
  expectKind(
    await (await connect(t, 'https://service.test', { environment: { HTTP_PROXY: proxy.url } })).insertGroups(request),
    'not-sent',
  );
  assert.equal(proxy.asked.length, 1);
});

for (const value of ['socks5://sync:hunter22@127.0.0.1:1080', 'http://sync:hunter22@']) {
  test(`${value.replace('hunter22', '…')} is refused as a proxy, naming the variable and not its password`, async (t) => {
    await assert.rejects(connect(t, 'https://service.test', { environment: { https_proxy: value } }), (error) => {
      assert.ok(error instanceof InputError && error.cause === undefined);
      assert.match(error.message, /HTTPS_PROXY/);
      assert.doesNotMatch(error.message, /hunter22|sync/);
      return true;
    });
  });
}

test('a proxy that cannot be used is named by its variable, without its password', async (t) => {
  for (const url of [
    'http://proxy:3128/path',
    'http://ann:Head@Tail/x@proxy:3128',
    'ftp://proxy',
    'http://proxy:port',
  ]) {
    await assert.rejects(
      connect(t, 'https://service.test', { environment: { HTTPS_PROXY: url } }),
      ({ message }: Error) =>
        message.startsWith(
          'HTTPS_PROXY in the environment is not a usable proxy: write http://host:port, and write an @',
        ),
    );
  }
  await connect(t, 'https://service.test', { environment: { HTTPS_PROXY: 'http://ann:100%@proxy:3128' } });
});
