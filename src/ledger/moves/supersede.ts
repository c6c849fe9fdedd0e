// Supersede, cancel: what is overtaken by a newer roster, given by another run, or of an erased person, is not sent.
import { type RawBuilder, sql } from 'kysely';
import { BusyError } from '../../core/errors.ts';
import { say } from '../../core/words/say.ts';
import {
  type Database,
  inTransaction,
  isThere,
  changed,
  rowsOf,
  theRow,
  toJson,
  valuesOf,
  type KeyRange,
  rangesOf,
} from '../database/database.ts';
import { type RunStatus, unfinished } from '../../core/run/states.ts';
import { isUnclaimed } from './feed.ts';
import { forgetTotals } from '../runs/failures.ts';
import { moveRuns } from './move-run.ts';
import { unitedMark } from '../people/left-behind.ts';
import { keysGivenElsewhere, keysLeaving, keysMoved, stillTells } from '../planning/absent.ts';
import { isElsewhere } from '../planning/elsewhere.ts';
import type { RunOfSource } from '../runs/runs.ts';

/** Whether somebody brought the roster of a run on the pages. */
const isBrought = (run: 'older' | 'newer') =>
  sql<boolean>`coalesce(${sql.ref(run)}.trips @> '[{"guard": "brought"}]', false)`;

/** One run was born of an event, or of a file that somebody brought, that came after the time of the roster of another. */
const isLaterEvent = (
  run: 'older' | 'newer',
  than: 'older' | 'newer',
): RawBuilder<boolean> => sql`((${sql.ref(run)}.beside or ${isBrought(run)})
  and (${sql.ref(run)}.roster->>'time')::timestamptz > (${sql.ref(than)}.roster->>'time')::timestamptz)`;

/**
 * The run `newer` began after the run `older` of a delivery `d`; or it is born of an event after the roster of `older`, was released
 * when that was planned already, and its call for this person has not failed.
 */
const isNewer = sql<boolean>`case when older.number < newer.number then not ${isLaterEvent('older', 'newer')}
  else not older.beside and ${stillTells(sql`d.person_key`)} and newer.released_at > older.created_at and ${isLaterEvent('newer', 'older')}
    and exists (select 1 from members m where m.run_id = newer.id and m.person_key = d.person_key)
    and not exists (select 1 from deliveries n where n.run_id = newer.id and n.person_key = d.person_key and n.outcome <> 'succeeded') end`;

/** That the roster of the run `newer` speaks of the person of a delivery `d`. */
const isInNewer = sql<boolean>`(not (newer.roster->>'partial')::boolean
  or exists (select 1 from members m where m.run_id = newer.id and m.person_key = d.person_key))`;

/** A delivery `d` that has not ended. */
const isOpen = sql<boolean>`d.state in ('held', 'due')`;

const ended = sql`state = 'done', outcome = 'superseded', ended_at = clock_timestamp()`;
/** Ends a delivery in whose place something newer is; whom an approval left out of it stays left out (`withheldOf`). */
const superseded = sql`${ended}, was_held = state = 'held'`;
/** Ends a delivery `d` of somebody whom an event lets go: an approval that comes later does not leave them out. */
const removed = sql`${ended}, was_held = state = 'held' and exists (select 1 from approvals a where a.run_id = d.run_id)`;

/** That nothing of a run is left to send. */
const isEmpty = sql<boolean>`not exists (select 1 from deliveries d where d.run_id = runs.id and ${isOpen})`;

/**
 * Ends deliveries `d` of runs `older` as superseded by released runs `newer`, but for those whose call has begun. Outside of a transaction,
 * others get their turn after each range of them.
 * @param runs what the two runs have to be; absent where only the deliveries are named, of which there are few
 * @returns how many deliveries that were
 */
async function supersede(
  db: Database,
  { runs, deliveries }: { runs?: RawBuilder<boolean>; deliveries?: RawBuilder<boolean> },
): Promise<number> {
  const pairs = sql`newer.released_at is not null and newer.roster is not null and older.service = newer.service
    and older.source = newer.source and older.id <> newer.id and (older.number < newer.number or newer.released_at > older.created_at) and ${runs ?? sql`true`}`;
  // Usually there are none; without asking, each delivery would be read.
  if (runs && !(await isThere(db)`select 1 from runs older, runs newer where ${pairs} limit 1`)) return 0;
  const overtaken = sql`deliveries d, runs older, runs newer
    where ${pairs} and ${deliveries ?? sql`true`} and d.run_id = older.id and ${isNewer} and ${isInNewer} and ${isOpen}`;
  let count = 0;
  for (const isInRange of await rangesOf(db, sql`d.id`, overtaken)) {
    const inRange = sql`${overtaken} and ${isInRange(sql`d.id`)}`;
    count += await inTransaction(db, (transaction) => supersedeRange(transaction, inRange));
  }
  return count;
}

