// What is remembered of the pace of a service: its calls, the share of the rate that it bears, and its rate limiting.
import { sql } from 'kysely';
import { type Database, changed, rowOf, valuesOf } from '../database/database.ts';
import { leavesWithinMs, type Rate } from '../../core/pace/pacing.ts';
import { longestThrottle, type Throttle } from '../../core/call/throttle.ts';

/** When the service was called, by this run or by any, as far as that counts at a rate: oldest first, as ms ago. */
export async function recentCalls(db: Database, service: string, rate: Rate, run?: string): Promise<number[]> {
  const windows = [rate, ...rate.and];
  const withinMs = Math.max(...windows.map(({ perMs }) => perMs)) + leavesWithinMs;
  const most = Math.max(...windows.map(({ limit }) => limit));
  const isOfRun = (its: string) => (run === undefined ? sql`true` : sql`${sql.ref(its)} = ${run}`);
  const newestFirst = await valuesOf<number>(db)`
    select (extract(epoch from clock_timestamp() - called_at) * 1000)::double precision from (
      (select r.called_at from receipts r join deliveries d on d.id = r.delivery_id
        where d.service = ${service} and ${isOfRun('r.run_id')} and r.called_at > clock_timestamp() - ${withinMs} * interval '1 millisecond'
        order by r.called_at desc limit ${most})
      union all
      select called_at from in_hand where service = ${service} and ${isOfRun('run_id')} and called_at is not null
    ) calls order by called_at desc limit ${most}`;
  return newestFirst.toReversed();
}

/** The share of the configured rate that a service bore when it was last called; 1 for a service never called. */
export async function rememberedShare(db: Database, service: string): Promise<number> {
  const [share = 1] = await valuesOf<number>(db)`select share from paces where service = ${service}`;
  return share;
}

export async function rememberShare(db: Database, service: string, share: number): Promise<void> {
  await sql`
    insert into paces (service, share) values (${service}, ${share})
    on conflict (service) do update set share = excluded.share`.execute(db);
}

/** Remembers that a service has asked not to be called. A shorter time never cuts a longer one, unless a wrong clock made that. */
export async function keepThrottle(db: Database, service: string, { forMs, reason }: Throttle): Promise<void> {
  const ms = Math.min(forMs, longestThrottle);
  await sql`
    insert into paces (service, share, throttled_until, throttled_ms, throttle_reason)
    values (${service}, 1, clock_timestamp() + ${ms} * interval '1 millisecond', ${ms}, ${reason})
    on conflict (service) do update set
      (throttled_until, throttled_ms, throttle_reason) = (excluded.throttled_until, excluded.throttled_ms, excluded.throttle_reason)
      where coalesce(paces.throttled_until, '-infinity') < excluded.throttled_until
        or paces.throttled_until > clock_timestamp() + paces.throttled_ms * interval '1 millisecond'`.execute(db);
}

/**
 * The time for which a service is still rate-limiting us; undefined when it is not. Where more is left than was asked for,
 * the clock was set back since: then that begins now, once.
 */
export async function throttleOf(db: Database, service: string): Promise<Throttle | undefined> {
  const throttle = await rowOf<{ left: number; asked: number; reason: string }>(db)`
    select (extract(epoch from throttled_until - clock_timestamp()) * 1000)::double precision as left,
      throttled_ms as asked, throttle_reason as reason
    from paces where service = ${service} and throttled_until > clock_timestamp()`;
  if (throttle === undefined) return undefined;
  const { left, asked, reason } = throttle;
  if (left <= asked) return { forMs: left, reason };
  await sql`
    update paces set throttled_until = least(throttled_until, clock_timestamp() + throttled_ms * interval '1 millisecond')
    where service = ${service}`.execute(db);
  return { forMs: asked, reason };
}

/** Forgets that a service is rate-limiting us: what waited for that is due at once. */
export async function endThrottle(db: Database, service: string): Promise<void> {
  await sql`update paces set throttled_until = null where service = ${service}`.execute(db);
  await sql`
    update deliveries set due_at = clock_timestamp()
    where state = 'due' and due_at > clock_timestamp() and not repeated
      and run_id in (select id from runs where service = ${service} and finished_at is null)`.execute(db);
}

/** The longest wait, s, of what was called before, unless a throttle or `backoff.max` asks for more: an outage is probed every quarter of an hour. */
const longestWait = 960;
/** The longest wait, s, of what was never called: only a throttle or an outage puts it off, and both are checked again before the call. */
const longestFirstWait = 60;

/**
 * Makes due at once what of these runs is due later than anything asks for: the clock was set back since that was
 * written, or a throttle ended early.
 */
export async function correctDueTimes(db: Database, runIds: readonly string[]): Promise<void> {
  await changed(db)`
    update deliveries d set due_at = clock_timestamp()
    from runs r left join paces p on p.service = r.service and p.throttled_until > clock_timestamp()
    where r.id = any (${runIds}::text[]) and d.run_id = r.id and d.state = 'due'
      and d.due_at > coalesce(p.throttled_until, clock_timestamp()) + interval '1 second'
        * case when d.calls = 0 then ${longestFirstWait}::double precision
          else greatest(${longestWait}, coalesce((r.settings->'backoff'->>'max')::double precision, 0) / 1000) end`;
}
