import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { parseBaseUrl, readCredentials } from '../../src/service/settings.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { csvOf, type Ended, envOf, eventually, openPlace, type Place } from '../support/cli.ts';

const username = 'robot';
/** Everything in it is written differently by some encoding. */
const password = 'p@ss "w/rd"+é\\%<&>';
const pair = `${username}:${password}`;
const token = Buffer.from(pair).toString('base64');

/** Every form in which it could leak. */
const forms: Record<string, string> = {
  token,
  'token without padding': token.replace(/=+$/, ''),
  'token, URL-encoded': encodeURIComponent(token),
  'token, other alphabet': Buffer.from(pair).toString('base64url'),
  'user:password': pair,
  'user:password, URL-encoded': encodeURIComponent(pair),
  'user:password, form-encoded': new URLSearchParams([['', pair]]).toString().slice(1),
  'user:password in JSON': JSON.stringify(pair).slice(1, -1),
  'user:password in JSON in JSON': JSON.stringify(JSON.stringify(pair)).slice(1, -1),
  'user:password in Latin-1': Buffer.from(pair, 'utf8').toString('latin1'),
  password,
  'password, URL-encoded': encodeURIComponent(password),
  'password in JSON': JSON.stringify(password).slice(1, -1),
};

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function assertNoSecret(text: string | Buffer, where: string): void {
  const bytes = Buffer.from(text);
  for (const [form, secret] of Object.entries(forms)) {
    assert.equal(bytes.includes(secret), false, `${where} shows the ${form}`);
  }
}

let sandbox: Sandbox;
let place: Place;
let run: Ended;

before(async () => {
  sandbox = await startSandbox({ token });
  const { ROSTER_SYNC_TOKEN: _, ...env } = envOf(sandbox);
  const credentials = { ROSTER_SYNC__SERVICE__USERNAME: username, ROSTER_SYNC__SERVICE__PASSWORD: password };
  place = await openPlace({ ...env, ...credentials }, { here: true });
  place.write('people.csv', csvOf(20) + 'No,Mail,,,Staff\n');
  sandbox.faults.add(
    'body=echo,email=person1@example.com',
    'body=echo,status=400,email=person3@example.com',
    'body=echo,status=500,first=1,email=person5@example.com',
    'body=echo,status=401,after=18',
  );
  const flags = ['--yes', '--json', '--verbose', '--report', 'report.csv'];
  run = await place.alone('import', 'people.csv', ...flags);
});
after(() => sandbox.close());

