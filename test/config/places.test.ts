import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { size } from '../../src/core/settings/values.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { hasRoster, placeOf, sourceProblems } from '../../src/roster/configured-source.ts';
import { httpDefaults } from '../../src/roster/fetch/http-schema.ts';
import { sftpDefaults } from '../../src/roster/fetch/sftp-schema.ts';
import { ldapDefaults } from '../../src/roster/ldap/ldap-schema.ts';
import { type Place, places } from '../../src/roster/places.ts';
import { sqlDefaults } from '../../src/roster/sql/sql-schema.ts';
import { storeDefaults } from '../../src/roster/store/store-schema.ts';
import { presets } from '../../src/roster/presets/presets.ts';
import { failure, load } from './folder.ts';

const examples = join(import.meta.dirname, '../../examples/hr-systems');
const names = readdirSync(examples);

for (const name of names) {
  test(`the example ${name} is accepted as it stands`, () => {
    const text = readFileSync(join(examples, name), 'utf8');
    const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => [variable, `value-of-${variable}`]);
    const environment = Object.fromEntries(variables) as Record<string, string>;
    const key = JSON.stringify({ private_key: 'value-of-KEY' });
    if ('GOOGLE_SERVICE_ACCOUNT_KEY' in environment) environment['GOOGLE_SERVICE_ACCOUNT_KEY'] = key;
    if ('SIGN_IN_KEY' in environment) environment['SIGN_IN_KEY'] = Buffer.alloc(32, 1).toString('base64');
    const database = 'postgres://reader:value-of-PASSWORD@db.acme.example/payroll';
    if ('PAYROLL_DATABASE_URL' in environment) environment['PAYROLL_DATABASE_URL'] = database;
    const config = loadConfig({ configFile: join(examples, name), environment, cwd: examples });
    const { sources } = config;
    assert.deepEqual(sourceProblems(config), []);
    assert.ok(Object.keys(sources).length > 0);
    for (const { preset } of Object.values(sources))
      assert.ok(preset === undefined || preset in presets(), `${name}: ${preset}`);
    assert.doesNotMatch(JSON.stringify(sources), /value-of-\w*(KEY|TOKEN|SECRET|PASSWORD)/);
  });
}

test('systems that were not tested are labelled so', () => {
  for (const name of ['adp', 'ukg', 'successfactors', 'rippling', 'gusto', 'deel', 'entra-users', 'sql-server']) {
    assert.match(readFileSync(join(examples, `${name}.yaml`), 'utf8'), /NOT VERIFIED/, name);
  }
});

test('times and sizes are read, and the defaults hold', (t) => {
  const { staff } = load(
    t,
    'sources:\n  staff:\n    http: { url: "https://hr.example.com", timeout: 5s, maxBytes: 1.5GB }\n    settle: 10s\n    maxAge: 26h\n',
  ).sources;
  const { timeout, deadline, attempts, maxBytes, maxPages, method } = staff?.http ?? {};
  assert.deepEqual(
    [timeout, deadline, attempts, maxBytes, maxPages, method],
    [5000, 3_600_000, 6, 1_500_000_000, 10_000, 'GET'],
  );
  assert.deepEqual([staff?.settle, staff?.maxAge], [10_000, 93_600_000]);
  const sizes = ['7', '1b', '2kB', '3MB', '4 gb', '1TB'].map((text) => size().parse(text));
  assert.deepEqual(sizes, [7, 1, 2000, 3_000_000, 4_000_000_000, 1e12]);
});

