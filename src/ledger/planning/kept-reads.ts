// Keeps people as they were last read, so that a directory can be asked only for what changed since.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { storableText, toJson } from '../database/json.ts';

/** Whose people are kept. */
export interface KeptOf {
  /** The service's normalised address. */
  service: string;
  source: string;
}

/** The last read of a source. */
export interface KeptRead {
  /** Identifies its people. */
  readId: string;
  /** The run that read it last. */
  runId: string;
  /** Where to ask for what changed since. */
  link: string;
  /** Identifies what was asked for. */
  digest: string;
  /** When everybody was last read. */
  fullAt: Date;
}

/** Somebody as they were read. */
export interface KeptRecord {
  id: string;
  /** As JSON; empty for somebody who was erased, null for somebody who is gone. */
  record: string | null;
}

/** The last read of a source, if it is kept. */
export async function findKeptRead(db: Database, { service, source }: KeptOf): Promise<KeptRead | undefined> {
  const { rows } = await sql<KeptRead>`
    select read_id as "readId", run_id as "runId", link, digest, full_at as "fullAt" from kept_reads
    where service = ${service} and source = ${source}`.execute(db);
  return rows[0];
}

/** The people of a read, in the order of their ids, after one of them. */
export async function listKeptPeople(
  db: Database,
  { service, source, readId, after, limit }: KeptOf & { readId: string; after: string; limit: number },
): Promise<KeptRecord[]> {
  const { rows } = await sql<KeptRecord>`
    select id, record from kept_people
    where service = ${service} and source = ${source} and read_id = ${readId} and id > ${after}
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** Writes people of a read that does not count yet. */
export async function stageKeptPeople(
  db: Database,
  {
    service,
    source,
    readId,
    people,
  }: KeptOf & { readId: string; people: readonly (KeptRecord & { keys: string[] })[] },
): Promise<void> {
  await sql`
    insert into kept_people (service, source, read_id, id, keys, record)
    select ${service}, ${source}, ${readId}, p.id, p.keys, p.record
    from jsonb_to_recordset(${toJson(people)}::jsonb) as p (id text, keys jsonb, record text)
    on conflict (service, source, read_id, id) do update set keys = excluded.keys, record = excluded.record`.execute(
    db,
  );
}

/**
 * Makes the people that were written count, and the link with them: all at once. Of a read of changes they are put in
 * place of those they change, unless another read came between. Asked again, it does nothing.
 */
export async function settleKeptRead(
  db: Database,
  { service, source, base, ...read }: KeptOf & Omit<KeptRead, 'fullAt'> & { base?: string },
): Promise<void> {
  const { readId, runId, link, digest } = read;
  const ours = sql`service = ${service} and source = ${source}`;
  await db.transaction().execute(async (transaction) => {
    if (base === undefined) {
      await sql`
        insert into kept_reads (service, source, read_id, run_id, link, digest, full_at, read_at)
        values (${service}, ${source}, ${readId}, ${runId}, ${storableText(link)}, ${digest}, clock_timestamp(), clock_timestamp())
        on conflict (service, source) do update set read_id = excluded.read_id, run_id = excluded.run_id,
          link = excluded.link, digest = excluded.digest, full_at = excluded.full_at, read_at = excluded.read_at`.execute(
        transaction,
      );
      return;
    }
    const { numAffectedRows = 0n } = await sql`
      update kept_reads set run_id = ${runId}, link = ${storableText(link)}, read_at = clock_timestamp()
      where ${ours} and read_id = ${base} and digest = ${digest}`.execute(transaction);
    if (numAffectedRows === 0n) return;
    await sql`
      delete from kept_people k using kept_people changed
      where k.service = ${service} and k.source = ${source} and k.read_id = ${base}
        and changed.service = k.service and changed.source = k.source and changed.read_id = ${readId} and changed.id = k.id`.execute(
      transaction,
    );
    await sql`
      update kept_people set read_id = ${base} where ${ours} and read_id = ${readId} and record is not null`.execute(
      transaction,
    );
  });
}

/** Removes people of reads that do not count, or not any more, at most `limit` of them. Returns how many those were. */
export async function removeStaleKept(
  db: Database,
  { service, source, limit }: KeptOf & { limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from kept_people where (service, source, read_id, id) in (
      select service, source, read_id, id from kept_people p where service = ${service} and source = ${source}
        and not exists (
          select 1 from kept_reads r where r.service = p.service and r.source = p.source and r.read_id = p.read_id)
      limit ${limit})`.execute(db);
  return Number(numAffectedRows);
}

/** Removes what is kept of reads before that, at most `limit` people; nobody knows then what changed since. */
export async function removeOldKept(
  db: Database,
  olderThanMs: number,
  limit: number,
): Promise<{ removed: number; isDone: boolean }> {
  await sql`
    delete from kept_reads where read_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`.execute(db);
  const { numAffectedRows = 0n } = await sql`
    delete from kept_people where (service, source, read_id, id) in (
      select service, source, read_id, id from kept_people p
      where not exists (select 1 from kept_reads r where r.service = p.service and r.source = p.source)
        and not exists (
          select 1 from runs r where r.service = p.service and r.source = p.source and r.status = 'planning')
      limit ${limit})`.execute(db);
  return { removed: Number(numAffectedRows), isDone: numAffectedRows < limit };
}

/** Forgets all reads: everybody is read again. */
export async function dropKeptReads(db: Database): Promise<void> {
  await sql`delete from kept_reads`.execute(db);
  await sql`delete from kept_people`.execute(db);
}

/** Takes a person out of what is kept; that there was somebody stays, so that later changes of them are not kept either. */
export async function eraseKept(db: Database, key: string): Promise<void> {
  await sql`update kept_people set keys = '[]', record = '' where keys ? ${key}`.execute(db);
}