/**
 * First their rows are locked, so that nobody claims one; then whoever has claimed one loses it, and finds out when its call is
 * about to begin. If an earlier call of one may have arrived, that of the newer run repeats it (R7).
 */
async function supersedeRange(db: Database, overtaken: RawBuilder<unknown>): Promise<number> {
  await takeFromHands(db, overtaken);
  await sql`
    update deliveries n set repeated = true from ${overtaken} and ${isUnclaimed} and d.repeated
      and n.run_id = newer.id and n.person_key = d.person_key`.execute(db);
  return changed(db)`
    update deliveries set ${superseded}, reason = 'a newer roster, run ' || o.newer
    from (select d.id, max(newer.id) as newer from ${overtaken} and ${isUnclaimed} group by d.id) o
    where deliveries.id = o.id`;
}

async function takeFromHands(db: Database, deliveries: RawBuilder<unknown>): Promise<void> {
  await sql`select count(*) from (select 1 from ${deliveries} order by d.id for no key update of d) locked`.execute(db);
  await changed(db)`
    delete from in_hand h where h.called_at is null and exists (select 1 from ${deliveries} and d.id = h.delivery_id)`;
}

/** What is written with deliveries that are taken out of runs, and with a run of which nothing is left. */
const overtakenByEvents = () => [say('newerEvent', 1), say('newerEvents', 1)] as const;
const movedToOther = () => [say('listedElsewhere', 1), say('allListedElsewhere', 1)] as const;
const movedAway = () => [say('addressChanged', 1), say('addressesChanged', 1)] as const;

/**
 * Takes people out of what runs have not sent, since newer events say something else about them: of each a run, and an address
 * or an employee id. Returns the runs that are cancelled, as nobody is left in them.
 */
export async function letGo(
  db: Database,
  people: readonly { run: string; key?: string; employee?: string | undefined }[],
): Promise<string[]> {
  if (people.length === 0) return [];
  const runIds = [...new Set(people.map(({ run }) => run))];
  const named = sql`jsonb_to_recordset(${toJson(people)}::jsonb) as g (run text, key text, employee text)`;
  // Two selects, as one with `or` would compare each of them with each member.
  const theirs = sql`deliveries d where d.run_id = any (${runIds}::text[]) and ${isOpen} and (d.run_id, d.person_key) in (
    select g.run, g.key from ${named} where g.key is not null
    union select m.run_id, m.person_key from ${named} join members m on m.run_id = g.run and lower(m.employee_id) = lower(g.employee))`;
  return inTransaction(db, (all) => takeOut(all, theirs, overtakenByEvents(), removed));
}

/** The same once a run takes effect, for whom a run of newer events has at another address. */
export async function letGoMoved(db: Database, runId: string): Promise<string[]> {
  const runs = await rowsOf<{ older: string; newer: string[] }>(db)`
    select older.id as older, array_agg(newer.id) as newer from runs newer
    join runs older on older.service = newer.service and older.source = newer.source and older.finished_at is null
      and newer.released_at > older.created_at and (newer.roster->>'time')::timestamptz > (older.roster->>'time')::timestamptz
    where newer.beside and ${runId} in (newer.id, older.id) and (older.status <> 'planning' or older.id = ${runId}) group by 1`;
  const people: { run: string; key: string }[] = [];
  for (const { older: run, newer } of runs)
    for (const key of await keysMoved(db, run, newer)) people.push({ run, key });
  return letGo(db, people);
}

/**
 * Who has a new address at the service is not sent at the old one any more: that would make another account.
 * @throws BusyError while a call for an old address is being made, which may have to be tried again
 */
