import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { listBackups } from '../../src/ledger/directory/backups.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { askLedger } from '../support/damage.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { openSandbox } from '../support/sandbox.ts';
import { type CliOptions, type Ended, runCli, runCliHere } from './cli.ts';
import { writeRoster } from './roster.ts';

const people = 20;
const preload = ['die-at-step.ts', 'die-at.ts'].map((name) => join(import.meta.dirname, name));

/** A folder with a roster of 20 people who were imported, and the command line over it. */
interface Place {
  sandbox: Sandbox;
  dataDir: string;
  roster: string;
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ended>;
  /** Runs a command in a process that kills itself where the environment says; whether it did. */
  runDying(args: string[], at: Record<string, string>): Promise<boolean>;
  /** Imports the roster again: nobody is called who was called before. */
  importAgain(): Promise<void>;
}

/** Calls that put somebody into groups; `doctor` asks something else. */
const inserts = ({ calls }: Sandbox): number => calls.filter(({ email }) => email !== undefined).length;

async function openImported(test: TestContext): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-upkeep-'));
  test.after(() => test.passed && rmSync(folder, { recursive: true, force: true }));
  const sandbox = await openSandbox(test);
  const dataDir = join(folder, 'data');
  await copyEmptyDataDirectory(dataDir);
  const roster = join(folder, 'people.csv');
  writeRoster(roster, people);
  const options: CliOptions = {
    dataDir,
    service: sandbox,
    environment: { ROSTER_SYNC__DELIVERY__RATE__LIMIT: '1000' },
  };
  const place: Place = {
    sandbox,
    dataDir,
    roster,
    run: (...args) => runCliHere(args, options),
    async runDying(args, at) {
      const environment = { ...options.environment, ...at };
      const { signal, code, stderr } = await runCli(test, args, { ...options, environment, preload });
      assert.ok(signal === 'SIGKILL' || code === 0, stderr);
      return signal === 'SIGKILL';
    },
    async importAgain() {
      const before = inserts(sandbox);
      const again = await place.run('import', roster, '--yes', '--json');
      assert.equal(again.code, 0, again.stderr);
      assert.equal((JSON.parse(again.stdout) as { plan: { unchanged: number } }).plan.unchanged, people);
      assert.equal(inserts(sandbox), before);
    },
  };
  const first = await place.run('import', roster, '--yes');
  assert.equal(first.code, 0, first.stderr);
  return place;
}

/** Makes a run of so many new people that is held, since its roster is older than the one before. */
async function hold({ roster, run }: Place, count: number): Promise<string> {
  writeRoster(roster, people + count);
  utimesSync(roster, new Date('2020-01-01'), new Date('2020-01-01'));
  const { code, stdout, stderr } = await run('import', roster, '--yes', '--json');
  assert.equal(code, 3, stderr);
  return (JSON.parse(stdout) as { run: string }).run;
}

