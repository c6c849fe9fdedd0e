import type { Answer } from '../../../src/core/call/answer.ts';
import { type GroupInsertRequest, groupInsert } from '../../../src/service/contract.ts';
import type { Redact } from '../../../src/core/secrets/secret.ts';
import type { ServiceClient } from '../../../src/service/client.ts';
import { LateError, type Exchange, type ReceivedResponse } from '../../../src/service/exchange.ts';
import { interpret } from '../../../src/service/interpret.ts';
import type { Chance } from './chance.ts';
import type { Being, Clock } from './clock.ts';
import { secrets } from './secrets.ts';

/** The address of the simulated service. */
export const address = 'https://service.example';

/** What the service does with calls for a while. */
export type Mood =
  | 'fine'
  | 'slow'
  | 'throttling'
  | 'overloaded'
  | 'broken'
  | 'resetting'
  | 'away'
  | 'refusing'
  | 'odd'
  | 'partial'
  | 'picky';

/** A call as it arrived. */
export interface Call {
  at: number;
  wall: number;
  key: string;
  request: GroupInsertRequest;
  by: Being;
  /** The service has put the person into their groups. */
  isDone: boolean;
  status: number;
  /** It is over for both sides; Infinity as long as it is not. */
  endedAt: number;
  /** What the caller was told; undefined if it never was. */
  answer?: Answer;
  /** The seconds that the service asked not to be called for. */
  retryAfter?: number;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** The connection breaks: before anything was done, after it, or without any answer before the deadline. */
  fate?: 'lost before' | 'lost after' | 'hangs';
}

/** The service as the simulated world has it: what arrives is kept, and answered by its mood. */
export class SimulatedService {
  readonly calls: Call[] = [];
  mood: Mood = 'fine';
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #timeoutMs: number;
  readonly #redact: Redact;
  readonly #onCall: (call: Call) => void;

  constructor(
    { clock, chance }: { clock: Clock; chance: Chance },
    { timeoutMs, redact, onCall }: { timeoutMs: number; redact: Redact; onCall(call: Call): void },
  ) {
    this.#redact = redact;
    this.#clock = clock;
    this.#chance = chance;
    this.#timeoutMs = timeoutMs;
    this.#onCall = onCall;
  }

  /** The client of one process. */
  clientOf(being: Being): ServiceClient {
    return {
      address,
      checkAddress: 'check the address',
      insertGroups: (request, options = {}) => this.#call(being, request, options.notAfter ?? Infinity),
      probe: () => Promise.reject(new Error('nobody probes here')),
      analyse: () => Promise.reject(new Error('nobody asks for answers here')),
      connect: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }

  async #call(being: Being, request: GroupInsertRequest, notAfter: number): Promise<Answer> {
    const clock = this.#clock;
    const read = (exchange: Exchange): Answer => interpretAs(request, exchange, this.#redact);
    // Mostly the connection is there; now and then it has to be made first.
    await clock.pause(this.#chance.happens(0.03) ? this.#chance.between(0, 400) : 0);
    if (clock.now > notAfter) return read({ written: false, failure: new LateError('too late') });
    if (this.mood === 'away') {
      await clock.pause(this.#chance.between(1, 50));
      return read({ written: false, failure: new Error('connect ECONNREFUSED') });
    }
    const call: Call = {
      ...{ at: clock.now, wall: clock.wall, key: request.user.email.trim().toLowerCase(), request, by: being },
      ...{ isDone: false, status: 0, endedAt: Infinity },
    };
    this.calls.push(call);
    this.#onCall(call);
    const reply = this.#reply(call);
    const deadline = call.at + this.#timeoutMs;
    const told = Promise.withResolvers<Exchange>();
    void clock.as(undefined, () => this.#answer(call, reply, told.resolve));
    const late = clock
      .pause(this.#timeoutMs)
      .then((): Exchange => ({ written: true, failure: new Error('the deadline') }));
    const exchange = await Promise.race([told.promise, late]);
    call.endedAt = Math.min(call.endedAt, Math.max(clock.now, deadline > clock.now ? 0 : deadline));
    // The answer is on its way back to the process.
    await clock.pause(this.#chance.next() * 2);
    const answer = read(exchange);
    call.answer = answer;
    return answer;
  }

  async #answer(call: Call, reply: Reply, tell: (exchange: Exchange) => void): Promise<void> {
    const clock = this.#clock;
    const isSlow = this.mood === 'slow' || this.#chance.happens(0.02);
    await clock.sleep(isSlow ? this.#chance.between(200, this.#timeoutMs * 0.9) : this.#chance.between(5, 60));
    if (reply.fate === 'hangs') {
      call.isDone = this.#chance.happens(0.5);
      await clock.sleep(this.#timeoutMs);
      call.endedAt = Math.min(call.endedAt, call.at + this.#timeoutMs);
      return;
    }
    call.endedAt = Math.min(call.endedAt, clock.now);
    call.status = reply.status;
    if (reply.fate !== 'lost before') call.isDone = reply.status >= 200 && reply.status < 300;
    if (reply.fate !== undefined) return tell({ written: true, failure: new Error('read ECONNRESET') });
    const response: ReceivedResponse = {
      status: reply.status,
      headers: reply.headers ?? {},
      body: Buffer.from(reply.body ?? ''),
      extent: 'complete',
    };
    tell({ written: true, response });
  }

  #reply(call: Call): Reply {
    const chance = this.#chance;
    const { groups } = call.request;
    const fine: Reply = { status: 200, body: success(groups, chance) };
    switch (this.mood) {
      case 'throttling': {
        if (chance.happens(0.4)) return fine;
        if (chance.happens(0.3)) return { status: 429 };
        call.retryAfter = chance.between(1, 6);
        return { status: 429, headers: { 'retry-after': String(call.retryAfter) } };
      }
      case 'overloaded':
        return chance.happens(0.5) ? { status: 503 } : fine;
      case 'broken':
        return chance.happens(0.7) ? { status: 500, body: `oops, authorization: Basic ${secrets.token}` } : fine;
      case 'resetting': {
        const fates = ['lost before', 'lost after', 'hangs'] as const;
        return chance.happens(0.6) ? { ...fine, fate: chance.pick(fates) } : fine;
      }
      case 'refusing':
        return { status: 401 };
      case 'odd':
        return chance.happens(0.5) ? { status: 200, body: chance.pick(['', '{"status":"ok"}', '<html>', '{']) } : fine;
      case 'partial':
        return chance.happens(0.5) ? { status: 200, body: success(groups, chance, 'not allowed') } : fine;
      case 'picky':
        return chance.happens(0.4)
          ? { status: 400, body: JSON.stringify({ error: `no such user ${call.key}`, password: secrets.password }) }
          : fine;
      default:
        return fine;
    }
  }
}

function success(groups: readonly string[], chance: Chance, last = 'success'): string {
  const data = groups.map((group, at) => {
    const status = at === groups.length - 1 ? last : 'success';
    return { group, status, inserts: status === 'success' ? 1 : 0, warnings: 0 };
  });
  const hash = String(chance.between(0, 9)).repeat(32);
  return JSON.stringify({ status: 'success', data, hash, response_time: 0.1 });
}

function interpretAs({ groups }: GroupInsertRequest, exchange: Exchange, redact: Redact): Answer {
  return interpret(exchange, {
    operation: groupInsert,
    groups,
    redact,
    now: Date.now,
    ...{ host: 'service.example', setting: 'service.token', setAt: '' },
  });
}
