// Names and addresses of the people of large runs, packed for searching.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `create table search_texts (
    run_id text not null references runs on delete cascade,
    -- Texts of a run follow each other in the order of the keys of their people.
    place integer not null,
    -- A line for each person: their name in lower case, a space, their key.
    text text not null,
    primary key (run_id, place)
  ) with (toast_tuple_target = 8160)`,
  // Read from beginning to end by each search: where it lies, and as it is.
  'alter table search_texts alter column text set storage external, alter column text set statistics 0',
];

/** Runs that were released before have no such texts: their members are searched one by one. */
export const searchTexts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