suite('a process killed during upkeep', () => {
  test('an approval that is not recorded releases nobody; a recorded one is resumed; each person is called once', async (t) => {
    const place = await openImported(t);
    const held = await hold(place, 10);
    assert.equal(
      await place.runDying(['approve', held, '--yes'], { DIE_AT_STATEMENT: '*update runs set released_at 1' }),
      true,
    );
    assert.equal(inserts(place.sandbox), people);
    assert.match((await place.run('show', held)).stdout, /held/);
    assert.equal(await place.runDying(['approve', held, '--yes'], { DIE_AT: 'after ledger.approveHeld' }), true);
    assert.equal(inserts(place.sandbox), people);
    const asked = await place.run('approve', held);
    assert.match(
      asked.stdout + asked.stderr,
      /is delivering: there is nothing to approve\. `roster-sync resume \w+` continues it/,
    );
    assert.equal((await place.run('resume', held)).code, 0);
    assert.equal(inserts(place.sandbox), people + 10);
  });

  test('prune: what was given stays known, and the next one removes the rest', async (t) => {
    const place = await openImported(t);
    const retention = {
      ROSTER_SYNC__RETENTION__ANSWERS: '1d',
      ROSTER_SYNC__RETENTION__ROSTERS: '1d',
      ROSTER_SYNC__RETENTION__RECEIPTS: '1d',
    };
    await askLedger(
      place.dataDir,
      "update runs set finished_at = finished_at - interval '1 year', created_at = created_at - interval '1 year'",
    );
    let deaths = 0;
    for (const statement of [
      '*delete from members 1',
      '*delete from receipts 1',
      'select pg_stat_force_next_flush 1',
    ]) {
      deaths += (await place.runDying(['prune'], { ...retention, DIE_AT_STATEMENT: statement })) ? 1 : 0;
      assert.equal((await place.run('doctor')).code, 0);
    }
    assert.ok(deaths >= 2, String(deaths));
    assert.equal((await place.run('prune')).code, 0);
    await place.importAgain();
  });

  test('a backup: the newest that is there is whole, and the next run writes the next one', async (t) => {
    const place = await openImported(t);
    const folder = join(place.dataDir, 'backup');
    for (const more of [1, 2, 3]) {
      writeRoster(place.roster, people + more);
      const died = await place.runDying(['import', place.roster, '--yes'], { DIE_AT_RENAME: String(1 + more) });
      const [newest] = await listBackups(folder);
      assert.ok(newest?.header?.backup.people !== undefined, `${died} ${readdirSync(folder).join(' ')}`);
      assert.equal((await place.run('runs')).code, 0);
    }
    assert.equal((await place.run('import', place.roster, '--yes', '--all')).code, 0);
    const [newest] = await listBackups(folder);
    assert.equal(newest?.header?.backup.people, people + 3);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.new')),
      [],
    );
  });

  test('a change of the tables is made whole or not at all, and the next command makes it', async (t) => {
    const place = await openImported(t);
    // As a ledger of the version before the newest changes of the tables.
    await askLedger(
      place.dataDir,
      'create table kept_people (id text)',
      'create table kept_reads (id text)',
      'drop index deliveries_repeated',
      'alter table deliveries drop column was_held',
      'alter table rejects drop column employee_id',
      'drop table leases',
      'create table feeders (service text)',
      'alter table event_failures rename to event_handlers',
      'alter table event_handlers add column worker text, add column until timestamptz',
      'alter table ledger drop column rebuilt_at',
      'alter table events drop column leavers',
      'drop table corrections',
      'drop index members_in_order',
      'create index deliveries_waiting on deliveries (run_id) where state = $$waiting$$',
      "delete from kysely_migration where name >= '018'",
    );
    rmSync(join(place.dataDir, 'backup'), { recursive: true });
    assert.equal(await place.runDying(['runs'], { DIE_AT_STATEMENT: 'insert into "kysely_migration" 1' }), true);
    const [left] = await askLedger<{ there: boolean }>(
      place.dataDir,
      "select to_regclass('kept_reads') is not null as there",
    );
    assert.equal(left?.there, true);
    await place.importAgain();
  });

  test('a rebuild, before any of its renames: the ledger is refused until the rebuild is repeated', async (t) => {
    const place = await openImported(t);
    const refusals = [];
    let died = true;
    for (let at = 1; died; at += 1) {
      // As an old copy that was put back.
      await askLedger(place.dataDir, 'update ledger set backups = 0');
      died = await place.runDying(['doctor', '--rebuild'], { DIE_AT_RENAME: String(at) });
      const calls = inserts(place.sandbox);
      const { code, stderr } = await place.run('import', place.roster, '--yes');
      assert.equal(inserts(place.sandbox), calls);
      if (code !== 0) {
        refusals.push(/is (?:older than its backup|missing, but ).*doctor --rebuild/.exec(stderr)?.[0].slice(3, 8));
        const again = await place.run('doctor', '--rebuild');
        assert.match(
          again.stdout + again.stderr,
          /an interrupted rebuild had made is in its place now|The ledger was rebuilt/,
        );
      }
      await place.importAgain();
    }
    assert.deepEqual([...new Set(refusals)], ['older', 'missi']);
    const { stdout, stderr } = await place.run('runs');
    assert.match(stdout, /people/, stderr);
  });
});
