import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { OwnRedis } from '../support/redis.ts';
import { check } from './check.ts';
import { production, productionSkipReason, until, untilCalls, type WorkerProcess } from './place.ts';

const people = 150;
/** How long Redis refuses, ms: real time, as the waits between two tries are. */
const refusedMs = 6000;
/**
 * In that time each of three workers may finish the jobs that are in the queue, ask for another one 7 times (after 0.1, 0.2 …
 * 5 s), look for stalled jobs twice a second, and feed. Without waits it is tens of thousands.
 */
const mostCommands = 400;

/** The scripts that Redis was sent, refused or not: all that writes is one. */
async function scriptsOf(redis: OwnRedis): Promise<number> {
  const figures = await Promise.all(['eval', 'evalsha'].map((name) => redis.info('commandstats', `cmdstat_${name}`)));
  return figures.reduce((sum, text) => sum + Number(/^calls=(\d+)/.exec(text ?? '')?.[1] ?? 0), 0);
}

/** Ways in which a Redis refuses to write, and how it comes back. */
interface Refusal {
  kind: string;
  says: RegExp;
  begin(redis: OwnRedis): Promise<unknown>;
  end(redis: OwnRedis): Promise<unknown>;
}

const refusals: Refusal[] = [
  {
    kind: 'OOM',
    says: /Redis is out of memory and refuses to write\. Raise its maxmemory/,
    begin: (redis) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    end: (redis) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    kind: 'NOREPLICAS',
    says: /Redis has fewer replicas than its min-replicas-to-write asks for/,
    begin: (redis) => redis.command('CONFIG', 'SET', 'min-replicas-to-write', '1'),
    end: (redis) => redis.command('CONFIG', 'SET', 'min-replicas-to-write', '0'),
  },
  {
    kind: 'READONLY',
    says: /Redis is a read-only replica\. Point REDIS_URL at the primary/,
    // Nobody answers there, so that it keeps its data.
    begin: (redis) => redis.command('REPLICAOF', '127.0.0.1', '9'),
    end: (redis) => redis.command('REPLICAOF', 'NO', 'ONE'),
  },
  {
    kind: 'MISCONF',
    says: /Redis cannot save its data to disk and refuses to write/,
    async begin(redis) {
      await redis.command('CONFIG', 'SET', 'save', '3600 1');
      await redis.command('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'yes');
      // A folder where its file is to be.
      mkdirSync(join(redis.folder, 'dump.rdb'));
      await redis.command('BGSAVE');
      await until(
        'the saving has failed',
        async () => (await redis.info('persistence', 'rdb_last_bgsave_status')) === 'err',
      );
    },
    async end(redis) {
      rmdirSync(join(redis.folder, 'dump.rdb'));
      await redis.command('BGSAVE');
    },
  },
];

suite('a Redis that refuses to write', { skip: productionSkipReason }, () => {
  const place = production({ appendonly: true });

  for (const { kind, says, begin, end } of refusals) {
    test(`${kind}: a line in the log of each process, few commands, and then the run goes on`, async () => {
      const { redis, sandbox } = place;
      const workers: WorkerProcess[] = [await place.startWorker(), await place.startWorker()];
      sandbox.clearCalls();
      const run = await place.release(people);
      await untilCalls(sandbox, 40);
      await begin(redis);
      // One that has not had a job yet asks for one without waiting until there is any.
      workers.push(await place.startWorker());
      const before = await scriptsOf(redis);
      await pause(refusedMs);
      const sent = (await scriptsOf(redis)) - before;
      const made = sandbox.calls.length;
      assert.ok(made < people, 'Redis refused before everybody was called');
      await end(redis);
      await until('the calls go on', () => sandbox.calls.length > made, 20_000);
      await place.settled(run);
      await check(place, [run]);
      for (const worker of workers) worker.signal('SIGTERM');
      for (const { code, stderr } of await Promise.all(workers.map(({ ended }) => ended))) {
        assert.equal(code, 0, stderr);
        const lines = stderr.split('\n').filter((line) => line.includes('"warn"') || line.includes('"error"'));
        assert.equal(lines.filter((line) => says.test(line)).length, 1, stderr);
        assert.ok(lines.length < 8, stderr);
      }
      assert.ok(sent < mostCommands, `${sent} scripts in ${refusedMs} ms`);
    });
  }
});
