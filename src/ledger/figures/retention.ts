// Removes data that is older than `retention` keeps, step by step.
import type { z } from 'zod';
import type { PruneDocument } from '../../acts/shapes/upkeep.ts';
import { sql } from 'kysely';
import { type Database, changed, countOf, rowOf } from '../database/database.ts';
import { removeSearchTexts } from '../people/search-texts.ts';
import { forgetTotals } from '../runs/failures.ts';
import { leftOut } from './earlier-runs.ts';

/** The time to keep what old runs leave behind, ms; `Infinity` is for ever. */
export interface Retention {
  /** What the service answered and what events carried, as received; what people answered to questions. */
  answersMs: number;
  /** The people and rejects of rosters that were imported by hand. */
  rostersMs: number;
  /** Everything else of a run. */
  receiptsMs: number;
}

/** The newest runs of a source at a service are kept without their people: what is usual is learnt from them. */
const newestKept = 10;

/** Whether nothing of run `r` could be sent any more for the given time. */
const isOver = (olderThanMs: number) => sql<boolean>`(
  r.status in ('finished', 'finished-with-failures', 'cancelled', 'failed')
  and r.finished_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'
  and (r.status in ('cancelled', 'failed')
    or not exists (select 1 from deliveries d where d.run_id = r.id and d.state = 'held')))`;

/** A roster that came once, or was never sent: nothing will be compared with it. */
const isOneOff = sql<boolean>`(r.trigger = 'import' or r.status = 'failed')`;

/**
 * Whether member `m` is the only one to know which groups a person may have been given when their delivery ended without
 * certainty: with `forceSync` a call that did not name them would take them away.
 */
const mayHaveBeenGiven = sql<boolean>`exists (
  select 1 from people p join runs mine on mine.id = m.run_id and mine.service = p.service
  where p.person_key = m.person_key and p.last_run = m.run_id and p.last_outcome in ('partial', 'unknown'))`;

/**
 * Whether delivery `d` is the last to know that an approval of run `r` left a person out (`withheldOf`): nobody has sent them
 * since, at their address or another, and no later run holds them for it.
 */
const isLeftOut = sql<boolean>`(
  ${leftOut('r', 'd')}
  and exists (
    select 1 from members o
    where o.run_id = d.run_id and o.person_key = d.person_key and coalesce(greatest(
      (select max(p.given_at) from people p where p.service = r.service and p.source = r.source and p.person_key = d.person_key),
      (select max(p.given_at) from people p where p.service = r.service and p.source = r.source and p.employee_id = o.employee_id),
      (select max(p.given_at) from resolutions x join people p on p.service = r.service and p.source = r.source and p.person_key = x.new_key
        where x.service = r.service and x.old_key = d.person_key)), '-infinity') <= r.held_at)
  and not exists (
    select 1 from runs l join deliveries s on s.run_id = l.id and s.person_key = d.person_key
    where l.service = r.service and l.source = r.source and l.number > r.number and ${leftOut('l', 's')}))`;

/** Whether member `m` tells later runs what nothing else does. Counted, so that it is looked up and not asked of every delivery. */
const isNeeded = sql<boolean>`(${mayHaveBeenGiven} or 0 < (
  select count(*) from runs r join deliveries d on d.run_id = r.id
  where r.id = m.run_id and d.person_key = m.person_key and ${isLeftOut}))`;

/** What one step removed; `isDone` when nothing was left to remove. */
export interface PruneStep {
  removed: number;
  isDone: boolean;
}

const nothingLeft: PruneStep = { removed: 0, isDone: true };

/** Where it is noted that something of a run was removed. */
type Removal = 'answers_removed_at' | 'roster_removed_at' | 'receipts_removed_at';

/** The oldest run of which something is to be removed. */
async function oldest(db: Database, column: Removal, which: ReturnType<typeof isOver>): Promise<string | undefined> {
  const row = await rowOf<{ id: string }>(db)`
    select r.id from runs r where r.${sql.ref(column)} is null and ${which} order by r.number limit 1`;
  return row?.id;
}

