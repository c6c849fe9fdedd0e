// The part `import` and `sync` share: plan, ask, deliver, report.
import type { Attendant, Proposal, Refusal, Yes } from '../../../jobs/run/conduct-run.ts';
import { newRun, type OpenedRoster, type PlannedRun } from '../../../jobs/run/planning-run.ts';
import { announce } from '../../../jobs/run/announce.ts';
import { reasonOf } from '../../../jobs/run/run-source.ts';
import type { NewRun } from '../../ledger/moves/begin-run.ts';
import { presenceOf } from '../../core/inspect/presence/presence-taker.ts';
import { settleColumns } from '../../../jobs/run/settle-columns.ts';
import { dayOf } from '../../core/cells/days.ts';
import { BusyError, InputError, RosterSyncError } from '../../core/errors.ts';
import { doubtsOf, presenceRules } from '../../core/inspect/presence/sign.ts';
import type { PresenceRules } from '../../core/mapping/mapping-rules.ts';
import { count } from '../../core/text/format.ts';
import { findRun, readReport } from '../../report/run/read-report.ts';
import type { Context } from '../../wiring/context.ts';
import { ask, askWhich, isTerminal } from '../frame/ask.ts';
import { osUser } from '../frame/os-user.ts';
import { askIn } from '../frame/session.ts';
import { conductJob, showPlan, rehearse } from './conduct-job.ts';
import { deliverAndReport, printResult, refuseToLeaveAlone } from './deliver.ts';
import type { Job, RosterRun } from './roster-job.ts';

/** How many held runs of a source are checked, to name those that a new run replaces. */
const mostHolds = 10;

/** With `dryRun`, only plans. Returns the exit code. */
export async function runRoster(context: Context, given: RosterRun): Promise<number> {
  const ready = await withOnlyActive(context, given);
  const { options, rate, opened, ...of } = ready;
  const { forceSync, invite, dryRun, baseline } = options;
  const isPartial = opened.roster.form.isPartial;
  const wishes = { forceSync, invite, rate, ownRate: options.rate !== undefined };
  const job: Job = { ...ready, run: newRun(context, { ...of, isPartial, wishes, begunBy: osUser() }) };
  await refuseWhileUnfinished(context, job);
  if (dryRun) return rehearse(context, job);
  return baseline ? recordAsGiven(context, job) : deliver(context, job);
}

/** `--baseline`: everybody is recorded as given already, and nothing is sent. */
async function recordAsGiven(context: Context, job: Job): Promise<number> {
  const { output } = job.session;
  const { yes = false } = job.options;
  await context.assertSender();
  const conducted = await conductJob(context, job, {
    isBaseline: true,
    attendant: {
      decide: (planned) => decide(context, job, planned),
      async confirm({ planned, stopped }) {
        await showPlan(context, job, planned, { stopped });
        if (planned.signs.length > 0) {
          throw new InputError(
            'By some rows, people have left or not started. Say --only-active to leave them out, or --everybody. Nothing was recorded.',
          );
        }
        const { counts } = planned.plan;
        const people = counts.new + counts.changed + counts.again;
        return people > 0 && !yes
          ? askFor(`Record ${count(people, 'person', 'people')} as given already, and send nothing?`)
          : {};
      },
    },
  });
  if (conducted.became === 'refused') return sayRefused(job, conducted);
  const ended = await readReport(context, await findRun(context, job.run.id));
  printResult(output, ended, job.options);
  return withoutReport(job, 0);
}

async function deliver(context: Context, job: Job): Promise<number> {
  const { session, options, run } = job;
  const { output } = session;
  const { worker, wait } = options;
  if (context.directory?.isNew) output.note(`What is sent is remembered in ${context.directory.path}`);
  const delivery = await context.openDelivery(run.settings.rate);
  refuseToLeaveAlone({ delivery }, options);
  const held = await context.ledger.listRuns(mostHolds, { status: 'held', source: job.source });
  const conducted = await conductJob(context, job, {
    attendant: {
      decide: (planned) => decide(context, job, planned),
      confirm: (proposal) => confirmSending(context, job, proposal),
    },
  }).catch((error: unknown) => tellOfFailure(context, run, error));
  if (!('runId' in conducted)) return conducted.became === 'refused' ? sayRefused(job, conducted) : 0;
  const { became, runId } = conducted;
  if (became === 'same hold') output.note(`Roster and plan are the same as in run ${runId}, which stays held.`);
  for (const { id } of held) {
    const [run] = await context.ledger.findRuns(id);
    if (run?.supersededBy === runId) output.note(`Run ${id} was held; run ${runId} replaces it.`);
  }
  const leftToOthers = became === 'released' && !(worker && wait);
  if (leftToOthers && (await context.ledger.countAlive(delivery.tempo.deadAfterMs, context.ledger.worker)) === 0) {
    output.note('No worker is running: nothing is sent until you start one with `roster-sync worker`.');
  }
  return deliverAndReport({ ask: await askIn(context), output, delivery }, runId, options);
}

/** A `sync` without a terminal that cannot read, use or plan its roster is kept as failed, where somebody is notified of that. */
export async function tellOfFailure(context: Context, run: NewRun, error: unknown): Promise<never> {
  const isTold = run.trigger === 'sync' && !isTerminal() && context.notifier.subscriptions.length > 0;
  const isOver = error instanceof RosterSyncError && !(error instanceof BusyError);
  const tell = async (): Promise<void> => {
    await context.ledger.failRun(run, reasonOf(error));
    await announce(context, run.id);
  };
  // A ledger that is away cannot keep it either: the error itself is what counts.
  if (isTold && isOver) await tell().catch(() => {});
  throw error;
}

