import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BusyError } from '../../src/core/errors.ts';
import { check } from './check.ts';
import { newPeople, production, productionSkipReason, untilCalls } from './place.ts';

const count = 100;

suite('two runs with the same people at once, and two workers', { skip: productionSkipReason }, () => {
  const place = production();
  let started = 0;

  async function begin(): Promise<void> {
    for (; started < 2; started += 1) await place.startWorker();
    place.sandbox.clearCalls();
  }

  for (const forceSync of [false, true]) {
    test(`of two sources, ${forceSync ? 'with' : 'without'} forceSync: each person has both calls, one after the other, and all groups`, async () => {
      await begin();
      const people = newPeople(count);
      for (const member of people.slice(0, 10)) place.sandbox.assign(member, ['By hand']);
      const others = people.toReversed().map((member) => ({ ...member, groups: ['Other'] }));
      const settings = { forceSync } as const;
      const runs = [await place.release(people, { settings }), await place.release(others, { settings })];
      await place.settled(...runs);
      await check(place, runs);
      assert.equal(place.sandbox.calls.length, 2 * count);
      for (const [at, { email, groups }] of people.entries()) {
        const expected = [...groups, 'Other', ...(!forceSync && at < 10 ? ['By hand'] : [])];
        assert.deepEqual(place.sandbox.user(email)?.groups.toSorted(), expected.toSorted());
      }
    });

    test(`of one source, ${forceSync ? 'with' : 'without'} forceSync: the newer one supersedes what the older one has not sent`, async () => {
      await begin();
      // So many that a busy machine cannot call them all before the pause is seen.
      const people = newPeople(5 * count);
      const source = `one source ${forceSync}`;
      const settings = { forceSync } as const;
      const older = await place.release(people, { source, settings });
      const newer = people.map((member) => ({ ...member, groups: [...member.groups, 'Newer'] }));
      await assert.rejects(place.release(newer, { source, settings }), BusyError);
      await untilCalls(place.sandbox, 20);
      await place.ledger.moveRun(older, 'pause');
      const run = await place.release(newer, { source, settings });
      await place.settled(run);
      const { superseded = 0, succeeded = 0 } = await place.ledger.countOutcomes(older);
      assert.ok(superseded > 0 && succeeded >= 10);
      assert.equal(superseded + succeeded, 5 * count);
      await check(place, [older, run], { outcomes: { superseded } });
      for (const { email, groups } of newer) {
        assert.deepEqual(place.sandbox.user(email)?.groups.toSorted(), groups.toSorted());
      }
    });
  }
});
