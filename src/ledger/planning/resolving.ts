// People whose address or employee id has changed: finds them, and carries out what a person decided.
import { hash as digest } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { formerAddress, type IdentityChange, type IdentityDecision } from '../../core/rows/row.ts';
import { type Move, partMoves, type UnfitMove } from '../../core/person/moves.ts';
import { personKey } from '../../core/person/member.ts';
import { type Database, rowsOf, toJson, keyRanges, valuesOf } from '../database/database.ts';
import type { RunOfSource, SourceAt } from '../runs/runs.ts';
import { keptOutTest } from '../people/kept-out.ts';
import { forgetLeftBehind, renameLeftBehind } from '../people/left-behind.ts';
import { supersedeRenamed } from '../moves/supersede.ts';
import { forgetSources } from './sources.ts';

/** An identity change of a staged person, with the first row that speaks of them. */
export type StagedIdentityChange = IdentityChange & { key: string; file: string; line: number };

/** More names than any roster has groups. */
const mostGroups = 100_000;

/** The names of the groups that anybody was given at a service, the most frequent first. */
export async function groupsGiven(db: Database, service: string): Promise<string[]> {
  return valuesOf<string>(db)`
    select "group" from (
      select groups, count(*) as people from people where service = ${service} and fingerprint is not null group by groups
    ) given, jsonb_array_elements_text(groups) as "group"
    group by 1 order by sum(people) desc, 1 limit ${mostGroups}`;
}

/**
 * The staged people of a run whose employee id this source knew with another address, whose address it knew with
 * another employee id, or whose address was renamed at the service: a page of each, or those of the given keys. An address at
 * which nothing ever arrived is not a former one: it was a mistake that is now fixed. Nor does it hide a move to it, unless both
 * addresses are in the roster.
 */
export async function identityChanges(
  db: Database,
  question: RunOfSource & { keys?: readonly string[]; limit: number },
): Promise<StagedIdentityChange[]> {
  const { runId, source, service, keys, limit } = question;
  const among = keys === undefined ? sql`true` : sql`m.person_key = any (${keys}::text[])`;
  const rows = await rowsOf<{
    key: string;
    file: string;
    line: number;
    email: string;
    employeeId: string;
    oldEmail: string | null;
    oldEmployeeId: string | null;
  }>(db)`
    select m.person_key as key, m.file, (m.lines->0)::integer as line, m.email, m.employee_id as "employeeId",
      old.email as "oldEmail", own.employee_id as "oldEmployeeId"
    from members m
    left join people own on own.service = ${service} and own.source = ${source} and own.person_key = m.person_key
    left join lateral (
      select p.person_key as email from people p
      where (own.person_key is null or own.fingerprint is null and own.last_outcome = 'failed' and not exists (
          select 1 from members o where o.run_id = m.run_id and o.person_key = p.person_key
          union all select 1 from unchanged_people u where u.run_id = m.run_id and u.keys @> array[p.person_key]))
        and p.service = ${service} and p.source = ${source} and p.employee_id = m.employee_id
        and p.person_key <> m.person_key and (p.fingerprint is not null or p.last_outcome <> 'failed')
      order by p.given_at desc nulls last, p.person_key limit 1
    ) old on true
    where m.run_id = ${runId} and m.employee_id is not null and ${among}
      and (old.email is not null
        or (own.employee_id <> m.employee_id and (own.fingerprint is not null or own.last_outcome <> 'failed')))
    order by m.person_key limit ${limit}`;
  const changes = rows.map(({ key, file, line, email, employeeId, oldEmail, oldEmployeeId }): StagedIdentityChange => {
    const staged = { key, file, line, email, employeeId };
    return oldEmail === null
      ? { kind: 'recycled', ...staged, oldEmployeeId: oldEmployeeId ?? '' }
      : { kind: 'moved', ...staged, oldEmail };
  });
  const others = (await renamedAway(db, question)).filter(({ key }) => !rows.some((row) => row.key === key));
  return [...changes, ...others];
}

/**
 * The staged people of a run whose address has been renamed at the service by the last decision about it, with the address
 * that the account has now: a call for the old one would make another account, of somebody who is invited again.
 */