async function mark(db: Database, runId: string, column: Removal): Promise<void> {
  await sql`update runs set ${sql.ref(column)} = clock_timestamp() where id = ${runId}`.execute(db);
}

/** Removes bodies and headers of answers of one run that is older than this, at most `limit` of them. */
export async function removeOldAnswers(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const runId = await oldest(db, 'answers_removed_at', isOver(olderThanMs));
  if (runId === undefined) return nothingLeft;
  const removed = await changed(db)`
    update receipts r set body = null, headers = '{}'
    from (
      select delivery_id, call from receipts
      where run_id = ${runId} and (body is not null or headers <> '{}') limit ${limit}
    ) old
    where r.delivery_id = old.delivery_id and r.call = old.call`;
  if (removed < limit) await mark(db, runId, 'answers_removed_at');
  return { removed, isDone: false };
}

/** Removes what events carried that came before that and were handled, at most `limit` of them. */
export async function removeOldEventBodies(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const removed = await changed(db)`
    update events set body = null, people = null, leavers = null where id in (
      select id from events
      where ${isOldEvent(olderThanMs)} and num_nonnulls(body, people, leavers) > 0 limit ${limit})`;
  return { removed, isDone: removed < limit };
}

/** Removes events that came before that and were handled, at most `limit` of them; one that comes again is then new. */
export async function removeOldEvents(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const removed = await changed(db)`
    delete from events where id in (select id from events where ${isOldEvent(olderThanMs)} limit ${limit})`;
  return { removed, isDone: removed < limit };
}

const isOldEvent = (olderThanMs: number) => sql<boolean>`(
  state <> 'waiting' and received_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond')`;

/** Removes people and rejects of one roster that came once and is older than this, at most `limit` rows of each. */
export async function removeOldRosters(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const runId = await oldest(db, 'roster_removed_at', sql<boolean>`${isOver(olderThanMs)} and ${isOneOff}`);
  if (runId === undefined) return removeSettled(db, limit);
  const { removed, isEmpty } = await removeRoster(db, runId, limit);
  if (isEmpty) await mark(db, runId, 'roster_removed_at');
  return { removed, isDone: false };
}

async function removeRoster(db: Database, runId: string, limit: number) {
  const members = await changed(db)`
    delete from members where run_id = ${runId} and person_key in (
      select m.person_key from members m
        where m.run_id = ${runId} and not ${isNeeded} limit ${limit})`;
  const rejects = await changed(db)`
    delete from rejects where id in (select id from rejects where run_id = ${runId} limit ${limit})`;
  await sql`delete from duplicate_rows where run_id = ${runId}`.execute(db);
  await sql`delete from corrections where run_id = ${runId}`.execute(db);
  await sql`delete from unchanged_people where run_id = ${runId}`.execute(db);
  await removeSearchTexts(db, runId);
  await sql`delete from departures where run_id = ${runId}`.execute(db);
  return { removed: members + rejects, isEmpty: members < limit && rejects < limit };
}

/**
 * Removes receipts, deliveries, people and rejects of one run that is older than this, at most `limit` rows of each, and
 * in the end the run itself, unless it is one of the newest of its source.
 */
export async function removeOldReceipts(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const runId = await oldest(db, 'receipts_removed_at', isOver(olderThanMs));
  if (runId === undefined) {
    const { removed, isDone } = await removeSettled(db, limit);
    return { removed: removed + (isDone ? await removeEmptyRuns(db) : 0), isDone };
  }
  const receipts = await changed(db)`
    delete from receipts where (delivery_id, call) in (
      select delivery_id, call from receipts where run_id = ${runId} limit ${limit})`;
  const deliveries = await changed(db)`
    delete from deliveries where id in (
      select d.id from deliveries d join runs r on r.id = d.run_id
      where d.run_id = ${runId} and not ${isLeftOut} limit ${limit})`;
  await forgetTotals(db, runId);
  const roster = await removeRoster(db, runId, limit);
  if (receipts < limit && deliveries < limit && roster.isEmpty) await mark(db, runId, 'receipts_removed_at');
  return { removed: receipts + deliveries + roster.removed, isDone: false };
}

