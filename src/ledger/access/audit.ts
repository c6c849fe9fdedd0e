// Records and lists who did what through the API.
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** What somebody did through the API, or with its tokens. No person of a roster is named in it. */
export interface Deed {
  /** `token nightly-ci`, `the owner of the data directory`, or a user at a machine. */
  by: string;
  /** What was done, in a word or two: `start`, `approve`, `cancel`, `download report`, `create token`. */
  action: string;
  runId?: string;
  /** The network address it came from; empty where it came from this machine's socket. */
  origin: string;
}

export type AuditEntry = Required<Omit<Deed, 'runId'>> & { at: Date; runId: string | null };

const kept = sql`interval '400 days'`;

/** Records what somebody did; what is older than 400 days goes. */
export async function noteDeed(db: Database, { by, action, runId, origin }: Deed): Promise<void> {
  const deed = { by, action, run_id: runId ?? null, origin };
  await db.insertInto('audit').values(deed).execute();
  await db
    .deleteFrom('audit')
    .where('at', '<', sql<Date>`clock_timestamp() - ${kept}`)
    .execute();
}

/** What was done, the newest first; of one run where it is given. */
export async function listDeeds(
  db: Database,
  { runId, limit }: { runId?: string; limit: number },
): Promise<AuditEntry[]> {
  const all = db.selectFrom('audit').select(['at', 'by', 'action', 'run_id as runId', 'origin']);
  const asked = runId === undefined ? all : all.where('run_id', '=', runId);
  return asked.orderBy('id', 'desc').limit(limit).execute();
}
