import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Crowd } from '../../jobs/deliver/calls-in-hand.ts';

const wanted = (): Promise<boolean> => Promise.resolve(true);

suite('the deliveries that a process holds', () => {
  test('at most the allowed calls are in flight, and half as many more between last look and receipt', async () => {
    const crowd = new Crowd(4);
    assert.equal(crowd.jobs, 7);
    let calling = 0;
    let begun = 0;
    const most = { calling: 0, begun: 0 };
    const deliver = async (): Promise<void> => {
      const place = await crowd.enter(wanted);
      most.begun = Math.max(most.begun, ++begun);
      most.calling = Math.max(most.calling, ++calling);
      await new Promise(setImmediate);
      calling -= 1;
      place?.answered();
      await new Promise(setImmediate);
      begun -= 1;
      place?.leave();
    };
    await Promise.all(Array.from({ length: 50 }, deliver));
    assert.deepEqual(most, { calling: 4, begun: 6 });
  });

  test('one call at a time means one job at a time: nobody is claimed while another is called', () => {
    assert.equal(new Crowd(1).jobs, 1);
  });

  test('the last look is taken ahead only if the pace has no waits', async () => {
    let now = 0;
    const crowd = new Crowd(4, () => now);
    const looks: string[] = [];
    const look = (name: string) => async (): Promise<boolean> => looks.push(name) > 0;
    await crowd.enter(look('before it is known'));
    await crowd.timed(wanted)();
    await crowd.enter(look('flowing'));
    const slow = crowd.timed(wanted);
    now += 40;
    await slow();
    await crowd.enter(look('waiting for the pace'));
    assert.deepEqual(looks, ['flowing']);
  });

  test('an unwanted delivery gives its place to the next', async () => {
    const crowd = new Crowd(1);
    await crowd.timed(wanted)();
    for (let n = 0; n < 3; n += 1) assert.equal(await crowd.enter(() => Promise.resolve(false)), undefined);
    await assert.rejects(crowd.enter(() => Promise.reject(new Error('the ledger is away'))));
    assert.ok(await crowd.enter(wanted));
  });

  test('closing turns away waiting deliveries', async () => {
    const crowd = new Crowd(1);
    await crowd.enter(wanted);
    const waiting = crowd.enter(wanted);
    crowd.close();
    assert.equal(await waiting, undefined);
  });
});