export async function supersedeRenamed(db: Database, service: string, moves: RawBuilder<unknown>): Promise<void> {
  const theirs = sql`deliveries d, ${moves} where d.service = ${service} and d.person_key = m."oldKey" and ${isOpen}`;
  await takeOut(db, theirs, movedAway());
  const calls = await rowsOf(db)`
    select 1 from in_hand h, ${moves}
    where h.service = ${service} and h.person_key = m."oldKey" and h.called_at is not null limit 1`;
  if (calls.length === 0) return;
  throw new BusyError(say('callOfOldAddress', 1));
}

/** The same for a run that was planned before its people had new addresses, and is about to be released. */
export async function supersedeRenamedSince(db: Database, runId: string): Promise<void> {
  const keys = await valuesOf<string>(db)`
    select m.old_key from resolutions m join runs r on r.service = m.service
    where r.id = ${runId} and m.new_key <> m.old_key and m.decision = 'renamed-there' and m.decided_at > r.created_at`;
  await takeOut(db, deliveriesTo(runId, keys), movedAway());
}

/** The same for an approval of people of events, to whom their source has sent something at another address since. */
export async function supersedeMovedSince(db: Database, runId: string): Promise<void> {
  await takeOut(db, deliveriesTo(runId, await keysGivenElsewhere(db, runId)), movedAway(), removed);
}

/** Deliveries `d` of a run that have not ended, to the people with these keys. */
const deliveriesTo = (runId: string, keys: readonly string[]) =>
  sql`deliveries d where d.run_id = ${runId} and d.person_key = any (${keys}::text[]) and ${isOpen}`;

/** The same for whom events of these kinds have named since the time of its roster, and for leavers whom another source has by now. */
export async function supersedeLeaving(db: Database, runId: string, kinds?: readonly string[]): Promise<void> {
  const { service, source } = await theRow<RunOfSource>(db)`select service, source from runs where id = ${runId}`;
  const moved = await valuesOf<string>(db)`
    select p.person_key from people p
    where p.service = ${service} and p.source = ${source} and p.person_key in (
      select person_key from members where run_id = ${runId} and action = 'departed') and ${isElsewhere(service, source, 1)}`;
  await takeOut(db, deliveriesTo(runId, moved), movedToOther(), removed);
  await takeOut(db, deliveriesTo(runId, await keysLeaving(db, runId, kinds)), overtakenByEvents(), removed);
}

/** Ends deliveries `d` but for those whose call has begun, and the runs in which nobody is left by that: returns these. */
async function takeOut(
  db: Database,
  deliveries: RawBuilder<unknown>,
  [reason, ofRun]: readonly [reason: string, ofRun: string],
  end = superseded,
): Promise<string[]> {
  await takeFromHands(db, deliveries);
  const runs = await valuesOf<string>(db)`
    update deliveries d set ${end}, reason = ${reason}
    where d.id in (select d.id from ${deliveries} and ${isUnclaimed}) returning d.run_id`;
  await forgetTotals(db, ...runs);
  // Of a run that has sent others it is not the end: it can still finish, and its failures be tried again.
  const which = sql<boolean>`id = any (${runs}::text[]) and ${isEmpty} and not exists (select 1 from deliveries d
    where d.run_id = runs.id and d.outcome <> 'superseded' and (runs.status <> 'held' or d.outcome <> 'succeeded'))`;
  return moveRuns(db, 'supersede', which, { by: 'service', reason: ofRun });
}

/** Ends the runs that a released roster has completely overtaken; what is held of one, or one that is held and sends nobody, waits. Returns which. */
export async function closeOvertaken(db: Database, runId: string): Promise<string[]> {
  const which = sql<boolean>`(service, source) = (
    select n.service, n.source from runs n where n.id = ${runId} and n.released_at is not null) and id <> ${runId} and ${isEmpty}
    and (status <> 'held' or exists (select 1 from deliveries d where d.run_id = runs.id))`;
  const reason = say('replacedBy', 1, { runId });
  return moveRuns(db, 'supersede', which, { by: 'service', reason, supersededBy: runId });
}

/**
 * Takes what a released roster has overtaken out of older runs: of those that deliver in the transaction of its release, of all of
 * them after it, and when it is delivered.
 */
export async function supersedeOlder(
  db: Database,
  runId: string,
  statuses: readonly RunStatus[] = unfinished,
): Promise<void> {
  await supersede(db, { runs: sql<boolean>`newer.id = ${runId} and older.status = any (${statuses}::text[])` });
}

