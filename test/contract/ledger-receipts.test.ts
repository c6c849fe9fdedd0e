import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Answer } from '../../src/core/call/answer.ts';
import { sql } from 'kysely';
import { beginCalls, claimDeliveries, handBack } from '../../src/ledger/moves/claim.ts';
import { type CallRecord, recordAnswers } from '../../src/ledger/moves/record.ts';
import { databaseOver } from '../../src/ledger/database/database.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { writeLeftReceipts } from '../../src/ledger/directory/unwritten-receipts.ts';
import { restoreBackup } from '../../src/ledger/directory/restore-backup.ts';
import { backUp, rowsIn } from '../support/backups.ts';
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
  suite(`receipts and dead processes in the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let one: Ledger;
    let two: Ledger;
    before(async () => {
      home = await open();
      one = await home.ledger('one');
      two = await home.ledger('two');
    });
    after(() => home.close());

    /** The first row of a query, with numbers as numbers. */
    async function ask(sql: string): Promise<unknown> {
      return (await home.pool.query(sql)).rows[0];
    }

    /** A delivery of one person whose call has begun, in the hands of `one`. */
    async function inFlight(): Promise<{ runId: string; id: number; call: number }> {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const [fed] = await one.findDue(runId, { limit: 1 });
      return { runId, ...(await claimAndBegin(one, fed)) };
    }

    const stateOf = (id: number): Promise<unknown> =>
      ask(`select state, outcome, calls, attempts, repeated, (select worker from in_hand where delivery_id = id) as "by"
        from deliveries where id = ${id}`);

    test('a receipt keeps what was answered, ends the delivery and remembers what the person was given', async () => {
      const { runId, id, call } = await inFlight();
      assert.equal(call, 1);
      await home.pool.query(`update in_hand set called_at = called_at - interval '1 minute' where delivery_id = ${id}`);
      await one.record(success(id, call, ann.groups));
      const tookLong = `select answered_at - called_at > interval '59 seconds' as is from receipts where delivery_id = ${id}`;
      assert.deepEqual(await ask(tookLong), { is: true }, 'the time of the call is when it began');
      const done = { state: 'done', outcome: 'succeeded', calls: 1, attempts: 0, repeated: false, by: null };
      assert.deepEqual(await stateOf(id), done);
      assert.deepEqual(await one.countOutcomes(runId), { succeeded: 1 });
      assert.deepEqual(await one.totalsOf(runId), {
        outcome: { succeeded: 1 },
        pending: 0,
        calls: 1,
        repeated: 0,
        repeatedNew: 0,
        groups: [
          { group: 'A', calls: 1, inserts: 1, warnings: 0, succeeded: 1, failures: 0 },
          { group: 'B', calls: 1, inserts: 1, warnings: 0, succeeded: 1, failures: 0 },
        ],
        problems: [],
        refusedAgain: 0,
      });
      const given = await ask(`select email, groups, last_outcome as last from people where given_run = '${runId}'`);
      assert.deepEqual(given, { email: ann.email, groups: ann.groups, last: 'succeeded' });
    });

    test('claiming, handing back and recording look up their deliveries, however many others there are', async () => {
      const people = Array.from({ length: 1500 }, (_, n) => person(`many${n}`, 'A'));
      const runId = await releasePeople(one, { people, service: unique('service') });
      const due = await one.findDue(runId, { limit: 40 });
      const [fed, later] = [due.slice(0, 20), due.slice(20)];
      const db = databaseOver(home.pool);
      const [before, after] = await db.transaction().execute(async (transaction) => {
        const scans = async (): Promise<unknown> => {
          const { rows } = await sql`
            select relname, seq_scan from pg_stat_xact_user_tables
            where relname in ('deliveries', 'members') order by 1`.execute(transaction);
          return rows;
        };
        const earlier = await scans();
        const claimed = await claimDeliveries(transaction, 'one', [
          ...fed,
          ...later.map((each) => ({ ...each, feeds: 7 })),
        ]);
        const ids = claimed.map(({ id }) => id);
        await handBack(transaction, 'one', [{ id: ids.pop() ?? 0, waitMs: 0 }]);
        const begun = await beginCalls(transaction, 'one', ids);
        const records = begun.map(({ id, call }) => success(id, call, ['A']));
        await recordAnswers(transaction, records);
        return [earlier, await scans()];
      });
      assert.deepEqual(await one.countOutcomes(runId), { succeeded: 19 });
      assert.deepEqual(after, before);
    });

    test('a receipt has what was answered and nothing else; only an odd one is notable', async () => {
      const receiptOf = async (record: (id: number, call: number) => CallRecord): Promise<unknown> => {
        const { id, call } = await inFlight();
        await one.record(record(id, call));
        return ask(`select kind, http_status as status, body_cut as cut, hash is not null as hash, notable, reason,
          (select answer_kind || coalesce(' ' || answer_status, '') from deliveries where id = ${id}) as last
          from receipts where delivery_id = ${id}`);
      };
      const warned = (id: number, call: number, warnings: number, status = 'success'): CallRecord => {
        const record = success(id, call);
        if (record.answer.kind !== 'accepted') throw new Error('never');
        return { ...record, answer: { ...record.answer, results: [{ group: 'A', status, inserts: 1, warnings }] } };
      };
      const usual = {
        kind: 'accepted',
        status: 200,
        cut: false,
        hash: true,
        notable: false,
        reason: '',
        last: 'accepted 200',
      };
      assert.deepEqual(await receiptOf((id, call) => warned(id, call, 0)), usual);
      assert.deepEqual(await receiptOf((id, call) => warned(id, call, 1)), { ...usual, notable: true });
      assert.deepEqual(await receiptOf((id, call) => warned(id, call, 0, 'full')), { ...usual, notable: true });
      const away = { kind: 'not-sent', reason: 'no route' } as const;
      assert.deepEqual(await receiptOf((id, call) => ({ ...ending(id, call, 'failed'), answer: away })), {
        ...{
          kind: 'not-sent',
          status: null,
          cut: false,
          hash: false,
          notable: true,
          reason: 'no route',
          last: 'not-sent',
        },
      });
    });

    test('a receipt that is written twice is there once', async () => {
      const { runId, id, call } = await inFlight();
      const record = success(id, call, ann.groups);
      await Promise.all([one.record(record), one.record({ ...record })].map((written) => written.catch(() => {})));
      await one.record(record);
      assert.deepEqual(await ask(`select count(*) as receipts from receipts where run_id = '${runId}'`), {
        receipts: 1,
      });
      assert.equal((await one.totalsOf(runId)).calls, 1);
      assert.deepEqual(
        (await one.totalsOf(runId)).groups.map(({ inserts }) => inserts),
        [1, 1],
      );
    });

    test('a failure leaves what was given before, and makes the person "again"', async () => {
      const service = unique('service');
      await deliverAll(one, await releasePeople(one, { people: [ann], service }));
      const changed = [{ ...ann, groups: ['C'] }];
      const failed = await releasePeople(one, { people: changed, service });
      await deliverAll(one, failed, (id, call) => ending(id, call, 'unknown'));
      assert.deepEqual(await ask(`select groups, last_outcome as last from people where service = '${service}'`), {
        groups: ann.groups,
        last: 'unknown',
      });
      assert.equal((await planPeople(one, { people: changed, service })).plan.counts.again, 1);
    });

    test('how often a person was refused in a row is remembered, and forgotten by a success', async () => {
      const service = unique('service');
      const refusals: unknown[] = [];
      for (const [at, outcome] of (
        ['failed', 'succeeded', 'failed', 'failed', 'unknown', 'failed', 'succeeded'] as const
      ).entries()) {
        const people = [{ ...ann, firstname: `Ann ${at}` }];
        await deliverAll(one, await releasePeople(one, { people, service }), (id, call) =>
          outcome === 'succeeded' ? success(id, call, ann.groups) : ending(id, call, outcome),
        );
        refusals.push(await ask(`select refusals from people where service = '${service}'`));
      }
      assert.deepEqual(
        refusals,
        [1, 0, 1, 2, 0, 1, 0].map((count) => ({ refusals: count })),
      );
    });

    test('what is to be tried again is due when its wait is over, with its attempts counted', async () => {
      const { runId, id, call } = await inFlight();
      const again = { ...ending(id, call, 'failed'), end: { waitMs: 3_600_000 }, attempts: 1, repeated: true };
      await one.record(again);
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
      await home.pool.query(`update deliveries set due_at = clock_timestamp() where id = ${id}`);
      assert.equal((await takeAndClaim(two, runId))?.attempts, 1);
      assert.equal(await two.begin(id), 2);
      assert.equal((await one.totalsOf(runId)).repeated, 1);
    });

    test('a receipt is kept although another process has the delivery, and does not end that delivery', async () => {
      const { runId, id, call } = await inFlight();
      await home.pool.query(`update in_hand set called_at = called_at - interval '1 minute' where delivery_id = ${id}`);
      assert.equal(
        (await two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: 30_000, deadAfterMs: 0 })).repeated,
        1,
      );
      assert.ok(await takeAndClaim(two, runId));
      assert.equal(await two.begin(id), 2);
      await one.record(success(id, call, ann.groups));
      assert.deepEqual(await stateOf(id), {
        state: 'due',
        outcome: null,
        calls: 1,
        attempts: 0,
        repeated: true,
        by: 'two',
      });
      await two.record(success(id, 2, ann.groups));
      const receipts = await home.pool.query(`select call, kind from receipts where delivery_id = ${id} order by call`);
      assert.deepEqual(receipts.rows, [
        { call: 1, kind: 'accepted' },
        { call: 2, kind: 'accepted' },
      ]);
      assert.equal((await one.totalsOf(runId)).calls, 2);
    });

    test('a receipt in a file of a delivery that was lost with the rest of a restored database is left there: somebody else has its number', async (t) => {
      const runId = await releasePeople(one, { people: [ann, bob], service: unique('service') });
      const [first = 0, second = 0] = (await one.findDue(runId, { limit: 2 })).map(({ id }) => id);
      const folder = mkdtempSync(join(tmpdir(), 'roster-sync-receipts-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const ledger = await one.ledgerId();
      const keep = (name: string, id: number, run?: string): void => {
        const record = { ...success(id, 1, ann.groups), run };
        writeFileSync(
          join(folder, name),
          JSON.stringify({ format: 'roster-sync-receipt', ledger, worker: 'dead', record }),
        );
      };
      keep('lost.json', first, 'a run of before');
      assert.deepEqual(await writeLeftReceipts(folder, two), { written: 0, left: [join(folder, 'lost.json')] });
      assert.deepEqual(await one.countOutcomes(runId), {});
      // Processes that ended before they renamed it, and before they had written it whole.
      keep('own.json.new', first, runId);
      writeFileSync(join(folder, 'half.json.new'), '{"format":"roster-');
      keep('of an older version.json', second);
      assert.equal((await writeLeftReceipts(folder, two)).written, 2);
      assert.deepEqual(await one.countOutcomes(runId), { succeeded: 2 });
      assert.deepEqual(readdirSync(folder), ['lost.json']);
    });

    for (const isClaimed of [false, true])
      test(`a receipt that comes after its call was taken back, ${isClaimed ? 'and claimed' : 'but not claimed'}, settles it: nobody calls again`, async () => {
        const { runId, id, call } = await inFlight();
        await home.pool.query(
          `update in_hand set called_at = called_at - interval '1 minute' where delivery_id = ${id}`,
        );
        await two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: 30_000, deadAfterMs: 0 });
        if (isClaimed) assert.ok(await takeAndClaim(two, runId));
        await one.record(success(id, call, ann.groups));
        assert.equal(await two.begin(id), undefined);
        assert.deepEqual(await stateOf(id), {
          ...{ state: 'done', outcome: 'succeeded', calls: 1, attempts: 0, repeated: false, by: null },
        });
        assert.equal((await one.totalsOf(runId)).calls, 1);
      });

    test('what a dead process had claimed but not called is due at once, and no call was repeated', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const claimed = await takeAndClaim(one, runId);
      assert.equal(
        (await two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: 3_600_000, deadAfterMs: 0 })).repeated,
        0,
      );
      assert.equal((await takeAndClaim(two, runId))?.id, claimed?.id);
      assert.equal(await two.begin(claimed?.id ?? 0), 1);
    });

    test('what a dead process was calling has its turn before whoever was not called yet', async () => {
      const runId = await releasePeople(one, { people: [ann, bob], service: unique('service') });
      const claimed = await takeAndClaim(one, runId);
      await one.begin(claimed?.id ?? 0);
      await home.pool.query(
        `update in_hand set called_at = called_at - interval '31 seconds' where delivery_id = ${claimed?.id}`,
      );
      assert.equal(
        (await two.reclaimFromDeadWorkers({ worker: 'two', timeoutMs: 30_000, deadAfterMs: 0 })).repeated,
        1,
      );
      const [next] = await two.findDue(runId, { limit: 1 });
      assert.deepEqual([next?.id, next?.repeated], [claimed?.id, true]);
    });

    test('R3: a call in flight of a dead process is repeated only once its timeout has passed, and is shown as repeated', async () => {
      const { runId, id } = await inFlight();
      const question = { worker: 'two', timeoutMs: 30_000, deadAfterMs: 0 };
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 0);
      assert.deepEqual(await two.findDue(runId, { limit: 1 }), []);
      await home.pool.query(
        `update in_hand set called_at = called_at - interval '31 seconds' where delivery_id = ${id}`,
      );
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 1);
      assert.equal((await takeAndClaim(two, runId))?.id, id);
      assert.equal(await two.begin(id), 2);
      assert.equal((await two.totalsOf(runId)).repeated, 1);
    });

    test('a call that seems to begin in the future is counted from now, but not that of the one who asks', async () => {
      const { id } = await inFlight();
      const isAhead = async (worker: string, minutes: number): Promise<boolean | undefined> => {
        await home.pool.query(
          `update in_hand set called_at = clock_timestamp() + ${minutes} * interval '1 minute' where delivery_id = ${id}`,
        );
        await two.reclaimFromDeadWorkers({ worker, timeoutMs: 3_600_000, deadAfterMs: 0 });
        const { rows } = await home.pool.query<{ ahead: boolean }>(
          `select called_at > clock_timestamp() + interval '10 seconds' as ahead from in_hand where delivery_id = ${id}`,
        );
        return rows[0]?.ahead;
      };
      assert.deepEqual([await isAhead('two', 60), await isAhead('one', 60)], [false, true]);
    });

    test('nothing is taken from a process that gives signs of life or from the caller; signing off ends that', async () => {
      const { id } = await inFlight();
      await home.pool.query(`update in_hand set called_at = called_at - interval '1 minute' where delivery_id = ${id}`);
      const question = { worker: 'two', timeoutMs: 1000, deadAfterMs: 60_000 };
      for (const each of [one, two]) await each.beat(each.worker, 60_000);
      await home.pool.query(`update workers set alive_since = alive_since - interval '1 hour'`);
      assert.equal((await one.reclaimFromDeadWorkers({ ...question, worker: 'one' })).repeated, 0);
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 0);
      await one.leave('one');
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 1);
    });

    test('after the ledger was away no process counts as dead before all had time to give a sign of life', async () => {
      await home.pool.query('delete from workers');
      await inFlight();
      await home.pool.query(`update in_hand set called_at = called_at - interval '1 minute'`);
      const question = { worker: 'two', timeoutMs: 1000, deadAfterMs: 10_000 };
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 0);
      for (const each of [one, two]) await each.beat(each.worker, 10_000);
      // As it is when the ledger comes back: the last signs of life of all are old.
      await home.pool.query(
        `update workers set seen_at = seen_at - interval '20 seconds', alive_since = alive_since - interval '1 hour'`,
      );
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 0);
      await two.beat('two', 10_000);
      assert.equal((await two.reclaimFromDeadWorkers(question)).repeated, 0);
      // Ten seconds later, in which only one of them has said anything.
      await home.pool.query(`update workers set alive_since = alive_since - interval '11 seconds' where id = 'two'`);
      assert.ok((await two.reclaimFromDeadWorkers(question)).repeated >= 1);
      assert.deepEqual([await one.countAlive(10_000), await one.countAlive(10_000, 'two')], [1, 0]);
      for (const each of [one, two]) await each.leave(each.worker);
      assert.equal(await one.countAlive(10_000), 0);
    });

    test('the only process starts again: what was in flight is counted, and everybody else is due', async () => {
      const service = unique('service');
      const runId = await releasePeople(one, { people: [ann, bob, eve], service });
      const fed = await one.findDue(runId, { limit: 2 });
      await claimAndBegin(one, fed[0]);
      assert.ok((await two.beginAlone()) >= 1);
      assert.equal((await one.findDue(runId, { limit: 10 })).length, 2);
      assert.equal(await one.countInFlight(runId), 1);
    });

    test('how many jobs there must be is known by how far a run was fed; what has ended counts no more', async () => {
      const service = unique('service');
      const runId = await releasePeople(one, { people: [ann, bob, eve], service });
      const fed = await one.findDue(runId, { limit: 2 });
      const due = fed.at(-1)?.position ?? undefined;
      assert.deepEqual([await one.countFed(runId), await one.countFed(runId, due)], [0, 2]);
      const { id, call } = await claimAndBegin(one, fed[0]);
      assert.equal(await one.countFed(runId, due), 2, 'a job is there until its receipt is');
      await one.record(success(id, call));
      assert.equal(await one.countFed(runId, due), 1);
    });

    test('what the brake looks at: how the first and the newest ended, the newest first, "again" left out', async () => {
      const service = unique('service');
      const people = [ann, bob, eve];
      const runId = await releasePeople(one, { people, service });
      for (const fed of await one.findDue(runId, { limit: 3 })) {
        const { id, call } = await claimAndBegin(one, fed);
        await one.record(call === 1 && id % 2 === 0 ? success(id, call) : ending(id, call, 'failed'));
      }
      const { newest, first, unrecognised } = await two.tallyOf(runId);
      assert.equal(newest.length, 3);
      assert.equal(first.ended, 3);
      assert.equal(first.failed, newest.filter(({ outcome }) => outcome === 'failed').length);
      assert.equal(unrecognised, 0);
      await one.moveRun(runId, 'finishWithFailures');
      const next = await releasePeople(one, { people, service });
      for (const fed of await one.findDue(next, { limit: 3 })) {
        const { id, call } = await claimAndBegin(one, fed);
        await one.record(ending(id, call, 'failed'));
      }
      assert.deepEqual((await two.tallyOf(next)).newest, []);
    });

    test('the brake looks at nothing that ended before a run went on', async () => {
      const runId = await releasePeople(one, { people: [ann, bob, eve], service: unique('service') });
      const [fed] = await one.findDue(runId, { limit: 1 });
      const { id, call } = await claimAndBegin(one, fed);
      await one.record(ending(id, call, 'failed'));
      assert.equal((await two.tallyOf(runId)).newest.length, 1);
      await one.moveRun(runId, 'pause', { by: 'service', reason: 'it failed' });
      await one.continueRun(runId, { move: 'resume' });
      assert.deepEqual(await two.tallyOf(runId), { newest: [], first: { ended: 0, failed: 0 }, unrecognised: 0 });
    });

    test('the calls of the last while are remembered, in flight or answered, the longest ago first', async () => {
      const service = unique('service');
      const runId = await releasePeople(one, { people: [ann, bob, eve], service });
      const [first, second] = await one.findDue(runId, { limit: 2 });
      const answered = await claimAndBegin(one, first);
      await one.record(success(answered.id, answered.call));
      await home.pool.query(
        `update receipts set called_at = called_at - interval '50 seconds' where run_id = '${runId}'`,
      );
      await claimAndBegin(one, second);
      const rate = { limit: 10, perMs: 60_000, and: [] };
      const calls = await two.recentCalls(service, rate);
      assert.equal(calls.length, 2);
      assert.ok((calls[0] ?? 0) >= 50_000 && (calls[1] ?? 0) < 30_000, String(calls));
      assert.equal((await two.recentCalls(service, { ...rate, limit: 1 })).length, 1);
      assert.equal((await two.recentCalls(service, { ...rate, perMs: 40_000 })).length, 1);
      assert.equal((await two.recentCalls(service, rate, runId)).length, 2);
      assert.deepEqual(await two.recentCalls(service, rate, 'another run'), []);
      assert.deepEqual(await two.recentCalls(unique('service'), rate), []);
    });

    test('that a service has asked not to be called outlives a process; a shorter time never cuts a longer one', async () => {
      const service = unique('service');
      assert.equal(await two.throttleOf(service), undefined);
      await one.keepThrottle(service, { forMs: 600_000, reason: 'HTTP 429' });
      await two.keepThrottle(service, { forMs: 1000, reason: 'HTTP 503' });
      const throttle = await two.throttleOf(service);
      assert.ok(throttle && throttle.forMs > 500_000 && throttle.forMs <= 600_000, String(throttle?.forMs));
      assert.equal(throttle.reason, 'HTTP 429');
      assert.equal(await two.throttleOf(unique('service')), undefined);
      assert.equal(await one.rememberedShare(service), 1);
    });

    test('a throttle lasts a day at most, also where the clock was wrong by years when it was written', async () => {
      const service = unique('service');
      await one.keepThrottle(service, { forMs: 1e20, reason: 'HTTP 429' });
      const day = 24 * 3_600_000;
      const lasts = async (): Promise<number> => (await two.throttleOf(service))?.forMs ?? 0;
      assert.ok((await lasts()) <= day && (await lasts()) > day - 60_000);
      await home.pool.query(`update paces set throttled_until = '2031-05-01' where service = $1`, [service]);
      assert.ok((await lasts()) <= day, 'as long as it was asked for, from when that is noticed');
      const first = await lasts();
      await home.pool.query('select pg_sleep(0.01)');
      assert.ok((await lasts()) < first, 'and no longer with each look');
      await home.pool.query(`update paces set throttled_until = '2031-05-01' where service = $1`, [service]);
      await one.keepThrottle(service, { forMs: 1000, reason: 'HTTP 503' });
      assert.ok((await lasts()) <= 1000);
    });

    test('once it is ended, what waited for it is due; what a wrong clock made due in years is due too', async () => {
      const service = unique('service');
      const runId = await releasePeople(one, { people: [ann, bob], service });
      const [first] = await one.findDue(runId, { limit: 1 });
      const { id } = await claimAndBegin(one, first);
      await one.handBack({ id, waitMs: 86_400_000 });
      await one.keepThrottle(service, { forMs: 86_400_000, reason: 'HTTP 429' });
      await one.correctDueTimes([runId]);
      assert.equal((await one.findDue(runId, { limit: 10 })).length, 1, 'the other one');
      await home.pool.query(
        `update deliveries set due_at = now() + interval '1 hour' where run_id = $1 and feeds = 0`,
        [runId],
      );
      assert.equal((await one.findDue(runId, { limit: 10 })).length, 1, 'it was never put off: the clock was set back');
      await two.endThrottle(service);
      assert.equal(await one.throttleOf(service), undefined);
      assert.equal((await one.findDue(runId, { limit: 10 })).length, 2);
      await home.pool.query(`update deliveries set state = 'due', due_at = '2031-05-01' where run_id = $1`, [runId]);
      await one.correctDueTimes([runId]);
      assert.equal((await one.findDue(runId, { limit: 10 })).length, 2);
    });

    test('what was handed back before its first call waits for no clock that was set back since', async () => {
      const runId = await releasePeople(one, { people: [ann], service: unique('service') });
      const [first] = await one.findDue(runId, { limit: 1 });
      await one.handBack({ id: (await claimAndBegin(one, first)).id, waitMs: 50 * 60_000 });
      assert.deepEqual(await one.findDue(runId, { limit: 1 }), []);
      await one.correctDueTimes([runId]);
      assert.equal((await one.findDue(runId, { limit: 1 })).length, 1);
    });

    test('the share of the rate that a service bears is remembered; 1 for a service never called', async () => {
      const service = unique('service');
      assert.equal(await one.rememberedShare(service), 1);
      await one.rememberShare(service, 0.5);
      await two.rememberShare(service, 0.25);
      assert.equal(await one.rememberedShare(service), 0.25);
    });

    test('everybody comes back from a backup as they were', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'rs-backup-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const everybody = async (ledger: Ledger) => rowsIn(await backUp(ledger, join(folder, 'again')), 'people');
      const service = unique('service');
      await deliverAll(one, await releasePeople(one, { people: [ann, bob, eve], service }));
      const backup = await backUp(one, join(folder, 'people'));
      const before = await rowsIn(backup, 'people');
      assert.ok(before.length >= 3);
      await home.pool.query('delete from people');
      assert.deepEqual(await everybody(two), []);
      await restoreBackup(databaseOver(home.pool), backup);
      assert.deepEqual(await everybody(two), before);
      assert.equal((await planPeople(one, { people: [ann, bob, eve], service })).plan.counts.unchanged, 3);
    });

    test('whatever odd characters an answer holds, it is kept, and the others of its batch with it', async () => {
      const runId = await releasePeople(one, { people: [ann, bob], service: unique('service') });
      const fed = await one.findDue(runId, { limit: 2 });
      const begun = [await claimAndBegin(one, fed[0]), await claimAndBegin(one, fed[1])];
      // A NUL, JSON's way to write one, half a surrogate pair: PostgreSQL's JSON takes none of them.
      const odd = ['\u0000 {"a":"\\u0000 \\ud800"}', '\u{1f600} \ud800 half a pair'];
      await Promise.all(
        begun.map(({ id, call }, at) => {
          const body = odd[at] ?? '';
          const response = { httpStatus: 200, headers: { 'x-odd': body }, body, bodyCut: false };
          const results = [{ group: body, status: body, inserts: 1, warnings: 0 }];
          const answer: Answer = { kind: 'accepted', response, results, hash: '', responseTime: 0 };
          return one.record({ ...success(id, call), answer, reason: body });
        }),
      );
      assert.deepEqual(await one.countOutcomes(runId), { succeeded: 2 });
      const { rows } = await home.pool.query(
        `select body from receipts where run_id = '${runId}' order by delivery_id`,
      );
      assert.deepEqual(rows, [{ body: '\ufffd {"a":"\\u0000 \\ud800"}' }, { body: '\u{1f600} \ufffd half a pair' }]);
    });
  });
}
