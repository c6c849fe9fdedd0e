import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../../src/core/call/answer.ts';
import type { Member } from '../../src/core/person/member.ts';
import { migrations } from '../../src/ledger/database/migrations.ts';
import { databaseOver } from '../../src/ledger/database/database.ts';
import type { ApprovalScope, Trip } from '../../src/core/guards/trip.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { restoreBackup } from '../../src/ledger/directory/restore-backup.ts';
import { backUp } from '../support/backups.ts';
import { type Home, homes } from './homes.ts';
import {
  accepted,
  claimAndBegin,
  decideMove,
  deliverAll,
  ending,
  ofRejects,
  person,
  planPeople,
  type PlanOptions,
  releasePeople,
  success,
  unique,
} from './plans.ts';

/** What a service would have of a person after these calls: nobody is taken out of a group without `forceSync`. */
class Service {
  readonly groups = new Map<string, Set<string>>();

  has(email: string): Set<string> {
    return this.groups.get(email) ?? new Set();
  }

  take(email: string, named: readonly string[], succeeded: readonly string[], forceSync: boolean): void {
    const kept = forceSync ? [...this.has(email)].filter((group) => named.includes(group)) : this.has(email);
    this.groups.set(email, new Set([...kept, ...succeeded]));
  }
}

/** A night of a source: its complete roster, and how each call ends. */
type Night = Omit<PlanOptions, 'departures'> & { refused?: readonly string[] };

