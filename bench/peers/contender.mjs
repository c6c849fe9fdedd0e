/**
 * One contender of `bench/peers.ts`, in a process of its own: fills its queue, says that it is ready, and works when told to. Each
 * result becomes one row of the table `results`.
 *
 *   node contender.mjs <name> <database url> <redis url> <service url> <token> <people> <concurrency>
 */
import { once } from 'node:events';
import pg from 'pg';
import { Pool } from 'undici';
import { personOf } from '../support/people.ts';

const [name, databaseUrl, redisUrl, url, token, count, concurrency] = process.argv.slice(2);
const service = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const database = new pg.Pool({ connectionString: databaseUrl, max: 20 });

/** Calls the service for a person, and records what it answers. */
async function deliver({ groups, ...user }) {
  const { statusCode, body } = await service.request({
    path: '/v1/groups/insert',
    method: 'POST',
    headers: { authorization: `Basic ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ groups, user, invite: true, forceSync: false }),
  });
  const answer = await body.json();
  await database.query({
    name: 'record',
    text: 'insert into results (email, status, answer) values ($1, $2, $3)',
    values: [user.email, statusCode, JSON.stringify(answer)],
  });
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
}

await database.query(
  'create table results (email text primary key, status integer not null, answer jsonb not null, at timestamptz not null default now())',
);
const people = Array.from({ length: Number(count) }, (_, n) => personOf(n));
const { open } = await import(`./${name}.mjs`);
const work = await open({ databaseUrl, redisUrl, people, concurrency: Number(concurrency), deliver });
process.on('disconnect', () => process.exit());
process.send('ready');
await once(process, 'message');
await work();
