import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Home, homes } from './homes.ts';
import { decideMove, deliverAll, ending, person, releasePeople, success, takeAndClaim, unique } from './plans.ts';

for (const { name, skip, open } of homes) {
  suite(`totals for lists of runs, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    const keptOf = async (runId: string): Promise<number> =>
      (await home.pool.query(`select 1 from run_totals where run_id = '${runId}'`)).rows.length;

    async function summaryOf(id: string) {
      const [run] = await ledger.findRuns(id);
      assert.ok(run);
      return (await ledger.summariesOf([run])).get(id);
    }

    test('a run that has ended is counted once, and again after a retry', async () => {
      const people = [person('ann', 'A'), person('bob', 'A'), person('eve', 'B')];
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      assert.deepEqual((await summaryOf(runId))?.pending, 3);
      assert.equal(await keptOf(runId), 0, 'it is under way');
      let nth = 0;
      await deliverAll(ledger, runId, (id, call) =>
        nth++ === 0 ? ending(id, call, 'failed') : success(id, call, ['A']),
      );
      const first = await summaryOf(runId);
      assert.deepEqual(first?.outcome, { failed: 1, succeeded: 2 });
      assert.equal(first?.inserts, 2);
      assert.equal(await keptOf(runId), 1);
      assert.deepEqual(await summaryOf(runId), first);
      await home.pool.query(`update run_totals set totals = totals || '{"calls": 99}' where run_id = '${runId}'`);
      assert.equal((await summaryOf(runId))?.calls, 99, 'nobody counts again');

      await ledger.continueRun(runId, { move: 'retry' });
      assert.equal((await summaryOf(runId))?.pending, 1);
      await deliverAll(ledger, runId);
      const again = await summaryOf(runId);
      assert.deepEqual([again?.outcome, again?.calls], [{ succeeded: 3 }, 4]);
    });

    test('a cancelled run with a call under way is not kept until that has ended', async () => {
      const runId = await releasePeople(ledger, { people: [person('ann', 'A')], service: unique('service') });
      const claimed = await takeAndClaim(ledger, runId);
      const call = await ledger.begin(claimed?.id ?? 0);
      await ledger.moveRun(runId, 'cancel', { by: 'person', reason: 'cancelled' });
      assert.deepEqual((await summaryOf(runId))?.outcome, { unknown: 1 });
      assert.equal(await keptOf(runId), 0);
      await ledger.record(success(claimed?.id ?? 0, call ?? 0, ['A']));
      assert.deepEqual((await summaryOf(runId))?.outcome, { succeeded: 1 });
      assert.equal(await keptOf(runId), 1);
    });

    test('a cancelled run is counted again when somebody of it whom it has not sent is renamed at the service', async () => {
      const service = unique('service');
      const [ann, bob] = [person('ann', 'A'), person('bob', 'A')];
      await deliverAll(ledger, await releasePeople(ledger, { people: [ann, bob], service }));
      const people = [ann, bob].map((each) => ({ ...each, firstname: 'New' }));
      const runId = await releasePeople(ledger, { people, service });
      await ledger.moveRun(runId, 'cancel');
      assert.deepEqual((await summaryOf(runId))?.outcome, { cancelled: 2 });
      await decideMove(ledger, {
        ...{ service, oldKey: ann.email, newKey: 'ann.ek@example.com', decision: 'renamed-there' },
      });
      assert.deepEqual((await summaryOf(runId))?.outcome, { cancelled: 1, superseded: 1 });
    });

    test('no person is in what is kept', async () => {
      const { rows } = await home.pool.query('select string_agg(totals::text, $1) as text from run_totals', [' ']);
      assert.doesNotMatch(String(rows[0].text), /@|ann|bob|eve/);
    });
  });
}
