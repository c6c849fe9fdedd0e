import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { SourceLocation } from '../../../src/roster/places.ts';
import type { SourceDeps } from '../../../src/roster/roster-file.ts';
import { storeDefaults, type S3Source } from '../../../src/roster/store/store-schema.ts';
import { loadConfig } from '../../../config/load.ts';
import { SourceUnchanged } from '../../../src/core/rows/source.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import { signatureOf } from '../../../src/roster/fetch/request-signature.ts';
import { s3Store } from '../../../src/roster/store/object-store.ts';
import { s3Account, startS3, type TestS3 } from '../../support/s3.ts';
import { all, deps, refusal } from '../fetch/fetching.ts';
import { startAws } from './aws-endpoints.ts';

const list = (name: string): string => `firstname,lastname,email\n${name},Ek,${name.toLowerCase()}@acme.example\n`;

suite('an object in S3', { timeout: 60_000 }, () => {
  let s3: TestS3;
  const place = (path: string, change: Partial<S3Source> = {}): SourceLocation => ({
    s3: {
      ...{ ...storeDefaults, bucket: 'exports', region: 'us-east-1', path, endpoint: s3.endpoint },
      ...{ accessKeyId: s3Account.accessKeyId, secretAccessKey: new Secret(s3Account.secretAccessKey), ...change },
    },
  });
  const read = async (source: SourceLocation, given: Partial<SourceDeps> = {}) => {
    const roster = await openSource(source, deps(given));
    try {
      const rows = (await all(roster.batches())).flat().map((row) => ('cells' in row ? row.cells[0] : row));
      return { rows, file: roster.form.file, validators: roster.validators };
    } finally {
      await roster.close();
    }
  };
  before(async () => {
    s3 = await startS3('exports');
    await s3.put('hr/staff-b.csv', list('Bo'), new Date('2026-01-31T02:00:00Z'));
    await s3.put('hr/staff-a (Å+1).csv', list('Ann'));
    await s3.put('hr/staff-a.csv.part', 'x');
    await s3.put('hr/~$staff-a.csv', 'x');
    await s3.put('hr/old/staff-z.csv', list('Zoe'));
    await s3.put('hr/other.csv', list('Other'));
  });
  after(() => s3.stop());

  test('is the newest that matches, in its own folder', async () => {
    const { rows, file } = await read(place('hr/staff-*.csv'));
    assert.deepEqual([rows, file], [['Ann'], 'exports/hr/staff-a (Å+1).csv']);
    assert.deepEqual((await read(place('hr/*staff*'))).rows, ['Ann']);
    assert.deepEqual((await read({ ...place('hr/staff-*.csv'), pick: 'all' })).rows, ['Bo', 'Ann']);
    assert.deepEqual((await read(place('hr/other.csv'))).rows, ['Other']);
  });

  test('is unchanged until another one is the newest', async () => {
    const source = place('new/staff-*.csv');
    await s3.put('new/staff-1.csv', list('Bo'));
    const { validators } = await read(source);
    assert.ok(validators);
    await assert.rejects(read(source, { validators }), SourceUnchanged);
    await assert.rejects(
      read({ ...source, maxAge: 1 }, { validators, now: () => new Date(Date.now() + 60_000) }),
      /maxAge/,
    );
    // The same people under another name are another object.
    await s3.put('new/staff-2.csv', list('Bo'));
    assert.deepEqual((await read(source, { validators })).rows, ['Bo']);
    await s3.put('new/staff-2.csv', list('Cy'));
    const before = await read(source, { validators });
    assert.deepEqual(before.rows, ['Cy']);
    // So is another content under the same name, as long as the one before.
    await s3.put('new/staff-2.csv', list('Di'));
    assert.ok(before.validators);
    assert.deepEqual((await read(source, { validators: before.validators })).rows, ['Di']);
  });

  test('is refused where nothing matches, the bucket is not there, or it is too large', async () => {
    assert.match(await refusal(read(place('hr/none-*.csv'))), /staff: exports\/hr\/none-\*\.csv: no object matches/);
    assert.match(
      await refusal(read(place('x.csv', { bucket: 'nowhere' }))),
      /answered 404, saying "The specified bucket/,
    );
    assert.match(await refusal(read(place('hr/other.csv', { maxBytes: 20 }))), /more than 20 bytes/);
    assert.match(
      await refusal(read(place('x.csv', { endpoint: 'http://minio.acme.example' }))),
      /begins with http:\/\//,
    );
  });

  test('is read with the keys of environment, profile, container, machine or service account where it names none', async () => {
    const aws = await startAws(s3Account);
    const other = await startAws({ accessKeyId: 'NOBODY', secretAccessKey: 'hidden-word' });
    try {
      const { accessKeyId: _, secretAccessKey: _secret, ...keyless } = place('hr/other.csv').s3 ?? assert.fail();
      const source = { s3: keyless };
      for (const [where, environment] of Object.entries(aws.environments)) {
        assert.deepEqual((await aws.within(environment, () => read(source))).rows, ['Other'], where);
      }
      assert.deepEqual(
        aws.asked.map((line) => line.split(' AWS4')[0]),
        [
          'GET /container container-word',
          'PUT /latest/api/token',
          'GET /latest/meta-data/iam/security-credentials/',
          'GET /latest/meta-data/iam/security-credentials/reader',
          'POST /',
        ],
      );
      // It is these that are used, and never shown.
      const refused = await refusal(aws.within(other.environments.container, () => read(source)));
      assert.match(refused, /answered 403/);
      assert.doesNotMatch(refused, /hidden-word|session-word/);
      const none = await refusal(aws.within({}, () => read(source)));
      assert.match(none, /^staff: AWS gave no credentials, .* set AWS_PROFILE, or set accessKeyId/);
    } finally {
      await aws.stop();
      await other.stop();
    }
  });

  test('is read as the example says', async () => {
    const file = join(import.meta.dirname, '../../../examples/hr-systems/object-storage.yaml');
    const environment = {
      ...{ S3_ACCESS_ID: s3Account.accessKeyId, S3_SECRET_ACCESS_KEY: s3Account.secretAccessKey },
      ...{ AZURE_SAS: 'sv=2022-11-02&sig=abc' },
    };
    const { minio } = loadConfig({ configFile: file, environment }).sources;
    assert.ok(minio?.s3);
    await s3.put('hr/staff-2026.csv', list('Dag'));
    assert.deepEqual((await read({ s3: { ...minio.s3, endpoint: s3.endpoint, bucket: 'exports' } })).rows, ['Dag']);
  });
});

