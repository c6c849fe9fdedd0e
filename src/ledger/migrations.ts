import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StorageError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { mainJob } from './migrations/001-main-job.ts';
import { employeeIds } from './migrations/002-employee-ids.ts';
import { feeders } from './migrations/003-feeders.ts';
import { sourceStates } from './migrations/003-source-states.ts';
import { aliveSince } from './migrations/004-alive-since.ts';
import { plan } from './migrations/005-plan.ts';
import { usual } from './migrations/006-usual.ts';
import { notifications } from './migrations/007-notifications.ts';
import { retention } from './migrations/008-retention.ts';
import { api } from './migrations/009-api.ts';
import { events } from './migrations/010-events.ts';
import { answers } from './migrations/012-answers.ts';
import { departed } from './migrations/013-departed.ts';
import { schedule } from './migrations/011-schedule.ts';
import { answersPeople } from './migrations/014-answers-people.ts';

/** Every migration in order. Ledgers in the field have run them: never edit one that was released, add another. */
const migrations: Record<string, Migration> = {
  '001-main-job': mainJob,
  '002-employee-ids': employeeIds,
  '003-feeders': feeders,
  '003-source-states': sourceStates,
  '004-alive-since': aliveSince,
  '005-plan': plan,
  '006-usual': usual,
  '007-notifications': notifications,
  '008-retention': retention,
  '009-api': api,
  '010-events': events,
  '011-schedule': schedule,
  '012-answers': answers,
  '013-departed': departed,
  '014-answers-people': answersPeople,
};

/**
 * Brings the tables up to date, under kysely's lock so that several processes may start at once.
 * @throws StorageError when a newer program has already changed the ledger
 */
export async function migrate(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where to_regclass('kysely_migration') is not null order by name`
    .execute(db)
    .catch(() => ({ rows: [] }));
  const unknown = rows.filter(({ name }) => !(name in migrations));
  if (unknown.length > 0) {
    throw new StorageError(
      `This ledger was last used by a newer roster-sync (it holds ${unknown.map(({ name }) => name).join(', ')}). ` +
        'Install that version or a later one; nothing was changed.',
    );
  }
  // Nothing to do is the rule, and kysely looks long before it finds that out.
  if (rows.length === Object.keys(migrations).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error)
    throw new StorageError('The ledger could not be brought up to date; nothing was changed.', { cause: error });
}
