// Brings the tables up to date, and refuses a ledger that a newer program has changed.
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StorageError } from '../../core/errors.ts';
import type { Database } from './database.ts';
import { tables } from './migrations/001-tables.ts';
import { backups } from './migrations/002-backups.ts';
import { throttles } from './migrations/003-throttles.ts';
import { leftBehind } from './migrations/004-left-behind.ts';
import { runMoves } from './migrations/006-run-moves.ts';
import { deliveryStates } from './migrations/007-delivery-states.ts';
import { sessions } from './migrations/008-sessions.ts';
import { runTotals } from './migrations/012-run-totals.ts';
import { accounts } from './migrations/010-accounts.ts';
import { keptSources } from './migrations/011-kept-sources.ts';
import { movedLedgers } from './migrations/013-moved-ledgers.ts';
import { inHandTable } from './migrations/014-in-hand.ts';
import { pushed } from './migrations/015-pushed.ts';
import { searchTexts } from './migrations/016-search-texts.ts';
import { keptReads } from './migrations/017-kept-reads.ts';
import { noKeptReads } from './migrations/018-no-kept-reads.ts';
import { pushedIds } from './migrations/019-pushed-ids.ts';

/** Every migration in order. Ledgers in the field have run them: never edit one that was released, add another. */
export const migrations: Record<string, Migration> = {
  '001-tables': tables,
  '002-backups': backups,
  '003-throttles': throttles,
  '004-left-behind': leftBehind,
  '006-run-moves': runMoves,
  '007-delivery-states': deliveryStates,
  '008-sessions': sessions,
  '010-accounts': accounts,
  '011-kept-sources': keptSources,
  '012-run-totals': runTotals,
  '013-moved-ledgers': movedLedgers,
  '014-in-hand': inHandTable,
  '015-pushed': pushed,
  '016-search-texts': searchTexts,
  '017-kept-reads': keptReads,
  '018-no-kept-reads': noKeptReads,
  '019-pushed-ids': pushedIds,
};

/** @throws StorageError when a newer program has changed the ledger */
export function refuseNewer(done: readonly string[]): void {
  const unknown = done.filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StorageError(
    `This ledger was last used by a newer roster-sync (it holds ${unknown.join(', ')}). ` +
      'Install that version or a later one; nothing was changed.',
  );
}

/**
 * Brings the tables up to date, under kysely's lock so that several processes may start at once.
 * @param last the name of the last migration to make; all of them unless it is given
 * @throws StorageError when a newer program has already changed the ledger
 */
export async function migrate(db: Database, last?: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where to_regclass('kysely_migration') is not null order by name`
    .execute(db)
    .catch((error: unknown) => {
      if (error instanceof StorageError) throw error;
      return { rows: [] };
    });
  refuseNewer(rows.map(({ name }) => name));
  // Usually there is nothing to do, and kysely takes long to determine that.
  if (rows.length === Object.keys(migrations).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error === undefined) return;
  if (error instanceof StorageError) throw error;
  const reason = error instanceof Error ? ` (${error.message})` : '';
  throw new StorageError(`The ledger could not be brought up to date${reason}; nothing was changed.`, {
    cause: error,
  });
}