async function renamedAway(
  db: Database,
  { runId, service, keys, limit }: RunOfSource & { keys?: readonly string[]; limit: number },
): Promise<StagedIdentityChange[]> {
  const among = keys === undefined ? sql`true` : sql`m.person_key = any (${keys}::text[])`;
  const rows = await rowsOf<{ key: string; file: string; line: number; email: string; newEmail: string }>(db)`
    with recursive latest as materialized (
      select distinct on (key) key, case when key = old_key and decision = 'renamed-there' then new_key end as renamed
      from resolutions cross join lateral (values (old_key), (new_key)) as k (key)
      where service = ${service} and old_key <> new_key order by key, id desc
    ), followed (key, now, step) as (
      select m.person_key, l.renamed, 1 from latest l join members m on m.run_id = ${runId} and m.person_key = l.key
      where l.renamed is not null and ${among} and not exists (
        select 1 from people p where p.service = ${service} and p.person_key = l.key and p.fingerprint is not null)
      union all
      select f.key, l.renamed, f.step + 1 from followed f join latest l on l.key = f.now
      where l.renamed is not null
    )
    select distinct on (f.key) f.key, f.now as "newEmail", m.file, (m.lines->0)::integer as line, m.email
    from followed f join members m on m.run_id = ${runId} and m.person_key = f.key
    order by f.key, f.step desc limit ${limit}`;
  return rows.map((row) => ({ kind: 'renamed', ...row }));
}

/** Remembers the employee ids of a released run's people whose id was not known. */
export async function learnEmployeeIds(db: Database, runId: string): Promise<void> {
  for (const isInRange of await keyRanges(db, runId)) {
    await sql`
    update people p set employee_id = m.employee_id
    from members m join runs r on r.id = m.run_id
    where m.run_id = ${runId} and r.released_at is not null and ${isInRange(sql`m.person_key`)} and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      and p.employee_id is null and m.employee_id is not null`.execute(db);
  }
}

/** The keys of those whom a source knows by one of these employee ids, which are in lower case. */
export async function keysOfIds(
  db: Database,
  { service, source, ids }: SourceAt & { ids: readonly string[] },
): Promise<{ key: string; id: string }[]> {
  return rowsOf<{ key: string; id: string }>(db)`
    select person_key as key, lower(employee_id) as id from people
    where service = ${service} and source = ${source} and lower(employee_id) = any (${ids}::text[])`;
}

/** The keys at a domain, such as `@old.example`, to whom anything was ever sent at a service. */
export async function keysAt(db: Database, service: string, domain: string): Promise<string[]> {
  return valuesOf<string>(db)`
    select distinct person_key from people
    where service = ${service} and right(person_key, length(${domain})) = ${domain} order by 1`;
}

/** The people of a run who wait for a decision because their address changed, unless it was decided since. */
export async function movesWaiting(db: Database, runId: string): Promise<Move[]> {
  const rows = await rowsOf<{ newKey: string; reason: string }>(db)`
    select distinct j.person_key as "newKey", j.reason from rejects j join runs r on r.id = j.run_id
    where j.run_id = ${runId} and j.identity_change = 'moved' and j.person_key is not null and not exists (
      select 1 from resolutions d where d.service = r.service and d.new_key = j.person_key and d.decided_at >= r.created_at)
    order by 1, 2`;
  return rows.map(({ newKey, reason }) => ({ oldKey: personKey(formerAddress(reason)), newKey }));
}

/** What happened to moves, or would become of them. */
export interface ResolvedMoves {
  moved: Move[];
  unfit: UnfitMove[];
  /** The sources that knew the old addresses. */
  sources: string[];
  /** Identifies the decision and exactly these moves. */
  hash: string;
  /** Whether it was carried out. */
  isDone: boolean;
}

/**
 * Carries out what a person decided of moves, at one service and in all sources, and writes it down; what does not fit is
 * left as it is. `renamed-there`: the account is the same; what was given at the old address is from now on what was given
 * at the new one. `new-account`: the old one is left, the new one was never given anything. Without the hash of exactly
 * these moves it only says what would become of them.
 * @throws BusyError while a call for an address that was renamed there is being made
 */
