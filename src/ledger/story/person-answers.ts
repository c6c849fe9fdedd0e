// Stores what each person answered, where the settings keep that.
import type { PersonHistory } from '../../acts/shapes/person.ts';
import type { Dated } from '../../core/plain.ts';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { keptOutTest } from '../people/kept-out.ts';
import { toJson } from '../database/json.ts';
import type { PruneStep } from '../figures/retention.ts';

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

/** Leaves forgotten people out: nobody can be erased meanwhile. Asked twice, it does the same as asked once. */
export async function addPersonAnswers(
  db: Database,
  { snapshotId, service }: { snapshotId: number; service: string },
  answers: readonly NewPersonAnswer[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const isForgotten = await keptOutTest(transaction, service);
    const rows = answers.filter(({ key }) => !isForgotten(key));
    await sql`
      insert into person_answers
        (snapshot_id, service, number, app_id, story_id, story, question, person_key, response, correct, attempts)
      select ${snapshotId}, ${service}, a.number, a."appId", a."storyId", a.story, a.question, a.key, a.response,
        a.correct, a.attempts
      from jsonb_to_recordset(${toJson(rows)}::jsonb) as a (number bigint, "appId" text, "storyId" text, story text,
        question text, key text, response text, correct boolean, attempts double precision)
      on conflict do nothing`.execute(transaction);
  });
}

/** Which answers of people are meant. */
export interface ReplacedAnswers {
  service: string;
  /** The snapshot that replaces earlier ones. */
  snapshotId: number;
  /** The story that it is about. */
  appId: string;
  storyId: string;
}

/** Removes what earlier snapshots, finished or not, hold of a story, at most `limit` rows. */
export async function removeReplacedAnswers(
  db: Database,
  { service, snapshotId, appId, storyId }: ReplacedAnswers,
  limit: number,
): Promise<PruneStep> {
  const { numAffectedRows = 0n } = await sql`
    delete from person_answers where (snapshot_id, number) in (
      select snapshot_id, number from person_answers
      where service = ${service} and app_id = ${appId} and story_id = ${storyId}
        and snapshot_id < ${snapshotId} limit ${limit})`.execute(db);
  return { removed: Number(numAffectedRows), isDone: numAffectedRows < limit };
}

/** Removes what people answered in snapshots older than the given ms, at most `limit` rows. */
export async function removeOldPersonAnswers(db: Database, olderThanMs: number, limit: number): Promise<PruneStep> {
  const { numAffectedRows = 0n } = await sql`
    delete from person_answers where (snapshot_id, number) in (
      select snapshot_id, number from person_answers
      where taken_at < clock_timestamp() - ${olderThanMs} * interval '1 millisecond' limit ${limit})`.execute(db);
  return { removed: Number(numAffectedRows), isDone: numAffectedRows < limit };
}

type PersonAnswer = Dated<PersonHistory['answers'][number]>;

/** What is kept of the answers of a person, by story: as the last snapshot of each had it. */
export async function storyAnswersOf(db: Database, keys: readonly string[]): Promise<PersonAnswer[]> {
  const { rows } = await sql<PersonAnswer>`
    select a.service, a.person_key as address, a.story, a.question, a.response, a.correct, a.attempts,
      a.taken_at as "takenAt"
    from person_answers a
    where a.person_key = any(${keys}::text[]) and a.snapshot_id = (
      select o.snapshot_id from person_answers o
      where o.service = a.service and o.app_id = a.app_id and o.story_id = a.story_id
        and exists (select 1 from answer_snapshots s where s.id = o.snapshot_id)
      order by o.snapshot_id desc limit 1)
    order by a.service, a.story, a.number`.execute(db);
  return rows;
}
