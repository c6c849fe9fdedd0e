import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, person, releasePeople, unique } from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`measuring the ledger, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('measured');
    });
    after(() => home.close());

    test('counts runs by state, what is due and since when, and the outcomes of a run', async () => {
      const service = unique('service');
      const runId = await releasePeople(ledger, { service, people: [person('ann', 'Sales'), person('bo', 'Sales')] });
      await home.pool.query(`update deliveries set due_at = due_at - interval '90 seconds'`);
      const before = await ledger.measure();
      assert.deepEqual(before.runs, [{ status: 'delivering', count: 1 }]);
      assert.equal(before.due, 2);
      assert.ok(before.lagSeconds >= 90 && before.lagSeconds < 150);
      assert.equal(before.sources[0]?.newest, runId);
      assert.equal(before.sources[0].goodAt, null);
      assert.equal(before.answersKeptAt, null);
      await deliverAll(ledger, runId);
      await ledger.moveRun(runId, 'finish');
      await ledger.countEvents([{ source: 'staff', result: 'stored', count: 3 }]);
      await ledger.keepAnswers({ service, request: {}, figures: { answers: 0, stories: [], breaches: [] } });
      const now = await ledger.measure();
      assert.ok(now.answersKeptAt instanceof Date);
      assert.deepEqual(now.runs, [{ status: 'finished', count: 1 }]);
      assert.equal(now.due, 0);
      assert.equal(now.lagSeconds, 0);
      assert.ok(now.sources[0]?.goodAt instanceof Date);
      assert.deepEqual(now.webhooks, [{ source: 'staff', result: 'stored', count: 3 }]);
      const run = await ledger.measureRun(runId);
      assert.equal(
        run.outcomes.reduce((sum, { count }) => sum + count, 0),
        2,
      );
      assert.equal(
        run.calls.reduce((sum, { count }) => sum + count, 0),
        2,
      );
      assert.equal(typeof run.inserts, 'number');
      assert.equal(typeof run.warnings, 'number');
    });
  });
}
