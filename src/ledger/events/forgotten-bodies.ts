// Erases the bodies of events that name people who were forgotten.
import { sql } from 'kysely';
import { forgottenTest } from '../../core/person/forgotten.ts';
import { keysIn } from '../../core/person/spellings.ts';
import type { Database } from '../database/database.ts';
import { allForgotten } from '../people/kept-out.ts';

/** An event can be about somebody who was forgotten before it came: of the given ones, erases the bodies that hold such an address. */
export async function eraseForgottenBodies(db: Database, ids: readonly number[]): Promise<void> {
  const { key, people } = await allForgotten(db);
  if (people.length === 0) return;
  const isForgotten = forgottenTest(
    key,
    people.map(({ digest }) => digest),
  );
  const { rows } = await sql<{ id: number; body: string }>`
    select id, body from events
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      and body is not null`.execute(db);
  const named = rows.filter(({ body }) => keysIn(body).some(isForgotten)).map(({ id }) => id);
  if (named.length === 0) return;
  await sql`
    update events set body = null, people = null
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(named)}::jsonb))`.execute(db);
}
