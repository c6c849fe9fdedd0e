// Finds the run an argument means, and reads its report from the ledger.
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import type { Context, WithLedger } from '../../wiring/context.ts';
import { pageByPage } from '../../core/page-by-page.ts';
import { NotFoundError, NotNowError } from '../../core/errors.ts';
import { hasEnded } from '../../core/run/states.ts';
import { outcomeIn } from '../../core/run/run.ts';
import type { NoticedKind, RunTotals } from '../../ledger/runs/reading.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import type { RunSummaryTotals } from '../../ledger/runs/failures.ts';
import { dayBegan } from '../../core/cells/days.ts';
import { figure } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';
import { buildReport } from './build-report.ts';
import {
  groupsToExcept,
  type HoldView,
  type ReportRow,
  type ReportSource,
  type RunDetails,
  type RunReport,
} from './run-report.ts';

/** The number of rejects shown unless more are asked for. */
const fewRejects = 5;

/** The one run that `<run>` means: an id, a unique prefix of one, or `latest`. Throws an InputError otherwise. */
export async function findRun({ ledger }: WithLedger, named: string): Promise<Run> {
  const runs = await ledger.findRuns(named);
  const [run] = runs;
  if (run === undefined) {
    throw new NotFoundError(
      named === 'latest' ? say('noRunYet', 1) : say(named === '' ? 'emptyRunId' : 'noSuchRun', 1, { named }),
      { next: named === 'latest' ? [] : [{ act: 'runs.list' }] },
    );
  }
  if (runs.length > 1)
    throw new NotNowError(say('ambiguousRun', 1, { named, ids: runs.map(({ id }) => id).join(', ') }), {
      code: 'AMBIGUOUS',
    });
  return run;
}

/** The number of earlier runs of a source among which one to compare with is looked for. */
const mostBefore = 20;

/** Whether a run can be compared with another one. */
export const isAlike = (one: Run, other: Run): boolean =>
  other.source === one.source && other.service === one.service && other.plan !== null;

/** The last run of the same source before this one that released something; undefined where there is none among the last ones. */
export async function runBefore({ ledger }: WithLedger, run: Run): Promise<Run | undefined> {
  const earlier = await ledger.listRuns(mostBefore, { source: run.source, before: run.number });
  return earlier.find((each) => isAlike(run, each) && each.releasedAt !== null);
}

export async function readReport(
  context: Context,
  run: Run,
  { rejectSamples = fewRejects, totals }: { rejectSamples?: number; totals?: RunTotals } = {},
): Promise<RunReport> {
  const { ledger, mode, directory } = context;
  const rejected = (run.roster?.counts.rejects ?? 0) > 0;
  return buildReport(run, totals ?? (await ledger.totalsOf(run.id)), {
    mode,
    held: await heldOf(context, run),
    isAbandoned: await isAbandoned(context, run),
    throttle: run.status.startsWith('finished') ? undefined : await ledger.throttleOf(run.service),
    rejects: rejectSamples === 0 ? [] : await ledger.listRejects(run.id, { limit: rejectSamples }),
    ...(rejected && directory ? { rejectsFile: join(directory.rejects, `${run.id}-rejects.csv`) } : {}),
  });
}

/** Without groups, problems, rejects. `countOpen`: a run that has not ended, where counted a moment ago. */
export async function readSummaries(
  context: Context,
  runs: readonly Run[],
  countOpen?: (run: Run) => Promise<RunTotals>,
): Promise<RunReport[]> {
  const isCounted = ({ status }: Run): boolean => countOpen !== undefined && !hasEnded(status);
  const asked = runs.filter((run) => !isCounted(run));
  const found = await context.ledger.summariesOf(asked.map(({ id, status }) => ({ id, status })));
  const reports: RunReport[] = [];
  for (const run of runs) {
    const summary = found.get(run.id);
    const totals = summary ? inFull(summary) : await countOpen?.(run);
    const report = await readReport(context, run, { rejectSamples: 0, ...defined({ totals }) });
    reports.push({ ...report, groups: [], problems: [] });
  }
  return reports;
}

