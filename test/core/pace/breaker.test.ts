import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AnswerKind } from '../../../src/core/call/answer.ts';
import { Breaker } from '../../../src/core/pace/breaker.ts';

const minute = 60_000;
const outages: AnswerKind[] = ['broken', 'not-sent', 'may-have-happened'];

/** A breaker that five connect errors have opened at 0. */
function opened(): Breaker {
  const breaker = new Breaker();
  for (let at = 0; at < 5; at += 1) breaker.tell('not-sent', 1, 0);
  return breaker;
}

describe('the breaker', () => {
  it('R5: opens at the fifth connect error in a row, for one person or many', () => {
    const breaker = new Breaker();
    for (let at = 0; at < 4; at += 1) assert.equal(breaker.tell('not-sent', 1, 0), undefined);
    assert.equal(breaker.tell('not-sent', 1, 0), 'opened');
    assert.equal(breaker.open, true);
  });

  it('R5: a single person whom the service chokes on is no outage; three people are', () => {
    for (const kind of ['broken', 'may-have-happened'] as const) {
      const breaker = new Breaker();
      for (let at = 0; at < 20; at += 1) assert.equal(breaker.tell(kind, at % 2, 0), undefined, kind);
      assert.equal(breaker.tell(kind, 3, 0), 'opened', kind);
    }
  });

  it('an answer of another kind in between starts the count anew', () => {
    for (const kind of ['accepted', 'rejected', 'refused', 'throttled', 'unrecognised'] as const) {
      const breaker = new Breaker();
      for (let at = 0; at < 4; at += 1) breaker.tell('not-sent', at, 0);
      breaker.tell(kind, 9, 0);
      for (let at = 0; at < 4; at += 1) assert.equal(breaker.tell('not-sent', at, 0), undefined, kind);
    }
  });

  it('R5: while open nobody calls; one call after a minute probes, nobody beside it', () => {
    const breaker = opened();
    assert.deepEqual(breaker.ask(minute - 1), { pass: false, at: minute });
    assert.deepEqual(breaker.ask(minute), { pass: true, probe: true });
    assert.deepEqual(breaker.ask(minute), { pass: false, at: minute + 1000 }, 'looks again a second later');
    assert.equal(breaker.ask(3 * minute - 1).pass, false);
    assert.deepEqual(
      breaker.ask(3 * minute),
      { pass: true, probe: true },
      'a probe that is silent for two minutes is dead',
    );
    breaker.withdraw();
    assert.equal(breaker.state.probingUntil, 0);
    assert.deepEqual(breaker.ask(minute), { pass: true, probe: true });
  });

  it('R5: the wait doubles with every probe that fails, to a quarter of an hour at most', () => {
    const breaker = opened();
    const waits: number[] = [];
    let now = 0;
    for (let probe = 0; probe < 6; probe += 1) {
      waits.push((breaker.probeAt - now) / minute);
      now = breaker.probeAt;
      breaker.ask(now);
      breaker.tell('not-sent', 1, now);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 15, 15]);
  });

  it('a probe that fails when its time is over, as any call in flight, leaves the next probe where it was', () => {
    const breaker = opened();
    breaker.ask(minute);
    breaker.tell('not-sent', 1, 3 * minute);
    assert.equal(breaker.probeAt, minute);
    breaker.ask(3 * minute);
    breaker.tell('not-sent', 1, 5 * minute - 1);
    assert.equal(breaker.probeAt, 7 * minute - 1);
    assert.equal(breaker.state.probingUntil, 0);
  });

  it('minds an answer that speaks of an outage, and any other one after such an answer', () => {
    const breaker = new Breaker();
    const calm = { inARow: 0, deliveries: [], throttledSince: 0, interval: 0, probeAt: 0, probingUntil: 0 };
    assert.deepEqual(breaker.state, calm);
    assert.deepEqual([breaker.minds('accepted'), breaker.minds('broken')], [false, true]);
    breaker.tell('broken', 1, 0);
    assert.deepEqual([breaker.minds('accepted'), breaker.minds('broken')], [true, true]);
    breaker.tell('accepted', 1, 0);
    assert.equal(breaker.minds('accepted'), false);
    assert.deepEqual(breaker.state, calm);
    assert.equal(opened().minds('rejected'), true);
  });

  it('R5: opens when the service throttles for over a minute without a wait, or with one of less, and stays open', () => {
    for (const waitMs of [undefined, minute - 1]) {
      const breaker = new Breaker();
      assert.equal(breaker.tell('throttled', 1, 5, waitMs), undefined);
      for (let at = 0; at < 20; at += 1) assert.equal(breaker.tell('throttled', at, minute + 5, waitMs), undefined);
      assert.equal(breaker.minds('accepted'), true);
      assert.equal(breaker.tell('throttled', 1, minute + 6, waitMs), 'opened');
      breaker.ask(2 * minute + 6);
      assert.equal(breaker.tell('throttled', 1, 2 * minute + 6, waitMs), undefined);
      assert.equal(breaker.probeAt, 4 * minute + 6);
      assert.equal(breaker.tell('accepted', 1, 4 * minute + 6), 'closed');
      assert.equal(breaker.tell('throttled', 1, 9 * minute, waitMs), undefined, 'counts anew');
    }
  });

  it('R5: opens when broken and throttled answers take turns for over a minute', () => {
    const breaker = new Breaker();
    for (let at = 1; at <= 6; at += 1) {
      assert.equal(breaker.tell('throttled', at, at * 10_000), undefined);
      assert.equal(breaker.tell('broken', at, at * 10_000 + 1), undefined);
    }
    assert.equal(breaker.tell('throttled', 1, minute + 10_001), 'opened');
  });

  it('stays closed while an answer is accepted between two throttles, and when a throttle names a wait of a minute', () => {
    for (const [kind, waitMs] of [['accepted'], ['rejected'], ['throttled', minute]] as const) {
      const breaker = new Breaker();
      for (let at = 1; at <= 9; at += 1) {
        assert.equal(breaker.tell('throttled', at, at * minute), undefined);
        assert.equal(breaker.tell(kind, at, at * minute + 1, waitMs), undefined);
      }
    }
  });

  it('R5: closes by itself at the first answer of another kind', () => {
    const breaker = opened();
    breaker.ask(minute);
    assert.equal(breaker.tell('accepted', 1, minute), 'closed');
    assert.deepEqual(breaker.ask(minute), { pass: true, probe: false });
  });

  it('answers of calls that were in flight when it opened do not put off the probe', () => {
    const breaker = opened();
    for (let at = 0; at < 10; at += 1) breaker.tell('not-sent', at, 5000);
    assert.equal(breaker.probeAt, minute);
  });

  it('while it is open never two probes are under way, unless one has been silent for two minutes', () => {
    const event = fc.record({
      pass: fc.nat({ max: 200_000 }),
      answers: fc.boolean(),
      kind: fc.constantFrom(...outages),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const breaker = opened();
        let now = 0;
        let probing = false;
        let since = 0;
        for (const { pass, answers, kind } of events) {
          now += pass;
          const permission = breaker.ask(now);
          if (permission.pass) {
            assert.equal(permission.probe, true);
            assert.ok(!probing || now - since >= 2 * minute);
            probing = true;
            since = now;
          } else assert.ok(permission.at > now);
          if (probing && answers) {
            breaker.tell(kind, 1, now);
            probing = false;
          }
        }
      }),
    );
  });
});
