import assert from 'node:assert/strict';
import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { csvOf, envOf, openPlace } from '../support/cli.ts';
import { askLedger } from '../support/damage.ts';
import { digestRows } from '../support/ledger-rows.ts';
import { exported, inserts, openImported, openNew, people } from '../support/moving-ledger.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { openSandbox } from '../support/sandbox.ts';

/** `MOVED_PEOPLE=100000` moves as many as the product is made for on one machine. */
const many = Number(process.env['MOVED_PEOPLE'] ?? 20_000);

suite('a ledger that moves', () => {
  test('takes an unfinished run along, which goes on in the new place', async (t) => {
    const sandbox = await openSandbox(t, { faults: ['status=401,nth=21'] });
    const place = await openPlace(envOf(sandbox), { here: true });
    place.write('people.csv', csvOf(people));
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.equal(value.status, 'halted');
    const file = await exported(place);
    const next = await openPlace(envOf(sandbox), { here: true, bare: true });
    assert.equal((await next.run('import-ledger', file)).code, 0);
    const resumed = await next.json('resume', 'latest');
    assert.deepEqual([resumed.value.status, resumed.value.outcome.succeeded], ['finished', people]);
    // One was refused, and called again; nobody else was called twice.
    assert.equal(inserts(sandbox), people + 1);
  });

  test('is not exported while a run is delivered or was interrupted', async (t) => {
    const sandbox = await openSandbox(t, { faults: ['email=person1@example.com,status=400'] });
    const place = await openPlace(envOf(sandbox), { here: true });
    place.write('people.csv', csvOf(3));
    await place.run('import', 'people.csv', '--yes');
    await askLedger(place.data, "update runs set status = 'delivering'");
    const refused = await place.run('export', join(place.folder, 'ledger.gz'));
    assert.equal(refused.code, 5);
    assert.match(refused.stderr, /not finished: \w+ \(delivering\)\..*Nothing was exported\./);
    await place.run('pause', 'latest');
    await exported(place);
  });

  test(
    `with ${many} people is the same row by row after it went to PostgreSQL and back`,
    { skip: postgresSkipReason },
    async (t) => {
      const sandbox = await openSandbox(t);
      const place = await openPlace(envOf(sandbox), { here: true });
      place.write('people.csv', csvOf(many));
      const baseline = await place.run('import', 'people.csv', '--baseline', '--yes');
      assert.equal(baseline.code, 0, baseline.stderr);
      const sent = await place.json('import', 'people.csv', '--all', '--only', 'person1@example.com', '--yes');
      assert.equal(sent.value.outcome.succeeded, 1);
      sandbox.clearCalls();
      const timed = async <Result>(what: string, does: Promise<Result>): Promise<Result> => {
        const began = performance.now();
        const result = await does;
        t.diagnostic(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
        return result;
      };
      const file = await timed('export embedded', exported(place));
      await place.letGo();
      const before = await digestRows(join(place.data, 'ledger'));
      assert.equal(before['people']?.rows, many);
      t.diagnostic(`rows: ${Object.values(before).reduce((sum, { rows }) => sum + rows, 0)}`);
      const url = await (await testPostgres()).freshDatabase();
      const server = await openNew(sandbox, place, { DATABASE_URL: url });
      const imported = await timed('import into PostgreSQL', server.run('import-ledger', file));
      assert.equal(imported.code, 0, imported.stderr);
      assert.deepEqual(await digestRows(url), before);
      const back = join(server.folder, 'back.gz');
      await timed('export PostgreSQL', server.run('export', back));
      const laptop = await openNew(sandbox, place);
      const again = await timed('import embedded', laptop.run('import-ledger', back));
      assert.equal(again.code, 0, again.stderr);
      await laptop.letGo();
      assert.deepEqual(await digestRows(join(laptop.data, 'ledger')), before);
      const next = await laptop.json('import', 'people.csv', '--yes');
      assert.deepEqual([next.value.plan.unchanged, next.value.calls, inserts(sandbox)], [many, 0, 0]);
    },
  );
});

suite('a data directory', () => {
  test('that was moved, or put back in its place, goes on', async (t) => {
    const { sandbox, place } = await openImported(t);
    await place.letGo();
    const moved = await openNew(sandbox, place);
    renameSync(place.data, moved.data);
    assert.equal((await moved.run('import', 'people.csv', '--yes')).code, 0);
    await moved.letGo();
    cpSync(moved.data, place.data, { recursive: true });
    renameSync(moved.data, join(moved.folder, 'old'));
    renameSync(place.data, moved.data);
    assert.equal((await moved.run('import', 'people.csv', '--yes')).code, 0);
    assert.equal(inserts(sandbox), 0);
  });
});