function inFull({ inserts, warnings, ...rest }: RunSummaryTotals): RunTotals {
  const all = { group: '', calls: 0, inserts, warnings, succeeded: 0, failures: 0 };
  return { ...rest, groups: [all], problems: [] };
}

/**
 * Where only one process can deliver, its clock stands. With PostgreSQL every process that might gives signs of life.
 */
async function isAbandoned(
  { ledger, config, tempo }: Context,
  { status, deliveringSince }: Pick<Run, 'status' | 'deliveringSince'>,
): Promise<boolean> {
  if (status !== 'delivering') return false;
  const isKnown = config.databaseUrl === undefined || tempo.deadAfterMs === 0;
  if (isKnown || deliveringSince === null) return deliveringSince === null;
  return (await ledger.countAlive(tempo.deadAfterMs)) === 0;
}

/** How many deliveries of a run wait for an approval; of a run that has ended none do. */
async function heldOf(context: Context, run: Run): Promise<Pick<HoldView, 'deliveries' | 'inOtherGroups' | 'overDay'>> {
  const { ledger } = context;
  const { id, status, trips } = run;
  const holdsNobody = trips.length === 0 || status === 'planning' || hasEnded(status);
  const deliveries = holdsNobody ? 0 : await ledger.countHeld(id);
  const groups = groupsToExcept(trips);
  return {
    deliveries,
    inOtherGroups: deliveries === 0 || groups.length === 0 ? 0 : await ledger.countHeld(id, groups),
    ...(deliveries > 0 && defined({ overDay: await overDay(context, run) })),
  };
}

/** Runs that were planned before each other's approval each had the whole room of the day. */
async function overDay(
  { ledger, config }: Context,
  { id, service, source, settings }: Run,
): Promise<string | undefined> {
  const { invites: { perDay = Infinity } = {}, schedule } =
    (Object.hasOwn(config.sources, source) && config.sources[source]) || {};
  if (!settings.invite || perDay === Infinity) return undefined;
  const timezone = schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = await ledger.countInvitable(
    { runId: id, service, source },
    { dayBegan: dayBegan(new Date(), timezone) },
  );
  const { fresh } = await ledger.countHeldPart(id, {});
  if (fresh === 0 || today + fresh <= perDay) return undefined;
  return say('overDay', fresh, { today: figure(today), perDay: figure(perDay) });
}

/** Everything that a report file holds of a run; its rows are read from the ledger as they are written. */
export async function reportSource(context: Context, run: Run): Promise<ReportSource> {
  return {
    report: await readReport(context, run),
    details: await readDetails(context, run),
    rows: (options) => reportRows(context, run, options),
  };
}

/** Who approved a run, what was read, and which of its answers to look at: those that were `counted`, or as they are now. */
export async function readDetails(
  { ledger }: WithLedger,
  { id, roster }: Run,
  counted?: readonly NoticedKind[],
): Promise<RunDetails> {
  const approvals = await ledger.approvalsOf(id);
  const noticed = counted ?? (await ledger.noticedKinds(id));
  const corrections = await ledger.correctionsOf(id);
  return {
    approvals: approvals.map(({ at, by, note }) => ({ at: at.toISOString(), by, note })),
    noticed: noticed.map(({ kind, count, firstSeenAt }) => ({ kind, count, firstSeenAt: firstSeenAt.toISOString() })),
    ...(roster ? { checksum: roster.checksum, rosterTime: roster.time } : {}),
    ...(corrections.length > 0 && { corrections }),
  };
}

/** The rows of a report file: one per person and group, in the order of the plan; `notable` those to look at. */
export async function* reportRows(
  { ledger }: WithLedger,
  { id, status }: Pick<Run, 'id' | 'status'>,
  { notable = false }: { notable?: boolean } = {},
): AsyncGenerator<ReportRow> {
  const results = pageByPage(
    0,
    (after, deliveries) => ledger.listResults(id, { after, deliveries, notable }),
    ({ deliveryId }) => deliveryId,
  );
  for await (const { deliveryId: _, calls, ...row } of results) {
    yield { ...row, outcome: outcomeIn(status, row.outcome), attempts: calls };
  }
}
