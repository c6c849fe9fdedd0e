import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { Sftp } from '../../../src/roster/fetch/sftp-schema.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import { listen } from '../../service/local-server.ts';
import { fileOf } from '../reading.ts';
import { deps, everythingIn, refusal } from './fetching.ts';
import { password, userKey } from './sftp-server.ts';
import { ada, bo, files, fingerprint, header, monday, rows, server } from './sftp-source.ts';

test('a file is read with a key, given or in a file', async (t) => {
  const { source, logins } = await server(t, files(['/out/staff.csv', header + ada]));
  const { password: _, ...keyless } = source;
  const privateKeyFile = await fileOf(userKey, 'key.pem');
  for (const key of [{ privateKey: new Secret(userKey) }, { privateKeyFile }]) {
    assert.equal((await rows(await openSource({ sftp: { ...keyless, ...key } }, deps()))).length, 1);
  }
  assert.ok(logins.every((login) => login === 'publickey hr'));
});

test('large and packed files come through whole', async (t) => {
  const people = Array.from({ length: 20_000 }, (_, at) => `A,B,${randomBytes(8).toString('hex')}${at}@example.com`);
  const content = `${header}${people.join('\n')}\n`;
  const { open } = await server(t, files(['/out/staff.csv', content], ['/out/staff.csv.gz', gzipSync(content)]));
  for (const path of ['/out/staff.csv', '/out/staff.csv.gz']) {
    const found = await rows(await open({ path }));
    assert.deepEqual(
      found,
      people.map((person) => person.replaceAll(',', '|')),
    );
  }
});

test('a fingerprint that is none, or of the forgeable kind, is refused by the settings', () => {
  const others = { host: 'a', username: 'b', password: 'c', path: '/x' };
  assert.ok(Sftp.safeParse({ ...others, fingerprint }).success);
  for (const wrong of [[], ['16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48'], ['SHA256:short']]) {
    const { error } = Sftp.safeParse({ ...others, fingerprint: wrong });
    assert.match(error?.issues[0]?.message ?? '', /^must be a fingerprint like SHA256:…|^must have a fingerprint/);
  }
});

test('refused credentials are refused at once, and never shown', async (t) => {
  const { open, connections } = await server(t, files(['/out/staff.csv', header + ada]));
  const error: unknown = await open({ password: new Secret('geheim-1234') }).catch((error: unknown) => error);
  assert.match(everythingIn(error), /refused hr\. Check its user name, and password or key/);
  assert.doesNotMatch(everythingIn(error), /geheim-1234/);
  assert.equal(connections(), 1);
});

test('a private key that cannot be used is refused without showing it', async (t) => {
  const { source } = await server(t, files());
  const { password: _, ...keyless } = source;
  const privateKey = new Secret('-----BEGIN geheim-----');
  const error: unknown = await openSource({ sftp: { ...keyless, privateKey } }, deps()).catch(
    (error: unknown) => error,
  );
  assert.match(everythingIn(error), /the private key cannot be used/);
  assert.doesNotMatch(everythingIn(error), /geheim/);
});

test('a pattern takes the newest file, or all', async (t) => {
  const { open } = await server(
    t,
    files(
      ['/out/staff-1.csv', header + bo, monday],
      ['/out/staff-2.csv', header + ada, monday + 3600],
      ['/out/other.csv', 'x', monday + 7200],
      ['/out/staff-~', 'x', monday + 7200],
      ['/out/.~lock.staff-1.csv#', 'x', monday + 7200],
    ),
  );
  const path = '/out/staff-?.csv';
  assert.deepEqual(await rows(await open({ path })), ['Ada|Berg|ada.berg@example.com']);
  assert.deepEqual(await rows(await open({ path: '/out/*staff-*' })), ['Ada|Berg|ada.berg@example.com']);
  const all = await open({ path }, { pick: 'all' });
  assert.equal(all.form.file, '127.0.0.1:/out/staff-?.csv');
  assert.deepEqual(await rows(all), ['Bo|Dahl|bo.dahl@example.com', 'Ada|Berg|ada.berg@example.com']);
  assert.match(await refusal(open({ path: '/out/none-*.csv' })), /no file matches this pattern/);
});

