// Creates every table, subject by subject.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { identity } from './001-tables/identity.ts';
import { runs } from './001-tables/runs.ts';
import { rosters } from './001-tables/rosters.ts';
import { plans } from './001-tables/plans.ts';
import { deliveries } from './001-tables/deliveries.ts';
import { people } from './001-tables/people.ts';
import { sources } from './001-tables/sources.ts';
import { notifications } from './001-tables/notifications.ts';
import { events } from './001-tables/events.ts';
import { answers } from './001-tables/answers.ts';
import { access } from './001-tables/access.ts';

/** Every table of a ledger; the folder `schema` has the same as types. */
export const tables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const subject of [
      identity,
      runs,
      rosters,
      plans,
      deliveries,
      people,
      sources,
      notifications,
      events,
      answers,
      access,
    ]) {
      await sql.raw(subject).execute(db);
    }
  },
};
