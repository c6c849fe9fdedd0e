import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { FeedPosition } from '../../src/ledger/moves/feed.ts';
import { type Home, homes } from './homes.ts';
import {
  claimAndBegin,
  deliverAll,
  ending,
  person,
  planPeople,
  releasePeople,
  success,
  takeAndClaim,
  unique,
} from './plans.ts';

const [ann, bob, eve] = [person('ann', 'A', 'B'), person('bob', 'A'), person('eve', 'A')];

for (const { name, skip, open } of homes) {
  suite(`releasing and claiming in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let one: Ledger;
    let two: Ledger;
    before(async () => {
      home = await open();
      one = await home.ledger('one');
      two = await home.ledger('two');
    });
    after(() => home.close());

    test('a released run delivers, each person once, also when it is released twice', async () => {
      const { runId } = await planPeople(one, { people: [ann, bob], service: unique('service') });
      assert.deepEqual(await one.findDue(runId, { limit: 10 }), []);
      assert.deepEqual(await one.releaseRun(runId, false), { due: 2, held: 0, closed: [] });
      assert.deepEqual(await two.releaseRun(runId, false), { due: 0, held: 0, closed: [] });
      assert.equal((await one.findRuns(runId))[0]?.status, 'delivering');
      const fed = await one.findDue(runId, { limit: 10 });
      assert.deepEqual(
        fed.map(({ feeds }) => feeds),
        [0, 0],
      );
      assert.deepEqual(await two.findDue(runId, { limit: 10, after: fed[0]?.position ?? undefined }), fed.slice(1));
      assert.deepEqual(await two.findDue(runId, { limit: 10, after: fed[1]?.position ?? undefined }), []);
      assert.deepEqual(await one.claim(fed[0] ?? { id: 0, feeds: 0 }), {
        id: fed[0]?.id,
        runId,
        attempts: 0,
        repeated: false,
        settings: (await one.findRuns(runId))[0]?.settings,
        member: ann,
      });
      assert.deepEqual(await two.findDue(runId, { limit: 10 }), fed.slice(1), 'what is in a hand is not fed');
    });

    test('what is due is found a piece at a time, in the order of the plan, each once', async () => {
      const people = Array.from({ length: 25 }, (_, at) => person(`person${at}`, 'A'));
      const runId = await releasePeople(one, { people, service: unique('service') });
      const found: number[] = [];
      for (let after: FeedPosition | undefined; ;) {
        const some = await two.findDue(runId, { after, limit: 10 });
        found.push(...some.map(({ id }) => id));
        if (some.length < 10) break;
        after = some.at(-1)?.position ?? undefined;
      }
      const { rows } = await home.pool.query<{ id: number }>(
        'select id from deliveries where run_id = $1 order by id',
        [runId],
      );
      assert.deepEqual(
        found,
        rows.map(({ id }) => id),
      );
      assert.equal(await two.countFed(runId, { stage: 0, at: 'infinity', id: 0 }), 25);
    });

    test('a whole newer roster of a source supersedes what an older run has not sent, but no call in flight', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann, bob, eve], service });
      const stranger = await releasePeople(one, { people: [eve], service, source: 'other' });
      const called = await takeAndClaim(one, older);
      const call = await one.begin(called?.id ?? 0);
      const claimed = await takeAndClaim(one, older);
      await one.moveRun(older, 'pause');
      const newer = await releasePeople(one, { people: [bob], service });
      assert.deepEqual(await one.countOutcomes(older), { superseded: 2 });
      assert.deepEqual(await one.countOutcomes(stranger), {});
      // Whoever had claimed one of them finds out in time, and the lane is free.
      assert.equal(await one.begin(claimed?.id ?? 0), undefined);
      await one.handBack({ id: claimed?.id ?? 0, waitMs: 0 });
      assert.ok(await takeAndClaim(two, newer));
      await one.record(success(called?.id ?? 0, call ?? 0));
      assert.deepEqual(await one.countOutcomes(older), { superseded: 2, succeeded: 1 });
    });

    test('what comes back to an overtaken run later is superseded at once', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann], service });
      const called = await takeAndClaim(one, older);
      await one.begin(called?.id ?? 0);
      await one.moveRun(older, 'pause');
      await releasePeople(one, { people: [ann], service });
      assert.deepEqual(await one.countOutcomes(older), {});
      await one.handBack({ id: called?.id ?? 0, waitMs: 0 });
      assert.deepEqual(await one.countOutcomes(older), { superseded: 1 });
    });

    test('a newer run of only some people supersedes theirs alone', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann, bob, eve], service });
      await one.moveRun(older, 'pause');
      await releasePeople(one, { people: [bob], service, partial: true });
      assert.deepEqual(await one.countOutcomes(older), { superseded: 1 });
    });

    test('a run that goes on is first rid of what a newer roster has overtaken', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann, bob], service });
      await deliverAll(one, older, (id, call) => ending(id, call, 'failed'));
      await one.closeRun(older);
      const newer = await releasePeople(one, { people: [ann], service, partial: true });
      await deliverAll(one, newer);
      await one.closeRun(newer);
      assert.equal(await one.continueRun(older, { move: 'retry' }), 1);
      assert.deepEqual(await one.countOutcomes(older), { superseded: 1 });
      await one.moveRun(older, 'pause');
      assert.equal(await one.continueRun(older, { move: 'resume' }), 0);
      assert.deepEqual(await one.countOutcomes(older), { superseded: 1 });
    });

    test('failures all of which a newer roster has overtaken stay failures: of other people, it says nothing about these', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann, bob], service });
      await deliverAll(one, older, (id, call) => ending(id, call, 'failed'));
      await one.closeRun(older);
      await deliverAll(one, await releasePeople(one, { people: [eve], service }));
      await assert.rejects(one.continueRun(older, { move: 'retry' }), /a newer roster replaces its 2 failures/);
      assert.deepEqual(await one.countOutcomes(older), { failed: 2 });
      assert.equal((await one.findRuns(older))[0]?.status, 'finished-with-failures');
    });

    test('R13: what events began is rid of what a newer roster has, released while it was planned', async () => {
      const service = unique('service');
      const events = { service, beside: true };
      const before = await planPeople(one, { ...events, people: [ann, bob], time: '2026-01-01T00:00:00.000Z' });
      const after = await planPeople(one, { ...events, people: [ann, eve], time: '2026-01-03T00:00:00.000Z' });
      await releasePeople(one, { people: [ann], service, time: '2026-01-02T00:00:00.000Z' });
      await one.releaseRun(before.runId, false);
      assert.deepEqual(await one.countOutcomes(before.runId), { superseded: 2 });
      await one.releaseRun(after.runId, false);
      assert.deepEqual(await one.countOutcomes(after.runId), {});
    });

    test('R3: of two runs with the same person only one is claimed, and the other is due again, not lost', async () => {
      const service = unique('service');
      const runs = [
        await releasePeople(one, { people: [ann], service }),
        await releasePeople(one, { people: [ann], service, source: 'other' }),
      ];
      const fed = await Promise.all(runs.map((runId) => one.findDue(runId, { limit: 1 })));
      const [first, second] = await Promise.all(fed.flat().map((delivery) => one.claim(delivery)));
      assert.ok(first);
      assert.equal(second, undefined);
      const { rows } = await home.pool.query<{ soon: boolean; feeds: number }>(
        `select due_at <= clock_timestamp() + interval '1 second' and due_at > created_at + interval '1 second' as soon, feeds
         from deliveries d join runs r on r.id = d.run_id where run_id = '${runs[1]}'`,
      );
      assert.deepEqual(rows, [{ soon: true, feeds: 1 }]);
      const call = await one.begin(first.id);
      assert.equal(call, 1);
      await one.record(success(first.id, 1));
      await makeEverythingDue(runs[1]);
      assert.ok(await takeAndClaim(two, runs[1] ?? ''));
    });

    test('R3: of two processes that claim the same people at the same moment, each person is had by one', async () => {
      const service = unique('service');
      const people = Array.from({ length: 40 }, (_, at) => person(`person${at}`, 'A'));
      const runs = [
        await releasePeople(one, { people, service }),
        await releasePeople(one, { people: people.toReversed(), service, source: 'other' }),
      ];
      const fed = await Promise.all(runs.map((runId) => one.findDue(runId, { limit: 40 })));
      const claimed = await Promise.all([
        ...(fed[0] ?? []).map((delivery) => one.claim(delivery)),
        ...(fed[1] ?? []).map((delivery) => two.claim(delivery)),
      ]);
      const had = claimed.flatMap((delivery) => (delivery ? [delivery.member.email] : []));
      assert.deepEqual(had.toSorted(), people.map(({ email }) => email).toSorted());
    });

    test('one delivery that is fed twice is had by one process; the same process may ask twice', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const [fed] = await one.findDue(runId, { limit: 1 });
      assert.ok(fed);
      const claims = await Promise.all([one.claim(fed), two.claim(fed)]);
      assert.equal(claims.filter(Boolean).length, 1);
      const [owner, other] = claims[0] ? [one, two] : [two, one];
      assert.ok(await owner.claim(fed));
      assert.equal(await other.claim(fed), undefined);
    });

    test('a job that is left over from before is not had, and what was fed since stays untouched', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const [old] = await one.findDue(runId, { limit: 1 });
      assert.ok(old);
      assert.ok(await one.claim(old));
      await one.handBack({ id: old.id, waitMs: 0 });
      const [fresh] = await one.findDue(runId, { limit: 1 });
      assert.deepEqual([fresh?.id, fresh?.feeds, fresh?.repeated], [old.id, 1, false]);
      assert.ok(fresh);
      assert.equal(await one.claim(old), undefined);
      assert.ok(await one.claim(fresh));
    });

    test('no call begins once the run is paused or cancelled, or somebody else has the delivery', async () => {
      for (const move of ['pause', 'cancel'] as const) {
        const runId = await releasePeople(one, { people: [ann], service: unique('service') });
        const claimed = await takeAndClaim(one, runId);
        assert.ok(claimed);
        await one.moveRun(runId, move);
        assert.equal(await one.begin(claimed.id), undefined);
        await one.handBack({ id: claimed.id, waitMs: 0 });
        assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
      }
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const claimed = await takeAndClaim(one, runId);
      assert.ok(claimed);
      await two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: 1000, deadAfterMs: 0 });
      assert.equal(await one.begin(claimed.id), undefined);
      assert.ok(await takeAndClaim(two, runId));
      assert.equal(await one.begin(claimed.id), undefined);
    });

    test('what is handed back is due when its wait is over, for anybody', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const first = await takeAndClaim(one, runId);
      await one.handBack({ id: first?.id ?? 0, waitMs: 3_600_000 });
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
      const resume = async (): Promise<void> => {
        await one.moveRun(runId, 'pause');
        assert.equal(await one.continueRun(runId, { move: 'resume' }), 0);
      };
      await resume();
      const second = await takeAndClaim(two, runId);
      await two.handBack({ id: second?.id ?? 0, waitMs: 0 });
      const third = await takeAndClaim(one, runId);
      assert.ok(third);
      // What may still be in flight waits its time out, whoever is in a hurry.
      await home.pool.query('update deliveries set repeated = true where id = $1', [third.id]);
      await one.handBack({ id: third.id, waitMs: 3_600_000 });
      await resume();
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
    });

    test('with forceSync a call carries what other sources gave this person too; without, only its own groups', async () => {
      const service = unique('service');
      await deliverAll(one, await releasePeople(one, { people: [person('ann', 'Other')], service, source: 'other' }));
      const plain = await releasePeople(one, { people: [person('ann', 'Own')], service, source: 'plain' });
      assert.deepEqual((await takeAndClaim(one, plain))?.member.groups, ['Own']);
      await one.moveRun(plain, 'cancel');
      await home.pool.query(`delete from in_hand where run_id = '${plain}'`);
      const people = [person('ann', 'Own')];
      const forced = await releasePeople(one, { people, service, source: 'forced', settings: { forceSync: true } });
      assert.deepEqual((await takeAndClaim(one, forced))?.member.groups, ['Own', 'Other']);
    });

    test('R7: what may have arrived stays so after later calls of which nothing arrived, in that run and in the next', async () => {
      const service = unique('service');
      const of = { service, source: 'lost', people: [person('ann', 'Safety')] };
      const failed = (id: number, call: number) => ending(id, call, 'failed');
      const runId = await releasePeople(one, of);
      await deliverAll(one, runId, (id, call) => ending(id, call, 'unknown'));
      await one.closeRun(runId);
      assert.equal(await one.continueRun(runId, { move: 'retry' }), 0);
      const retried = await takeAndClaim(one, runId);
      assert.equal(retried?.repeated, true);
      await one.handBack({ id: retried?.id ?? 0, waitMs: 0 });
      await deliverAll(one, runId, failed);
      await deliverAll(one, await releasePeople(one, { ...of, people: [person('ann', 'Sales')] }), failed);
      const people = [person('ann', 'Own')];
      const forced = await releasePeople(one, { people, service, source: 'forced', settings: { forceSync: true } });
      assert.deepEqual((await takeAndClaim(one, forced))?.member.groups, ['Own', 'Safety']);
    });

    test('R7: the next run shows who may have been called before as repeated: left unknown, in flight at a cancel, or overtaken in flight', async () => {
      const isRepeated = async (of: { service: string; source: string }): Promise<boolean | undefined> => {
        const runId = await releasePeople(one, { ...of, people: [person('ann', 'Safety', 'Sales')] });
        const claimed = await takeAndClaim(one, runId);
        if (claimed) await one.handBack({ id: claimed.id, waitMs: 0 });
        assert.equal((await one.summariesOf([{ id: runId, status: 'delivering' }])).get(runId)?.repeatedNew, 1);
        return claimed?.repeated;
      };
      const first = async (): Promise<{
        runId: string;
        id: number;
        call: number;
        of: { service: string; source: string };
      }> => {
        const of = { service: unique('service'), source: 'lost' };
        const runId = await releasePeople(one, { ...of, people: [person('ann', 'Safety')] });
        return { runId, of, ...(await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0])) };
      };
      const unclear = await first();
      await one.record(ending(unclear.id, unclear.call, 'unknown'));
      await one.closeRun(unclear.runId);
      assert.equal(await isRepeated({ ...unclear.of, source: 'another' }), true);
      assert.equal(await isRepeated(unclear.of), true);
      for (const move of ['cancel', 'pause'] as const) {
        const lost = await first();
        await one.record({ ...ending(lost.id, lost.call, 'unknown'), end: { waitMs: 60_000 }, repeated: true });
        await one.moveRun(lost.runId, move);
        if (move === 'cancel') assert.equal(await isRepeated({ ...lost.of, source: 'another' }), true);
        assert.equal(await isRepeated(lost.of), true, move);
      }
      const killed = await first();
      await one.moveRun(killed.runId, 'cancel');
      assert.deepEqual((await one.totalsOf(killed.runId)).outcome, { unknown: 1 }, 'its call may have arrived');
      assert.equal((await one.personHistory('ann@example.com')).runs.at(-1)?.outcome, 'unknown');
      const inFlight = await first();
      await one.moveRun(inFlight.runId, 'pause');
      const newer = await releasePeople(one, { ...inFlight.of, people: [person('ann', 'Safety')] });
      await one.record({ ...ending(inFlight.id, inFlight.call, 'unknown'), end: { waitMs: 60_000 }, repeated: true });
      assert.equal((await takeAndClaim(one, newer))?.repeated, true);
    });

    test('R7: who may have been called by a run that ended is sent what the next roster says, though it is what they had', async () => {
      const policy = { group: 'Leavers', after: 1, forceSync: true };
      const departures = { isSnapshot: true, spared: [], policy };
      const lost = (id: number, call: number): Promise<unknown> =>
        one.record({ ...ending(id, call, 'unknown'), end: { waitMs: 60_000 }, repeated: true });
      const killed = (): Promise<unknown> =>
        two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: -1000, deadAfterMs: 0 });
      const ways = [
        { how: 'lost', loses: lost, move: 'cancel' },
        { how: 'lost', loses: lost, move: 'runOutOfTime' },
        { how: 'killed', loses: killed, move: 'cancel' },
        { how: 'in flight', loses: () => Promise.resolve(), move: 'cancel' },
        { how: 'lost and superseded', loses: lost, move: 'pause' },
      ] as const;
      for (const { how, loses, move } of ways) {
        const of = { service: unique('service'), departures };
        await deliverAll(one, await releasePeople(one, { ...of, people: [ann, bob] }));
        await deliverAll(one, await releasePeople(one, { ...of, people: [ann, bob, eve] }));
        await deliverAll(one, await releasePeople(one, { ...of, people: [ann, bob] }));
        // Ann gets another group, Bob is put among the leavers, and Eve comes back from there.
        const runId = await releasePeople(one, { ...of, people: [person('ann', 'Wrong'), eve] });
        for (const fed of await one.findDue(runId, { limit: 3 })) {
          const { id, call } = await claimAndBegin(one, fed);
          await loses(id, call);
        }
        await one.moveRun(runId, move);
        if (how === 'lost and superseded')
          await one.moveRun(await releasePeople(one, { ...of, people: [ann, bob] }), 'cancel');
        const { runId: next, plan } = await planPeople(one, { ...of, people: [ann, bob] });
        const { again, unchanged } = plan.counts;
        assert.deepEqual(
          { how, move, again, unchanged, departed: plan.departures?.sent },
          { how, move, again: 2, unchanged: 0, departed: 1 },
        );
        if (how === 'in flight') continue;
        await one.releaseRun(next, false);
        const forced: boolean[] = [];
        for (const fed of await one.findDue(next, { limit: 3 }))
          forced.push((await one.claim(fed))?.settings.forceSync === true);
        assert.deepEqual(forced, [true, false, true], 'Eve leaves, and Bob may have to leave the group of leavers');
      }
    });

    test('a run ends at its deadline, which counts only its time in delivering', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      await home.pool.query(
        `update runs set delivering_since = clock_timestamp() - interval '40 minutes' where id = '${runId}'`,
      );
      await one.moveRun(runId, 'pause');
      assert.equal(await one.endAtDeadline(runId, 3_600_000), false);
      await one.moveRun(runId, 'resume');
      assert.equal(await one.endAtDeadline(runId, 3_600_000), false);
      assert.equal(await one.endAtDeadline(runId, 30 * 60_000), true);
      const [run] = await one.findRuns(runId);
      assert.equal(run?.status, 'finished-with-failures');
      const unstopped = await releasePeople(one, { people: [ann], service: unique('service') });
      await home.pool.query(
        `update runs set delivering_since = clock_timestamp() - interval '40 minutes' where id = '${unstopped}'`,
      );
      assert.equal(await one.endAtDeadline(unstopped, 30 * 60_000), true);
      const long = await releasePeople(one, { people: [ann], service: unique('service') });
      await home.pool.query(
        `update runs set delivering_since = clock_timestamp() - interval '1000 hours' where id = '${long}'`,
      );
      await one.moveRun(long, 'pause');
      assert.equal(Math.round(((await one.findRuns(long))[0]?.deliveredMs ?? 0) / 3_600_000), 1000);
    });

    test('the clock of a run whose process died stops at its last answer, and starts again when somebody delivers it', async () => {
      const service = unique('service');
      const answered = await releasePeople(one, { people: [ann], service });
      const { id, call } = await claimAndBegin(one, (await one.findDue(answered, { limit: 1 }))[0]);
      await one.record(success(id, call));
      const silent = await releasePeople(one, { people: [ann], service, source: 'silent' });
      const since = `clock_timestamp() - interval '40 minutes'`;
      await home.pool.query(`update runs set delivering_since = ${since} where id in ('${answered}', '${silent}')`);
      await home.pool.query(
        `update receipts set answered_at = ${since} + interval '3 seconds' where run_id = '${answered}'`,
      );
      await two.beginAlone();
      const spent = async (id: string) => {
        const [run] = await one.findRuns(id);
        return [Math.round((run?.deliveredMs ?? 0) / 1000), run?.deliveringSince];
      };
      assert.deepEqual(
        [await spent(answered), await spent(silent)],
        [
          [3, null],
          [0, null],
        ],
      );
      const standing = async () => (await one.deliveringRuns(service)).map(({ stands }) => stands);
      assert.deepEqual(await standing(), [true, true]);
      assert.equal(await one.endAtDeadline(answered, 1), false);
      await one.startClock(answered);
      assert.deepEqual(await standing(), [false, true]);
      assert.equal(await one.endAtDeadline(answered, 30 * 60_000), false);
      await one.moveRun(silent, 'cancel');
      assert.deepEqual(await spent(silent), [0, null]);
    });

    test('a run whose process died longer ago than its deadline does not go on by itself, but what an event told does', async () => {
      const [service, deadlineMs] = [unique('service'), 3_600_000];
      const [old, late] = [
        await releasePeople(one, { people: [ann], service, settings: { deadlineMs } }),
        await releasePeople(one, { people: [ann], service, source: 'late', settings: { deadlineMs } }),
      ];
      const event = await releasePeople(one, {
        people: [bob],
        service,
        source: 'event',
        beside: true,
        settings: { deadlineMs },
      });
      const ago = (minutes: number, ...ids: string[]) =>
        home.pool.query(
          `update runs set state_since = clock_timestamp() - interval '${minutes} minutes' where id in ('${ids.join("','")}')`,
        );
      await ago(61, old, event);
      await ago(59, late);
      assert.deepEqual(await one.standingRuns(service, true), [], 'somebody may deliver them');
      await two.beginAlone();
      assert.deepEqual(await one.standingRuns(service, false), [old]);
      assert.deepEqual(await one.standingRuns(service, true), [old, late, event]);
    });

    test('a run moves only from the states named, and of two that move it one succeeds', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      assert.equal(await one.moveRun(runId, 'retry'), false);
      const stop = { by: 'person', reason: 'because' } as const;
      const moved = await Promise.all([one, two].map((each) => each.moveRun(runId, 'pause', stop)));
      assert.equal(moved.filter(Boolean).length, 1);
      const [run] = await two.findRuns(runId);
      assert.deepEqual([run?.status, run?.statusReason, run?.stoppedBy], ['paused', 'because', 'person']);
    });

    test('the failures of a run are reopened with fresh attempts; what succeeded is not', async () => {
      const service = unique('service');
      const runId = await releasePeople(one, { people: [ann, bob], service });
      const fed = await one.findDue(runId, { limit: 2 });
      const first = await claimAndBegin(one, fed[0]);
      const second = await claimAndBegin(one, fed[1]);
      await one.record(success(first.id, first.call, ann.groups));
      await one.record({ ...ending(second.id, second.call, 'failed'), attempts: 2 });
      assert.equal(await one.isDelivered(runId), true);
      await one.moveRun(runId, 'finishWithFailures');
      assert.equal(await one.continueRun(runId, { move: 'retry' }), 0);
      assert.equal((await one.findDue(runId, { limit: 2 })).length, 1);
      assert.equal(await one.isDelivered(runId), false);
      const again = await takeAndClaim(two, runId);
      assert.deepEqual([again?.id, again?.attempts], [second.id, 0]);
      assert.equal(await two.begin(second.id), 2);
    });

    test('a run that ends says whether anybody failed, in whichever way', async () => {
      const ends: string[] = [];
      for (const outcome of ['succeeded', 'partial', 'failed', 'unknown'] as const) {
        const runId = await releasePeople(one, { people: [ann], service: unique('service') });
        await deliverAll(one, runId, (id, call) => ending(id, call, outcome));
        ends.push((await two.findRuns(runId))[0]?.status ?? '');
      }
      const failed = 'finished-with-failures';
      assert.deepEqual(ends, ['finished', failed, failed, failed]);
    });

    test('runs of events are urgent; those of other services, and those not asked for, are not shown to the feeder', async () => {
      const service = unique('service');
      const first = await releasePeople(one, { people: [ann], service });
      await releasePeople(one, { people: [ann], service: unique('service') });
      assert.deepEqual(
        (await one.deliveringRuns(service)).map(({ id, urgent }) => ({ id, urgent })),
        [{ id: first, urgent: false }],
      );
      assert.deepEqual(await one.deliveringRuns(service, ['other']), []);
      assert.equal((await one.deliveringRuns(service, [first])).length, 1);
    });

    test('one process feeds a service at a time; another one takes over at its farewell, or once its time is over', async () => {
      const [service, other] = [unique('service'), unique('service')];
      const lead = (ledger: Ledger, forMs = 60_000, whose = service): Promise<boolean> =>
        ledger.leadFeeding({ name: `feed ${whose}`, worker: ledger.worker, forMs });
      const first = await Promise.all([lead(one), lead(two)]);
      assert.equal(first.filter(Boolean).length, 1);
      const [leader, follower] = first[0] ? [one, two] : [two, one];
      assert.deepEqual(
        [await lead(leader), await lead(follower), await lead(follower, 60_000, other)],
        [true, false, true],
      );
      await leader.leave(leader.worker);
      assert.equal(await lead(follower, -1), true);
      assert.equal(await lead(leader), true);
      assert.equal(await lead(follower), false);
    });

    test('a clock that is set back by hours costs a minute: neither a lease nor a sign of life from the future counts', async () => {
      const service = unique('service');
      const lead = (ledger: Ledger, forMs: number): Promise<boolean> =>
        ledger.leadFeeding({ name: `feed ${service}`, worker: ledger.worker, forMs });
      assert.deepEqual([await lead(one, 3_600_000), await lead(two, 10_000)], [true, true]);
      const dead = unique('dead');
      await home.pool.query("insert into workers values ($1, now() + interval '1 hour', now() + interval '1 hour')", [
        dead,
      ]);
      await one.beat(one.worker, 10_000);
      const { rows } = await home.pool.query<{ past: boolean }>(
        'select seen_at <= clock_timestamp() and alive_since <= clock_timestamp() as past from workers where id = $1',
        [dead],
      );
      assert.deepEqual(rows, [{ past: true }]);
      await one.leave(dead);
    });

    test('a success is known by its run and the next one of its source; the one after knows only that the service had one', async () => {
      const service = unique('service');
      const runs: string[] = [];
      for (const last of [false, false, true]) {
        const runId = await releasePeople(one, { people: [ann], service, all: true });
        runs.push(runId);
        if (!last) await deliverAll(one, runId, runs.length === 1 ? success : (id, call) => ending(id, call, 'failed'));
      }
      const other = await releasePeople(one, { people: [ann], service: unique('service'), all: true });
      assert.deepEqual(await Promise.all([...runs, other].map((runId) => two.acceptedBefore(runId))), [
        ...['run', 'run', 'service', 'nothing'],
      ]);
    });

    async function makeEverythingDue(runId: string | undefined): Promise<void> {
      await home.pool.query(`update deliveries set due_at = clock_timestamp() where run_id = '${runId}'`);
    }

    test('an answer and everything that follows from it are written at once or not at all', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const claimed = await takeAndClaim(one, runId);
      const id = claimed?.id ?? 0;
      const call = await one.begin(id);
      // What no database can store as a whole number.
      await assert.rejects(one.record({ ...success(id, call ?? 0), attempts: 0.5 }));
      const { rows } = await home.pool.query(
        `select state, calls, (select count(*) from receipts where run_id = '${runId}') as receipts,
          (select worker from in_hand where delivery_id = ${id}) as by from deliveries where id = ${id}`,
      );
      assert.deepEqual(rows, [{ state: 'due', calls: 0, receipts: 0, by: 'one' }]);
    });
  });
}
