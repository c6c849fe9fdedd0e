// Detects people whose address changed by their employee id, and records decisions.
import { sql } from 'kysely';
import { InputError } from '../../core/errors.ts';
import type { IdentityChange, IdentityDecision } from '../../core/rows/identity-change.ts';
import { escapeText } from '../../core/text/escape.ts';
import type { Database } from '../database/database.ts';
import { type Move, partMoves, type UnfitMove } from '../../core/rows/moves.ts';
import { toJson } from '../database/json.ts';
import { keptOutTest } from '../people/kept-out.ts';
import { forgetLeftBehind, renameLeftBehind } from '../people/left-behind.ts';
import { forgetSources } from './source-states.ts';

/** An identity change of a staged person, with the first row that speaks of them. */
export type StagedIdentityChange = IdentityChange & { key: string; file: string; line: number };

/** More names than any roster has groups. */
const mostGroups = 100_000;

/** The names of the groups that anybody was given at a service, the most frequent first. */
export async function groupsGiven(db: Database, service: string): Promise<string[]> {
  const { rows } = await sql<{ group: string }>`
    select "group" from (
      select groups, count(*) as people from people where service = ${service} and fingerprint is not null group by groups
    ) given, jsonb_array_elements_text(groups) as "group"
    group by 1 order by sum(people) desc, 1 limit ${mostGroups}`.execute(db);
  return rows.map(({ group }) => group);
}

/**
 * The staged people of a run whose employee id this source knew with another address, or whose address it knew with
 * another employee id: a page of them, or those of the given keys. An address at which nothing ever arrived is not a
 * former one: it was a mistake that is now fixed.
 */
export async function identityChanges(
  db: Database,
  question: { runId: string; source: string; service: string; keys?: readonly string[]; limit: number },
): Promise<StagedIdentityChange[]> {
  const { runId, source, service, keys, limit } = question;
  const among = keys === undefined ? sql`true` : sql`m.person_key in (${sql.join(keys)})`;
  const { rows } = await sql<{
    key: string;
    file: string;
    line: number;
    email: string;
    employeeId: string;
    oldEmail: string | null;
    oldEmployeeId: string | null;
  }>`
    select m.person_key as key, m.file, (m.lines->0)::integer as line, m.email, m.employee_id as "employeeId",
      old.email as "oldEmail", own.employee_id as "oldEmployeeId"
    from members m
    left join people own on own.service = ${service} and own.source = ${source} and own.person_key = m.person_key
    left join lateral (
      select coalesce(p.email, p.person_key) as email from people p
      where own.person_key is null and p.service = ${service} and p.source = ${source} and p.employee_id = m.employee_id
        and p.person_key <> m.person_key and (p.fingerprint is not null or p.last_outcome <> 'failed')
      order by p.given_at desc nulls last, p.person_key limit 1
    ) old on true
    where m.run_id = ${runId} and m.employee_id is not null and ${among}
      and (old.email is not null
        or (own.employee_id <> m.employee_id and (own.fingerprint is not null or own.last_outcome <> 'failed')))
    order by m.person_key limit ${limit}`.execute(db);
  return rows.map(({ key, file, line, email, employeeId, oldEmail, oldEmployeeId }) => {
    const staged = { key, file, line, email, employeeId };
    return oldEmail === null
      ? { kind: 'recycled', ...staged, oldEmployeeId: oldEmployeeId ?? '' }
      : { kind: 'moved', ...staged, oldEmail };
  });
}

/** The keys at a domain, such as `@old.example`, to whom anything was ever sent at a service. */
export async function keysAt(db: Database, service: string, domain: string): Promise<string[]> {
  const end = domain.toLowerCase();
  const { rows } = await sql<{ key: string }>`
    select distinct person_key as key from people
    where service = ${service} and right(person_key, ${end.length}) = ${end} order by 1`.execute(db);
  return rows.map(({ key }) => key);
}

/** What became of moves, or would become of them. */
export interface ResolvedMoves {
  moved: Move[];
  unfit: UnfitMove[];
  /** The sources that knew the old addresses. */
  sources: string[];
}

/**
 * Carries out what a person decided of identity changes, one or many, at one service and in all sources, and writes it
 * down; what does not fit is left as it is. `renamed-there`: the account is the same; what was given at the old address
 * is from now on what was given at the new one. `new-account`: the old one is left, the new one was never given anything.
 * @param question.isPreview whether only to say what would become of them
 */
