import { suite, test } from 'node:test';
import { beginRun } from './begin-run.ts';
import { check } from './check.ts';
import { production, productionSkipReason } from './place.ts';
import { redisAway } from './redis-away.ts';

suite('a Redis that goes away', { skip: productionSkipReason }, () => {
  const place = production({ appendonly: true });

  test('crashed and started again, with its data on disk: the run goes on, and nobody is called twice', async () => {
    const run = await beginRun(place);
    await place.redis.kill();
    await place.redis.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('emptied in the middle of a run: the queue is filled again from the ledger, and the pace is kept', async () => {
    const run = await beginRun(place);
    await place.redis.flush();
    await place.settled(run);
    await check(place, [run]);
  });

  test('away for 5 s: the calls wait, and go on as soon as it is back', () => redisAway(place, 5));
});
