import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place, type RunJson } from '../support/cli.ts';

/** What the server of the sources gives, and what it was asked. */
const served = { body: '', lastModified: '', answered: [] as number[] };
let server: Server;
let sandbox: Sandbox;
let place: Place;

type Unchanged = RunJson & { unchangedSince?: { run: string; at: string } };

const header = 'Employee ID,First Name,Last Name,Email,Group,End\n';
const everybody = `${header}1,Ann,Ek,ann@example.com,Staff,\n2,Bo,Oh,bo@example.com,Staff,\n`;

function serve(body: string, lastModified = new Date()): void {
  Object.assign(served, { body, lastModified: lastModified.toUTCString() });
}

function configure(more: string): void {
  const { port } = server.address() as AddressInfo;
  place.write(
    'roster-sync.yaml',
    `sources:\n  staff:\n    http: { url: "http://127.0.0.1:${port}/staff.csv", auth: { bearer: t0psecret } }\n    guards: { invites: off, wrongFile: off }\n${more}`,
  );
}

async function sync(...flags: string[]): Promise<Unchanged> {
  const { ended, value } = await place.json<Unchanged>('sync', 'staff', ...flags, '--yes');
  assert.equal(ended.code, 0, ended.stderr);
  return value;
}

before(async () => {
  server = createServer((request, response) => {
    const tag = `"${Buffer.from(served.body).toString('base64url').slice(-40)}"`;
    const unchanged = request.headers['if-none-match'] === tag;
    served.answered.push(unchanged ? 304 : 200);
    response.writeHead(unchanged ? 304 : 200, { etag: tag, 'last-modified': served.lastModified });
    response.end(unchanged ? undefined : served.body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => {
  sandbox.clearCalls();
  served.answered = [];
});
after(async () => {
  server.close();
  await sandbox.close();
});

describe('syncing a source that its server says is unchanged', () => {
  let first: Unchanged;

  it('reads it whole the first time', async () => {
    serve(everybody);
    configure('');
    first = await sync();
    assert.deepEqual([first.plan.new, served.answered], [2, [200]]);
  });

  it('says since which run, sends nothing, exits 0 and leaves no run behind', async () => {
    const { code, stdout } = await place.alone('sync', 'staff');
    assert.equal(code, 0);
    assert.match(
      stdout,
      new RegExp(`^staff is unchanged since run ${first.run} \\(\\d{4}-.*\\); nothing was sent\\.\n$`),
    );
    assert.deepEqual([served.answered, sandbox.calls.length], [[304], 0]);
    const { value } = await place.json<{ runs: object[] }>('runs');
    assert.equal(value.runs.length, 1);
  });

  it('--json and --report say the same in their own forms', async () => {
    const { unchangedSince, ...value } = await sync('--report', 'report.json');
    assert.deepEqual([value.run, value.status, value.calls], [null, 'finished', 0]);
    assert.equal(unchangedSince?.run, first.run);
    assert.deepEqual(value.roster, first.roster);
    assert.deepEqual(value.plan, { ...value.plan, new: 0, changed: 0, unchanged: 2 });
    assert.deepEqual(JSON.parse(place.read('report.json')).rows, []);
  });

  it('reads all of it with --all, --only, --as-of and --dry-run, and anew after a run of those that wrote', async () => {
    await sync('--dry-run');
    await sync('--only', 'bo@example.com');
    await sync();
    await sync('--all');
    await sync('--as-of', new Date().toISOString());
    await sync();
    assert.deepEqual(served.answered, [200, 200, 200, 200, 200, 200]);
    await sync();
    assert.equal(served.answered.at(-1), 304);
  });

  it('reads it anew when a rule, the settings for all sources, or the token have changed', async () => {
    const rule = '    groups: [{ always: Everyone }]\n';
    configure(rule);
    assert.equal((await sync()).plan.changed, 2);
    configure(`${rule}delivery: { invite: false }\n`);
    assert.equal((await sync()).plan.unchanged, 2);
    place.write('roster-sync.yaml', place.read('roster-sync.yaml').replace('t0psecret', 'an0ther'));
    await sync();
    assert.deepEqual(served.answered, [200, 200, 200]);
    await sync();
    assert.equal(served.answered.at(-1), 304);
  });

  it('reads it anew on every day where a rule looks at the day', async () => {
    configure('    except: [{ column: End, past: true }]\n');
    await sync();
    await sync();
    assert.deepEqual(served.answered, [200, 200]);
  });

  it('reads it anew after deliveries that did not succeed, and tries those people again', async () => {
    configure('');
    await sync('--all');
    serve(everybody.replace('Bo', 'Bob'));
    sandbox.faults.add('status=400,email=bo@example.com');
    const failed = await place.json('sync', 'staff', '--yes');
    sandbox.faults.clear();
    assert.equal(failed.value.outcome.failed, 1);
    assert.equal((await sync()).plan.again, 1);
    assert.deepEqual(served.answered, [200, 200, 200]);
  });

  it('reads it anew while somebody waits for `resolve`, and once it is said', async () => {
    serve(everybody.replace('bo@', 'bob@'));
    assert.equal((await sync()).roster.rejects, 1);
    assert.equal((await sync()).roster.rejects, 1);
    await place.run('resolve', 'bo@example.com', 'bob@example.com', '--renamed-there');
    assert.equal((await sync()).plan.changed, 1);
    assert.deepEqual(served.answered, [200, 200, 200]);
    await sync();
    assert.equal(served.answered.at(-1), 304);
    await place.run('resolve', 'ann@example.com', 'anna@example.com', '--renamed-there');
    assert.equal((await sync()).roster.rejects, 1, 'what was decided counts although the roster is the same');
  });

  it('refuses one that has not changed for longer than maxAge', async () => {
    serve(everybody.replace('bo@', 'bob@'), new Date(Date.now() - 3_600_000));
    configure('    maxAge: 2h\n');
    await place.run('resolve', 'anna@example.com', 'ann@example.com', '--renamed-there');
    await sync('--all');
    await sync();
    served.lastModified = new Date(Date.now() - 10_800_000).toUTCString();
    const { code, stderr } = await place.run('sync', 'staff', '--yes');
    assert.deepEqual([code, served.answered.at(-1)], [2, 304]);
    assert.match(stderr, /it is 3 hours old, and may be 2 hours \(maxAge\)/);
  });
});

describe('syncing a file whose bytes are those of the last run', () => {
  let file: Place;

  it('says so with --yes or without a terminal, exits 0, and leaves neither run nor file of rejects', async () => {
    file = await openPlace(envOf(sandbox), { here: true });
    file.write('roster-sync.yaml', 'sources: { staff: { file: ./staff.csv, guards: { invites: off } } }\n');
    file.write('staff.csv', `${everybody}3,Cy,Ng,nowhere,Staff,\n`);
    const first = await file.json('sync', 'staff', '--yes');
    assert.deepEqual([first.ended.code, first.value.roster.rejects], [0, 1], first.ended.stderr);
    const left = readdirSync(file.folder, { recursive: true }).filter((name) => name.includes('rejects'));
    for (const flags of [['--yes'], []]) {
      const { code, stdout } = await file.run('sync', 'staff', ...flags);
      assert.equal(code, 0);
      assert.match(
        stdout,
        new RegExp(`^staff is unchanged since run ${first.value.run} .*; nothing was sent\\.\\n1 reject`),
      );
    }
    assert.deepEqual((await file.listRuns()).length, 1);
    assert.deepEqual(
      readdirSync(file.folder, { recursive: true }).filter((name) => name.includes('rejects')),
      left,
    );
  });

  it('plans it anew at a terminal, where somebody may want to see the plan', async (t) => {
    const running = await file.terminal('sync', 'staff');
    if (!running) return t.skip('there is no program `script` here');
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.match(stdout, /2 unchanged/);
    assert.deepEqual((await file.listRuns()).length, 2);
  });
});