for (const { name, skip, open } of homes) {
  suite(`what is left behind, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** Delivers a complete roster; groups that are `refused` come back with another status. */
    async function night({ refused = [], ...options }: Night, truth = new Service()): Promise<string> {
      const { runId } = await planPeople(ledger, { ...options, departures: { isSnapshot: true, spared: [] } });
      await ledger.releaseRun(runId, false);
      for (const fed of await ledger.findDue(runId, { limit: 100 })) {
        const claimed = await ledger.claim(fed);
        const call = claimed && (await ledger.begin(fed.id));
        if (!claimed || call === undefined) throw new Error('not to be had');
        const { member, settings } = claimed;
        const results = member.groups.map((group) => {
          const isRefused = refused.includes(group);
          return { group, status: isRefused ? 'refused' : 'success', inserts: isRefused ? 0 : 1, warnings: 0 };
        });
        const given = member.groups.filter((group) => !refused.includes(group));
        truth.take(member.email, member.groups, given, settings.forceSync);
        const answer: Answer = { ...accepted(member.groups), results } as Answer;
        const outcome = given.length < member.groups.length ? 'partial' : 'succeeded';
        await ledger.record({ ...ending(fed.id, call, outcome), answer });
      }
      await ledger.moveRun(runId, 'finish');
      return runId;
    }

    async function listed(service: string, filter: object = {}): Promise<string[]> {
      const found: string[] = [];
      let last: Awaited<ReturnType<Ledger['listLeftBehind']>>['next'];
      do {
        const page = await ledger.listLeftBehind({ ...filter, service }, last, 2);
        last = page.next;
        found.push(
          ...page.rows.map(({ email, group, cause, run }) => `${email.split('@')[0]} ${group} ${cause} ${run}`),
        );
      } while (last);
      return found;
    }

    async function markDone(service: string, filter: object = {}): Promise<number> {
      const { at } = await ledger.countLeftBehind({ ...filter, service });
      let [groups, last] = [0, undefined as { service: string; key: string } | undefined];
      do {
        const page = await ledger.markLeftBehindDone(
          { ...filter, service },
          { before: at, by: 'hr@desk', limit: 2, ...(last && { after: last }) },
        );
        groups += page.groups;
        last = page.next;
      } while (last);
      return groups;
    }

    /** Everything the ledger takes a person to have. */
    async function had(service: string, email: string): Promise<Set<string>> {
      const { rows } = await home.pool.query<{ name: string }>(
        `select g as name from people p, jsonb_array_elements_text(p.groups) g where p.service = $1 and p.person_key = $2
           and not exists (select 1 from left_behind l where l.service = $1 and l.person_key = $2 and l.group_name = g
             and (l.taken_at is not null or l.done_at is not null))
         union select group_name from left_behind where service = $1 and person_key = $2 and taken_at is null and done_at is null`,
        [service, email],
      );
      return new Set(rows.map((row) => row.name));
    }

    test('who is moved from one group to another keeps the old one, by which run and since when', async () => {
      const service = unique('service');
      const first = await night({ service, people: [person('ann', 'IT'), person('bob', 'IT')] });
      assert.deepEqual(await listed(service), []);
      const { plan, runId } = await planPeople(ledger, {
        service,
        people: [person('ann', 'Einkauf'), person('bob', 'IT')],
      });
      assert.deepEqual([plan.counts.leftBehind, plan.counts.leftBehindGroups], [1, 1]);
      await ledger.discardRun(runId);
      const second = await night({ service, people: [person('ann', 'Einkauf'), person('bob', 'IT')] });
      assert.deepEqual(await listed(service), [`ann IT changed ${second}`]);
      const [row] = (await ledger.listLeftBehind({ service, person: 'ann@example.com' }, undefined, 10)).rows;
      assert.deepEqual([row?.givenRun, row?.source], [first, 'staff']);
      assert.ok(row?.since instanceof Date && row.givenAt instanceof Date && row.givenAt < row.since);
      // Every later night says so again, and costs no call.
      const third = await planPeople(ledger, { service, people: [person('ann', 'Einkauf'), person('bob', 'IT')] });
      assert.deepEqual([third.plan.calls, third.plan.counts.leftBehind, third.plan.counts.unchanged], [0, 1, 2]);
    });

    test('a group that a guard doubts is left behind once all of it is approved, not by a part', async () => {
      const trip: Trip = { guard: 'group', scope: 'all', message: 'IT lost too many' };
      for (const [scope, released] of [
        [{ only: ['new'] }, 1],
        [{}, 1],
      ] as [ApprovalScope, number][]) {
        const service = unique('service');
        await night({ service, people: [person('ann', 'IT', 'Sales')] });
        const { runId } = await planPeople(ledger, {
          service,
          people: [person('ann', 'Sales'), person('cy', 'Sales')],
        });
        await ledger.releaseRun(runId, false, [trip]);
        const approved = await ledger.approveHeld(runId, { by: 'eve', note: '', hash: '', scope });
        assert.equal(approved?.released, released);
        await deliverAll(ledger, runId);
        const isWhole = scope.only === undefined;
        assert.deepEqual(await listed(service), isWhole ? [`ann IT changed ${runId}`] : []);
        const forced = { people: [person('ann', 'Club')], service, source: 'club', settings: { forceSync: true } };
        const [fed] = await ledger.findDue(await releasePeople(ledger, forced), { limit: 1 });
        const claimed = fed && (await ledger.claim(fed));
        assert.deepEqual(claimed?.member.groups.toSorted(), isWhole ? ['Club', 'Sales'] : ['Club', 'IT', 'Sales']);
      }
    });

    test('groups that only became fewer are left behind by the run that no longer names them, and are sent again when they are back', async () => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'A', 'B')] });
      const fewer = await night({ service, people: [person('ann', 'A')] });
      assert.deepEqual(await listed(service), [`ann B changed ${fewer}`]);
      await night({ service, people: [person('ann', 'A')] });
      assert.deepEqual(await listed(service), [`ann B changed ${fewer}`]);
      const back = await planPeople(ledger, { service, people: [person('ann', 'A', 'B')] });
      // Somebody may have taken her out by hand meanwhile, and told nobody.
      assert.deepEqual([back.plan.calls, back.plan.counts.changed, back.plan.counts.leftBehind], [1, 1, 0]);
      await ledger.discardRun(back.runId);
      await night({ service, people: [person('ann', 'A', 'B')] });
      assert.deepEqual(await listed(service), []);
    });

    test('what was taken out by hand is given again when a roster names it again, and is live then', async () => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'A', 'B'), person('bob', 'A', 'C')] });
      await night({ service, people: [person('ann', 'A')] });
      assert.equal((await listed(service)).length, 3, 'of bob, who left, both');
      assert.equal(await markDone(service, { source: 'staff', person: 'ann@example.com' }), 1);
      assert.equal(await markDone(service, { person: 'bob@example.com', group: 'C' }), 1);
      assert.deepEqual(
        (await listed(service)).map((line) => line.split(' ').slice(0, 2).join(' ')),
        ['bob A'],
      );
      const truth = new Service();
      await night({ service, people: [person('ann', 'A', 'B'), person('bob', 'A', 'C')] }, truth);
      assert.deepEqual([...truth.has('ann@example.com')], ['A', 'B']);
      assert.deepEqual([...truth.has('bob@example.com')], ['A', 'C']);
      assert.deepEqual(await listed(service), []);
      await night({ service, people: [person('ann', 'A'), person('bob', 'A', 'C')] });
      assert.equal((await listed(service)).length, 1);
    });

    test('what is left behind after somebody has looked is not marked with what they saw', async () => {
      const service = unique('service');
      for (const groups of [
        ['A', 'B', 'C'],
        ['A', 'B'],
      ])
        await night({ service, people: [person('ann', ...groups)] });
      const { at } = await ledger.countLeftBehind({ service });
      const runId = await night({ service, people: [person('ann', 'A')] });
      const { groups } = await ledger.markLeftBehindDone({ service }, { before: at, by: 'hr@desk', limit: 10 });
      assert.deepEqual([groups, await listed(service)], [1, [`ann B changed ${runId}`]]);
    });

    test('who returns after that is given everything also by the roster after one that was not sent', async () => {
      const service = unique('service');
      const people = [person('ann', 'A'), person('bob', 'A')];
      await night({ service, people });
      await night({ service, people: people.slice(0, 1) });
      assert.equal(await markDone(service), 1);
      const stopped = await releasePeople(ledger, { service, people });
      await ledger.moveRun(stopped, 'halt', { by: 'service', reason: 'refused' });
      const truth = new Service();
      await night({ service, people }, truth);
      assert.deepEqual([...truth.has('bob@example.com')], ['A']);
    });

    test('a leaver has every group that was ever given and not taken, and none of them once all are marked', async () => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'X'), person('bob', 'IT', 'Staff')] });
      await night({ service, people: [person('ann', 'X'), person('bob', 'Sales')] });
      const last = await night({ service, people: [person('ann', 'X'), person('bob', 'Board')] });
      const gone = await night({ service, people: [person('ann', 'X')] });
      const departed = await ledger.listDeparted(gone, '', 10);
      assert.deepEqual(
        departed.map(({ groups }) => groups),
        [['Board', 'IT', 'Sales', 'Staff']],
      );
      assert.equal((await listed(service)).length, 4);
      assert.ok((await listed(service)).includes(`bob Board departed ${gone}`));
      const { rows: his } = await ledger.listLeftBehind({ service, group: 'Board' }, undefined, 10);
      assert.equal(his[0]?.givenRun, last);
      assert.ok(his[0].since && his[0].givenAt && his[0].givenAt < his[0].since);
      const departures = { isSnapshot: true, spared: [] };
      const asked = { service, people: [person('ann', 'X')], departures };
      const before = await planPeople(ledger, asked);
      assert.deepEqual([before.plan.departures?.left, before.plan.counts.leftBehind], [1, 0]);
      await ledger.discardRun(before.runId);
      await markDone(service, { person: 'bob@example.com' });
      assert.deepEqual(await ledger.listDeparted(gone, '', 10).then(([bob]) => bob?.groups), []);
      const afterwards = await planPeople(ledger, asked);
      assert.equal(afterwards.plan.departures?.left, 0);
    });

    test('what only another source gave, which lacks the person too, is left behind', async () => {
      const service = unique('service');
      const bob = person('bob', 'B');
      await night({ service, people: [person('ann', 'A'), bob] });
      await night({ service, source: 'other', people: [person('ann', 'A'), bob] });
      await night({ service, source: 'other', people: [bob] });
      assert.deepEqual(await listed(service), []);
      const last = await night({ service, people: [bob] });
      assert.deepEqual(await listed(service), [`ann A departed ${last}`]);
    });

    test('a call with forceSync takes away what it does not name, and a plan counts that', async () => {
      const service = unique('service');
      const first = await night({ service, people: [person('ann', 'A')] });
      const second = await night({ service, people: [person('ann', 'B')] });
      const [left] = (await ledger.listLeftBehind({ service }, undefined, 10)).rows;
      const people = [person('ann', 'C')];
      const planned = await planPeople(ledger, { service, people, settings: { forceSync: true } });
      assert.equal(planned.plan.counts.leftBehind, 0);
      const removals = await ledger.removalsOf({ runId: planned.runId, service, source: 'staff' });
      assert.deepEqual(removals, { people: 1, memberships: 2 });
      await ledger.discardRun(planned.runId);
      const forced = await night({ service, people, settings: { forceSync: true } });
      assert.deepEqual(await listed(service), []);
      const known = (await ledger.personHistory('ann@example.com')).leftBehind.filter(
        (each) => each.service === service,
      );
      assert.deepEqual(
        known.map(({ group, givenRun, run, takenRun }) => [group, givenRun, run, takenRun]),
        [
          ['A', first, second, forced],
          ['B', second, forced, forced],
        ],
      );
      assert.deepEqual(known[0]?.since, left?.since, 'since when she is left in a group is not when it was taken away');
    });

    test('what another source still gives is not left behind; a corrected file of rejects leaves nothing behind', async () => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'A')] });
      await night({ service, source: 'other', people: [person('ann', 'A', 'C')] });
      await night({ service, people: [person('ann', 'B')] });
      assert.deepEqual(await listed(service), []);
      const last = await night({ service, source: 'other', people: [person('ann', 'C')] });
      assert.deepEqual(await listed(service), [`ann A changed ${last}`]);

      const runId = await releasePeople(ledger, { service, people: [person('ann', 'D')], ...ofRejects });
      await deliverAll(ledger, runId, (id, call) => ({ ...ending(id, call, 'succeeded'), answer: accepted(['D']) }));
      assert.deepEqual(await listed(service), [`ann A changed ${last}`]);
      assert.deepEqual(await had(service, 'ann@example.com'), new Set(['A', 'B', 'C', 'D']));
      const whole = await night({ service, people: [person('ann', 'D')] });
      assert.deepEqual(await listed(service), [`ann A changed ${last}`, `ann B changed ${whole}`]);
    });

    const row = { file: 'people.csv', line: 9, cells: [], column: 'email', value: '', reason: 'is garbled' };
    const parts = {
      'rejected a row of them': { rejects: [{ ...row, person: 'ann@example.com' }] },
      'rejected a row with their employee id': { ids: { ann: 'E1' }, rejects: [{ ...row, employeeId: 'e1' }] },
      'may have lost rows': { hasLostRows: true },
      'has corrected rows only': ofRejects,
    } as const;
    for (const [what, part] of Object.entries(parts)) {
      for (const [how, groups] of [
        ['nothing is sent', ['Sales']],
        ['they are sent', ['Sales', 'News']],
        ['it is recorded as given', ['Sales', 'News']],
      ] as const) {
        test(`a roster that ${what} takes no group from anybody, nor does a call of another source: ${how}`, async () => {
          const service = unique('service');
          const club = { service, source: 'club', settings: { forceSync: true } };
          const truth = new Service();
          await night({ service, people: [person('ann', 'Sales', 'Board')] }, truth);
          await night({ ...club, people: [person('ann', 'Club')] }, truth);
          const of = { service, people: [person('ann', ...groups)], ...part };
          const { runId, plan } = await planPeople(ledger, of);
          assert.equal(plan.counts.leftBehind, 0);
          await ledger.discardRun(runId);
          if (how === 'it is recorded as given') await ledger.recordBaseline((await planPeople(ledger, of)).runId);
          else await night(of, truth);
          assert.deepEqual(await listed(service), []);
          await night({ ...club, people: [person('ann', 'Club 2')] }, truth);
          const all = ['Board', 'Club 2', ...groups].toSorted();
          assert.deepEqual([...truth.has('ann@example.com')].toSorted(), all);
          assert.deepEqual([...(await had(service, 'ann@example.com'))].toSorted(), all);
          const whole = await night({ service, people: [person('ann', ...groups)] }, truth);
          assert.deepEqual(await listed(service), [`ann Board changed ${whole}`]);
        });
      }
    }

    test('what somebody had as one who left is left behind by a corrected file of rejects too', async () => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'A'), person('bob', 'A')] });
      const policy = { group: 'Leavers', forceSync: false, after: 1 };
      const departures = { isSnapshot: true, spared: [], policy };
      await deliverAll(ledger, await releasePeople(ledger, { service, people: [person('bob', 'A')], departures }));
      const of = { service, people: [person('ann', 'D')], ...ofRejects };
      const { runId, plan } = await planPeople(ledger, of);
      assert.deepEqual([plan.counts.leftBehind, plan.counts.leftBehindGroups], [1, 2]);
      await ledger.releaseRun(runId, false);
      await deliverAll(ledger, runId, (id, call) => success(id, call, ['D']));
      assert.deepEqual(await listed(service), [`ann A changed ${runId}`, `ann Leavers changed ${runId}`]);
    });

    test('a corrected file of rejects that is sent with forceSync takes away what was given since it was planned', async () => {
      const service = unique('service');
      const of = { service, settings: { forceSync: true } };
      await night({ service, people: [person('ann', 'A')] });
      const event = { people: [person('ann', 'A', 'B')], beside: true, trigger: 'event' } as const;
      const [due] = await ledger.findDue(await releasePeople(ledger, { ...of, ...event }), { limit: 1 });
      const { id, call } = await claimAndBegin(ledger, due);
      const runId = await releasePeople(ledger, { ...of, people: [person('ann', 'D')], ...ofRejects });
      await ledger.record(success(id, call, ['A', 'B']));
      await deliverAll(ledger, runId, (...last) => success(...last, ['D', 'A']));
      assert.deepEqual(await had(service, 'ann@example.com'), new Set(['A', 'D']));
    });

    test('backups carry it, erasing somebody removes it, and another address of theirs takes it over', async (t) => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'A'), person('bob', 'A')] });
      const moved = await night({ service, people: [person('ann', 'B'), person('bob', 'B')] });
      const folder = mkdtempSync(join(tmpdir(), 'rs-backup-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const backup = await backUp(ledger, join(folder, 'people'));
      await home.pool.query('delete from left_behind where service = $1', [service]);
      assert.deepEqual(await listed(service), []);
      await restoreBackup(databaseOver(home.pool), backup);
      assert.deepEqual(await listed(service), [`ann A changed ${moved}`, `bob A changed ${moved}`]);
      await decideMove(ledger, {
        ...{ service, oldKey: 'bob@example.com', newKey: 'rob@example.com', decision: 'renamed-there' },
      });
      await home.pool.query("delete from runs where status = 'planning'");
      await ledger.erasePerson({ key: 'ann@example.com', instead: unique('forgotten') });
      const [ofAnn, ofRob] = [
        await ledger.personHistory('ann@example.com'),
        await ledger.personHistory('rob@example.com'),
      ];
      assert.deepEqual(ofAnn.leftBehind, []);
      assert.deepEqual(
        ofRob.leftBehind.filter((each) => each.service === service).map(({ address, group }) => [address, group]),
        [['rob@example.com', 'A']],
      );
    });

    test('a ledger of an older version learns from its receipts what was left behind', async () => {
      const service = unique('service');
      const first = await night({ service, people: [person('ann', 'A'), person('bob', 'A')] });
      const second = await night({ service, people: [person('ann', 'B'), person('bob', 'B')] });
      await night({ service, people: [person('ann', 'B'), person('bob', 'C')], settings: { forceSync: true } });
      const table =
        'select service, person_key, group_name, given_run, since_run, taken_run from left_behind where service = $1 order by 2, 3';
      const { rows: kept } = await home.pool.query<object>(table, [service]);
      assert.equal(kept.length, 3);
      assert.partialDeepStrictEqual(kept[0], { group_name: 'A', given_run: first, since_run: second });
      await home.pool.query('drop table left_behind; drop index departures_person');
      await migrations['004-left-behind']?.up(databaseOver(home.pool));
      const { rows } = await home.pool.query<object>(table, [service]);
      assert.deepEqual(rows, kept);
    });

    test('what forceSync took away is there again once a call gives it, also if that gives only a part', async () => {
      const service = unique('service');
      await night({ service, people: [person('ann', 'A', 'B')] });
      await night({ service, people: [person('ann', 'A', 'C')], settings: { forceSync: true }, refused: ['C'] });
      assert.deepEqual(await had(service, 'ann@example.com'), new Set(['A']));
      await night({ service, people: [person('ann', 'A', 'B')], refused: ['A'] });
      assert.deepEqual(await had(service, 'ann@example.com'), new Set(['A', 'B']));
    });

    test('what people have is what their receipts gave and none took away, and nothing else is listed: any nights', async () => {
      const groups = ['A', 'B', 'C', 'D'];
      const names = ['ann', 'bob', 'cy'];
      const some = fc.subarray(groups, { minLength: 1 });
      const step = fc.record({
        source: fc.constantFrom('staff', 'other'),
        people: fc.array(fc.record({ name: fc.constantFrom(...names), groups: some }), { minLength: 1, maxLength: 3 }),
        forceSync: fc.integer({ min: 0, max: 4 }).map((die) => die === 0),
        refused: fc.oneof(
          { weight: 4, arbitrary: fc.constant<string[]>([]) },
          { weight: 1, arbitrary: fc.subarray(groups) },
        ),
        isMarked: fc.integer({ min: 0, max: 3 }).map((die) => die === 0),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
          const service = unique('service');
          const truth = new Service();
          const rosters = new Map<string, Member[]>();
          const isWhole = new Map<string, boolean>();
          for (const [at, { source, people, forceSync, refused, isMarked }] of steps.entries()) {
            const roster = [...new Map(people.map((each) => [each.name, person(each.name, ...each.groups)])).values()];
            await night({ service, source, people: roster, settings: { forceSync }, refused }, truth);
            rosters.set(source, roster);
            isWhole.set(source, refused.length === 0);
            for (const member of refused.length === 0 ? roster : []) {
              for (const group of member.groups)
                assert.ok(truth.has(member.email).has(group), `${member.email} ${group}`);
            }
            for (const each of names) {
              const email = `${each}@example.com`;
              assert.deepEqual([...(await had(service, email))].toSorted(), [...truth.has(email)].toSorted(), email);
            }
            // A forced call also gives what another source gave only in part: whose that is then, nobody can say.
            const done = steps.slice(0, at + 1);
            if (done.some((each) => each.forceSync) && done.some((each) => each.refused.length > 0)) continue;
            if (![...isWhole.values()].every(Boolean)) continue;
            const wanted = [...rosters.values()].flat();
            const left = names.flatMap((each) =>
              [...truth.has(`${each}@example.com`)]
                .filter((group) => !wanted.some((member) => member.firstname === each && member.groups.includes(group)))
                .toSorted()
                .map((group) => `${each} ${group}`),
            );
            const found = (await listed(service)).map((line) => line.split(' ').slice(0, 2).join(' '));
            assert.deepEqual(found, left);
            if (!isMarked) continue;
            await markDone(service, { group: 'A' });
            for (const each of left) {
              const [who, group = ''] = each.split(' ');
              if (group === 'A') truth.has(`${who}@example.com`).delete(group);
            }
            assert.deepEqual(
              (await listed(service)).filter((line) => line.includes(' A ')),
              [],
            );
          }
        }),
        { numRuns: 15, endOnFailure: true },
      );
    });
  });
}
