// Ties plan, sync and resume of an open ledger together for a program.
import { refuseNobody } from '../../jobs/run/run-source.ts';
import { type Attendant, type Conducted, conductRun, type Proposal } from '../../jobs/run/conduct-run.ts';
import { newRun, type OpenedRoster } from '../../jobs/run/planning-run.ts';
import { openForRun, columnsOfSource } from '../../jobs/run/open-source.ts';
import { refuseOtherService } from '../../jobs/run/steer-run.ts';
import { askAs } from '../acts/perform.ts';
import { resumeRun } from '../acts/runs.ts';
import { closing } from '../core/closing.ts';
import { InputError } from '../core/errors.ts';
import { columnsToRead } from '../core/mapping/mapping-options.ts';
import { sourceNameProblem } from '../core/rows/source.ts';
import { scopes } from '../core/secrets/token.ts';
import { planRows } from '../report/plan/plan-rows.ts';
import { findRun, readReport, reportRows } from '../report/run/read-report.ts';
import { configured, timezoneOf } from '../roster/configured-source.ts';
import { loadKeys } from '../roster/places.ts';
import { openRoster } from '../roster/open-roster.ts';
import { answerOthers } from '../server/owner-socket.ts';
import type { Context } from '../wiring/context.ts';
import { deliveriesOf } from './deliveries.ts';
import {
  type Plan,
  type PlanRequest,
  type ResumeOptions,
  type RosterSync,
  type SyncRequest,
  type Receipt,
  resultOf,
  type RunResult,
} from './roster-sync.ts';
import { signSentences } from '../core/inspect/presence/sign.ts';

/** The runs that this process delivers; those that others release wake it. */
class Adopted extends Set<string> {
  readonly #onRun: () => void;

  constructor(onRun: () => void) {
    super();
    this.#onRun = onRun;
  }

  override add(runId: string): this {
    super.add(runId);
    this.#onRun();
    return this;
  }
}

/** What a request says about people who have left or not started, as those who decide say it. */
const decided = { 'leave out': 'only active', send: 'everybody' } as const;

/** Makes what a program gets of a context, the service's normalised address, and what the program is called. */
export function embed(opened: Context, service: string, name: string): RosterSync {
  const adopted = new Adopted(() => {
    deliveries.begin().catch((error: unknown) => opened.log.error({ err: error }, 'delivering could not begin'));
  });
  const context: Context = { ...opened, adopted };
  const deliveries = deliveriesOf(context);
  const answering = answerOthers(context);
  const poke = (runId: string): void => void adopted.add(runId);
  const ask = askAs({ by: name, origin: '', scopes, context, poke });

  async function conduct(
    request: PlanRequest,
    { confirm, isDryRun, begunBy }: Pick<Attendant, 'confirm'> & { isDryRun: boolean; begunBy?: string | undefined },
  ): Promise<Conducted> {
    const { source, roster, only = [], all = false, inactive, invite, forceSync } = request;
    refuseNobody(request);
    const found = await openRequested(context, request, service);
    await using _ = closing(found.roster);
    const run = newRun(context, {
      source,
      service,
      trigger: roster === undefined ? 'sync' : 'import',
      begunBy,
      wishes: { invite, forceSync },
      isPartial: found.roster.form.isPartial,
    });
    const decide = (): Promise<'only active' | 'everybody' | undefined> =>
      Promise.resolve(inactive && decided[inactive]);
    return await conductRun(context, {
      run,
      only,
      all,
      isDryRun,
      isWatched: true,
      attendant: { confirm, decide },
      isForceSyncAskedFor: forceSync === true,
      open: () => Promise.resolve(found),
      whilePlanning: (plan) => plan(() => {}),
    });
  }

  async function plan(request: PlanRequest): Promise<Plan> {
    const { promise, resolve } = Promise.withResolvers<Plan>();
    await conduct(request, {
      isDryRun: true,
      async confirm(proposal) {
        resolve(planOf(proposal));
        return {};
      },
    });
    return promise;
  }

  async function sync(request: SyncRequest): Promise<RunResult | undefined> {
    const { source, all = false, begunBy } = request;
    // Before anything is asked: without a token nothing could be sent.
    await deliveries.begin();
    const conducted = await conduct(request, {
      isDryRun: false,
      begunBy,
      async confirm(proposal) {
        if (proposal.sameHold !== undefined) return {};
        const { runId, trips } = proposal.planned;
        const everybody = () => planRows(context.ledger, { runId, source, service, trips, all });
        const reply = await request.confirm({ ...planOf(proposal), run: runId, everybody });
        return reply === false ? { refused: 'no' } : { approvedBy: reply.approvedBy };
      },
    });
    return 'runId' in conducted ? delivered(conducted.runId, request) : undefined;
  }

  async function resume(named: string, options: ResumeOptions = {}): Promise<RunResult> {
    const run = await findRun(context, named);
    refuseOtherService(run, service);
    await deliveries.begin();
    await ask(resumeRun, { run: run.id });
    return delivered(run.id, options);
  }

  /** Runs that are waited for; closing waits for them, too. */
  const underWay = new Set<Promise<RunResult>>();
  async function delivered(runId: string, options: ResumeOptions): Promise<RunResult> {
    const delivering = deliver(runId, options);
    underWay.add(delivering);
    return delivering.finally(() => underWay.delete(delivering));
  }

  async function deliver(runId: string, options: ResumeOptions): Promise<RunResult> {
    const { status } = await findRun(context, runId);
    if (status === 'delivering') await deliveries.deliver(runId, options);
    const now = await result(runId);
    // A finished run is in the backup already.
    if (now.status !== 'finished') await context.backup();
    return now;
  }

  async function result(run: string): Promise<RunResult> {
    return resultOf(await readReport(context, await findRun(context, run), { rejectSamples: 0 }));
  }

  async function* receipts(run: string): AsyncGenerator<Receipt> {
    yield* reportRows(context, await findRun(context, run));
  }

  async function closeAll(): Promise<void> {
    await Promise.all([deliveries.stop(), Promise.allSettled(underWay)]);
    await answering.close();
    await context.close();
  }
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll());
  return { plan, sync, resume, result, receipts, ask, close, [Symbol.asyncDispose]: close };
}

function planOf({ planned, stopped, isHeld }: Proposal): Plan {
  const { facts, plan, trips, signs, remarks } = planned;
  const { counts, calls, possibleInvitations, groups, hash = '' } = plan;
  return {
    roster: facts.counts,
    people: counts,
    calls,
    held: stopped,
    isHeld,
    reasons: trips.map(({ guard, message }) => ({ guard, message })),
    possibleInvitations,
    groups,
    undecided: signSentences(signs),
    remarks,
    hash,
  };
}

/**
 * Opens the roster of a request; the caller closes it.
 * @throws InputError when it cannot be had or used, or nothing may be called as its source is
 */
async function openRequested(
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
    ...(settings && { timezone: timezoneOf(settings), ...(await loadKeys(settings)) }),
    ...read,
    ...asked,
  });
  return { roster: opened, columns: { ...columnsOfSource(context, source, opened.form.header), ...columns } };
}
