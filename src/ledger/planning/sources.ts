// Sources: the version of a roster that their server named, and those that are kept in the ledger.
import { sql } from 'kysely';
import type { Validators } from '../../core/rows/source.ts';
import { type Database, rowOf, rowsOf, changed, valuesOf } from '../database/database.ts';
import type { SourceAt } from '../runs/runs.ts';

/** What a server said about the roster that a run read. */
export interface SourceState {
  /** The run, which need not be released yet. */
  runId: string;
  validators: Validators;
  /** A digest of all that decides what is sent, except the roster. */
  digest: string;
}

/** The run since which a source need not be read again, if its server says that nothing has changed. */
export interface UnchangedSince {
  runId: string;
  finishedAt: Date;
  validators: Validators;
  /** The SHA-256 of its roster, hexadecimal. */
  checksum: string;
}

/** Remembers what a server said about the roster of a run, in place of what it said about its source's last one. */
export async function rememberSource(db: Database, { runId, validators, digest }: SourceState): Promise<void> {
  const { etag = null, lastModified = null } = validators;
  await sql`
    insert into source_states (service, source, run_id, digest, etag, last_modified)
    select service, source, id, ${digest}, ${etag}, ${lastModified} from runs where id = ${runId}
    on conflict (service, source) do update
      set run_id = excluded.run_id, digest = excluded.digest, etag = excluded.etag, last_modified = excluded.last_modified
  `.execute(db);
}

/** The files that belonged to the last released roster of a source, where they were joined by this pattern too. */
export async function joinedBefore(
  db: Database,
  { service, source, of }: SourceAt & { of: string },
): Promise<string[]> {
  const [files = []] = await valuesOf<string[]>(db)`
    select roster->'form'->'joined'->'files' from runs
    where service = ${service} and source = ${source} and released_at is not null and roster->'form'->'joined'->>'of' = ${of}
    order by number desc limit 1`;
  return files;
}

/**
 * The last run of a source, with what the server said about its roster: only where to plan the same roster again would
 * send nothing. So the run succeeded with everybody, nobody in it was to be sent later or had departed, its roster could say
 * who is missing, it was planned by what this digest stands for, and no other run of the source was begun since, but for those
 * that failed before they sent anything.
 * @param question.runId the run that asks, where it has been begun
 */
export async function recallSource(
  db: Database,
  { service, source, digest, runId: asking = '' }: SourceAt & { digest: string; runId?: string },
): Promise<UnchangedSince | undefined> {
  return rowOf<UnchangedSince>(db)`
    select r.id as run_id, r.finished_at, r.roster->>'checksum' as checksum,
      jsonb_strip_nulls(jsonb_build_object('etag', s.etag, 'lastModified', s.last_modified)) as validators
    from source_states s join runs r on r.id = s.run_id
    where s.service = ${service} and s.source = ${source} and s.digest = ${digest}
      and r.trigger <> 'event' -- which judges nobody as missing
      -- What other sources ask about who is in it looks back 40 days: departed.ts.
      and r.status = 'finished' and r.released_at is not null and r.finished_at > clock_timestamp() - interval '7 days' and not (r.roster->>'partial')::boolean
      and r.roster->>'hasLostRows' is null
      and (r.plan->'counts'->>'later')::integer = 0 and (r.plan->'counts'->>'departed')::integer = 0
      and coalesce((r.plan->'departures'->>'waiting')::integer, 0) = 0 and r.plan->'departures'->>'elsewhere' is null
      and not exists (select 1 from deliveries d where d.run_id = r.id and d.outcome is distinct from 'succeeded')
      -- What its release does last; a process that died before has left the rest of it to the next run.
      and not exists (select 1 from unchanged_people u where u.run_id = r.id)
      and not exists (
        select 1 from runs newer
        where newer.service = s.service and newer.source = s.source and newer.number > r.number
          and newer.status <> 'failed' and newer.id <> ${asking}
      )`;
}

/** The sources of a service, or of all, that were read by their settings, and are not in these. Without settings, none. */
export async function goneSources(
  db: Database,
  { service, sources }: { service?: string; sources: readonly string[] },
): Promise<string[]> {
  if (sources.length === 0) return [];
  return valuesOf<string>(db)`
    select distinct source from runs
    where trigger in ('sync', 'schedule', 'event') and released_at is not null and source <> all (${sources}::text[])
      and ${service === undefined ? sql`true` : sql`service = ${service}`} order by 1`;
}

/** Forgets what servers said about sources of a service: something that decides their plans has changed. */
export async function forgetSources(db: Database, service: string, sources: readonly string[]): Promise<void> {
  await sql`
    delete from source_states where service = ${service} and source = any (${sources}::text[])`.execute(db);
}

export interface KeptSource {
  name: string;
  /** The lines below its name, as the config would have them: YAML without indentation. */
  block: string;
  /** Who kept it, as the audit names them. */
  by: string;
  at: Date;
}

/** Keeps a source; one of the same name is replaced. The caller has checked the block. */
export async function keepSource(db: Database, { name, block, by }: Omit<KeptSource, 'at'>): Promise<void> {
  await sql`
    insert into kept_sources (name, block, kept_by) values (${name}, ${block}, ${by})
    on conflict (name) do update
      set block = excluded.block, kept_by = excluded.kept_by, kept_at = clock_timestamp()`.execute(db);
}

export async function listKeptSources(db: Database): Promise<KeptSource[]> {
  return rowsOf<KeptSource>(db)`
    select name, block, kept_by as by, kept_at as at from kept_sources order by name`;
}

/** Removes a source that is kept, and nothing that was sent with it. False where there is none of the name. */
export async function removeKeptSource(db: Database, name: string): Promise<boolean> {
  return (await changed(db)`delete from kept_sources where name = ${name}`) > 0;
}
