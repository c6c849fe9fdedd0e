import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, person, planPeople, type PlanOptions, rowOf, unique } from './plans.ts';

const today = 20_261_120;
const people = ['ann', 'bob', 'cy', 'dan', 'eve'].map((name) => person(name, 'Sales'));

for (const { name, skip, open } of homes) {
  suite(`invitations, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    const dayBegan = new Date(Date.now() - 3_600_000);

    /** Plans and delivers. Returns new, again, unchanged, later, and the possible invitations. */
    async function run(
      options: Omit<PlanOptions, 'postpone'> & { budget?: { perRun?: number; perDay?: number }; day?: number },
    ): Promise<number[]> {
      const { budget, day = today, ...rest } = options;
      const postpone = { today: day, ...(budget && { budget: { ...budget, dayBegan } }) };
      const { runId, plan } = await planPeople(ledger, { ...rest, postpone });
      await ledger.releaseRun(runId, rest.all ?? false);
      await deliverAll(ledger, runId);
      const { counts, calls } = plan;
      assert.equal(counts.new + counts.changed + counts.again + (rest.all ? counts.unchanged : 0), calls);
      return [counts.new, counts.again, counts.unchanged, counts.later, plan.possibleInvitations];
    }

    test('people who were given nothing yet are sent nothing before their first day, not even with --all', async () => {
      const service = unique('service');
      const starts = { bob: 20_261_121, cy: 20_261_120, dan: 20_261_001 };
      assert.deepEqual(await run({ service, people, starts, all: true }), [4, 0, 0, 1, 4]);
      assert.deepEqual(await run({ service, people, starts }), [0, 0, 4, 1, 0]);
      assert.deepEqual(await run({ service, people, starts, day: 20_261_121 }), [1, 0, 4, 0, 1]);
      // Somebody who is known and gets a new first day is no newcomer.
      assert.deepEqual(await run({ service, people, starts: { ann: 20_270_101 } }), [0, 0, 5, 0, 0]);
    });

    test('of several rows of one person the earliest day counts, and a row without one means at once', async () => {
      const service = unique('service');
      const days = async (...of: (number | undefined)[]): Promise<number | null> => {
        const { runId } = await planPeople(ledger, { service, source: unique('source'), people: [] });
        const member = person(unique('x'), 'Sales');
        await ledger.stageRows(
          runId,
          of.map((startsOn, at) => ({ ...rowOf(member, at + 2), ...(startsOn !== undefined && { startsOn }) })),
        );
        const [several] = await ledger.peopleWithSeveralRows(runId, 1);
        await ledger.mergePerson(runId, { key: several?.key ?? '', member, lines: [2, 3], fingerprint: 'f' });
        const { rows } = await home.pool.query<{ starts_on: number | null }>(
          'select starts_on from members where run_id = $1',
          [runId],
        );
        return rows[0]?.starts_on ?? null;
      };
      assert.equal(await days(20_270_101, 20_261_201, 20_270_301), 20_261_201);
      assert.equal(await days(20_270_101, undefined), null);
      assert.equal(await days(undefined, 20_270_101), null);
    });

    test('a run invites no more than its budget, the first of the roster first, and the next one goes on', async () => {
      const service = unique('service');
      const budget = { perRun: 2 };
      assert.deepEqual(await run({ service, people, budget }), [2, 0, 0, 3, 2]);
      assert.deepEqual(await run({ service, people, budget }), [2, 0, 2, 1, 2]);
      assert.deepEqual(await run({ service, people, budget }), [1, 0, 4, 0, 1]);
    });

    test('a day invites no more than its budget, over all runs of the source, and not less for what was never sent', async () => {
      const service = unique('service');
      const budget = { perDay: 3 };
      const { runId } = await planPeople(ledger, {
        service,
        people,
        postpone: { today, budget: { ...budget, dayBegan } },
      });
      await ledger.discardRun(runId);
      assert.deepEqual(await run({ service, people: people.slice(0, 2), budget }), [2, 0, 0, 0, 2]);
      assert.deepEqual(await run({ service, people, budget }), [1, 0, 2, 2, 1]);
      assert.deepEqual(await run({ service, people, budget }), [0, 0, 3, 2, 0]);
      assert.deepEqual(
        await run({ service, source: 'other', people: [person('fay', 'Sales')], budget }),
        [1, 0, 0, 0, 1],
      );
      await home.pool.query("update deliveries set ended_at = ended_at - interval '1 day' where service = $1", [
        service,
      ]);
      assert.deepEqual(await run({ service, people, budget }), [2, 0, 3, 0, 2]);
    });

    test('what was cancelled or overtaken leaves room in the budget of its day', async () => {
      const service = unique('service');
      const budget = { perDay: 3 };
      const told = { service, people: people.slice(3), trigger: 'event', beside: true } as const;
      const { runId } = await planPeople(ledger, { ...told, postpone: { today, budget: { ...budget, dayBegan } } });
      await ledger.releaseRun(runId, false);
      await ledger.moveRun(runId, 'cancel', { by: 'person', reason: 'not today' });
      assert.deepEqual(await run({ service, people, budget }), [3, 0, 0, 2, 3]);
      for (const outcome of ['succeeded', 'superseded', 'cancelled']) {
        const sent = 'update deliveries set outcome = $2 where service = $1 and outcome is not null';
        await home.pool.query(sent, [service, outcome]);
        const again = await planPeople(ledger, {
          service,
          people,
          postpone: { today, budget: { ...budget, dayBegan } },
        });
        assert.equal(again.plan.counts.later, outcome === 'succeeded' ? 2 : 0, outcome);
        await ledger.discardRun(again.runId);
      }
    });

    test('what a halted run is still to send counts where only some people are asked for', async () => {
      const service = unique('service');
      const postpone = { today, budget: { perDay: 3, dayBegan } };
      const { runId } = await planPeople(ledger, { service, people: people.slice(0, 2), postpone });
      await ledger.releaseRun(runId, false);
      await ledger.moveRun(runId, 'halt', { by: 'service', reason: 'the token was refused' });
      const { plan } = await planPeople(ledger, { service, people: people.slice(2), partial: true, postpone });
      assert.deepEqual([plan.counts.new, plan.counts.later], [1, 2]);
    });

    test('whoever failed before goes last', async () => {
      const service = unique('service');
      const { runId } = await planPeople(ledger, { service, people: people.slice(0, 1) });
      await ledger.releaseRun(runId, false);
      await deliverAll(ledger, runId, (id, call) => ending(id, call, 'failed'));
      assert.deepEqual(await run({ service, people, budget: { perRun: 4 } }), [4, 0, 0, 1, 4]);
      assert.deepEqual(await run({ service, people, budget: { perRun: 4 } }), [0, 1, 4, 0, 1]);
    });

    test('people whom another source gave something are not invited, and need no budget', async () => {
      const service = unique('service');
      await run({ service, source: 'other', people });
      assert.deepEqual(await run({ service, people, budget: { perRun: 0 } }), [0, 0, 0, 0, 0]);
    });
  });
}
