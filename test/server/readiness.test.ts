import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createReadiness } from '../../src/server/readiness.ts';

suite('readiness', () => {
  test('an unreachable part is asked once, however often readiness is requested', async () => {
    const answers: (() => void)[] = [];
    const ask = (): Promise<void> => new Promise((resolve) => void answers.push(resolve));
    const notReady = createReadiness([{ name: 'ledger', ask }], 5);
    for (let times = 0; times < 3; times += 1) assert.deepEqual(await notReady(), ['the ledger does not answer']);
    assert.equal(answers.length, 1);
    answers[0]?.();
    await new Promise(setImmediate);
    const ready = notReady();
    answers[1]?.();
    assert.deepEqual(await ready, []);
  });

  test('a failed check means not ready, and the next request checks again', async () => {
    let asked = 0;
    const ask = async (): Promise<void> => {
      asked += 1;
      if (asked === 1) throw new Error('away');
    };
    const notReady = createReadiness([{ name: 'queue', ask }]);
    assert.deepEqual(await notReady(), ['the queue does not answer']);
    assert.deepEqual(await notReady(), []);
  });
});
