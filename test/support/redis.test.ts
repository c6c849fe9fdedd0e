import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { redisSkipReason, startRedis, testRedis } from './redis.ts';

suite('the Redis of the tests', { skip: redisSkipReason }, () => {
  test('keeps its data over a crash when it is append-only', async () => {
    const redis = await startRedis({ appendonly: true });
    await redis.command('SET', 'key', 'välue');
    await redis.kill();
    await assert.rejects(redis.command('GET', 'key'));
    await redis.start();
    assert.equal(await redis.command('STRLEN', 'key'), ':6');
    await redis.flush();
    assert.equal(await redis.command('DBSIZE'), ':0');
    await redis.stop();
  });

  test('is one for the whole test file, and evicts nothing', async () => {
    assert.equal(await testRedis(), await testRedis());
    const redis = await testRedis();
    await assert.rejects(redis.command('NONSENSE'), /unknown command/);
    assert.equal(await redis.command('CONFIG', 'GET', 'maxmemory-policy'), '*2');
  });
});
