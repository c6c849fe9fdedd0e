/** A process of its own that writes to the embedded database in argv[2] until it is killed; says what it committed. */
import { writeSync } from 'node:fs';
import { openEmptyEmbedded } from './empty-data-directory.ts';

const { pool } = await openEmptyEmbedded(process.argv[2] ?? '');
await pool.query('CREATE TABLE IF NOT EXISTS written (n int GENERATED ALWAYS AS IDENTITY, half int, filler text)');
for (;;) {
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ n: number }>(
    "INSERT INTO written (half, filler) VALUES (1, repeat('x', 2000)) RETURNING n",
  );
  await client.query("INSERT INTO written (half, filler) VALUES (2, repeat('y', 2000))");
  await client.query('COMMIT');
  client.release();
  writeSync(1, `${rows[0]?.n}\n`);
}
