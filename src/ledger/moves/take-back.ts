// Take back: what processes had in their hands that are dead.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { feedAllAgain } from './feed.ts';
import { stopClocks } from '../runs/runs.ts';
import { supersedeOvertaken } from './supersede.ts';

/**
 * Takes back what processes had in their hands that gave no sign of life for `deadAfterMs`: due again at once, but a
 * call that was in flight only once the service's timeout has passed since it began; until then the person's lane
 * stays closed (R3). Such a call is marked as repeated (R7). Returns how many calls that were.
 * A call that seems to begin in the future began by a clock that was wrong: its timeout is counted from now.
 * @param worker the one who asks, whose own are never taken; it judges others only once it has itself given signs of life
 *   for as long without a gap: when the database was away, everybody seems dead until they have had time to say otherwise
 * @param deadAfterMs 0 for the one process that is alone
 */
export async function takeBackFromTheDead(
  db: Database,
  { worker, timeoutMs, deadAfterMs }: { worker: string; timeoutMs: number; deadAfterMs: number },
): Promise<number> {
  await sql`
    update deliveries set called_at = clock_timestamp()
    where claimed_by <> ${worker} and called_at > clock_timestamp() + interval '1 minute'`.execute(db);
  const { rows } = await sql<{ id: number; repeated: boolean }>`
      update deliveries d
      set state = 'due', claimed_by = null, called_at = null, repeated = d.repeated or d.called_at is not null,
        calls = d.calls + case when d.called_at is null then 0 else 1 end
      where d.claimed_by <> ${worker}
        and (d.called_at is null or d.called_at < clock_timestamp() - ${timeoutMs} * interval '1 millisecond')
        and not exists (
          select 1 from workers w
          where w.id = d.claimed_by and w.seen_at > clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'
        )
        and (${deadAfterMs}::double precision = 0 or exists (
          select 1 from workers w where w.id = ${worker}
            and w.seen_at > clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'
            and w.alive_since < clock_timestamp() - ${deadAfterMs} * interval '1 millisecond'
        ))
      returning d.id, d.repeated`.execute(db);
  await supersedeOvertaken(
    db,
    rows.map(({ id }) => id),
  );
  return rows.filter(({ repeated }) => repeated).length;
}

/**
 * Starts over, for a process that is the only one to deliver: nothing is in the queue any more, and the clocks of
 * runs stand until somebody delivers them. Returns how many calls were in flight when that one ended.
 */
export async function beginAlone(db: Database): Promise<number> {
  await feedAllAgain(db);
  await stopClocks(db);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from deliveries where state = 'claimed' and called_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
}
