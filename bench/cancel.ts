/**
 * Cancelling a run whose deliveries are all due, while a worker delivers it: the change of the ledger, the last call that
 * still arrives, and the whole command. The baseline is a PING of the same database and `--version` of the same bin.
 *
 *   node bench/cancel.ts [--people 1000000] [--rounds 5]
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median, printFigures } from './support/figure.ts';
import { openProduction, plan, startWorker, writeRoster } from './support/production.ts';
import { startSandboxServer } from './support/sandbox-server.ts';
import { startServers } from './support/servers.ts';

const { values } = parseArgs({
  options: { people: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '5' } },
});
const people = Number(values.people);
const rounds = Number(values.rounds);
const bin = join(import.meta.dirname, '../bin/roster-sync.cjs');

const servers = await startServers();
const sandbox = await startSandboxServer('latency=20');
const production = await openProduction(servers, { service: sandbox, rate: 50, concurrency: 10 });
const { ledger } = production.context;
const { runId } = await plan(production, await writeRoster(people));
await ledger.releaseRun(runId, true);
const worker = await startWorker(production);

async function timed(action: () => unknown): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}
const command = (...words: string[]): void => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...production.environment };
  const { status, stderr } = spawnSync(process.execPath, [bin, ...words], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
};

/** As if it had never been cancelled. No move leads back from there, so the database is told to let it pass. */
async function deliverOn(run: string): Promise<void> {
  await servers.database.query(
    `alter table runs disable trigger runs_move;
     update runs set status = 'delivering', delivering_since = clock_timestamp(), finished_at = null where id = '${run}';
     alter table runs enable trigger runs_move`,
  );
}

const times: Record<'change' | 'stopped' | 'command' | 'ping' | 'version', number[]> = {
  change: [],
  stopped: [],
  command: [],
  ping: [],
  version: [],
};
for (let round = 0; round < rounds; round += 1) {
  const before = await sandbox.countCalls();
  while ((await sandbox.countCalls()) < before + 20) await sleep(20);
  times.ping.push(await timed(() => servers.database.query('select 1')));
  const asked = Date.now();
  times.change.push(await timed(() => ledger.moveRun(runId, 'cancel', { by: 'person', reason: 'bench' })));
  await sleep(2000);
  const last = Math.max(...(await sandbox.calls()).map(({ arrivedWall }) => arrivedWall));
  times.stopped.push(Math.max(0, last - asked));
  await deliverOn(runId);
  await sleep(1000);
  times.version.push(await timed(() => command('--version')));
  times.command.push(await timed(() => command('cancel', runId)));
  await deliverOn(runId);
}
const ms = (of: readonly number[]): string => `${median(of).toFixed(0)} ms`;
printFigures(`cancel: a run with ${people} due deliveries, while a worker delivers it at 50/s`, [
  {
    name: 'cancel, until it is in force in the ledger',
    values: times.change.map((time) => time / 1000),
    unit: ' s',
    must: 1,
    aim: 0.2,
    bound: 'most',
    of: `a statement that asks nothing: ${ms(times.ping)}`,
  },
  {
    name: '… until the last call arrived that had begun before',
    values: times.stopped.map((time) => time / 1000),
    unit: ' s',
    must: 1,
    aim: 0.2,
    bound: 'most',
    of: 'within it the calls that had had their last look are still made',
  },
  {
    name: '… the whole command, with the report that it prints',
    values: times.command.map((time) => time / 1000),
    unit: ' s',
    of: `--version of the same bin: ${ms(times.version)}`,
  },
]);
await worker.kill();
await production.close();
sandbox.stop();
await servers.stop();
