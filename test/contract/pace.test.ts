import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { leavesWithinMs, type Rate, slackOf, spacingOf } from '../../src/core/pace/pacing.ts';
import type { PaceStore } from '../../src/queue/pace-store.ts';
import { mostCallsInWindow } from '../../src/sandbox/index.ts';
import { type Home, homes, type OpenPace } from './homes.ts';
import { unique } from './plans.ts';

/** Further away than any slot of these tests. */
const farMs = 1e7;
/** Times are rounded to microseconds in Redis. */
const rounding = 0.01;

/** The times of so many slots, taken one after the other by turns from the stores. */
async function take(count: number, ...stores: PaceStore[]): Promise<number[]> {
  const slots: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const reservation = await stores[at % stores.length]?.reserve(farMs);
    assert.ok(reservation && 'at' in reservation);
    slots.push(reservation.at);
  }
  return slots;
}

/** How long, ms, a store would have its next caller wait. */
async function waitOf(store: PaceStore): Promise<number> {
  const reservation = await store.reserve(farMs);
  assert.ok('at' in reservation);
  return reservation.at - store.now();
}

/** The most calls in a window, when calls leave up to the slack after their slots. */
function mostIn(slots: readonly number[], windowMs: number, slack: number): number {
  const calls = slots.map((slot, at) => ({ arrivedAt: slot + (at % 2 === 0 ? slack : 0) }));
  return mostCallsInWindow(calls, windowMs - rounding);
}

