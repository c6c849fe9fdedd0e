// Keeps the sandbox's faults, and decides which one strikes a call.
import { personKey } from '../core/person/member.ts';
import { formatFault, isAnswering, type Fault } from './fault.ts';
import { draw } from './random.ts';

/** What faults do to one call: how late its answer comes, and the fault that answers it. */
export interface Strike {
  /** Milliseconds; `Infinity` when no answer ever comes. */
  latency: number;
  fault?: Fault;
  /** The text forms of all faults that struck; absent when none did. */
  text?: string;
}

/** A fault with how often it was asked and how often it struck. */
export interface FaultState {
  fault: Fault;
  text: string;
  /** Calls that its email, group and path fit. */
  fitting: number;
  struck: number;
}

/** What is known about a call when faults are looked up; the body only after it was read. */
interface CallFacts {
  path: string;
  email?: string | undefined;
  groups?: readonly unknown[] | undefined;
}

const unharmed: Strike = Object.freeze({ latency: 0 });

/** The faults of a sandbox, in the order in which they were added. */
export class FaultList {
  readonly #seed: number;
  #states: FaultState[] = [];
  constructor(seed: number) {
    this.#seed = seed;
  }
  add(...faults: readonly Fault[]): void {
    this.#states.push(...faults.map((fault) => ({ fault, text: formatFault(fault), fitting: 0, struck: 0 })));
  }
  clear(): void {
    this.#states = [];
  }
  list(): FaultState[] {
    return this.#states.map((state) => ({ ...state }));
  }
  beforeReading(call: CallFacts): Strike {
    return this.#strike(call, true);
  }
  afterReading(call: CallFacts): Strike {
    return this.#strike(call, false);
  }

  #strike(call: CallFacts, isBefore: boolean): Strike {
    if (this.#states.length === 0) return unharmed;
    const strike: Strike = { latency: 0 };
    const texts: string[] = [];
    for (const state of this.#states) {
      const { fault, text } = state;
      if ((fault.reset === 'before') !== isBefore || !isFitting(fault, call)) continue;
      state.fitting += 1;
      if (!isDue(fault, state.fitting, () => draw(this.#seed, text, state.fitting))) continue;
      if (isAnswering(fault) && strike.fault) continue;
      state.struck += 1;
      texts.push(text);
      strike.latency += latencyOf(fault, () => draw(this.#seed, text, 'latency', state.fitting));
      if (isAnswering(fault)) strike.fault = fault;
    }
    if (texts.length > 0) strike.text = texts.join(' ');
    return strike;
  }
}

function isFitting(fault: Fault, call: CallFacts): boolean {
  if (fault.path !== undefined && !call.path.includes(fault.path)) return false;
  if (fault.group !== undefined && !call.groups?.includes(fault.group)) return false;
  if (fault.email === undefined) return true;
  if (call.email === undefined) return false;
  const key = personKey(call.email);
  return fault.email.startsWith('*') ? key.endsWith(personKey(fault.email.slice(1))) : key === personKey(fault.email);
}

/** `count` is 1 for the first call that fits. */
function isDue(fault: Fault, count: number, random: () => number): boolean {
  const { after = 0, first = Infinity, nth, every = 1, probability = 1 } = fault;
  const place = count - after;
  if (place < 1 || place > first || place % every !== 0) return false;
  if (nth !== undefined && place !== nth) return false;
  return probability >= 1 || random() < probability;
}

function latencyOf(fault: Fault, random: () => number): number {
  const { latency = 0 } = fault;
  if (typeof latency === 'number') return latency;
  if (latency === 'forever') return Infinity;
  const [from = 0, to = 0] = latency.split('-').map(Number);
  return from + Math.floor(random() * (to - from + 1));
}
