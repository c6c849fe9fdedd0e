import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { adviceFor, type Cause, readCause, writeCause } from '../../../src/core/run/cause.ts';

suite('the cause of failures', () => {
  test('is one word, which says the same when it is read', () => {
    const causes: [Cause, string][] = [
      [{ outcome: 'failed', kind: 'rejected', status: 422, said: '3f2a9c1d' }, 'failed.rejected.422.3f2a9c1d'],
      [{ outcome: 'unknown', kind: 'may-have-happened', status: null, said: null }, 'unknown.may-have-happened.-.-'],
      [{ outcome: 'partial', kind: null, status: null, said: null }, 'partial.-.-.-'],
    ];
    for (const [cause, word] of causes) {
      assert.equal(writeCause(cause), word);
      assert.deepEqual(readCause(word), cause);
    }
    for (const word of [
      '',
      'done.rejected.422.-',
      'failed.rejected.42.-',
      'failed.rejected.422.3F2A9C1D',
      'failed..422.-',
    ])
      assert.equal(readCause(word), undefined, word);
  });

  test('says whether a retry helps: not if the roster or the service has to change first', () => {
    const retryHelps = (cause: Partial<Cause>): boolean =>
      adviceFor({ outcome: 'failed', kind: null, status: null, ...cause }).retryHelps;
    for (const kind of ['refused', 'broken', 'throttled', 'not-sent', 'may-have-happened', 'unrecognised'] as const)
      assert.ok(retryHelps({ kind }), kind);
    assert.ok(!retryHelps({ kind: 'rejected' }));
    assert.ok(!retryHelps({ kind: 'accepted', outcome: 'partial' }));
    assert.ok(retryHelps({ kind: 'accepted', outcome: 'unknown' }));
    assert.ok(retryHelps({ kind: null }));
    assert.ok(!retryHelps({ kind: null, status: 422 }));
  });
});