export async function resolveMoves(
  db: Database,
  question: { service: string; moves: readonly Move[]; decision: IdentityDecision; hash?: string },
): Promise<ResolvedMoves> {
  const { service, decision } = question;
  const { fit, unfit } = partMoves(question.moves);
  return db.transaction().execute(async (transaction) => {
    const rows = await rowsOf<{ oldKey: string; source: string }>(transaction)`
      select p.person_key as "oldKey", p.source from ${tableOf(fit)} join people p on p.person_key = m."oldKey"
      where p.service = ${service} order by p.source`;
    const known = new Set(rows.map(({ oldKey }) => oldKey));
    const isErased = await keptOutTest(transaction, service);
    const taken = decision === 'renamed-there' ? await whyTaken(transaction, service, fit) : undefined;
    const moved: Move[] = [];
    for (const move of fit) {
      if (!known.has(move.oldKey)) unfit.push({ ...move, why: 'unknown' });
      else if (isErased(move.newKey)) unfit.push({ ...move, why: 'erased' });
      else {
        const why = taken?.get(move.newKey);
        if (why) unfit.push({ ...move, why });
        else moved.push(move);
      }
    }
    const keys = new Set(moved.map(({ oldKey }) => oldKey));
    const sources = [...new Set(rows.flatMap(({ oldKey, source }) => (keys.has(oldKey) ? [source] : [])))];
    const hash = digest('sha256', JSON.stringify([service, decision, moved])).slice(0, 32);
    const isDone = question.hash === hash && moved.length > 0;
    if (isDone) {
      await carryOut(transaction, service, moved, decision);
      await forgetSources(transaction, service, sources);
    }
    return { moved, unfit, sources, hash, isDone };
  });
}

const tableOf = (moves: readonly Move[]): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${toJson(moves)}::jsonb) as m ("oldKey" text, "newKey" text, "byRule" boolean)`;

/**
 * Why new addresses cannot be taken: a source knows both by different employee ids; or a rule names one that was sent already, since
 * two people of one name at two domains look like one to it.
 */
async function whyTaken(
  db: Database,
  service: string,
  moves: readonly Move[],
): Promise<Map<string, 'taken' | 'two-ids'>> {
  const rows = await rowsOf<{ newKey: string; hasTwoIds: boolean }>(db)`
    select m."newKey", coalesce(bool_or(o.employee_id <> n.employee_id), false) as "hasTwoIds" from ${tableOf(moves)}
    join people n on n.service = ${service} and n.person_key = m."newKey" and n.fingerprint is not null
    left join people o on o.service = n.service and o.source = n.source and o.person_key = m."oldKey"
    where m."oldKey" <> m."newKey" and (m."byRule" or o.employee_id <> n.employee_id) group by 1`;
  return new Map(rows.map(({ newKey, hasTwoIds }) => [newKey, hasTwoIds ? 'two-ids' : 'taken']));
}

async function carryOut(
  db: Database,
  service: string,
  moves: readonly Move[],
  decision: IdentityDecision,
): Promise<void> {
  await sql`
    insert into resolutions (service, source, old_key, new_key, decision, employee_id)
    select ${service}, p.source, m."oldKey", m."newKey", ${decision}, p.employee_id
    from ${tableOf(moves)} join people p on p.service = ${service} and p.person_key = m."oldKey"`.execute(db);
  // With the same key twice it is the employee id that changed.
  const sameKey = moves.filter(({ oldKey, newKey }) => oldKey === newKey);
  if (decision === 'new-account') {
    await detach(db, service, tableOf(moves));
    await forgetGiven(db, service, tableOf(sameKey));
  } else {
    await detach(db, service, tableOf(sameKey));
    const renamed = tableOf(moves.filter(({ oldKey, newKey }) => oldKey !== newKey));
    await supersedeRenamed(db, service, renamed);
    await rename(db, service, renamed);
  }
}

/** Gives everything that is known about addresses to others; what the others were really given takes precedence over it. */
async function rename(db: Database, service: string, moves: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from people gone using ${moves}, people old
    where gone.service = ${service} and gone.person_key = m."newKey" and gone.fingerprint is null
      and old.service = ${service} and old.person_key = m."oldKey" and old.source = gone.source`.execute(db);
  await sql`
    update people p set person_key = m."newKey" from ${moves}
    where p.service = ${service} and p.person_key = m."oldKey" and not exists (
      select 1 from people o
        where o.service = ${service} and o.person_key = m."newKey" and o.source = p.source)`.execute(db);
  await sql`delete from people p using ${moves} where p.service = ${service} and p.person_key = m."oldKey"`.execute(db);
  await renameLeftBehind(db, service, moves);
}

/** Forgets whose addresses these were, so that the next roster says it again. */
async function detach(db: Database, service: string, moves: RawBuilder<unknown>): Promise<void> {
  await sql`
    update people p set employee_id = null from ${moves}
    where p.service = ${service} and p.person_key = m."oldKey"`.execute(db);
}

/** Forgets what was given at addresses that are somebody else's now. */
async function forgetGiven(db: Database, service: string, moves: RawBuilder<unknown>): Promise<void> {
  await sql`
    update people p set fingerprint = null, firstname = null, lastname = null, email = null, telephone = null, groups = null
    from ${moves} where p.service = ${service} and p.person_key = m."oldKey"`.execute(db);
  await forgetLeftBehind(db, service, moves);
}
