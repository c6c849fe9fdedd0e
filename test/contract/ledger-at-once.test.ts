import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlledTransaction, sql } from 'kysely';
import { type Database, databaseOver } from '../../src/ledger/database/database.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { beginCalls, claimDeliveries, handBack } from '../../src/ledger/moves/claim.ts';
import type { DueDelivery } from '../../src/ledger/moves/feed.ts';
import { recordAnswers } from '../../src/ledger/moves/record.ts';
import { supersedeOlder } from '../../src/ledger/moves/supersede.ts';
import { reclaimFromDeadWorkers } from '../../src/ledger/moves/workers.ts';
import { type Home, production } from './homes.ts';
import { claimAndBegin, person, planPeople, releasePeople, success, unique } from './plans.ts';

const [ann, bob] = [person('ann', 'A'), person('bob', 'B')];

/** Each test holds a transaction open at the very moment at which the other process acts: nothing depends on time. */
suite('two processes at the same delivery at the same moment', { skip: production.skip }, () => {
  let home: Home;
  let db: Database;
  let one: Ledger;
  before(async () => {
    home = await production.open();
    db = databaseOver(home.pool);
    one = await home.ledger('one');
  });
  after(() => home.close());

  /** Does something in a transaction that stays open until `meanwhile` waits for it. */
  async function held<Result>(
    change: (transaction: ControlledTransaction<unknown>) => Promise<unknown>,
    meanwhile: () => Promise<Result>,
  ): Promise<Result> {
    const transaction = await db.startTransaction().execute();
    await change(transaction);
    const waited = await waiting();
    const result = meanwhile();
    result.catch(() => {});
    try {
      await untilWaiting(waited + 1);
    } finally {
      await transaction.commit().execute();
    }
    return result;
  }

  /** How many statements wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await home.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  }

  async function untilWaiting(count: number): Promise<void> {
    for (const end = performance.now() + 20_000; (await waiting()) < count;) {
      if (performance.now() > end) throw new Error('nobody waited for the transaction');
    }
  }

  /** A delivery whose job was copied before its call began: the copy is left over in the queue. */
  async function calledWithCopy(
    service: string,
  ): Promise<{ id: number; call: number; copy: DueDelivery; runId: string }> {
    const runId = await releasePeople(one, { people: [ann], service });
    const [copy] = await one.findDue(runId, { limit: 1 });
    assert.ok(copy);
    return { ...(await claimAndBegin(one, copy)), copy, runId };
  }

  async function inHands(service: string): Promise<string[]> {
    const { rows } = await sql<{ worker: string }>`select worker from in_hand where service = ${service}`.execute(db);
    return rows.map(({ worker }) => worker);
  }

  test('R2, R3: a copy of its job is claimed while its receipt is being written: nobody calls again', async () => {
    const service = unique('service');
    const { id, call, copy } = await calledWithCopy(service);
    const claimed = await held(
      (transaction) => recordAnswers(transaction, [success(id, call)]),
      () => claimDeliveries(db, 'two', [copy]),
    );
    assert.deepEqual(claimed, []);
    assert.deepEqual(await inHands(service), []);
  });

  test('R3: a claim with forceSync that waits for the lane names what was given in it meanwhile', async () => {
    const service = unique('service');
    const a = await releasePeople(one, { people: [ann], service, source: 'a' });
    const settings = { forceSync: true };
    const b = await releasePeople(one, { people: [person('ann', 'B')], service, source: 'b', settings });
    const [dueA, dueB] = [await one.findDue(a, { limit: 1 }), await one.findDue(b, { limit: 1 })].map(([due]) => due);
    assert.ok(dueA && dueB);
    const { id, call } = await claimAndBegin(one, dueA);
    const [claimed] = await held(
      (transaction) => recordAnswers(transaction, [success(id, call)]),
      () => claimDeliveries(db, 'two', [dueB]),
    );
    assert.deepEqual(claimed?.member.groups, ['B', 'A']);
  });

  test('a copy of its job is claimed while it is handed back: it is had by the job that is fed next', async () => {
    const service = unique('service');
    const { id, copy, runId } = await calledWithCopy(service);
    const claimed = await held(
      (transaction) => handBack(transaction, 'one', [{ id, waitMs: 0 }]),
      () => claimDeliveries(db, 'two', [copy]),
    );
    assert.deepEqual(claimed, []);
    const [next] = await one.findDue(runId, { limit: 1 });
    assert.deepEqual([next?.id, next?.feeds], [id, 1]);
  });

  test('a copy of its job is claimed while it is taken back from the dead: its call is repeated once', async () => {
    const service = unique('service');
    const { id, copy, runId } = await calledWithCopy(service);
    const claimed = await held(
      (transaction) => reclaimFromDeadWorkers(transaction, { worker: 'two', timeoutMs: 0, deadAfterMs: 0 }),
      () => claimDeliveries(db, 'two', [copy]),
    );
    assert.deepEqual(claimed, []);
    const [next] = await one.findDue(runId, { limit: 1 });
    assert.deepEqual([next?.id, next?.feeds, next?.repeated], [id, 1, true]);
  });

  test('an event is recorded at once, although a claim of the same process waits for another one', async () => {
    const runId = await releasePeople(one, { people: [ann], service: unique('service') });
    const [due] = await one.findDue(runId, { limit: 1 });
    assert.ok(due);
    const transaction = await db.startTransaction().execute();
    await sql`select id from deliveries where id = ${due.id} for update`.execute(transaction);
    const waited = await waiting();
    const claim = one.claim(due);
    await untilWaiting(waited + 1);
    const event = { source: runId, key: 'id:1', kind: 'employee.updated', employees: null, people: null, body: '{}' };
    const written = await Promise.race([one.addEvent(event), sleep(10_000, 'it waits too')]);
    await transaction.commit().execute();
    assert.equal(written, true);
    assert.equal((await claim)?.id, due.id);
  });

  /** A run that delivers, and a newer one of its source that is about to be released. */
  async function overtaken(service: string): Promise<{ due: DueDelivery; older: string; newer: string }> {
    const older = await releasePeople(one, { people: [ann], service });
    const [due] = await one.findDue(older, { limit: 1 });
    assert.ok(due);
    await one.moveRun(older, 'pause');
    const { runId: newer } = await planPeople(one, { people: [ann], service });
    await home.pool.query(`update runs set status = 'held', released_at = now() where id = '${newer}'`);
    await home.pool.query(`update runs set status = 'delivering' where id = '${older}'`);
    return { due, older, newer };
  }

  test('R13: what a newer roster supersedes at this moment is not claimed', async () => {
    const { due, older, newer } = await overtaken(unique('service'));
    const claimed = await held(
      (transaction) => supersedeOlder(transaction, newer),
      () => claimDeliveries(db, 'two', [due]),
    );
    assert.deepEqual(claimed, []);
    assert.deepEqual(await one.countOutcomes(older), { superseded: 1 });
  });

  test('R13: a call does not begin that a newer roster supersedes at this moment', async () => {
    const { due, newer } = await overtaken(unique('service'));
    const claimed = await one.claim(due);
    assert.ok(claimed);
    const begun = await held(
      (transaction) => supersedeOlder(transaction, newer),
      () => beginCalls(db, 'one', [claimed.id]),
    );
    assert.deepEqual(begun, []);
  });

  test('R13: what has begun at this moment is not superseded', async () => {
    const { due, older, newer } = await overtaken(unique('service'));
    const claimed = await one.claim(due);
    assert.ok(claimed);
    await held(
      (transaction) => beginCalls(transaction, 'one', [claimed.id]),
      () => supersedeOlder(db, newer),
    );
    assert.deepEqual(await one.countOutcomes(older), {});
    await one.record(success(claimed.id, 1));
    assert.deepEqual(await one.countOutcomes(older), { succeeded: 1 });
  });

  test('a receipt and the claim of a copy of its job, both half done, do not block each other', async () => {
    const service = unique('service');
    const { id, call, copy } = await calledWithCopy(service);
    const other = await releasePeople(one, { people: [bob], service, source: 'other' });
    const [dueOther] = await one.findDue(other, { limit: 1 });
    assert.ok(dueOther);
    // The lane of a person before ann is taken at this moment: the claim has locked its deliveries, and waits for it.
    await home.pool.query(`update deliveries set person_key = '0' where id = ${dueOther.id}`);
    const transaction = await db.startTransaction().execute();
    await sql`
      insert into in_hand (service, person_key, delivery_id, run_id, worker, call) values (${service}, '0', 0, ${other}, 'three', 1)`.execute(
      transaction,
    );
    const writes: Promise<unknown>[] = [];
    try {
      writes.push(claimDeliveries(db, 'two', [copy, dueOther]));
      await untilWaiting(1);
      writes.push(recordAnswers(db, [success(id, call)]));
      await untilWaiting(2);
    } finally {
      await transaction.commit().execute();
      await Promise.allSettled(writes);
    }
    assert.deepEqual(await Promise.all(writes), [[], []]);
  });
});
