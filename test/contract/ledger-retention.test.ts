import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { pruneLedger } from '../../jobs/upkeep/prune-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Retention } from '../../src/ledger/figures/retention.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, person, planPeople, releasePeople, success, unique } from './plans.ts';

const day = 86_400_000;
const forever = { answersMs: Infinity, rostersMs: Infinity, receiptsMs: Infinity };

for (const { name, skip, open } of homes) {
  suite(`retention, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** Prunes as the end of a run does, with these times. */
    async function prune(times: Partial<Retention>): Promise<Awaited<ReturnType<typeof pruneLedger>>> {
      const config = { retention: { ...forever, ...times } } as Parameters<typeof pruneLedger>[0]['config'];
      return pruneLedger({ ledger, config }, 60_000);
    }
    async function makeOld(runId: string, days: number): Promise<void> {
      await home.pool.query(`update runs set finished_at = finished_at - $2 * interval '1 day' where id = $1`, [
        runId,
        days,
      ]);
    }
    async function countOf(table: string, runId: string): Promise<number> {
      const { rows } = await home.pool.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where run_id = $1`,
        [runId],
      );
      return rows[0]?.count ?? -1;
    }
    async function bodiesOf(runId: string): Promise<(string | null)[]> {
      const { rows } = await home.pool.query<{ body: string | null }>('select body from receipts where run_id = $1', [
        runId,
      ]);
      return rows.map(({ body }) => body);
    }
    async function delivered(service: string, days: number, trigger: 'import' | 'sync' = 'import'): Promise<string> {
      const runId = await releasePeople(ledger, {
        ...{ service, trigger, people: [person('ann', 'Sales'), person('bob', 'Sales')] },
        all: true,
      });
      await ledger.addRejects(runId, [
        { file: 'people.csv', line: 9, column: 'email', value: 'x', reason: 'no address', cells: ['Cy', 'x'] },
      ]);
      await ledger.keepCorrections(runId, [
        { file: 'people.csv', line: 2, column: 'email', was: 'x', value: 'ann@example.com', cells: 1 },
      ]);
      await deliverAll(ledger, runId, (id, call) => success(id, call, ['Sales']));
      await makeOld(runId, days);
      return runId;
    }

    test('removes the bodies of old answers, and keeps what was made of them', async () => {
      const service = unique('service');
      const [old, fresh] = [await delivered(service, 31), await delivered(service, 29)];
      assert.equal((await ledger.countPrunable({ ...forever, answersMs: 30 * day })).answers, 2);
      const pruned = await prune({ answersMs: 30 * day });
      assert.deepEqual([pruned.answers, pruned.isDone], [2, true]);
      assert.deepEqual(await bodiesOf(old), [null, null]);
      assert.deepEqual(await bodiesOf(fresh), ['{}', '{}']);
      assert.deepEqual((await ledger.totalsOf(old)).groups, [
        { group: 'Sales', calls: 2, inserts: 2, warnings: 0, succeeded: 2, failures: 0 },
      ]);
      assert.equal((await ledger.countPrunable({ ...forever, answersMs: 30 * day })).answers, 0);
    });

    test('removes people and rejects of old imports, not those of a source that is synced', async () => {
      const service = unique('service');
      const [imported, synced] = [await delivered(service, 91), await delivered(service, 91, 'sync')];
      await home.pool.query(`insert into search_texts (run_id, place, text) values ($1, 0, 'ann')`, [imported]);
      assert.equal((await prune({ rostersMs: 90 * day })).rosters, 3);
      assert.equal(await countOf('search_texts', imported), 0);
      assert.deepEqual([await countOf('members', imported), await countOf('rejects', imported)], [0, 0]);
      assert.deepEqual([await countOf('members', synced), await countOf('rejects', synced)], [2, 1]);
      assert.deepEqual([await countOf('corrections', imported), await countOf('corrections', synced)], [0, 1]);
      assert.equal(await countOf('deliveries', imported), 2);
      // Nothing will be compared with a roster that failed.
      const people = [person('ann', 'Sales')];
      const { runId } = await planPeople(ledger, { service, people, trigger: 'sync', source: unique('source') });
      await ledger.moveRun(runId, 'fail', { by: 'service', reason: 'it died' });
      await makeOld(runId, 91);
      assert.equal((await prune({ rostersMs: 90 * day })).rosters, 1);
      assert.equal(await countOf('members', runId), 0);
    });

    test('a run whose people are gone cannot be retried, and says so', async () => {
      const service = unique('service');
      const { runId } = await planPeople(ledger, { service, people: [person('ann', 'Sales')] });
      await ledger.releaseRun(runId, false);
      await deliverAll(ledger, runId, (id, call) => ending(id, call, 'failed'));
      await makeOld(runId, 91);
      await prune({ rostersMs: 90 * day });
      await assert.rejects(
        ledger.continueRun(runId, { move: 'retry' }),
        /no longer kept \(retention\).*Nothing was sent/,
      );
    });

    test('removes old runs whole, but never what was last given, and not the newest of a source', async () => {
      const service = unique('service');
      const old: string[] = [];
      for (let run = 0; run < 12; run += 1) old.push(await delivered(service, 401));
      await prune({ receiptsMs: 400 * day });
      for (const runId of old) {
        for (const table of ['receipts', 'deliveries', 'members', 'rejects', 'corrections']) {
          assert.equal(await countOf(table, runId), 0, table);
        }
      }
      const left = await Promise.all(old.map(async (runId) => (await ledger.findRuns(runId)).length));
      assert.deepEqual(left, [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
      const { plan } = await planPeople(ledger, { service, people: [person('ann', 'Sales'), person('bob', 'Sales')] });
      assert.deepEqual([plan.counts.unchanged, plan.calls], [2, 0]);
    });

    test('touches nothing of a run that is not over, however old', async () => {
      const service = unique('service');
      const people = [person('ann', 'Sales')];
      const paused = await releasePeople(ledger, { service, people, source: 'one' });
      await ledger.moveRun(paused, 'pause');
      const { runId: planning } = await planPeople(ledger, { service, people, source: 'two' });
      await home.pool.query(
        `update runs set created_at = now() - interval '9 years', finished_at = now() - interval '9 years' where id in ($1, $2)`,
        [paused, planning],
      );
      await prune({ answersMs: day, rostersMs: day, receiptsMs: day });
      assert.deepEqual([await countOf('members', paused), await countOf('deliveries', paused)], [1, 1]);
      assert.equal(await countOf('members', planning), 1);
    });

    test('keeps the groups that a person may have been given when nobody could say', async () => {
      const service = unique('service');
      const runId = await releasePeople(ledger, { service, people: [person('ann', 'Sales'), person('bob', 'Sales')] });
      let calls = 0;
      await deliverAll(ledger, runId, (id, call) => {
        calls += 1;
        return calls === 1 ? ending(id, call, 'unknown') : success(id, call);
      });
      await makeOld(runId, 401);
      await prune({ rostersMs: 90 * day, receiptsMs: 400 * day });
      assert.equal(await countOf('members', runId), 1);
      assert.equal((await ledger.findRuns(runId)).length, 1);
      // Once a later delivery has settled it, nothing of it stays.
      await delivered(service, 0);
      const times = { answersMs: Infinity, rostersMs: 90 * day, receiptsMs: 400 * day };
      const { rosters } = await ledger.countPrunable(times);
      await prune({ rostersMs: 90 * day });
      assert.equal(await countOf('members', runId), 0);
      assert.equal((await ledger.countPrunable(times)).rosters, rosters - 1);
    });

    test('keeps whom an approval left out until they are sent, or a later run holds them for it', async () => {
      const service = unique('service');
      const [ann, bo] = [person('ann', 'Sales'), person('bo', 'Board')];
      const times = { rostersMs: 90 * day, receiptsMs: 400 * day };
      const trip = (guard: 'withheld' | 'invites') => ({ guard, scope: 'all' as const, message: '' });
      /** A run that a guard has held, and that ended long ago without bo. */
      async function heldBack(guard: 'withheld' | 'invites'): Promise<string> {
        const { runId } = await planPeople(ledger, { service, people: [ann, bo], ids: { bo: '7' } });
        await ledger.releaseRun(runId, false, [trip(guard)]);
        if (guard === 'invites') {
          const approval = { by: 'approver', note: '', hash: 'a-hash', scope: { exceptGroups: ['Board'] } };
          await ledger.approveHeld(runId, approval);
          await deliverAll(ledger, runId);
        }
        await ledger.moveRun(runId, 'cancel', { by: 'guard', reason: 'held for 72 hours' });
        await makeOld(runId, 401);
        return runId;
      }
      const kept = async (runId: string): Promise<number[]> => [
        await countOf('members', runId),
        await countOf('deliveries', runId),
      ];
      /** Who would be held in a roster of today with bo at this address. */
      async function withheld(email = bo.email): Promise<string[]> {
        const people = [ann, { ...bo, email }];
        const { runId } = await planPeople(ledger, { service, people, ids: { bo: '7' } });
        const keys = await ledger.withheldOf({ runId, service, source: 'staff' }, 10);
        await ledger.discardRun(runId);
        return keys;
      }
      const first = await heldBack('invites');
      assert.deepEqual(await withheld('bob@example.com'), ['bob@example.com']);
      await prune(times);
      assert.deepEqual(await kept(first), [1, 1]);
      assert.deepEqual(await withheld(), [bo.email]);
      assert.deepEqual(await withheld('bob@example.com'), ['bob@example.com']);
      // Many runs later the run itself is still there.
      for (let run = 0; run < 11; run += 1) await delivered(service, 401);
      await prune(times);
      assert.deepEqual(await kept(first), [1, 1]);
      const second = await heldBack('withheld');
      await prune(times);
      assert.deepEqual(
        [await kept(first), await kept(second)],
        [
          [0, 0],
          [1, 1],
        ],
      );
      assert.equal((await ledger.findRuns(first)).length, 0);
      await deliverAll(
        ledger,
        await releasePeople(ledger, { service, people: [{ ...bo, email: 'bob@example.com' }], ids: { bo: '7' } }),
      );
      const { rosters } = await ledger.countPrunable({ ...forever, ...times });
      await prune(times);
      assert.ok(rosters > 0);
      assert.deepEqual(await kept(second), [0, 0]);
    });

    test('removes what old events carried, and later the events, but none that waits', async () => {
      const source = unique('source');
      const event = { source, kind: 'hired', employees: null, people: [{ email: 'ann@example.com' }], body: '{}' };
      for (const key of ['old', 'waits']) await ledger.addEvent({ ...event, key, leavers: ['ann@example.com'] });
      await home.pool.query(
        `update events set received_at = now() - interval '31 days', state = case key when 'old' then 'handled' else state end where source = $1`,
        [source],
      );
      const left = async (): Promise<object[]> => {
        const { rows } = await home.pool.query<object>(
          'select key, body, num_nonnulls(people, leavers) = 0 as "isEmpty" from events where source = $1 order by key',
          [source],
        );
        return rows;
      };
      await prune({ answersMs: 30 * day });
      assert.deepEqual(await left(), [
        { key: 'old', body: null, isEmpty: true },
        { key: 'waits', body: '{}', isEmpty: false },
      ]);
      await prune({ receiptsMs: 30 * day });
      assert.deepEqual(await left(), [{ key: 'waits', body: '{}', isEmpty: false }]);
    });

    test('removes the answers of a run in steps, to the last', async () => {
      const runId = await delivered(unique('service'), 31);
      for (let step = 0; step < 3; step += 1) await ledger.removeOldAnswers(30 * day, 1);
      assert.deepEqual(await bodiesOf(runId), [null, null]);
    });

    test('removes the headers of answers without a body', async () => {
      const runId = await delivered(unique('service'), 31);
      await home.pool.query(`update receipts set body = null, headers = '{"server": "x"}' where run_id = $1`, [runId]);
      await prune({ answersMs: 30 * day });
      const { rows } = await home.pool.query<{ headers: object }>('select headers from receipts where run_id = $1', [
        runId,
      ]);
      assert.deepEqual(rows, [{ headers: {} }, { headers: {} }]);
    });

    test('stops when its time is up, and continues the next time', async () => {
      const runId = await delivered(unique('service'), 31);
      const config = { retention: { ...forever, answersMs: 30 * day } } as Parameters<typeof pruneLedger>[0]['config'];
      assert.equal((await pruneLedger({ ledger, config }, 0)).isDone, false);
      assert.deepEqual(await bodiesOf(runId), ['{}', '{}']);
      assert.equal((await pruneLedger({ ledger, config }, 60_000)).isDone, true);
      assert.deepEqual(await bodiesOf(runId), [null, null]);
    });
  });
}
