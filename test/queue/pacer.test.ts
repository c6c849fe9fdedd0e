import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rate } from '../../src/core/pace/pacing.ts';
import { createLocalStore } from '../../src/queue/pace-store.ts';
import { createPacer } from '../../src/queue/pacer.ts';

const minute = 60_000;
const run = { id: 'run' };
const wanted = (): Promise<boolean> => Promise.resolve(true);
const never = new AbortController().signal;

/** A pacer over a pace in this process, that has given a first slot; its clock is the machine's unless one is given. */
async function newPacer(rate: Partial<Rate> = {}, clock?: () => number, connect?: () => Promise<void>) {
  const full: Rate = { limit: 1000, perMs: 1000, and: [], adaptive: false, ...rate };
  const storeOf = (given: Rate) =>
    createLocalStore(given, () => Promise.resolve({ callsAgo: [], share: 1 }), undefined, clock ? { clock } : {});
  const store = storeOf(full);
  const pacer = createPacer({
    store,
    rate: full,
    storeOf: (own) => storeOf(own.rate),
    onShare: () => {},
    trouble: () => {},
    ...(connect && { connect }),
  });
  assert.equal((await pacer.slot(run, wanted, never)).go, true);
  return pacer;
}

describe('a slot', () => {
  it('R4: comes on time, never early; no window sees more than its limit', async () => {
    const pacer = await newPacer({ limit: 5, perMs: 250 });
    const times: number[] = [];
    const take = async (): Promise<void> => {
      assert.equal((await pacer.slot(run, wanted, never)).go, true);
      times.push(performance.now());
    };
    await Promise.all(Array.from({ length: 12 }, take));
    const sorted = times.toSorted((a, b) => a - b);
    for (const [at, time] of sorted.entries()) assert.ok(at < 5 || time - (sorted[at - 5] ?? 0) >= 250, `slot ${at}`);
  });

  it('R4: lasts as long as a third of the slack, so that most of it is for the way to the service', async () => {
    const pacer = await newPacer();
    for (let call = 0; call < 10; call += 1) {
      const slot = await pacer.slot(run, wanted, never);
      assert.ok(slot.go && slot.until - performance.now() <= 10);
    }
  });

  it('has a connection made shortly before it where the last call was over a second ago', async () => {
    const made: string[] = [];
    const pacer = await newPacer({ limit: 1, perMs: 1100 }, undefined, async () => {
      await sleep(30);
      made.push('slow');
    });
    for (let call = 0; call < 2; call += 1) {
      const before = made.length;
      const slot = await pacer.slot(run, wanted, never);
      assert.ok(slot.go && made.length > before, `call ${call}`);
    }
    const quick = await newPacer({ limit: 20, perMs: 1000 }, undefined, async () => void made.push('quick'));
    await Promise.all(Array.from({ length: 9 }, () => quick.slot(run, wanted, never)));
    assert.ok(made.filter((each) => each === 'quick').length < 9, 'a connection in use stays');
  });

  it('comes at once after a connection that took a second', async () => {
    let made = 0;
    const pacer = await newPacer({ limit: 10, perMs: 1000 }, undefined, async () => {
      made += 1;
      await sleep(1100);
    });
    assert.equal(made, 1);
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
  });

  it('is not taken when the last look finds that the call is no longer wanted', async () => {
    const pacer = await newPacer();
    assert.deepEqual(await pacer.slot(run, () => Promise.resolve(false), never), { go: false, waitMs: 0 });
  });

  it('that is more than 30 s away is refused with a wait that ends a little before it, so that the delivery goes back to the ledger', async () => {
    const pacer = await newPacer();
    await pacer.tell('throttled', 1, 10 * minute);
    const slot = await pacer.slot(run, () => assert.fail('nobody looks'), never);
    assert.ok(!slot.go && slot.waitMs > 9.7 * minute && slot.waitMs < 10 * minute);
    assert.ok((await pacer.gateClosedFor()) > 9.9 * minute);
  });

  it('R4: a waiting call waits on when the service starts rate-limiting us', async () => {
    const pacer = await newPacer({ limit: 1, perMs: 100 });
    const waiting = pacer.slot(run, wanted, never);
    const asked = performance.now();
    await pacer.tell('throttled', 1, 300);
    assert.equal((await waiting).go, true);
    assert.ok(performance.now() - asked >= 299);
  });

  it('R4: that is overslept is lost, and the call leaves at a later one', async () => {
    let slept = 0;
    const pacer = await newPacer({ limit: 1, perMs: 100 }, () => performance.now() + slept);
    let looks = 0;
    const oversleep = (): Promise<boolean> => {
      if (++looks === 1) slept = 1000;
      return Promise.resolve(true);
    };
    const slot = await pacer.slot(run, oversleep, never);
    assert.ok(slot.go && slot.until > performance.now() - 5);
    assert.ok(looks > 1);
  });

  it('R4: that is overslept is lost, but the pace of its run waits for the same call', async () => {
    let slept = 0;
    const pacer = await newPacer({}, () => performance.now() + slept);
    const slow = { id: 'slow', rate: { limit: 1, perMs: minute / 2, and: [], adaptive: false } };
    const oversleep = (): Promise<boolean> => {
      if (slept < 3000) slept += 1000;
      return Promise.resolve(true);
    };
    assert.equal((await pacer.slot(slow, oversleep, never)).go, true);
    const second = await pacer.slot(slow, wanted, never);
    assert.ok(!second.go && second.waitMs > minute / 2);
  });

  it('R4: is lost when the service rate-limits us during the last look', async () => {
    // A slow clock: a busy machine does not oversleep the slot.
    const clock = (): number => performance.now() / 5;
    const pacer = await newPacer({ limit: 10 }, clock);
    const looks: number[] = [];
    const looked = async (): Promise<boolean> => {
      looks.push(clock());
      if (looks.length === 1) await pacer.tell('throttled', 1, 200);
      return true;
    };
    assert.equal((await pacer.slot(run, looked, never)).go, true);
    assert.ok(clock() - (looks[0] ?? 0) >= 199);
  });

  it('is kept from everybody for 1 s, then 2 s, after throttles that name no wait', async () => {
    let now = 0;
    const pacer = await newPacer({}, () => now);
    const waits: number[] = [];
    for (const delivery of [1, 2]) {
      await pacer.tell('throttled', delivery);
      waits.push(await pacer.gateClosedFor());
      now += waits.at(-1) ?? 0;
    }
    assert.deepEqual(waits, [1000, 2000]);
  });

  it('is given again after what is known from before could not be read for once', async () => {
    let reads = 0;
    const beginning = async () => {
      reads += 1;
      if (reads === 1) throw new Error('the ledger is busy');
      return { callsAgo: [], share: 1 };
    };
    const store = createLocalStore({ limit: 1, perMs: 1, and: [] }, beginning);
    await assert.rejects(store.look(), /busy/);
    await store.look();
    assert.ok('at' in (await store.reserve(1000)));
    assert.equal(reads, 2);
  });

  it('is not waited for once nobody wants it: an abort ends the wait at once', async () => {
    const pacer = await newPacer();
    await pacer.tell('throttled', 1, 20_000);
    const stopping = new AbortController();
    const began = performance.now();
    const waiting = pacer.slot(run, wanted, stopping.signal);
    stopping.abort();
    assert.deepEqual(await waiting, { go: false, waitMs: 0 });
    assert.ok(performance.now() - began < 5000);
    assert.deepEqual(await pacer.slot(run, wanted, stopping.signal), { go: false, waitMs: 0 });
  });

  it('R4: a run with a slower pace of its own keeps that one, beside others that do not wait for it', async () => {
    const pacer = await newPacer();
    const slow = { id: 'slow', rate: { limit: 1, perMs: 2 * minute, and: [], adaptive: false } };
    assert.equal((await pacer.slot(slow, wanted, never)).go, true);
    const second = await pacer.slot(slow, wanted, never);
    assert.ok(!second.go && second.waitMs > minute);
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
  });

  it('R4: a run keeps its own pace also after the service made everybody wait', async () => {
    const pacer = await newPacer();
    const slow = { id: 'slow', rate: { limit: 1, perMs: 200, and: [], adaptive: false } };
    const times: number[] = [];
    async function call(): Promise<void> {
      const slot = await pacer.slot(slow, wanted, never);
      if (slot.go) times.push(performance.now());
      else await sleep(slot.waitMs).then(call);
    }
    const calls = Promise.all(Array.from({ length: 5 }, call));
    await pacer.tell('throttled', 1, 700);
    await calls;
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    assert.ok(Math.min(...gaps) >= 190, `calls ${gaps.map(Math.round).join(', ')} ms apart`);
  });

  it('R4: a run that is continued at another rate of its own keeps that one', async () => {
    const pacer = await newPacer();
    const paceOf = (perMs: number) => ({ id: 'slow', rate: { limit: 1, perMs, and: [], adaptive: false } });
    assert.equal((await pacer.slot(paceOf(10), wanted, never)).go, true);
    assert.equal((await pacer.slot(paceOf(2 * minute), wanted, never)).go, true);
    const second = await pacer.slot(paceOf(2 * minute), wanted, never);
    assert.ok(!second.go && second.waitMs > minute);
  });
});