describe('R12: a secret', () => {
  it('was really sent, and really echoed', () => {
    assert.equal(run.code, 6, run.stderr);
    assert.ok(sandbox.calls.some(({ status }) => status === 200));
    assert.ok(sandbox.calls.filter(({ fault }) => fault?.includes('body=echo')).length >= 4);
  });

  it('is in nothing that a command prints or logs', async () => {
    assertNoSecret(run.stdout + run.stderr, 'import');
    for (const words of [
      ['show', 'latest', '--verbose', '--report', 'report.json'],
      ['show', 'latest', '--json'],
      ['runs', '--verbose'],
      ['config', '--json'],
      ['doctor', '--verbose'],
    ]) {
      const { stdout, stderr } = await place.run(...words);
      assert.ok(stdout.length > 0, words.join(' '));
      assertNoSecret(stdout + stderr, words.join(' '));
    }
    assert.match((await place.run('show', 'latest')).stdout, /your request said Authorization: Basic \*\*\*/);
  });

  it('is in no file: data directory, rejects, backup, reports', async () => {
    await place.letGo();
    let files = 0;
    for (const entry of readdirSync(place.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      assertNoSecret(bytes, path);
      if (path.startsWith(place.data)) assert.equal(statSync(path).mode & 0o077, 0, `${path} is for its owner only`);
      if (path.endsWith('.gz')) assertNoSecret(gunzipSync(bytes), path);
      files += 1;
    }
    assert.ok(files > 100);
    for (const name of ['report.csv', 'report.json']) assert.match(place.read(name), /person0@example\.com/);
  });

  it('is in no row of any table of the ledger', async () => {
    await place.letGo();
    const { pool, close } = await openEmbedded(join(place.data, 'ledger'));
    const tables = await pool.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables.rows) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const { row } of rows) assertNoSecret(row, name);
      counts[name] = rows.length;
    }
    await close();
    assert.ok((counts['public.receipts'] ?? 0) >= 18, inspect(counts));
  });

  it('is not in what other users of the machine see of the process', async () => {
    sandbox.faults.clear();
    sandbox.faults.add('latency=300');
    const before = sandbox.calls.length;
    const running = await place.start(['import', 'people.csv', '--source', 'seen', '--yes']);
    await eventually('a call has arrived', () => sandbox.calls.length > before);
    const seen = ['cmdline', 'comm', 'stat'].map((name) => readFileSync(`/proc/${running.child.pid}/${name}`));
    await running.ended;
    sandbox.faults.clear();
    for (const bytes of seen) assertNoSecret(bytes, '/proc');
    assert.ok(seen[0]?.includes('people.csv'));
  });

  it('is in no error and no cause of one, whatever the service does', async () => {
    const credentials = await readCredentials({ username, password: new Secret(password) });
    const user = { firstname: 'A', lastname: 'B', email: 'a@example.com' };
    for (const fault of [
      'body=echo',
      'body=echo,status=403',
      'body=echo,status=302',
      'reset=after',
      'body=truncated',
      'body=html',
    ]) {
      sandbox.faults.clear();
      sandbox.faults.add(fault);
      const options = { credentials, concurrency: 1, timeoutMs: 2000, userAgent: 'test', environment: {} };
      const client = createServiceClient({ ...options, baseUrl: parseBaseUrl(sandbox.url) });
      const answer = await client.insertGroups({ groups: ['A'], user, invite: true, forceSync: false });
      await client.close();
      assertNoSecret(inspect(answer, { depth: 20, showHidden: true }), fault);
      assertNoSecret(JSON.stringify(answer), fault);
    }
    sandbox.faults.clear();
  });

  it('of a database or of Redis is in no message either', async () => {
    for (const variable of ['DATABASE_URL', 'REDIS_URL'] as const) {
      const scheme = variable === 'REDIS_URL' ? 'redis' : 'postgres';
      place.env[variable] = `${scheme}://someone:hush-hush@127.0.0.1:9/x`;
      const { code, stdout, stderr } = await place.run('doctor', '--verbose');
      const shown = await place.run('config', '--json');
      delete place.env[variable];
      assert.notEqual(code, 0);
      assert.doesNotMatch(stdout + stderr + shown.stdout + shown.stderr, /hush-hush/);
    }
  });

  it('that is wrong halts the run after the first refusals, exit 6; the message names host and setting, not the secret', async () => {
    const calls = sandbox.calls.length;
    place.env['ROSTER_SYNC__SERVICE__PASSWORD'] = 'wr0ng/password';
    place.write('many.csv', csvOf(200, { domain: 'many.example' }));
    const { code, stdout, stderr } = await place.alone('import', 'many.csv', '--yes');
    place.env['ROSTER_SYNC__SERVICE__PASSWORD'] = password;
    assert.equal(code, 6, stderr);
    assert.match(
      stdout,
      /127\.0\.0\.1:\d+ refused the token of service\.username and service\.password \(HTTP 401\); check it in .*PASSWORD/,
    );
    assert.match(stdout, /Halted 0 succeeded, 0 partial, 0 failed, 0 unknown, 200 not sent yet/);
    assert.ok(sandbox.calls.length - calls <= 15, `${sandbox.calls.length - calls} calls`);
    const wrong = ['wr0ng/password', Buffer.from(`${username}:wr0ng/password`).toString('base64')];
    for (const secret of [...wrong, encodeURIComponent('wr0ng/password')]) {
      assert.equal((stdout + stderr).includes(secret), false);
    }
  });

  it('of the terminal: what came from a roster or the service is printed with control characters escaped', async () => {
    place.write(
      'hostile.csv',
      'firstname,lastname,email,groups\n"A\u001b[2J\u202enn",Lee,ann@hostile.example,"Evil\u001b]0;x\u0007\u2066 group"\n,,"\u001b[31mx",A\n',
    );
    for (const words of [
      ['import', 'hostile.csv', '--yes'],
      ['show', 'latest'],
    ]) {
      const { stdout, stderr } = await place.run(...words);
      assert.doesNotMatch(stdout + stderr, dangerous);
    }
  });

  it('of the terminal: so is an answer of the service that `show` prints as it came', async () => {
    const service = createServer((_, response) => response.writeHead(400).end('no\u001b[2J\u202e')).listen(
      0,
      '127.0.0.1',
    );
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const { env } = place;
    place.env = { ...env, ROSTER_SYNC_BASE_URL: `http://127.0.0.1:${port}` };
    place.write('one.csv', csvOf(1, { domain: 'one.example' }));
    const { code } = await place.run('import', 'one.csv', '--yes');
    const { stdout } = await place.run('show', 'latest');
    place.env = env;
    service.close();
    assert.equal(code, 4);
    assert.match(stdout, /^ {2}person0@one\.example, call 1: rejected 400 no\\u001b\[2J\\u202e$/m);
    assert.doesNotMatch(stdout, dangerous);
  });
});