export async function resolveMoves(
  db: Database,
  question: { service: string; moves: readonly Move[]; decision: IdentityDecision; isPreview?: boolean },
): Promise<ResolvedMoves> {
  const { service, decision, isPreview = false } = question;
  const { fit, unfit } = partMoves(question.moves);
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<Move & { source: string }>`
      select p.person_key as "oldKey", p.source, m."newKey" from ${recordsOf(fit)} join people p on p.person_key = m."oldKey"
      where p.service = ${service} order by p.source`.execute(transaction);
    const known = new Set(rows.map(({ oldKey }) => oldKey));
    const isErased = await keptOutTest(transaction, service);
    const moved: Move[] = [];
    for (const move of fit) {
      if (!known.has(move.oldKey)) unfit.push({ ...move, why: 'unknown' });
      else if (isErased(move.newKey)) unfit.push({ ...move, why: 'erased' });
      else moved.push(move);
    }
    const keys = new Set(moved.map(({ oldKey }) => oldKey));
    const sources = [...new Set(rows.flatMap(({ oldKey, source }) => (keys.has(oldKey) ? [source] : [])))];
    if (isPreview || moved.length === 0) return { moved, unfit, sources };
    await sql`
      insert into resolutions (service, source, old_key, new_key, decision, employee_id)
      select ${service}, p.source, m."oldKey", m."newKey", ${decision}, p.employee_id
      from ${recordsOf(moved)} join people p on p.service = ${service} and p.person_key = m."oldKey"`.execute(
      transaction,
    );
    const renamed = moved.filter(({ oldKey, newKey }) => oldKey !== newKey && decision === 'renamed-there');
    await rename(transaction, service, renamed);
    const forgotten = moved.filter(({ oldKey, newKey }) => oldKey === newKey && decision === 'new-account');
    const others = decision === 'new-account' ? moved : moved.filter(({ oldKey, newKey }) => oldKey === newKey);
    await detach(transaction, service, others, forgotten);
    await forgetSources(transaction, service, sources);
    return { moved, unfit, sources };
  });
}

/**
 * Carries out what a person decided of one identity change. Returns the sources that knew the old address; with none,
 * nothing is changed.
 * @throws InputError when who has the new address was erased and is kept out of this service
 */
export async function resolveIdentity(
  db: Database,
  { service, oldKey, newKey, decision }: Move & { service: string; decision: IdentityDecision },
): Promise<string[]> {
  const { unfit, sources } = await resolveMoves(db, { service, moves: [{ oldKey, newKey }], decision });
  if (unfit[0]?.why === 'erased') {
    throw new InputError(
      `${escapeText(newKey)} was erased and is not sent again: nothing was changed. \`roster-sync forget ADDRESS --undo\` allows it.`,
    );
  }
  return sources;
}

const recordsOf = (moves: readonly Move[]) =>
  sql`jsonb_to_recordset(${toJson(moves)}::jsonb) as m ("oldKey" text, "newKey" text)`;

/** Gives everything that is known about addresses to others; what the others were really given takes precedence over it. */
async function rename(db: Database, service: string, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  await sql`
    delete from people gone using ${recordsOf(moves)}, people old
    where gone.service = ${service} and gone.person_key = m."newKey" and gone.fingerprint is null
      and old.service = ${service} and old.person_key = m."oldKey" and old.source = gone.source`.execute(db);
  await sql`
    update people p set person_key = m."newKey" from ${recordsOf(moves)}
    where p.service = ${service} and p.person_key = m."oldKey" and not exists (
      select 1 from people other where other.service = ${service} and other.person_key = m."newKey" and other.source = p.source)`.execute(
    db,
  );
  await sql`
    delete from people p using ${recordsOf(moves)} where p.service = ${service} and p.person_key = m."oldKey"`.execute(
    db,
  );
  for (const { oldKey, newKey } of moves) await renameLeftBehind(db, service, oldKey, newKey);
}

/** Forgets whose addresses these were, so that the next roster says it again; and what was given to the forgotten. */
async function detach(
  db: Database,
  service: string,
  moves: readonly Move[],
  forgotten: readonly Move[],
): Promise<void> {
  await sql`
    update people p set employee_id = null from ${recordsOf(moves)}
    where p.service = ${service} and p.person_key = m."oldKey"`.execute(db);
  await sql`
    update people p set fingerprint = null, firstname = null, lastname = null, email = null, telephone = null, groups = null
    from ${recordsOf(forgotten)} where p.service = ${service} and p.person_key = m."oldKey"`.execute(db);
  for (const { oldKey } of forgotten) await forgetLeftBehind(db, service, oldKey);
}

/** Remembers the employee ids of a run's people whose id was not known. */
export async function learnEmployeeIds(db: Database, runId: string): Promise<void> {
  await sql`
    update people p set employee_id = m.employee_id
    from members m join runs r on r.id = m.run_id
    where m.run_id = ${runId} and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      and p.employee_id is null and m.employee_id is not null`.execute(db);
}
