import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { GroupResult } from '../../../src/core/call/answer.ts';
import { countUndelivered, judge } from '../../../src/core/call/outcome.ts';

function result(group: string, status = 'success'): GroupResult {
  return { group, status, inserts: 1, warnings: 0 };
}

const namesOf = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 6,
  selector: (name) => name.normalize('NFC'),
});

describe('an accepted answer', () => {
  it('is a success when every requested group says success, in whatever order', () => {
    assert.deepEqual(judge(['A', 'B'], [result('A'), result('B')]), { outcome: 'succeeded', reason: '' });
    assert.deepEqual(judge(['A', 'B'], [result('B'), result('A')]), {
      outcome: 'succeeded',
      reason: 'the groups came in another order',
    });
    fc.assert(
      fc.property(namesOf, (names) => {
        const results = names.map((name) => result(name)).toReversed();
        assert.equal(judge(names, results).outcome, 'succeeded');
      }),
    );
  });

  it('is unknown when a requested group is missing, whatever the others say', () => {
    assert.deepEqual(judge(['A', 'B'], [result('A', 'error')]), {
      outcome: 'unknown',
      reason: 'the answer does not mention B',
    });
    assert.equal(judge(['A'], []).outcome, 'unknown');
    fc.assert(
      fc.property(namesOf, fc.nat(), (names, at) => {
        const results = names.filter((_, index) => index !== at % names.length).map((name) => result(name));
        assert.equal(judge(names, results).outcome, 'unknown');
      }),
    );
  });

  it('is partial when a requested group says anything but success, and the reason names it', () => {
    assert.deepEqual(judge(['A', 'B'], [result('A'), result('B', 'limit')]), {
      outcome: 'partial',
      reason: 'not "success" for B: limit',
    });
    for (const status of ['', 'Success', 'success ', 'ok']) {
      assert.equal(judge(['A'], [result('A', status)]).outcome, 'partial', status);
    }
  });

  it('is partial when a group named twice says success once and something else once', () => {
    for (const results of [
      [result('A'), result('A', 'error')],
      [result('A', 'error'), result('A')],
    ]) {
      assert.equal(judge(['A'], results).outcome, 'partial');
    }
  });

  it('matches names however their accents are composed, but not with another case', () => {
    assert.equal(judge(['Ko\u0308ln'], [result('K\u00f6ln')]).outcome, 'succeeded');
    assert.equal(judge(['Sales'], [result('sales')]).outcome, 'unknown');
  });

  it('is remarked on when it names groups nobody asked for', () => {
    assert.match(judge(['A'], [result('A'), result('B')]).reason, /nobody asked for/);
  });

  it('names three groups at most', () => {
    assert.equal(judge(['A', 'B', 'C'], []).reason, 'the answer does not mention A, B, C');
    assert.equal(judge(['A', 'B', 'C', 'D', 'E'], []).reason, 'the answer does not mention A, B, C and 2 more');
  });
});

describe('the undelivered people of a run', () => {
  it('are all but those who were delivered, by it or by a newer run', () => {
    assert.equal(countUndelivered({}), 0);
    const counts = { partial: 1, failed: 2, unknown: 4, cancelled: 8, succeeded: 100, superseded: 200 };
    assert.equal(countUndelivered(counts), 15);
  });
});
