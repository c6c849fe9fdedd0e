import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Secret } from '../../src/core/secrets/secret.ts';
import { inspectRedis, judgeRedis, openRedis } from '../../src/queue/redis.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort, removeAtExit, without } from '../support/server-process.ts';
import { redisSkipReason, startRedis, freshRedis } from '../support/redis.ts';

const skipTls = without('openssl');
const certificate = skipTls === false ? makeCertificate('localhost') : undefined;

const good = { version: '7.2.4', maxmemoryPolicy: 'noeviction', appendOnly: true, cluster: false };

test('what closes the connection at once is said in one sentence, with what to check', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(inspectRedis(new Secret(`redis://127.0.0.1:${port}`)), (error: Error) => {
    assert.match(error.message, /^Redis at \S+ cannot be used: .*[^.]\. Check REDIS_URL/);
    return true;
  });
});

suite('a Redis that is asked about itself before it is used', { skip: redisSkipReason }, () => {
  test('is taken as it is with AOF and noeviction', async () => {
    const redis = await startRedis({ appendonly: true });
    const facts = await inspectRedis(new Secret(redis.url));
    assert.deepEqual(judgeRedis(facts), { problems: [], warnings: [] });
    await redis.stop();
  });

  test('without AOF is warned of, with the command that turns it on', async () => {
    const { problems, warnings } = judgeRedis(await inspectRedis(new Secret((await freshRedis()).url)));
    assert.deepEqual(problems, []);
    assert.match(warnings.join(), /CONFIG SET appendonly yes/);
  });

  test('that may evict jobs is refused, with the command that fixes it', async () => {
    const redis = await startRedis({ settings: { 'maxmemory-policy': 'allkeys-lru' } });
    const { problems } = judgeRedis(await inspectRedis(new Secret(redis.url)));
    assert.match(problems.join(), /allkeys-lru.*CONFIG SET maxmemory-policy noeviction/);
    await redis.stop();
  });

  test('that is part of a cluster is refused', async () => {
    const redis = await startRedis({ settings: { 'cluster-enabled': 'yes' } });
    const { problems } = judgeRedis(await inspectRedis(new Secret(redis.url)));
    assert.match(problems.join(), /part of a cluster/);
    await redis.stop();
  });

  test('that is out of memory says so; it is no reason not to start, as it may pass', async () => {
    const redis = await startRedis({ appendonly: true });
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    const facts = await inspectRedis(new Secret(redis.url));
    assert.match(facts.refusal ?? '', /^OOM command not allowed/);
    assert.deepEqual(judgeRedis(facts), { problems: [], warnings: [] });
    await redis.stop();
  });

  test('older than 6.2 is refused', () => {
    for (const version of ['5.0.14', '6.0.16'])
      assert.match(judgeRedis({ ...good, version }).problems.join(), /too old/);
    for (const version of ['6.2.0', '7.0.0', '10.1']) assert.deepEqual(judgeRedis({ ...good, version }).problems, []);
  });

  test('is reached with a user, a password and a database number; a wrong password is never shown', async () => {
    const redis = await startRedis();
    await redis.command('ACL', 'SETUSER', 'sync', 'on', '>s3cret-pass', '~*', '+@all');
    const client = openRedis(new Secret(`redis://sync:s3cret-pass@127.0.0.1:${redis.port}/3`), assert.fail);
    assert.match(await client.client('INFO'), / db=3 .* user=sync /);
    client.disconnect();
    const wrong = new Secret(`redis://sync:wr0ng-pass@127.0.0.1:${redis.port}`);
    await assert.rejects(
      inspectRedis(wrong),
      (error: Error) => /WRONGPASS/.test(error.message) && !/wr0ng/.test(error.message),
    );
    await redis.stop();
  });

  test(
    'is reached over TLS (rediss), and refused while its certificate is not trusted',
    { skip: skipTls },
    async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'rs-redis-tls-'));
      removeAtExit(folder);
      const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      writeFileSync(cert, certificate?.cert ?? '');
      writeFileSync(key, certificate?.key ?? '');
      const port = String(await freePort());
      const tls = { 'tls-port': port, 'tls-cert-file': cert, 'tls-key-file': key, 'tls-auth-clients': 'no' };
      const redis = await startRedis({ appendonly: true, settings: tls });
      const url = new Secret(`rediss://localhost:${port}`);
      await assert.rejects(inspectRedis(url), /certificate/);
      const before = getCACertificates('default');
      setDefaultCACertificates([...before, certificate?.cert ?? '']);
      t.after(() => setDefaultCACertificates(before));
      assert.deepEqual(judgeRedis(await inspectRedis(url)), { problems: [], warnings: [] });
      await redis.stop();
    },
  );

  test('that is not there is named with its host and what to check', async () => {
    await assert.rejects(
      inspectRedis(new Secret('redis://:pass@127.0.0.1:1')),
      /127\.0\.0\.1:1 cannot be used.*REDIS_URL/,
    );
  });
});
