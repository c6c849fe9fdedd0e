import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, eventually, openPlace, type Place, type Running } from '../support/cli.ts';

const example = join(import.meta.dirname, '../../examples/nightly.yaml');
const clockShifter = join(import.meta.dirname, '../faults/shift-clock.ts');

/** What the HR system gives, as it was recorded of one that exports CSV: a tag, no length, a token in a header. */
const hr = {
  people: ['1,Ann,Ek,ann@example.com,Sales,Active'],
  asked: [] as (number | 'no answer')[],
  isSilent: false,
};
const header = 'Employee ID,First Name,Last Name,Work Email,Department,Status';

interface Schedules {
  schedules: {
    source: string;
    next: { at: string }[];
    last: { due: string; result: string; status: string | null; run: string } | null;
    missed?: { due: string; will: string };
  }[];
}

suite('examples/nightly.yaml, as it is written', () => {
  let server: Server;
  let sandbox: Sandbox;
  let place: Place;

  before(async () => {
    server = createServer((request, response) => {
      assert.equal(request.headers.authorization, 'Bearer hr-t0ken');
      if (hr.isSilent) return void hr.asked.push('no answer');
      const body = [header, ...hr.people, ''].join('\n');
      const etag = `"${hr.people.length}"`;
      const status = request.headers['if-none-match'] === etag ? 304 : 200;
      hr.asked.push(status);
      response.writeHead(status, { etag, 'content-type': 'text/csv' }).end(status === 304 ? undefined : body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    sandbox = await startSandbox();
    const { port } = server.address() as AddressInfo;
    place = await openPlace({
      ...envOf(sandbox),
      ...{ HR_URL: `http://127.0.0.1:${port}/exports/staff.csv`, HR_TOKEN: 'hr-t0ken', ROSTER_SYNC_CONFIG: example },
    });
    place.env['ROSTER_SYNC_DATA_DIR'] = place.data;
    place.env['NODE_OPTIONS'] = `--import ${clockShifter}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await sandbox.close();
  });

  /** From now on, the clock of every process that is started shows this, and goes on from there. */
  function setClock(at: string): void {
    place.env['CLOCK_OFF'] = String(Date.parse(at) - Date.now());
  }
  async function serve(): Promise<Running> {
    const running = await place.start(['serve', '--port', '0']);
    await running.until(/Serving on/);
    return running;
  }
  async function schedule(): Promise<Schedules['schedules'][number]> {
    const { value } = await place.json<Schedules>('schedules');
    const [staff] = value.schedules;
    assert.ok(staff);
    return staff;
  }

  test('first by hand: the plan waits for a yes', async () => {
    setClock('2027-03-27T12:00:00Z');
    const first = await place.run('sync', 'staff', '--yes');
    assert.equal(first.code, 3, first.stderr);
    const approved = await place.run('approve', 'latest', '--yes');
    assert.equal(approved.code, 0, approved.stderr);
    assert.equal(sandbox.calls.length, 1);
    // From now on its times count, however long the next start takes.
    const running = await serve();
    running.child.kill('SIGTERM');
    await running.ended;
  });

  test('in the night in which the clocks skip 02:15, a process that is killed over its run is made up for, once', async () => {
    hr.people.push('2,Bo,Oh,bo@example.com,Sales,Active');
    hr.isSilent = true;
    setClock('2027-03-28T01:14:57Z');
    const killed = await serve();
    await eventually('the HR system is asked', () => hr.asked.at(-1) === 'no answer');
    killed.child.kill('SIGKILL');
    await killed.ended;
    hr.isSilent = false;
    assert.equal((await schedule()).last?.result, 'begun');

    setClock('2027-03-28T01:20:00Z');
    const restarted = await serve();
    await eventually('the newcomer is sent', () => sandbox.calls.length === 2);
    await restarted.until(/what was due is done/);
    restarted.child.kill('SIGTERM');
    await restarted.ended;
    // It may have been told to stop before it could record that the run was done; where not, there is nothing to resume.
    await place.run('resume', 'latest');
    const { last, missed } = await schedule();
    assert.deepEqual([last?.due, last?.status, missed], ['2027-03-28T01:15:00.000Z', 'finished', undefined]);
    const statuses = (await place.listRuns()).map(({ status }) => status);
    assert.deepEqual(statuses, ['finished', 'failed', 'finished']);
  });

  test('an hour later nothing has changed: that costs one request, and leaves no run behind', async () => {
    setClock('2027-03-28T02:14:57Z');
    const running = await serve();
    await running.until(/what was due is done/);
    const { last, next } = await schedule();
    running.child.kill('SIGTERM');
    await running.ended;
    assert.deepEqual([last?.due, last?.result], ['2027-03-28T02:15:00.000Z', 'unchanged']);
    assert.equal(next[0]?.at, '2027-03-28T03:15:00.000Z');
    assert.deepEqual([hr.asked.at(-1), sandbox.calls.length, (await place.listRuns()).length], [304, 2, 3]);
  });

  test('what was missed while nothing ran is shown, with what will become of it', async () => {
    setClock('2027-03-28T14:00:00Z');
    const { missed } = await schedule();
    assert.deepEqual(missed, { due: '2027-03-28T06:15:00.000Z', will: 'run' });
    setClock('2027-03-28T19:00:00Z');
    const { stdout } = await place.run('schedules');
    assert.match(stdout, /^staff {2}15 2-8 \* \* \* {2}Europe\/Copenhagen\nNext {3}2027-03-29 02:15, 2027-03-29 03:15/);
    assert.match(stdout, /\nLast {3}2027-03-28 04:15 {2}unchanged: unchanged since run \w+\n/);
    assert.match(stdout, /\nMissed 2027-03-28 08:15: too long ago to catch up on \(schedule\.catchUp\)\n$/);
  });
});
