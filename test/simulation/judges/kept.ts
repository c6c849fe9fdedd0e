import type { Pool } from 'pg';
import type { Witness } from '../witness.ts';
import type { Records } from './records.ts';

/** What a sender was told is taken leads to a run, or is still there; nobody needs it who was sent by a newer roster. */
export async function judgeEvents(witness: Witness, { runs }: Records, pool: Pool): Promise<void> {
  if (witness.taken.size === 0) return;
  // Whoever was erased is in no run.
  const isErased = witness.keptOut.size > 0;
  const { rows } = await pool.query<{ key: string; state: string; run: string | null; at: Date; isSent: boolean }>(
    `select key, state, run_id as run, received_at as at, coalesce(exists (
       select 1 from runs r where r.source = e.source and r.released_at <= e.handled_at
         and (r.roster->>'time')::timestamptz >= e.received_at), false) as "isSent" from events e`,
  );
  for (const key of witness.taken) {
    const event = rows.find((each) => each.key === key);
    if (!event) {
      witness.blame(`${key} was taken, and is gone`);
      continue;
    }
    // What was sent before it was handled may say the same; after the clock was set, nobody knows what was before.
    const isNews =
      witness.jumpedAt === -Infinity
        ? !event.isSent
        : !runs.some(
            ({ roster, source }) => source === 'staff' && Date.parse(roster?.time ?? '') >= event.at.getTime(),
          );
    if (event.state === 'handled' && event.run === null && isNews && !isErased)
      witness.blame(`${key} was taken, is handled, and has led to no run`);
  }
}

/** What is forgotten is nowhere. */
export async function judgeForgotten(witness: Witness, pool: Pool): Promise<void> {
  if (witness.forgotten.size === 0) return;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const [key, at] of witness.forgotten) {
    // What a sender has said since is kept as it came until it is handled.
    const saidSince = (witness.lastTold.get(key) ?? -Infinity) > at;
    for (const { name } of tables) {
      const waits = name === 'events' && saidSince ? `and t.state = 'handled'` : '';
      const { rows } = await pool.query<{ found: boolean }>(
        `select exists (select 1 from ${name} t where t::text ~* $1 ${waits}) as found`,
        [String.raw`\m${key.replaceAll('.', String.raw`\.`)}\M`],
      );
      if (rows[0]?.found) witness.blame(`${key} was forgotten, and the table ${name} still names them`);
    }
  }
}
