import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { Departures } from '../../src/core/run/run.ts';
import type { DeparturePolicy } from '../../src/ledger/planning/departed.ts';
import type { Member } from '../../src/core/person/member.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import {
  claimAndBegin,
  decideMove,
  deliverAll,
  ending,
  person,
  planPeople,
  type PlanOptions,
  releasePeople,
  success,
  unique,
} from './plans.ts';

/** A night later than the last one, in 2025. */
let nights = 0;
const nextNight = (): string => new Date(Date.UTC(2025, 0, (nights += 1))).toISOString();

const policy: DeparturePolicy = { group: 'Leavers', forceSync: true, after: 2 };
const [ann, bob, cy] = [person('ann', 'Sales'), person('bob', 'Sales', 'Finance'), person('cy', 'Legal')];

for (const { name, skip, open } of homes) {
  suite(`people who left, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** Plans, releases and delivers a complete roster of these people. Returns what it found of who left, and what was sent. */
    async function night(
      options: Omit<PlanOptions, 'departures'> & {
        policy?: DeparturePolicy;
        isSnapshot?: boolean;
        spared?: string[];
        trips?: Trip[];
      },
    ): Promise<
      Departures & { runId: string; calls: { email: string; groups: string[]; forceSync: boolean; invite: boolean }[] }
    > {
      const { policy: given, isSnapshot = true, spared = [], trips, ...rest } = options;
      const departures = { isSnapshot, spared, ...(given && { policy: given }) };
      const { runId, plan } = await planPeople(ledger, {
        checksum: unique('roster'),
        time: nextNight(),
        trigger: 'sync',
        ...rest,
        departures,
      });
      await ledger.releaseRun(runId, false, trips);
      const calls = [];
      for (const fed of await ledger.findDue(runId, { limit: 100 })) {
        const claimed = await ledger.claim(fed);
        const call = await ledger.begin(fed.id);
        if (!claimed || call === undefined) throw new Error('not to be had');
        const { member, settings } = claimed;
        const { forceSync, invite } = settings;
        calls.push({ email: member.email, groups: member.groups, forceSync, invite });
        await ledger.record(success(fed.id, call));
      }
      await ledger.closeRun(runId);
      return { ...(plan.departures ?? { departed: -1, left: -1, sent: -1, waiting: -1 }), runId, calls };
    }
    const figures = ({ departed, left, sent }: Departures): number[] => [departed, left, sent];

    test('who left is known as one who left, also by a roster of which rows may be lost', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob] });
      const leavers = [{ key: 'bob@example.com' }];
      const kind = { ...policy, forceSync: false };
      const { calls } = await night({
        service,
        people: [ann],
        policy: kind,
        isSnapshot: false,
        leavers,
        hasLostRows: true,
      });
      assert.deepEqual(
        calls.map(({ email }) => email),
        ['bob@example.com'],
      );
      const given = 'select fingerprint from people where service = $1 and person_key = $2';
      const { rows } = await home.pool.query(given, [service, 'bob@example.com']);
      assert.match(rows[0].fingerprint, /^left:/);
    });

    test('compares nobody with everybody who is listed as unchanged, whatever the database takes them for', async () => {
      const [service, source, many] = [unique('service'), unique('source'), 20_000];
      const people = Array.from({ length: many }, (_, at) => person(`many${at}`, 'Sales'));
      const timed = async <Result>(act: Promise<Result>): Promise<[Result, number]> => {
        const began = performance.now();
        return [await act, performance.now() - began];
      };
      const [{ runId: first }, tookForEach] = await timed(planPeople(ledger, { service, source, people }));
      await ledger.recordBaseline(first);
      await home.pool.query('analyze');
      const departures = { isSnapshot: true, spared: [] };
      const { runId, plan } = await planPeople(ledger, { service, source, people: people.slice(50), departures });
      assert.deepEqual(plan.departures && figures(plan.departures), [50, 50, 0]);
      const [counts, took] = await timed(ledger.countMissing({ runId, service, source }));
      assert.deepEqual(counts, { known: many, missing: 50 });
      assert.ok(took < tookForEach, `${took} ms, where staging and planning each of them took ${tookForEach} ms`);
    });

    test('reports people missing from a complete roster: once as new, then as still having access', async () => {
      const service = unique('service');
      assert.deepEqual(figures(await night({ service, people: [ann, bob] })), [0, 0, 0]);
      const second = await night({ service, people: [ann] });
      assert.deepEqual([...figures(second), second.calls.length], [1, 1, 0, 0]);
      assert.deepEqual(figures(await night({ service, people: [ann] })), [0, 1, 0]);
      const listed = await ledger.listDeparted(second.runId, '', 10);
      assert.deepEqual(
        listed.map(({ email, groups, isFresh }) => [email, groups, isFresh]),
        [['bob@example.com', ['Sales', 'Finance'], true]],
      );
      const back = await night({ service, people: [ann, bob] });
      assert.deepEqual([...figures(back), back.calls.map(({ email }) => email)], [0, 0, 0, ['bob@example.com']]);
      assert.deepEqual((await night({ service, people: [ann, bob] })).calls, [], 'once');
    });

    test('says nothing about whom another row says to leave where one of theirs was rejected', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob] });
      const row = { file: 'people.csv', line: 3, cells: [], column: '', value: '', reason: 'no group' };
      const rejects = [{ ...row, person: 'bob@example.com' }];
      const leavers = [{ key: 'bob@example.com' }];
      const said = await night({ service, people: [ann], isSnapshot: false, leavers, rejects });
      assert.deepEqual(figures(said), [0, 0, 0]);
      assert.deepEqual(await ledger.listDeparted(said.runId, '', 10), []);
    });

    test('puts who left among the leavers after the grace, once, and takes them back whole', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      const first = await night({ service, people: [ann], policy });
      assert.deepEqual([...figures(first), first.calls], [1, 1, 0, []]);
      const second = await night({ service, people: [ann], policy });
      assert.deepEqual(second.calls, [
        { email: 'bob@example.com', groups: ['Leavers'], forceSync: true, invite: false },
      ]);
      assert.equal(second.departed, 0, 'they were counted when they first lacked');
      const third = await night({ service, people: [ann], policy });
      assert.deepEqual([...figures(third), third.calls], [0, 0, 0, []]);
      const back = await night({ service, people: [ann, bob], policy });
      assert.deepEqual(back.calls, [
        { email: 'bob@example.com', groups: ['Sales', 'Finance'], forceSync: true, invite: true },
      ]);
      assert.deepEqual((await night({ service, people: [ann, bob], policy })).calls, []);
    });

    test('who comes back by a run that judges nobody as gone leaves the group of leavers as well', async () => {
      const service = unique('service');
      const kind = { ...policy, after: 1 };
      await night({ service, people: [ann, bob, cy], policy: kind });
      await night({ service, people: [ann], policy: kind });
      const { calls } = await night({ service, people: [ann, bob], isSnapshot: false });
      assert.deepEqual(
        calls.map(({ email, groups, forceSync }) => [email, groups, forceSync]),
        [['bob@example.com', ['Sales', 'Finance'], true]],
        'nor without the policy',
      );
      const { runId, plan } = await planPeople(ledger, { service, people: [cy], checksum: unique('import') });
      assert.equal(plan.departures, undefined);
      await ledger.releaseRun(runId, false);
      const [fed] = await ledger.findDue(runId, { limit: 10 });
      const claimed = fed && (await ledger.claim(fed));
      assert.deepEqual([claimed?.member.groups, claimed?.settings.forceSync], [['Legal'], true]);
    });

    test('who is put among the leavers without forceSync keeps the other groups: listed, counted, and put there once', async () => {
      const service = unique('service');
      const kind = { group: 'Leavers', forceSync: false, after: 1 };
      const listed = async (runId: string): Promise<string[][]> =>
        (await ledger.listDeparted(runId, '', 10)).map(({ groups }) => groups);
      await night({ service, people: [ann, bob], policy: kind });
      const first = await night({ service, people: [ann], policy: kind });
      assert.deepEqual(first.calls, [
        { email: 'bob@example.com', groups: ['Leavers'], forceSync: false, invite: false },
      ]);
      assert.deepEqual(await listed(first.runId), [['Sales', 'Finance', 'Leavers']]);
      const { rows } = await ledger.listLeftBehind({ service }, undefined, 10);
      assert.deepEqual(
        rows.map(({ group }) => group),
        ['Finance', 'Sales'],
      );
      const second = await night({ service, people: [ann], policy: kind });
      assert.deepEqual([...figures(second), second.waiting, second.calls], [0, 1, 0, 0, []]);
      assert.deepEqual(figures(await night({ service, people: [ann] })), [0, 1, 0], 'without a policy');

      const other = { ...kind, group: 'Former' };
      const renamed = await night({ service, people: [ann], policy: other });
      assert.deepEqual(
        renamed.calls.map(({ groups }) => groups),
        [['Former']],
      );
      assert.deepEqual(await listed(renamed.runId), [['Sales', 'Finance', 'Leavers', 'Former']]);

      const forced = await night({ service, people: [ann], policy });
      assert.deepEqual([...figures(forced), forced.waiting], [1, 1, 1, 0]);
      assert.deepEqual(await listed(forced.runId), [['Leavers']]);
      assert.deepEqual(figures(await night({ service, people: [ann], policy })), [0, 0, 0]);
      const kinder = await night({ service, people: [ann], policy: kind });
      assert.deepEqual([...figures(kinder), kinder.calls], [0, 0, 0, []]);
    });

    test('who comes back from among the leavers is sent all their groups, though we believe that they kept them', async () => {
      const service = unique('service');
      const kind = { group: 'Leavers', forceSync: false, after: 1 };
      await night({ service, people: [ann, bob], policy: kind });
      await night({ service, people: [ann], policy: kind });
      // The first roster with them again is cancelled before it is sent.
      const departures = { isSnapshot: true, spared: [], policy: kind };
      const unsent = await planPeople(ledger, { service, people: [ann, bob], departures });
      assert.equal(unsent.plan.counts.changed, 1);
      await ledger.releaseRun(unsent.runId, false);
      await ledger.moveRun(unsent.runId, 'cancel');
      const back = await night({ service, people: [ann, bob], policy: kind });
      assert.deepEqual(back.calls, [
        { email: 'bob@example.com', groups: ['Sales', 'Finance'], forceSync: false, invite: true },
      ]);
      const after = await night({ service, people: [ann, bob], policy: kind });
      assert.deepEqual([...figures(after), after.calls], [0, 0, 0, []]);
    });

    test('R3: what a leaver keeps of one source is named by the forceSync of another, but for the group of leavers', async () => {
      const service = unique('service');
      const kind = { group: 'Leavers', forceSync: false, after: 1 };
      await night({ service, people: [ann, bob], policy: kind });
      await night({ service, people: [ann], policy: kind });
      const { calls } = await night({
        ...{ service, source: 'other', people: [{ ...bob, groups: ['Board'] }], settings: { forceSync: true } },
      });
      assert.deepEqual(
        calls.map(({ groups }) => groups.toSorted()),
        [['Board', 'Finance', 'Sales']],
      );
    });

    test('R13: a roster does not make people of a newer event leavers', async () => {
      const service = unique('service');
      const at = (hour: string): string => `2026-11-20T${hour}:00:00.000Z`;
      const soon = { ...policy, after: 1 };
      await night({ service, people: [ann], time: at('02') });
      const told = await releasePeople(ledger, {
        ...{ service, people: [bob], trigger: 'event', beside: true, time: at('12') },
      });
      await deliverAll(ledger, told);
      const leavers = [{ key: 'bob@example.com' }];
      const older = await night({ service, people: [ann], time: at('11'), policy: soon, leavers });
      assert.deepEqual([...figures(older), older.calls], [0, 0, 0, []]);
      assert.deepEqual(await ledger.listDeparted(older.runId, '', 10), []);
      const newer = await night({ service, people: [ann], time: at('13'), policy: soon });
      assert.deepEqual(figures(newer), [1, 1, 1]);
    });

    test('keeps the groups that another source still gives to somebody who left this one', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      const other = await planPeople(ledger, { service, source: 'other', people: [{ ...bob, groups: ['Board'] }] });
      await ledger.releaseRun(other.runId, false);
      await deliverAll(ledger, other.runId);
      await night({ service, people: [ann], policy });
      const { calls } = await night({ service, people: [ann], policy });
      assert.deepEqual(
        calls.map(({ groups }) => groups.toSorted()),
        [['Board', 'Leavers']],
      );
    });

    test('who moves to another source is put among the leavers by none of both, until that one lacks them too', async () => {
      const service = unique('service');
      const there = { ...bob, groups: ['Board'] };
      const at = { service, source: 'other', settings: { forceSync: true }, policy };
      await night({ service, people: [ann, bob], policy });
      await night({ ...at, people: [cy, there] });
      for (let nights = 1; nights <= 3; nights += 1) {
        const { calls, left, waiting, elsewhere } = await night({ service, people: [ann], policy });
        assert.deepEqual([calls, left, waiting, elsewhere], [[], 0, 0, 1]);
      }
      const said = { ...{ service, people: [ann], policy }, leavers: [{ key: bob.email }] };
      assert.deepEqual((await night(said)).calls, [], 'nor by a row that says so');
      await night({ ...at, people: [cy] });
      assert.deepEqual(
        (await night({ service, people: [ann], policy })).calls,
        [],
        'that one may lack them for a night',
      );
      await night({ ...at, people: [cy] });
      const { calls } = await night({ service, people: [ann], policy });
      assert.deepEqual(
        calls.map(({ email, groups }) => [email, groups]),
        [[bob.email, ['Leavers']]],
      );
    });

    test('who is in a roster of another source that waits for a decision, or could not be called, is put nowhere', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob, cy], policy });
      const other = { service, source: 'other', time: nextNight(), departures: { isSnapshot: true, spared: [] } };
      const held = await planPeople(ledger, { ...other, people: [{ ...bob, groups: ['Board'] }] });
      await ledger.releaseRun(held.runId, false, [{ guard: 'new', scope: 'all', message: 'so many?' }]);
      const failed = await planPeople(ledger, { ...other, source: 'third', people: [{ ...cy, groups: ['Board'] }] });
      await ledger.releaseRun(failed.runId, false);
      for (const fed of await ledger.findDue(failed.runId, { limit: 10 })) {
        await ledger.claim(fed);
        const call = await ledger.begin(fed.id);
        await ledger.record(ending(fed.id, call ?? 0, 'failed'));
      }
      await ledger.closeRun(failed.runId);
      for (let again = 1; again <= 3; again += 1) {
        const { calls, elsewhere } = await night({ service, people: [ann], policy });
        assert.deepEqual([calls, elsewhere], [[], 2]);
      }
      await ledger.moveRun(held.runId, 'cancel', { by: 'person', reason: 'no' });
      const { calls } = await night({ service, people: [ann], policy });
      assert.deepEqual(
        calls.map(({ email }) => email),
        [bob.email],
      );
    });

    test('a source that was not read for weeks says nothing about who is there', async () => {
      const service = unique('service');
      const at = { service, source: 'other', settings: { forceSync: true }, policy };
      await night({ service, people: [ann, bob], policy });
      await night({ ...at, people: [cy, { ...bob, groups: ['Board'] }] });
      await home.pool.query(
        `update runs set released_at = released_at - interval '60 days' where service = '${service}' and source = 'other'`,
      );
      await night({ service, people: [ann], policy });
      const { calls, elsewhere } = await night({ service, people: [ann], policy });
      assert.deepEqual([calls.map(({ email }) => email), elsewhere], [[bob.email], undefined]);
    });

    test('a file that somebody brings and that changes nothing says who is there', async () => {
      const service = unique('service');
      const at = { service, source: 'other', settings: { forceSync: true } };
      const people = [cy, { ...bob, groups: ['Board'] }];
      await night({ service, people: [ann, bob], policy });
      await night({ ...at, people, policy });
      await home.pool.query(
        `update runs set released_at = released_at - interval '60 days' where service = '${service}' and source = 'other'`,
      );
      const departures = { isSnapshot: true, spared: [] };
      const look = await planPeople(ledger, { ...at, people, trigger: 'api', time: nextNight(), departures });
      await ledger.releaseRun(look.runId, false, [{ guard: 'brought', scope: 'all', message: 'brought' }]);
      assert.equal((await ledger.findRuns(look.runId))[0]?.releasedAt, null);
      await night({ service, people: [ann], policy });
      const { calls, elsewhere } = await night({ service, people: [ann], policy });
      assert.deepEqual([calls, elsewhere], [[], 1]);
    });

    test('who was hired by another source since they are missing is not put among the leavers, whether that one is complete or not', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      await night({ service, people: [ann], policy });
      await night({ service, source: 'other', people: [{ ...bob, groups: ['Board'] }], isSnapshot: false });
      const { calls, elsewhere } = await night({ service, people: [ann], policy });
      assert.deepEqual([calls, elsewhere], [[], 1]);
    });

    test('who is among the leavers of one source and is hired by another is not put among them by its calls', async () => {
      const service = unique('service');
      const once = { ...policy, after: 1 };
      await night({ service, people: [ann, bob], policy: once });
      assert.equal((await night({ service, people: [ann], policy: once })).calls.length, 1);
      const at = { service, source: 'other', settings: { forceSync: true }, policy: { ...once, group: 'Former' } };
      const { calls } = await night({ ...at, people: [{ ...bob, groups: ['Board'] }] });
      assert.deepEqual(
        calls.map(({ groups }) => groups),
        [['Board']],
      );
      assert.deepEqual((await night({ service, people: [ann], policy: once })).calls, []);
      const left = await night({ ...at, people: [cy] });
      assert.deepEqual(
        left.calls.map(({ groups }) => groups.toSorted()),
        [['Legal'], ['Former', 'Leavers']],
        'who left both is in both groups of leavers',
      );
    });

    test('people on a rejected row count as present, by address or employee id', async () => {
      const service = unique('service');
      const dan = person('dan', 'Legal');
      const first = await planPeople(ledger, { service, people: [ann, bob, cy, dan] });
      await home.pool.query(
        `update members set employee_id = case firstname when 'cy' then 'E-9' else 'DK-9' end
         where run_id = $1 and firstname in ('cy', 'dan')`,
        [first.runId],
      );
      await ledger.releaseRun(first.runId, false);
      await deliverAll(ledger, first.runId);
      const rejects = [
        { line: 3, person: 'bob@example.com', cells: ['bob'] },
        { line: 4, cells: [' E-9\u00a0', ''] },
        // Of a template: it stands in no single cell.
        { line: 5, employeeId: 'DK-9', cells: ['DK', '9'] },
      ].map((each) => ({ file: 'people.csv', column: 'x', value: '', reason: 'x', ...each }));
      const third = await night({ service, people: [ann], policy: { ...policy, after: 1 }, rejects });
      assert.deepEqual([...figures(third), third.calls], [0, 0, 0, []]);
    });

    test('who was on a rejected row in between was not missing from two rosters in a row', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob] });
      assert.deepEqual((await night({ service, people: [ann], policy })).calls, []);
      const cells = ['bob@example.com', ''];
      const rejects = [{ file: 'people.csv', line: 3, column: 'x', value: '', reason: 'x', cells }];
      assert.deepEqual((await night({ service, people: [ann], policy, rejects })).calls, []);
      assert.deepEqual((await night({ service, people: [ann], policy })).calls, []);
      assert.equal((await night({ service, people: [ann], policy })).calls.length, 1);
    });

    test('people on a rejected row count as present by both names in one cell, in any order and beside other words', async () => {
      const service = unique('service');
      const named = (name: string): Member => {
        const [firstname = '', lastname = ''] = name.split('|');
        return { firstname, lastname, email: `${firstname.slice(0, 2).toLowerCase()}@example.com`, groups: ['Sales'] };
      };
      const people = ['Bo|Ek', 'Cy|van der Berg', 'Di Ann|Ma-Lu', 'Eva|Ek (Oslo)', 'Fay|Berg', 'Gus|Ma'].map(named);
      await night({ service, people: [ann, ...people], policy });
      const rejects = [
        { line: 3, cells: ['x', ' BO\u00a0Ek - Sales'] },
        { line: 4, cells: ['van der Berg,Cy', ''] },
        { line: 5, cells: ['Dr.', 'Di Ann T. Ma-Lu'] },
        { line: 6, cells: ['Eva;Ek (Oslo)'] },
        // A part of a name is none, and neither are names in a long text.
        { line: 7, cells: ['Fay Bergman', 'Gusta Ma', `Fay Berg, Gus Ma${' and others'.repeat(20)}`] },
      ].map((each) => ({ file: 'people.csv', column: 'x', value: '', reason: 'x', ...each }));
      const second = await night({ service, people: [ann], policy: { ...policy, after: 1 }, rejects });
      assert.deepEqual(second.calls.map(({ email }) => email).toSorted(), ['fa@example.com', 'gu@example.com']);
    });

    test('people on a rejected row count as present, by an address or by both names in any of its cells', async () => {
      const service = unique('service');
      const dan = { ...person('dan', 'Sales'), lastname: 'Berg' };
      const eve = { ...person('eve', 'Sales'), lastname: 'Berg' };
      await night({ service, people: [ann, bob, cy, dan, eve], policy });
      const rejects = [
        // A comma within a name moves the address into another column.
        { line: 3, cells: ['x', 'y', ' Jr', '\u00a0Bob@Example.com'] },
        { line: 4, cells: ['', 'CY', ' test ', 'cy example.com'] },
        // The names of one person on two rows are those of two others.
        { line: 5, cells: ['Dan', 'Dahl', ''] },
        { line: 6, cells: ['Ida', 'Berg', ''] },
      ].map((each) => ({ file: 'people.csv', column: 'x', value: '', reason: 'x', ...each }));
      const second = await night({ service, people: [ann], policy: { ...policy, after: 1 }, rejects });
      assert.deepEqual(figures(second), [2, 2, 2]);
      assert.deepEqual(second.calls.map(({ email }) => email).toSorted(), ['dan@example.com', 'eve@example.com']);
    });

    test('a row that says so needs no grace and no complete roster; one who is also there has not left', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob, cy], policy, isSnapshot: false });
      const leavers = [{ key: 'bob@example.com' }, { key: 'ann@example.com' }, { key: 'never@example.com' }];
      const gone = await night({ service, people: [ann], leavers, policy, isSnapshot: false });
      assert.deepEqual(figures(gone), [1, 1, 1]);
      assert.deepEqual(
        gone.calls.map(({ email }) => email),
        ['bob@example.com'],
      );
      const again = await night({ service, people: [ann], leavers, policy, isSnapshot: false });
      assert.deepEqual([...figures(again), again.calls], [0, 0, 0, []]);
    });

    test('a row that says so is known by its employee id where its address was overwritten; where that is of somebody else, it says nothing', async () => {
      const service = unique('service');
      const [dan, eve] = [person('dan', 'Sales'), person('eve', 'Legal')];
      const { runId } = await night({ service, people: [ann, bob, cy, dan, eve], policy, isSnapshot: false });
      await home.pool.query(`update people set employee_id = nullif(left(firstname, 1), 'd') where last_run = $1`, [
        runId,
      ]);
      const leavers = [
        { key: 'ann.private@example.net', employeeId: 'a' },
        // The address is of a successor, who has another id.
        { key: 'bob@example.com', employeeId: 'c' },
        { key: 'dan@example.com', employeeId: 'x' },
        { key: 'eve@example.com' },
      ];
      const gone = await night({ service, people: [], leavers, policy, isSnapshot: false });
      const called = gone.calls.map(({ email }) => email.replace(/@.*/, '')).toSorted();
      assert.deepEqual(called, ['ann', 'dan', 'eve']);
    });

    test('a row that says so says nothing about several people with its employee id', async () => {
      const service = unique('service');
      const ids = { ann: 'EXT', bob: 'EXT', cy: 'C1' };
      await night({ service, people: [ann, bob, cy], ids, policy, isSnapshot: false });
      const leavers = [{ key: 'gone@example.com', employeeId: 'EXT' }, { employeeId: 'C1' }];
      const gone = await night({ service, people: [], leavers, policy, isSnapshot: false });
      assert.deepEqual(
        gone.calls.map(({ email }) => email),
        [cy.email],
      );
    });

    test('counts nothing of a roster that was never released', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      for (let plan = 0; plan < 3; plan += 1) {
        const departures = { isSnapshot: true, spared: [], policy };
        const planned = await planPeople(ledger, { service, people: [ann], departures });
        assert.deepEqual(planned.plan.departures, { departed: 1, left: 1, sent: 0, waiting: 1 });
        await ledger.discardRun(planned.runId);
      }
    });

    test('a policy that is new is counted with everybody whom it is about, for its guard', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob, cy] });
      await night({ service, people: [ann] });
      await night({ service, people: [ann] });
      const { plan } = await planPeople(ledger, {
        ...{ service, people: [ann] },
        departures: { isSnapshot: true, spared: [], policy },
      });
      assert.deepEqual(plan.departures, { departed: 2, left: 2, sent: 2, waiting: 0, forceSync: true });
      assert.equal(plan.calls, 2);
    });

    test('a roster that has not changed is read all the same while somebody waits for their grace', async () => {
      const service = unique('service');
      const isRecalled = async (runId: string): Promise<boolean> => {
        await ledger.rememberSource({ runId, digest: 'd', validators: { etag: 'x' } });
        return (await ledger.recallSource({ service, source: 'staff', digest: 'd' })) !== undefined;
      };
      const long = { ...policy, after: 3 };
      assert.equal(await isRecalled((await night({ service, people: [ann, bob], policy: long })).runId), true);
      assert.equal(await isRecalled((await night({ service, people: [ann], policy: long })).runId), false);
      const second = await night({ service, people: [ann], policy: long });
      assert.deepEqual([second.departed, second.waiting, await isRecalled(second.runId)], [0, 1, false]);
      assert.equal((await night({ service, people: [ann], policy: long })).sent, 1);
      assert.equal(await isRecalled((await night({ service, people: [ann], policy: long })).runId), true);
    });

    test('a roster that an event had read is read again by the schedule, which judges who is missing', async () => {
      const service = unique('service');
      for (const [trigger, isRecalled] of [
        ['sync', true],
        ['event', false],
      ] as const) {
        const { runId } = await night({ service, people: [ann], trigger });
        await ledger.rememberSource({ runId, digest: 'd', validators: {} });
        const recall = () => ledger.recallSource({ service, source: 'staff', digest: 'd' });
        const recalled = await recall();
        assert.equal(recalled !== undefined, isRecalled, trigger);
        await home.pool.query(
          `insert into unchanged_people (run_id, file, keys, lines) values ('${runId}', 'people.csv', '{}', '{}')`,
        );
        assert.equal(await recall(), undefined, 'what its release was to note is not all noted');
        await home.pool.query(`delete from unchanged_people where run_id = '${runId}'`);
        await home.pool.query(`update runs set finished_at = finished_at - interval '8 days' where id = '${runId}'`);
        assert.equal(await recall(), undefined, 'once a week it is planned again, so that it says who is there');
      }
    });

    test('a file that nobody has written since it was counted ends no grace period, however often it is read', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      const short = { service, people: [ann], policy, checksum: 'the same', time: '2026-01-02T00:00:00.000Z' };
      assert.deepEqual(figures(await night(short)), [1, 1, 0]);
      for (let again = 1; again <= 2; again += 1) {
        const { calls, waiting } = await night(short);
        assert.deepEqual([calls, waiting], [[], 1]);
      }
      const written = await night({ ...short, time: '2026-01-03T00:00:00.000Z' });
      assert.deepEqual(figures(written), [0, 1, 1], 'written again with the same people');
    });

    test('rosters of one night end a day of grace once, whatever else changes in them, and that of the next another', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      const readAt = (time: string) => night({ service, people: [ann], policy, time });
      assert.deepEqual(figures(await readAt('2026-01-02T02:15:00.000Z')), [1, 1, 0]);
      // Each is less than 20 hours after the one before it, but only the first was counted.
      for (const time of ['2026-01-02T03:15:00.000Z', '2026-01-02T15:15:00.000Z', '2026-01-02T22:10:00.000Z']) {
        assert.deepEqual((await readAt(time)).calls, [], time);
      }
      assert.deepEqual(figures(await readAt('2026-01-02T22:20:00.000Z')), [0, 1, 1]);
    });

    test('the first day of grace is a whole one where the first roster that lacks them is no later than another of its night', async () => {
      const service = unique('service');
      const readAt = (time: string, ...people: Member[]) => night({ service, people, policy, time });
      await readAt('2026-01-02T06:00:00.000Z', ann, bob);
      assert.deepEqual(figures(await readAt('2026-01-02T18:00:00.000Z', ann)), [1, 1, 0]);
      assert.deepEqual((await readAt('2026-01-03T06:00:00.000Z', ann)).calls, [], '12 hours later');
      assert.deepEqual((await readAt('2026-01-03T18:00:00.000Z', ann)).calls, [], 'of the night of the one before');
      assert.deepEqual(figures(await readAt('2026-01-04T06:00:00.000Z', ann)), [0, 1, 1]);
    });

    test('whom the guard of leavers holds are asked about by each roster, until somebody approves just them', async () => {
      const service = unique('service');
      const said = { policy, isSnapshot: false, leavers: [{ key: 'bob@example.com' }] };
      const approval = { by: 'eve@desk', note: '', hash: '' };
      const held: Trip = { guard: 'departed', scope: { actions: ['departed'] }, message: 'have they left?' };
      const people = [ann, cy];
      await night({ service, people: [...people, bob], policy });

      people.push(person('joiner', 'Sales'));
      const all = await night({ service, people: [...people], ...said, trips: [{ ...held, scope: 'all' }] });
      assert.deepEqual([...figures(all), all.calls], [1, 1, 1, []]);
      await ledger.approveHeld(all.runId, { ...approval, scope: { only: ['new'] } });
      await deliverAll(ledger, all.runId);
      let last = '';
      for (const name of ['dan', 'eve', 'fay']) {
        people.push(person(name, 'Sales'));
        const next = await night({ service, people: [...people], ...said, trips: [held] });
        const called = next.calls.map(({ email }) => email);
        assert.deepEqual([...figures(next), called], [1, 1, 1, [`${name}@example.com`]]);
        last = next.runId;
      }
      await ledger.approveHeld(last, { ...approval, scope: { only: ['departed'] } });
      await deliverAll(ledger, last);
      const after = await night({ service, people: [...people], ...said });
      assert.deepEqual([...figures(after), after.calls], [0, 0, 0, []]);
    });

    test('whoever an approval has left out, and is all that would be sent, lets the grace periods of others go on', async () => {
      const service = unique('service');
      const trips: Trip[] = [{ guard: 'withheld', scope: { people: ['joiner@example.com'] }, message: 'left out' }];
      await night({ service, people: [ann, bob], policy });
      const people = [ann, person('joiner', 'Sales')];
      const first = await night({ service, people, policy, trips });
      assert.deepEqual([...figures(first), first.waiting, first.calls], [1, 1, 0, 1, []]);
      assert.equal((await ledger.findRuns(first.runId))[0]?.status, 'held');
      const second = await night({ service, people, policy, trips });
      assert.deepEqual(
        second.calls.map(({ email }) => email),
        [bob.email],
      );
    });

    test('whom an approval after the release is about was missing from that roster, and is not asked about again', async () => {
      const service = unique('service');
      const joiner = person('joiner', 'Sales');
      const trips: Trip[] = [{ guard: 'departed', scope: { actions: ['departed'] }, message: 'have they left?' }];
      await night({ service, people: [ann, bob, cy], policy });
      await night({ service, people: [ann, cy], policy });
      const held = await night({ service, people: [ann, joiner], policy, trips });
      assert.deepEqual([...figures(held), held.calls.length], [1, 2, 1, 1], 'only the joiner is sent');
      await ledger.approveHeld(held.runId, { by: 'eve@desk', note: '', hash: '', scope: {} });
      await deliverAll(ledger, held.runId);
      const next = await night({ service, people: [ann, joiner], policy });
      const called = next.calls.map(({ email }) => email);
      assert.deepEqual([next.departed, next.sent, called], [0, 1, ['cy@example.com']]);
    });

    test('who is missing for the first time is asked about again after an approval that leaves out a group', async () => {
      const service = unique('service');
      const people = [ann, person('joiner', 'Sales')];
      const trips: Trip[] = [{ guard: 'departed', scope: 'all', message: 'have they left?' }];
      await night({ service, people: [ann, bob, cy], policy });
      await night({ service, people: [ann, cy], policy });
      const held = await night({ service, people, policy, trips });
      const scope = { exceptGroups: ['Finance'] };
      await ledger.approveHeld(held.runId, { by: 'eve@desk', note: '', hash: '', scope });
      await deliverAll(ledger, held.runId);
      const next = await night({ service, people, policy, trips });
      assert.deepEqual([...figures(next), next.calls], [1, 2, 1, []], 'Cy is not taken out by the next roster');
    });

    test('who was renamed at the service and leaves is sent at the address that the account has now', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob] });
      const newKey = 'ann.ek@example.com';
      await decideMove(ledger, { service, oldKey: ann.email, newKey, decision: 'renamed-there' });
      const left = await night({ service, people: [bob], policy: { ...policy, after: 1 } });
      assert.deepEqual(
        left.calls.map(({ email, groups }) => [email, groups]),
        [[newKey, ['Leavers']]],
      );
    });

    test('nothing is done about people who opted out', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob], policy });
      const spared = ['bob@example.com'];
      const once = { ...policy, after: 1 };
      const { calls, left } = await night({ service, people: [ann], policy: once, spared });
      assert.deepEqual([left, calls], [0, []]);
    });

    test('a call for a leaver that failed is made again in the next run, and counts for no guard and no brake', async () => {
      const service = unique('service');
      const once = { ...policy, after: 1 };
      await night({ service, people: [ann, bob], policy: once });
      const departures = { isSnapshot: true, spared: [], policy: once };
      const failing = async (): Promise<(number | undefined)[]> => {
        const { runId, plan } = await planPeople(ledger, { service, people: [ann], departures, checksum: unique('x') });
        await ledger.releaseRun(runId, false);
        for (const fed of await ledger.findDue(runId, { limit: 10 })) {
          const { id, call } = await claimAndBegin(ledger, fed);
          await ledger.record(ending(id, call, 'failed'));
        }
        const { first } = await ledger.tallyOf(runId);
        await ledger.closeRun(runId);
        return [plan.departures?.departed, first.failed];
      };
      assert.deepEqual(await failing(), [1, 1]);
      assert.deepEqual(await failing(), [0, 0]);
      const { calls, departed } = await night({ service, people: [ann], policy: once });
      assert.equal(departed, 0);
      assert.deepEqual(
        calls.map(({ groups }) => groups),
        [['Leavers']],
      );
    });

    test('whom another source lists by now is taken out of a run that is tried again, or approved', async () => {
      const service = unique('service');
      const once = { ...policy, after: 1 };
      await night({ service, people: [ann, bob, cy], policy: once });
      const departures = { isSnapshot: true, spared: [], policy: once };
      const { runId } = await planPeople(ledger, { service, people: [ann], departures, time: nextNight() });
      await ledger.releaseRun(runId, false);
      for (const fed of await ledger.findDue(runId, { limit: 10 })) {
        const { id, call } = await claimAndBegin(ledger, fed);
        await ledger.record(ending(id, call, 'failed'));
      }
      await ledger.closeRun(runId);
      await night({ service, source: 'other', people: [bob], policy: once });
      await ledger.continueRun(runId, { move: 'retry' });
      const again = await ledger.findDue(runId, { limit: 10 });
      assert.equal(again.length, 1);
      const claimed = await ledger.claim(again[0] as (typeof again)[number]);
      assert.equal(claimed?.member.email, cy.email);

      const guarded = unique('service');
      await night({ service: guarded, people: [ann, bob, cy], policy: once });
      const held = await planPeople(ledger, { service: guarded, people: [ann], departures, time: nextNight() });
      await ledger.releaseRun(held.runId, false, [{ guard: 'departed', scope: 'all', message: 'so many?' }]);
      await night({ service: guarded, source: 'other', people: [cy], policy: once });
      const approved = await ledger.approveHeld(held.runId, { by: 'eve@desk', note: '', hash: '', scope: {} });
      assert.deepEqual(approved && 'released' in approved && approved.released, 1);
    });

    test('where only some people are asked for, nobody else is among the leavers', async () => {
      const service = unique('service');
      await night({ service, people: [ann, bob, cy], isSnapshot: false });
      const leavers = [{ key: 'bob@example.com' }, { key: 'cy@example.com' }];
      const only = await night({
        service,
        people: [ann],
        leavers,
        only: ['ann@example.com'],
        policy,
        isSnapshot: false,
      });
      assert.deepEqual([...figures(only), only.calls], [0, 0, 0, []]);
    });
  });
}
