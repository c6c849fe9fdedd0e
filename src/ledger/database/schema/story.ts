// The types of the tables of answers to the questions of stories.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Time } from './columns.ts';

/** What stories were answered at a time, as counts. */
interface AnswerSnapshotTable {
  id: Generated<number>;
  service: string;
  /** Null if a person asked for it. */
  due_at: Time | null;
  taken_at: Generated<Date>;
  request: JSONColumnType<object>;
  answers: number;
  stories: JSONColumnType<object[]>;
  /** How far the people of sources were with the story that was asked for. */
  completion: ColumnType<object[], string | undefined, string>;
}

/** One answer of one person, as long as its snapshot is the last one of its story. */
interface PersonAnswerTable {
  /** Counts once that snapshot is there. */
  snapshot_id: number;
  number: number;
  service: string;
  app_id: string;
  story_id: string;
  story: string;
  question: string;
  person_key: string;
  response: string;
  correct: boolean | null;
  attempts: number | null;
  taken_at: Generated<Date>;
}

export interface StoryTables {
  answer_snapshots: AnswerSnapshotTable;
  person_answers: PersonAnswerTable;
}
