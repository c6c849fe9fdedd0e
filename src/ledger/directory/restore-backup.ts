// Restores people and erasures from a backup into a ledger.
import { sql } from 'kysely';
import { StorageError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import { forgottenTest } from '../../core/person/forgotten.ts';
import { insertRows } from '../archive/archive.ts';
import { archivedTables, readArchive } from '../archive/archive-form.ts';
import { type Database, isThere, valuesOf } from '../database/database.ts';
import { refuseNewer } from '../database/migrations.ts';
import { ledgerIdentity } from './ledger-identity.ts';
import { moveRuns } from '../moves/move-run.ts';
import { erasePerson } from '../people/forget.ts';
import { forgetKey, forgottenAt } from '../people/kept-out.ts';
import type { CheckedBackup } from './backups.ts';

/** Who is known already is replaced by who was given something later. */
const replacing = [
  ...['employee_id', 'fingerprint', 'firstname', 'lastname', 'email', 'telephone', 'groups', 'force_sync', 'given_at'],
  ...['given_run', 'last_outcome', 'last_run', 'refusals', 'missing_runs', 'missing_since'],
].map((column) => sql`${sql.id(column)} = ${sql.id('excluded', column)}`);
const later = sql`on conflict (service, person_key, source) do update set ${sql.join(replacing)}
  where coalesce(excluded.given_at, '-infinity') > coalesce(people.given_at, '-infinity')`;

/**
 * Puts what a backup knows into a ledger that has what it needs, and makes it the ledger that the backup is of.
 * @throws StorageError if both keep people out under keys of their own: who these are cannot be told from hashes
 */
export async function restoreBackup(db: Database, backup: CheckedBackup): Promise<void> {
  const { ledger, migrations, backup: of, at } = backup.header;
  refuseNewer(migrations);
  const old = await ledgerIdentity(db);
  if (old.id === ledger && old.backups < of.number) {
    // Of that time it is the whole truth: an address that was renamed since would count as somebody who left.
    await sql`delete from people where given_at is null or given_at <= ${at}::timestamptz`.execute(db);
    await sql`delete from left_behind`.execute(db);
  }
  await sql`update ledger set id = ${ledger}, backups = greatest(backups, ${of.number})`.execute(db);
  const known = new Map((await archivedTables(db)).map(({ name, columns }) => [name, columns]));
  for await (const part of readArchive(backup)) {
    if ('counters' in part) continue;
    const columns = part.columns.filter((column) => known.get(part.table)?.includes(column));
    if (part.table === 'ledger') await takeForgetKey(db, part.rows, of.forgotten);
    else
      await sql`${insertRows({ ...part, columns })} ${part.table === 'people' ? later : sql`on conflict do nothing`}`.execute(
        db,
      );
  }
}

/** The key under which a backup keeps people out, in place of that of a ledger that keeps nobody out. */
async function takeForgetKey(db: Database, rows: readonly string[], forgotten: number): Promise<void> {
  const [key] = rows.map((row) => (JSON.parse(row) as { forget_key: string }).forget_key);
  if (key === undefined || key === (await forgetKey(db))) return;
  const keepsOut = await isThere(db)`select 1 from forgotten limit 1`;
  if (!keepsOut) await sql`update ledger set forget_key = ${key}`.execute(db);
  else if (forgotten > 0) throw new StorageError(say('twoForgetKeys', 1));
}

/** Erases everybody again who must not be sent and whom a backup, or a ledger that had lost that, still knew. Returns how many. */
export async function eraseForgotten(db: Database, instead: () => string): Promise<number> {
  const key = await forgetKey(db);
  const services = await valuesOf<string>(db)`select distinct service from forgotten`;
  const found = new Set<string>();
  for (const service of services) {
    const isForgotten = forgottenTest(key, await forgottenAt(db, service));
    const people = await valuesOf<string>(db)`select distinct person_key from people where service = ${service}`;
    for (const person of people) if (isForgotten(person)) found.add(person);
  }
  for (const person of found) await erasePerson(db, { key: person, instead: instead() });
  return found.size;
}

/** Ends the unfinished runs: their deliveries may be missing, or may have been sent since. Returns their number. */
export async function endUnfinished(db: Database, reason: string): Promise<number> {
  const ended = await moveRuns(db, 'writeOff', sql<boolean>`true`, { by: 'storage', reason });
  await sql`delete from in_hand`.execute(db);
  return ended.length;
}
