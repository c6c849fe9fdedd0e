import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { writeRoster } from './roster.ts';
import { check } from './check.ts';
import { startCli } from './cli.ts';
import { people } from './begin-run.ts';
import { production, productionSkipReason, untilCalls } from './place.ts';
import { type OwnPostgres, startPostgres } from '../support/postgres.ts';

suite('the only process that delivers, with PostgreSQL and without Redis', { skip: productionSkipReason }, () => {
  let postgres: OwnPostgres;
  const place = production({ postgres: async () => (postgres = await startPostgres()) });

  test('cut off from the server silently, goes on once it can be reached again, although the server has noticed nothing', async () => {
    const proxy = await place.openProxy(postgres.port);
    const { REDIS_URL: _, ...environment } = place.environment;
    writeRoster(join(place.dataDir, '../people.csv'), people);
    const process = startCli(['import', 'people.csv', '--yes'], {
      dataDir: place.dataDir,
      service: place.sandbox,
      environment: {
        ...environment,
        DATABASE_URL: place.databaseUrl.replace(`:${postgres.port}/`, `:${proxy.port}/`),
      },
      preload: [join(import.meta.dirname, 'die-at.ts')],
    });
    await untilCalls(place.sandbox, 40);
    proxy.cut();
    const { code, said } = await process.ended;
    assert.equal(code, 0, said);
    const { rows } = await place.pool.query<{ id: string }>('select id from runs');
    await check(
      place,
      rows.map(({ id }) => id),
    );
  });
});
