// Records and lists who did what through the API.
import { sql } from 'kysely';
import { type Database, rowsOf } from '../database/database.ts';

/** What somebody did through the API, or with its tokens. No person of a roster is named in it. */
export interface Deed {
  /** `token nightly-ci`, `the owner of the data directory`, or a user at a machine. */
  by: string;
  /** What was done, in a word or two: `start`, `approve`, `cancel`, `download report`, `create token`. */
  action: string;
  runId?: string | null;
  /** The network address it came from; empty where it came from this machine's socket. */
  origin: string;
}

export type AuditEntry = Required<Omit<Deed, 'runId'>> & { at: Date; runId: string | null };

/** Records what somebody did; what is older than 400 days goes. */
export async function noteDeed(db: Database, { by, action, runId = null, origin }: Deed): Promise<void> {
  await sql`
    insert into audit (by, action, run_id, origin) values (${by}, ${action}, ${runId}, ${origin})`.execute(db);
  await sql`delete from audit where at < clock_timestamp() - interval '400 days'`.execute(db);
}

/** What was done, the newest first; of one run where it is given. */
export async function listDeeds(
  db: Database,
  { runId = null, limit }: { runId?: string | null; limit: number },
): Promise<AuditEntry[]> {
  return rowsOf<AuditEntry>(db)`
    select at, by, action, run_id as "runId", origin from audit
    where ${runId}::text is null or run_id = ${runId} order by id desc limit ${limit}`;
}
