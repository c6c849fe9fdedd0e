import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { check } from './check.ts';
import { type Ended, runCli } from './cli.ts';
import { production, productionSkipReason, tempo } from './place.ts';
import { writeRoster } from './roster.ts';

const people = 80;

suite('a process that is killed while it plans, beside a worker', { skip: productionSkipReason }, () => {
  const place = production();

  for (const dieAt of ['after ledger.stageRows', 'before ledger.planRun', 'before ledger.releaseRun']) {
    test(`${dieAt}: nothing was sent, the plan is given up, and the next import sends everything once`, async (t) => {
      await place.startWorker();
      place.sandbox.clearCalls();
      const source = dieAt.replaceAll(/\W/g, '-');
      const roster = join(place.dataDir, '..', `${source}.csv`);
      writeRoster(roster, people);
      const importRoster = (environment: Record<string, string>): Promise<Ended> =>
        runCli(t, ['import', roster, '--yes', '--all', '--json'], {
          dataDir: place.dataDir,
          service: place.sandbox,
          environment: { ...place.environment, ...environment },
          preload: [join(import.meta.dirname, 'die-at.ts')],
        });
      const killed = await importRoster({ DIE_AT: dieAt });
      assert.equal(killed.signal, 'SIGKILL', killed.stderr);
      assert.equal(place.sandbox.calls.length, 0);
      await pause(tempo.deadAfterMs);
      let next = await importRoster({});
      // In this tempo a process that gets no processor for three seconds is taken for dead, and told to start again.
      while (/took this one for dead. Nothing was sent; start it again/.test(next.stderr))
        next = await importRoster({});
      assert.equal(next.code, 0, next.stderr);
      const { run } = JSON.parse(next.stdout) as { run: string };
      await check(place, [run]);
      assert.equal(place.sandbox.calls.length, people);
      const { rows } = await place.pool.query<{ status: string }>(
        `select status from runs where source = $1 order by number`,
        [source],
      );
      const statuses = rows.map(({ status }) => status);
      assert.equal(statuses.pop(), 'finished');
      assert.deepEqual(new Set(statuses), new Set(['failed']));
    });
  }
});
