import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { check } from './check.ts';
import { production, productionSkipReason, untilCalls, type WorkerProcess } from './place.ts';

const people = 120;
/** Three hours in ten seconds: the probes begin after 60 ms and come every 0.9 s in the end. */
const probeTempo = 0.001;
const threeHoursMs = 3 * 60 * 60_000 * probeTempo;
const workers = 2;

suite('an outage of three hours', { skip: productionSkipReason }, () => {
  const place = production();

  test('R5: it ends in everyone delivered without a person, no attempt used up, and the service was hardly called', async () => {
    const { sandbox, release, settled, pool } = place;
    const processes: WorkerProcess[] = [];
    for (let at = 0; at < workers; at += 1) {
      processes.push(await place.startWorker({ environment: { PROBE_TEMPO: String(probeTempo) } }));
    }
    sandbox.clearCalls();
    const run = await release(people);
    await untilCalls(sandbox, 40);
    const beganAt = performance.now();
    for (const outage of ['status=502', 'reset=before', 'status=500']) {
      sandbox.faults.clear();
      sandbox.faults.add(outage);
      await pause(threeHoursMs / 3);
    }
    const endedAt = performance.now();
    sandbox.faults.clear();
    await settled(run);
    await check(place, [run]);
    for (const worker of processes) worker.signal('SIGTERM');
    const logs = await Promise.all(processes.map(async ({ ended }) => (await ended).stderr));
    for (const said of ['the service takes no calls', 'the service answers again'])
      assert.ok(logs.join('').includes(said));

    const during = sandbox.calls.filter(({ arrivedAt }) => arrivedAt > beganAt + 500 && arrivedAt < endedAt);
    // Two, four … fifteen minutes apart: 15 probes in three hours; twice as many where the machine is slow to look.
    assert.ok(during.length >= 5 && during.length <= 30, `${during.length} probes`);
    assert.ok(during.every(({ inFlight }) => inFlight === 1));
    const { rows } = await pool.query<{ most: number }>(
      `select max(attempts)::int as most from deliveries where run_id = $1`,
      [run],
    );
    // Only the answers that opened the breaker, and those in flight beside them, were attempts.
    assert.ok((rows[0]?.most ?? 0) <= 2, `${rows[0]?.most} attempts`);
  });
});
