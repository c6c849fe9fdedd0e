// Makes the row of a run that is about to begin: its id, and the settings it keeps to its end.
import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { defined } from '../../src/core/defined.ts';
import type { Context } from '../../src/wiring/context.ts';
import { isSlower, type Rate, type RateWindow } from '../../src/core/pace/pacing.ts';
import type { RunSettings, Trigger } from '../../src/core/run/run.ts';
import type { NewRun } from '../../src/ledger/moves/begin-run.ts';

/** What was asked for one run alone. */
export interface Wishes {
  forceSync?: boolean | undefined;
  invite?: boolean | undefined;
  /** The pace for this run; its source may lower it. Without it, that of the settings. */
  rate?: Rate;
  /** Whether somebody chose that pace. */
  ownRate?: boolean;
}

export interface RunToBegin {
  source: string;
  /** The service's normalised address. */
  service: string;
  trigger: Trigger;
  wishes?: Wishes;
  /** Its roster says nothing about people who are not in it. */
  isPartial?: boolean | undefined;
  /** Who asked for it; absent for a schedule and an event. */
  begunBy?: string | undefined;
}

/** The row of a run that is about to begin. What was asked for it takes precedence over what its source says, that over what holds for all. */
export function newRun(
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  { source, service, trigger, wishes = {}, isPartial = false, begunBy }: RunToBegin,
): NewRun {
  const deliver = Object.hasOwn(config.sources, source) ? config.sources[source]?.deliver : undefined;
  return {
    id: randomBytes(4).toString('hex'),
    source,
    service,
    trigger,
    worker: ledger.worker,
    settings: settingsOf(config, deliver, wishes),
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

/** The rate of a source can only be lower than the one that holds for all. */
function lowerRate(rate: Rate, wanted: RateWindow | undefined): Rate {
  return wanted !== undefined && isSlower(wanted, rate) ? { ...rate, ...wanted } : rate;
}
