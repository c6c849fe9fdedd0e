import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Answer, RawResponse } from '../../../src/core/call/answer.ts';
import { decide, looksLikeWrongAddress, type Situation } from '../../../src/core/call/retry.ts';

const policy = { attempts: 6, backoff: { first: 1000, max: 300_000 } };
const situation: Situation = {
  groups: ['A'],
  attempts: 0,
  outage: false,
  accepted: 'nothing',
  mayHaveArrived: false,
};

function response(httpStatus: number): RawResponse {
  return { httpStatus, headers: {}, body: '', bodyCut: false };
}

function accepted(status = 'success'): Answer {
  const results = [{ group: 'A', status, inserts: 1, warnings: 0 }];
  return { kind: 'accepted', response: response(200), results, hash: '0'.repeat(32), responseTime: 0.1 };
}

const broken: Answer = { kind: 'broken', response: response(500), reason: 'HTTP 500' };
const notSent: Answer = { kind: 'not-sent', reason: 'refused' };
const mayHaveHappened: Answer = { kind: 'may-have-happened', reason: 'reset' };

function refused(httpStatus: number, renewed = false): Answer {
  return { kind: 'refused', response: response(httpStatus), reason: 'refused', renewed };
}
function rejected(httpStatus: number): Answer {
  return { kind: 'rejected', response: response(httpStatus), reason: `HTTP ${httpStatus}` };
}

