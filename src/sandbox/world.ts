// Holds the state of a sandbox: people, outbox, faults, record, clock; and counts it.
import { Clock, Outbox } from './outbox.ts';
import { FaultList } from './fault-list.ts';
import type { Settings } from './options.ts';
import { People } from './people.ts';
import { CallRecord, type CallTotals } from './record.ts';

export interface World {
  settings: Settings;
  clock: Clock;
  people: People;
  outbox: Outbox;
  faults: FaultList;
  record: CallRecord;
}

export function createWorld(settings: Settings): World {
  const clock = new Clock(settings.now);
  const faults = new FaultList(settings.seed);
  faults.add(...settings.faults);
  return {
    settings,
    clock,
    faults,
    people: new People(settings.assumptions),
    outbox: new Outbox(clock, settings.seed),
    record: new CallRecord(settings.record),
  };
}

/** The sandbox's own count of everything; also what `GET /_sandbox/stats` answers. */
export interface SandboxStats extends CallTotals {
  users: number;
  groups: number;
  /** Invitations whose time has come, and those to come, on the sandbox's clock. */
  invitationsSent: number;
  invitationsPending: number;
}

export function statsOf({ record, people, outbox }: World): SandboxStats {
  const invitations = outbox.count();
  return {
    ...record.totals(),
    users: people.count,
    groups: people.groups().length,
    invitationsSent: invitations.sent,
    invitationsPending: invitations.pending,
  };
}
