import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { BusyError, InputError } from '../../src/core/errors.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { IdentityDecision } from '../../src/core/rows/row.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import {
  claimAndBegin,
  decideMove,
  deliverAll,
  ending,
  onlyChanges,
  person,
  planPeople,
  type PlanOptions,
  releasePeople,
  success,
  unique,
} from './plans.ts';

const ann = person('ann', 'Sales');
const bob = person('bob', 'Sales', 'Executives');
const cid = person('cid', 'Brand');
const whole: Trip = { guard: 'shrink', scope: 'all', message: 'half of it is gone' };
const executives: Trip = { guard: 'newGroups', scope: { groups: ['Executives'] }, message: 'a new group' };
const approval = { by: 'eve@laptop', note: 'looked at it', hash: 'abc', scope: {} };

for (const { name, skip, open } of homes) {
  suite(`holds in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let one: Ledger;
    let two: Ledger;
    before(async () => {
      home = await open();
      one = await home.ledger('one');
      two = await home.ledger('two');
    });
    after(() => home.close());

    async function hold(options: Omit<PlanOptions, 'people'> & { people?: PlanOptions['people']; trips: Trip[] }) {
      const { runId } = await planPeople(one, { people: [ann, bob, cid], ...options });
      return { runId, ...(await one.releaseRun(runId, false, options.trips)) };
    }
    const statusOf = async (runId: string) => (await one.findRuns(runId))[0]?.status;
    const reasonOf = async (runId: string) => (await one.findRuns(runId))[0]?.statusReason;
    const due = async (runId: string): Promise<number> => (await one.findDue(runId, { limit: 100 })).length;

    test('a guard of the whole file holds everything: nothing is due, and the run says why', async () => {
      const { runId, ...released } = await hold({ service: unique('service'), trips: [whole] });
      assert.deepEqual(released, { due: 0, held: 3, closed: [] });
      const [run] = await one.findRuns(runId);
      assert.deepEqual([run?.status, run?.statusReason], ['held', '3 deliveries wait for an approval']);
      assert.deepEqual([run?.trips, run?.releasedAt, run?.heldAt instanceof Date], [[whole], null, true]);
      assert.equal(await due(runId), 0);
    });

    test('a guard of a group, an action or people holds only those; the rest is due', async () => {
      const scopes: [Trip['scope'], number][] = [
        [{ groups: ['Executives'] }, 1],
        [{ actions: ['new'] }, 3],
        [{ people: ['ann@example.com', 'cid@example.com'] }, 2],
        [{ groups: ['Nobody is in it'] }, 0],
      ];
      for (const [scope, held] of scopes) {
        const trips = [{ ...executives, scope }];
        const service = unique('service');
        const { runId } = await planPeople(one, { people: [ann, bob, cid], service });
        assert.equal(await one.countStopped(runId, { all: false, trips }), held);
        const released = await one.releaseRun(runId, false, trips);
        assert.deepEqual([released.due, released.held], [held === 3 ? 0 : 3 - held, held]);
        assert.equal(await statusOf(runId), held === 3 ? 'held' : 'delivering');
        assert.equal((await one.findRuns(runId))[0]?.heldAt !== null, held > 0);
      }
    });

    test('a deadline leaves a run held of which guards stop something; an approval sends the rest too, with the whole of a deadline', async () => {
      const service = unique('service');
      const { runId } = await hold({ service, trips: [executives] });
      const goOnFor = (minutes: number) =>
        home.pool.query(
          `update runs set delivering_since = delivering_since - interval '${minutes} minutes' where id = '${runId}'`,
        );
      await goOnFor(40);
      await home.pool.query(`update runs set held_at = held_at - interval '71 hours' where id = '${runId}'`);
      assert.equal(await one.endAtDeadline(runId, 30 * 60_000), true);
      // It is told as a hold of its own, and may be decided for as long.
      const [{ heldAt } = {}] = await one.findRuns(runId);
      assert.ok(heldAt && Date.now() - heldAt.getTime() < 3_600_000, String(heldAt));
      assert.equal(await reasonOf(runId), 'its deadline has passed; `approve` sends what is left');
      assert.deepEqual([await statusOf(runId), await due(runId), await one.countHeld(runId)], ['held', 0, 3]);
      const few = one.approveHeld(runId, { ...approval, scope: { exceptGroups: ['Brand'] } });
      await assert.rejects(few, /its deadline passed before others were sent/);
      assert.equal((await one.approveHeld(runId, approval))?.released, 3);
      assert.deepEqual([await statusOf(runId), await due(runId)], ['delivering', 3]);
      await goOnFor(20);
      assert.equal(await one.endAtDeadline(runId, 30 * 60_000), false);
      await goOnFor(20);
      assert.equal(await one.endAtDeadline(runId, 30 * 60_000), true);
      assert.equal(await statusOf(runId), 'finished-with-failures');
    });

    test('an approval while the rest is delivered has the whole of a deadline too', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [executives] });
      const since = `delivering_since - interval '40 minutes'`;
      await home.pool.query(`update runs set delivering_since = ${since} where id = '${runId}'`);
      await one.approveHeld(runId, approval);
      assert.equal(await one.endAtDeadline(runId, 30 * 60_000), false);
      assert.equal(await statusOf(runId), 'delivering');
    });

    test('a run is delivered although something of it is held, and does not count as delivered to the held ones', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [executives] });
      assert.equal(await one.isDelivered(runId), false);
      await deliverAll(one, runId);
      assert.deepEqual([await one.isDelivered(runId), await one.countHeld(runId)], [true, 1]);
    });

    test('of those who are held, how many are in none of some groups is told', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [whole] });
      const counts = await Promise.all(
        [[], ['Executives'], ['Executives', 'Brand'], ['Sales', 'Brand']].map((groups) => one.countHeld(runId, groups)),
      );
      assert.deepEqual(counts, [3, 2, 1, 0]);
    });

    test('an approval makes due what is held, is kept with who, when and why, and the run delivers', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [whole] });
      assert.deepEqual(await two.approveHeld(runId, approval), { released: 3, superseded: 0, stillHeld: 0 });
      assert.deepEqual([await statusOf(runId), await due(runId)], ['delivering', 3]);
      const [given] = await one.approvalsOf(runId);
      assert.ok(given?.at instanceof Date);
      assert.deepEqual({ ...given, at: undefined }, { ...approval, at: undefined });
      assert.notEqual((await one.findRuns(runId))[0]?.releasedAt, null);
      assert.equal(await one.approveHeld(runId, { ...approval, by: 'late@desk' }), undefined, 'it was decided');
      assert.equal((await one.approvalsOf(runId)).length, 1, 'who came too late is not in the record');
      const lost = await one.approveHeld(runId, approval);
      assert.deepEqual(lost, { released: 0, superseded: 0, stillHeld: 0 }, 'asked again after a lost answer');
      assert.equal(await one.approveHeld(runId, { ...approval, note: 'another reason' }), undefined);
    });

    test('an older hold stays while somebody is asked whether it may be replaced, and is closed by their yes', async () => {
      const service = unique('service');
      const older = await hold({ service, trips: [whole] });
      const asked: Trip = { guard: 'replaced', scope: 'all', message: 'would replace it' };
      const newer = await hold({ service, people: [ann], trips: [asked] });
      assert.deepEqual([newer.closed, await statusOf(older.runId)], [[], 'held']);
      await one.approveHeld(newer.runId, approval);
      assert.deepEqual([await statusOf(older.runId), await statusOf(newer.runId)], ['cancelled', 'delivering']);
      assert.equal(await reasonOf(older.runId), `replaced by run ${newer.runId}`);
    });

    test('a file that somebody looks at takes the place of their own one only; nobody else’s is closed, nor a hold of a night', async () => {
      const service = unique('service');
      const brought: Trip = { guard: 'brought', scope: 'all', message: 'brought' };
      const of = { service, trigger: 'api' as const, trips: [brought] };
      const night = await hold({ service, people: [bob, cid], trips: [whole] });
      const first = await hold({ ...of, people: [ann], begunBy: 'ann@pages' });
      const other = await hold({ ...of, people: [bob], begunBy: 'bo@pages' });
      const again = await hold({ ...of, people: [ann, cid], begunBy: 'ann@pages' });
      assert.deepEqual([first.closed, other.closed, again.closed], [[], [], [first.runId]]);
      const later = await hold({ service, people: [bob, cid], trips: [whole] });
      assert.deepEqual(later.closed, [night.runId]);
      await one.approveHeld(again.runId, approval);
      assert.deepEqual([await statusOf(other.runId), await statusOf(later.runId)], ['held', 'held'], 'older and newer');
    });

    test('a file that somebody brought is not sent once a newer roster of its source was', async () => {
      const service = unique('service');
      const trips: Trip[] = [{ guard: 'brought', scope: 'all', message: 'brought' }];
      const old = await hold({ service, trigger: 'api', trips, people: [ann], begunBy: 'ann@pages' });
      const newer = await releasePeople(one, { service, people: [bob], time: '2026-01-02T00:00:00.000Z' });
      assert.equal(await statusOf(old.runId), 'held');
      await assert.rejects(one.approveHeld(old.runId, approval), new RegExp(`Run ${newer}, of a newer roster`));
    });

    test('a file that somebody brought and that would send nothing ends, and counts as no roster', async () => {
      const of = { service: unique('service'), departures: { isSnapshot: true, spared: [] } };
      const given = await releasePeople(one, { ...of, people: [ann, bob] });
      await deliverAll(one, given);
      const night = await hold({ ...of, people: [ann, cid], trips: [whole] });
      const brought: Trip = { guard: 'brought', scope: 'all', message: 'brought' };
      const looked = { trigger: 'api' as const, begunBy: 'ann@pages', time: '2026-06-01T00:00:00.000Z' };
      const own = await hold({ ...of, ...looked, people: [ann, bob, cid], trips: [brought] });
      const look = await hold({ ...of, ...looked, people: [ann, bob], trips: [brought] });
      assert.equal(await statusOf(own.runId), 'held', 'what else they brought');
      assert.deepEqual([look.held, look.closed, await statusOf(look.runId)], [0, [], 'finished']);
      assert.equal(await statusOf(night.runId), 'held');
      assert.equal(
        await one.announceRuns([{ channel: 'webhook', events: ['finished'] }], look.runId),
        0,
        'a heartbeat, say',
      );
      const meant = await one.listRuns(1000, { isMeant: true });
      assert.ok(!meant.some(({ id }) => id === look.runId), 'it hides no failed night');
      const { newest } = await one.releasedRosters({ service: of.service, source: 'staff', checksum: '' });
      assert.equal(newest?.runId, given, 'it makes no file of a night the older one');
      const missing = 'select person_key from people where service = $1 and missing_runs > 0';
      assert.deepEqual((await home.pool.query(missing, [of.service])).rows, []);
      for (const more of [
        { people: [ann], trips: [brought] },
        { people: [ann, bob], trips: [brought, whole] },
      ]) {
        const asked = await hold({ ...of, ...looked, ...more });
        assert.deepEqual([asked.held, await statusOf(asked.runId)], [0, 'held'], 'Bob is missing, or a guard asks');
      }
    });

    test('an older roster, brought late, closes no hold of a newer one', async () => {
      const service = unique('service');
      const newer = await hold({ service, trips: [whole] });
      const late = await hold({ service, people: [ann], trips: [{ guard: 'time', scope: 'all', message: 'older' }] });
      assert.deepEqual([late.closed, await statusOf(newer.runId)], [[], 'held']);
    });

    test('what an event says about somebody is not sent once a roster has given them only that', async () => {
      const of = { service: unique('service'), settings: { forceSync: true } };
      await deliverAll(one, await releasePeople(one, { ...of, people: [ann] }));
      const people = [{ ...ann, groups: ['Brand'] }];
      const event = { ...onlyChanges, beside: true, trigger: 'event', time: '2026-01-03T00:00:00.000Z' } as const;
      const { runId } = await hold({ ...of, ...event, people, trips: [whole] });
      await deliverAll(one, await releasePeople(one, { ...of, people, time: '2026-01-02T00:00:00.000Z' }));
      assert.deepEqual(await one.approveHeld(runId, approval), { released: 0, superseded: 1, stillHeld: 0 });
    });

    test('a run does not end over what is approved at that moment', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [executives] });
      const { id, call } = await claimAndBegin(one, (await one.findDue(runId, { limit: 1 }))[0]);
      assert.equal(await one.closeRun(runId), false, 'one is due, one is called');
      await one.record(success(id, call));
      for (const fed of await one.findDue(runId, { limit: 100 })) {
        const begun = await claimAndBegin(one, fed);
        await one.record(success(begun.id, begun.call));
      }
      assert.equal(await one.isDelivered(runId), true);
      const [approved] = await Promise.all([two.approveHeld(runId, approval), one.closeRun(runId)]);
      assert.deepEqual(approved, { released: 1, superseded: 0, stillHeld: 0 });
      assert.equal(await one.closeRun(runId), false);
      assert.deepEqual([await statusOf(runId), await due(runId)], ['delivering', 1]);
    });

    test('a run of which only one person is held is held once the others are sent', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [executives] });
      for (const fed of await one.findDue(runId, { limit: 100 })) {
        const begun = await claimAndBegin(one, fed);
        await one.record(success(begun.id, begun.call));
      }
      assert.equal(await one.closeRun(runId), true);
      assert.equal(await statusOf(runId), 'held');
    });

    test('an approval of a part leaves the rest held; one that fits nothing is refused and not kept', async () => {
      const service = unique('service');
      const { runId } = await hold({ service, trips: [whole] });
      const part = { ...approval, scope: { exceptGroups: ['Executives'] } };
      assert.deepEqual(await one.approveHeld(runId, part), { released: 2, superseded: 0, stillHeld: 1 });
      await assert.rejects(one.approveHeld(runId, { ...approval, scope: { only: ['changed'] } }), InputError);
      const nobody = one.approveHeld(runId, { ...approval, scope: { exceptGroups: ['Nobody', 'Executives'] } });
      await assert.rejects(nobody, /is in the group "Nobody", so there is nobody to leave out/);
      assert.equal((await one.approvalsOf(runId)).length, 1);
      const repeated = await two.approveHeld(runId, { ...part, by: 'bob@laptop', note: 'again' });
      assert.deepEqual(
        { ...repeated, already: repeated?.already?.by },
        { released: 0, superseded: 0, stillHeld: 1, already: approval.by },
      );
      assert.deepEqual(await one.approvedBefore(runId, part.scope), repeated);
      assert.equal(await one.approvedBefore(runId, { exceptGroups: ['Sales'] }), undefined);
      assert.equal((await one.approvalsOf(runId)).length, 1, 'no second approval is recorded');
      assert.deepEqual(await one.approveHeld(runId, { ...approval, scope: { only: ['new'] } }), {
        released: 1,
        superseded: 0,
        stillHeld: 0,
      });
    });

    test('a group that an approval leaves out is neither given nor taken away', async () => {
      const service = unique('service');
      const forced = { forceSync: true };
      await deliverAll(one, await releasePeople(one, { service, people: [ann, bob], settings: forced }));
      const loses = { ...bob, groups: ['Sales', 'Brand'] };
      const people = [{ ...ann, groups: ['Brand'] }, loses];
      const { runId } = await hold({ service, people, settings: forced, trips: [whole] });
      assert.equal(await one.countHeld(runId, ['Executives']), 1);
      const part = { ...approval, scope: { exceptGroups: ['Executives'] } };
      assert.deepEqual(await one.approveHeld(runId, part), { released: 1, superseded: 0, stillHeld: 1 });
      await deliverAll(one, runId);
      const known = await one.removalsOf({ runId, service, source: 'staff' });
      assert.deepEqual(known, { people: 1, memberships: 1 }, 'what is held would still take bob out of Executives');
    });

    test('what one of several reasons stops is left out, and told beforehand; so is whoever another one stops too', async () => {
      const { runId } = await hold({
        service: unique('service'),
        trips: [executives, { ...whole, scope: { actions: ['new'] } }],
      });
      const held = { people: 3, fresh: 3 };
      assert.deepEqual(await one.heldByReason(runId), [{ people: 1, fresh: 1 }, held]);
      assert.deepEqual(await one.countHeldPart(runId, {}), held);
      assert.equal(await one.countSetFree(runId), 0);
      assert.deepEqual(await one.countHeldPart(runId, { exceptReasons: [1] }), { people: 2, fresh: 2 });
      assert.deepEqual(await one.countHeldPart(runId, { exceptReasons: [2] }), { people: 0, fresh: 0 });
      for (const reason of [0, 3, 1.5]) {
        const unknown = one.approveHeld(runId, { ...approval, scope: { exceptReasons: [reason] } });
        await assert.rejects(unknown, new RegExp(`held for 2 reasons: there is no reason ${reason} to leave out`));
      }
      const none = one.approveHeld(runId, { ...approval, scope: { exceptReasons: [2] } });
      await assert.rejects(none, /Nothing that run .* holds matches this approval: 3 deliveries stay held/);
      const part = { ...approval, scope: { exceptReasons: [1] } };
      assert.deepEqual(await one.approveHeld(runId, part), { released: 2, superseded: 0, stillHeld: 1 });
      assert.equal((await two.approveHeld(runId, part))?.already?.by, approval.by);
      assert.equal(await two.countSetFree(runId), 2);
      assert.deepEqual(await one.heldByReason(runId), [
        { people: 1, fresh: 1 },
        { people: 1, fresh: 1 },
      ]);
    });

    test('who had no call that succeeded may still be invited, and counts as new in what a run holds', async () => {
      const service = unique('service');
      const first = await releasePeople(one, { people: [ann, bob], service });
      await deliverAll(one, first, (id, call) => ending(id, call, 'failed'));
      const { runId } = await hold({ service, trips: [whole] });
      assert.equal((await one.findRuns(runId))[0]?.plan?.possibleInvitations, 3);
      assert.deepEqual(await one.countHeldPart(runId, {}), { people: 3, fresh: 3 });
    });

    test('R13: an older roster that is approved after a newer event does not undo it, though its run began later', async () => {
      const service = unique('service');
      const at = (hour: string): string => `2026-01-03T${hour}:00:00.000Z`;
      const told = { service, people: [ann], trigger: 'event' as const, beside: true, time: at('12'), trips: [whole] };
      const event = await hold(told);
      const { runId } = await hold({ service, people: [person('ann', 'Brand'), bob], time: at('01'), trips: [whole] });
      assert.equal((await one.approveHeld(event.runId, approval))?.released, 1);
      await deliverAll(one, event.runId);
      assert.equal((await one.approveHeld(runId, approval))?.released, 1, 'bob alone');
      const people = await one.peopleOfRun({ runId, service, source: 'staff' }, {}, { limit: 10 });
      assert.deepEqual(
        people.map(({ key, outcome }) => [key, outcome]),
        [
          ['ann@example.com', 'superseded'],
          ['bob@example.com', null],
        ],
      );
    });

    test('a run that is held whole and sends nobody stays held when somebody else of its source is sent', async () => {
      const service = unique('service');
      const { runId } = await hold({ service, people: [], trips: [whole] });
      const event = await releasePeople(one, { service, people: [ann], trigger: 'event', beside: true });
      await deliverAll(one, event);
      assert.equal(await statusOf(runId), 'held');
      await hold({ service, trips: [whole] });
      assert.equal(await statusOf(runId), 'cancelled', 'a newer roster takes its place');
    });

    test('R13: an event whose call failed, or that was cancelled, keeps nobody out of an older roster that is read then', async () => {
      for (const how of ['failed', 'cancelled'] as const) {
        const service = unique('service');
        const at = (hour: string): string => `2026-01-03T${hour}:00:00.000Z`;
        const told = { service, people: [ann], trigger: 'event' as const, beside: true, time: at('12') };
        const event = await releasePeople(one, told);
        if (how === 'failed') await deliverAll(one, event, (id, call) => ending(id, call, 'failed'));
        else await one.moveRun(event, 'cancel');
        const later = { service, people: [person('ann', 'Brand')], time: at('02') };
        assert.equal(await due(await releasePeople(one, later)), 1, how);
      }
    });

    test('of what is approved, what a newer roster or an event has overtaken, or gave meanwhile, is not sent', async () => {
      const service = unique('service');
      const { runId } = await hold({ service, trips: [whole] });
      const event = await releasePeople(one, {
        people: [person('ann', 'Brand')],
        service,
        partial: true,
        trigger: 'event',
      });
      await deliverAll(one, event);
      assert.equal(await statusOf(runId), 'held');
      assert.deepEqual(await one.approveHeld(runId, approval), { released: 2, superseded: 1, stillHeld: 0 });
    });

    test('a newer roster that is held or delivered closes an older hold; one of some people only does not', async () => {
      const service = unique('service');
      const first = await hold({ service, trips: [whole] });
      await hold({ service, people: [ann], partial: true, trips: [whole] });
      assert.equal(await statusOf(first.runId), 'held');
      const second = await hold({ service, trips: [whole] });
      assert.ok(second.closed.includes(first.runId));
      assert.deepEqual(
        [await statusOf(first.runId), await reasonOf(first.runId)],
        ['cancelled', `replaced by run ${second.runId}`],
      );
      const third = await hold({ service, trips: [] });
      assert.deepEqual(third.closed, [second.runId]);
      assert.equal((await one.findRuns(third.runId))[0]?.heldAt, null);
      assert.equal(await one.approveHeld(second.runId, approval), undefined);
    });

    test('a hold is the same only with the same bytes, calls and counts', async () => {
      const service = unique('service');
      const describe = async (departed: number): Promise<string> => {
        const { runId, plan } = await planPeople(one, { service, people: [ann, bob, cid], checksum: 'abc' });
        await one.describePlan(runId, { ...plan, hash: 'abc', counts: { ...plan.counts, departed } });
        return runId;
      };
      const first = await describe(0);
      await one.releaseRun(first, false, [whole]);
      const like = async (departed: number): Promise<string[]> => {
        const runId = await describe(departed);
        const found = await one.likeHolds(runId);
        await one.discardRun(runId);
        return found.map(({ id }) => id);
      };
      assert.deepEqual([await like(0), await like(1)], [[first], []]);
    });

    test('a newer roster closes no hold of another source', async () => {
      const service = unique('service');
      const other = await hold({ service, source: 'contractors', trips: [whole] });
      await releasePeople(one, { service, people: [ann] });
      assert.equal(await statusOf(other.runId), 'held');
    });

    test('R13: a roster closes no hold of what an event told after its time', async () => {
      const service = unique('service');
      const at = (hour: string): string => `2026-11-20T${hour}:00:00.000Z`;
      const people = [person('dan', 'Sales')];
      const told = { service, people, trigger: 'event' as const, beside: true, time: at('12'), trips: [whole] };
      const event = await hold(told);
      const roster = await hold({ service, time: at('06'), trips: [whole] });
      assert.deepEqual([roster.closed, await statusOf(event.runId)], [[], 'held']);
      assert.deepEqual(await one.approveHeld(event.runId, approval), { released: 1, superseded: 0, stillHeld: 0 });
      const second = await hold(told);
      const later = await hold({ service, time: at('18'), trips: [whole] });
      assert.ok(later.closed.includes(second.runId));
    });

    test('a held roster overtakes nothing before it is approved, and what older runs have not sent then', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann, bob, cid], service });
      await one.moveRun(older, 'pause');
      const { runId } = await hold({ service, trips: [whole] });
      assert.deepEqual(await one.countOutcomes(older), {});
      await one.approveHeld(runId, approval);
      assert.deepEqual(await one.countOutcomes(older), { superseded: 3 });
    });

    test('what guards hold of an older run that is paused goes when a newer roster is held', async () => {
      const service = unique('service');
      const older = await hold({ service, trips: [{ guard: 'group', scope: { groups: ['Sales'] }, message: '' }] });
      await one.moveRun(older.runId, 'pause');
      const held = await one.countHeld(older.runId);
      await hold({ service, trips: [whole] });
      assert.deepEqual([held > 0, await one.countOutcomes(older.runId)], [true, { superseded: held }]);
    });

    test('of what is held, what an older run gave to the letter since the plan is not sent again', async () => {
      const service = unique('service');
      const older = await releasePeople(one, { people: [ann, { ...bob, firstname: 'Robert' }], service });
      await one.moveRun(older, 'pause');
      const { runId } = await hold({ service, trips: [whole] });
      await one.continueRun(older, { move: 'resume' });
      await deliverAll(one, older);
      assert.deepEqual(await one.approveHeld(runId, approval), { released: 2, superseded: 1, stillHeld: 0 });
    });

    suite('whom an approval left out', () => {
      const ids = { bob: '7' };
      const source = 'staff';
      /** A run of which bob was left out, and everybody else was sent. */
      async function leaveOut(service: string): Promise<string> {
        const { runId } = await hold({ service, ids, trips: [whole] });
        await one.approveHeld(runId, { ...approval, scope: { exceptGroups: ['Executives'] } });
        return runId;
      }
      /** Who would be held for it in a roster with bob at this address. */
      async function leftOut(service: string, email = bob.email, known: PlanOptions['ids'] = ids): Promise<string[]> {
        const { runId } = await planPeople(one, { service, people: [ann, { ...bob, email }, cid], ids: known });
        const keys = await one.withheldOf({ runId, service, source }, 10);
        await one.discardRun(runId);
        return keys;
      }

      test('stays left out at another address, by the employee id or where the address was renamed at the service', async () => {
        const service = unique('service');
        await deliverAll(one, await releasePeople(one, { service, people: [bob], source: 'other' }));
        const runId = await leaveOut(service);
        await deliverAll(one, runId);
        assert.deepEqual(await leftOut(service), [bob.email]);
        assert.deepEqual(await leftOut(service, 'bo@example.com'), ['bo@example.com']);
        assert.deepEqual(await leftOut(service, 'bo@example.com', {}), []);
        for (const [oldKey, newKey] of [
          [bob.email, 'rob@example.com'],
          ['rob@example.com', 'bo@example.com'],
        ] as const)
          await decideMove(one, { service, oldKey, newKey, decision: 'renamed-there' });
        assert.deepEqual(await one.countOutcomes(runId), { succeeded: 2, superseded: 1 });
        assert.deepEqual(await leftOut(service, 'bo@example.com', {}), ['bo@example.com']);
      });

      test('stays left out though an earlier run has sent them', async () => {
        const service = unique('service');
        const before = { service, ids, people: [{ ...bob, groups: ['Sales'] }] };
        await deliverAll(one, await releasePeople(one, before));
        await deliverAll(one, await leaveOut(service));
        assert.deepEqual(await leftOut(service), [bob.email]);
      });

      test('includes who waits in an open hold, where only some people were asked for', async () => {
        const service = unique('service');
        await hold({ service, ids, trips: [whole] });
        const toldOf = async (partial: boolean) => {
          const { runId } = await planPeople(one, { service, people: [bob], ids, partial, trigger: 'api' });
          const keys = await one.withheldOf({ runId, service, source }, 10);
          await one.discardRun(runId);
          return keys;
        };
        assert.deepEqual([await toldOf(true), await toldOf(false)], [[bob.email], []]);
      });

      test('stays left out when a newer roster without them closes the hold', async () => {
        const service = unique('service');
        const runId = await leaveOut(service);
        await one.moveRun(runId, 'pause');
        await hold({ service, people: [ann, cid], trips: [whole] });
        assert.equal((await one.countOutcomes(runId)).superseded, 1);
        assert.deepEqual(await leftOut(service), [bob.email]);
      });

      test('stays left out when an event lets go of them; whom one let go before the approval, it did not leave out', async () => {
        const [after, before] = [unique('service'), unique('service')];
        const run = await leaveOut(after);
        await one.letGo([{ run, employee: '7' }]);
        await deliverAll(one, run);
        assert.deepEqual(await one.countOutcomes(run), { succeeded: 2, superseded: 1 });
        assert.deepEqual(await leftOut(after), [bob.email]);
        const { runId } = await hold({ service: before, ids, trips: [whole] });
        await one.letGo([{ run: runId, employee: '7' }]);
        await one.approveHeld(runId, approval);
        await deliverAll(one, runId);
        assert.deepEqual(await leftOut(before), []);
      });

      test('stays left out when what held them since is approved, and then cancelled before they are sent', async () => {
        const service = unique('service');
        await deliverAll(one, await leaveOut(service));
        const trip: Trip = { guard: 'withheld', scope: { people: [bob.email] }, message: '' };
        const { runId } = await hold({ service, ids, trips: [trip] });
        await one.approveHeld(runId, approval);
        await one.moveRun(runId, 'pause');
        assert.deepEqual(await leftOut(service), []);
        await one.moveRun(runId, 'cancel');
        assert.deepEqual(await leftOut(service), [bob.email]);
      });
    });

    test('an approval waits while another run of its source delivers', async () => {
      const service = unique('service');
      const { runId } = await hold({ service, trips: [whole] });
      await releasePeople(one, { people: [person('dan', 'A')], service, partial: true });
      await assert.rejects(one.approveHeld(runId, approval), BusyError);
      assert.deepEqual([await statusOf(runId), await one.approvalsOf(runId)], ['held', []]);
    });

    test('a hold that nobody decides ends by itself, with the reason; one that is young does not', async () => {
      const { runId } = await hold({ service: unique('service'), trips: [whole] });
      assert.ok(!(await one.expireHolds(3_600_000)).includes(runId));
      assert.ok((await one.expireHolds(0)).includes(runId));
      assert.equal(await statusOf(runId), 'cancelled');
      assert.match((await reasonOf(runId)) ?? '', /^held for 0 hours and not approved; what was held was not sent/);
      assert.equal(await one.approveHeld(runId, approval), undefined);
    });

    test('whose account was renamed at the service is not sent at the old address any more, whatever is approved or resumed', async () => {
      const service = unique('service');
      await deliverAll(one, await releasePeople(one, { service, people: [ann, bob] }));
      const policy = { group: 'Leavers', forceSync: true, after: 1 };
      const departures = { isSnapshot: true, spared: [], policy };
      const moved = { ...ann, email: 'ann.ek@example.com' };
      const { runId } = await hold({ service, people: [bob, moved, cid], departures, trips: [whole] });
      const change = { service, oldKey: ann.email, newKey: moved.email, decision: 'renamed-there' as const };
      assert.equal((await decideMove(one, change)).isDone, true);
      assert.equal((await one.approveHeld(runId, approval))?.released, 2);
      const of = { runId, service, source: 'staff' };
      const called = await one.peopleOfRun(of, { actions: ['departed'], isSent: true }, { limit: 10 });
      assert.deepEqual(
        called.map(({ key }) => key),
        [ann.email],
        'it was planned',
      );
      assert.deepEqual(await one.countOutcomes(runId), { superseded: 1 });
      await deliverAll(one, runId);
      assert.deepEqual(await one.countOutcomes(runId), { superseded: 1, succeeded: 2 });
      // Of a run in which there was nobody else, nothing is left to decide.
      const alone = await hold({ service, source: 'other', people: [bob], trips: [whole] });
      await decideMove(one, { ...change, oldKey: bob.email, newKey: 'bo@example.com' });
      assert.equal((await one.findRuns(alone.runId))[0]?.status, 'cancelled');
    });

    test('an address that was renamed at the service waits in every source, with the one of today, until it is an account again', async () => {
      const service = unique('service');
      const [second, third] = ['ann.ek@example.com', 'ann.lind@example.com'];
      await deliverAll(one, await releasePeople(one, { service, people: [ann, bob] }));
      const decide = (oldKey: string, newKey: string, decision: IdentityDecision = 'renamed-there') =>
        decideMove(one, { service, oldKey, newKey, decision });
      const waits = async (source: string, people = [ann, bob, cid]): Promise<(string | undefined)[][]> => {
        const { runId } = await planPeople(one, { service, source, people, partial: true });
        const changes = await one.identityChanges({ runId, service, source, limit: 10 });
        await one.discardRun(runId);
        return changes.map((change) => [change.kind, change.key, 'newEmail' in change ? change.newEmail : undefined]);
      };
      assert.deepEqual(await waits('staff'), []);
      await decide(ann.email, second);
      await decide(second, third);
      for (const source of ['staff', 'other']) {
        assert.deepEqual(await waits(source), [['renamed', ann.email, third]]);
        assert.deepEqual(await waits(source, [bob, { ...ann, email: third }]), []);
      }
      await decide(third, ann.email, 'new-account');
      assert.deepEqual(await waits('other'), []);
      await decide(third, second);
      assert.deepEqual(await waits('other'), [], 'they are two people now');
      assert.deepEqual(await waits('other', [{ ...ann, email: third }]), [['renamed', third, second]]);
    });

    test('who was renamed at the service while a run was planned is not sent by it', async () => {
      const service = unique('service');
      await deliverAll(one, await releasePeople(one, { service, people: [ann] }));
      const { runId } = await planPeople(one, { service, source: 'other', people: [ann, bob] });
      await decideMove(one, {
        ...{ service, decision: 'renamed-there' },
        ...{ oldKey: ann.email, newKey: 'ann.ek@example.com' },
      });
      assert.deepEqual(await one.releaseRun(runId, false), { due: 1, held: 0, closed: [] });
      await deliverAll(one, runId);
      assert.deepEqual(await one.countOutcomes(runId), { superseded: 1, succeeded: 1 });
    });
  });
}