/** What may have been called in older runs that have ended, and has no outcome there, is repeated by this one (R7). */
export async function supersedeCalled(db: Database, runId: string): Promise<void> {
  const runs = sql<boolean>`newer.id = ${runId} and older.finished_at is not null`;
  if ((await supersede(db, { runs, deliveries: sql<boolean>`d.repeated` })) === 0) return;
  await sql`
    delete from run_totals t using runs older, runs newer
    where t.run_id = older.id and newer.id = ${runId} and older.service = newer.service
      and older.source = newer.source`.execute(db);
}

/** Takes out of a run what a newer released roster has overtaken (R13), before it goes on. Returns how many. */
export async function supersedeByNewer(db: Database, runId: string): Promise<number> {
  return supersede(db, { runs: sql<boolean>`older.id = ${runId}` });
}

/**
 * Time does not run backwards for a person (R13): takes out what came back to the ledger (to be tried again, or because its
 * process died) and was overtaken while its call was in flight. A newer run of the source has been released since, and may
 * have sent this person already.
 */
export async function supersedeOvertaken(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await supersede(db, { deliveries: sql<boolean>`d.id = any (${ids}::bigint[])` });
}

/**
 * What is held of a range of people of a run and was given by a run of its source after it was planned, to the letter; also what only
 * was united with what they had before that.
 */
export async function supersedeGiven(db: Database, runId: string, isInRange: KeyRange): Promise<number> {
  return changed(db)`
    update deliveries d
    set ${ended}, reason = 'given meanwhile by run ' || p.given_run
    from runs r, members m, people p
    where r.id = ${runId} and d.run_id = r.id and (d.state = 'held' or (r.status = 'held' and ${isOpen})) and m.run_id = r.id and m.person_key = d.person_key
      and ${isInRange(sql`m.person_key`)}
      and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      and m.fingerprint in (p.fingerprint, ${unitedMark} || p.fingerprint) and p.given_at > r.created_at and p.given_run <> r.id`;
}

/**
 * Closes what older runs of its source hold, once a newer roster is held or delivered: a run of which all is held is
 * cancelled, and what others hold is superseded. A roster that speaks of some people only closes none, and none closes
 * what an event told after its time (R13), nor a file that somebody else has brought, who waits for a decision. Returns the runs that were closed.
 * @param isLook the newer one is only looked at so far: it takes the place of what the same person looked at before
 */
export async function closeOlderHolds(db: Database, runId: string, isLook = false): Promise<string[]> {
  const isOlder = sql<boolean>`id in (
    select older.id from runs older, runs newer
    where newer.id = ${runId} and not coalesce((newer.roster->>'partial')::boolean, false) and older.source = newer.source
      and older.service = newer.service and older.number < newer.number and not ${isLaterEvent('older', 'newer')}
      and case when ${isBrought('older')} then older.begun_by is not distinct from newer.begun_by else not ${isLook}::boolean end)`;
  const stopped = await valuesOf<string>(db)`select id from runs where status in ('paused', 'halted') and ${isOlder}`;
  await changed(db)`
    update deliveries set ${superseded}, reason = 'a newer roster, run ' || ${runId}::text
    where state = 'held' and run_id = any (${stopped}::text[])`;
  const isHeld = sql<boolean>`status = 'held' and ${isOlder}`;
  const reason = say('replacedBy', 1, { runId });
  return moveRuns(db, 'supersede', isHeld, { by: 'guard', reason, supersededBy: runId });
}

/**
 * Ends what was not sent yet to a person, at any service, in a transaction of their erasure.
 * @returns how many deliveries that were; undefined while a call for this person is being made
 */
export async function cancelDeliveries(transaction: Database, key: string): Promise<number | undefined> {
  // Nobody claims them from here on, and who has claimed one finds out when it is about to begin.
  await sql`select id from deliveries where person_key = ${key} order by id for update`.execute(transaction);
  await sql`delete from in_hand where person_key = ${key} and called_at is null`.execute(transaction);
  const calls = await rowsOf(transaction)`select 1 from in_hand where person_key = ${key}`;
  if (calls.length > 0) return undefined;
  return changed(transaction)`
    update deliveries set state = 'done', outcome = 'cancelled', ended_at = clock_timestamp()
    where person_key = ${key} and state = 'due'`;
}
