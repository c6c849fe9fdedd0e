// What is asked of a run, its row, what it is while it is planned, and what it is then.
import { randomBytes } from 'node:crypto';
import type { MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import type { ChangedMember, Member } from '../../src/core/person/member.ts';
import type { Sign } from '../../src/core/inspect/presence/sign.ts';
import { isRejectColumn } from '../../src/core/rows/row.ts';
import type { RosterFacts, RunPlan, RunSettings, Trigger } from '../../src/core/run/run.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { NewRun } from '../../src/ledger/moves/begin-run.ts';
import type { SourceAt } from '../../src/ledger/runs/runs.ts';
import type { SourceState } from '../../src/ledger/planning/sources.ts';
import { configured } from '../../src/roster/configured-source.ts';
import type { RosterFile } from '../../src/roster/roster-file.ts';
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { defined } from '../../src/core/defined.ts';
import type { Configured } from '../../src/wiring/context.ts';
import { lowerRate, type Rate } from '../../src/core/pace/pacing.ts';

/** A roster that is open, and how its rows become members. Its opener closes it. */
export interface OpenedRoster {
  roster: RosterFile;
  columns: MappingOptions;
  /** To be remembered with the run, so that the next one can tell whether anything has changed. */
  version?: Pick<SourceState, 'digest' | 'validators'>;
}

export interface PlanRequest {
  run: NewRun;
  /** Called with how many rows were read so far, and which share of the roster that is. */
  onRows(rows: number, share?: number): void;
  /** Called once, when the run's row is in the ledger. */
  open(): Promise<OpenedRoster>;
  /** Addresses of the only people wanted; empty for everybody. */
  only: readonly string[];
  /** Send the unchanged too. */
  all: boolean;
  /** The time the roster speaks of, where somebody says so. */
  asOf?: Date;
  /** Somebody sees the plan before it is sent; unless said, of an `import` only. */
  isWatched?: boolean;
  /** Who brought the roster and has yet to look at its plan: whatever it would send is held until somebody approves it. */
  broughtBy?: string;
  /** The mapping of its own that the roster came with, to be remembered for a file of its rejects. */
  ownMapping?: object;
  /** It is discarded once it is planned. */
  isDryRun?: boolean;
  /** Everybody was given it elsewhere: that is recorded, and nothing is sent. */
  isBaseline?: boolean;
  /** A person asked for `forceSync` for this very run. */
  isForceSyncAskedFor?: boolean;
  /** Unchanged people are staged like everybody else, because each of them is checked afterwards. */
  stagesUnchanged?: boolean;
  /** Somebody said who is sent: everybody, or only who is there by the roster's own columns. */
  isPresenceSettled?: boolean;
}

/** A run while it is planned: what was asked, its row, and its roster, which is open. */
export interface PlanningRun extends Omit<PlanRequest, 'run' | 'open'>, Omit<NewRun, 'id'>, OpenedRoster {
  runId: string;
}

/** Whether a roster says nothing about those who are not in it. */
export function isPartial({ only, roster: { form } }: Pick<PlanningRun, 'only' | 'roster'>): boolean {
  return only.length > 0 || form.isPartial === true || form.header.some(isRejectColumn);
}

/** A run that is planned and waits to be released or discarded. */
export interface PlannedRun {
  runId: string;
  /** The roster it was planned of. */
  opened: OpenedRoster;
  facts: RosterFacts;
  plan: RunPlan;
  /** Which column became which field, in the header's order. */
  columns: { column: string; field: string }[];
  samples: Member[];
  /** The lines of the first few people who stand on several rows. */
  mergedLines: number[][];
  /** People who wait for `resolve`. */
  waiting: number;
  /** What was noticed while rows became members, a sentence each. */
  remarks: string[];
  /** Guards that stop the plan, or a part of it. */
  trips: Trip[];
  /** The first few of those who changed. */
  changed: ChangedMember[];
  /** People who have left or not started, and would be sent unless somebody decides. */
  signs: Sign[];
}

/** What was asked for one run alone. */
export interface Wishes {
  forceSync?: boolean | undefined;
  invite?: boolean | undefined;
  /** The pace for this run; its source may lower it. Without it, that of the settings. */
  rate?: Rate;
  /** Whether somebody chose that pace. */
  ownRate?: boolean;
}

export interface RunToBegin extends SourceAt {
  trigger: Trigger;
  wishes?: Wishes;
  /** Its roster says nothing about people who are not in it. */
  isPartial?: boolean | undefined;
  /** Who asked for it; absent for a schedule and an event. */
  begunBy?: string | undefined;
}

/** The row of a run that is about to begin. What was asked for it takes precedence over what its source says, that over what holds for all. */
export function newRun(
  { config, ledger }: Configured,
  { source, service, trigger, wishes = {}, isPartial = false, begunBy }: RunToBegin,
): NewRun {
  return {
    id: randomBytes(4).toString('hex'),
    source,
    service,
    trigger,
    worker: ledger.worker,
    settings: settingsOf(config, configured(config, source)?.deliver, wishes),
    ...defined({ begunBy }),
    // Some people whom an event named.
    beside: trigger === 'event' && isPartial,
  };
}

function settingsOf(
  { delivery }: Pick<Config, 'delivery'>,
  deliver: SourceConfig['deliver'] = {},
  { forceSync, invite, rate = delivery.rate, ownRate = false }: Wishes,
): RunSettings {
  const { attempts, backoff, deadlineMs } = delivery;
  return {
    forceSync: forceSync ?? deliver.forceSync ?? delivery.forceSync,
    invite: invite ?? deliver.invite ?? delivery.invite,
    attempts,
    backoff,
    deadlineMs,
    rate: lowerRate(rate, deliver.rate),
    ownRate: ownRate || deliver.rate !== undefined,
  };
}
