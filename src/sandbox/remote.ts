// Steers a sandbox in another process through its control routes.
import { InputError } from '../core/errors.ts';
import type { Fault } from './fault.ts';
import type { FaultState } from './fault-list.ts';
import type { Invitation } from './outbox.ts';
import type { SandboxGroup, SandboxUser, UserFields } from './people.ts';
import type { SandboxCall } from './record.ts';
import type { SandboxStats } from './world.ts';

/** A sandbox that runs in another process of this machine, through its control routes. */
export interface RemoteSandbox {
  /** The recorded calls with a sequence of at least `from`. */
  calls(from?: number): Promise<SandboxCall[]>;
  clearCalls(): Promise<void>;
  stats(): Promise<SandboxStats>;
  outbox(): Promise<{ now: number; sent: Invitation[]; pending: Invitation[] }>;
  /** Moves the sandbox's clock; gives its new time in epoch milliseconds. */
  advance(milliseconds: number): Promise<number>;
  users(): Promise<SandboxUser[]>;
  groups(): Promise<SandboxGroup[]>;
  /** Puts users into groups by hand. */
  assign(users: readonly (UserFields & { groups?: string[] })[]): Promise<SandboxUser[]>;
  addFaults(...faults: readonly (Fault | string)[]): Promise<FaultState[]>;
  clearFaults(): Promise<void>;
}

/** Speaks to the sandbox at this address. Every call throws `InputError` with the sandbox's words when it refuses. */
export function connectSandbox(url: string): RemoteSandbox {
  // Both ends of this are the sandbox's own: the caller says which shape of control.ts comes back.
  const ask = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const sent = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
    const response = await fetch(new URL(`/_sandbox/${path}`, url), { method, ...sent });
    const reply: unknown = await response.json();
    if (response.ok) return reply as Reply;
    throw new InputError(`the sandbox at ${url} refused ${method} ${path}: ${JSON.stringify(reply)}`);
  };
  return {
    calls: async (from = 1) => (await ask<{ calls: SandboxCall[] }>('GET', `calls?from=${from}`)).calls,
    clearCalls: async () => void (await ask('DELETE', 'calls')),
    stats: () => ask('GET', 'stats'),
    outbox: () => ask('GET', 'outbox'),
    advance: async (advanceMs) => (await ask<{ now: number }>('POST', 'clock', { advanceMs })).now,
    users: async () => (await ask<{ users: SandboxUser[] }>('GET', 'users')).users,
    groups: async () => (await ask<{ groups: SandboxGroup[] }>('GET', 'groups')).groups,
    assign: async (users) => (await ask<{ users: SandboxUser[] }>('POST', 'users', { users })).users,
    addFaults: async (...faults) => (await ask<{ faults: FaultState[] }>('POST', 'faults', { faults })).faults,
    clearFaults: async () => void (await ask('DELETE', 'faults')),
  };
}
