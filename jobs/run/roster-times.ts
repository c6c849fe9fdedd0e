// The time a roster speaks of, beside those of the rosters that its source has released.
import type { RosterFacts } from '../../src/core/run/run.ts';
import type { WithLedger } from '../../src/wiring/context.ts';
import { isPartial, type PlanningRun } from './planning-run.ts';

type Released = Awaited<ReturnType<WithLedger['ledger']['releasedRosters']>>;

/** What is to be kept of a roster's time, and the rosters with which it is compared. */
export async function timesOf(
  ledger: WithLedger['ledger'],
  request: PlanningRun,
): Promise<Pick<RosterFacts, 'checksum' | 'time' | 'saidTime'> & { released: Released }> {
  const { service, source, trigger, roster } = request;
  const checksum = roster.checksum();
  // The people in an event count as of the time at which it arrived (R13).
  const isOfEvent = trigger === 'event' && isPartial(request);
  const released = isOfEvent ? {} : await ledger.releasedRosters({ service, source, checksum });
  const said = timeOf(request);
  const { newest } = released;
  const { askedAt } = roster;
  if (askedAt === undefined || request.asOf !== undefined || !isTimeOf(newest, said, checksum))
    return { checksum, time: said.toISOString(), released };
  const time = newest?.checksum === checksum ? new Date(newest.time) : askedAt;
  return { checksum, time: time.toISOString(), saidTime: said.toISOString(), released };
}

/** A file from the future would make every later roster look old. */
function timeOf({ asOf, roster }: PlanningRun): Date {
  return asOf ?? new Date(Math.min(roster.modifiedAt.getTime(), Date.now()));
}

/** Whether another roster before said that it is of the same time too: so says a server of all its answers. */
function isTimeOf(before: Released['newest'], time: Date, checksum: string): boolean {
  if (before === undefined || Date.parse(before.saidTime ?? before.time) !== time.getTime()) return false;
  return before.saidTime !== null || before.checksum !== checksum;
}