test('a file that goes after the folder was listed is no trouble to the newest one', async (t) => {
  const served = files(['/out/staff-1.csv', header + bo, monday], ['/out/staff-2.csv', header + ada, monday + 3600]);
  const { open } = await server(t, served, { goesAfterListing: '/out/staff-1.csv' });
  assert.deepEqual(await rows(await open({ path: '/out/staff-?.csv' })), ['Ada|Berg|ada.berg@example.com']);
});

test('a file that is not there, and a folder, are refused', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]));
  assert.match(await refusal(open({ path: '/out/staff-9.csv' })), /there is no such file/);
  assert.match(await refusal(open({ path: '/nowhere/*.csv' })), /there is no such file/);
  assert.match(await refusal(open({ path: '/out' })), /this is a folder/);
});

test('the reader waits until a file settles', async (t) => {
  const served = files(['/out/staff.csv', header]);
  const { open } = await server(t, served);
  let waits = 0;
  const wait = (): Promise<void> => {
    if ((waits += 1) === 1)
      served.set('/out/staff.csv', { content: Buffer.from(header + ada), modifiedAt: monday + 5 });
    return Promise.resolve();
  };
  assert.equal((await rows(await open({}, { settle: 10_000 }, deps({ wait })))).length, 1);
  assert.equal(waits, 2);
});

test('yesterday’s export fails', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]));
  const now = (): Date => new Date('2026-03-03T05:00:00Z');
  assert.match(
    await refusal(open({}, { maxAge: 26 * 3_600_000 }, deps({ now }))),
    /\/out\/staff\.csv: it is 27 hours old, and may be 26 hours/,
  );
});

test('a connection that breaks off is made again, and the file read from its beginning', async (t) => {
  const content = header + ada.repeat(5000);
  const { open, connections } = await server(t, files(['/out/staff.csv', content]), { cutAfter: 60_000, refusals: 1 });
  assert.equal((await rows(await open())).length, 5000);
  assert.equal(connections(), 3);
});

test('nobody listening, and a silent server, are given up', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]), { silent: true });
  assert.match(await refusal(open({ timeout: 200, attempts: 1 })), /was silent for 0\.2 s \(tried once\)/);
  assert.match(await refusal(open({ deadline: 200 })), /took longer than 0\.2 s in all/);
  assert.match(await refusal(open({ port: 1, attempts: 2 })), /could not be read.*tried 2 times/);
});

test('a file beyond the limit is refused', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada.repeat(5000)]));
  assert.match(await refusal(open({ maxBytes: 50_000 })), /gives more than 50\.0 kB/);
});

test('stopping stops at once', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]), { silent: true });
  const stop = new AbortController();
  const opening = open({}, {}, deps({ signal: stop.signal }));
  stop.abort(new Error('interrupted'));
  await assert.rejects(opening, /^Error: interrupted$/);
});

test('a server that never answers something is given up after its timeout, wherever it falls silent', async (t) => {
  const said =
    /127\.0\.0\.1:\d+ (?:was silent for 0\.3 s|could not be read \(.*\)) \(tried 2 times\)\. Nothing from it was used/;
  for (const silentTo of [['SFTP'], ['STAT'], ['OPENDIR'], ['READDIR'], ['OPEN']]) {
    const { open, connections } = await server(t, files(['/out/staff-1.csv', header + ada]), { silentTo });
    const pattern = silentTo[0]?.endsWith('DIR') ? '/out/staff-*.csv' : '/out/staff-1.csv';
    const message = await refusal(open({ path: pattern, timeout: 300, attempts: 2, deadline: 60_000 }));
    assert.match(message, said, silentTo.join());
    assert.equal(connections(), 2);
  }
});

