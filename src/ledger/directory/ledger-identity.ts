// The ledger's id, its count of backups, and whether it was exported, so that it sends nothing more.
import { sql } from 'kysely';
import { type Database, isThere, theRow } from '../database/database.ts';
import { refusal } from '../../core/errors.ts';
import { moment } from '../../core/text/format.ts';

/** Which ledger this is, and how many backups it has written. */
export interface LedgerIdentity {
  /** 32 hexadecimal characters; part of the queue's prefix. */
  id: string;
  backups: number;
}

export async function ledgerIdentity(db: Database): Promise<LedgerIdentity> {
  return theRow<LedgerIdentity>(db)`select id, backups from ledger`;
}

export async function ledgerId(db: Database): Promise<string> {
  return (await ledgerIdentity(db)).id;
}

/** A backup that is about to be written: the people who will be in it, and how many are forgotten. */
export interface BegunBackup extends LedgerIdentity {
  people: number;
  forgotten: number;
}

/** Counts a backup that is about to be written. */
export async function beginBackup(db: Database): Promise<BegunBackup> {
  await sql`update ledger set backups = backups + 1`.execute(db);
  return theRow<BegunBackup>(db)`
    select id, backups, (select count(*) from (select distinct service, person_key from people) known) as people,
      (select count(*) from forgotten) as forgotten
    from ledger`;
}

/** Gives a ledger that was made from the template an identity and a secret key of its own; one that has them keeps them. */
export async function ensureIdentity(db: Database): Promise<void> {
  // A ledger that may only be read just now has them, and must not be asked to write.
  if (await isThere(db)`select 1 from ledger`) return;
  await sql`
    insert into ledger (id) select replace(gen_random_uuid()::text, '-', '')
      where not exists (select 1 from ledger)`.execute(db);
}

/** When this ledger was exported; undefined while it is in use. */
export async function movedAt(db: Database): Promise<Date | undefined> {
  const { at } = await theRow<{ at: Date | null }>(db)`select moved_at as at from ledger`;
  return at ?? undefined;
}

/** Marks the ledger as exported, or takes the mark back. */
export async function markMoved(db: Database, isMoved: boolean): Promise<void> {
  await sql`update ledger set moved_at = case when ${isMoved}::boolean then clock_timestamp() end`.execute(db);
}

/** @throws InputError if the ledger was exported: the one that was made from the archive sends now */
export function refuseMoved(at: Date | undefined): void {
  if (at === undefined) return;
  const when = moment(at.toISOString(), 'UTC');
  throw refusal('exportedLedger', { when }, { next: [{ act: 'upkeep.undoExport' }] });
}
