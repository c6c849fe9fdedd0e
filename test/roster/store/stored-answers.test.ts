import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test, type TestContext } from 'node:test';
import type { SourceLocation } from '../../../src/roster/places.ts';
import { storeDefaults } from '../../../src/roster/store/store-schema.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import { type Arrival, listenHttp } from '../../service/local-server.ts';
import { all, deps, everythingIn, refusal } from '../fetch/fetching.ts';

const list = (name: string): string => `firstname,lastname,email\n${name},Ek,${name.toLowerCase()}@acme.example\n`;
const read = async (source: SourceLocation) => {
  const roster = await openSource(source, deps());
  try {
    return (await all(roster.batches())).flat().map((row) => ('cells' in row ? row.cells[0] : row));
  } finally {
    await roster.close();
  }
};
type Answer = { status?: number; body: string };
/** A server that gives these answers to the addresses that hold these texts. */
async function serve(
  t: TestContext,
  answers: (arrival: Arrival) => Answer,
): Promise<{ base: string; arrivals: Arrival[] }> {
  return listenHttp(t, (response, arrival) => {
    const { status = 200, body } = answers(arrival);
    response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
  });
}

/** As Azurite 3.37 lists blobs. */
const azurePage = (blobs: readonly [name: string, modified: string, etag: string][], next = ''): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><EnumerationResults ServiceEndpoint="http://127.0.0.1/acme" ContainerName="exports"><Prefix>hr/</Prefix><Delimiter>/</Delimiter><Blobs>${blobs
    .map(
      ([name, modified, etag]) =>
        `<Blob><Name>${name}</Name><Properties><Creation-Time>${modified}</Creation-Time><Last-Modified>${modified}</Last-Modified><Etag>${etag}</Etag><Content-Length>5</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>`,
    )
    .join(
      '',
    )}<BlobPrefix><Name>hr/old/</Name></BlobPrefix></Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;
const [older, newer] = ['Sat, 31 Jan 2026 02:00:00 GMT', 'Sun, 01 Feb 2026 02:00:00 GMT'];
const secret = Buffer.from('a key of the account').toString('base64');
const azure = (base: string, proof: { sas: Secret } | { key: Secret }): SourceLocation => ({
  azureBlob: {
    ...{ ...storeDefaults, account: 'acme', container: 'exports', path: 'hr/staff-*.csv', endpoint: `${base}/acme` },
    ...proof,
  },
});

