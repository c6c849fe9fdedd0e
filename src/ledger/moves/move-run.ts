// Moves runs from state to state: the only statement that changes the state of a run.
import { type RawBuilder, sql } from 'kysely';
import { BusyError } from '../../core/errors.ts';
import type { Stop } from '../../core/run/run.ts';
import { hasEnded, type Move, type RunMove, runMoves } from '../../core/run/states.ts';
import { type Database, rowsOf } from '../database/database.ts';

/** Why a run is moved, where it stops; `supersededBy` is the newer run that takes its place. */
export interface Moving extends Stop {
  supersededBy?: string;
}

/** The time a run has spent in `delivering`, ms. */
export const deliveredMs = sql<number>`(delivered_ms
  + coalesce(greatest(0, (extract(epoch from clock_timestamp() - delivering_since) * 1000)::bigint), 0))`;

/** Gives a run the whole of its deadline from now on. */
export async function renewDeadline(db: Database, id: string): Promise<void> {
  await sql`update runs set deadline_from = ${deliveredMs} where id = ${id}`.execute(db);
}

/**
 * Makes a move with those of some runs that are in a state it starts from, and keeps the account of their time in
 * `delivering`. All moves are this one statement: what differs between them is data (core/run/states.ts).
 * @param which a condition on the table `runs`
 * @returns the ids of the runs that were moved
 * @throws BusyError where a run would deliver while another run of its source plans or delivers
 */
export async function moveRuns(
  db: Database,
  move: RunMove,
  which: RawBuilder<boolean>,
  stop?: Moving,
): Promise<string[]> {
  const { from, to }: Move = runMoves[move];
  const { rows } = await oneAtATime(
    sql<{ id: string }>`
      update runs set status = ${to}, status_reason = ${stop?.reason ?? ''}, stopped_by = ${stop?.by ?? null},
        superseded_by = ${stop?.supersededBy ?? null},
        delivered_ms = ${deliveredMs},
        delivering_since = ${to === 'delivering' ? sql`clock_timestamp()` : null},
        finished_at = ${hasEnded(to) ? sql`clock_timestamp()` : null}
      where status = any (${from}::text[]) and ${which} returning id`.execute(db),
  );
  return rows.map(({ id }) => id);
}

/** Makes a move with one run. Returns whether it was moved: two processes may try, one succeeds. */
export async function moveRun(db: Database, id: string, move: RunMove, stop?: Moving): Promise<boolean> {
  const moved = await moveRuns(db, move, sql<boolean>`id = ${id}`, stop);
  return moved.length > 0;
}

/** The database itself makes sure that only one run of a source plans or delivers at a time. */
export async function oneAtATime<Result>(statement: Promise<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'runs_one_at_a_time') {
      throw busy();
    }
    throw error;
  }
}

const busy = (): BusyError =>
  new BusyError('Another run of this source plans or delivers at this moment. Nothing was sent.', {
    next: [{ act: 'runs.list' }],
  });

/** Throws the same where a held run would have to wait for another one. */
export async function refuseBusy(db: Database, runId: string): Promise<void> {
  const rows = await rowsOf(db)`
    select 1 from runs r join runs o on o.service = r.service and o.source = r.source and o.id <> r.id
    where r.id = ${runId} and r.status = 'held' and not r.beside and not o.beside and o.status in ('planning', 'delivering')`;
  if (rows.length > 0) throw busy();
}

/**
 * Of one source one run at a time is released, approved or continued, until the transaction ends: two that do not see
 * each other yet would both be sent, the older one perhaps last.
 */
export async function takeTurn(transaction: Database, runId: string): Promise<void> {
  await rowsOf(transaction)`
    select pg_advisory_xact_lock(hashtextextended(service || E'\\n' || source, 0)) from runs where id = ${runId}`;
}
