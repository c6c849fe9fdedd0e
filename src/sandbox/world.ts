// Holds the state of a sandbox: people, outbox, faults, record, clock.
import { Clock } from './clock.ts';
import { FaultList } from './fault-list.ts';
import type { Settings } from './options.ts';
import { Outbox } from './outbox.ts';
import { People } from './people.ts';
import { CallRecord } from './record.ts';

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
