// Combines the settings of a run: flags before the source's, these before the defaults.
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { isSlower, type Rate, type RateWindow } from '../../src/core/pace/pacing.ts';
import type { RunSettings } from '../../src/core/run/run.ts';

/** What was asked for one run alone. */
export interface Wishes {
  forceSync?: boolean | undefined;
  invite?: boolean | undefined;
  /** The pace it is to have, where somebody chose it for this run; else that of the settings. */
  rate?: Rate;
  /** Whether somebody did. */
  ownRate?: boolean;
}

/** The settings of a run: what was asked for it takes precedence over what its source says, that before what holds for all. */
export function runSettings(
  { delivery }: Pick<Config, 'delivery'>,
  deliver: SourceConfig['deliver'] = {},
  wishes: Wishes = {},
): RunSettings {
  const { attempts, backoff, deadlineMs } = delivery;
  return {
    forceSync: wishes.forceSync ?? deliver.forceSync ?? delivery.forceSync,
    invite: wishes.invite ?? deliver.invite ?? delivery.invite,
    ...{ attempts, backoff, deadlineMs },
    rate: wishes.rate ?? lowerRate(delivery.rate, deliver.rate),
    ownRate: (wishes.ownRate ?? false) || deliver.rate !== undefined,
  };
}

/** The rate of a source, which can only be lower than the one that holds for all. */
export function lowerRate(rate: Rate, wanted: RateWindow | undefined): Rate {
  return wanted !== undefined && isSlower(wanted, rate) ? { ...rate, ...wanted } : rate;
}
