import { sql } from 'kysely';
import type { AnalysisRequest } from '../core/analysis.ts';
import type { AnswerFigures, StoryFigures } from '../core/answer-tally.ts';
import type { Database } from './database.ts';
import { toJson } from './json.ts';

/** What stories were answered at a time; no person is in it. */
export interface AnswerSnapshot {
  takenAt: Date;
  /** What was asked for: figures of different requests do not compare. */
  request: AnalysisRequest;
  answers: number;
  stories: StoryFigures[];
}

/** Keeps what was counted. */
export async function keepAnswers(
  db: Database,
  { service, request, figures }: { service: string; request: AnalysisRequest; figures: AnswerFigures },
): Promise<void> {
  await sql`
    insert into answer_snapshots (service, request, answers, stories)
    values (${service}, ${toJson(request)}::jsonb, ${figures.answers}, ${toJson(figures.stories)}::jsonb)`.execute(db);
}

/** The snapshots of a service, the newest first. */
export async function listAnswers(db: Database, service: string, limit: number): Promise<AnswerSnapshot[]> {
  const { rows } = await sql<AnswerSnapshot>`
    select taken_at as "takenAt", request, answers, stories
    from answer_snapshots where service = ${service} order by taken_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Removes snapshots that are older than so many ms; returns how many. */
export async function pruneAnswers(db: Database, olderThanMs: number): Promise<number> {
  if (olderThanMs === Infinity) return 0;
  const { numAffectedRows = 0n } = await sql`
    delete from answer_snapshots where taken_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`.execute(
    db,
  );
  return Number(numAffectedRows);
}
