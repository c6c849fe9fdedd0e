import type { Pool } from 'pg';
import type { Witness } from '../witness.ts';
import { hidden } from '../world/secrets.ts';

/** R12: no secret is kept, whatever a server has sent back. */
export async function judgeSecrets(witness: Witness, pool: Pool): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const asked = tables.map(({ name }) => `select '${name}' as name from ${name} t where t::text ~ $1`).join(' union ');
  const { rows } = await pool.query<{ name: string }>(asked, [hidden.join('|')]);
  for (const { name } of rows) witness.blame(`R12: the table ${name} holds a secret`);
}
