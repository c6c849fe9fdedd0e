// Detects people whose address changed by their employee id, and records decisions.
import { sql } from 'kysely';
import { InputError } from '../../core/errors.ts';
import type { IdentityChange, IdentityDecision } from '../../core/rows/identity-change.ts';
import { escapeText } from '../../core/text/escape.ts';
import type { Database } from '../database/database.ts';
import { isKeptOut } from '../people/kept-out.ts';
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

/**
 * Carries out what a person decided of an identity change, at one service and in all sources, and writes it down.
 * `renamed-there`: the account is the same; what was given at the old address is from now on what was given at the
 * new one. `new-account`: the old one is left, the new one was never given anything. Returns the sources that knew
 * the old address; with none, nothing is changed.
 * @throws InputError when who has the new address was erased and is kept out of this service
 */
export async function resolveIdentity(
  db: Database,
  change: { service: string; oldKey: string; newKey: string; decision: IdentityDecision },
): Promise<string[]> {
  const { service, oldKey, newKey, decision } = change;
  return db.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom('people')
      .select(['source', 'employee_id'])
      .where('service', '=', service)
      .where('person_key', '=', oldKey)
      .orderBy('source')
      .execute();
    if (known.length === 0) return [];
    if (await isKeptOut(transaction, service, newKey)) {
      throw new InputError(
        `${escapeText(newKey)} was erased and is not sent again: nothing was changed. \`roster-sync forget ADDRESS --undo\` allows it.`,
      );
    }
    if (oldKey !== newKey && decision === 'renamed-there') await rename(transaction, service, oldKey, newKey);
    else await detach(transaction, service, oldKey, oldKey === newKey && decision === 'new-account');
    await transaction
      .insertInto('resolutions')
      .values(
        known.map(({ source, employee_id }) => ({
          service,
          source,
          old_key: oldKey,
          new_key: newKey,
          decision,
          employee_id,
        })),
      )
      .execute();
    const sources = known.map(({ source }) => source);
    await forgetSources(transaction, service, sources);
    return sources;
  });
}

/** Gives everything that is known about one address to another; what the other was really given takes precedence over it. */
async function rename(db: Database, service: string, from: string, to: string): Promise<void> {
  await sql`
    delete from people gone using people old
    where gone.service = ${service} and gone.person_key = ${to} and gone.fingerprint is null
      and old.service = ${service} and old.person_key = ${from} and old.source = gone.source`.execute(db);
  await sql`
    update people p set person_key = ${to}
    where p.service = ${service} and p.person_key = ${from} and not exists (
      select 1 from people other where other.service = ${service} and other.person_key = ${to} and other.source = p.source)`.execute(
    db,
  );
  await db.deleteFrom('people').where('service', '=', service).where('person_key', '=', from).execute();
  await renameLeftBehind(db, service, from, to);
}

/** Forgets whose address it was, so that the next roster says it again; and, where asked, what was given there. */
async function detach(db: Database, service: string, key: string, forget: boolean): Promise<void> {
  const nothing = { fingerprint: null, firstname: null, lastname: null, email: null, telephone: null, groups: null };
  await db
    .updateTable('people')
    .set({ employee_id: null, ...(forget && nothing) })
    .where('service', '=', service)
    .where('person_key', '=', key)
    .execute();
  if (forget) await forgetLeftBehind(db, service, key);
}

/** Remembers the employee ids of a run's people whose id was not known. */
export async function learnEmployeeIds(db: Database, runId: string): Promise<void> {
  await sql`
    update people p set employee_id = m.employee_id
    from members m join runs r on r.id = m.run_id
    where m.run_id = ${runId} and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      and p.employee_id is null and m.employee_id is not null`.execute(db);
}
