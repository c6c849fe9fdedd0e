import { type RawBuilder, sql } from 'kysely';
import { InputError } from '../core/errors.ts';
import type { ApprovalScope } from '../core/trip.ts';
import type { Database } from './database.ts';
import { countHeld } from './holds.ts';
import { learnEmployeeIds } from './identities.ts';
import { storableText, toJson } from './json.ts';
import { forgetUnchanged, hastenRun, supersedeByNewer, supersedeOlder } from './release.ts';
import { moveRun } from './runs.ts';

/** Who approves what. */
export interface Approval {
  /** A user at a machine, or who is known to the API. */
  by: string;
  note: string;
  /** The hash of the plan. */
  hash: string;
  scope: ApprovalScope;
}

/** What an approval has set free. */
export interface Approved {
  released: number;
  /** Not sent after all: a newer roster has overtaken them, or they were given it meanwhile. */
  superseded: number;
  /** What still waits for an approval. */
  stillHeld: number;
}

/**
 * Releases what is approved of a run and still needed, and writes down who approved it. One transaction: of two processes
 * that ask, one does it.
 * @returns undefined when the run is in none of the states in which something of it is held
 * @throws InputError when the approval fits nothing that is held; BusyError while another run of its source plans or delivers
 */
export async function approveHeld(
  db: Database,
  runId: string,
  { by, note, hash, scope }: Approval,
): Promise<Approved | undefined> {
  return db.transaction().execute(async (transaction) => {
    const { status, released_at } = await transaction
      .selectFrom('runs')
      .select(['status', 'released_at'])
      .where('id', '=', runId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (status !== 'held' && status !== 'delivering') return undefined;
    await recordApproval(transaction, runId, { by, note, hash, scope });
    const before = await countHeld(transaction, runId);
    const superseded = (await supersedeByNewer(transaction, runId)) + (await supersedeGiven(transaction, runId));
    const { numAffectedRows } = await sql`
      update deliveries d set state = 'due', due_at = clock_timestamp()
      from members m
      where d.run_id = ${runId} and d.state = 'held' and m.run_id = d.run_id and m.person_key = d.person_key
        and ${isApproved(scope)}`.execute(transaction);
    const released = Number(numAffectedRows ?? 0n);
    const stillHeld = await countHeld(transaction, runId);
    if (released === 0 && stillHeld > 0 && stillHeld === before) {
      throw new InputError(`Nothing that run ${runId} holds fits this approval: ${stillHeld} deliveries stay held.`);
    }
    if (released_at === null) {
      await supersedeOlder(transaction, runId);
      await learnEmployeeIds(transaction, runId);
      await forgetUnchanged(transaction, runId);
    }
    await sql`update runs set released_at = coalesce(released_at, clock_timestamp()) where id = ${runId}`.execute(
      transaction,
    );
    await hastenRun(transaction, runId);
    await moveRun(transaction, runId, ['held'], 'delivering');
    return { released, superseded, stillHeld };
  });
}

/** That an approval covers the delivery `d` of a member `m`. */
function isApproved({ only = [], exceptGroups = [] }: ApprovalScope): RawBuilder<boolean> {
  const named = sql<boolean>`d.action = any (${only}::text[])`;
  return sql<boolean>`(${only.length === 0}::boolean or ${named}) and not m.groups ?| ${exceptGroups}::text[]`;
}

/** What is held of a run and was given by a run of its source after it was planned, to the letter. */
async function supersedeGiven(db: Database, runId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d
    set state = 'done', outcome = 'superseded', ended_at = clock_timestamp(), reason = 'given meanwhile by run ' || p.given_run
    from runs r, members m, people p
    where r.id = ${runId} and d.run_id = r.id and d.state = 'held' and m.run_id = r.id and m.person_key = d.person_key
      and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      and p.fingerprint = m.fingerprint and p.given_at > r.created_at and p.given_run <> r.id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Writes down that somebody approved a run; asked once more after the answer to the first time was lost, it is there. */
export async function recordApproval(db: Database, runId: string, { by, note, hash, scope }: Approval): Promise<void> {
  await sql`
    insert into approvals (run_id, approved_by, note, hash, scope)
    select ${runId}, ${storableText(by)}, ${storableText(note)}, ${hash}, ${toJson(scope)}::jsonb
    where not exists (
      select 1 from approvals a
      where a.run_id = ${runId} and a.approved_by = ${storableText(by)} and a.scope = ${toJson(scope)}::jsonb
        and a.at > clock_timestamp() - interval '1 minute'
    )`.execute(db);
}

/** An approval as it was given. */
export interface GivenApproval extends Approval {
  at: Date;
}

/** The approvals of a run, the oldest first. */
export async function approvalsOf(db: Database, runId: string): Promise<GivenApproval[]> {
  return db
    .selectFrom('approvals')
    .select(['at', 'approved_by as by', 'note', 'hash', 'scope'])
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();
}
