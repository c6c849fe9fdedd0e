import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnswerKind } from '../../../src/core/call/answer.ts';
import { type Ended, reasonToPause, type Tally } from '../../../src/core/call/brake.ts';

const calm: Tally = { newest: [], first: { ended: 0, failed: 0 }, unrecognised: 0 };
const success: Ended = { outcome: 'succeeded', kind: 'accepted', status: 200 };
const failures = (count: number, kind: AnswerKind = 'rejected', status: number | null = 400): Ended[] =>
  Array.from({ length: count }, () => ({ outcome: 'failed', kind, status }));

describe('the brake', () => {
  it('lets a run that goes well go on', () => {
    assert.equal(reasonToPause(calm), undefined);
    const newest = Array.from({ length: 10 }, () => success);
    assert.equal(reasonToPause({ newest, first: { ended: 50, failed: 9 }, unrecognised: 2 }), undefined);
  });

  it('R6: pauses at the third answer of a kind never seen before', () => {
    assert.equal(reasonToPause({ ...calm, unrecognised: 2 }), undefined);
    assert.match(reasonToPause({ ...calm, unrecognised: 3 }) ?? '', /3 answers were of a kind never seen before/);
  });

  it('R8: pauses after ten like failures in a row, and says what they had in common', () => {
    assert.equal(reasonToPause({ ...calm, newest: failures(9) }), undefined);
    assert.match(
      reasonToPause({ ...calm, newest: failures(10) }) ?? '',
      /10 deliveries in a row failed in the same way: rejected 400$/,
    );
    assert.match(
      reasonToPause({ ...calm, newest: failures(10, 'not-sent', null) }) ?? '',
      /in the same way: not-sent$/,
    );
  });

  it('R8: ten failures in a row that are not alike do not pause it', () => {
    assert.equal(reasonToPause({ ...calm, newest: [...failures(5), ...failures(5, 'broken', 500)] }), undefined);
    assert.equal(reasonToPause({ ...calm, newest: [...failures(9), success] }), undefined);
    assert.equal(reasonToPause({ ...calm, newest: [success, ...failures(9)] }), undefined);
  });

  it('R8: pauses when a fifth of the first fifty has failed, as soon as that is certain', () => {
    assert.equal(reasonToPause({ ...calm, first: { ended: 50, failed: 9 } }), undefined);
    assert.match(reasonToPause({ ...calm, first: { ended: 50, failed: 10 } }) ?? '', /10 of the first 50/);
    assert.match(reasonToPause({ ...calm, first: { ended: 12, failed: 10 } }) ?? '', /10 of the first 12/);
  });
});
