import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { suite, test } from 'node:test';
import { beginRun } from './begin-run.ts';
import { check } from './check.ts';
import { production, productionSkipReason, scaled, tempo, timeoutMs, until, untilCalls } from './place.ts';
import { redisAway } from './redis-away.ts';

suite('a Redis that goes away for longer, or comes back with other data', { skip: productionSkipReason }, () => {
  const place = production({ appendonly: true });

  test('restarted, with its data on disk: the run goes on, and nobody is called twice', async () => {
    const run = await beginRun(place);
    await place.redis.stop();
    await place.redis.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('emptied again and again: still nobody is lost, called twice, or too soon', async () => {
    const run = await beginRun(place);
    for (const calls of [60, 100, 140]) {
      await untilCalls(place.sandbox, calls);
      await place.redis.flush();
    }
    await place.settled(run);
    await check(place, [run]);
  });

  test('away for 60 s: the calls wait, and go on as soon as it is back', () => redisAway(place, 60));

  test('restored from an old copy: what the copy still holds is called by nobody, what it lacks is fed again', async () => {
    const { redis, sandbox } = place;
    const run = await beginRun(place);
    const copy = `${redis.folder}-copy`;
    await redis.stop();
    cpSync(redis.folder, copy, { recursive: true });
    await redis.start();
    const made = sandbox.calls.length;
    await untilCalls(sandbox, made + 60);
    await redis.kill();
    rmSync(redis.folder, { recursive: true });
    renameSync(copy, redis.folder);
    await redis.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('gone for good: a worker that is told to end does so, and another one delivers the rest when it is back', async () => {
    const last = await place.startWorker();
    const run = await beginRun(place);
    await place.redis.stop();
    last.signal('SIGTERM');
    const askedAt = performance.now();
    await last.ended;
    assert.ok(performance.now() - askedAt < timeoutMs + tempo.graceMs + 10_000, `${performance.now() - askedAt} ms`);
    await place.redis.start();
    await place.settled(run);
    await check(place, [run]);
  });

  test('cut off from a worker silently: noticed within 20 s, others continue, and so does the worker afterwards', async () => {
    const proxy = await place.openProxy(place.redis.port);
    const cutOff = await place.startWorker({ redisUrl: `redis://127.0.0.1:${proxy.port}` });
    const run = await beginRun(place);
    const connected = proxy.connections;
    proxy.cut();
    const cutAt = performance.now();
    await until('it connects anew', () => proxy.connections > connected);
    assert.ok(performance.now() - cutAt < scaled(20_000) + 10_000, `noticed after ${performance.now() - cutAt} ms`);
    await place.settled(run);
    await check(place, [run]);
    cutOff.signal('SIGTERM');
    assert.equal((await cutOff.ended).code, 0);
  });
});
