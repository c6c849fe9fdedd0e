// Plans the deliveries of a run that is released or held, and the stages of a canary release.
import { type RawBuilder, sql } from 'kysely';
import { type Database, countOf, isThere, rowsOf, valuesOf, theRow, rowsInRange, rowOf } from '../database/database.ts';
import {
  type Evidence,
  lastStage,
  leastForCanary,
  mostCanaries,
  reasonToStop,
  secondShare,
  type StageAnswers,
  unknownFields,
} from '../../core/run/canary.ts';
import { line, place } from '../planning/staging.ts';
import { isNoticed, kindOfAnswer, noticedReceipts } from '../runs/reading.ts';

/** Which members `m` of a run are sent, which of them guards stop, and the stage of a canary release of each. */
export interface Planned {
  isSent: RawBuilder<boolean>;
  isStopped: RawBuilder<boolean>;
  stage: RawBuilder<number>;
}

/**
 * Writes the deliveries of a run in `planning`, in the order of its roster; those that failed before go last. Others get their turn
 * after each page, and until the run is released nothing is done with them. Asked again, it writes what is missing.
 */
export async function planDeliveries(db: Database, runId: string, planned: Planned): Promise<void> {
  const hasAgain = await isThere(db)`select 1 from members where run_id = ${runId} and action = 'again' limit 1`;
  for (const isAgain of hasAgain ? [false, true] : [false]) {
    let after: Place | undefined = { line: -1, key: '' };
    while (after) after = await writePage(db, runId, { ...planned, isAgain, after });
  }
}

/** A line of the roster, and the key of the person on it. */
interface Place {
  line: number;
  key: string;
}

/**
 * Writes those of a page of members after a place; returns the last one's. A call to somebody whose last outcome is unknown repeats what may have
 * happened (R7).
 */
async function writePage(
  db: Database,
  runId: string,
  { isSent, isStopped, stage, isAgain, after }: Planned & { isAgain: boolean; after: Place },
): Promise<Place | undefined> {
  return rowOf<Place>(db)`
    with page as materialized (
      select * from members m where m.run_id = ${runId} and (${place}) > (${after.line}::integer, ${after.key}::text)
      order by ${place} limit ${rowsInRange}
    ), written as (
      insert into deliveries (run_id, service, person_key, action, state, stage, refusals, repeated)
      select r.id, r.service, m.person_key, m.action, case when ${isStopped} then 'held' else 'due' end,
        case when ${isStopped} then 0 else ${stage} end, coalesce(p.refusals, 0),
        m.action in ('new', 'again') and exists (
          select 1 from people o where o.service = r.service and o.person_key = m.person_key and o.last_outcome = 'unknown')
      from page m join runs r on r.id = m.run_id and r.status = 'planning'
      left join people p on ${isAgain}::boolean and p.service = r.service and p.source = r.source and p.person_key = m.person_key
      where ${isSent} and (m.action = 'again') = ${isAgain}::boolean
      order by ${place}
      on conflict (run_id, person_key) do nothing)
    select ${line} as line, m.person_key as key from page m order by 1 desc, 2 desc limit 1`;
}

/**
 * The people of a canary release who are sent first: one of each list of groups, in the order of the roster; and the last
 * one in that order who is sent before all the others. Undefined where it is too small for care.
 * @param isSentNow of a member `m`
 */
export async function canariesOf(db: Database, runId: string, isSentNow: RawBuilder<boolean>) {
  const isEarly = sql<boolean>`m.run_id = ${runId} and m.action <> 'again' and ${isSentNow}`;
  const calls = await countOf(db)`select count(*) as count from members m where ${isEarly}`;
  if (calls < leastForCanary) return undefined;
  const keys = await valuesOf<string>(db)`
    with lists as (
      select m.groups, min((m.lines->0)::integer) as line from members m where ${isEarly}
      group by 1 order by 2 limit ${mostCanaries}
    )
    select min(m.person_key) from members m join lists l on m.groups = l.groups and (m.lines->0)::integer = l.line
    where ${isEarly} group by l.groups, l.line order by l.line`;
  const more = Math.ceil((calls - keys.length) * secondShare);
  const until = await rowOf<{ line: number; key: string }>(db)`
    select p.line, p.key from (
      select ${place} from members m where ${isEarly} and m.person_key <> all (${keys}::text[])
    ) p (line, key) order by p.line, p.key offset ${Math.max(0, more - 1)} limit 1`;
  return { keys, until };
}

/** The stage of a canary release in which a member `m` is sent. */
export function stageOf(canaries: Awaited<ReturnType<typeof canariesOf>>): RawBuilder<number> {
  if (canaries === undefined) return sql<number>`0`;
  const { keys, until = { line: 0, key: '' } } = canaries;
  return sql<number>`case when m.person_key = any (${keys}::text[]) then 0
    when m.action <> 'again' and (${place}) <= (${until.line}::integer, ${until.key}::text) then 1 else ${lastStage}::integer end`;
}

