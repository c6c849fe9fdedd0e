import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from './check.ts';
import { newPeople, production, productionSkipReason } from './place.ts';

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
  }
});
