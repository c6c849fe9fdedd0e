// The totals of many runs for lists: those that have ended are counted once.
import { sql } from 'kysely';
import { hasEnded } from '../../core/run/states.ts';
import { type Database, rowsOf, toJson } from '../database/database.ts';
import { type RunTotals, totalsOf } from './reading.ts';
import type { Run } from './runs.ts';

/** What lists show of a run. */
export type RunSummaryTotals = Pick<
  RunTotals,
  'outcome' | 'pending' | 'calls' | 'repeated' | 'repeatedNew' | 'refusedAgain'
> & { inserts: number; warnings: number };

/** The totals of these runs, by their ids. Of a run that has ended they are kept, once no call of it is under way. */
export async function summariesOf(
  db: Database,
  runs: readonly Pick<Run, 'id' | 'status'>[],
): Promise<Map<string, RunSummaryTotals>> {
  const ids = runs.map(({ id }) => id);
  const rows = await rowsOf<{ id: string; totals: RunSummaryTotals }>(db)`
    select t.run_id as id, t.totals from run_totals t join runs r on r.id = t.run_id and r.state_changes = t.state_changes
    where t.run_id = any (${ids}::text[])`;
  const found = new Map(rows.map(({ id, totals }) => [id, totals]));
  for (const { id, status } of runs) {
    if (found.has(id)) continue;
    const totals = inShort(await totalsOf(db, id));
    if (hasEnded(status)) await keep(db, id, totals);
    found.set(id, totals);
  }
  return found;
}

function inShort({ groups, problems: _problems, ...rest }: RunTotals): RunSummaryTotals {
  const sum = (of: 'inserts' | 'warnings'): number => groups.reduce((total, group) => total + group[of], 0);
  return { ...rest, inserts: sum('inserts'), warnings: sum('warnings') };
}

/** A call may still be answered after its run was cancelled. */
async function keep(db: Database, runId: string, totals: RunSummaryTotals): Promise<void> {
  await sql`
    insert into run_totals (run_id, state_changes, totals)
    select id, state_changes, ${toJson(totals)}::jsonb from runs r
    where id = ${runId} and finished_at is not null and receipts_removed_at is null
      and not exists (select 1 from in_hand h where h.run_id = r.id)
    on conflict (run_id) do update set state_changes = excluded.state_changes, totals = excluded.totals`.execute(db);
}

/** Forgets the totals of runs of which something was written or removed since. */
export async function forgetTotals(db: Database, ...runIds: string[]): Promise<void> {
  await sql`delete from run_totals where run_id = any (${runIds}::text[])`.execute(db);
}
