import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { StagedRow } from '../../src/ledger/planning/staging.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, listUnchanged, person, releasePeople, rowOf, settings, unique } from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`people who are as they were given, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    const [ann, bob, eve] = [person('ann', 'A'), person('bob', 'A'), person('eve', 'A')];

    /** A service at which this source has given ann, bob and eve everything. */
    async function given(ids: Record<string, string> = {}): Promise<{ service: string; source: string }> {
      const service = unique('service');
      await deliverAll(ledger, await releasePeople(ledger, { people: [ann, bob, eve], service, ids }));
      return { service, source: 'staff' };
    }

    async function newRun({ service, source }: { service: string; source: string }): Promise<string> {
      const id = unique('run');
      await ledger.createRun({ id, source, service, trigger: 'import', settings, worker: 'one' });
      return id;
    }

    const linesOf = (rows: readonly StagedRow[]): number[] => rows.map(({ line }) => line);

    async function membersOf(runId: string): Promise<string[]> {
      const { rows } = await home.pool.query<{ person_key: string }>(
        'select person_key from members where run_id = $1 order by 1',
        [runId],
      );
      return rows.map((row) => row.person_key.split('@')[0] ?? '');
    }

    async function planned(runId: string, at: { service: string; source: string }, departures = false) {
      return ledger.planRun({
        ...{ runId, ...at, forceSync: false, invite: true, all: false },
        ...(departures && { departures: { isSnapshot: true, spared: [] } }),
      });
    }

    test('they are listed and counted, without a member each; whoever differs in anything is left to be staged', async () => {
      const at = await given();
      const runId = await newRun(at);
      const rows = [
        rowOf(ann, 2),
        rowOf({ ...bob, lastname: 'Married' }, 3),
        rowOf(person('new', 'A'), 4),
        { ...rowOf(eve, 5), employeeId: '7' },
        rowOf(person('two\nlines', 'A'), 6),
      ];
      const others = await listUnchanged(ledger, { runId, ...at }, rows);
      assert.deepEqual(linesOf(others), [3, 4, 5, 6]);
      await ledger.stageRows(runId, others.slice(0, 3));
      await ledger.stageListed(runId, false);
      assert.deepEqual(await membersOf(runId), ['bob', 'eve', 'new']);
      assert.deepEqual(await ledger.countStaged(runId), { members: 4, used: 4, rejects: 0 });
      const { counts, calls } = await planned(runId, at);
      assert.deepEqual([counts.unchanged, counts.changed, counts.new, calls], [2, 1, 1, 2]);
      const of = { runId, ...at };
      const unchanged = await ledger.peopleOfRun(of, { actions: ['unchanged'] }, { limit: 9 });
      assert.deepEqual(
        unchanged.map(({ now, file, line, action }) => [now.email, now.groups, file, line, action]),
        [
          ['ann@example.com', ['A'], 'people.csv', 2, 'unchanged'],
          ['eve@example.com', ['A'], 'people.csv', 5, 'unchanged'],
        ],
      );
      const found = await ledger.peopleOfRun(of, { actions: ['unchanged'], text: 'ANN', group: 'A' }, { limit: 9 });
      assert.deepEqual(
        found.map(({ key }) => key),
        ['ann@example.com'],
      );
    });

    test('rows of several files are listed each with its file and line, whoever differs among them', async () => {
      const at = await given();
      const runId = await newRun(at);
      const rows = [
        rowOf(ann, 2),
        { ...rowOf({ ...eve, lastname: 'Married' }, 3), file: 'more.csv' },
        { ...rowOf(bob, 2), file: 'more.csv' },
      ];
      assert.deepEqual(linesOf(await listUnchanged(ledger, { runId, ...at }, rows)), [3]);
      const listed = await home.pool.query(
        'select file, keys, lines from unchanged_people where run_id = $1 order by file desc',
        [runId],
      );
      assert.deepEqual(listed.rows, [
        { file: 'people.csv', keys: ['ann@example.com'], lines: [2] },
        { file: 'more.csv', keys: ['bob@example.com'], lines: [2] },
      ]);
    });

    test('in a run of some people they are members, and stay so when it is released', async () => {
      const { service } = await given();
      const runId = await releasePeople(ledger, { people: [ann, person('new', 'A')], service, partial: true });
      assert.deepEqual(await membersOf(runId), ['ann', 'new']);
    });

    test('whoever did not succeed, was missing, or was given it too long ago is left to be staged', async () => {
      const service = unique('service');
      const at = { service, source: 'staff' };
      const first = await releasePeople(ledger, { people: [ann, bob, eve], service });
      await deliverAll(ledger, first, (id, call) => ending(id, call, 'partial'));
      const again = await newRun(at);
      assert.equal((await listUnchanged(ledger, { runId: again, ...at }, [rowOf(ann, 2)])).length, 1);
      await ledger.discardRun(again);
      const here = await given();
      const runId = await newRun(here);
      await home.pool.query(`update people set missing_runs = 1 where service = $1 and person_key like 'ann@%'`, [
        here.service,
      ]);
      await home.pool.query(
        `update people set given_at = now() - interval '2 days' where service = $1 and person_key like 'bob@%'`,
        [here.service],
      );
      const rows = [rowOf(ann, 2), rowOf(bob, 3), rowOf(eve, 4)];
      const others = await listUnchanged(ledger, { runId, ...here, refreshMs: 86_400_000 }, rows);
      assert.deepEqual(linesOf(others), [2, 3]);
    });

    test('with another row to come they become a member with the line they stand on, and both rows are merged', async () => {
      const at = await given();
      const runId = await newRun(at);
      assert.deepEqual(await listUnchanged(ledger, { runId, ...at }, [rowOf(ann, 2), rowOf(bob, 3)]), []);
      await ledger.stageLater(runId, [rowOf({ ...bob, groups: ['B'] }, 9)]);
      await ledger.stageListed(runId, false);
      assert.deepEqual(await membersOf(runId), ['bob']);
      assert.deepEqual(await ledger.countStaged(runId), { members: 2, used: 2, rejects: 0 });
      const [several] = await ledger.peopleWithSeveralRows(runId, 10);
      assert.deepEqual(
        several?.rows.map(({ line, member }) => [line, member]),
        [
          [3, bob],
          [9, { ...bob, groups: ['B'] }],
        ],
      );
    });

    test('a row that was taken for a later one of its person, and is the only one, becomes a member all the same', async () => {
      const at = await given();
      const runId = await newRun(at);
      const row = {
        ...rowOf({ ...person('new', 'A', 'B'), telephone: '+45 1' }, 4),
        employeeId: '7',
        startsOn: 20270101,
      };
      await ledger.stageLater(runId, [row]);
      await ledger.stageListed(runId, false);
      await ledger.stageOrphans(runId);
      assert.deepEqual(await membersOf(runId), ['new']);
      assert.deepEqual(await ledger.peopleWithSeveralRows(runId, 10), []);
      assert.deepEqual(await ledger.sampleMembers(runId, true, 5), [row.member]);
      const { rows } = await home.pool.query('select employee_id, starts_on, lines from members where run_id = $1', [
        runId,
      ]);
      assert.deepEqual(rows, [{ employee_id: '7', starts_on: 20270101, lines: [4] }]);
    });

    test('who is listed has not left; who is neither listed nor a member has, and only they are noted as missing', async () => {
      const at = await given();
      const runId = await newRun(at);
      assert.deepEqual(await listUnchanged(ledger, { runId, ...at }, [rowOf(ann, 2), rowOf(bob, 3)]), []);
      await ledger.stageLeavers({ runId, ...at }, [{ key: 'bob@example.com' }]);
      await ledger.stageListed(runId, false);
      const counts = { rows: 2, members: 2, merged: 0, filtered: 0, rejects: 0 };
      const form = {
        file: 'people.csv',
        format: 'csv',
        encoding: 'utf-8',
        header: [],
        headerLine: 1,
        notes: [],
      } as const;
      await ledger.describeRoster(runId, {
        form: { ...form, delimiter: ',', newline: '\n', header: [], notes: [] },
        ...{ counts, checksum: '', time: '2026-01-02T00:00:00.000Z', partial: false },
      });
      const plan = await planned(runId, at, true);
      assert.deepEqual([plan.departures?.departed, plan.counts.unchanged, plan.calls], [1, 2, 0]);
      await ledger.releaseRun(runId, false);
      assert.deepEqual(
        (await ledger.listDeparted(runId, '', 10)).map(({ key }) => key),
        ['eve@example.com'],
      );
      const missing = await home.pool.query(
        'select person_key, missing_runs from people where service = $1 and missing_runs > 0',
        [at.service],
      );
      assert.deepEqual(missing.rows, [{ person_key: 'eve@example.com', missing_runs: 1 }]);
      const left = await home.pool.query('select 1 from unchanged_people where run_id = $1', [runId]);
      assert.equal(left.rows.length, 0);
    });

    test('of whom one row was rejected becomes a member with forceSync only, so that all rows wait', async () => {
      const at = await given({ ann: '7' });
      const reject = { file: 'people.csv', line: 9, column: 'x', value: '', reason: 'no', cells: ['x'] };
      for (const whose of [{ person: 'ann@example.com' }, { employeeId: '7' }]) {
        for (const [forceSync, members] of [
          [false, []],
          [true, ['ann']],
        ] as const) {
          const runId = await newRun(at);
          const others = await listUnchanged(ledger, { runId, ...at }, [
            { ...rowOf(ann, 2), employeeId: '7' },
            rowOf(bob, 3),
          ]);
          assert.deepEqual(others, []);
          await ledger.addRejects(runId, [{ ...reject, ...whose }]);
          await ledger.stageListed(runId, forceSync);
          assert.deepEqual(await membersOf(runId), members);
          assert.equal((await ledger.peopleHalfRead(runId, 10)).length, members.length);
          await ledger.discardRun(runId);
        }
      }
    });

    test('a person whom another run of the source gives something while the roster is read is compared again and changed', async () => {
      const at = await given();
      const runId = await newRun(at);
      assert.deepEqual(await listUnchanged(ledger, { runId, ...at }, [rowOf(ann, 2), rowOf(bob, 3)]), []);
      const told = {
        people: [{ ...ann, lastname: 'Married' }],
        service: at.service,
        trigger: 'event',
        beside: true,
      } as const;
      await deliverAll(ledger, await releasePeople(ledger, told));
      assert.deepEqual(await ledger.stageListed(runId, false), [{ file: 'people.csv', line: 2 }]);
      assert.deepEqual(await ledger.countStaged(runId), { members: 1, used: 1, rejects: 0 });
      await ledger.stageRows(runId, [rowOf(ann, 2)]);
      const { counts } = await planned(runId, at);
      assert.deepEqual([counts.changed, counts.unchanged], [1, 1]);
    });

    test('in a run that is not released they are shown as unchanged, cannot be forgotten, and go with its roster', async () => {
      const at = await given();
      const runId = await newRun(at);
      assert.deepEqual(await listUnchanged(ledger, { runId, ...at }, [rowOf(ann, 2), rowOf(bob, 3)]), []);
      const shown = (await ledger.personHistory('ann@example.com')).runs.find(({ run }) => run === runId);
      assert.deepEqual([shown?.action, shown?.row?.lines, shown?.row?.groups], ['unchanged', [2], ['A']]);
      const { inTheWay } = await ledger.whatIsKnownOf('ann@example.com');
      assert.ok(inTheWay.some(({ id }) => id === runId));
      await ledger.discardRun(runId);
      const left = await home.pool.query('select 1 from unchanged_people where run_id = $1', [runId]);
      assert.equal(left.rows.length, 0);
    });

    test('the groups that anybody was given are known, the most frequent first and equal ones by name', async () => {
      const service = unique('service');
      const people = [person('ann', 'B', 'A'), person('bob', 'C', 'B'), person('eve', 'C', 'A'), person('may', 'C')];
      await deliverAll(ledger, await releasePeople(ledger, { people, service }));
      assert.deepEqual(await ledger.groupsGiven(service), ['C', 'A', 'B']);
    });

    test('they count where it is asked whose people these are, and who went from one group to another', async () => {
      const service = unique('service');
      const at = { service, source: 'staff' };
      const both = [person('ann', 'A', 'B'), person('bob', 'A')];
      await deliverAll(ledger, await releasePeople(ledger, { people: both, service }));
      await deliverAll(ledger, await releasePeople(ledger, { people: [ann], ...at, source: 'other' }));
      const runId = await newRun(at);
      assert.deepEqual(
        await listUnchanged(
          ledger,
          { runId, ...at },
          both.map((member, index) => rowOf(member, index)),
        ),
        [],
      );
      const known = await ledger.knownBySource({ runId, service });
      assert.deepEqual(Object.fromEntries(known.map(({ source, people }) => [source, people])), { staff: 2, other: 1 });
      assert.deepEqual(await ledger.groupMoves({ runId, ...at }, { from: ['A'], to: ['B'] }), [
        { from: 'A', to: 'B', people: 1 },
      ]);
    });
  });
}
