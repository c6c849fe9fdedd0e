import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { InFlightLimiter } from '../../jobs/deliver/in-flight-limiter.ts';

const wanted = (): Promise<boolean> => Promise.resolve(true);

suite('the deliveries that a process holds', () => {
  test('at most the allowed calls are in flight, and half as many more between last look and receipt', async () => {
    const limiter = new InFlightLimiter(4);
    assert.equal(limiter.jobs, 7);
    let calling = 0;
    let begun = 0;
    const most = { calling: 0, begun: 0 };
    const deliver = async (): Promise<void> => {
      const permit = await limiter.enter(wanted);
      most.begun = Math.max(most.begun, ++begun);
      most.calling = Math.max(most.calling, ++calling);
      await new Promise(setImmediate);
      calling -= 1;
      permit?.answered();
      await new Promise(setImmediate);
      begun -= 1;
      permit?.leave();
    };
    await Promise.all(Array.from({ length: 50 }, deliver));
    assert.deepEqual(most, { calling: 4, begun: 6 });
  });

  test('one call at a time means one job at a time: nobody is claimed while another is called', () => {
    assert.equal(new InFlightLimiter(1).jobs, 1);
  });

  test('the last look is taken ahead only if the pace has no waits', async () => {
    let now = 0;
    const limiter = new InFlightLimiter(4, () => now);
    const looks: string[] = [];
    const look = (name: string) => async (): Promise<boolean> => looks.push(name) > 0;
    await limiter.enter(look('before it is known'));
    await limiter.timed(wanted)();
    await limiter.enter(look('flowing'));
    const slow = limiter.timed(wanted);
    now += 40;
    await slow();
    await limiter.enter(look('waiting for the pace'));
    assert.deepEqual(looks, ['flowing']);
  });

  test('an unwanted delivery gives its place to the next', async () => {
    const limiter = new InFlightLimiter(1);
    await limiter.timed(wanted)();
    for (let n = 0; n < 3; n += 1) assert.equal(await limiter.enter(() => Promise.resolve(false)), undefined);
    await assert.rejects(limiter.enter(() => Promise.reject(new Error('the ledger is away'))));
    assert.ok(await limiter.enter(wanted));
  });

  test('closing turns away waiting deliveries', async () => {
    const limiter = new InFlightLimiter(1);
    await limiter.enter(wanted);
    const waiting = limiter.enter(wanted);
    limiter.close();
    assert.equal(await waiting, undefined);
  });
});
