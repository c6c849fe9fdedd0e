import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { CallRecord } from '../../src/ledger/moves/record.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { claimAndBegin, ending, person, planPeople, releasePeople, success, unique } from './plans.ts';

const [early, noon, late] = ['2026-01-05T02:00:00.000Z', '2026-01-05T12:00:00.000Z', '2026-01-06T02:00:00.000Z'];

for (const { name, skip, open } of homes) {
  suite(`an older roster after an event, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** Somebody moves to Sales by an event at noon. */
    async function move(service: string): Promise<string> {
      const people = [person('ada', 'Sales')];
      return releasePeople(ledger, { service, people, trigger: 'event', beside: true, time: noon });
    }
    async function deliver(runId: string): Promise<void> {
      const [fed] = await ledger.findDue(runId, { limit: 1 });
      await claimAndBegin(ledger, fed);
      await ledger.record(success(fed?.id ?? 0, 1, ['Sales']));
    }
    const actions = async (service: string, time: string) => {
      const people = [person('ada', 'Old'), person('bob', 'Old')];
      const { runId, plan } = await planPeople(ledger, { service, people, time });
      await ledger.discardRun(runId);
      const { new: fresh, changed, unchanged } = plan.counts;
      return { fresh, changed, unchanged };
    };

    test('does not take back whom the event moved, sent or still to be sent; a later roster does', async () => {
      const service = unique('service');
      const runId = await move(service);
      assert.deepEqual(await actions(service, early), { fresh: 1, changed: 0, unchanged: 1 });
      await deliver(runId);
      assert.deepEqual(await actions(service, early), { fresh: 1, changed: 0, unchanged: 1 });
      assert.deepEqual(await actions(service, late), { fresh: 1, changed: 1, unchanged: 0 });
    });

    test('is not taken back either once the rest of the event was cancelled; of whom that would have sent it says nothing', async () => {
      const service = unique('service');
      const people = [person('ada', 'Sales'), person('bob', 'Sales')];
      const runId = await releasePeople(ledger, { service, people, trigger: 'event', beside: true, time: noon });
      await deliver(runId);
      assert.deepEqual(await actions(service, early), { fresh: 0, changed: 0, unchanged: 2 });
      await ledger.moveRun(runId, 'cancel');
      assert.deepEqual(await actions(service, early), { fresh: 1, changed: 0, unchanged: 1 });
      const policy = { group: 'Left', forceSync: true, after: 1 };
      const departures = { isSnapshot: true, spared: [], policy };
      const others = { service, time: early, people: [person('bob', 'Old')], departures };
      const { runId: older, plan } = await planPeople(ledger, others);
      await ledger.discardRun(older);
      assert.deepEqual([plan.counts.new, plan.departures?.sent], [1, 0]);
    });

    test('whom it knows by their employee id at another address is not sent there any more, held or not', async () => {
      const service = unique('service');
      const people = [person('ann', 'Sales'), person('bob', 'Sales'), person('cy', 'Sales')];
      const [ids, trip] = [
        { ann: '7', bob: '8' },
        { guard: 'new', scope: 'all', message: 'many', brief: 'many' },
      ] as const;
      const { runId: older } = await planPeople(ledger, { service, people, ids, time: early });
      await ledger.releaseRun(older, false, [trip]);
      const corrected = [
        { ...person('ann', 'Sales'), email: 'ann.ek@example.com' },
        { ...person('zoe', 'Sales'), lastname: 'Other' },
      ];
      const event = {
        trigger: 'event' as const,
        beside: true,
        time: noon,
        people: corrected,
        ids: { ann: '7', zoe: '8' },
      };
      await releasePeople(ledger, { service, ...event });
      const { superseded } = await ledger.countOutcomes(older);
      assert.deepEqual([superseded, await ledger.countHeld(older)], [1, 2], 'zoe is not bob');
    });

    test('nor where the event came before the roster was read, sent or put off, unless its call failed', async () => {
      const of = (today: number) => ({ today, dayBegan: new Date(0) });
      const corrected = { ...person('ann', 'Sales'), email: 'ann.ek@example.com' };
      const event = { trigger: 'event' as const, beside: true, time: noon, people: [corrected], ids: { ann: '7' } };
      const older = async (service: string) => {
        const people = [person('ann', 'Sales'), person('bob', 'Sales')];
        const { runId, plan } = await planPeople(ledger, {
          ...{ service, people, ids: { ann: '7', bob: '8' }, time: early, postpone: of(20_260_108) },
        });
        await ledger.discardRun(runId);
        return [plan.counts.new, plan.counts.later];
      };
      const [waits, sends] = [unique('service'), unique('service')];
      await releasePeople(ledger, { service: waits, ...event, starts: { ann: 20_260_108 }, postpone: of(20_260_105) });
      assert.deepEqual(await older(waits), [1, 1], 'her first day has come, but not for her former address');
      const sent = await releasePeople(ledger, { service: sends, ...event });
      assert.deepEqual(await older(sends), [1, 1]);
      const [fed] = await ledger.findDue(sent, { limit: 1 });
      const { id, call } = await claimAndBegin(ledger, fed);
      await ledger.record(ending(id, call, 'failed'));
      assert.deepEqual(await older(sends), [2, 0]);
    });

    test('what it has sent meanwhile to a former address is not sent again by an event that waited for its approval', async () => {
      const service = unique('service');
      const corrected = { ...person('ann', 'Sales'), email: 'ann.ek@example.com' };
      const people = [corrected, person('bob', 'Sales')];
      const event = { trigger: 'event' as const, beside: true, time: noon, people, ids: { ann: '7', bob: '8' } };
      const { runId: held } = await planPeople(ledger, { service, ...event });
      await ledger.releaseRun(held, false, [{ guard: 'new', scope: 'all', message: 'many', brief: 'many' }]);
      const older = await releasePeople(ledger, {
        service,
        people: [person('ann', 'Sales')],
        ids: { ann: '7' },
        time: early,
      });
      await deliver(older);
      await ledger.moveRun(older, 'finish');
      const approval = { by: 'mette@desk', note: '', hash: 'h', scope: {} };
      assert.equal((await ledger.approveHeld(held, approval))?.released, 1);
      assert.deepEqual(await ledger.countOutcomes(held), { superseded: 1 });
    });

    test('is not sent again as the older roster says, where the unchanged are sent too, or their time is over', async () => {
      const service = unique('service');
      await deliver(await move(service));
      const again = async (options: { all?: boolean; refreshMs?: number }) => {
        const people = [person('ada', 'Old')];
        const { runId, plan } = await planPeople(ledger, { service, people, time: early, ...options });
        await ledger.discardRun(runId);
        return [plan.calls, plan.counts.later, plan.counts.unchanged];
      };
      assert.deepEqual(await again({ all: true }), [0, 1, 0]);
      assert.deepEqual(await again({ refreshMs: -1 }), [0, 0, 1]);
    });

    test('of several files, those whom an older one would take back are counted, and leavers for a month', async () => {
      const service = unique('service');
      await deliver(await move(service));
      const told = async (people: string[], file: string, time = late) => {
        const policy = { group: 'Left', forceSync: false, after: 1 };
        const { runId } = await planPeople(ledger, {
          ...{ service, time, people: people.map((name) => person(name, 'Old')) },
          departures: { isSnapshot: true, spared: [], policy },
        });
        const { length } = await ledger.keysToldSince({ runId, service, source: 'staff' }, { [file]: early });
        await ledger.discardRun(runId);
        return length;
      };
      assert.deepEqual([await told(['ada'], 'people.csv'), await told(['ada'], 'other.csv')], [1, 0]);
      assert.deepEqual([await told(['bob'], 'other.csv'), await told(['bob'], 'other.csv', '2026-03-01')], [1, 0]);
      assert.equal(await told(['ada'], 'people'), 0);
    });

    test('sends whom the event put off once their day has come, and as the event says', async () => {
      const service = unique('service');
      const of = (today: number) => ({ today, dayBegan: new Date(0) });
      const event = { trigger: 'event' as const, beside: true, time: noon, starts: { ada: 20_260_108 } };
      await releasePeople(ledger, { ...event, service, people: [person('ada', 'Sales')], postpone: of(20_260_105) });
      const people = [person('ada', 'Old')];
      const tryOn = async (today: number) => {
        const { runId, plan } = await planPeople(ledger, { service, people, time: early, postpone: of(today) });
        const [ada] = await ledger.sampleMembers(runId, false, 1);
        await ledger.discardRun(runId);
        return [plan.counts.later, ada?.groups];
      };
      assert.deepEqual(await tryOn(20_260_107), [1, undefined]);
      assert.deepEqual(await tryOn(20_260_108), [0, ['Sales']]);
      const roster = await releasePeople(ledger, { service, people, time: early, postpone: of(20_260_108) });
      await deliver(roster);
      await ledger.moveRun(roster, 'finish');
      assert.deepEqual(await tryOn(20_260_109), [0, undefined], 'and not again');
    });

    test('does not supersede what the event is still to send; a later roster does', async () => {
      const service = unique('service');
      const runId = await move(service);
      const people = [person('ada', 'Old'), person('bob', 'Old')];
      await releasePeople(ledger, { service, people, time: early });
      assert.deepEqual(await ledger.countOutcomes(runId), {}, 'it has not ended');
      await ledger.moveRun((await ledger.listRuns(1))[0]?.id ?? '', 'finish');
      await releasePeople(ledger, { service, people, time: late });
      assert.deepEqual(await ledger.countOutcomes(runId), { superseded: 1 });
    });

    test('a run of a few people may deliver beside another of its source, a second roster may not', async () => {
      const service = unique('service');
      await releasePeople(ledger, { service, people: [person('bob', 'Old')], time: early });
      await move(service);
      await assert.rejects(
        planPeople(ledger, { service, people: [person('cy', 'Old')], trigger: 'event' }),
        /Another run/,
      );
      const runs = await ledger.deliveringRuns(service);
      assert.deepEqual(
        runs.map(({ urgent }) => urgent),
        [false, true],
        'and its people go first',
      );
    });

    test('a person whose call was in flight is not sent again after a newer event', async () => {
      const service = unique('service');
      const event = async (group: string, time: string): Promise<string> =>
        releasePeople(ledger, { service, people: [person('ada', group)], trigger: 'event', beside: true, time });
      const two = await home.ledger(unique('two'));
      const again = (id: number, call: number): CallRecord => ({ ...success(id, call), end: { waitMs: 0 } });
      const ways: [string, (older: { id: number; call: number }) => Promise<unknown>][] = [
        ['tried again', ({ id, call }) => two.record(again(id, call))],
        ['handed back', ({ id }) => two.handBack({ id, waitMs: 0 })],
        [
          'taken back',
          () => ledger.reclaimFromDeadWorkers({ worker: ledger.worker, timeoutMs: -1000, deadAfterMs: 0 }),
        ],
      ];
      for (const [how, end] of ways) {
        const older = await event('Sales', noon);
        const called = await claimAndBegin(two, (await ledger.findDue(older, { limit: 1 }))[0]);
        const newer = await event('Brand', late);
        assert.deepEqual(await ledger.countOutcomes(older), {}, `${how}: it is in flight`);
        await end(called);
        assert.deepEqual(await ledger.countOutcomes(older), { superseded: 1 }, how);
        assert.equal((await ledger.findDue(newer, { limit: 1 })).length, 1);
        await ledger.moveRun(newer, 'cancel');
      }
    });

    test('of many people of an unsent roster many leave at once, by ids in any case, without comparing each with everybody', async () => {
      const [service, many] = [unique('service'), 10_000];
      const people = Array.from({ length: many }, (_, at) => person(`many${at}`, 'Sales'));
      const ids = Object.fromEntries(people.map(({ firstname }, at) => [firstname, `e${at}`]));
      const began = performance.now();
      const run = await releasePeople(ledger, { service, people, ids });
      const planned = performance.now();
      const leaving = people.slice(1000, 3000).map((_, at) => ({ run, employee: `E${at + 1000}` }));
      await ledger.letGo([...leaving, { run, key: 'many0@example.com' }, { run, employee: 'e0' }]);
      const took = performance.now() - planned;
      assert.deepEqual(await ledger.countOutcomes(run), { superseded: 2001 });
      assert.ok(took < planned - began, `${took} ms, where planning all of them took ${planned - began} ms`);
      await ledger.moveRun(run, 'cancel');
    });

    test('of an older event that is approved while a newer one is released, only the newer one is sent', async () => {
      const two = await home.ledger(unique('two'));
      for (let round = 0; round < 10; round += 1) {
        const service = unique('service');
        const event = async (group: string, time: string) =>
          (await planPeople(ledger, { service, people: [person('ada', group)], trigger: 'event', beside: true, time }))
            .runId;
        const [older, newer] = [await event('Sales', noon), await event('Brand', late)];
        await ledger.releaseRun(older, false, [{ guard: 'invites', scope: 'all', message: 'too many' }]);
        const approval = { by: 'eve', note: '', hash: 'abc', scope: {} };
        await Promise.all([two.approveHeld(older, approval), ledger.releaseRun(newer, false)]);
        assert.deepEqual(await ledger.countOutcomes(older), { superseded: 1 });
        assert.equal((await ledger.findDue(newer, { limit: 10 })).length, 1);
      }
    });
  });
}
