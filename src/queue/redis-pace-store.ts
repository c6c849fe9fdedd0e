import type { Redis } from 'ioredis';
import { Condition } from '../core/condition.ts';
import { type Rate, slackOf, spacingOf } from '../core/pacing.ts';
import { beginScript, holdScript, replaceScript, reserveScript } from './pace-script.ts';
import {
  conditionWithShare,
  type PaceBeginning,
  type PaceStore,
  readCondition,
  type Reservation,
} from './pace-store.ts';

/** What the pace in Redis needs to know. */
export interface RedisPaceOptions {
  redis: Redis;
  /** The key of this pace: it carries the service's address. */
  key: string;
  rate: Rate;
  /** Asked when Redis holds no pace: at first, and after it lost its data. */
  beginning(): Promise<PaceBeginning>;
}

/** How long the condition may be out of date, ms. */
const conditionAgeMs = 250;
/** More slots at once than this make the script slow for others. */
const mostSlots = 100;

const micro = (ms: number): number => Math.round(ms * 1000);

/** A pace in Redis, the same for all workers, on Redis' clock. */
export function createRedisStore({ redis, key, rate, beginning }: RedisPaceOptions): PaceStore {
  const keys = [key, ...rate.and.map((_, at) => `${key}:${at + 1}`)];
  const windows = rate.and.flatMap(({ limit, perMs }) => [limit, micro(perMs)]);
  const slack = slackOf(rate);
  let condition = new Condition();
  let stored = '';
  let readAt = -Infinity;
  let gate = 0;
  /** Redis' time minus the monotonic clock, ms; judged late rather than early, so that nobody calls too soon. */
  let offset = 0;
  const now = (): number => performance.now() + offset;

  async function refresh(): Promise<void> {
    if (performance.now() - readAt < conditionAgeMs) return;
    readAt = performance.now();
    const [json, shut] = await redis.hmget(key, 'condition', 'gate');
    keep(json ?? '');
    gate = Number(shut ?? 0) / 1000;
  }

  function keep(json: string): void {
    if (json === stored) return;
    stored = json;
    condition = new Condition(readCondition(json));
  }

  async function begin(): Promise<void> {
    const { callsAgo, share } = await beginning();
    const first = callsAgo.at(-1);
    const wait = first === undefined ? 0 : Math.max(0, rate.perMs - first);
    const logs = rate.and.flatMap(({ limit, perMs }) => {
      const counting = callsAgo.filter((ago) => ago < perMs).slice(-limit);
      return [counting.length, ...counting.map(micro)];
    });
    await redis.eval(beginScript, keys.length, ...keys, micro(wait), ...logs, '');
    if (rate.adaptive && share < 1 && stored === '') await replace(conditionWithShare(share));
  }

  async function replace(next: Condition): Promise<boolean> {
    const json = JSON.stringify(next.state);
    const present = String(await redis.eval(replaceScript, 1, key, 'condition', stored, json));
    readAt = performance.now();
    keep(present);
    return present === json;
  }

  async function reserveMany(count: number, aheadMs: number): Promise<Reservation[]> {
    await refresh();
    const spacing = micro(spacingOf(rate, slack) / (rate.adaptive ? condition.share : 1));
    for (;;) {
      const reply = (await redis.eval(
        reserveScript,
        keys.length,
        ...keys,
        count,
        micro(aheadMs),
        spacing,
        micro(rate.perMs),
        micro(slack),
        ...windows,
        '',
      )) as string[];
      const [time, wait, ...slots] = reply.map((value) => Number(value) / 1000) as [
        number,
        number | undefined,
        ...number[],
      ];
      if (wait === undefined) {
        await begin();
        continue;
      }
      // The script ran a little before this moment: so this clock is late, never early.
      offset = time - performance.now();
      return Array.from({ length: count }, (_, at) => {
        const slot = slots[at];
        return slot === undefined ? { waitMs: wait } : { at: slot };
      });
    }
  }

  let waiting: { aheadMs: number; resolve: (reservation: Reservation) => void; reject: (error: unknown) => void }[] =
    [];
  let running = false;
  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostSlots);
      try {
        const reservations = await reserveMany(batch.length, Math.max(...batch.map(({ aheadMs }) => aheadMs)));
        batch.forEach(({ resolve }, at) => resolve(reservations[at] ?? { waitMs: 0 }));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return {
    now,
    reserve: (aheadMs) =>
      new Promise((resolve, reject) => {
        waiting.push({ aheadMs, resolve, reject });
        if (!running) void drain();
      }),
    async hold(waitMs) {
      const left = await redis.eval(holdScript, 1, key, micro(waitMs));
      gate = Math.max(gate, now() + Number(left) / 1000);
    },
    get gate() {
      return gate;
    },
    get condition() {
      return condition;
    },
    async change(apply) {
      for (;;) {
        readAt = -Infinity;
        await refresh();
        const next = new Condition(condition.state);
        const result = apply(next);
        if (await replace(next)) return result;
      }
    },
  };
}