/** Shows what would be sent, and asks whether to send it. */
async function confirmSending(
  context: Context,
  job: Job,
  { planned, stopped, sameHold }: Proposal,
): Promise<Yes | Refusal> {
  const { yes = false } = job.options;
  const { plan, trips, signs } = planned;
  // With signs there is no terminal: nobody can decide now, all of it is held, and its approval is the decision.
  const needsYes = plan.calls > 0 && !yes && signs.length === 0;
  await showPlan(context, job, planned, { stopped, rejects: needsYes, held: needsYes });
  if (sameHold !== undefined) return {};
  const willSend = trips.some(({ scope }) => scope === 'all') ? 0 : plan.calls - stopped;
  // What guards hold is not sent: nobody needs to say yes to that.
  if (needsYes && !(willSend === 0 && isTerminal())) {
    const refusal = await askFor(`Send ${count(willSend, 'person', 'people')} to the service?`);
    if ('refused' in refusal) return { ...refusal, isHeld: willSend === 0 };
  }
  return yes || needsYes ? { approvedBy: osUser() } : {};
}

async function askFor(question: string): Promise<Yes | Refusal> {
  if (!isTerminal()) return { refused: 'nobody to ask' };
  const reply = await ask(question);
  return reply === 'yes' ? {} : { refused: reply };
}

/** Says that nothing was sent, and why. Returns the exit code. */
function sayRefused(job: Job, { refused, isHeld = false }: Refusal): number {
  const { output } = job.session;
  if (refused === 'nobody to ask') {
    const then = isHeld ? ': the run then waits for `roster-sync approve`.' : '.';
    output.problem(
      `Nothing was sent: there is no terminal to ask you on. Check the plan, then run it again with --yes${then}`,
    );
    return withoutReport(job, 2);
  }
  output.note('Nothing was sent, and nothing was kept.');
  return withoutReport(job, refused === 'interrupted' ? 130 : 0);
}

function withoutReport({ session: { output }, options: { report } }: Job, code: number): number {
  if (report !== undefined) output.note(`${report} was not written: nothing was sent.`);
  return code;
}

/** One run of a source delivers at a time; unfinished runs of others are only mentioned. */
async function refuseWhileUnfinished({ ledger, mode }: Context, { source, service, session }: Job): Promise<void> {
  for (const run of await ledger.unfinishedRuns()) {
    const next = `\`roster-sync resume ${run.id}\` continues it, \`roster-sync cancel ${run.id}\` ends it`;
    if (run.source === source && run.service === service && run.status === 'delivering') {
      const why = mode === 'production' ? 'is delivered by another process, or was interrupted' : 'was interrupted';
      throw new BusyError(`Run ${run.id} of ${source} ${why} and is not finished: ${next}. Nothing was sent.`);
    }
    session.output.note(`Run ${run.id} of ${run.source} is ${run.status} and not finished: ${next}.`);
  }
}

/** `--yes` is no answer to it. Undefined without a terminal. */
async function decide(context: Context, job: Job, planned: PlannedRun): ReturnType<NonNullable<Attendant['decide']>> {
  if (!isTerminal()) return undefined;
  await showPlan(context, job, planned, { stopped: 0 });
  const act = job.options.baseline ? 'record' : 'send';
  const question = `Leave them out (o for only active), ${act} everybody (e), or stop (Enter)?`;
  const reply = await askWhich(question, ['only active', 'everybody']);
  return reply === 'only active' || reply === 'everybody' ? reply : { refused: reply ?? 'no' };
}

/**
 * With `--only-active`: the job with rules that leave out people who have left or not started. Its roster is read again
 * for that.
 * @throws InputError if no column says who is there, and where `--everybody` says the contrary
 */
async function withOnlyActive({ config }: Context, run: RosterRun): Promise<RosterRun> {
  const { onlyActive = false, everybody = false } = run.options;
  if (onlyActive && everybody) {
    throw new InputError('--only-active leaves people out, --everybody leaves out nobody: give one of them.');
  }
  if (!onlyActive) return run;
  const { opened } = run;
  const columns = { ...opened.columns, presence: await readPresence(opened, config) };
  return { ...run, opened: { ...opened, columns } };
}

/** By the columns that no rule of the settings judges, as a plan asks about them. */
async function readPresence({ roster, columns }: OpenedRoster, config: Context['config']): Promise<PresenceRules> {
  const { header, file } = roster.form;
  const mapping = await settleColumns(roster, { ...columns, file }, config);
  const taker = presenceOf(header, { today: dayOf(new Date()), ...mapping });
  for await (const batch of roster.batches()) for (const { cells } of batch) taker.row(cells);
  const isJudged = [...mapping.only, ...mapping.except, ...mapping.leavers].length > 0;
  if (taker.hasColumns || isJudged) {
    const signs = taker.signs();
    return { ...presenceRules(signs), doubts: [...doubtsOf(signs), ...taker.remarks()] };
  }
  throw new InputError(
    `--only-active: no column of ${roster.form.file} says, in words that roster-sync knows, who has left. Name the column in ` +
      'the settings of a source (`only`, `except`), or leave the flag out. Nothing was sent.',
  );
}
