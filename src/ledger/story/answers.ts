// Stores the counts of answers to stories, snapshot by snapshot.
import { sql } from 'kysely';
import type { AnalysisRequest } from '../../core/story/analysis.ts';
import type { AnswerFigures, StoryFigures } from '../../core/story/answer-tally.ts';
import type { SourceCompletion } from '../../core/story/completion.ts';
import type { Database } from '../database/database.ts';
import { toJson } from '../database/json.ts';

/** What stories were answered at a time; no person is in it. */
export interface AnswerSnapshot {
  takenAt: Date;
  /** What was asked for: figures of different requests do not compare. */
  request: AnalysisRequest;
  answers: number;
  stories: StoryFigures[];
}

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
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('answer_snapshots', 'id')) as id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** From now on, its `addPersonAnswers` count. Returns false where another process has kept what was due then. */
export async function keepAnswers(
  db: Database,
  { service, request, figures, completion = [], due }: NewSnapshot,
): Promise<boolean> {
  const id = due?.id ?? (await newSnapshot(db));
  await sql`
    insert into answer_snapshots (id, service, request, answers, stories, completion, due_at) overriding system value
    values (${id}, ${service}, ${toJson(request)}::jsonb, ${figures.answers}, ${toJson(figures.stories)}::jsonb,
      ${toJson(completion)}::jsonb, ${due?.at ?? null})
    on conflict do nothing`.execute(db);
  const { rows } = await sql`select 1 from answer_snapshots where id = ${id}`.execute(db);
  return rows.length > 0;
}

/** How far the people of a source were with their stories at each time, the newest first. */
export async function listCompletion(
  db: Database,
  { service, source }: { service: string; source: string },
  limit: number,
): Promise<(SourceCompletion & { takenAt: Date })[]> {
  const { rows } = await sql<{ takenAt: Date; completion: SourceCompletion }>`
    select s.taken_at as "takenAt", c as completion
    from answer_snapshots s cross join jsonb_array_elements(s.completion) c
    where s.service = ${service} and c->>'source' = ${source}
    order by s.taken_at desc, s.id desc limit ${limit}`.execute(db);
  return rows.map(({ takenAt, completion }) => ({ ...completion, takenAt }));
}

/** What was asked for at a time that was due and is kept already. */
export async function keptOfDue(
  db: Database,
  { service, dueAt }: { service: string; dueAt: Date },
): Promise<AnalysisRequest[]> {
  const { rows } = await sql<{ request: AnalysisRequest }>`
    select request from answer_snapshots where service = ${service} and due_at = ${dueAt}`.execute(db);
  return rows.map(({ request }) => request);
}

/** The snapshots of a service, the newest first. */
export async function listAnswers(db: Database, service: string, limit: number): Promise<AnswerSnapshot[]> {
  const { rows } = await sql<AnswerSnapshot>`
    select taken_at as "takenAt", request, answers, stories
    from answer_snapshots where service = ${service} order by taken_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Removes snapshots older than the given ms, unless answers of people need them; returns how many. */
export async function pruneAnswers(db: Database, olderThanMs: number): Promise<number> {
  if (olderThanMs === Infinity) return 0;
  const { numAffectedRows = 0n } = await sql`
    delete from answer_snapshots s where taken_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'
      and not exists (select 1 from person_answers a where a.snapshot_id = s.id)`.execute(db);
  return Number(numAffectedRows);
}
