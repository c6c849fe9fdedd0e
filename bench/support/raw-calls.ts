/**
 * The raw baseline: the same group inserts with undici's Pool alone, so many at a time.
 *
 *   node raw-calls.ts <url> <token> <people> <concurrency>
 */
import { Pool } from 'undici';
import { personOf } from './people.ts';

const [url = '', token = '', people = '0', concurrency = '1'] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
let next = 0;

async function work(): Promise<void> {
  while (next < Number(people)) {
    const { groups, ...user } = personOf(next++);
    const { statusCode, body } = await pool.request({
      path: '/v1/groups/insert',
      method: 'POST',
      headers: { authorization: `Basic ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ groups, user, invite: true, forceSync: false }),
    });
    await body.json();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, work));
await pool.close();
