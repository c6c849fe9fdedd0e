/**
 * Plans a roster in a process of its own, as `sync` does up to the plan. `given` then records that everybody was given
 * everything, as if it had been delivered; `plan` takes the run away again. Sends what it took.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { loadConfig } from '../../config/load.ts';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { openContext } from '../../src/wiring/context.ts';
import { keepHeapSmall } from '../../src/process/heap.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';

/** What planning a roster took. */
export interface Planning {
  calls: number;
  unchanged: number;
  /** Guards that would hold it. */
  guards: string[];
  seconds: number;
  /** The most memory that the process held at a time, in MB. */
  peakMegabytes: number;
}

const service = 'http://127.0.0.1:9';

/** As if everything that was planned had been delivered. */
const delivered = [
  `insert into people (service, source, person_key, fingerprint, firstname, lastname, email, telephone, groups, force_sync,
     given_at, given_run, last_outcome, last_run, employee_id)
   select r.service, r.source, m.person_key, m.fingerprint, m.firstname, m.lastname, m.email, m.telephone, m.groups, false,
     now(), r.id, 'succeeded', r.id, m.employee_id
   from members m join runs r on r.id = m.run_id order by m.person_key`,
  `update runs set status = 'finished', released_at = now(), finished_at = now()`,
  'truncate members',
  'vacuum analyze people',
];

async function plan(what: 'given' | 'plan', file: string): Promise<Planning> {
  const config = loadConfig({ environment: process.env, cwd: process.cwd() });
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'bench', create: true });
  const { concurrency: _, ...settings } = config.delivery;
  const roster = await openRoster(file);
  const begin = performance.now();
  const runId = randomBytes(4).toString('hex');
  const { worker } = context.ledger;
  const planned = await planRoster(context, {
    run: { id: runId, source: 'staff', service, trigger: 'import', settings, worker },
    open: () => Promise.resolve({ roster, columns: { groups: ['All staff'], groupColumns: ['Department'] } }),
    ...{ only: [], all: false, onRows: () => {} },
  });
  const seconds = (performance.now() - begin) / 1000;
  if (what === 'plan') await context.ledger.discardRun(runId);
  await roster.close();
  await context.close();
  if (what === 'given') await runAll(config.databaseUrl?.reveal(), config.dataDir);
  return {
    calls: planned.plan.calls,
    unchanged: planned.plan.counts.unchanged,
    guards: planned.trips.map(({ guard }) => guard),
    seconds,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
}

async function runAll(databaseUrl: string | undefined, dataDir: string): Promise<void> {
  const pool = databaseUrl ? new pg.Pool({ connectionString: databaseUrl }) : undefined;
  const embedded = pool ? undefined : await openEmbedded(`${dataDir}/ledger`);
  for (const statement of delivered) await (pool ?? embedded?.pool)?.query(statement);
  await pool?.end();
  await embedded?.close();
}

keepHeapSmall();
const [what, file = ''] = process.argv.slice(2);
process.send?.(await plan(what === 'given' ? 'given' : 'plan', file));