/** The rows that were kept while nothing else knew what they tell, and that something later has settled. */
const settled = sql`(coalesce(r.receipts_removed_at, r.roster_removed_at) is not null and not ${isNeeded})`;

async function removeSettled(db: Database, limit: number): Promise<PruneStep> {
  // Before their members, who know the employee id.
  await sql`
    delete from deliveries where id in (
      select d.id from runs r join deliveries d on d.run_id = r.id
      where r.receipts_removed_at is not null and not ${isLeftOut} limit ${limit})`.execute(db);
  const removed = await changed(db)`
    delete from members where (run_id, person_key) in (
      select m.run_id, m.person_key from members m join runs r on r.id = m.run_id
        where ${settled} limit ${limit})`;
  return { removed, isDone: removed < limit };
}

/** Removes runs of which nothing is left, unless they are among the newest of their source. */
async function removeEmptyRuns(db: Database): Promise<number> {
  return changed(db)`
    delete from runs where id in (
      select r.id from runs r
      where r.receipts_removed_at is not null
        and not exists (select 1 from members m where m.run_id = r.id)
        and not exists (select 1 from deliveries d where d.run_id = r.id)
        and (select count(*) from runs newer
          where newer.source = r.source and newer.service = r.service
            and newer.number > r.number) >= ${newestKept})`;
}

/** What retention would remove now, in rows. */
export type Prunable = Omit<z.output<typeof PruneDocument>, 'dryRun'>;

export async function countPrunable(db: Database, { answersMs, rostersMs, receiptsMs }: Retention): Promise<Prunable> {
  const count = async (from: ReturnType<typeof sql>, where: ReturnType<typeof sql>): Promise<number> => {
    return countOf(db)`select count(*) as count from ${from} where ${where}`;
  };
  const after = async (ms: number, ask: () => Promise<number>): Promise<number> =>
    Number.isFinite(ms) ? ask() : Promise.resolve(0);
  const joined = (table: 'receipts' | 'rejects') => sql`${sql.table(table)} t join runs r on r.id = t.run_id`;
  const both = async (ms: number, which: ReturnType<typeof sql>): Promise<number> => {
    const kept = sql`${isOver(ms)} and ${which}`;
    const members = sql`members m join runs r on r.id = m.run_id`;
    return (await count(members, sql`${kept} and not ${isNeeded}`)) + (await count(joined('rejects'), kept));
  };
  return {
    answers: await after(answersMs, async () => {
      const ofRuns = sql`r.answers_removed_at is null and ${isOver(answersMs)} and (t.body is not null or t.headers <> '{}')`;
      const ofEvents = sql`${isOldEvent(answersMs)} and (body is not null or people is not null)`;
      const ofPeople = sql`taken_at < clock_timestamp() - ${answersMs} * interval '1 millisecond'`;
      const ofBoth = (await count(joined('receipts'), ofRuns)) + (await count(sql`events`, ofEvents));
      return ofBoth + (await count(sql`person_answers`, ofPeople));
    }),
    rosters: await after(rostersMs, async () => {
      const kept = await count(sql`members m join runs r on r.id = m.run_id`, settled);
      return kept + (await both(rostersMs, sql`r.roster_removed_at is null and ${isOneOff}`));
    }),
    receipts: await after(receiptsMs, async () => {
      const over = sql`r.receipts_removed_at is null and ${isOver(receiptsMs)}`;
      const rows =
        (await count(joined('receipts'), over)) +
        (await count(sql`deliveries d join runs r on r.id = d.run_id`, sql`${over} and not ${isLeftOut}`));
      return rows + (await count(sql`events`, isOldEvent(receiptsMs)));
    }),
  };
}