const refused: [yaml: string, message: RegExp][] = [
  [
    'http: { url: "https://a", auth: { basic: { username: a, password: b }, bearer: c } }',
    /exactly one of basic, bearer and oauth2/,
  ],
  ['http: { url: "https://a", paging: { by: magic } }', /must say by: link, next, cursor, offset or page/],
  ['http: { url: "https://a", paging: { by: cursor, path: next } }', /parameter/],
  [
    'http: { url: "https://a", auth: { signIn: { tokenUrl: a, deviceUrl: b, clientId: c, key: short } } }',
    /http\.auth\.signIn is no longer a setting; get a refresh token .* set auth\.oauth2/,
  ],
  [
    'http: { url: "https://a", auth: { oauth2: { tokenUrl: a, clientId: c } } }',
    /needs a clientSecret, a refreshToken, or both/,
  ],
  ['preset: entra, delta: { fullEvery: 7d }', /delta is no longer a setting; remove it: each run reads everybody/],
  ['http: { url: "https://a", records: "data..people" }', /a path like data\.people, or a JSON pointer like/],
  ['http: { url: "https://a", paging: { by: next, path: "a[" } }', /a path like data\.people, or a JSON pointer like/],
  ['http: { url: "https://a", maxBytes: lots }', /a size like 500MB or 2GB/],
  ['http: { url: "https://a", tiemout: 5s }', /tiemout.*did you mean.*timeout/],
  [
    's3: { bucket: abc, region: a, path: x, accessKeyId: b }',
    /must have both of accessKeyId and secretAccessKey, or none/,
  ],
  ['s3: { bucket: abc, region: a, path: x, sessionToken: b }', /must have no sessionToken without accessKeyId/],
  ['sftp: { host: a, username: b, password: c, path: /x }', /fingerprint/],
  ['sftp: { host: a, username: b, password: c, path: /x, fingerprint: "16:27:ac" }', /fingerprint like SHA256:/],
  [
    `sftp: { host: a, username: b, path: /x, fingerprint: SHA256:${'A'.repeat(43)} }`,
    /exactly one of password, privateKey and privateKeyFile/,
  ],
  [
    'sql: { url: "postgres://a:b@db/x?sslmode=disable", query: SELECT 1 }',
    /must end with the name of the database: leave out \? and #/,
  ],
  ['sql: { url: "oracle://a:b@db/x", query: SELECT 1 }', /begins with postgres:\/\/ or .*mysql:\/\//],
  ['{ file: a.csv, pick: oldest }', /newest or all/],
];
for (const [yaml, message] of refused) {
  test(`refused: ${yaml.slice(0, 80)}`, (t) => {
    const source = yaml.startsWith('{') ? yaml : `{ ${yaml} }`;
    assert.match(failure(t, `sources:\n  staff: ${source}\n`), message);
  });
}

test('events that name no person cause a source to be read, wherever its people are', () => {
  assert.deepEqual(Object.keys(places), ['file', 'http', 'sftp', 'ldap', 'sql', 's3', 'azureBlob']);
  for (const place of Object.keys(places) as Place[]) {
    const source = { [place]: place === 'file' ? './staff.csv' : {} } as unknown as SourceConfig;
    assert.equal(hasRoster(source), true, place);
    assert.equal(placeOf(source), place === 'file' ? './staff.csv' : places[place].title);
  }
  const [preset, scim] = [{ preset: 'okta' }, { scim: {} }] as unknown as SourceConfig[];
  assert.deepEqual(
    [preset, scim].map((source) => source && hasRoster(source)),
    [true, true],
  );
  assert.equal(hasRoster({ webhook: {} } as unknown as SourceConfig), false);
});

test('a source whose settings say nothing has the limits that the documents name', () => {
  const [hour, GiB] = [3_600_000, 1_073_741_824];
  const download = { timeout: 120_000, deadline: hour, attempts: 6, maxBytes: 2 * GiB };
  assert.deepEqual(httpDefaults, { method: 'GET', ...download, maxPages: 10_000 });
  assert.deepEqual(storeDefaults, download);
  assert.deepEqual(sftpDefaults, { port: 22, timeout: 30_000, deadline: hour, attempts: 4, maxBytes: 8 * GiB });
  assert.deepEqual(ldapDefaults, { startTls: false, pageSize: 500, timeout: 60_000, deadline: hour, attempts: 4 });
  assert.deepEqual(sqlDefaults, { timeout: 300_000, deadline: hour, attempts: 4 });
});
