// Restores people and erasures from a backup into a ledger.
import { sql } from 'kysely';
import { StorageError } from '../../core/errors.ts';
import { forgottenTest } from '../../core/person/forgotten.ts';
import { type Database, isThere, rowsOf } from '../database/database.ts';
import { moveRuns } from '../moves/move-run.ts';
import { erasePerson } from '../people/forget.ts';
import { blockPeople, type Forgotten, forgetKey, forgottenAt } from '../people/kept-out.ts';

/** Makes a new ledger the one that a backup is of: the same id, the same count of backups. */
export async function becomeLedger(db: Database, { id, backups }: { id: string; backups: number }): Promise<void> {
  await sql`update ledger set id = ${id}, backups = ${backups}`.execute(db);
}

const replacing = [
  ...['employee_id', 'fingerprint', 'firstname', 'lastname', 'email', 'telephone', 'groups', 'force_sync', 'given_at'],
  ...['given_run', 'last_outcome', 'last_run', 'refusals', 'missing_runs', 'missing_since'],
].map((column) => sql`${sql.id(column)} = ${sql.id('excluded', column)}`);

/** Puts people as `everybody` gave them into a ledger; who is known there already is replaced by who was given something later. */
export async function restorePeople(db: Database, people: readonly object[]): Promise<void> {
  // Fields that older backups do not have.
  const defaults = JSON.stringify({ refusals: 0, missing_runs: 0 });
  await sql`
    insert into people
    select (jsonb_populate_record(null::people, ${defaults}::jsonb || person)).*
    from jsonb_array_elements(${JSON.stringify(people)}::jsonb) as person
    on conflict (service, person_key, source) do update set ${sql.join(replacing)}
    where coalesce(excluded.given_at, '-infinity') > coalesce(people.given_at, '-infinity')`.execute(db);
  await sql`
    insert into left_behind
    select (jsonb_populate_record(null::left_behind, l)).*
    from jsonb_array_elements(${JSON.stringify(people)}::jsonb) as person
    cross join lateral jsonb_array_elements(person->'left_behind') as l
    on conflict do nothing`.execute(db);
}

/**
 * Puts what `allForgotten` gave into a ledger, in addition to those it keeps out itself.
 * @throws StorageError if both keep people out under keys of their own: who these are cannot be told from hashes
 */
export async function restoreForgotten(db: Database, { key, people }: Forgotten): Promise<void> {
  if (people.length === 0 && (await anybodyForgotten(db))) return;
  if (key !== (await forgetKey(db))) {
    if (await anybodyForgotten(db)) {
      throw new StorageError(
        'ledger and backup are of two different ledgers, and each keeps forgotten people out under a key of its own: they ' +
          'cannot be joined. Move the one that does not belong here out of the data directory, then try again. Nothing was changed.',
      );
    }
    await sql`update ledger set forget_key = ${key}`.execute(db);
  }
  await blockPeople(db, people);
}

async function anybodyForgotten(db: Database): Promise<boolean> {
  return isThere(db)`select 1 from forgotten limit 1`;
}

/** Erases everybody again who must not be sent and whom a backup, or a ledger that had lost that, still knew. Returns how many. */
export async function eraseForgotten(db: Database, instead: () => string): Promise<number> {
  const key = await forgetKey(db);
  const services = await rowsOf<{ service: string }>(db)`select distinct service from forgotten`;
  const found = new Set<string>();
  for (const { service } of services) {
    const isForgotten = forgottenTest(key, await forgottenAt(db, service));
    const rows = await rowsOf<{ person: string }>(db)`
      select distinct person_key as person from people where service = ${service}`;
    for (const { person } of rows) if (isForgotten(person)) found.add(person);
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
