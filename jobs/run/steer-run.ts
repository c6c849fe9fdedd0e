// Approves, pauses and cancels runs, and tells whether `resume` or `retry` applies to a run.
import type { z } from 'zod';
import { defined } from '../../src/core/defined.ts';
import type { ApproveInput } from '../../src/acts/shapes/requests.ts';
import type { Configured, WithLedger } from '../../src/wiring/context.ts';
import { InputError, NotNowError, SecondPersonError, onRun } from '../../src/core/errors.ts';
import { isSamePerson } from '../../src/core/access/roles.ts';
import { say } from '../../src/core/words/say.ts';
import type { Rate } from '../../src/core/pace/pacing.ts';
import type { ApprovalScope } from '../../src/core/guards/trip.ts';
import type { Approved } from '../../src/ledger/moves/approving.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { mayMove } from '../../src/core/run/states.ts';
import type { GoingOn } from '../../src/ledger/moves/release.ts';
import { leavingKinds } from './release-plan.ts';

/** As the API takes it, but that the hash may be left out. */
export type ApproveRequest = Partial<Omit<z.output<typeof ApproveInput>, 'run' | 'rate'>> & {
  /** A rate of its own that the run gets. */
  rate?: Rate;
  runId: string;
  /** The normalised address of the service that this process calls. */
  service: string;
  /** A user at a machine, or who is known to the API. */
  by: string;
};

const leastOfHash = 8;

/**
 * Approves what a run holds, or a part of it: what of that is still needed becomes due, and the run is delivered. The
 * approval is bound to the plan, and kept. Without a terminal, for the command line and the API.
 * @throws SecondPersonError for whoever began the run, where two people are needed; InputError when a list is empty, nothing of the run is held, the service or the plan is another one, or the approval fits nothing
 * that is held; BusyError while another run of its source plans or delivers
 */
export async function approveRun({ ledger, config }: Configured, request: ApproveRequest): Promise<Approved> {
  const { runId, by, only, exceptGroups, exceptReasons, note = '', canary = config.delivery.canary, rate } = request;
  const scope: ApprovalScope = defined({
    only: distinct('only', only),
    exceptGroups: distinct('exceptGroups', exceptGroups),
    exceptReasons: distinct('exceptReasons', exceptReasons),
  });
  const [run] = await ledger.findRuns(runId);
  if (run?.id !== runId) throw new InputError(`There is no run ${runId}.`);
  refuseOtherService(run, request.service);
  if (needsSomebodyElse(config, run, by)) throw new SecondPersonError(say('secondPerson', 1, { runId, by }));
  if (run.plan) refuseOtherPlan(run, run.plan.hash ?? '', request.hash);
  // A repeated approval of the same part, after the first answer was lost, whatever the run's state is now.
  const before = await ledger.approvedBefore(runId, scope);
  if (before) return before;
  await refuseUnlessHeld(ledger, run);
  const hash = run.plan?.hash ?? '';
  const leaving = await leavingKinds({ ledger, config }, run);
  const approved = await ledger.approveHeld(
    runId,
    { by, note, hash, scope },
    { canary, leaving, ...defined({ rate }) },
  );
  if (approved === undefined) throw new NotNowError(`Run ${runId} was decided by somebody else a moment ago.`);
  return approved;
}

/** Whether the settings want another person than this one to approve a run. */
export function needsSomebodyElse(
  { server }: Pick<Configured['config'], 'server'>,
  { begunBy }: Pick<Run, 'begunBy'>,
  by: string,
): boolean {
  return server.twoPeople && begunBy !== null && isSamePerson(begunBy, by);
}

/** A list of nothing would not narrow the approval: everything that is held would be sent. */
function distinct<Item>(name: string, list: readonly Item[] | undefined): Item[] | undefined {
  if (list?.length === 0 || list?.some((each) => String(each).trim() === ''))
    throw new NotNowError(say('emptyScope', 1, { name }));
  return list && [...new Set(list)];
}

async function refuseUnlessHeld(ledger: WithLedger['ledger'], { id, status, statusReason }: Run): Promise<void> {
  if (status === 'held') return;
  const holds = (await ledger.countHeld(id)) > 0;
  if (status === 'delivering' && holds) return;
  const why = statusReason === '' ? '' : ` (${statusReason})`;
  const goesOn = status === 'delivering' || (holds && (status === 'paused' || status === 'halted'));
  // The run to approve instead, if others have replaced this one.
  const newest = await ledger.supersededBy(id);
  const instead = newest ? ` Run ${newest.id} has replaced it and is ${newest.status}.` : '';
  const look = newest ? onRun(newest.id, 'get', ...(newest.status === 'held' ? ['approve' as const] : [])) : [];
  throw new NotNowError(`Run ${id} is ${status}${why}: there is nothing to approve.${instead}`, {
    next: [...look, ...(goesOn ? onRun(id, 'resume') : [])],
  });
}

function refuseOtherPlan({ id }: Run, hash: string, looked: string | undefined): void {
  if (looked === undefined) return;
  if (looked.length >= leastOfHash && hash.startsWith(looked.toLowerCase())) return;
  throw new NotNowError(say('otherPlan', 1, { id, hash: hash.slice(0, 12), looked }), { next: onRun(id, 'get') });
}

/** What stops a run: `pause` makes no further calls, `cancel` ends it for good. */
export type StopCommand = 'pause' | 'cancel';

/**
 * Stops a run, whichever process delivers it.
 * @param by who asked: `anna@hr-laptop`, `token nightly-ci`
 * @throws NotNowError if there is nothing to stop
 */
export async function stopRun({ ledger }: WithLedger, run: Run, command: StopCommand, by: string): Promise<void> {
  const reason = say(command === 'pause' ? 'pausedBy' : 'cancelledBy', 1, { by });
  if (await ledger.moveRun(run.id, command, { by: 'person', reason })) return;
  throw new NotNowError(`Run ${run.id} is ${run.status}: there is nothing to ${command}.`);
}

/** Nobody here would deliver a run of another service than the configured one, nor end it at its deadline. */
export function refuseOtherService({ id, service }: Pick<Run, 'id' | 'service'>, configured: string): void {
  if (service === configured) return;
  throw new NotNowError(say('otherService', 1, { id, service, configured }), { code: 'OTHER_SERVICE' });
}

/**
 * How a run goes on: `resume` after it was interrupted, paused or halted, `retry` with the failures of a finished one.
 * @throws NotNowError if there is nothing to resume or retry
 */
export function howToGoOn(run: Run, command: 'resume' | 'retry'): GoingOn {
  if (mayMove(command, run.status)) return { move: command };
  const { id, status } = run;
  const others = (['retry', 'resume'] as const).filter((other) => mayMove(other, status));
  const acts = status === 'held' ? (['get', 'approve', 'cancel'] as const) : others;
  throw new NotNowError(`Run ${id} is ${status}: there is nothing to ${command}.`, { next: onRun(id, ...acts) });
}
