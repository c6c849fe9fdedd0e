import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { check } from './check.ts';
import { concurrency, production, productionSkipReason, scaled, timeoutMs, until, untilCalls } from './place.ts';

const people = 150;
const workers = 2;
const latency = 'latency=40-80';
/** So long after an answer, ms, calls that were on their way may still arrive: a look of the others, and a busy machine. */
const onTheirWayMs = 350;

suite('a service in trouble, and two workers', { skip: productionSkipReason }, () => {
  const place = production();
  let started = 0;

  /** Starts a run over a service with these faults, which strike once some calls were answered. */
  async function begin(...faults: string[]): Promise<string> {
    for (; started < workers; started += 1) await place.startWorker();
    place.sandbox.faults.clear();
    place.sandbox.faults.add(...faults, latency);
    place.sandbox.clearCalls();
    return place.release(people);
  }

  for (const [form, fault, waitMs] of [
    ['seconds', 'status=429,retry-after=2,after=40,first=12', 2000],
    ['a date', 'status=429,retry-after=date+3,after=40,first=12', 2000],
    ['seconds, with a 503', 'status=503,retry-after=2,after=40,first=12', 2000],
  ] as const) {
    test(`storms of throttling, Retry-After in ${form}: everyone stops at once and for as long, nobody fails`, async () => {
      const run = await begin(fault);
      await place.settled(run);
      await check(place, [run]);
      const { calls } = place.sandbox;
      const throttled = calls.filter(({ status }) => status === 429 || status === 503);
      assert.equal(throttled.length, 12);
      for (const { endedAt = 0 } of throttled) {
        const tooSoon = calls.filter(
          ({ arrivedAt }) => arrivedAt > endedAt + onTheirWayMs && arrivedAt < endedAt + waitMs,
        );
        assert.deepEqual(tooSoon, []);
      }
    });
  }

  test('5xx for a minute: the breaker opens, probes alone, closes by itself, and nobody fails', async () => {
    const run = await begin();
    await untilCalls(place.sandbox, 40);
    place.sandbox.faults.clear();
    place.sandbox.faults.add('status=500', latency);
    const since = place.sandbox.calls.length;
    await pause(scaled(60_000));
    // What opens it, what was in flight beside, and the probes.
    assert.ok(
      place.sandbox.calls.length - since < 5 + workers * concurrency + 3,
      `${place.sandbox.calls.length - since}`,
    );
    place.sandbox.faults.clear();
    place.sandbox.faults.add(latency);
    await place.settled(run);
    await check(place, [run]);
  });

  test('resets before and after the request was read: called again, and everybody is delivered once', async () => {
    const run = await begin('reset=before,every=11', 'reset=after,every=13');
    await place.settled(run);
    await check(place, [run]);
  });

  test('answers that trickle past the deadline: given up at the deadline, called again', async () => {
    const run = await begin('body=trickle,interval=200,after=20,every=30');
    await place.settled(run);
    await check(place, [run]);
    const given = place.sandbox.calls.filter(({ fault = '' }) => fault.includes('trickle'));
    assert.ok(given.length > 0);
    for (const { arrivedAt, endedAt = Infinity } of given) {
      assert.ok(endedAt - arrivedAt < timeoutMs + 1000, `given up after ${endedAt - arrivedAt} ms`);
    }
  });

  test('HTML and half an answer are unknown, a truncated one is called again, a reordered one is a success', async () => {
    const run = await begin(
      'body=html,nth=30',
      'body=half-json,nth=50',
      'body=truncated,nth=60',
      'body=truncated,nth=70',
      'body=reordered,every=9',
    );
    await place.settled(run);
    await check(place, [run], { outcomes: { unknown: 2 } });
  });

  test('401 in the middle: the run halts with no more calls than were in flight, and continues with a good token', async () => {
    const run = await begin('status=401,after=60');
    await place.settled(run);
    assert.equal((await place.ledger.findRuns(run))[0]?.status, 'halted');
    const refused = place.sandbox.calls.filter(({ status }) => status === 401).length;
    assert.ok(refused <= workers * concurrency, `${refused} calls were refused`);
    place.sandbox.faults.clear();
    place.sandbox.faults.add(latency);
    await until('the last answers are there', async () => (await place.ledger.countInFlight(run)) === 0);
    const status = async (): Promise<string | undefined> => (await place.ledger.findRuns(run))[0]?.status;
    do {
      // A worker that was kept waiting halts the run for its last refused call a moment after that one is recorded.
      await place.ledger.moveRun(run, 'resume');
      await place.settled(run);
    } while ((await status()) === 'halted');
    await check(place, [run]);
  });

  test('403 for one person is that person’s failure, and nobody else’s', async () => {
    const run = await begin('status=403,after=40,first=1');
    await place.settled(run);
    assert.equal((await place.ledger.findRuns(run))[0]?.status, 'finished-with-failures');
    await check(place, [run], { outcomes: { failed: 1 } });
  });
});
