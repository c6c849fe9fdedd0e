// Opens the roster that a program asks for: its own, or that of a source of the settings.
import { type OpenedRoster, openForRun } from '../../jobs/index.ts';
import { columnsOfSource } from '../../jobs/run/open-source.ts';
import { InputError } from '../core/errors.ts';
import { columnsToRead } from '../core/mapping/mapping-options.ts';
import { sourceNameProblem } from '../core/rows/source.ts';
import { configured, todayOf } from '../roster/configured-source.ts';
import { loadKeys } from '../roster/keys.ts';
import { openRoster } from '../roster/open-roster.ts';
import type { Context } from '../wiring/context.ts';
import type { PlanRequest } from './roster-sync.ts';

/**
 * Opens the roster of a request; the caller closes it.
 * @throws InputError when it cannot be had or used, or nothing may be called as its source is
 */
export async function openRequested(
  context: Context,
  { source, roster, read = {}, columns = {} }: PlanRequest,
  service: string,
): Promise<OpenedRoster> {
  const problem = sourceNameProblem(source);
  if (problem !== undefined) throw new InputError(`source: ${problem}. Nothing was read.`);
  if (roster === undefined) {
    const found = await openForRun(context, { source, service, anew: true });
    return { ...found, columns: { ...found.columns, ...columns } };
  }
  const settings = configured(context.config, source);
  const asked = columnsToRead({ ...columnsOfSource(context, source), ...columns });
  const opened = await openRoster(roster, {
    ...settings?.read,
    ...(settings && { today: todayOf(settings), ...(await loadKeys(settings)) }),
    ...read,
    ...asked,
  });
  return { roster: opened, columns: { ...columnsOfSource(context, source, opened.form.header), ...columns } };
}
