// Stores answers to stories, snapshot by snapshot: counts, and what each person answered where settings keep that.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AnswersDocument } from '../../acts/shapes/story.ts';
import type { PersonHistory } from '../../acts/shapes/person.ts';
import type { Dated } from '../../core/plain.ts';
import type { AnalysisRequest } from '../../core/story/analysis.ts';
import type { AnswerFigures } from '../../core/story/answer-tally.ts';
import type { SourceCompletion } from '../../core/story/completion.ts';
import { type Database, changed, inserting, isThere, rowsOf, theRow, valuesOf, toJson } from '../database/database.ts';
import type { SourceAt } from '../runs/runs.ts';
import { keptOutTest } from '../people/kept-out.ts';
import type { PruneStep } from '../figures/retention.ts';

/** What stories were answered at a time; no person is in it. Figures of different requests do not compare. */
type AnswerSnapshot = Dated<Extract<z.output<typeof AnswersDocument>, { snapshots: unknown }>['snapshots'][number]>;

/** What was counted, and what for. */
export interface NewSnapshot {
  service: string;
  request: AnalysisRequest;
  figures: AnswerFigures;
  /** How far the people of sources were with the story that was asked for. */
  completion?: readonly SourceCompletion[];
  /** The time at which it was due, and its number (`newSnapshot`); absent if a person asked for it. */
  due?: { id: number; at: Date };
}

/** The number of a snapshot that is about to be taken. */
export async function newSnapshot(db: Database): Promise<number> {
  const { id } = await theRow<{ id: number }>(db)`
    select nextval(pg_get_serial_sequence('answer_snapshots', 'id')) as id`;
  return id;
}

/** From now on, its `addPersonAnswers` count. Returns false where another process has kept what was due then. */
export async function keepAnswers(db: Database, { service, request, figures, completion = [], due }: NewSnapshot) {
  const id = due?.id ?? (await newSnapshot(db));
  await sql`
    insert into answer_snapshots (id, service, request, answers, stories, completion, due_at) overriding system value
    values (${id}, ${service}, ${toJson(request)}::jsonb, ${figures.answers}, ${toJson(figures.stories)}::jsonb,
      ${toJson(completion)}::jsonb, ${due?.at ?? null})
    on conflict do nothing`.execute(db);
  return isThere(db)`select 1 from answer_snapshots where id = ${id}`;
}

/** How far the people of a source were with their stories at each time, the newest first. */
export async function listCompletion(db: Database, { service, source }: SourceAt, limit: number) {
  const rows = await rowsOf<{ takenAt: Date; completion: SourceCompletion }>(db)`
    select s.taken_at, c as completion
    from answer_snapshots s cross join jsonb_array_elements(s.completion) c
    where s.service = ${service} and c->>'source' = ${source}
    order by s.taken_at desc, s.id desc limit ${limit}`;
  return rows.map(({ takenAt, completion }) => ({ ...completion, takenAt }));
}

/** What was asked for at a time that was due and is kept already. */
export async function keptOfDue(db: Database, { service, dueAt }: { service: string; dueAt: Date }) {
  return valuesOf<AnalysisRequest>(db)`
    select request from answer_snapshots where service = ${service} and due_at = ${dueAt}`;
}

/** The snapshots of a service, the newest first. */
export async function listAnswers(db: Database, service: string, limit: number): Promise<AnswerSnapshot[]> {
  return rowsOf<AnswerSnapshot>(db)`
    select taken_at, request, answers, stories
    from answer_snapshots where service = ${service} order by taken_at desc, id desc limit ${limit}`;
}

/** Removes snapshots older than the given ms, unless answers of people need them; returns how many. */
export async function pruneAnswers(db: Database, olderThanMs: number): Promise<number> {
  if (olderThanMs === Infinity) return 0;
  return changed(db)`
    delete from answer_snapshots s where taken_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'
      and not exists (select 1 from person_answers a where a.snapshot_id = s.id)`;
}

/*
 * What people answered, where `answers.keep` says `people`. It is written while an answer of the service is read, some at
 * a time, under the number of its snapshot, and counts once that snapshot is kept; then what it replaces is removed.
 */

/** What one person answered to one question. */
export interface NewPersonAnswer {
  /** Counts up within the snapshot. */
  number: number;
  appId: string;
  storyId: string;
  story: string;
  question: string;
  /** Their address, as the ledger knows people. */
  key: string;
  response: string;
  /** Null where the service does not say. */
  correct: boolean | null;
  attempts: number | null;
}

type OfSnapshot = { snapshotId: number; service: string };

/** Leaves forgotten people out: nobody can be erased meanwhile. Asked twice, it does the same as asked once. */
export async function addPersonAnswers(
  db: Database,
  { snapshotId, service }: OfSnapshot,
  answers: readonly NewPersonAnswer[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const isForgotten = await keptOutTest(transaction, service);
    const rows = answers
      .filter(({ key }) => !isForgotten(key))
      .map(({ appId, storyId, key, ...answer }) => {
        return { snapshot_id: snapshotId, service, app_id: appId, story_id: storyId, person_key: key, ...answer };
      });
    if (rows.length === 0) return;
    await sql`${inserting('person_answers', rows)} on conflict do nothing`.execute(transaction);
  });
}

/** Removes what snapshots before this one, finished or not, hold of a story, at most `limit` rows. */
export async function removeReplacedAnswers(
  db: Database,
  { service, snapshotId, appId, storyId }: Pick<NewPersonAnswer, 'appId' | 'storyId'> & OfSnapshot,
  limit: number,
): Promise<PruneStep> {
  const removed = await changed(db)`
    delete from person_answers where (snapshot_id, number) in (
      select snapshot_id, number from person_answers
      where service = ${service} and app_id = ${appId} and story_id = ${storyId}
        and snapshot_id < ${snapshotId} limit ${limit})`;
  return { removed, isDone: removed < limit };
}

/** Removes what people answered in snapshots older than the given ms, at most `limit` rows. */
export async function removeOldPersonAnswers(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const removed = await changed(db)`
    delete from person_answers where (snapshot_id, number) in (
      select snapshot_id, number from person_answers
      where taken_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond' limit ${limit})`;
  return { removed, isDone: removed < limit };
}

/** What is kept of the answers of a person, by story: as the last snapshot of each had it. */
export async function storyAnswersOf(db: Database, keys: readonly string[]) {
  return rowsOf<Dated<PersonHistory['answers'][number]>>(db)`
    select a.service, a.person_key as address, a.story, a.question, a.response, a.correct, a.attempts, a.taken_at
    from person_answers a
    where a.person_key = any(${keys}::text[]) and a.snapshot_id = (
      select o.snapshot_id from person_answers o
      where o.service = a.service and o.app_id = a.app_id and o.story_id = a.story_id
        and exists (select 1 from answer_snapshots s where s.id = o.snapshot_id)
      order by o.snapshot_id desc limit 1)
    order by a.service, a.story, a.number`;
}