for (const { name, skip, open } of homes) {
  suite(`the pace, ${name}`, { skip }, () => {
    let home: Home;
    before(async () => {
      home = await open();
    });
    after(() => home.close());

    function openPace(rate: Rate, callsAgo: readonly number[] = [], share = 1): OpenPace {
      return home.pace(unique('pace'), rate, () => Promise.resolve({ callsAgo, share }));
    }

    test('R4: no window ever has more slots than the limit, whoever takes them, and the rate is used up', async () => {
      // So slow that each slot is asked for before it is free, however busy the machine.
      const rate: Rate = { limit: 20, perMs: 10_000, and: [] };
      const pace = openPace(rate);
      const slots = await take(100, pace.another(), pace.another(), pace.another());
      assert.equal(mostIn(slots, rate.perMs, slackOf(rate)), 20);
      assert.ok(((slots.at(-1) ?? 0) - (slots[0] ?? 0)) / 99 < 1.03 * (rate.perMs / 20));
    });

    test('R4: slots that are asked for at the same moment are different ones', async () => {
      const rate: Rate = { limit: 50, perMs: 1000, and: [] };
      const pace = openPace(rate);
      const [one, two] = [pace.another(), pace.another()];
      const taken = await Promise.all(
        Array.from({ length: 120 }, (_, at) => (at % 2 === 0 ? one : two).reserve(farMs)),
      );
      const slots = taken.flatMap((reservation) => ('at' in reservation ? [reservation.at] : []));
      assert.equal(slots.length, 120);
      const sorted = slots.toSorted((a, b) => a - b);
      const gaps = sorted.slice(1).map((slot, at) => slot - (sorted[at] ?? 0));
      assert.ok(Math.min(...gaps) >= spacingOf(rate) - rounding, String(Math.min(...gaps)));
    });

    test('a throttle from before is obeyed until it ends', async () => {
      const rate: Rate = { limit: 20, perMs: 500, and: [] };
      const store = home
        .pace(unique('pace'), rate, () =>
          Promise.resolve({ callsAgo: [], share: 1, throttle: { forMs: 5000, reason: 'HTTP 429' } }),
        )
        .another();
      const wait = await waitOf(store);
      assert.ok(wait > 4000 && wait <= 5000, String(wait));
    });

    test('R4: several windows hold at once', async () => {
      const rate: Rate = {
        limit: 10,
        perMs: 100,
        and: [
          { limit: 30, perMs: 6000 },
          { limit: 100, perMs: 60_000 },
        ],
      };
      const pace = openPace(rate);
      const slots = await take(150, pace.another(), pace.another());
      for (const { limit, perMs } of rate.and) assert.equal(mostIn(slots, perMs, slackOf(rate)), limit);
      // A busy machine may ask for the slots of the shortest window later than they are free.
      assert.ok(mostIn(slots, rate.perMs, slackOf(rate)) <= rate.limit);
    });

    test('a new pace starts without a wait, in any of its windows', async () => {
      const store = openPace({ limit: 1000, perMs: 1000, and: [{ limit: 20, perMs: 3_600_000 }] }).another();
      const slots = await take(20, store);
      assert.ok((slots.at(-1) ?? 0) - store.now() < 50);
    });

    test('a slot that is too far away is not given out, and stays for whoever has the time', async () => {
      const rate: Rate = { limit: 1, perMs: 20_000, and: [] };
      const store = openPace(rate).another();
      const [first = 0] = await take(1, store);
      const refused = [await store.reserve(500), await store.reserve(500)];
      for (const refusal of refused)
        assert.ok('waitMs' in refusal && refusal.waitMs > spacingOf(rate) / 2 && refusal.waitMs <= spacingOf(rate));
      const [second = 0] = await take(1, store);
      assert.ok(Math.abs(second - first - spacingOf(rate)) < rounding, String(second - first));
    });

    test('R4: a shorter hold never cuts a longer one, and it holds for everybody', async () => {
      const pace = openPace({ limit: 1000, perMs: 1000, and: [] });
      const [one, two] = [pace.another(), pace.another()];
      await take(2, one, two);
      await one.hold(60_000);
      await two.hold(1000);
      await one.hold(20);
      for (const store of [one, two]) {
        await store.look();
        assert.ok(store.gate - store.now() > 59_000);
        const reservation = await store.reserve(30_000);
        assert.ok('waitMs' in reservation && reservation.waitMs > 59_000);
      }
      assert.ok((await waitOf(pace.another())) > 59_000);
    });

    test('a hold lasts a day at most, whatever was asked for, and another process knows why', async () => {
      const pace = openPace({ limit: 1000, perMs: 1000, and: [] });
      const [one, two] = [pace.another(), pace.another()];
      await take(2, one, two);
      await one.hold(1e20, 'HTTP 429');
      while (two.why === '') {
        await sleep(10);
        await two.look();
      }
      assert.ok(two.gate - two.now() > 86_000_000 && two.gate - two.now() <= 86_400_000, String(two.gate - two.now()));
      assert.equal(two.why, 'HTTP 429');
    });

    test('a hold is ended for everybody', async () => {
      const pace = openPace({ limit: 1000, perMs: 1000, and: [] });
      const [one, two] = [pace.another(), pace.another()];
      await take(2, one, two);
      await one.hold(60_000);
      await two.open();
      while (one.gate > one.now()) {
        await sleep(10);
        await one.look();
      }
      await take(1, one);
    });

    test('R4: whoever holds knows it before anybody else is told', async () => {
      const store = openPace({ limit: 10, perMs: 1000, and: [] }).another();
      await take(1, store);
      const told = store.hold(5000);
      assert.ok(store.gate - store.now() > 4900);
      await told;
      assert.ok(store.gate - store.now() > 4900);
    });

    test('R4: a pace that was lost begins again as slowly as the calls made before it want', async () => {
      const rate: Rate = { limit: 1, perMs: 1000, and: [{ limit: 4, perMs: 60_000 }] };
      const pace = openPace(rate, [50_000, 3000, 600]);
      await take(1, pace.another());
      await pace.lose();
      const store = pace.another();
      const [first = 0, second = 0] = await take(2, store);
      const soonest = store.now() + 1000 - 600;
      assert.ok(
        first >= soonest - 100 && first < soonest + leavesWithinMs + 300,
        `${first - soonest} ms after the earliest`,
      );
      // The fourth call of a minute may be made at once, the fifth only when the first of them is a minute old.
      assert.ok(
        second - store.now() > 9500 && second - store.now() < 10_200 + leavesWithinMs,
        String(second - store.now()),
      );
    });

    test('R4: the slots of a pace that was lost are void', async () => {
      const pace = openPace({ limit: 10, perMs: 1000, and: [] });
      const reserved = await pace.another().reserve(farMs);
      await pace.lose();
      const store = pace.another();
      await take(1, store);
      assert.ok('pace' in reserved && reserved.pace !== store.pace);
      const later = await store.reserve(farMs);
      await store.look();
      assert.ok('pace' in later && later.pace === store.pace);
    });

    test('a clock that is set back makes nobody wait longer, in no window and behind no gate', async () => {
      const rate: Rate = { limit: 100, perMs: 1000, and: [{ limit: 5, perMs: 2000 }] };
      const pace = openPace(rate);
      const store = pace.another();
      await take(5, store);
      await store.hold(1000);
      await pace.setClockBack(3_600_000);
      const wait = await waitOf(store);
      assert.ok(wait > 1000 && wait < 2500, `a wait of ${wait} ms`);
      const another = pace.another();
      const other = await waitOf(another);
      assert.ok(other > 1000 && other < 5000, `a wait of ${other} ms`);
      assert.ok(another.gate - another.now() < 1100);
    });

    test('the share of an adaptive pace halves on a throttle and recovers in steps, for everybody', async () => {
      const rate: Rate = { limit: 10, perMs: 10_000, and: [], adaptive: true };
      const pace = openPace(rate);
      const [one, two] = [pace.another(), pace.another()];
      await take(2, one, two);
      const later = one.now() + 60_000;
      await one.change((condition) => condition.tell('throttled', later, {}));
      await two.change((condition) => condition);
      const [first = 0, second = 0, third = 0] = await take(3, two);
      assert.equal(two.condition.share, 0.5);
      assert.ok(second - first < third - second + rounding);
      assert.ok(Math.abs(third - second - 2 * spacingOf(rate)) < rounding, String(third - second));
      await two.change((condition) => condition.tell('accepted', later + 15_000, { times: 20 }));
      await one.look();
      assert.equal((await one.change((condition) => condition)).share, 0.6);
    });

    test('the share that a service bore before is where an adaptive pace begins; another pace knows nothing of it', async () => {
      const adaptive: Rate = { limit: 10, perMs: 10_000, and: [], adaptive: true };
      const store = openPace(adaptive, [], 0.25).another();
      const [first = 0, second = 0] = await take(2, store);
      assert.equal(store.condition.share, 0.25);
      assert.ok(Math.abs(second - first - 4 * spacingOf(adaptive)) < rounding, String(second - first));
      const fixed: Rate = { ...adaptive, adaptive: false };
      const [third = 0, fourth = 0] = await take(2, openPace(fixed, [], 0.25).another());
      assert.ok(Math.abs(fourth - third - spacingOf(fixed)) < rounding);
    });

    test('R5: one breaker for all: it opens by what they tell together, lets one of them probe, and closes for all', async () => {
      const pace = openPace({ limit: 100, perMs: 1000, and: [] });
      const stores = [pace.another(), pace.another()];
      const [one, two] = stores as [PaceStore, PaceStore];
      await take(2, one, two);
      for (let delivery = 1; delivery <= 5; delivery += 1) {
        await stores[delivery % 2]?.change((condition) => condition.tell('broken', one.now(), { delivery }));
      }
      const later = one.now() + 3_600_000;
      const asked = await Promise.all(stores.map((store) => store.change((condition) => condition.ask(later))));
      for (const store of stores) assert.equal(store.condition.outage, true);
      assert.equal(asked.filter(({ pass }) => pass).length, 1);
      const { breaker } = await two.change((condition) => condition.tell('accepted', later, { delivery: 9 }));
      assert.equal(breaker, 'closed');
      assert.equal(await one.change((condition) => condition.outage), false);
    });

    test('what is told at the same moment is all counted', async () => {
      const pace = openPace({ limit: 100, perMs: 1000, and: [] });
      const [one, two] = [pace.another(), pace.another()];
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 === 0 ? one : two).change((condition) => condition.tell('throttled', 1000, { delivery: at })),
        ),
      );
      assert.equal(await one.change((condition) => condition.state.throttles), 10);
    });
  });
}
