import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Condition } from '../../../src/core/pace/service-health.ts';
import { scaleTempo, tempo } from '../../../src/core/pace/waiting-times.ts';

suite('the condition of a service', () => {
  test('a throttle that names no wait makes everybody wait a second, then two, four … a minute at most', () => {
    const condition = new Condition();
    const holds = Array.from({ length: 8 }, () => condition.tell('throttled', 0, {}).holdMs);
    assert.deepEqual(holds, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    assert.deepEqual(condition.tell('throttled', 0, { waitMs: 7 }), { holdMs: 7 });
    assert.deepEqual(condition.tell('rejected', 0, {}), {});
    assert.equal(condition.state.throttles, 8, 'only those without a wait count');
    assert.deepEqual(condition.tell('accepted', 0, {}), {});
    assert.equal(condition.tell('throttled', 0, {}).holdMs, 1000);
  });

  test('accepted calls may be told later, together, unless they would end something', () => {
    const condition = new Condition();
    assert.equal(condition.canWait, true);
    condition.tell('throttled', 1, { waitMs: 60_000 });
    assert.equal(condition.canWait, true);
    condition.tell('throttled', 1, { waitMs: 5 });
    assert.equal(condition.canWait, false, 'they end the time of throttles without a wait, or with a short one');
    condition.tell('accepted', 1, {});
    assert.equal(condition.canWait, true);
    condition.tell('throttled', 1, {});
    assert.equal(condition.canWait, false);
    condition.tell('accepted', 0, { times: 3 });
    assert.equal(condition.canWait, true);
    assert.equal(condition.state.adaptive.good, 4);
    condition.tell('accepted', 0, {});
    assert.equal(condition.state.adaptive.good, 5);
    condition.tell('not-sent', 0, { delivery: 1 });
    assert.equal(condition.canWait, false);
  });

  test('R5: an outage opens the breaker, and another worker that reads the state knows it', () => {
    const condition = new Condition(undefined, { ...tempo, firstProbeMs: 100 });
    for (let at = 0; at < 4; at += 1) assert.deepEqual(condition.tell('broken', 0, { delivery: at }), {});
    assert.deepEqual(condition.tell('broken', 0, { delivery: 9 }), { breaker: 'opened' });
    const other = new Condition(condition.state);
    assert.deepEqual([other.outage, other.probeAt], [true, 100]);
    assert.deepEqual(other.ask(99), { pass: false, at: 100 });
    assert.deepEqual(other.ask(100), { pass: true, probe: true });
    other.withdraw();
    assert.deepEqual(other.ask(100), { pass: true, probe: true });
    assert.deepEqual(other.tell('accepted', 100, {}), { breaker: 'closed' });
    assert.equal(other.outage, false);
  });

  test('R5: a service that throttles for over a minute is an outage, though each throttle is held', () => {
    const condition = new Condition();
    let now = 1;
    let throttles = 0;
    for (; !condition.outage; throttles += 1) {
      assert.ok(throttles < 10);
      now += condition.tell('throttled', now, {}).holdMs ?? 0;
    }
    assert.equal(throttles, 7);
    assert.deepEqual(condition.tell('accepted', now, {}), { breaker: 'closed' });
  });

  test('the pace is halved by a throttle that names no wait, and not by one that does', () => {
    const condition = new Condition();
    condition.tell('throttled', 5000, { waitMs: 0 });
    assert.equal(condition.share, 1);
    condition.tell('throttled', 5000, {});
    assert.equal(condition.share, 0.5);
  });

  test('broken answers for one person, or for nobody in particular, are no outage', () => {
    const condition = new Condition();
    for (let at = 0; at < 20; at += 1) assert.deepEqual(condition.tell('broken', 0, {}), {});
    assert.deepEqual(condition.tell('broken', 0, { delivery: 1 }), {});
    assert.deepEqual(condition.tell('broken', 0, { delivery: 2 }), { breaker: 'opened' });
  });
});

test('the waits for others are those of the documentation, and a scaled tempo has the same share of each', () => {
  assert.deepEqual(tempo, {
    ...{ heartbeatMs: 3000, deadAfterMs: 10_000, ledgerPatienceMs: 1_800_000, jobLockMs: 15_000, stalledEveryMs: 5000 },
    ...{ silenceMs: 15_000, repairEveryMs: 5000, thoroughEveryMs: 60_000, firstProbeMs: 60_000, lastProbeMs: 900_000 },
    ...{ longestProbeMs: 120_000, graceMs: 10_000 },
  });
  const { heartbeatMs, deadAfterMs } = scaleTempo(tempo, 0.0105);
  assert.deepEqual([heartbeatMs, deadAfterMs], [32, 105]);
});
