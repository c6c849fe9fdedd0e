import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { redisSkipReason, freshRedis, startRedis } from './redis.ts';

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

  test('is one for all, of which each has a database of its own, and evicts nothing', async () => {
    const [redis, other] = [await freshRedis(), await freshRedis()];
    assert.equal(redis.port, other.port);
    await redis.command('SET', 'key', 'value');
    assert.equal(await other.command('DBSIZE'), ':0');
    await other.flush();
    assert.equal(await redis.command('DBSIZE'), ':1');
    await assert.rejects(redis.command('NONSENSE'), /unknown command/);
    assert.equal(await redis.command('CONFIG', 'GET', 'maxmemory-policy'), '*2');
  });
});
