// A roster on its way through `import`, `sync` or `plan`: its flags, its files, and the people of its plan.
import type { Config } from '../../../config/load.ts';
import type { OpenedRoster, PlannedRun } from '../../../jobs/run/planning-run.ts';
import type { Rate } from '../../core/pace/pacing.ts';
import type { Trigger } from '../../core/run/run.ts';
import type { NewRun } from '../../ledger/moves/begin-run.ts';
import type { Session } from '../frame/session.ts';
import type { Options } from '../options.ts';
import { defined } from '../../core/defined.ts';
import type { Context } from '../../wiring/context.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText, count } from '../../core/text/format.ts';
import { writePlan } from '../../page/report-file.ts';
import { type PlanKind, planKinds } from '../../report/plan/plan-row.ts';
import { type PlanFilter, planRows } from '../../report/plan/plan-rows.ts';
import { planSentence, rowsSentence } from '../../report/plan/plan-sentences.ts';
import { flagsGiven } from '../frame/read-flags.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';

/** `planOnly`: of `plan`, where to write it. */
export type RunOptions = Options<'sync'> & Partial<Options<'import'>> & { planOnly?: { output?: string } };

export interface RosterRun {
  session: Session;
  options: RunOptions;
  trigger: Trigger;
  source: string;
  /** The service's normalised address. */
  service: string;
  opened: OpenedRoster;
  /** The pace it was asked for; its source may lower it. */
  rate: Rate;
}

/** The same, and the row of its run. */
export type Job = RosterRun & { run: NewRun };

type PeopleOptions = Pick<RunOptions, 'report' | 'dryRun' | 'planOnly' | 'excel' | 'kind' | 'guard' | 'unchanged'>;

/** The file that a rehearsal writes its people to: `-o` of `plan`, `--report` of `--dry-run`. */
export function planFileOf({ report, dryRun, planOnly }: PeopleOptions): string | undefined {
  return dryRun ? (planOnly?.output ?? report) : undefined;
}

/** Throws an InputError if flags choose among people of a plan that none writes, or for an unknown kind. */
function checkPeopleFlags(options: PeopleOptions): void {
  filterOf(options);
  const given = flagsGiven(options, ['kind', 'guard', 'unchanged']);
  if (given.length > 0 && planFileOf(options) === undefined) {
    const where = options.planOnly ? '-o FILE' : '--dry-run and --report FILE';
    throw new InputError(`${given.join(' and ')}: name a file for the people of the plan with ${where}.`);
  }
  if (options.excel && planFileOf(options) === undefined && options.report === undefined) {
    throw new InputError('--excel says how a CSV file is written: name one with --report.');
  }
}

/** Throws an InputError for a kind that there is not. */
export function filterOf({ kind, guard, unchanged }: PeopleOptions): PlanFilter {
  const words = kind.flatMap((word) => word.split(',')).map((word) => word.trim());
  const kinds = words.map((word): PlanKind => {
    const found = planKinds.find((one) => one === word);
    if (found) return found;
    throw new InputError(`--kind ${escapeText(word)}: write one of ${planKinds.join(', ')}; several with commas.`);
  });
  return { ...(kinds.length > 0 && { kinds }), ...defined({ guard }), ...(unchanged && { unchanged }) };
}

/** Writes who a plan is about to a file, and says where it is. Its run must still be in the ledger. */
export async function writePlanPeople(
  { ledger }: Context,
  { source, service, session, options }: Pick<Job, 'source' | 'service' | 'session' | 'options'>,
  { planned, document, path }: { planned: PlannedRun; document: object; path: string },
): Promise<void> {
  const { runId, trips, plan, facts } = planned;
  const rows = planRows(ledger, { runId, source, service, trips, all: options.all ?? false }, filterOf(options));
  const sentences = [rowsSentence(facts.counts), planSentence(plan.counts), ...trips.map(({ message }) => message)];
  const title = `Plan of ${source}`;
  const lines = await writePlan(path, { document, title, sentences, rows }, options.excel);
  session.output.note(`The plan is in ${path}: ${count(lines, 'line')}, one for each person or rejected row.`);
}

/** Throws an `InputError`; nothing has been done then. */
export function checkRunFiles(options: RunOptions, config: Pick<Config, 'sources'>): void {
  checkPeopleFlags(options);
  const { report, dryRun, excel } = options;
  checkWrittenFiles({ plan: planFileOf(options), report: dryRun ? undefined : report, excel }, config);
}
