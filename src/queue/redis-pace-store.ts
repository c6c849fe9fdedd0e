// Keeps the pace in Redis, shared by all processes.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { coalesce } from '../process/coalesce.ts';
import { Condition, type ConditionState } from '../core/pace/service-health.ts';
import { leavesWithinMs, lookAhead, type Rate, slackOf, spacingOf } from '../core/pace/pacing.ts';
import type { Tempo } from '../core/pace/waiting-times.ts';
import { longestThrottle } from '../core/call/throttle.ts';
import {
  conditionWithShare,
  type PaceBeginning,
  type PaceStore,
  type Reservation,
  type ThrottleMemory,
} from './pace-store.ts';

export interface RedisPaceOptions {
  redis: Redis;
  /** The key of this pace: it carries the service's address. */
  key: string;
  rate: Rate;
  /** Asked when Redis holds no pace: at first, and after it lost its data. */
  beginning(): Promise<PaceBeginning>;
  tempo: Tempo;
  /** Where throttles are remembered, for whom the pace is not asked; absent if nothing is kept. */
  throttles?: ThrottleMemory | undefined;
}

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, 'pace', `${name}.lua`), 'utf8');
const withClock = `local longestThrottle = ${longestThrottle}\n${textOf('clock')}${textOf('gate')}`;
/** What is done with the pace, each one step in Redis: the files in `pace` say how. */
const scriptOf = (name: string): string => withClock + textOf(name);
const [lookScript, replaceScript] = [scriptOf('look'), scriptOf('replace')];
export const [reserveScript, beginScript, holdScript] = [scriptOf('reserve'), scriptOf('begin'), scriptOf('hold')];

/** What is known about gate, condition and name may be this old, ms: within it another process may still call. */
const knownForMs = 100;
/** More slots at once than this make the script slow for others. */
const mostSlots = 100;
/** How far two clocks drift apart at most: far more than quartz does. */
const drift = 1e-4;

const micro = (ms: number): number => Math.round(ms * 1000);

/** The clock of a pace in Redis, ms, judged late rather than early, so that nobody calls too soon. */
function createRedisClock() {
  let [offset, toldAt] = [-Infinity, 0];
  return {
    /** Its time at a moment of `performance.now()`. */
    at: (moment: number): number => moment + offset,
    /** A script ran at this time, µs, a little before this moment; the reply that came soonest tells it best. */
    tell(time: string): void {
      const moment = performance.now();
      offset = Math.max(Number(time) / 1000 - moment, offset - (moment - toldAt) * drift);
      toldAt = moment;
    },
    forget: () => void (offset = -Infinity),
  };
}

/** Until when nobody calls, and why. */
interface Gate {
  until: number;
  why: string;
}

const open: Gate = { until: -Infinity, why: '' };
const laterOf = (one: Gate, other: Gate): Gate => (other.until > one.until ? other : one);