/** Whether something of a run waits for its stage, or is of one after the first that is not over. */
export async function hasStages(db: Database, runId: string): Promise<boolean> {
  return isThere(db)`select 1 from deliveries where run_id = ${runId} and state = 'due' and stage > 0 limit 1`;
}

/** Whether nothing of the open stages of run `r` is to be sent any more, and that others wait. */
const isStageDone = sql<boolean>`(
  exists (select 1 from deliveries d where d.run_id = r.id and d.state = 'due' and d.stage > r.stage)
  and not exists (select 1 from deliveries d where d.run_id = r.id and d.state = 'due' and d.stage <= r.stage)
)`;

/** Of these runs, the stages that are done and are to be looked at before the next ones open. */
export async function stagesDone(db: Database, runIds: readonly string[]): Promise<{ id: string; stage: number }[]> {
  return rowsOf<{ id: string; stage: number }>(db)`
    select r.id, r.stage from runs r
    where r.id = any (${runIds}::text[]) and r.status = 'delivering' and ${isStageDone}`;
}

/** Opens the next stage of a run, unless that has happened. */
export async function openStage(db: Database, runId: string, stage: number): Promise<void> {
  await sql`
    update runs set stage = ${stage} where id = ${runId} and stage = ${stage - 1} and stage < ${lastStage}`.execute(db);
}

/** The number of answers searched for fields that the interface does not name. */
const mostBodies = 100;

/** What of a run's answers is worth a look. `again` ones do not count, nor a refusal that halted the run and was dealt with. */
async function evidenceOf(db: Database, runId: string): Promise<Evidence[]> {
  const rows = await rowsOf<Evidence>(db)`
    select ${kindOfAnswer} as kind, count(*) as count, case when rc.kind = 'accepted' then '' else min(rc.reason) end as example
    from ${noticedReceipts} join deliveries d on d.id = rc.delivery_id
    where rc.run_id = ${runId} and ${isNoticed} and d.action <> 'again'
      and (rc.kind in ('accepted', 'rejected', 'broken', 'unrecognised') or (rc.kind = 'may-have-happened' and rc.http_status >= 500) or (rc.kind = 'refused' and d.outcome = 'failed'))
    group by 1, rc.kind`;
  const bodies = await valuesOf<string>(db)`
    select rc.body from receipts rc join deliveries d on d.id = rc.delivery_id
    where rc.run_id = ${runId} and rc.kind = 'accepted' and rc.body is not null and d.action <> 'again'
    order by rc.delivery_id, rc.call limit ${mostBodies}`;
  const fields = new Map<string, number>();
  for (const body of bodies) {
    for (const name of unknownFields(body)) fields.set(name, (fields.get(name) ?? 0) + 1);
  }
  return [...rows, ...[...fields].map(([name, count]) => ({ kind: `field ${name}`, count, example: '' }))];
}

/** What the answers of a canary release say so far. */
export async function stageAnswers(db: Database, runId: string): Promise<StageAnswers> {
  const counted = await theRow<{ ended: number; failed: number }>(db)`
    select count(*) as ended, count(*) filter (where outcome <> 'succeeded') as failed
    from deliveries where run_id = ${runId} and state = 'done' and action <> 'again'
      and outcome not in ('superseded', 'cancelled')`;
  const known = await valuesOf<string>(db)`
    select kind from seen_evidence s join runs r on r.service = s.service where r.id = ${runId}`;
  // Always in the same order: of the same answers the reason is the same, to the letter.
  const evidence = (await evidenceOf(db, runId)).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
  const unseen = evidence.filter(({ kind }) => !known.includes(kind));
  return { unseen, ...counted };
}

/**
 * Takes what a run's answers hold as seen, and opens its next stage, if it was paused for just that: somebody continues it. Answers
 * that came after a pause for another reason nobody has seen yet.
 */
export async function takeAsSeen(db: Database, runId: string): Promise<void> {
  const run = await rowOf<{ stage: number; reason: string }>(db)`
    select r.stage, r.status_reason as reason from runs r where r.id = ${runId} and ${isStageDone}`;
  if (!run || reasonToStop(await stageAnswers(db, runId))?.reason !== run.reason) return;
  for (const { kind } of await evidenceOf(db, runId)) {
    await sql`
      insert into seen_evidence (service, kind, first_run) select service, ${kind}, id from runs where id = ${runId}
      on conflict do nothing`.execute(db);
  }
  await openStage(db, runId, run.stage + 1);
}
