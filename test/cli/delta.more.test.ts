import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { Graph, graphUser } from '../roster/presets/graph.ts';
import { envOf, openPlace, type Place, type RunJson } from '../support/cli.ts';

const graph = new Graph();
let sandbox: Sandbox;
let place: Place;

function configure(more = ''): void {
  place.write(
    'roster-sync.yaml',
    `sources:
  staff:
    preset: entra
    account:
      { tenant: acme.example, clientId: app-1, clientSecret: s3cret-of-app, baseUrl: "${graph.base}", loginUrl: "${graph.base}"${more} }
    delta: {}
    snapshot: true
    departed: { group: Leavers, after: 1 }
    guards: { invites: off, wrongFile: off, departed: off, changed: off }
`,
  );
}

type Notes = RunJson & { notes?: string[]; roster: { notes?: string[] } };

async function sync(...flags: string[]): Promise<Notes> {
  graph.asked = [];
  const { ended, value } = await place.json<Notes>('sync', 'staff', ...flags, '--yes');
  assert.equal(ended.code, 0, ended.stderr);
  return value;
}

/** Whether everybody was asked for, or only a link. */
const isFull = () => graph.asked[0]?.includes('$select') === true;

/** What the sandbox was told, as short as a test wants it. */
const told = () => sandbox.calls.map(({ email = '' }) => email).toSorted();

const closers: (() => unknown)[] = [];

/** All that is kept of people, as the ledger has it. */
async function everythingKept(): Promise<string> {
  await place.letGo();
  const { pool, close } = await openEmbedded(join(place.data, 'ledger'));
  try {
    const { rows } = await pool.query<{ id: string }>('select id, keys, record from kept_people order by id');
    assert.ok(rows.some(({ id }) => id === 'id-fay') && rows.length > 3);
    return JSON.stringify(rows).replaceAll('id-fay', '');
  } finally {
    await close();
  }
}

before(async () => {
  await graph.listen({ after: (close) => void closers.push(close as () => unknown) });
  for (const name of ['ann', 'bo', 'cy', 'di', 'ed', 'fay', 'gus']) graph.set(`id-${name}`, graphUser(name));
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
  configure();
});
beforeEach(() => {
  sandbox.clearCalls();
});
after(async () => {
  for (const close of closers) await close();
  await sandbox.close();
});

describe('syncing a source that asks only for what changed', () => {
  it('reads everybody first, then what changed, and plans everybody each time', async () => {
    assert.equal((await sync()).plan.new, 7);
    assert.ok(isFull());
    sandbox.clearCalls();
    graph.set('id-ann', { department: 'Legal' });
    graph.set('id-hal', graphUser('hal'));
    graph.remove('id-gus');
    const { plan, roster } = await sync();
    assert.ok(!isFull());
    assert.deepEqual([roster.rows, plan.unchanged, plan.changed, plan.new, plan.departed], [7, 5, 1, 1, 1]);
    assert.deepEqual(told(), ['ann@example.com', 'gus@example.com', 'hal@example.com']);
  });

  it('a dry run, and a read that fails, leave the link as it was', async () => {
    graph.set('id-bo', { department: 'Legal' });
    assert.equal((await sync('--dry-run')).plan.changed, 1);
    const [link] = graph.asked;
    graph.faults = [
      undefined,
      () => ({ status: 403, body: { error: { code: 'Authorization_RequestDenied', message: 'no' } } }),
    ];
    for (const name of ['cy', 'di', 'ed', 'fay']) graph.set(`id-${name}`, { department: 'Legal' });
    graph.asked = [];
    const failed = await place.run('sync', 'staff', '--yes');
    assert.equal(failed.code, 2, failed.stderr);
    assert.equal(graph.asked[0], link);
    graph.faults = [];
    assert.equal((await sync()).plan.changed, 5);
    assert.equal(graph.asked[0], link);
    await sync();
    assert.notEqual(graph.asked[0], link);
  });

  it('a process that is killed in the middle of a read leaves the link as it was', async () => {
    for (const name of ['ann', 'bo', 'cy', 'di']) graph.set(`id-${name}`, { department: 'Ops' });
    graph.asked = [];
    const second = Promise.withResolvers<void>();
    graph.faults = [
      undefined,
      () => {
        second.resolve();
        return 'silence';
      },
    ];
    const running = await place.start(['sync', 'staff', '--yes']);
    await second.promise;
    const [link] = graph.asked;
    running.child.kill('SIGKILL');
    await running.ended;
    graph.faults = [];
    assert.equal((await sync()).plan.changed, 4);
    assert.equal(graph.asked[0], link);
    assert.deepEqual(told(), ['ann@example.com', 'bo@example.com', 'cy@example.com', 'di@example.com']);
  });

  it('a lost link reads everybody and says so; so do other settings', async () => {
    graph.forgetTokens('gone');
    graph.remove('id-hal', 'changed');
    const { stderr, stdout } = await place.run('sync', 'staff', '--yes');
    assert.match(`${stderr}${stdout}`, /its server no longer knows what changed since the last read/);
    assert.deepEqual(told(), ['hal@example.com']);
    await sync();
    assert.ok(!isFull());
    configure(', fields: "employeeHireDate,city"');
    await sync();
    assert.ok(isFull());
    await sync();
    assert.ok(!isFull());
  });

  it('keeps nothing of somebody who is forgotten, also when they change, until they are allowed again', async () => {
    const forgotten = await place.run('forget', 'fay@example.com', '--yes');
    assert.equal(forgotten.code, 0, forgotten.stderr);
    graph.set('id-fay', { department: 'Ops' });
    const { roster } = await sync();
    assert.ok(!isFull());
    assert.ok(!/fay/.test(await everythingKept()));
    assert.equal(roster.rows, 5);
    graph.forgetTokens('gone');
    await sync();
    assert.ok(!/fay/.test(await everythingKept()));
    const allowed = await place.run('forget', 'fay@example.com', '--undo', '--yes');
    assert.equal(allowed.code, 0, allowed.stderr);
    const { plan } = await sync();
    assert.ok(isFull());
    assert.equal(plan.new, 1);
    assert.deepEqual(told(), ['fay@example.com']);
  });
});
