// Settles the pace of a run from the settings and `--rate`.
import type { Config } from '../../config/load.ts';
import { parseRate } from '../core/settings/values.ts';
import { InputError } from '../core/errors.ts';
import { isSlower, type Rate, writeRate } from '../core/pace/pacing.ts';

export interface ChosenRate {
  rate: Rate;
  note?: string;
}

/** A rate in the settings is the service's limit, which nothing else can raise; the default is only a guess. */
export function chooseRate(config: Config, flag: string | undefined, stored?: Rate): ChosenRate {
  const set = config.delivery.rate;
  const isSet = config.settings.some(({ name, from }) => name.startsWith('delivery.rate.') && from !== 'default');
  if (flag === undefined) return { rate: stored === undefined || (isSet && isSlower(set, stored)) ? set : stored };
  const wanted = parseRate(flag);
  if (wanted === undefined)
    throw new InputError(`The rate ${flag} is not known: write a rate like 200 (a second) or 300/1m.`, {
      next: [{ setting: 'delivery.rate' }],
    });
  if (isSet && wanted.limit / wanted.perMs > set.limit / set.perMs) {
    return {
      rate: set,
      note: `the rate ${flag} is above the configured ${writeRate(set)}, which stays in force.`,
    };
  }
  return { rate: { ...wanted, and: set.and } };
}
