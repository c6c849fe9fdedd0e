import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { BusyError } from '../../src/core/errors.ts';
import { rowsInRange } from '../../src/ledger/database/database.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import {
  deliverAll,
  ending,
  person,
  planPeople,
  releasePeople,
  rowOf,
  settings,
  takeAndClaim,
  unique,
} from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`planning in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    async function newRun(service = unique('service')): Promise<string> {
      const id = unique('run');
      await ledger.createRun({ id, source: 'staff', service, trigger: 'import', settings, worker: 'one' });
      return id;
    }

    // First, while the database holds little.
    test('is planned by the database for each run anew: plans that fit one person are kept for nothing that reads a run', async () => {
      for (let run = 0; run < 20; run += 1) {
        await releasePeople(ledger, { people: [person(`p${run}`, 'Sales')], service: unique('service') });
      }
      const { rows } = await home.pool.query<{ statement: string }>('select statement from pg_prepared_statements');
      const kept = rows.map(({ statement }) => statement);
      assert.ok(
        kept.some((text) => /\bfrom runs\b/.test(text)),
        'others are kept',
      );
      assert.deepEqual(
        // A claim finds its members by their ids.
        kept.filter((text) => /\bmembers\b|\bpeople own\b/.test(text) && !text.includes('in_hand')),
        [],
      );
    });

    test('compares each person only with their own data, although the database has no statistics of the run yet', async () => {
      const people = Array.from({ length: 300 }, (_, at) => person(`known${at}`, 'Sales'));
      const given = async (service: string): Promise<number> =>
        ledger.recordBaseline((await planPeople(ledger, { people, service })).runId);
      const read = async (): Promise<number> => {
        // Each session counts for itself, and says it only now and then.
        const sessions = await Promise.all(Array.from({ length: home.pool.totalCount }, () => home.pool.connect()));
        for (const session of sessions) {
          await session.query('select pg_stat_force_next_flush()');
          session.release();
        }
        const { rows } = await home.pool.query<{ read: string }>(
          "select sum(idx_tup_read) as read from pg_stat_user_indexes where relname in ('members', 'people', 'deliveries')",
        );
        return Number(rows[0]?.read);
      };
      for (let before = 0; before < 12; before += 1) await given(unique('service'));
      await home.pool.query('analyze members, people');
      const service = unique('service');
      await given(service);
      const before = await read();
      await releasePeople(ledger, { people: people.map((each) => ({ ...each, groups: ['Legal'] })), service });
      const perPerson = ((await read()) - before) / people.length;
      // Some 30; the 300 of everybody where each is compared with all.
      assert.ok(perPerson < 100, String(perPerson));
    });

    test('makes known to the planner of the database how many people there are, before it compares with them', async () => {
      const service = unique('service');
      const people = Array.from({ length: 500 }, (_, at) => person(`p${at}`, 'Sales'));
      await ledger.recordBaseline((await planPeople(ledger, { people, service })).runId);
      await planPeople(ledger, { people, service });
      const { rows } = await home.pool.query<{ known: number }>(
        "select reltuples::integer as known from pg_class where oid = 'people'::regclass",
      );
      assert.ok((rows[0]?.known ?? 0) >= 500, `${rows[0]?.known}`);
    });

    test('counts everybody of a large run once, and lets others in between: no statement compares more than 10,000 people', async () => {
      const [service, people] = [unique('service'), 25_000];
      const runId = await newRun(service);
      const text = `'{"form":{"header":[]},"partial":false,"time":"2026-01-31T00:00:00Z"}'`;
      await home.pool.query(`update runs set roster = ${text}::jsonb where id = $1`, [runId]);
      await home.pool.query(
        `insert into people (service, source, person_key, fingerprint, firstname, lastname, email, groups, given_at, last_outcome, last_run)
         select $1, 'staff', 'p' || n || '@x.example', 'before', 'A', 'B', 'p' || n || '@x.example', '["Old"]', now(), 'succeeded', 'old'
         from generate_series(1, $2::integer, 2) n`,
        [service, people],
      );
      await home.pool.query(
        `insert into members (run_id, person_key, file, lines, firstname, lastname, email, groups, fingerprint)
         select $1, 'p' || n || '@x.example', 'staff.csv', jsonb_build_array(n), 'A', 'B', 'p' || n || '@x.example', '["New"]', 'now'
         from generate_series(1, $2::integer) n`,
        [runId, people],
      );
      const asked = { runId, source: 'staff', service, forceSync: false, invite: true, all: false };
      const planning = ledger.planRun(asked);
      const between = await answersDuring(planning);
      const { counts, calls, possibleInvitations } = await planning;
      assert.deepEqual([counts.new, counts.changed, counts.leftBehind], [people / 2, people / 2, people / 2]);
      assert.deepEqual([calls, possibleInvitations], [people, people / 2]);
      // One session is shared statement by statement.
      if (name === 'embedded') assert.ok(between >= 6, `${between} questions were answered meanwhile`);
      const [first] = await ledger.changedSamples({ runId, service, source: 'staff' }, 1);
      assert.deepEqual([first?.now.email, first?.before.groups], ['p1@x.example', ['Old']]);
      const changes = await ledger.changesOf({ runId, service, source: 'staff' });
      assert.deepEqual([changes.groupsAdded, changes.groupsRemoved, changes.names], [people / 2, people / 2, 0]);
    });

    /** A run of more people than a range has, all new; the order of their keys is not that of their lines. */
    async function planMany(of: Ledger, { service = unique('service'), source = 'staff' } = {}): Promise<string> {
      const runId = unique('run');
      await of.createRun({ id: runId, source, service, trigger: 'import', settings, worker: of.worker });
      const text = `'{"form":{"header":[]},"partial":false,"time":"2026-01-31T00:00:00Z"}'`;
      await home.pool.query(`update runs set roster = ${text}::jsonb where id = $1`, [runId]);
      await home.pool.query(
        `insert into members (run_id, person_key, file, lines, firstname, lastname, email, groups, fingerprint, action)
         select $1, md5(n::text) || '@x.example', 'staff.csv', jsonb_build_array(n), 'A', 'B' || n, md5(n::text) || '@x.example',
           '["New"]', 'now', 'new'
         from generate_series(1, $2::integer) n`,
        [runId, many],
      );
      return runId;
    }
    const many = 12_000;

    /** Fails a write of a table at somebody in the second range, as if the process died there. */
    async function dyingAt(
      table: 'deliveries' | 'people',
      runId: string,
      act: () => Promise<unknown>,
      by = table === 'people' ? 'person_key' : 'lines->0',
    ): Promise<void> {
      const body = "begin raise exception 'the process died here'; end";
      await home.pool.query(`create function die() returns trigger language plpgsql as $$ ${body} $$`);
      const { rows } = await home.pool.query<{ key: string }>(
        `select person_key as key from members where run_id = $1 order by ${by} desc limit 1`,
        [runId],
      );
      await home.pool.query(
        `create trigger die before insert or update on ${table} for each row when (new.person_key = '${rows[0]?.key}') execute function die()`,
      );
      await assert.rejects(act, /the process died here/);
      await home.pool.query('drop function die cascade');
    }

    /** How many questions are answered while something is done. */
    async function answersDuring(act: Promise<unknown>): Promise<number> {
      let answers = 0;
      let isDone = false;
      void act.finally(() => (isDone = true));
      for (; !isDone; answers += 1) await ledger.listRuns(1);
      await act;
      return answers;
    }

    test('writes the deliveries of a large run in the order of its roster, and lets others in after each page', async () => {
      const runId = await planMany(ledger);
      const answers = await answersDuring(ledger.releaseRun(runId, false, [], { canary: true }));
      if (name === 'embedded') assert.ok(answers >= 8, `${answers} questions were answered meanwhile`);
      const { rows } = await home.pool.query<{ line: number; stage: number }>(
        `select (m.lines->0)::integer as line, d.stage from deliveries d join members m using (run_id, person_key)
         where d.run_id = $1 order by d.id`,
        [runId],
      );
      assert.deepEqual(
        rows.map(({ line }) => line),
        Array.from({ length: many }, (_, at) => at + 1),
      );
      assert.equal(rows[0]?.stage, 0);
      assert.equal(rows.at(-1)?.stage, 2);
      assert.equal(
        (await ledger.peopleOfRun({ runId, service: '', source: '' }, { text: 'b11999' }, { from: 0, limit: 5 }))
          .length,
        1,
      );
    });

    test('a process that dies between two ranges of deliveries has released nothing; what it wrote is not sent, and the next plan is whole', async () => {
      const service = unique('service');
      const dead = await home.ledger(unique('dead'));
      const runId = await planMany(dead, { service });
      await dyingAt('deliveries', runId, () => dead.releaseRun(runId, false));
      const { rows } = await home.pool.query<{ id: number }>('select id from deliveries where run_id = $1', [runId]);
      assert.equal(rows.length, many - rowsInRange);
      const unclaimed = async (): Promise<void> => {
        assert.deepEqual(await ledger.findDue(runId, { limit: 5 }), []);
        assert.equal(await ledger.claim({ id: rows[0]?.id ?? 0, feeds: 0 }), undefined);
      };
      await unclaimed();
      await ledger.failOrphanedPlans(60_000);
      assert.equal((await ledger.findRuns(runId))[0]?.status, 'failed');
      await unclaimed();
      const left = await home.pool.query('select id from deliveries where run_id = $1', [runId]);
      assert.deepEqual(left.rows, [], 'nor is anybody told that it was cancelled');
      const next = await planMany(ledger, { service });
      assert.equal((await ledger.releaseRun(next, false)).due, many);
      assert.equal((await ledger.findDue(next, { limit: many + 1 })).length, many);
      // A connection that is lost in between is no death: asked again, it writes the rest.
      const again = await planMany(ledger, { service: unique('service') });
      await dyingAt('deliveries', again, () => ledger.releaseRun(again, false));
      assert.deepEqual(await ledger.releaseRun(again, false), { due: many, held: 0, closed: [] });
    });

    test('a baseline whose process dies between two ranges is recorded to the end by the next one, and lets others in', async () => {
      const service = unique('service');
      const dead = await home.ledger(unique('dead'));
      const runId = await planMany(dead, { service });
      await dyingAt('people', runId, () => dead.recordBaseline(runId));
      assert.equal(await ledger.countKnown({ service, source: 'staff' }), many - rowsInRange);
      const answers = await answersDuring(ledger.failOrphanedPlans(60_000));
      if (name === 'embedded') assert.ok(answers >= 2, `${answers} questions were answered meanwhile`);
      const [run] = await ledger.findRuns(runId);
      assert.deepEqual([run?.status, run?.baseline], ['finished', true]);
      assert.equal(await ledger.countKnown({ service, source: 'staff' }), many);
    });

    test('an approval whose process dies between two ranges sends nobody; whoever asks again goes on, and lets others in', async () => {
      const runId = await planMany(ledger, { service: unique('service') });
      const trip = { guard: 'invites', scope: 'all', message: 'many', brief: 'many' } as const;
      assert.equal((await ledger.releaseRun(runId, false, [trip])).held, many);
      const approve = (by: string) =>
        ledger.approveHeld(runId, { by, note: '', hash: '', scope: { only: ['new'] } }, { canary: true });
      await dyingAt('deliveries', runId, () => approve('ann'), 'person_key');
      assert.equal((await ledger.findRuns(runId))[0]?.status, 'held');
      assert.equal(await ledger.countHeld(runId), many, 'also what was set free');
      assert.deepEqual(await ledger.findDue(runId, { limit: 5 }), []);
      const approving = approve('bob');
      const answers = await answersDuring(approving);
      if (name === 'embedded') assert.ok(answers >= 4, `${answers} questions were answered meanwhile`);
      assert.deepEqual(await approving, { released: many, superseded: 0, stillHeld: 0 });
      assert.equal((await ledger.findRuns(runId))[0]?.status, 'delivering');
      assert.equal((await approve('cid'))?.already?.by, 'ann');
    });

    test('an approval of less than one whose process died is refused: it would send more than it says', async () => {
      const runId = await planMany(ledger, { service: unique('service') });
      const { rows } = await home.pool.query<{ key: string }>(
        'select person_key as key from members where run_id = $1 order by person_key limit 1',
        [runId],
      );
      const trip = { guard: 'invites', scope: 'all', message: 'many', brief: 'many' } as const;
      const one = { ...trip, scope: { people: rows.map(({ key }) => key) } };
      assert.equal((await ledger.releaseRun(runId, false, [trip, one])).held, many);
      const approve = (exceptReasons: number[] = []) =>
        ledger.approveHeld(runId, { by: 'ann', note: '', hash: '', scope: { exceptReasons } });
      await dyingAt('deliveries', runId, () => approve(), 'person_key');
      await assert.rejects(approve([2]), /an approval of more was interrupted or is being made/);
      assert.deepEqual(await approve(), { released: many, superseded: 0, stillHeld: 0 });
    });

    test('stages the first row of a person as a member, and keeps the others until they are merged', async () => {
      const runId = await newRun();
      const [ann, bob] = [person('ann', 'Sales'), person('bob', 'Sales')];
      await ledger.stageRows(runId, [rowOf(ann, 2), rowOf(bob, 3), rowOf({ ...ann, groups: ['Finance'] }, 4)]);
      await ledger.stageRows(runId, [rowOf({ ...bob, groups: ['Legal'] }, 5)]);
      assert.deepEqual(await ledger.countStaged(runId), { members: 2, used: 2, rejects: 0 });
      const several = await ledger.peopleWithSeveralRows(runId, 10);
      assert.deepEqual(
        several.map(({ key, rows }) => [key, rows.map(({ line, member }) => [line, member.groups])]),
        [
          [
            'ann@example.com',
            [
              [2, ['Sales']],
              [4, ['Finance']],
            ],
          ],
          [
            'bob@example.com',
            [
              [3, ['Sales']],
              [5, ['Legal']],
            ],
          ],
        ],
      );
    });

    test('merges the rows of one person into one member, with all of its lines', async () => {
      const runId = await newRun();
      const ann = person('ann', 'Sales');
      await ledger.stageRows(runId, [rowOf(ann, 2), rowOf({ ...ann, groups: ['Finance'] }, 3)]);
      const member = { ...ann, groups: ['Sales', 'Finance'], telephone: '+45 1' };
      const merged = { key: 'ann@example.com', member, lines: [2, 3], fingerprint: 'f' };
      await ledger.mergePerson(runId, merged);
      await ledger.mergePerson(runId, merged);
      assert.deepEqual(await ledger.countStaged(runId), { members: 1, used: 2, rejects: 0 });
      assert.deepEqual(await ledger.peopleWithSeveralRows(runId, 10), []);
      assert.deepEqual(await ledger.sampleMembers(runId, true, 5), [member]);
    });

    test('makes rejects of the rows of two people on one address, and lists them by line, a page at a time', async () => {
      const runId = await newRun();
      const ann = person('ann', 'Sales');
      await ledger.stageRows(runId, [rowOf(ann, 4), rowOf({ ...ann, firstname: 'Other' }, 5)]);
      const about = { file: 'people.csv', column: 'email', value: 'x', reason: 'two people' };
      await ledger.rejectPerson(
        runId,
        'ann@example.com',
        [4, 5].map((line) => ({ ...about, line, cells: [] })),
      );
      await ledger.addRejects(runId, [{ ...about, line: 3, cells: ['a', 'b'] }]);
      assert.deepEqual(await ledger.countStaged(runId), { members: 0, used: 0, rejects: 3 });
      const file = 'people.csv';
      assert.deepEqual(await ledger.rejectsWithoutCells(runId), [
        { file, line: 4 },
        { file, line: 5 },
      ]);
      await ledger.completeRejects(runId, [{ file, line: 4, cells: ['c'] }]);
      const first = await ledger.listRejects(runId, { limit: 2 });
      assert.deepEqual(
        first.map(({ line, cells }) => [line, cells]),
        [
          [3, ['a', 'b']],
          [4, ['c']],
        ],
      );
      const [, last] = first;
      assert.ok(last);
      assert.deepEqual(
        (await ledger.listRejects(runId, { after: last, limit: 2 })).map(({ line }) => line),
        [5],
      );
    });

    test('narrows a run to the people asked for, and says who of them is not in it', async () => {
      const runId = await newRun();
      await ledger.stageRows(runId, [rowOf(person('ann', 'A'), 2), rowOf(person('bob', 'A'), 3)]);
      assert.deepEqual(await ledger.keysMissing(runId, ['ann@example.com', 'eve@example.com']), ['eve@example.com']);
      await ledger.narrowTo(runId, ['ann@example.com']);
      assert.deepEqual(await ledger.countStaged(runId), { members: 1, used: 1, rejects: 0 });
    });

    test('a first roster is new to everybody, with a possible invitation each and its groups counted', async () => {
      const people = [person('ann', 'Sales', 'Staff'), person('bob', 'Staff')];
      const { plan } = await planPeople(ledger, { people, service: unique('service') });
      assert.deepEqual(plan, {
        counts: { new: 2, changed: 0, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 0 },
        calls: 2,
        possibleInvitations: 2,
        groups: [
          { group: 'Staff', adds: 2 },
          { group: 'Sales', adds: 1 },
        ],
      });
    });

    test('the same people again are unchanged, also with their groups in another order, and are sent only on demand', async () => {
      const service = unique('service');
      await deliverAll(ledger, await releasePeople(ledger, { people: [person('ann', 'A', 'B')], service }));
      const again = { people: [person('ann', 'B', 'A')], service };
      const first = await planPeople(ledger, again);
      assert.deepEqual([first.plan.counts.unchanged, first.plan.calls], [1, 0]);
      await ledger.discardRun(first.runId);
      const second = await planPeople(ledger, { ...again, all: true });
      assert.deepEqual([second.plan.counts.unchanged, second.plan.calls], [1, 1]);
      await ledger.releaseRun(second.runId, true);
      assert.ok(await takeAndClaim(ledger, second.runId));
    });

    test('whoever has other groups or another name is changed; whoever did not succeed is again', async () => {
      const service = unique('service');
      const [ann, bob, eve] = [person('ann', 'A'), person('bob', 'A'), person('eve', 'A')];
      const first = await releasePeople(ledger, { people: [ann, bob], service });
      await deliverAll(ledger, first);
      const second = await releasePeople(ledger, { people: [eve], service });
      await deliverAll(ledger, second, (id, call) => ending(id, call, 'partial'));
      const people = [{ ...ann, groups: ['A', 'B'] }, { ...bob, lastname: 'Married' }, eve];
      const { plan } = await planPeople(ledger, { people, service });
      const { changed, again, unchanged, new: fresh } = plan.counts;
      assert.deepEqual({ changed, again, unchanged, fresh }, { changed: 2, again: 1, unchanged: 0, fresh: 0 });
      assert.deepEqual(plan.groups, [
        { group: 'A', adds: 3 },
        { group: 'B', adds: 1 },
      ]);
      assert.equal(plan.possibleInvitations, 1);
    });

    test('without forceSync, groups that only shrank are unchanged and left behind; with it, they are a change', async () => {
      const service = unique('service');
      await deliverAll(ledger, await releasePeople(ledger, { people: [person('ann', 'A', 'B')], service }));
      const people = [person('ann', 'A')];
      const without = await planPeople(ledger, { people, service });
      assert.deepEqual([without.plan.counts.unchanged, without.plan.counts.leftBehind], [1, 1]);
      await ledger.discardRun(without.runId);
      const withIt = await planPeople(ledger, { people, service, settings: { forceSync: true } });
      assert.deepEqual([withIt.plan.counts.changed, withIt.plan.counts.leftBehind], [1, 0]);
    });

    test('whoever another source was given at this service is no possible invitation; at another service everyone is new', async () => {
      const service = unique('service');
      await deliverAll(ledger, await releasePeople(ledger, { people: [person('ann', 'A')], service, source: 'other' }));
      const here = await planPeople(ledger, { people: [person('ann', 'B')], service });
      assert.deepEqual([here.plan.counts.changed, here.plan.possibleInvitations], [1, 0]);
      const elsewhere = await planPeople(ledger, { people: [person('ann', 'B')], service: unique('service') });
      assert.deepEqual([elsewhere.plan.counts.new, elsewhere.plan.possibleInvitations], [1, 1]);
    });

    test('only one run of a source plans or delivers at a time; others, and those of events, pass beside it', async () => {
      const service = unique('service');
      const options = { people: [person('ann', 'A')], service };
      const first = await planPeople(ledger, options);
      await assert.rejects(planPeople(ledger, options), BusyError);
      await planPeople(ledger, { ...options, source: 'other' });
      await ledger.releaseRun(first.runId, false);
      await assert.rejects(planPeople(ledger, options), BusyError);
      await ledger.moveRun(first.runId, 'pause');
      const second = await planPeople(ledger, options);
      await assert.rejects(ledger.moveRun(first.runId, 'resume'), BusyError);
      await ledger.discardRun(second.runId);
      assert.equal(await ledger.moveRun(first.runId, 'resume'), true);
    });

    test('a plan whose process has died is failed and leaves the way free; that of a process alive is left alone', async () => {
      const service = unique('service');
      const dead = await home.ledger(unique('dead'));
      const alive = await home.ledger(unique('alive'));
      await alive.beat(alive.worker, 60_000);
      const orphan = await planPeople(dead, { people: [person('ann', 'A')], service });
      const other = await planPeople(alive, { people: [person('ann', 'A')], service, source: 'other' });
      await ledger.failOrphanedPlans(60_000);
      assert.equal((await ledger.findRuns(orphan.runId))[0]?.status, 'failed');
      assert.equal((await ledger.findRuns(other.runId))[0]?.status, 'planning');
      await planPeople(ledger, { people: [person('ann', 'A')], service });
    });

    test('after the database was away no process counts as dead before all could give a sign of life', async () => {
      const planner = await home.ledger(unique('planner'));
      const witness = await home.ledger(unique('witness'));
      const { runId } = await planPeople(planner, { people: [person('ann', 'A')], service: unique('service') });
      const judged = async (): Promise<string | undefined> => {
        await witness.beat(witness.worker, 10_000);
        await witness.failOrphanedPlans(10_000, witness.worker);
        return (await ledger.findRuns(runId))[0]?.status;
      };
      assert.equal(await judged(), 'planning');
      await home.pool.query("update workers set alive_since = alive_since - interval '11 s' where id = $1", [
        witness.worker,
      ]);
      assert.equal(await judged(), 'failed');
    });
  });
}
