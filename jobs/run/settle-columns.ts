// Settles how columns become members; finds the addresses when no column is called e-mail.
import type { Config } from '../../config/load.ts';
import {
  addressesSeen,
  type AddressesSeen,
  commonDomain,
  rowsLookedAt,
} from '../../src/core/mapping/addresses-seen.ts';
import { type Mapping, resolveColumns } from '../../src/core/mapping/mapping.ts';
import type { MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { UnsettledColumns } from '../../src/core/mapping/unsettled-columns.ts';
import { type RosterFile, surveyRoster } from '../../src/roster/roster-file.ts';

/**
 * Settles how rows become members. If no column is called e-mail, the first rows are searched, so that the message says
 * which column holds addresses, or that none does. Throws an `InputError` as `resolveColumns` does.
 */
export async function settleColumns(
  roster: RosterFile,
  options: MappingOptions,
  config: Pick<Config, 'sources'>,
): Promise<Mapping> {
  const { header } = roster.form;
  try {
    return resolveColumns(header, options);
  } catch (error) {
    if (!(error instanceof UnsettledColumns)) throw error;
    return resolveColumns(header, { ...options, seen: await lookForAddresses(roster, config) });
  }
}

/** Finds the columns with addresses in the first rows of a roster. */
export async function lookForAddresses(roster: RosterFile, config: Pick<Config, 'sources'>): Promise<AddressesSeen> {
  const { surveys } = await surveyRoster(roster, () => {}, rowsLookedAt);
  return addressesSeen(surveys, commonDomain(Object.values(config.sources)));
}