describe('what happens to a delivery', () => {
  it('an accepted one ends as its groups say', () => {
    assert.deepEqual(decide(accepted(), situation, policy, 0), { next: 'end', outcome: 'succeeded', reason: '' });
    const partial = decide(accepted('full'), situation, policy, 0);
    assert.equal(partial.next === 'end' && partial.outcome, 'partial');
  });

  it('R8: 401 halts the run, also after a success', () => {
    for (const accepted of ['nothing', 'service', 'run'] as const) {
      assert.equal(decide(refused(401), { ...situation, accepted }, policy, 0).next, 'halt');
    }
  });

  it('R8: 401 is tried again without using up an attempt when the token file held a new token', () => {
    const decision = decide(refused(401, true), { ...situation, attempts: 5 }, policy, 0);
    assert.deepEqual({ ...decision, reason: '' }, { next: 'again', waitMs: 0, attempt: false, reason: '' });
  });

  it('R8: 403 halts the run before any success, and is one member’s failure after it', () => {
    assert.equal(decide(refused(403), situation, policy, 0).next, 'halt');
    assert.equal(decide(refused(403), { ...situation, accepted: 'service' }, policy, 0).next, 'halt');
    const after = decide(refused(403), { ...situation, accepted: 'run' }, policy, 0);
    assert.equal(after.next === 'end' && after.outcome, 'failed');
  });

  it('R8: redirects, 404 and 405 before any success mean a wrong address and halt; after it they are failures', () => {
    for (const status of [301, 302, 307, 308, 404, 405]) {
      const before = decide(rejected(status), situation, policy, 0);
      assert.equal(before.next, 'halt', `${status}`);
      assert.match(before.reason, /does not look like the service's address/);
      for (const accepted of ['service', 'run'] as const) {
        const after = decide(rejected(status), { ...situation, accepted }, policy, 0);
        assert.equal(after.next === 'end' && after.outcome, 'failed', `${status}`);
      }
    }
  });

  it('R5: a reset, a deadline, a 5xx and a connection that is not made in time never mean a wrong address', () => {
    const nobodyThere: Answer = { kind: 'not-sent', reason: 'ENOTFOUND', nobodyThere: true };
    assert.deepEqual([nobodyThere, rejected(404), rejected(301)].map(looksLikeWrongAddress), [true, true, true]);
    const others = [broken, notSent, mayHaveHappened, rejected(400), refused(403), accepted()];
    assert.deepEqual(others.filter(looksLikeWrongAddress), []);
  });

  it('any other 4xx is that member’s failure at once', () => {
    for (const status of [400, 402, 406, 409, 410, 413, 422, 451]) {
      const decision = decide(rejected(status), situation, policy, 0);
      assert.equal(decision.next === 'end' && decision.outcome, 'failed', `${status}`);
    }
  });

  it('R7: a failure after a call that may have arrived is unknown, and halts, waits and successes are as ever', () => {
    const repeated = { ...situation, attempts: policy.attempts - 1, accepted: 'run', mayHaveArrived: true } as const;
    const notSent: Answer = { kind: 'not-sent', reason: 'ECONNREFUSED' };
    const broken: Answer = { kind: 'broken', response: response(502), reason: 'HTTP 502' };
    for (const answer of [notSent, broken, rejected(409), refused(403)]) {
      const decision = decide(answer, repeated, policy, 0);
      assert.equal(decision.next === 'end' && decision.outcome, 'unknown', answer.kind);
      assert.match(decision.reason, /; an earlier call may have arrived$/);
      const alone = decide(answer, { ...repeated, mayHaveArrived: false }, policy, 0);
      assert.equal(alone.next === 'end' && alone.outcome, 'failed', answer.kind);
    }
    assert.equal(decide(refused(401), repeated, policy, 0).next, 'halt');
    assert.equal(decide(notSent, { ...repeated, attempts: 0 }, policy, 0).next, 'again');
    assert.deepEqual(decide(accepted(), repeated, policy, 0), { next: 'end', outcome: 'succeeded', reason: '' });
  });

  it('R6: an answer never seen before is unknown at once and not repeated', () => {
    const answer: Answer = { kind: 'unrecognised', response: response(200), reason: 'HTML' };
    assert.deepEqual(decide(answer, situation, policy, 0), { next: 'end', outcome: 'unknown', reason: 'HTML' });
  });

  it('R5: a throttled call uses up no attempt, however often', () => {
    const answer: Answer = { kind: 'throttled', response: response(429), reason: 'wait', waitMs: 7000 };
    for (const attempts of [0, 5, 500]) {
      const decision = decide(answer, { ...situation, attempts }, policy, 0);
      assert.deepEqual(decision, { next: 'again', waitMs: 7000, attempt: false, reason: 'wait' });
    }
    const unnamed: Answer = { kind: 'throttled', response: response(429), reason: 'wait' };
    const again = { next: 'again', waitMs: 0, attempt: false, reason: 'wait' };
    assert.deepEqual(decide(unnamed, situation, policy, 0), again, 'the wait is that of the service, not of this call');
  });

  it('R5: an outage uses up no attempts', () => {
    for (const answer of [broken, notSent, mayHaveHappened]) {
      const decision = decide(answer, { ...situation, attempts: 500, outage: true }, policy, 0);
      assert.deepEqual(decision, { next: 'again', waitMs: 0, attempt: false, reason: answer.reason }, answer.kind);
    }
  });

  it('without an outage each broken call uses up an attempt, and the last one ends it', () => {
    for (const answer of [broken, notSent, mayHaveHappened]) {
      for (const attempts of [0, 4]) {
        const decision = decide(answer, { ...situation, attempts }, policy, 0);
        assert.equal(decision.next === 'again' && decision.attempt, true, `${answer.kind} ${attempts}`);
      }
      assert.equal(decide(answer, { ...situation, attempts: 5 }, policy, 0).next, 'end', answer.kind);
    }
  });

  it('R7: what may have happened ends as unknown, never as failed', () => {
    const last = { ...situation, attempts: 5 };
    const outcomes = [mayHaveHappened, broken, notSent].map((answer) => {
      const decision = decide(answer, last, policy, 0);
      return decision.next === 'end' && decision.outcome;
    });
    assert.deepEqual(outcomes, ['unknown', 'failed', 'failed']);
  });

  it('the back-off doubles up to its limit, and no two need be alike', () => {
    const waits = (random: number): unknown[] =>
      Array.from({ length: 5 }, (_, attempts) => {
        const decision = decide(
          broken,
          { ...situation, attempts },
          { ...policy, backoff: { first: 1000, max: 5000 } },
          random,
        );
        return decision.next === 'again' && decision.waitMs;
      });
    assert.deepEqual(waits(1), [1000, 2000, 4000, 5000, 5000]);
    assert.deepEqual(waits(0), [100, 200, 400, 500, 500]);
  });

  it('the back-off is a wait that a timer can take, for any policy and attempt', () => {
    const policyOf = fc.record({
      attempts: fc.constant(100_000),
      backoff: fc.record({
        first: fc.integer({ min: 1, max: 2_147_483_647 }),
        max: fc.integer({ min: 1, max: 2_147_483_647 }),
      }),
    });
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(policyOf, fc.nat({ max: 99_000 }), share, (policy, attempts, random) => {
        const decision = decide(notSent, { ...situation, attempts }, policy, random);
        assert.equal(decision.next, 'again');
        if (decision.next !== 'again') return;
        assert.ok(Number.isInteger(decision.waitMs));
        assert.ok(decision.waitMs >= 0 && decision.waitMs <= policy.backoff.max);
      }),
    );
  });
});
