// Says why nobody of a roster can be sent.
import type { Context } from '../../src/wiring/context.ts';
import { listColumns } from '../../src/core/columns/columns.ts';
import { NobodyUsable } from '../../src/core/errors.ts';
import { noAddress } from '../../src/core/mapping/map-row.ts';
import { type MappingOptions, speaksOfFlags } from '../../src/core/mapping/mapping-options.ts';
import { adviseAddresses } from '../../src/core/mapping/unsettled-columns.ts';
import { quote } from '../../src/core/text/quote.ts';
import type { RosterFile } from '../../src/roster/roster-file.ts';
import { lookForAddresses } from './settle-columns.ts';

/** In so many rejects one is searched that waits for a decision. */
const rejectsLookedAt = 1000;

/** Why a roster gives nobody to send, with the reject that says most. */
export async function nobodyUsable(
  { ledger, config }: Context,
  { runId, roster, columns }: { runId: string; roster: RosterFile; columns: MappingOptions },
  { rows, filtered }: { rows: number; filtered: number },
): Promise<NobodyUsable> {
  const { file, header } = roster.form;
  const rejects = await ledger.listRejects(runId, { limit: rejectsLookedAt });
  // What somebody can decide is worth more than the first line.
  const waiting = rejects.find(({ identityChange }) => identityChange !== undefined);
  const first = waiting ?? rejects[0];
  const left = filtered > 0 ? ` The settings of the source leave out ${filtered}.` : '';
  const example = first
    ? ` ${first === rejects[0] ? 'The first reject' : 'A reject that waits for you'}, line ${first.line}: ${quote(`${first.column || 'the row'}: ${first.reason}`, 200)}.`
    : '';
  const seen = first?.reason === noAddress ? await lookForAddresses(roster, config) : undefined;
  const advice = seen ? ` ${capital(adviseAddresses(listColumns(header), seen, speaksOfFlags(columns)))}` : '';
  const none = rows === 1 ? 'The only row' : `None of the ${rows} rows`;
  return new NobodyUsable(
    `${none} of ${file} is ${rows === 1 ? 'not ' : ''}usable.${left}${example}${advice} Nothing was sent.`,
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
