// Marks a ledger as exported, so that it sends nothing more.
import { sql } from 'kysely';
import { InputError } from '../../core/errors.ts';
import { moment } from '../../core/text/figures.ts';
import type { Database } from '../database/database.ts';

/** When this ledger was exported; undefined while it is in use. */
export async function movedAt(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select moved_at as at from ledger`.execute(db);
  return rows[0]?.at ?? undefined;
}

export async function markMoved(db: Database): Promise<void> {
  await sql`update ledger set moved_at = clock_timestamp()`.execute(db);
}

export async function unmarkMoved(db: Database): Promise<void> {
  await sql`update ledger set moved_at = null`.execute(db);
}

/** @throws InputError if the ledger was exported: the one that was made from the archive sends now */
export function refuseMoved(at: Date | undefined): void {
  if (at === undefined) return;
  throw new InputError(
    `this ledger was exported at ${moment(at.toISOString(), 'UTC')} UTC and sends nothing more, so that nobody is sent from two ledgers. ` +
      'Work with the ledger that was imported from the archive. If the archive was never imported, run ' +
      '`roster-sync export --undo` and delete it.',
  );
}