suite('a blob in Azure', () => {
  test('is the newest of all pages of the listing, by a shared access signature that nothing shows', async (t) => {
    const sas = 'sv=2022-11-02&sp=rl&sig=secret%2Bword%3D';
    const { base, arrivals } = await serve(t, ({ path }) => {
      if (!path.includes('comp=list')) return { body: list('Ann') };
      return path.includes('marker=second')
        ? { body: azurePage([['hr/staff-a.csv', newer, '0x2']]) }
        : { body: azurePage([['hr/staff-b.csv', older, '0x1']], 'second') };
    });
    const source = azure(base, { sas: new Secret(`?${sas}`) });
    assert.deepEqual(await read(source), ['Ann']);
    assert.deepEqual(
      arrivals.map(({ path }) => new URL(path, base).searchParams.get('sig')),
      ['secret+word=', 'secret+word=', 'secret+word='],
    );
    assert.equal(arrivals[2]?.headers['if-match'], '"0x2"');
    const refused = await serve(t, () => ({
      status: 403,
      body: '<?xml version="1.0"?><Error><Code>AuthenticationFailed</Code><Message>no: secret+word= of ann@acme.example</Message></Error>',
    }));
    const error = await read(azure(refused.base, { sas: new Secret(sas) })).catch((error: unknown) => error);
    assert.match(everythingIn(error), /answered 403, saying "no: /);
    assert.doesNotMatch(everythingIn(error), /secret.{1,3}word|ann@acme/);
  });

  test('is listed again when it is replaced or removed while it is read, and refused after three times', async (t) => {
    let listed = 0;
    const { base } = await serve(t, ({ path, headers }) => {
      if (path.includes('comp=list')) return { body: azurePage([['hr/staff-a.csv', newer, `0x${++listed}`]]) };
      return headers['if-match'] === '"0x3"' ? { body: list('Ann') } : { status: 412, body: '' };
    });
    const source = azure(base, { sas: new Secret('sig=a') });
    assert.deepEqual(await read(source), ['Ann']);
    assert.equal(listed, 3);
    assert.match(
      await refusal(read(source)),
      /acme\/exports\/hr\/staff-\*\.csv was replaced while it was read, 3 times/,
    );
  });

  test('is asked for with the key of the account, as its documentation says', async (t) => {
    const { base, arrivals } = await serve(t, ({ path }) =>
      path.includes('comp=list') ? { body: azurePage([['hr/staff-å.csv', newer, '0x2']]) } : { body: list('Ann') },
    );
    assert.deepEqual(await read(azure(base, { key: new Secret(secret) })), ['Ann']);
    const [listing, blob] = arrivals;
    const signed = (text: string): string =>
      `SharedKey acme:${createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64')}`;
    const own = ({ headers }: Arrival): string =>
      `x-ms-date:${String(headers['x-ms-date'])}\nx-ms-version:2021-12-02\n`;
    assert.ok(listing && blob);
    assert.equal(
      listing.headers.authorization,
      signed(
        `GET\n\n\n\n\n\n\n\n\n\n\n\n${own(listing)}/acme/acme/exports\ncomp:list\ndelimiter:/\nprefix:hr/staff-\nrestype:container`,
      ),
    );
    assert.equal(
      blob.headers.authorization,
      signed(`GET\n\n\n\n\n\n\n\n"0x2"\n\n\n\n${own(blob)}/acme/acme/exports/hr/staff-%C3%A5.csv`),
    );
  });

  test('is refused where the answer is no listing, or a listing without an end', async (t) => {
    const { base } = await serve(t, () => ({ body: '<html><p>Sign in' }));
    assert.match(await refusal(read(azure(base, { sas: new Secret('sig=a') }))), /gave no listing of objects/);
    const endless = await serve(t, () => ({ body: azurePage([], 'again') }));
    assert.match(await refusal(read(azure(endless.base, { sas: new Secret('sig=a') }))), /without an end/);
    assert.match(await refusal(read(azure(base, { sas: new Secret('abc') }))), /is not a shared access signature/);
  });
});

test('a listing of S3 goes on while it says that it is cut, and is refused where it does not say how', async (t) => {
  const page = (key: string, modified: string, more: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>exports</Name><KeyCount>1</KeyCount>${more}<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><ETag>&quot;70ee&quot;</ETag><Size>10</Size></Contents></ListBucketResult>`;
  const { base, arrivals } = await serve(t, ({ path }) => {
    if (!path.includes('list-type=2')) return { body: list('Ann') };
    const cut = '<IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=</NextContinuationToken>';
    return path.includes('continuation-token')
      ? { body: page('hr/staff-a.csv', '2026-02-01T02:00:00.000Z', '<IsTruncated>false</IsTruncated>') }
      : { body: page('hr/staff-b.csv', '2026-01-31T02:00:00.000Z', cut) };
  });
  const source: SourceLocation = {
    s3: {
      ...{ ...storeDefaults, bucket: 'exports', region: 'us-east-1', path: 'hr/staff-*.csv', endpoint: base },
      ...{ accessKeyId: 'a', secretAccessKey: new Secret('b'), sessionToken: new Secret('token of a day') },
    },
  };
  assert.deepEqual(await read(source), ['Ann']);
  assert.deepEqual(
    arrivals.map(({ path }) => path),
    [
      '/exports?list-type=2&delimiter=%2F&prefix=hr%2Fstaff-',
      '/exports?list-type=2&delimiter=%2F&prefix=hr%2Fstaff-&continuation-token=a%2Bb%2Fc%3D',
      '/exports/hr/staff-a.csv',
    ],
  );
  assert.equal(arrivals[2]?.headers['if-match'], '"70ee"');
  assert.equal(arrivals[2]?.headers['x-amz-security-token'], 'token of a day');
  for (const more of ['<IsTruncated>true</IsTruncated>', '<IsTruncated>True</IsTruncated><NextContinuationToken/>']) {
    const { base: lost } = await serve(t, () => ({ body: page('hr/staff-b.csv', '2026-01-31T02:00:00.000Z', more) }));
    assert.match(
      await refusal(read({ s3: { ...(source.s3 ?? assert.fail()), endpoint: lost } })),
      /^staff: exports lists a part of its objects and does not say where the rest is/,
    );
  }
});
