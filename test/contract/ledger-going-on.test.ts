import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { BusyError } from '../../src/core/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { claimAndBegin, decideMove, deliverAll, ending, person, planPeople, releasePeople, unique } from './plans.ts';

const [ann, bob] = [person('ann', 'A'), person('bob', 'A')];
const renamed = { oldKey: ann.email, newKey: 'ann.ek@example.com', decision: 'renamed-there' } as const;
const retry = { move: 'retry' } as const;

for (const { name, skip, open } of homes) {
  suite(`continuing a run in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let one: Ledger;
    let two: Ledger;
    before(async () => {
      home = await open();
      one = await home.ledger('one');
      two = await home.ledger('two');
    });
    after(() => home.close());

    /** A run of Ann's whose only delivery has failed. */
    async function failedRun(service: string): Promise<string> {
      const runId = await releasePeople(one, { people: [ann], service });
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      await one.record(ending(id, call, 'failed'));
      await one.moveRun(runId, 'finishWithFailures');
      return runId;
    }

    test('a run that must not continue, because another one of its source plans, keeps its failures', async () => {
      const service = unique('service');
      const runId = await failedRun(service);
      await planPeople(two, { people: [ann], service });
      await assert.rejects(one.continueRun(runId, retry), BusyError);
      assert.deepEqual(await one.countOutcomes(runId), { failed: 1 });
      assert.equal((await one.findRuns(runId))[0]?.status, 'finished-with-failures');
    });

    test('of two processes that retry a run, one does; what fails meanwhile is not tried again by the other', async () => {
      const runId = await failedRun(unique('service'));
      const rate = { limit: 3, perMs: 1000, and: [] };
      assert.equal(await one.continueRun(runId, { ...retry, rate }), 0);
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      await one.record(ending(id, call, 'failed'));
      assert.equal(await two.continueRun(runId, retry), undefined);
      assert.deepEqual(await two.countOutcomes(runId), { failed: 1 });
      const { settings } = (await two.findRuns(runId))[0]!;
      assert.deepEqual([settings.rate, settings.ownRate], [rate, true]);
    });

    test('a retry of some failures does not send whom the deadline left out', async () => {
      const runId = await releasePeople(one, { people: [ann, bob], service: unique('service') });
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      await one.record(ending(id, call, 'failed'));
      await one.moveRun(runId, 'runOutOfTime');
      const some = one.continueRun(runId, { ...retry, only: { outcome: 'failed' } });
      await assert.rejects(some, /before 1 person was sent.*Nothing was retried/);
      assert.equal((await one.findRuns(runId))[0]?.status, 'finished-with-failures');
      assert.equal(await one.continueRun(runId, retry), 0);
      assert.equal((await one.findDue(runId, { limit: 9 })).length, 2);
    });

    test('whom an event has named since as leaving is not sent by a retry or a resume, also of a run of events', async () => {
      for (const beside of [true, false]) {
        const [service, source, leaving] = [unique('service'), unique('source'), ['terminated']];
        const event = { employees: null, people: null, body: '{}' };
        const leaves = async (leaver: string) =>
          one.addEvent({ ...event, source, key: unique('id:'), kind: 'terminated', leavers: [leaver] });
        const people = [ann, bob, person('cy', 'A')];
        const runId = await releasePeople(one, { people, service, source, beside, time: '2026-01-05T12:00:00.000Z' });
        for (const due of await one.findDue(runId, { limit: 2 })) {
          const { id, call } = await claimAndBegin(one, due);
          await one.record(ending(id, call, 'failed'));
        }
        const { rows } = await home.pool.query<{ key: string }>(
          `select person_key as key from deliveries where run_id = $1 order by state = 'due' desc, id`,
          [runId],
        );
        const [unsent = '', left = ''] = rows.map(({ key }) => key);
        await leaves(unsent);
        await one.moveRun(runId, 'pause');
        await one.continueRun(runId, { move: 'resume', leaving });
        assert.deepEqual(await one.countOutcomes(runId), { failed: 2, superseded: 1 });
        await one.closeRun(runId);
        await leaves(left);
        await one.continueRun(runId, { ...retry, leaving });
        assert.deepEqual(await one.countOutcomes(runId), { failed: 1, superseded: 1 });
        assert.equal((await one.findDue(runId, { limit: 9 })).length, 1);
      }
    });

    test('whose account was renamed at the service is not tried again at the old address, and is not renamed while called there', async () => {
      const service = unique('service');
      const runId = await failedRun(service);
      await one.continueRun(runId, retry);
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      await assert.rejects(decideMove(one, { service, ...renamed }), BusyError);
      await one.record(ending(id, call, 'failed'));
      await one.closeRun(runId);
      assert.equal((await decideMove(one, { service, ...renamed })).isDone, true);
      await one.continueRun(runId, retry);
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
      assert.deepEqual(await one.countOutcomes(runId), { failed: 1 });
      await one.closeRun(runId);
      // Somebody else has that address now.
      const other = await failedRun(service);
      await one.continueRun(other, retry);
      assert.equal((await one.findDue(other, { limit: 1 })).length, 1);
    });

    test('a run of which only somebody renamed was not sent is not cancelled: it finishes, and its failures are tried again', async () => {
      const service = unique('service');
      await deliverAll(one, await releasePeople(one, { people: [ann, bob], service }));
      const people = [ann, bob].map((each) => ({ ...each, firstname: 'New' }));
      const runId = await releasePeople(one, { people, service });
      const { rows } = await home.pool.query<{ id: number }>(
        'select id from deliveries where run_id = $1 and person_key = $2',
        [runId, bob.email],
      );
      const fed = (await one.findDue(runId, { limit: 2 })).find((due) => due.id === rows[0]?.id);
      const { id, call } = await claimAndBegin(one, fed);
      await one.record(ending(id, call, 'failed'));
      await one.moveRun(runId, 'pause');
      await decideMove(one, { service, ...renamed });
      assert.equal(await one.continueRun(runId, { move: 'resume' }), 0);
      assert.equal(await one.closeRun(runId), true);
      await one.continueRun(runId, retry);
      assert.deepEqual(
        (await one.findDue(runId, { limit: 2 })).map((again) => again.id),
        [id],
      );
    });

    test('a run that was cancelled meanwhile does not continue', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      await two.moveRun(runId, 'cancel');
      assert.equal(await one.continueRun(runId, { move: 'resume' }), undefined);
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
    });
  });
}
