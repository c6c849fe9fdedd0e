import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Permits } from '../../../src/core/pace/permits.ts';

suite('permits', () => {
  test('so many are given at a time, the next one in turn when one comes back', async () => {
    const permits = new Permits(1);
    const order: string[] = [];
    const first = await permits.take();
    const others = ['second', 'third'].map(async (name) => {
      const release = await permits.take();
      order.push(name);
      release?.();
    });
    assert.deepEqual(order, []);
    first?.();
    await Promise.all(others);
    assert.deepEqual(order, ['second', 'third']);
  });

  test('one that is given back twice counts once', async () => {
    const permits = new Permits(1);
    const release = await permits.take();
    release?.();
    release?.();
    await permits.take();
    let third = false;
    void permits.take().then(() => (third = true));
    await new Promise(setImmediate);
    assert.equal(third, false);
  });

  test('those who wait are sent away when nobody may enter any more', async () => {
    const permits = new Permits(1);
    await permits.take();
    const waiting = permits.take();
    permits.refuse();
    assert.equal(await waiting, undefined);
  });
});
