import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import {
  accepted,
  claimAndBegin,
  deliverAll,
  ending,
  ofRejects,
  onlyChanges,
  person,
  type PlanOptions,
  planPeople,
  releasePeople,
  success,
  takeAndClaim,
  unique,
} from './plans.ts';

const ann = person('ann', 'A', 'B');
const bob = person('bob', 'A');
const groupsOf = ({ groups = [] }: { groups?: string[] } = {}): string[] => groups;

for (const { name, skip, open } of homes) {
  suite(`what the ledger says is true, ${name}`, { skip }, () => {
    let home: Home;
    let one: Ledger;
    before(async () => {
      home = await open();
      one = await home.ledger('one');
    });
    after(() => home.close());

    test('a late answer of an earlier call does not end a later one of the same delivery', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      const two = await home.ledger('two');
      await home.pool.query(`update in_hand set called_at = called_at - interval '1 hour' where delivery_id = ${id}`);
      await two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: 1000, deadAfterMs: 0 });
      const later = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      await one.record({ ...ending(id, call, 'failed'), end: { waitMs: 0 } });
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
      await one.record(success(later.id, later.call, ann.groups));
      assert.deepEqual(await one.countOutcomes(runId), { succeeded: 1 });
      assert.equal((await one.totalsOf(runId)).calls, 2);
    });

    test('what was never sent is no call of a group either, and a failure that was fixed is none', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      const notSent = { kind: 'not-sent', reason: 'ECONNREFUSED' } as const;
      await one.record({ ...ending(id, call, 'failed'), answer: notSent, end: { waitMs: 0 } });
      const again = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      const answer = accepted(ann.groups);
      if (answer.kind === 'accepted' && answer.results[1]) answer.results[1].status = 'error';
      await one.record({ ...success(id, again.call), answer, end: { outcome: 'partial' } });
      const counts = { calls: 1, inserts: 1, warnings: 0 };
      assert.deepEqual((await one.totalsOf(runId)).groups, [
        { group: 'A', ...counts, succeeded: 1, failures: 0 },
        { group: 'B', ...counts, succeeded: 0, failures: 1 },
      ]);
      await one.moveRun(runId, 'finishWithFailures');
      await one.continueRun(runId, { move: 'retry' });
      await deliverAll(one, runId, (delivery, last) => success(delivery, last, ann.groups));
      assert.deepEqual(
        (await one.totalsOf(runId)).groups.map(({ succeeded, failures }) => [succeeded, failures]),
        [
          [1, 0],
          [1, 0],
        ],
      );
    });

    test('a refused call that stopped its run gave no group to anybody, and is a failure of each until it is made again', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      const response = { httpStatus: 401, headers: {}, body: '', bodyCut: false };
      const refused = { kind: 'refused', response, reason: 'HTTP 401', renewed: false } as const;
      await one.record({ ...ending(id, call, 'failed'), answer: refused, end: { waitMs: 0 } });
      const groups = async () =>
        (await one.totalsOf(runId)).groups.map((each) => [each.group, each.calls, each.succeeded, each.failures]);
      assert.deepEqual(await groups(), [
        ['A', 1, 0, 1],
        ['B', 1, 0, 1],
      ]);
      const again = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      await one.record(success(again.id, again.call, ann.groups));
      assert.deepEqual(await groups(), [
        ['A', 2, 1, 0],
        ['B', 2, 1, 0],
      ]);
    });

    test('where only forceSync was turned off nobody is left behind', async () => {
      const service = unique('service');
      const first = await releasePeople(one, { people: [ann], service, settings: { forceSync: true } });
      await deliverAll(one, first);
      const { plan } = await planPeople(one, { people: [ann], service });
      assert.deepEqual([plan.counts.unchanged, plan.counts.leftBehind], [1, 0]);
    });

    for (const outcome of ['partial', 'unknown'] as const) {
      test(`with forceSync nobody is thrown out of what another source may have given, ${outcome}`, async () => {
        const service = unique('service');
        const first = await releasePeople(one, { people: [ann], service, source: 'staff' });
        await deliverAll(one, first, (id, call) => ending(id, call, outcome));
        const people = [person('ann', 'C')];
        const runId = await releasePeople(one, { people, service, source: 'interns', settings: { forceSync: true } });
        assert.deepEqual(groupsOf((await takeAndClaim(one, runId))?.member), ['C', 'A', 'B']);
      });
    }

    for (const [what, parts] of Object.entries({
      'a roster of which rows may be lost': { hasLostRows: true as const },
      'a roster that holds only changes': onlyChanges,
      'a corrected file of rejects': ofRejects,
    })) {
      test(`with forceSync ${what} throws nobody out of what other rows gave, and the next whole roster does`, async () => {
        const of = { service: unique('service'), settings: { forceSync: true } };
        const groupsSent = async (groups: string[], options: Partial<PlanOptions> = {}) => {
          const runId = await releasePeople(one, { ...of, people: [{ ...ann, groups }], ...options });
          const claimed = await takeAndClaim(one, runId);
          const sent = groupsOf(claimed?.member);
          const call = claimed && (await one.begin(claimed.id));
          if (call) await one.record(success(claimed.id, call, sent));
          await one.closeRun(runId);
          return sent;
        };
        await groupsSent(ann.groups);
        assert.deepEqual(await groupsSent(['C'], parts), ['C', 'A', 'B']);
        assert.deepEqual(await groupsSent(['C'], parts), [], 'it says nothing new');
        assert.deepEqual(await groupsSent(['C']), ['C']);
        assert.deepEqual(await groupsSent(['C'], parts), []);
      });

      test(`with forceSync ${what} takes who comes back out of the group of leavers`, async () => {
        const of = { service: unique('service'), settings: { forceSync: true } };
        await deliverAll(one, await releasePeople(one, { ...of, people: [ann, bob] }));
        const policy = { group: 'Leavers', forceSync: true, after: 1 };
        const departures = { isSnapshot: true, spared: [], policy };
        await deliverAll(one, await releasePeople(one, { ...of, people: [bob], departures }));
        const people = [{ ...ann, groups: ['C'] }];
        const runId = await releasePeople(one, { ...of, people, ...parts });
        assert.deepEqual(groupsOf((await takeAndClaim(one, runId))?.member), ['C']);
      });
    }
  });
}