test('the address of a bucket has its name in front of the host, except where that cannot be', () => {
  const at = (change: Partial<S3Source>): string =>
    s3Store(
      {
        ...{ ...storeDefaults, bucket: 'exports', region: 'eu-central-1', path: 'a.csv', accessKeyId: 'a' },
        ...{ secretAccessKey: new Secret('b'), ...change },
      },
      'staff',
    ).objectUrl('a b.csv').href;
  assert.equal(at({}), 'https://exports.s3.eu-central-1.amazonaws.com/a%20b.csv');
  assert.equal(at({ bucket: 'acme.exports' }), 'https://s3.eu-central-1.amazonaws.com/acme.exports/a%20b.csv');
  assert.equal(at({ region: 'cn-north-1' }), 'https://exports.s3.cn-north-1.amazonaws.com.cn/a%20b.csv');
  assert.equal(
    at({ endpoint: 'https://minio.acme.example:9000/' }),
    'https://minio.acme.example:9000/exports/a%20b.csv',
  );
  assert.equal(at({ endpoint: 'https://oss.example', pathStyle: false }), 'https://exports.oss.example/a%20b.csv');
});

test('a request is signed as the example of the documentation of S3', async () => {
  // "Signature Calculations for the Authorization Header", GET Bucket (List Objects).
  const { authorization = '', ...headers } = await signatureOf(
    {
      aws: {
        ...{ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', region: 'us-east-1' },
        secretAccessKey: new Secret('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'),
      },
    },
    {
      ...{ url: new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J'), method: 'GET', headers: {} },
      now: Date.UTC(2013, 4, 24),
      id: 'unused',
    },
  );
  assert.equal(headers['x-amz-date'], '20130524T000000Z');
  assert.equal(
    authorization,
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});