describe('an outage', () => {
  it('R5: opens at five connect errors in a row; then one call a minute probes, and its success closes it', async () => {
    let now = 0;
    const pacer = await newPacer({}, () => now);
    const told: unknown[] = [];
    for (let call = 0; call < 5; call += 1) told.push(await pacer.tell('not-sent', call));
    assert.deepEqual(told, [undefined, undefined, undefined, undefined, 'opened']);
    assert.equal(pacer.outage, true);
    assert.deepEqual(await pacer.slot(run, wanted, never), { go: false, waitMs: minute });
    now = minute;
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
    const beside = await pacer.slot(run, wanted, never);
    assert.equal(beside.go, false, 'one probe at a time');
    assert.equal(await pacer.tell('accepted', 1), 'closed');
    now += 1000;
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
  });

  it('R5: a probe that was too late for its slot leaves the place to another', async () => {
    let now = 0;
    const pacer = await newPacer({}, () => now);
    for (let call = 0; call < 5; call += 1) await pacer.tell('not-sent', call);
    now = minute;
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
    await pacer.late();
    now += 1000;
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
  });

  it('R5: a probe that was not made after all leaves the place to another', async () => {
    let now = 0;
    const pacer = await newPacer({}, () => now);
    for (let call = 0; call < 5; call += 1) await pacer.tell('not-sent', call);
    now = minute;
    assert.deepEqual(await pacer.slot(run, () => Promise.resolve(false), never), { go: false, waitMs: 0 });
    now += 1000;
    assert.equal((await pacer.slot(run, wanted, never)).go, true);
  });
});