test('what is no SSH server, or says nothing or endless lines, is given up after its timeout', async (t) => {
  const { source } = await server(t, files());
  const behaviours: [string, (socket: Socket) => void][] = [
    ['nothing', () => {}],
    ['no SSH', (socket) => void socket.write('220 ftp.example ready\r\n')],
    ['its end at once', (socket) => void socket.end()],
    ['a reset', (socket) => void socket.resetAndDestroy()],
    ['no end of lines', (socket) => pour(socket, 'not yet\r\n')],
    ['no end of one line', (socket) => pour(socket, 'a')],
  ];
  for (const [what, behave] of behaviours) {
    const port = await listen(
      t,
      createServer({ allowHalfOpen: true }, (socket) => {
        socket.on('error', () => {});
        behave(socket);
      }),
    );
    const opening = openSource({ sftp: { ...source, port, timeout: 300, attempts: 2 } }, deps());
    assert.match(await refusal(opening), /:\d+ .*\(tried 2 times\)\. Nothing from it was used/, what);
  }
});

/** Writes the same without end, for as long as it is read. */
function pour(socket: Socket, text: string): void {
  const block = text.repeat(8192 / text.length);
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', more);
  more();
}

test('a file without end is read no further than the server says it is long', async (t) => {
  for (const endlessReads of [32_768, 1]) {
    const { open } = await server(t, files(['/out/staff.csv', 'a'.repeat(100)]), { endlessReads });
    assert.match(
      await refusal(open({ attempts: 1 })),
      /changed while it was read: it has 100 bytes, and more than 100 came/,
    );
  }
  const { open } = await server(t, files(['/out/staff.csv', header + ada]), { endlessReads: 0 });
  assert.match(await refusal(open({ attempts: 1, timeout: 300 })), /Nothing from it was used/);
});

test('a file with too large an announced size is refused before a byte of it is read', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]), { saysSize: 2 ** 43, silent: true });
  assert.match(await refusal(open()), /gives more than 8\.6 GB/);
});

test('a listing without end is refused, whether its names are wanted or not, or there are none', async (t) => {
  const served = files(['/out/staff-1.csv', header + ada]);
  for (const [endlessNames, path] of [
    [1000, '/out/staff-*.csv'],
    [1000, '/out/other-*.csv'],
    [0, '/out/staff-*.csv'],
  ] as const) {
    const { open } = await server(t, served, { endlessNames });
    assert.match(
      await refusal(open({ path })),
      /:\/out: the folder has more than 100000 entries\. Is it the right one\?/,
    );
  }
});

test('a server that says neither size nor time of a file is refused', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]), { saysNothing: true });
  assert.match(await refusal(open()), /staff\.csv: the server does not say how large and how old it is/);
});

test('a host key that is another one at the second try ends it, and no password is sent there', async (t) => {
  const content = header + ada.repeat(5000);
  const trouble = { cutAfter: 60_000, changesKey: true };
  const { open, connections, logins } = await server(t, files(['/out/staff.csv', content]), trouble);
  assert.match(await refusal(open()), /showed the key SHA256:.*, which is not the one in fingerprint/);
  assert.equal(connections(), 2);
  assert.equal(logins.length, 1);
});

test('what the server says is shown without the password it was sent, and without a person', async (t) => {
  const says = `no quota for hr:${password} and ${encodeURIComponent(password)}, ask jane@example.com ${'x'.repeat(5000)}`;
  const { open } = await server(t, files(['/out/staff.csv', header + ada]), { says });
  const message = await refusal(open({ attempts: 1 }));
  assert.match(message, /could not be read \("[^"]*no quota for hr:\*\*\* and \*\*\*, ask j\*\*\*@example\.com x+…"\)/);
  assert.ok(message.length < 400, message);
});
