import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who somebody is besides their address, and what was decided about moves. */
export const employeeIds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`
      alter table people add column employee_id text;
      create index people_employee on people (service, source, employee_id) where employee_id is not null;
      create table resolutions (
        id bigint generated always as identity primary key,
        service text not null,
        source text not null,
        old_key text not null,
        new_key text not null,
        decision text not null,
        employee_id text,
        decided_at timestamptz not null default now()
      );
    `)
      .execute(db);
  },
};
