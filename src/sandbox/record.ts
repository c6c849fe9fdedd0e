// Records every call the sandbox receives, and measures pace, overlaps and repeats from that.
import { personKey } from '../core/person/member.ts';

/** What the record keeps of one call to the service (control calls are not recorded). */
export interface SandboxCall {
  /** 1 for the first call. */
  sequence: number;
  /** When its headers had arrived: milliseconds of the sandbox process's monotonic clock (`performance.now`). */
  arrivedAt: number;
  /** The same moment in epoch milliseconds of the machine's clock. */
  arrivedWall: number;
  /** When it was over, on the clock of `arrivedAt`: just before the last byte of the answer, the reset, or when the client left. */
  endedAt?: number;
  method: string;
  /** Without the query. */
  path: string;
  /** The user's address as sent, for a group insert with a readable body. */
  email?: string;
  /** The parsed body; absent when it was not JSON or bodies are not kept. */
  body?: unknown;
  /** The fault that shaped the answer, in its text form. */
  fault?: string;
  /** The HTTP status sent; absent when none was. */
  status?: number;
  /** Calls being served when this one arrived, this one included. */
  inFlight: number;
  /** What this call changed, whether or not the answer got through. */
  inserts: number;
  warnings: number;
}

/** Totals since the sandbox was started or the record was last cleared. */
export interface CallTotals {
  calls: number;
  /** Calls that are being served now. */
  inFlight: number;
  mostInFlight: number;
  inserts: number;
  warnings: number;
  /** Calls by HTTP status; `none` for those that ended without one. */
  statuses: Record<string, number>;
  /** Calls whose answer was shaped by a fault. */
  faulted: number;
}

/** What is remembered about calls: everything, everything but the bodies, or only the totals. */
export type RecordDepth = 'full' | 'no-bodies' | 'totals';

export class CallRecord {
  readonly #depth: RecordDepth;
  #sequence = 0;
  #inFlight = 0;
  #calls: SandboxCall[] = [];
  #totals = emptyTotals();
  constructor(depth: RecordDepth) {
    this.#depth = depth;
  }
  arrive(method: string, path: string): SandboxCall {
    this.#sequence += 1;
    this.#inFlight += 1;
    const call: SandboxCall = {
      sequence: this.#sequence,
      arrivedAt: performance.now(),
      arrivedWall: Date.now(),
      method,
      path,
      inFlight: this.#inFlight,
      inserts: 0,
      warnings: 0,
    };
    this.#totals.calls += 1;
    if (this.#inFlight > this.#totals.mostInFlight) this.#totals.mostInFlight = this.#inFlight;
    if (this.#depth !== 'totals') this.#calls.push(call);
    return call;
  }
  /** Adds what its body said. */
  read(call: SandboxCall, body: unknown, email: string | undefined): void {
    if (email !== undefined) call.email = email;
    if (this.#depth === 'full' && body !== undefined) call.body = body;
  }
  /** Notes that a call is over; only the first time counts. */
  end(call: SandboxCall): void {
    if (call.endedAt !== undefined) return;
    call.endedAt = performance.now();
    this.#inFlight -= 1;
    const totals = this.#totals;
    const status = call.status ?? 'none';
    totals.statuses[status] = (totals.statuses[status] ?? 0) + 1;
    totals.inserts += call.inserts;
    totals.warnings += call.warnings;
    if (call.fault !== undefined) totals.faulted += 1;
  }
  /** The calls in the order of their arrival; always empty when only totals are kept. */
  get calls(): readonly SandboxCall[] {
    return this.#calls;
  }
  totals(): CallTotals {
    return { ...this.#totals, inFlight: this.#inFlight, statuses: { ...this.#totals.statuses } };
  }
  /** Forgets calls and totals; the sequence goes on. */
  clear(): void {
    this.#calls = [];
    this.#totals = emptyTotals();
  }
}

function emptyTotals(): CallTotals {
  return { calls: 0, inFlight: 0, mostInFlight: 0, inserts: 0, warnings: 0, statuses: {}, faulted: 0 };
}

/** The most calls that arrived within any window of the given length: of moments `t` and `t + windowMs` only one is in it. */
export function mostCallsInWindow(calls: readonly Pick<SandboxCall, 'arrivedAt'>[], windowMs: number): number {
  const times = Float64Array.from(calls, ({ arrivedAt }) => arrivedAt).toSorted();
  let most = 0;
  let oldest = 0;
  for (let newest = 0; newest < times.length; newest += 1) {
    while ((times[newest] ?? 0) - (times[oldest] ?? 0) >= windowMs) oldest += 1;
    most = Math.max(most, newest - oldest + 1);
  }
  return most;
}

/**
 * Every call that arrived while an earlier one of the same person was still being served, with the one of those that
 * ended last. A call that has not ended counts as still being served. Calls without a person are left out.
 * `email` is the person's key.
 */
export function overlappingCalls(calls: readonly SandboxCall[]) {
  const overlaps: { email: string; first: SandboxCall; second: SandboxCall }[] = [];
  const open = new Map<string, SandboxCall>();
  for (const second of calls.toSorted((a, b) => a.arrivedAt - b.arrivedAt)) {
    if (second.email === undefined) continue;
    const email = personKey(second.email);
    const first = open.get(email);
    if (first && second.arrivedAt < endOf(first)) overlaps.push({ email, first, second });
    if (!first || endOf(second) > endOf(first)) open.set(email, second);
  }
  return overlaps;
}

/** Every person who was called more than once, by their key, in the order of arrival; the calls beyond the first are `calls.length - 1`. */
export function repeatedCalls(calls: readonly SandboxCall[]) {
  const named = calls.filter(({ email }) => email !== undefined);
  const people = Map.groupBy(named, ({ email = '' }) => personKey(email));
  return [...people].flatMap(([email, ofOne]) => (ofOne.length > 1 ? [{ email, calls: ofOne }] : []));
}

function endOf(call: SandboxCall): number {
  return call.endedAt ?? Infinity;
}