/** A pace in Redis, the same for all workers, on Redis' clock. */
export function createRedisStore({ redis, key, rate, beginning, tempo, throttles }: RedisPaceOptions): PaceStore {
  const keys = [key, ...rate.and.map((_, at) => `${key}:${at + 1}`)];
  const windows = rate.and.flatMap(({ limit, perMs }) => [limit, micro(perMs)]);
  const slack = slackOf(rate);
  const clock = createRedisClock();
  const now = (): number => clock.at(performance.now());
  let pace = '';
  let gate = open;
  let condition = new Condition(undefined, tempo);
  /** The condition as Redis has it. */
  let stored = '';
  /** A hold that Redis has not taken yet; its end is one of `performance.now()`. */
  let untold: Gate | undefined;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  function look(): Promise<void> {
    if (performance.now() - readAt < knownForMs) return Promise.resolve();
    return (reading ??= read().finally(() => {
      reading = undefined;
    }));
  }

  async function read(): Promise<void> {
    const askedAt = performance.now();
    const reply = (await redis.eval(lookScript, 1, key, '')) as [string, string, string, string, string];
    const [time, name, shut, text, why] = reply;
    know(name);
    clock.tell(time);
    keep(text);
    learn(shut, why);
    readAt = askedAt;
    // Redis refused it, or was away; the others must know.
    if (untold) await tell();
  }

  /** What Redis says about the gate counts, also that it is open, but for a hold that is still on its way there. */
  function learn(shut: string, why: string): void {
    const own = untold ? { until: clock.at(untold.until), why: untold.why } : open;
    gate = laterOf({ until: Number(shut) / 1000, why }, own);
  }

  function keep(text: string): void {
    if (text === stored) return;
    stored = text;
    condition = new Condition(readCondition(text), tempo);
  }

  /** Another name: the pace was lost. What this process still knows of the gate holds for the new one too. */
  function know(name: string): void {
    if (name === pace) return;
    const wasKnown = pace !== '';
    const left = gate.until - now();
    const { why } = gate;
    [pace, gate] = [name, open];
    clock.forget();
    if (wasKnown && left > 0) hold(left, why).catch(() => {});
  }

  async function hold(waitMs: number, why = ''): Promise<void> {
    const asked = { until: performance.now() + Math.min(waitMs, longestThrottle), why };
    untold = laterOf(untold ?? open, asked);
    gate = laterOf(gate, { until: clock.at(asked.until), why });
    await tell();
  }

  async function tell(): Promise<void> {
    const told = untold;
    if (told === undefined) return;
    const left = Math.max(0, told.until - performance.now());
    const reply = (await redis.eval(holdScript, 1, key, micro(left), told.why, '')) as [string, string, string];
    const [time, shut, why] = reply;
    clock.tell(time);
    if (untold === told) untold = undefined;
    learn(shut, why);
  }

  async function begin(): Promise<void> {
    let { callsAgo, share, throttle } = await beginning();
    if (callsAgo.length > 0) {
      // Until then others may call at slots of the pace that was lost: these calls count too.
      await sleep(knownForMs + lookAhead.mostMs);
      ({ callsAgo, share, throttle } = await beginning());
    }
    const leftAgo = callsAgo.map((ago) => Math.max(0, ago - leavesWithinMs));
    const wait = Math.max(0, ...leftAgo.slice(-1).map((ago) => rate.perMs - ago));
    const logs = rate.and.flatMap(({ limit, perMs }) => {
      const counting = leftAgo.filter((ago) => ago < perMs).slice(-limit);
      return [counting.length, ...counting.map(micro)];
    });
    await redis.eval(beginScript, keys.length, ...keys, randomUUID(), micro(wait), ...logs, '');
    if (throttle) await hold(throttle.forMs, throttle.reason);
    await read();
    if (rate.adaptive && share < 1 && stored === '') await replace(conditionWithShare(share, tempo));
  }

  async function replace(next: Condition): Promise<boolean> {
    const text = writeCondition(next.state);
    const present = String(await redis.eval(replaceScript, 1, key, 'condition', stored, text));
    keep(present);
    return present === text;
  }

  /** A slot for each of those who ask at once, as far ahead as the most patient wants. */
  async function reserveMany(ahead: readonly number[]): Promise<Reservation[]> {
    await look();
    for (;;) {
      const spacing = micro(spacingOf(rate, slack) / (rate.adaptive ? condition.share : 1));
      const wanted = [ahead.length, micro(Math.max(...ahead)), spacing, micro(slack), ...windows, ''];
      const reply = (await redis.eval(reserveScript, keys.length, ...keys, ...wanted)) as string[];
      const [time = '', name, ...waits] = reply;
      if (name === undefined) {
        await begin();
        continue;
      }
      know(name);
      clock.tell(time);
      const [waitMs = 0, ...slots] = waits.map((value) => Number(value) / 1000);
      return ahead.map((_, at) => {
        const slot = slots[at];
        return slot === undefined ? { waitMs } : { at: slot, pace: name };
      });
    }
  }

  return {
    now,
    reserve: coalesce(reserveMany, mostSlots),
    async hold(waitMs, reason = '') {
      await Promise.all([hold(waitMs, reason), throttles?.keep({ forMs: waitMs, reason })]);
    },
    async open() {
      untold = undefined;
      await redis.hdel(key, 'gate', 'why');
      gate = open;
    },
    look,
    get pace() {
      return pace;
    },
    get gate() {
      return gate.until;
    },
    get why() {
      return gate.why;
    },
    get condition() {
      return condition;
    },
    async change(apply) {
      for (;;) {
        await read();
        const next = new Condition(condition.state, tempo);
        const result = apply(next);
        if (await replace(next)) return result;
      }
    },
  };
}

/** Each writing has a mark of its own: two processes that write the same at the same moment must not both believe it was theirs. */
function writeCondition(state: ConditionState): string {
  return `${randomUUID()} ${JSON.stringify(state)}`;
}

function readCondition(text: string): ConditionState | undefined {
  return text === '' ? undefined : (JSON.parse(text.slice(text.indexOf(' ') + 1)) as ConditionState);
}
