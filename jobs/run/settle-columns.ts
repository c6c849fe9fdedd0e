// Settles how columns become members: finds the addresses when no column is called e-mail; says why nobody is usable.
import type { Config } from '../../config/load.ts';
import {
  addressesSeen,
  type AddressesSeen,
  adviseAddresses,
  commonDomain,
  rowsLookedAt,
  UnsettledColumns,
} from '../../src/core/mapping/unsettled-columns.ts';
import { type Mapping, resolveColumns } from '../../src/core/mapping/mapping.ts';
import { effectiveRules, type MappingOptions } from '../../src/core/mapping/mapping-options.ts';
import { type RosterFile, surveyRoster } from '../../src/roster/roster-file.ts';
import type { Configured } from '../../src/wiring/context.ts';
import { listColumns, wholeNameColumns } from '../../src/core/columns/columns.ts';
import { NoUsableRowsError } from '../../src/core/errors.ts';
import { noAddress } from '../../src/core/mapping/map-row.ts';
import { bySettings } from '../../src/core/mapping/mapping-rules.ts';
import { sayAlike } from '../../src/core/inspect/census.ts';
import type { Reject } from '../../src/core/rows/row.ts';
import { quote, shownText, withoutQuotes } from '../../src/core/text/format.ts';
import type { PlanningRun } from './planning-run.ts';

/**
 * Settles how rows become members. If no column is called e-mail, the first rows are searched, so that the message says
 * which column holds addresses, or that none does. Of two columns that fit one is taken only if all rows show that the other is
 * empty or the same. Throws an `InputError` as `resolveColumns` does.
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
    const seen = await lookForAddresses(roster, config);
    const mapping = resolveColumns(header, { ...options, seen });
    if (seen.rows < rowsLookedAt) return mapping;
    return resolveColumns(header, { ...options, seen: await lookForAddresses(roster, config, Infinity) });
  }
}

/** Finds the columns with addresses in the first rows of a roster. */
async function lookForAddresses(
  roster: RosterFile,
  config: Pick<Config, 'sources'>,
  rows = rowsLookedAt,
): Promise<AddressesSeen> {
  const { surveys } = await surveyRoster(roster, () => {}, rows);
  return addressesSeen(surveys, commonDomain(Object.values(config.sources)));
}

/** In so many rejects one is searched that waits for a decision. */
const rejectsLookedAt = 1000;

/** Why a roster gives nobody to send, with the reject that says most. */
export async function nobodyUsable(
  { ledger, config }: Configured,
  { runId, roster, columns }: PlanningRun,
  { rows, filtered }: { rows: number; filtered: number },
): Promise<NoUsableRowsError> {
  const { file, header } = roster.form;
  const { wording = bySettings } = columns;
  const rejects = await ledger.listRejects(runId, { limit: rejectsLookedAt });
  // What somebody can decide is worth more than the first line.
  const waiting = rejects.find(({ identityChange }) => identityChange !== undefined);
  const first = waiting ?? commonest(rejects);
  const left = filtered > 0 ? ` The settings of the source leave out ${filtered}.` : '';
  const [example, brief] = first ? examplesOf(first) : ['', ''];
  const isNamed = effectiveRules(columns).members?.email !== undefined;
  const seen = first?.reason === noAddress() && !isNamed ? await lookForAddresses(roster, config) : undefined;
  const [whole] = first?.reason.endsWith(' name is empty') ? wholeNameColumns(listColumns(header)) : [];
  const said = [
    ...(seen ? [adviseAddresses(listColumns(header), seen, wording)] : []),
    ...(whole
      ? [`${quote(whole.name)} holds whole names: use ${wording.setting('fullname', quote(whole.name, Infinity))}.`]
      : []),
  ];
  const advice = said.map((text) => ` ${capital(text)}`).join('');
  const none = rows === 1 ? 'The only row' : `None of the ${rows} rows`;
  const say = (example: string): string =>
    `${none} of ${file} is ${rows === 1 ? 'not ' : ''}usable.${left}${example}${advice} Nothing was sent.`;
  const next = waiting ? [{ act: 'people.resolveMoves' as const }] : [];
  return new NoUsableRowsError(say(example), { withoutWords: say(brief), next });
}

/** A reject as an example, with what its row says and without. */
function examplesOf({ line, column, value, reason, identityChange }: Reject): [example: string, brief: string] {
  const head = ` ${identityChange ? 'A reject that waits for you' : 'The commonest reject'}, line ${line}`;
  const changed = {
    moved: 'this person has another address now',
    renamed: 'this address was renamed at the service',
    recycled: 'this address has another employee id now',
  };
  const brief = identityChange ? changed[identityChange] : withoutQuotes(reason);
  const said = identityChange ? `${value}: ${reason}` : reason;
  const [long, short] = [said, brief].map((text) => `${column || 'the row'}: ${text}`) as [string, string];
  return [`${head}: ${quote(long, 200)}.`, `${head}: ${shownText(short, 200)}.`];
}

/** A reject of the reason that most rows with more than one cell have: others are titles and remarks. */
function commonest(rejects: readonly Reject[]): Reject | undefined {
  const people = rejects.filter(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1);
  const alike = [...Map.groupBy(people.length > 0 ? people : rejects, sayAlike).values()];
  return alike.toSorted((a, b) => b.length - a.length)[0]?.[0];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
