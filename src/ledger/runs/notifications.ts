// The outbox of notifications about runs.
import { sql } from 'kysely';
import type { AnswersFacts, Channel, Subscription, NoticeFacts, RunEvent } from '../../core/run/notification.ts';
import { answersSchedule } from '../../core/run/schedule.ts';
import { type Database, changed, rowsOf } from '../database/database.ts';
import { countOutcomes } from './reading.ts';
import { findRuns } from './runs.ts';

/** A queued notification, and whether it is still true. */
export interface Notification {
  id: number;
  /** The run it is about; null of answers. */
  runId: string | null;
  /** The answers it is about; null of a run. */
  answers: (Omit<AnswersFacts, 'dueAt'> & { dueAt: string }) | null;
  event: RunEvent;
  channel: Channel;
  /** This one included. */
  attempts: number;
  createdAt: Date;
  /** False when its run has moved on since, or answers are kept again. */
  holds: boolean;
  /** It is too old to be tried again. */
  late: boolean;
}

/** Older news is not sent, and no attempt goes on for longer. */
const newsForMs = 24 * 60 * 60_000;
/** Runs of events report the same trouble of their source once in this time, since hundreds may fail the same way. */
const eventRunsEveryMs = 60 * 60_000;

/**
 * Queues what is to be told: of one run its present state, or of all runs whatever changed in the last day and was not
 * put down yet, since the process that changed it may have died. Asked twice, it does it once. Returns how many there are.
 */
export async function announceRuns(db: Database, subscriptions: readonly Subscription[], runId?: string) {
  return changed(db)`
    insert into notifications (run_id, event, occasion, state_changes, channel)
    select e.run_id, e.event, e.occasion, e.state_changes, h.channel
    from (
      select r.id as run_id, case when r.status = 'cancelled' then 'expired' else r.status end as event, r.status || ' ' || r.state_changes as occasion, r.state_changes, r.source, r.service, r.trigger
      from runs r
      where r.state_since > clock_timestamp() - ${newsForMs} * interval '1 millisecond' and not r.baseline
        and (r.status <> 'finished' or r.released_at is not null)
        and r.status not in ('planning', 'held', 'delivering')
        and (r.status <> 'cancelled' or (r.stopped_by = 'guard' and r.superseded_by is null))
        and (r.status <> 'paused' or r.stopped_by in ('service', 'storage'))
      union all
      select r.id, 'held', 'held ' || extract(epoch from r.held_at), r.state_changes, r.source, r.service, r.trigger
      from runs r
      where r.held_at > clock_timestamp() - ${newsForMs} * interval '1 millisecond'
    ) e
    cross join jsonb_to_recordset(${JSON.stringify(subscriptions)}::jsonb) as h (channel text, events jsonb)
    where h.events @> to_jsonb(e.event) and (${runId ?? null}::text is null or e.run_id = ${runId ?? null})
      and not exists (
        select 1 from notifications n where n.run_id = e.run_id and n.occasion = e.occasion and n.channel = h.channel
      )
      and (e.trigger <> 'event' or e.event = 'finished' or not exists (
        select 1 from notifications n join runs o on o.id = n.run_id
        where o.source = e.source and o.service = e.service and o.trigger = 'event' and n.event = e.event and n.channel = h.channel
          and n.created_at > clock_timestamp() - ${eventRunsEveryMs} * interval '1 millisecond'
      ))
    on conflict do nothing`;
}

/**
 * Queues a notification about something that does not change a run's state: an outage while it delivers, or a roster that is
 * unchanged since. Once for each state of the run, and for each `occasion` within it.
 */
export async function announceEvent(
  db: Database,
  subscriptions: readonly Subscription[],
  { runId, event, occasion = '' }: { runId: string; event: RunEvent; occasion?: string },
): Promise<number> {
  return changed(db)`
    insert into notifications (run_id, event, occasion, state_changes, channel)
    select r.id, ${event}, ${event} || ' ' || r.state_changes || ${occasion}, r.state_changes, h.channel
    from runs r cross join jsonb_to_recordset(${JSON.stringify(subscriptions)}::jsonb) as h (channel text, events jsonb)
    where r.id = ${runId} and h.events @> to_jsonb(${event}::text)
    on conflict do nothing`;
}

/**
 * Queues a notification that the answers due last could not be kept, unless that was sent since answers were kept for
 * the last time. Of the last day, and once, however often it is asked.
 */
