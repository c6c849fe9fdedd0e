import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { Finding } from '../../src/wiring/findings.ts';
import { csvOf, envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

suite('doctor', () => {
  test('finds everything in order before the first import, sends nobody, and creates no data directory', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox), { bare: true, here: true });
    const { ended, value } = await place.json<{ findings: Finding[] }>('doctor');
    assert.equal(ended.code, 0);
    assert.deepEqual(
      value.findings.map(({ what, state }) => [what, state]),
      [
        ['program', 'ok'],
        ['settings', 'ok'],
        ['data directory', 'remark'],
        ['ledger', 'remark'],
        ['service', 'ok'],
      ],
    );
    assert.equal(sandbox.stats().users, 0);
  });

  test('a data directory that a server uses is in order, and so is what it delivers', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox), { here: true });
    const server = await place.start(['serve', '--port', '0']);
    await server.until(/Serving on/);
    const { code, stdout } = await place.run('doctor');
    assert.equal(code, 0, stdout);
    assert.match(stdout, new RegExp(`ok +ledger +in use by serve \\(process ${server.child.pid}\\)`));
    assert.match(stdout, /ok +queue/);
    // The server asks the service for it, and not while that asks not to be called.
    sandbox.faults.add('status=429,retry-after=3600,nth=1');
    assert.match((await place.run('doctor')).stdout, /remark +service .*rate-limiting us/);
    const calls = sandbox.calls.length;
    assert.match((await place.run('doctor')).stdout, /remark +service +not asked: .* is rate-limiting us until/);
    assert.equal(sandbox.calls.length, calls);
    const refused = await place.run('prune');
    assert.equal(refused.code, 5);
    assert.match(refused.stderr, /"serve" .*stop it first .* its API/);
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('a token that is refused is a problem and exit 6; the token is not shown', async (t) => {
    const sandbox = await openSandbox(t, { token: 'cmlnaHQ6cmlnaHQ=' });
    const place = await openPlace({ ...envOf(sandbox), ROSTER_SYNC_TOKEN: 'd3Jvbmc6d3Jvbmc=' }, { here: true });
    const { code, stdout, stderr } = await place.run('doctor');
    assert.equal(code, 6);
    assert.match(stdout + stderr, /problem +service .*401\); check it in ROSTER_SYNC_TOKEN/);
    assert.doesNotMatch(stdout + stderr, /d3Jvbmc6d3Jvbmc/);
  });

  test('a service that is not there is exit 6, and the next step names setting and variable, as where a run halts', async (t) => {
    const sandbox = await openSandbox(t);
    const nobody = 'http://127.0.0.1:9';
    const place = await openPlace({ ...envOf(sandbox), ROSTER_SYNC_BASE_URL: nobody }, { here: true });
    const next = /nothing was sent to 127\.0\.0\.1:9: .*; check the address, service\.baseUrl \(ROSTER_SYNC_BASE_URL\)/;
    const { code, stdout } = await place.run('doctor');
    assert.equal(code, 6);
    assert.match(stdout, next);
    const other = await openPlace({ ...envOf(sandbox), ROSTER_SYNC_BASE_URL: `${sandbox.url}/wrong` }, { here: true });
    const wrong = await other.run('doctor');
    assert.deepEqual([wrong.code, /HTTP 404.*; check the address, service\.baseUrl/.test(wrong.stdout)], [6, true]);
  });

  test('a run of a service that is no longer configured is told, and what ends it', async (t) => {
    const old = await openSandbox(t);
    const sandbox = await openSandbox(t, { token: old.token });
    old.faults.add('status=401');
    const { ROSTER_SYNC_BASE_URL: _, ...environment } = envOf(old);
    const place = await openPlace(environment, { here: true });
    place.write('people.csv', csvOf(2));
    for (const [file, { url }] of Object.entries({ 'old.yaml': old, 'new.yaml': sandbox }))
      place.write(file, `service: { baseUrl: "${url}" }\n`);
    const { value } = await place.json('import', 'people.csv', '--yes', '--config', 'old.yaml');
    assert.equal(value.status, 'halted');
    const { stdout } = await place.run('doctor', '--config', 'new.yaml');
    const told = new RegExp(`remark runs ${value.run} \\(halted\\) belongs to ${old.url}, which is not the configured`);
    assert.match(stdout.replaceAll(/\s+/g, ' '), told);
    assert.match((await place.run('doctor', '--config', 'old.yaml')).stdout, /not finished: .*halted/);
  });

  test('a config file that holds a secret and that others may read gets a remark, with the command that fixes it', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox), { here: true });
    const file = place.write('roster-sync.yaml', `service:\n  baseUrl: ${sandbox.url}\n  token: ${sandbox.token}\n`);
    chmodSync(file, 0o644);
    const open = await place.alone('doctor');
    assert.match(open.stdout + open.stderr, /remark +settings .*chmod 600/);
    chmodSync(file, 0o600);
    const closed = await place.run('doctor');
    assert.match(closed.stdout + closed.stderr, /ok +settings .*roster-sync.yaml/);
    place.write('roster-sync.yaml', 'service:\n  token: ${ROSTER_SYNC_TOKEN}\n');
    chmodSync(file, 0o644);
    const named = await place.run('doctor');
    assert.match(named.stdout + named.stderr, /ok +settings/);
  });

  test('a secret that is short or a common word is remarked by its setting, and not shown', async (t) => {
    const place = await openPlace(envOf(await openSandbox(t)), { here: true });
    place.write(
      'roster-sync.yaml',
      `sources:
  staff: { http: { url: https://hr.example/people, auth: { basic: { username: robot, password: "\${HR}" } } } }
  sound: { http: { url: https://hr.example/people, auth: { bearer: "\${GOOD}" } } }
`,
    );
    Object.assign(place.env, { HR: 'tr0ub', GOOD: 'correct-horse-battery' });
    const { ended, value } = await place.json<{ findings: Finding[] }>('doctor');
    const found = value.findings.find(({ what }) => what === 'secrets');
    assert.equal(found?.state, 'remark');
    assert.match(
      found.text,
      /^sources\.staff\.http\.auth\.basic\.password: shorter than 8 characters, or a common word/,
    );
    assert.doesNotMatch(ended.stdout + ended.stderr, /tr0ub|sources\.sound/);
  });
});
