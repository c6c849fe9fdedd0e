// Conducts every run, whoever started it: plan → ask → rejects → remember → release or hold.
import { defined } from '../../src/core/defined.ts';
import type { PlanningContext, WithLedger } from '../../src/wiring/context.ts';
import { undecidedGuard } from '../../src/core/guards/guard-people.ts';
import { presenceRules } from '../../src/core/inspect/presence/sign.ts';
import { keepRejects } from './rejects-file.ts';
import { type Release, releaseOrHold } from './release-plan.ts';
import { planRoster } from './plan-roster.ts';
import type { PlannedRun, PlanRequest } from './planning-run.ts';
import { isSameHold } from '../../src/core/guards/trip.ts';

/** Why nothing of a run is kept: somebody said no, or pressed Ctrl-C, or nobody was there to ask. */
export interface Refusal {
  refused: 'no' | 'interrupted' | 'nobody to ask';
  /** Guards hold everything: a yes would only keep the run until somebody approves it. */
  isHeld?: boolean;
}

export interface Yes {
  /** Who said it; recorded as the approval of a source's first run. */
  approvedBy?: string;
}

/** What somebody is shown before anything is sent. */
export interface Proposal {
  planned: PlannedRun;
  /** How many of its deliveries guards stop. */
  stopped: number;
  /** Whether a guard stops any of it, also if it would send nobody. */
  isHeld: boolean;
  /** A run that is held with the same roster and the same plan, and stays in place of this one: there is nothing to ask. */
  sameHold?: string;
}

/** Somebody who looks at a plan before anything of it is sent. */
export interface Attendant {
  /** Decides about people who have left, or have not started. Undefined: nobody decides, and the run is held. */
  decide?(planned: PlannedRun): Promise<'only active' | 'everybody' | Refusal | undefined>;
  confirm(proposal: Proposal): Promise<Yes | Refusal>;
}

export interface RunToConduct extends Omit<PlanRequest, 'onRows'> {
  /** Calls `plan` with a function that is told the number of rows read so far; what that function throws ends the run. */
  whilePlanning<Result>(plan: (onRows: PlanRequest['onRows']) => Promise<Result>): Promise<Result>;
  /** Without an attendant, everything that no guard stops is released. */
  attendant?: Attendant;
  /** Release with care; the default is `delivery.canary`. */
  canary?: boolean;
}

export type Conducted =
  | { became: Release; runId: string }
  /** The same plan is already held: that run stays, and nothing is kept of this one. */
  | { became: 'same hold'; runId: string }
  | { became: 'baseline'; runId: string }
  | { became: 'rehearsed'; isHeld: boolean }
  | ({ became: 'refused' } & Refusal);

/**
 * Conducts a run from its roster to its release. It delivers nothing: the delivering process finds it due.
 * @throws BusyError while another run of its source plans or delivers; InputError for a roster that cannot be used; what
 * `open` throws, with the run's row left for the caller to end
 */
export async function conductRun(context: PlanningContext, request: RunToConduct): Promise<Conducted> {
  const { id, source, trigger } = request.run;
  const conducted = await conduct(context, request);
  context.log.debug({ run: id, source, trigger, became: conducted.became }, 'the run is decided');
  return conducted;
}

async function conduct(context: PlanningContext, request: RunToConduct): Promise<Conducted> {
  const { ledger } = context;
  const { attendant, all, canary, isBaseline = false, isDryRun = false } = request;
  const runId = request.run.id;
  const leaveNothing = async (conducted: Conducted): Promise<Conducted> => {
    await ledger.discardRun(runId);
    return conducted;
  };

  const planned = await planAsDecided(context, request);
  if ('refused' in planned) return leaveNothing({ became: 'refused', ...planned });
  const stopped = await ledger.countStopped(runId, { all, trips: planned.trips });
  const sameHold = isBaseline || isDryRun ? undefined : await findSameHold(context, planned, stopped);
  const isHeld = stopped > 0 || planned.trips.some(({ scope }) => scope === 'all');
  const reply = await confirmed(context, attendant, { planned, stopped, isHeld, ...(sameHold && { sameHold }) });
  if ('refused' in reply) return leaveNothing({ became: 'refused', ...reply });
  if (isDryRun) return leaveNothing({ became: 'rehearsed', isHeld });
  if (sameHold !== undefined) return leaveNothing({ became: 'same hold', runId: sameHold });

  await keepRejects(context, planned);
  const { version } = planned.opened;
  if (isBaseline) {
    await ledger.recordBaseline(runId);
    await context.backup();
    return { became: 'baseline', runId };
  }
  // People who wait for a decision must be named by every run until then.
  if (version && planned.waiting === 0) await ledger.rememberSource({ ...version, runId });
  const how = { ...reply, all, ...defined({ canary }) };
  const release = await releaseOrHold(context, planned, how);
  return { became: release, runId };
}

/** Plans a run, and where somebody leaves out who is not there, plans it again without them. */
async function planAsDecided(context: PlanningContext, request: RunToConduct): Promise<PlannedRun | Refusal> {
  const plan = (asDecided: Partial<PlanRequest> = {}): Promise<PlannedRun> =>
    request.whilePlanning((onRows) => planRoster(context, { ...request, ...asDecided, onRows }));
  const planned = await plan();
  const { signs, trips, opened } = planned;
  const who = signs.length > 0 ? await request.attendant?.decide?.(planned) : undefined;
  if (who === undefined) return planned;
  if (who === 'everybody')
    return { ...planned, trips: trips.filter(({ guard }) => guard !== undecidedGuard), signs: [] };
  if (who !== 'only active') return who;
  await context.ledger.discardRun(planned.runId);
  // Left out for this run only: without a version, the next run reads its roster again.
  const { roster, columns } = opened;
  const narrowed = { roster, columns: { ...columns, presence: presenceRules(signs) } };
  return plan({ isPresenceSettled: true, open: () => Promise.resolve(narrowed) });
}

async function confirmed(
  { ledger }: WithLedger,
  attendant: Attendant | undefined,
  proposal: Proposal,
): Promise<Yes | Refusal> {
  try {
    return (await attendant?.confirm(proposal)) ?? {};
  } catch (error) {
    await ledger.discardRun(proposal.planned.runId);
    throw error;
  }
}

/**
 * A run of the same source that is already held, for the same reasons, with the same roster and the same plan: people were
 * notified about its id. Undefined if there is none, or if part of this plan would be sent.
 * @param stopped how many deliveries of this plan guards stop
 */
async function findSameHold(
  { ledger }: WithLedger,
  { runId, plan, trips }: Pick<PlannedRun, 'runId' | 'plan' | 'trips'>,
  stopped: number,
): Promise<string | undefined> {
  const isAllHeld = trips.some(({ scope }) => scope === 'all') || (stopped > 0 && stopped === plan.calls);
  if (!isAllHeld) return undefined;
  return (await ledger.likeHolds(runId)).find((held) => isSameHold(held.trips, trips))?.id;
}
