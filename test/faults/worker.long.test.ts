import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { check } from './check.ts';
import {
  production,
  productionSkipReason,
  scaled,
  tempo,
  timeoutMs,
  until,
  untilCalls,
  type WorkerOptions,
  type WorkerProcess,
} from './place.ts';

const people = 150;

suite('workers that die, stop or go', { skip: productionSkipReason }, () => {
  const place = production();
  /** A worker that is always there. */
  let steady: WorkerProcess | undefined;

  /** Starts a run with the steady worker and another one. */
  async function begin(options: WorkerOptions = {}): Promise<{ worker: WorkerProcess; run: string }> {
    const [worker] = await Promise.all([
      place.startWorker(options),
      steady ?? place.startWorker().then((started) => (steady = started)),
    ]);
    place.sandbox.clearCalls();
    return { worker, run: await place.release(people) };
  }

  /** Waits until a worker has killed itself, and gives the people whom it was calling. */
  async function died(worker: WorkerProcess): Promise<Set<string>> {
    assert.equal((await worker.ended).signal, 'SIGKILL');
    return worker.inFlight();
  }

  test('kill -9 in the middle of calls: the other one repeats these and only these, and does so soon', async () => {
    const { worker, run } = await begin();
    await untilCalls(place.sandbox, 40);
    // Answers that take long: else it may be killed between two calls.
    place.sandbox.faults.clear();
    place.sandbox.faults.add(`latency=${timeoutMs / 2}`);
    await untilCalls(place.sandbox, 45);
    await until('it calls somebody', async () => (await worker.inFlight()).size > 0);
    worker.kill();
    const killedAt = performance.now();
    const inFlight = await died(worker);
    place.sandbox.faults.clear();
    place.sandbox.faults.add('latency=60-120');
    assert.ok(inFlight.size > 0);
    await place.settled(run);
    await check(place, [run], { repeated: inFlight });
    const again = place.sandbox.calls.filter(
      ({ email = '', arrivedAt }) => inFlight.has(email) && arrivedAt > killedAt,
    );
    const last = Math.max(...again.map(({ arrivedAt }) => arrivedAt)) - killedAt;
    assert.ok(last < timeoutMs + scaled(20_000), `called again after ${last} ms`);
  });

  test('kill -9 between receipt and the end of the job: nobody whose receipt was kept is called again', async () => {
    const { worker, run } = await begin({ dieAt: 'after ledger.record 20' });
    const inFlight = await died(worker);
    await place.settled(run);
    await check(place, [run], { repeated: inFlight });
  });

  test('kill -9 between claim and call: nobody is called twice, and nobody waits for a timeout', async () => {
    const { worker, run } = await begin({ dieAt: 'after ledger.claim 20' });
    const inFlight = await died(worker);
    await place.settled(run);
    await check(place, [run], { repeated: inFlight });
  });

  test('kill -9 between getting a job and claiming it: the job comes to another worker once its lock is over', async () => {
    const { worker, run } = await begin({ dieAt: 'before ledger.claim 20' });
    const inFlight = await died(worker);
    const diedAt = performance.now();
    await place.settled(run);
    const took = performance.now() - diedAt;
    assert.ok(took < tempo.jobLockMs + 3 * tempo.stalledEveryMs + 20_000, `it took ${took} ms`);
    await check(place, [run], { repeated: inFlight });
  });

  for (const dieAt of ['after ledger.findDue', 'before queue.add', 'after queue.add']) {
    test(`kill -9 of the feeder in the middle of a chunk (${dieAt}): another one feeds what is missing`, async () => {
      steady?.signal('SIGTERM');
      await steady?.ended;
      const feeder = await place.startWorker({ dieAt });
      place.sandbox.clearCalls();
      const run = await place.release(people);
      const inFlight = await died(feeder);
      steady = await place.startWorker();
      await place.settled(run);
      await check(place, [run], { repeated: inFlight });
    });
  }

  test('SIGTERM: the calls in flight are finished, the rest is handed over, and nobody is called twice', async () => {
    const { worker, run } = await begin();
    await untilCalls(place.sandbox, 40);
    worker.signal('SIGTERM');
    const askedAt = performance.now();
    const { code, stderr } = await worker.ended;
    assert.equal(code, 0, stderr);
    assert.ok(performance.now() - askedAt < timeoutMs + tempo.graceMs + 10_000);
    assert.deepEqual(await worker.inFlight(), new Set());
    await place.settled(run);
    await check(place, [run]);
  });

  test('SIGSTOP for longer than lock and lease, then on: it calls nobody whom others have called since', async () => {
    const { worker, run } = await begin();
    await untilCalls(place.sandbox, 30);
    worker.signal('SIGSTOP');
    const inFlight = await worker.inFlight();
    const longest = Math.max(tempo.jobLockMs + tempo.stalledEveryMs, tempo.deadAfterMs + timeoutMs);
    await pause(longest + scaled(5000));
    worker.signal('SIGCONT');
    await place.settled(run);
    await check(place, [run], { repeated: inFlight });
    // It works on as if nothing had been.
    const next = await place.release(people);
    await place.settled(next);
    worker.signal('SIGTERM');
    assert.equal((await worker.ended).code, 0);
  });

  test('SIGSTOP of the one that feeds: another one feeds', async () => {
    steady?.signal('SIGTERM');
    await steady?.ended;
    const feeder = await place.startWorker();
    await until('it feeds', async () => (await feederOf()).startsWith(`${feeder.name}-`));
    steady = await place.startWorker();
    place.sandbox.clearCalls();
    feeder.signal('SIGSTOP');
    const run = await place.release(people);
    await place.settled(run);
    await check(place, [run]);
    feeder.signal('SIGCONT');
    feeder.signal('SIGTERM');
    assert.equal((await feeder.ended).code, 0);
  });

  async function feederOf(): Promise<string> {
    const { rows } = await place.pool.query<{ worker: string }>("select worker from leases where name like 'feed %'");
    return rows[0]?.worker ?? '';
  }

  test('workers whose clocks are two minutes wrong, ahead and behind: all times are those of the servers', async () => {
    const { worker, run } = await begin({ clockOff: 120_000 });
    const behind = await place.startWorker({ clockOff: -120_000 });
    await place.settled(run);
    await check(place, [run]);
    for (const each of [worker, behind]) {
      each.signal('SIGTERM');
      assert.equal((await each.ended).code, 0);
    }
  });
});
