// Postpones people: a first day in the future, or a used-up invitation limit.
import { sql } from 'kysely';
import type { Day } from '../../core/cells/days.ts';
import { type Database, countOf } from '../database/database.ts';
import type { RunOfSource } from '../runs/runs.ts';

/** How many people may be invited, and since when today is. */
export interface InviteBudget {
  perRun?: number;
  perDay?: number;
  /** When the day began, where the source is at home. */
  dayBegan: Date;
}

/** What postpones people. */
export interface PostponeQuestion extends RunOfSource {
  /** The day it is where the source is at home. */
  today: Day;
  /** Absent where nobody is invited, or as many as there are. */
  budget?: InviteBudget;
}

/** Whether member `m` may be invited: nobody gave them anything at this service yet. */
const isUnknownAt = (service: string) => sql<boolean>`(m.action in ('new', 'again') and not exists (
  select 1 from people p where p.service = ${service} and p.person_key = m.person_key and p.fingerprint is not null))`;

/**
 * Puts off people who were given nothing yet: those who begin on a later day, and those for whom the budget of
 * invitations has no room. They are `later`, and the next run looks at them again. The first in the roster go first; whose
 * delivery failed before goes last.
 */
export async function postpone(db: Database, question: PostponeQuestion): Promise<void> {
  const { runId, service, today, budget } = question;
  await sql`
    update members m set action = 'later'
    where m.run_id = ${runId} and m.starts_on > ${today} and ${isUnknownAt(service)}`.execute(db);
  if (budget === undefined) return;
  const { perRun = Infinity, perDay = Infinity } = budget;
  const room = Math.min(
    perRun,
    Number.isFinite(perDay) ? perDay - (await countInvitable(db, question, budget)) : Infinity,
  );
  if (!Number.isFinite(room)) return;
  await sql`
    update members m set action = case when ranked.place > ${Math.max(0, room)} then 'later' else m.action end,
      may_invite = ranked.place <= ${Math.max(0, room)}
    from (
      select m.person_key, row_number() over (order by m.action = 'again', (m.lines->0)::integer, m.person_key) as place
      from members m where m.run_id = ${runId} and ${isUnknownAt(service)}
    ) ranked
    where m.run_id = ${runId} and m.person_key = ranked.person_key`.execute(db);
}

/**
 * How many people this source has sent today, or is still to send, who may be invited by that. What a whole roster
 * overtakes is not sent any more, and does not count.
 */
export async function countInvitable(
  db: Database,
  { runId, service, source }: RunOfSource,
  { dayBegan }: Pick<InviteBudget, 'dayBegan'>,
) {
  return countOf(db)`
    select count(*) as count
    from runs r
    join runs own on own.id = ${runId}
    join members m on m.run_id = r.id and m.may_invite
    join deliveries d on d.run_id = r.id and d.person_key = m.person_key
    where r.service = ${service} and r.source = ${source} and r.id <> ${runId}
      and case
        when d.state = 'done' then d.ended_at >= ${dayBegan} and d.outcome not in ('superseded', 'cancelled')
        else r.status in ('delivering', 'paused', 'halted', 'held')
          and ((own.roster->>'partial')::boolean or r.trigger = 'event') and d.state <> 'held'
      end`;
}

/** Of several rows of one person the earliest day counts; one without a day means at once. */
export async function mergeStart(db: Database, runId: string, key: string): Promise<void> {
  await sql`
    update members m set starts_on = case
      when m.starts_on is null or exists (
        select 1 from duplicate_rows d where d.run_id = m.run_id and d.person_key = m.person_key and d.member->'startsOn' is null
      ) then null
      else least(m.starts_on, (
        select min((d.member->>'startsOn')::integer) from duplicate_rows d
        where d.run_id = m.run_id and d.person_key = m.person_key)) end
    where m.run_id = ${runId} and m.person_key = ${key}`.execute(db);
}
