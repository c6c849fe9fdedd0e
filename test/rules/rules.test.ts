import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  mostCallsInWindow,
  overlappingCalls,
  repeatedCalls,
  type Sandbox,
  startSandbox,
} from '../../src/sandbox/index.ts';
import { csvOf, envOf, eventually, openPlace, type Place } from '../support/cli.ts';

let sandbox: Sandbox;
let place: Place;

const header = 'firstname,lastname,email,groups\n';

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => {
  sandbox.clearCalls();
  sandbox.faults.clear();
});
after(() => sandbox.close());

/** Groups by address, as the service was asked for them. */
function asked(): Record<string, string[][]> {
  const all: Record<string, string[][]> = {};
  for (const { email = '', body } of sandbox.calls) (all[email] ??= []).push((body as { groups: string[] }).groups);
  return all;
}

describe('the rules', () => {
  it('R1: one call per person, carrying all their groups, however many rows; never one without a group', async () => {
    place.write(
      'r1.csv',
      `${header}Ann,Lee,ann@r1.example,A;B\nBo,Ek,bo@r1.example,B\nAnn,Lee,ANN@r1.example ,B;C\nCy,No,cy@r1.example,\nDi,No,di@r1.example, ; \n`,
    );
    const { ended, value } = await place.json('import', 'r1.csv', '--yes', '--force-sync');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(asked(), { 'ann@r1.example': [['A', 'B', 'C']], 'bo@r1.example': [['B']] });
    assert.deepEqual(value.roster, { rows: 5, members: 2, merged: 1, filtered: 0, rejects: 2 });
  });

  it('R2, R3: after a kill in the middle every delivery ends in one outcome, nobody is called twice at a time', async () => {
    place.write('r2.csv', csvOf(60, { domain: 'r2.example' }));
    place.env['ROSTER_SYNC__SERVICE__TIMEOUT'] = '2s';
    sandbox.faults.add('latency=200');
    const running = await place.start(['import', 'r2.csv', '--yes', '--rate', '60']);
    await eventually(
      'five calls are in flight, and some have ended',
      () => sandbox.stats().inFlight >= 5 && sandbox.calls.length > 20,
    );
    const inFlight = sandbox.stats().inFlight;
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    sandbox.faults.clear();
    const { ended, value } = await place.json('resume', 'latest');
    delete place.env['ROSTER_SYNC__SERVICE__TIMEOUT'];
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.status, value.outcome.succeeded], ['finished', 60]);
    assert.equal(Object.keys(asked()).length, 60);
    assert.deepEqual(overlappingCalls(sandbox.calls), []);
    // A call whose receipt was on its way to the ledger is repeated too; one that had not begun is not.
    const repeats = repeatedCalls(sandbox.calls);
    assert.ok(repeats.length <= inFlight + 10, `${repeats.length} repeats of ${inFlight} in flight`);
    for (const { calls } of repeats) {
      assert.ok((calls[1]?.arrivedAt ?? 0) - (calls[0]?.arrivedAt ?? 0) >= 1900, 'R3: the timeout has passed');
      assert.deepEqual(calls[0]?.body, calls[1]?.body, 'R7: the same body');
    }
  });

  it('R3: a call in flight when its process died keeps the person’s lane closed, also for another run', async () => {
    place.write('r3.csv', `${header}Ann,Lee,ann@r3.example,A\n`);
    place.env['ROSTER_SYNC__SERVICE__TIMEOUT'] = '3s';
    sandbox.faults.add('latency=forever,first=1');
    const running = await place.start(['import', 'r3.csv', '--yes']);
    await eventually('the call has arrived', () => sandbox.calls.length === 1);
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    assert.equal((await place.run('cancel', 'latest')).code, 0);
    const { ended } = await place.json('import', 'r3.csv', '--source', 'other', '--yes');
    delete place.env['ROSTER_SYNC__SERVICE__TIMEOUT'];
    assert.equal(ended.code, 0, ended.stderr);
    const [first, second] = sandbox.calls.map(({ arrivedAt }) => arrivedAt);
    assert.ok((second ?? 0) - (first ?? 0) >= 2900, `${Math.round((second ?? 0) - (first ?? 0))} ms`);
  });

  it('R3: where forceSync is on, each call carries what all sources want for that person', async () => {
    place.write('r3a.csv', `${header}Ann,Lee,ann@r3b.example,A\n`);
    place.write('r3b.csv', `${header}Ann,Lee,ann@r3b.example,B\n`);
    await place.json('import', 'r3a.csv', '--yes', '--force-sync');
    const { ended } = await place.json('import', 'r3b.csv', '--yes', '--force-sync');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(asked(), { 'ann@r3b.example': [['A'], ['B', 'A']] });
  });

  it('R4: two runs one after the other keep one pace between them', async () => {
    place.write('r4.csv', csvOf(6, { domain: 'r4.example' }));
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '10';
    place.env['ROSTER_SYNC__DELIVERY__RATE__PER'] = '4s';
    await place.jsonAlone('import', 'r4.csv', '--yes');
    await place.jsonAlone('import', 'r4.csv', '--yes', '--all');
    place.env['ROSTER_SYNC__DELIVERY__RATE__LIMIT'] = '500';
    delete place.env['ROSTER_SYNC__DELIVERY__RATE__PER'];
    assert.equal(sandbox.calls.length, 12);
    assert.ok(mostCallsInWindow(sandbox.calls, 3900) <= 10);
  });

  it('R9: a row fails, not the run: line, column, value and reason of each are kept, and every row is accounted for', async () => {
    place.write(
      'r9.csv',
      `${header}Ann,Lee,ann@r9.example,A\n,Lee,noname@r9.example,A\nBo,Ek,"bo@",A\nCy,Om,cy@r9.example,A,extra\nDi,Xu,di@r9.example,A\nEd,Wu,DI@r9.example,B\n`,
    );
    const { ended, value } = await place.json('import', 'r9.csv', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    const { rows, members, merged, filtered, rejects } = value.roster;
    assert.equal(rows, members + merged + filtered + rejects);
    assert.deepEqual([rows, members, rejects], [6, 1, 5]);
    assert.deepEqual(Object.keys(asked()), ['ann@r9.example'], 'two people on one address are not guessed about');
    const lines = place.read(`.roster-sync/rejects/${value.run}-rejects.csv`).trim().split('\n');
    assert.match(lines[0] ?? '', /^firstname,lastname,email,groups,_line,_reason,_run/);
    assert.equal(lines.length, 6);
    assert.deepEqual(
      lines.slice(1).map((line) => /,(\d+),[^,]*(?:"[^"]*")?,?[\da-f]*\r?$/.test(line) || line.includes(value.run)),
      [true, true, true, true, true],
    );
    assert.match(lines.slice(1).join(''), /two people share this address: lines 6 and 7/);
  });

  it('R10: people who are absent from a later, smaller roster are not judged; an empty one changes nothing', async () => {
    place.write('r10.csv', csvOf(6, { domain: 'r10.example' }));
    await place.json('import', 'r10.csv', '--yes');
    sandbox.clearCalls();
    place.write('r10.csv', csvOf(2, { domain: 'r10.example' }));
    const smaller = await place.json('import', 'r10.csv', '--yes');
    assert.deepEqual([smaller.value.plan.departed, smaller.value.plan.unchanged, smaller.value.calls], [0, 2, 0]);
    place.write('r10.csv', header);
    assert.equal((await place.run('import', 'r10.csv', '--yes')).code, 2);
    place.write('r10.csv', csvOf(6, { domain: 'r10.example' }));
    const back = await place.json('import', 'r10.csv', '--yes');
    assert.deepEqual([back.value.plan.unchanged, back.value.calls, sandbox.calls.length], [6, 0, 0]);
  });

  it('R11: groups that only shrank are unchanged without forceSync and counted as left behind; with it they are sent', async () => {
    place.write('r11.csv', `${header}Ann,Lee,ann@r11.example,A;B\n`);
    await place.json('import', 'r11.csv', '--yes');
    place.write('r11.csv', `${header}Ann,Lee,ann@r11.example,A\n`);
    const shrunk = await place.json('import', 'r11.csv', '--yes');
    assert.deepEqual([shrunk.value.plan.unchanged, shrunk.value.plan.leftBehind, shrunk.value.calls], [1, 1, 0]);
    const forced = await place.json('import', 'r11.csv', '--yes', '--force-sync');
    assert.deepEqual([forced.value.plan.changed, forced.value.calls], [1, 1]);
  });

  it('R11: what was given and not taken away is said in the same words by plan, person and left-behind', async () => {
    place.write('r11b.csv', `${header}Bo,Ek,bo@r11.example,IT\n`);
    await place.json('import', 'r11b.csv', '--yes');
    place.write('r11b.csv', `${header}Bo,Ek,bo@r11.example,Einkauf\n`);
    const keeps = /keeps IT at the service \(roster-sync left-behind\)/;
    const plan = await place.run('plan', 'r11b.csv');
    assert.match(plan.stdout, keeps);
    assert.match(plan.stdout, /1 person keeps 1 group that the roster no longer has/);
    assert.doesNotMatch(plan.stdout, /removed|- IT/);
    const { value } = await place.json('import', 'r11b.csv', '--yes');
    assert.match((await place.run('person', 'bo@r11.example')).stdout, keeps);
    const listed = await place.run('left-behind', '--person', 'bo@r11.example');
    assert.match(listed.stdout, new RegExp(`bo@r11.example +IT .* changed in run ${value.run} +r11b`));
    const forced = await place.run('plan', 'r11b.csv', '--force-sync');
    assert.doesNotMatch(forced.stdout, /keeps/);
    await place.json('import', 'r11b.csv', '--yes', '--force-sync');
    assert.match((await place.run('left-behind', '--person', 'bo@r11.example')).stdout, /^Nothing is left behind/);
    assert.match((await place.run('person', 'bo@r11.example')).stdout, /IT: given .*; taken out by forceSync of run /);
  });

  it('R13: a newer roster supersedes what a paused older one has not sent; resuming the older one sends nothing', async () => {
    place.write('r13.csv', csvOf(20, { domain: 'r13.example' }));
    sandbox.faults.add('status=401,after=5');
    const older = await place.json('import', 'r13.csv', '--yes');
    sandbox.faults.clear();
    assert.equal(older.value.status, 'halted');
    place.write('r13.csv', csvOf(20, { domain: 'r13.example', groups: () => 'New' }));
    const newer = await place.json('import', 'r13.csv', '--yes');
    assert.equal(newer.ended.code, 0, newer.ended.stderr);
    sandbox.clearCalls();
    const resumed = await place.run('resume', older.value.run);
    assert.equal(sandbox.calls.length, 0);
    assert.equal(resumed.code, 2, resumed.stderr);
    const { value } = await place.json('show', older.value.run);
    assert.deepEqual([value.outcome.succeeded, value.outcome.superseded, value.outcome.cancelled], [5, 15, 0]);
    for (const { groups } of sandbox.users().filter(({ email }) => email.endsWith('r13.example'))) {
      assert.equal(groups.at(-1), 'New');
    }
  });

  it('R13: a newer roster of one person only supersedes nobody else', async () => {
    place.write('r13b.csv', csvOf(20, { domain: 'r13b.example' }));
    sandbox.faults.add('status=401,after=5');
    const older = await place.json('import', 'r13b.csv', '--yes');
    sandbox.faults.clear();
    sandbox.clearCalls();
    await place.json('import', 'r13b.csv', '--only', 'person19@r13b.example', '--group', 'New', '--yes');
    const resumed = await place.json('resume', older.value.run);
    assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
    assert.deepEqual([resumed.value.outcome.succeeded, resumed.value.outcome.superseded], [19, 1]);
    assert.deepEqual(asked()['person19@r13b.example']?.length, 1);
  });

  it('R13: retrying the failures of an older roster does not undo what a newer one has given', async () => {
    place.write('r13c.csv', csvOf(4, { domain: 'r13c.example' }));
    sandbox.faults.add('status=400,email=person1@r13c.example');
    const older = await place.json('import', 'r13c.csv', '--yes');
    sandbox.faults.clear();
    assert.equal(older.value.status, 'finished-with-failures');
    place.write('r13c.csv', csvOf(4, { domain: 'r13c.example', groups: () => 'New' }));
    await place.json('import', 'r13c.csv', '--yes');
    sandbox.clearCalls();
    const retried = await place.run('retry', older.value.run);
    assert.equal(sandbox.calls.length, 0, retried.stderr);
  });
});
