// Detects people whose address changed by their employee id.
import { sql } from 'kysely';
import type { IdentityChange } from '../../core/rows/identity-change.ts';
import type { Database } from '../database/database.ts';
import { keyRanges } from './key-ranges.ts';

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
      select p.person_key as email from people p
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
