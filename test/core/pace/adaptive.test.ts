import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Adaptive } from '../../../src/core/pace/adaptive.ts';

const slow = (share: number): Adaptive => new Adaptive({ share, changedAt: 0, good: 0, bad: 0 });

suite('the pace of a service whose limit is not known', () => {
  test('is halved by a throttle that names no wait, and not again before the calls on their way have ended', () => {
    const adaptive = new Adaptive();
    assert.deepEqual(adaptive.state, { share: 1, changedAt: 0, good: 0, bad: 0 });
    adaptive.tell('throttled', 1999);
    assert.equal(adaptive.share, 1);
    adaptive.tell('throttled', 5000, { named: true });
    assert.equal(adaptive.share, 1);
    adaptive.tell('throttled', 5000);
    assert.deepEqual(adaptive.state, { share: 0.5, changedAt: 5000, good: 0, bad: 0 });
    adaptive.tell('throttled', 6999);
    assert.equal(adaptive.share, 0.5);
    adaptive.tell('throttled', 7000);
    assert.equal(adaptive.share, 0.25);
    for (let now = 10_000; now < 60_000; now += 2000) adaptive.tell('throttled', now);
    assert.equal(adaptive.share, 1 / 64);
  });

  test('is halved by five errors that are a fifth of the calls, and begins to count anew', () => {
    for (const [good, bad, share] of [
      [20, 5, 0.5],
      [21, 5, 1],
      [0, 4, 1],
      [0, 5, 0.5],
    ] as const) {
      const adaptive = new Adaptive();
      adaptive.tell('accepted', 3000, { times: good });
      for (let left = bad; left > 0; left -= 1) adaptive.tell(left % 2 === 0 ? 'broken' : 'may-have-happened', 3000);
      assert.equal(adaptive.share, share, `${good} good, ${bad} bad`);
    }
    const adaptive = new Adaptive();
    adaptive.tell('broken', 3000, { times: 5 });
    adaptive.tell('broken', 9000, { times: 4 });
    assert.deepEqual(adaptive.state, { share: 0.5, changedAt: 3000, good: 0, bad: 4 });
    adaptive.tell('rejected', 9000, { times: 100 });
    assert.equal(adaptive.state.bad, 4, 'a call that was refused for what it says is no error of the service');
  });

  test('an error share that rises after a long calm counts as soon as it does after a short one', () => {
    for (const calm of [100, 1_000_000]) {
      const adaptive = new Adaptive();
      for (let told = 0; told < calm; told += 20) adaptive.tell('accepted', 3000, { times: 20 });
      let errors = 0;
      for (; adaptive.share === 1 && errors < 100; errors += 1) adaptive.tell('broken', 5000);
      assert.ok(errors <= 25, `${errors} errors after ${calm} good calls`);
    }
  });

  test('rises by a tenth of the limit after twenty good calls and ten calm seconds, never above the limit', () => {
    const few = slow(0.5);
    few.tell('accepted', 10_000, { times: 19 });
    assert.equal(few.share, 0.5);
    few.tell('accepted', 10_000);
    assert.deepEqual(few.state, { share: 0.6, changedAt: 10_000, good: 0, bad: 0 });
    const early = slow(0.5);
    early.tell('accepted', 9999, { times: 20 });
    assert.equal(early.share, 0.5);
    few.tell('accepted', 19_999, { times: 20 });
    assert.equal(few.share, 0.6, 'ten seconds after the last change');
    const nearly = slow(0.95);
    nearly.tell('accepted', 10_000, { times: 20 });
    assert.equal(nearly.share, 1);
    const whole = slow(1);
    whole.tell('accepted', 10_000, { times: 20 });
    assert.equal(whole.state.changedAt, 0);
  });
});
