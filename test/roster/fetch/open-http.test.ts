import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { HttpSource } from '../../../src/roster/roster-file.ts';
import { SourceUnchanged } from '../../../src/core/rows/source.ts';
import { isReject } from '../../../src/core/rows/row.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import type { RosterFile } from '../../../src/roster/open-roster.ts';
import { listenHttp, sendJson } from '../../service/local-server.ts';
import { deps, httpSource, refusal } from './fetching.ts';

const csv = 'First name,Last name,Email\nAda,Berg,ada.berg@example.com\nBo,Dahl,bo.dahl@example.com\n';

async function emails(roster: RosterFile): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  try {
    for await (const batch of roster.batches()) {
      for (const row of batch) found.push(isReject(row) ? undefined : row.cells.find((cell) => cell.includes('@')));
    }
  } finally {
    await roster.close();
  }
  return found;
}

const both = ['ada.berg@example.com', 'bo.dahl@example.com'];
const open = (url: string, options: Partial<HttpSource> = {}, given = deps()) =>
  openSource({ http: httpSource(url, options) }, given);

test('a CSV file is read over HTTP, named by its address without the query', async (t) => {
  const { base } = await listenHttp(t, (response) =>
    response.writeHead(200, { 'last-modified': 'Mon, 02 Mar 2026 02:00:00 GMT' }).end(csv),
  );
  const roster = await open(`${base}/staff.csv?key=geheim`);
  assert.deepEqual(await emails(roster), both);
  assert.match(roster.form.file, /^127\.0\.0\.1:\d+\/staff\.csv$/);
  assert.equal(roster.modifiedAt.toISOString(), '2026-03-02T02:00:00.000Z');
});

test('a packed file is unpacked, and JSON is read where its pointer says', async (t) => {
  const { base } = await listenHttp(t, (response, { path }) =>
    path === '/gz'
      ? void response.writeHead(200, { 'content-type': 'application/gzip' }).end(gzipSync(csv))
      : sendJson(response, { staff: { list: [{ mail: both[0] }, { mail: both[1] }] } }),
  );
  assert.deepEqual(await emails(await open(`${base}/gz`)), both);
  assert.deepEqual(await emails(await open(`${base}/json`, { records: '/staff/list' })), both);
});

test('all pages together are one roster', async (t) => {
  const { base } = await listenHttp(t, (response, { path }) => {
    const page = Number(new URL(path, 'http://x').searchParams.get('page'));
    sendJson(response, { data: page > 2 ? [] : [{ mail: both[page - 1] }] });
  });
  const roster = await open(base, { paging: { by: 'page', parameter: 'page', first: 1 } });
  assert.deepEqual(await emails(roster), both);
  assert.deepEqual(roster.form.header, ['mail']);
});

test('never half a roster: a page that fails after others fails the whole', async (t) => {
  const { base } = await listenHttp(t, (response, _, count) =>
    count === 1 ? sendJson(response, { data: [{ mail: both[0] }] }) : sendJson(response, {}, 500),
  );
  const opening = open(base, { attempts: 2, paging: { by: 'page', parameter: 'page', first: 1 } });
  assert.match(await refusal(opening), /answered 500 \(tried 2 times\)/);
});

test('a file that breaks off is fetched again, also when it is packed', async (t) => {
  for (const body of [Buffer.from(csv), gzipSync(csv)]) {
    const { base, arrivals } = await listenHttp(t, (response, _, count) => {
      response.writeHead(200, { 'content-length': body.length });
      if (count > 1) return void response.end(body);
      response.write(body.subarray(0, body.length - 10));
      response.socket?.destroySoon();
    });
    assert.deepEqual(await emails(await open(base)), both);
    assert.equal(arrivals.length, 2);
  }
});

test('a login page is not taken for a roster', async (t) => {
  const { base } = await listenHttp(t, (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>'),
  );
  assert.match(await refusal(open(base)), /web page/);
});

test('an answer whose end cannot be known says so', async (t) => {
  const { base } = await listenHttp(t, (response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${csv}`);
  });
  const roster = await open(base);
  assert.match(roster.form.notes.join('\n'), /did not say how long its answer is/);
  await roster.close();
});

test('what has not changed since is not read again', async (t) => {
  const { base, arrivals } = await listenHttp(t, (response, { headers }) =>
    headers['if-none-match'] === '"v1"'
      ? void response.writeHead(304).end()
      : void response.writeHead(200, { etag: '"v1"', 'last-modified': 'Mon, 02 Mar 2026 02:00:00 GMT' }).end(csv),
  );
  const roster = await open(base);
  assert.deepEqual(roster.validators, { etag: '"v1"', lastModified: 'Mon, 02 Mar 2026 02:00:00 GMT' });
  await roster.close();
  const again = open(base, {}, deps({ validators: roster.validators ?? {} }));
  await assert.rejects(again, (error) => error instanceof SourceUnchanged && error.validators.etag === '"v1"');
  assert.equal(arrivals[1]?.headers['if-modified-since'], 'Mon, 02 Mar 2026 02:00:00 GMT');
  const changed = await open(base, {}, deps({ validators: { etag: '"v0"' } }));
  assert.deepEqual(await emails(changed), both);
});

test('a 304 that nobody asked for is refused', async (t) => {
  const { base } = await listenHttp(t, (response) => response.writeHead(304).end());
  assert.match(await refusal(open(base)), /answered 304/);
});

test('an answer that is too old fails', async (t) => {
  const { base } = await listenHttp(t, (response) =>
    response.writeHead(200, { 'last-modified': 'Mon, 02 Mar 2026 02:00:00 GMT' }).end(csv),
  );
  const given = deps({ now: () => new Date('2026-03-03T05:00:00Z') });
  const opening = openSource({ http: httpSource(base), maxAge: 26 * 3_600_000 }, given);
  assert.match(await refusal(opening), /it is 27 hours old, and may be 26 hours \(maxAge\)/);
});

test('exactly one place is needed', async () => {
  assert.match(await refusal(openSource({}, deps())), /Exactly one of file, http, sftp, ldap, sql, s3 and azureBlob/);
  const two = openSource({ file: 'a.csv', http: httpSource('https://hr.example.com') }, deps());
  assert.match(await refusal(two), /Exactly one of file, http, sftp, ldap, sql, s3 and azureBlob/);
  assert.match(
    await refusal(openSource({ preset: 'scim', file: 'a.csv' }, deps())),
    /leave out file, http, sftp, ldap, sql, s3 and azureBlob/,
  );
});