export async function announceAnswers(db: Database, subscriptions: readonly Subscription[]): Promise<number> {
  return changed(db)`
    insert into notifications (service, source, tick_due_at, event, occasion, state_changes, channel)
    select t.service, t.source, t.due_at, 'failed', '', 0, h.channel
    from ticks t cross join jsonb_to_recordset(${JSON.stringify(subscriptions)}::jsonb) as h (channel text, events jsonb)
    where t.source = ${answersSchedule} and t.result = 'failed' and h.events @> '["failed"]'
      and t.ended_at > clock_timestamp() - ${newsForMs} * interval '1 millisecond'
      and not exists (
        select 1 from ticks later
        where later.service = t.service and later.source = t.source and later.due_at > t.due_at
          and later.result in ('kept', 'failed')
      )
      and not exists (
        select 1 from notifications n
        where n.service = t.service and n.source = t.source and n.channel = h.channel
          and n.ended is distinct from 'given-up' and not exists (
            select 1 from ticks k
            where k.service = t.service and k.source = t.source and k.due_at > n.tick_due_at and k.result = 'kept'
          )
      )
    on conflict do nothing`;
}

/** That a run `r`, also one that would send nobody, or something of it still waits for an approval. */
const isHeld = sql<boolean>`(r.status = 'held' or r.held_at is not null and r.status <> 'cancelled'
  and exists (select 1 from deliveries d where d.run_id = r.id and d.state = 'held'))`;

/** Queues a reminder of every run of which something is held, for each day that it has been. */
export async function remindHolds(db: Database, subscriptions: readonly Subscription[]): Promise<number> {
  return changed(db)`
    insert into notifications (run_id, event, occasion, state_changes, channel)
    select r.id, 'reminder', 'reminder ' || extract(epoch from r.held_at) || ' ' || d.days, r.state_changes, h.channel
    from runs r
    cross join lateral (select floor(extract(epoch from clock_timestamp() - r.held_at) / 86400) as days) d
    cross join jsonb_to_recordset(${JSON.stringify(subscriptions)}::jsonb) as h (channel text, events jsonb)
    where ${isHeld} and d.days >= 1 and h.events @> '["reminder"]'
    on conflict do nothing`;
}

/**
 * Takes up to a number of due notifications for this process, of its own channels, or that are no news any more; while it tries, and if it dies,
 * they are due again after the wait for their next attempt.
 * @param asked.waitsMs after the first attempt, the second, and so on; the last one stays
 */
export async function takeNotifications(
  db: Database,
  { limit, waitsMs, channels }: { limit: number; waitsMs: readonly number[]; channels: readonly string[] },
) {
  const rows = await rowsOf<Notification>(db)`
    update notifications n set
      attempts = n.attempts + 1,
      due_at = clock_timestamp()
        + (${JSON.stringify(waitsMs)}::jsonb->>least(n.attempts, ${waitsMs.length - 1}))::double precision * interval '1 millisecond'
    where n.id in (
      select id from notifications
      where ended is null and due_at <= clock_timestamp()
        and (channel = any (${channels}::text[]) or created_at < clock_timestamp() - ${newsForMs} * interval '1 millisecond')
      order by due_at, id limit ${limit} for update skip locked
    )
    returning n.id, n.run_id, n.event, n.channel, n.attempts, n.created_at,
      (select jsonb_build_object('service', t.service, 'dueAt', t.due_at, 'reason', t.reason) from ticks t
        where (t.service, t.source, t.due_at) = (n.service, n.source, n.tick_due_at)) as answers,
      n.created_at < clock_timestamp() - ${newsForMs} * interval '1 millisecond' as late,
      case when n.run_id is null then not exists (
        select 1 from ticks t
        where t.service = n.service and t.source = n.source and t.due_at > n.tick_due_at and t.result = 'kept'
      ) else (
        select case when n.event in ('held', 'reminder') then ${isHeld} else r.state_changes = n.state_changes end
        from runs r where r.id = n.run_id
      ) end as holds`;
  return rows.toSorted((a, b) => a.id - b.id);
}

/** What is to be said about a run; undefined when it was erased. */
export async function noticeFacts(db: Database, runId: string, event: RunEvent): Promise<NoticeFacts | undefined> {
  const [run] = await findRuns(db, runId);
  if (!run) return undefined;
  const { source, service, status, statusReason: reason, trips, roster, plan } = run;
  return {
    ...{ event, run: run.id, source, service, status, reason, trips },
    ...(roster ? { roster: roster.counts } : {}),
    ...(plan ? { plan } : {}),
    outcome: await countOutcomes(db, runId),
  };
}

/** Records that a notification needs no further attempt. */
export async function endNotification(
  db: Database,
  id: number,
  ended: 'sent' | 'outdated' | 'given-up',
  trouble = '',
): Promise<void> {
  await sql`
    update notifications set ended = ${ended}, ended_at = clock_timestamp(), trouble = ${trouble}
      where id = ${id}`.execute(db);
}

/** Records why a notification could not be sent this time. */
export async function noteTrouble(db: Database, id: number, trouble: string): Promise<void> {
  await sql`update notifications set trouble = ${trouble} where id = ${id}`.execute(db);
}
