import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Reject } from '../../src/core/rows/row.ts';
import type { RosterCensus } from '../../src/core/guards/usual.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Member } from '../../src/core/person/member.ts';
import { type Home, homes } from './homes.ts';
import {
  claimAndBegin,
  deliverAll,
  ending,
  person,
  planPeople,
  type PlanOptions,
  releasePeople,
  success,
  unique,
} from './plans.ts';

function census(rows: number): RosterCensus {
  return {
    ...{ rows, members: rows, filtered: 0, rejects: 0, new: 0, changed: 0, read: rows, isUnended: false },
    ...{ filled: { Email: rows }, domains: { 'example.com': rows }, groups: { Sales: rows } },
  };
}

const stopped: Trip[] = [{ guard: 'new', scope: { actions: ['new'] }, message: 'too many' }];

for (const { name, skip, open } of homes) {
  suite(`usual figures, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** A run of these people that is released, and of which everything is delivered. */
    async function night(rows: number, options: PlanOptions, trips: Trip[] = []): Promise<string> {
      const { runId } = await planPeople(ledger, options);
      await ledger.keepCensus(runId, census(rows));
      await ledger.releaseRun(runId, false, trips);
      await deliverAll(ledger, runId);
      return runId;
    }

    const rowsOf = async (service: string): Promise<number[]> =>
      (await ledger.historyOf({ service, source: 'staff' })).censuses.map((each) => each.census.rows);

    test('a source of which nothing was released has no history', async () => {
      const service = unique('service');
      await planPeople(ledger, { service, people: [person('ann', 'Sales')] });
      assert.deepEqual(await ledger.historyOf({ service, source: 'staff' }), { censuses: [], hadWhole: false });
    });

    test('the last five rosters count, the newest first, and groups are kept of that one only', async () => {
      const service = unique('service');
      for (let rows = 1; rows <= 6; rows += 1) await night(rows, { service, people: [person('ann', `G${rows}`)] });
      const { censuses, hadWhole, last } = await ledger.historyOf({ service, source: 'staff' });
      assert.deepEqual(
        censuses.map((each) => each.census.rows),
        [6, 5, 4, 3, 2],
      );
      assert.deepEqual(
        censuses.map((each) => each.census.groups),
        [{ Sales: 6 }, {}, {}, {}, {}],
      );
      assert.deepEqual([hadWhole, last?.forceSync], [true, false]);
      assert.deepEqual(await ledger.historyOf({ service, source: 'other' }), { censuses: [], hadWhole: false });
    });

    test('the most of the last rosters of the last days is told, since somebody approved one', async () => {
      const service = unique('service');
      const people = [person('ann', 'Sales'), person('bob', 'Sales')];
      const on = async (days: number, rows: number, trips?: Trip[]): Promise<string> => {
        const runId = await night(rows, { service, people, checksum: unique('roster') }, trips);
        await home.pool.query(`update runs set created_at = now() - $2 * interval '1 day' where id = $1`, [
          runId,
          days,
        ]);
        return runId;
      };
      const most = async () => (await ledger.historyOf({ service, source: 'staff' })).most;
      const of = (rows: number) => ({ rows, members: rows, groups: { Sales: rows } });
      await on(15, 900);
      await on(12, 700);
      for (const rows of [800, 600, 500]) await on(1, rows);
      assert.deepEqual(await most(), of(700), 'not what is too old, nor what a day had before its last');
      const held = await on(0.001, 400, [{ guard: 'shrink', scope: 'all', message: 'fewer' }]);
      assert.deepEqual(await most(), of(700));
      await ledger.approveHeld(held, { by: 'ann', note: '', hash: '', scope: {} });
      assert.deepEqual(await most(), of(400));
    });

    test('a run that was stopped half-way is told, with who of a newer plan waits in it; one that a person stopped first', async () => {
      const service = unique('service');
      const everybody = ['ann', 'bob', 'cid', 'dan'].map((name) => person(name, 'Sales'));
      const older = await releasePeople(ledger, { service, people: everybody.slice(0, 3) });
      const [fed] = await ledger.findDue(older, { limit: 1 });
      const { id, call } = await claimAndBegin(ledger, fed);
      await ledger.record(success(id, call));
      await ledger.moveRun(older, 'pause', { by: 'service', reason: 'look' });
      const { runId } = await planPeople(ledger, { service, people: everybody });
      const asked = { runId, service, source: 'staff' };
      const told = { id: older, status: 'paused', isByPerson: false, isFirst: true, calls: 3, sent: 1, waiting: 2 };
      assert.deepEqual(await ledger.unfinishedOf(asked), told);
      assert.equal(await ledger.unfinishedOf({ ...asked, source: 'other' }), undefined);
      await ledger.releaseRun(runId, false);
      await ledger.moveRun(runId, 'halt', { by: 'service', reason: 'refused' });
      const newest = { ...told, id: runId, status: 'halted', isFirst: false, sent: 0, waiting: 0 };
      const others = await ledger.unfinishedOf({ ...asked, runId: 'none' });
      assert.deepEqual(others, newest);
      await ledger.continueRun(runId, { move: 'resume' });
      await ledger.moveRun(runId, 'pause', { by: 'interruption', reason: 'Ctrl-C' });
      const byPerson = await ledger.unfinishedOf({ ...asked, runId: 'none' });
      assert.deepEqual([byPerson?.id, byPerson?.isByPerson], [runId, true]);
    });

    test('an open run is told with those of its unsent people whom a newer plan does not have', async () => {
      const service = unique('service');
      const [ann, bob, cid, dan] = ['ann', 'bob', 'cid', 'dan'].map((name) => person(name, 'Sales'));
      const older = await releasePeople(ledger, { service, people: [ann!, bob!, cid!] });
      const [fed] = await ledger.findDue(older, { limit: 1 });
      const { id, call } = await claimAndBegin(ledger, fed);
      await ledger.record(success(id, call));
      await ledger.moveRun(older, 'halt', { by: 'service', reason: 'refused' });
      const droppedBy = async (...people: Member[]) => {
        const { runId } = await planPeople(ledger, { service, people });
        const dropped = await ledger.droppedOf({ runId, service, source: 'staff' });
        await ledger.discardRun(runId);
        return dropped;
      };
      // Ann was sent, and Bob is in the plan: as unchanged, or to be sent.
      assert.deepEqual(await droppedBy(bob!, dan!), { id: older, status: 'halted', people: 1 });
      assert.deepEqual(await droppedBy(dan!), { id: older, status: 'halted', people: 2 });
      assert.equal(await droppedBy(ann!, bob!, cid!), undefined);
      const { runId: held } = await planPeople(ledger, { service, people: [bob!, dan!] });
      await ledger.releaseRun(held, false, [{ guard: 'replaced', scope: 'all', message: '' }]);
      assert.deepEqual(
        await droppedBy(ann!),
        { id: older, status: 'halted', people: 2 },
        'one that is held hides none',
      );
      await ledger.moveRun(held, 'cancel');
      await ledger.moveRun(older, 'cancel');
      assert.equal(await droppedBy(dan!), undefined);
    });

    test('a run that was cancelled before anything arrived is not the first of its source; one that gave somebody something is', async () => {
      const service = unique('service');
      const [ann, bob] = [person('ann', 'Sales'), person('bob', 'Sales')];
      /** What is known after a first run of everybody that was cancelled after these calls. */
      const afterCancelled = async (...ended: ('succeeded' | 'failed' | 'unknown')[]) => {
        const source = unique('source');
        await night(1, { service, source, people: [ann], partial: true });
        const runId = await releasePeople(ledger, { service, source, people: [ann, bob] });
        for (const outcome of ended) {
          const { id, call } = await claimAndBegin(ledger, (await ledger.findDue(runId, { limit: 1 }))[0]);
          await ledger.record(ending(id, call, outcome));
        }
        await ledger.moveRun(runId, 'cancel');
        const { last, hadWhole } = await ledger.historyOf({ service, source });
        return { hadWhole, isLast: last?.id === runId };
      };
      assert.deepEqual(await afterCancelled(), { hadWhole: false, isLast: false });
      assert.deepEqual(await afterCancelled('failed'), { hadWhole: false, isLast: false });
      assert.deepEqual(await afterCancelled('unknown'), { hadWhole: true, isLast: true });
      assert.deepEqual(await afterCancelled('succeeded'), { hadWhole: true, isLast: true });
    });

    test('a roster of some people only is no usual one, but it is a run', async () => {
      const service = unique('service');
      await night(1, { service, people: [person('ann', 'Sales')], partial: true });
      const { censuses, hadWhole, last } = await ledger.historyOf({ service, source: 'staff' });
      assert.deepEqual([censuses, hadWhole, typeof last?.id], [[], false, 'string']);
    });

    test('the last run is the last of everybody, where there is one: forceSync for one person is not forceSync for all', async () => {
      const service = unique('service');
      const ann = person('ann', 'Sales');
      await night(1, { service, people: [ann] });
      await night(1, { service, people: [ann], partial: true, settings: { forceSync: true } });
      assert.equal((await ledger.historyOf({ service, source: 'staff' })).last?.forceSync, false);
    });

    test('what events have released of some people within a day adds up, until somebody approves one of them', async () => {
      const service = unique('service');
      const earlier = async () => {
        const {
          new: fresh,
          changed,
          possibleInvitations,
        } = (await ledger.earlierParts({ service, source: 'staff' })) ?? {};
        return [fresh, changed, possibleInvitations];
      };
      const tell = (name: string, trips: Trip[] = []) =>
        night(1, { service, people: [person(name, 'Sales')], beside: true }, trips);
      assert.deepEqual(await earlier(), [0, 0, 0]);
      await night(2, { service, people: [person('eve', 'Sales'), person('flo', 'Sales')] });
      for (const each of ['ann', 'bob']) await tell(each);
      assert.deepEqual(await earlier(), [2, 0, 2], 'not the whole roster');
      const held = await tell('cy', stopped);
      assert.deepEqual(await earlier(), [2, 0, 2]);
      await ledger.approveHeld(held, { by: 'eve', note: '', hash: '', scope: {} });
      assert.deepEqual(await earlier(), [0, 0, 0]);
      await tell('di');
      assert.deepEqual(await earlier(), [1, 0, 1]);
      await night(1, { service, people: [person('fay', 'Sales')], partial: true, trigger: 'api' });
      assert.deepEqual(await earlier(), [2, 0, 2], 'and what was asked for over the API, of some people');
      const pass = (hours: number) =>
        home.pool.query(`update runs set released_at = released_at - $2 * interval '1 hour' where service = $1`, [
          service,
          hours,
        ]);
      await pass(23);
      assert.deepEqual(await earlier(), [2, 0, 2]);
      await pass(2);
      assert.deepEqual(await earlier(), [0, 0, 0]);
    });

    test('another source that was sent with forceSync is known, not this one, nor what was never released', async () => {
      const service = unique('service');
      const of = (source: string) => ledger.isForcedElsewhere({ service, source });
      const settings = { forceSync: true };
      await planPeople(ledger, { service, people: [person('ann', 'Sales')], source: 'planned', settings });
      assert.equal(await of('staff'), false);
      await night(1, { service, people: [person('ann', 'Sales')], source: 'club', settings });
      assert.deepEqual([await of('staff'), await of('club')], [true, false]);
    });

    test('what guards stopped is not usual before it is approved as a whole', async () => {
      const service = unique('service');
      const everybody = [person('ann', 'Sales'), person('bob', 'Sales')];
      await night(10, { service, people: everybody.slice(0, 1) });
      const changed = [person('ann', 'Finance'), person('bob', 'Sales')];
      const { runId } = await planPeople(ledger, { service, people: changed });
      await ledger.keepCensus(runId, census(20));
      await ledger.releaseRun(runId, false, stopped);
      assert.deepEqual(await rowsOf(service), [10]);
      await ledger.approveHeld(runId, { by: 'ann', note: '', hash: '', scope: {} });
      assert.deepEqual(await rowsOf(service), [20, 10]);
      const { censuses } = await ledger.historyOf({ service, source: 'staff' });
      assert.deepEqual(
        censuses.map(({ isApproved }) => isApproved),
        [true, false],
      );
    });

    test('a run of which an approval left somebody out is usual, also where they are held again; not one of which most were left out', async () => {
      const service = unique('service');
      const people = [
        person('ann', 'IT'),
        ...['bob', 'cid'].map((name) => person(name, 'Sales')),
        person('dan', 'Board'),
      ];
      const all: Trip[] = [{ guard: 'new', scope: 'all', message: 'too many' }];
      const heldNight = async (rows: number, ...exceptGroups: string[]) => {
        const { runId } = await planPeople(ledger, { service, people });
        await ledger.keepCensus(runId, census(rows));
        await ledger.releaseRun(runId, false, all);
        await ledger.approveHeld(runId, { by: 'ann', note: '', hash: '', scope: { exceptGroups } });
        await deliverAll(ledger, runId);
      };
      await heldNight(40, 'Sales', 'Board');
      assert.deepEqual(await rowsOf(service), []);
      await heldNight(41, 'Board');
      assert.deepEqual(await rowsOf(service), [41]);
      await night(42, { service, people: [...people, person('eve', 'IT')] }, [
        { guard: 'withheld', scope: { people: ['dan@example.com'] }, message: '' },
      ]);
      assert.deepEqual(await rowsOf(service), [42, 41]);
      const { censuses } = await ledger.historyOf({ service, source: 'staff' });
      assert.deepEqual(
        censuses.map(({ isApproved }) => isApproved),
        [false, true],
      );
    });

    test('a run that a person cancelled is told whatever was sent of some people since, and one of events too', async () => {
      const service = unique('service');
      const [ann, bob] = [person('ann', 'Sales'), person('bob', 'Sales')];
      const toldOf = async () => {
        const { runId } = await planPeople(ledger, { service, people: [ann, bob] });
        const told = await ledger.cancelledOf({ runId, service, source: 'staff' });
        await ledger.discardRun(runId);
        return told;
      };
      const cancelled = await releasePeople(ledger, { service, people: [ann, bob] });
      await ledger.moveRun(cancelled, 'cancel', { by: 'person', reason: '' });
      await night(1, { service, people: [ann], partial: true });
      assert.deepEqual((await toldOf())?.unsent, { id: cancelled, people: 1 });
      await night(2, { service, people: [ann, bob] });
      assert.equal(await toldOf(), undefined);
      const event = await releasePeople(ledger, { service, people: [person('bob', 'Finance')], beside: true });
      await ledger.moveRun(event, 'cancel', { by: 'person', reason: '' });
      const { runId } = await planPeople(ledger, { service, people: [ann, person('bob', 'Finance')] });
      const told = await ledger.cancelledOf({ runId, service, source: 'staff' });
      assert.deepEqual(told?.unsent, { id: event, people: 1 });
    });

    test('a guard that had nothing to stop changes nothing', async () => {
      const service = unique('service');
      await night(10, { service, people: [person('ann', 'Sales')] });
      await night(20, { service, people: [person('ann', 'Sales')] }, stopped);
      assert.deepEqual(await rowsOf(service), [20, 10]);
    });

    test('says whose people they are, and how many a source knows', async () => {
      const service = unique('service');
      await deliverAll(
        ledger,
        await releasePeople(ledger, { service, people: [person('ann', 'A'), person('bob', 'A')] }),
      );
      const contractors = { service, source: 'contractors', people: [person('cy', 'A')] };
      await deliverAll(ledger, await releasePeople(ledger, contractors));
      const { runId } = await planPeople(ledger, {
        service,
        source: 'contractors',
        people: [person('ann', 'A'), person('bob', 'A'), person('cy', 'A'), person('di', 'A')],
      });
      const known = await ledger.knownBySource({ runId, service });
      assert.deepEqual(
        known.toSorted((a, b) => a.people - b.people),
        [
          { source: 'contractors', people: 1 },
          { source: 'staff', people: 2 },
        ],
      );
      assert.equal(await ledger.countKnown({ service, source: 'staff' }), 2);
    });

    test('follows people from groups that vanish to groups that appear', async () => {
      const service = unique('service');
      const before = [
        person('ann', 'Marketing', 'All'),
        person('bob', 'Marketing', 'All'),
        person('cy', 'Sales', 'All'),
      ];
      await deliverAll(ledger, await releasePeople(ledger, { service, people: before }));
      const now = [person('ann', 'Brand', 'All'), person('bob', 'Brand', 'All'), person('cy', 'Brand', 'All')];
      const { runId } = await planPeople(ledger, { service, people: now });
      const asked = { runId, service, source: 'staff' };
      assert.deepEqual(await ledger.groupMoves(asked, { from: ['Marketing'], to: ['Brand'] }), [
        { from: 'Marketing', to: 'Brand', people: 2 },
      ]);
      assert.deepEqual(await ledger.groupMoves(asked, { from: [], to: ['Brand'] }), []);
    });

    test('a group that is stopped stops who is in it, and who was', async () => {
      const service = unique('service');
      const before = [person('ann', 'Sales'), person('bob', 'IT'), person('cy', 'Legal')];
      await deliverAll(ledger, await releasePeople(ledger, { service, people: before }));
      const now = [person('ann', 'Legal'), person('bob', 'Sales'), person('cy', 'IT')];
      const { runId } = await planPeople(ledger, { service, people: now });
      const trips: Trip[] = [{ guard: 'group', scope: { groups: ['Sales'] }, message: 'others' }];
      const { due, held } = await ledger.releaseRun(runId, false, trips);
      assert.deepEqual({ due, held }, { due: 1, held: 2 });
    });

    test('counts what forceSync takes away of what this source gave, and no other source gives', async () => {
      const service = unique('service');
      const given = [person('ann', 'A', 'B', 'C'), person('bob', 'A')];
      await deliverAll(ledger, await releasePeople(ledger, { service, people: given }));
      const elsewhere = { service, source: 'contractors', people: [person('ann', 'C')] };
      await deliverAll(ledger, await releasePeople(ledger, elsewhere));
      const { runId } = await planPeople(ledger, {
        ...{ service, settings: { forceSync: true } },
        people: [person('ann', 'A'), person('bob', 'A', 'B')],
      });
      const asked = { runId, service, source: 'staff' };
      assert.deepEqual(await ledger.removalsOf(asked), { people: 1, memberships: 1 });
    });

    test('finds the column that most rejects blame, and people of whom one row is good and another is not', async () => {
      const service = unique('service');
      const people = [person('ann', 'A'), person('bob', 'A'), person('eve', 'A')];
      const { runId } = await planPeople(ledger, { service, people, ids: { ann: '7', bob: '8', eve: 'E9' } });
      const reject = (line: number, column: string, who?: string): Reject => {
        const of = who === undefined ? {} : { person: who };
        return { file: 'people.csv', line, cells: ['x'], column, value: '', reason: `bad ${column}`, ...of };
      };
      assert.equal(await ledger.mostBlamed(runId), undefined);
      await ledger.addRejects(runId, [
        reject(8, 'Email'),
        reject(9, 'Groups', 'ann@example.com'),
        reject(10, 'Groups', 'nobody@example.com'),
        { ...reject(11, 'Email'), employeeId: 'e9' },
        { ...reject(12, 'Email', 'moved@example.com'), employeeId: '7' },
      ]);
      assert.deepEqual(await ledger.mostBlamed(runId), { column: 'Email', rejects: 3 });
      assert.deepEqual(await ledger.peopleHalfRead(runId, 10), [
        {
          ...{ key: 'ann@example.com', email: 'ann@example.com', file: 'people.csv', lines: [2] },
          spoilt: { file: 'people.csv', line: 9, reason: 'bad Groups' },
        },
        {
          ...{ key: 'eve@example.com', email: 'eve@example.com', file: 'people.csv', lines: [4] },
          spoilt: { file: 'people.csv', line: 11, reason: 'bad Email' },
        },
      ]);
    });
  });
}
