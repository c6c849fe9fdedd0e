import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, beforeEach, describe, it } from 'node:test';
import { repeatedCalls, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, eventually, openPlace, type Place, withSmallDisk } from '../support/cli.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';

const mebibyte = 1024 * 1024;

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', csvOf(40));
});
beforeEach(() => {
  sandbox.clearCalls();
  sandbox.faults.clear();
});
after(() => sandbox.close());

describe('a data directory that cannot be used', () => {
  const wrong: [string, () => string, RegExp, number][] = [
    ['a file', () => place.write('file', ''), /is not a folder, or lies below a file.*ROSTER_SYNC_DATA_DIR/, 2],
    ['a folder below a file', () => join(place.write('file', ''), 'data'), /is not a folder, or lies below a file/, 2],
    [
      'where nobody may write',
      () => '/proc/roster-sync/data',
      /the data directory \/proc\/roster-sync\/data cannot be made there/,
      1,
    ],
    ['a folder with other things', () => join(place.write('theirs', ''), '..'), /holds other things/, 2],
  ];
  for (const [what, make, message, exit] of wrong) {
    it(`${what}: exit ${exit}, one clear message, nothing sent`, async () => {
      place.env['ROSTER_SYNC_DATA_DIR'] = make();
      const { code, stdout, stderr } = await place.run('import', 'people.csv', '--yes');
      delete place.env['ROSTER_SYNC_DATA_DIR'];
      assert.equal(code, exit, stderr);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.equal(stdout, '');
      assert.equal(sandbox.calls.length, 0);
    });
  }

  it('a command that only looks makes none: exit 2', async () => {
    const bare = await openPlace(envOf(sandbox), { bare: true, here: true });
    const { code, stderr } = await bare.run('runs');
    assert.equal(code, 2);
    assert.match(stderr, /there is no data directory.*nothing was imported from here yet/);
    assert.equal(existsSync(bare.data), false);
  });

  it(
    'a ledger in PostgreSQL is asked, and steered, from a folder that has none',
    { skip: postgresSkipReason },
    async () => {
      const databaseUrl = await (await testPostgres()).freshLedger();
      const open = (): Promise<Place> =>
        openPlace({ ...envOf(sandbox), DATABASE_URL: databaseUrl }, { bare: true, here: true });
      const [server, laptop] = [await open(), await open()];
      server.write('people.csv', csvOf(3));
      const imported = await server.run('import', 'people.csv', '--source', 'staff', '--yes');
      assert.equal(imported.code, 0, imported.stderr);
      const { code, stdout, stderr } = await laptop.run('runs');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /staff/);
    },
  );
});

/** A disk that can be filled, and a data directory on it. */
interface Disk {
  fill(): void;
  empty(): void;
}

/** A real small disk if this machine allows mounting one, else a made-up amount of free space. */
async function withDisk(use: (disk: Disk) => Promise<void>): Promise<string> {
  const mounted = await withSmallDisk(320 * mebibyte, async (folder) => {
    const data = join(folder, 'data');
    await place.letGo();
    cpSync(place.data, data, { recursive: true });
    place.env['ROSTER_SYNC_DATA_DIR'] = data;
    const filler = join(folder, 'filler');
    await use({
      fill: () => writeFileSync(filler, Buffer.alloc(200 * mebibyte)),
      empty: () => rmSync(filler, { force: true }),
    });
  });
  delete place.env['ROSTER_SYNC_DATA_DIR'];
  if (mounted) return 'a small disk was mounted';
  const full = join(place.folder, 'full');
  const preload = place.write(
    'preload.mjs',
    `import fs from 'node:fs';
     import promises from 'node:fs/promises';
     import { syncBuiltinESMExports } from 'node:module';
     promises.statfs = async () => ({ bavail: fs.existsSync(${JSON.stringify(full)}) ? 100 : 1000, bsize: ${mebibyte} });
     syncBuiltinESMExports();`,
  );
  place.env['NODE_OPTIONS'] = `--import ${pathToFileURL(preload).href}`;
  await use({
    fill: () => mkdirSync(full, { recursive: true }),
    empty: () => rmSync(full, { recursive: true, force: true }),
  });
  delete place.env['NODE_OPTIONS'];
  return 'no disk may be mounted here: the program was given a made-up full one';
}

describe('a disk that is nearly full', () => {
  it('stops a run cleanly, with exit 1 and what to do; resume goes on once there is space, each person called once', async (test) => {
    const how = await withDisk(async ({ fill, empty }) => {
      sandbox.faults.add('latency=50');
      const running = await place.start(['import', 'people.csv', '--yes', '--rate', '20', '--json']);
      await eventually('five calls have arrived', () => sandbox.calls.length >= 5);
      fill();
      const { code, stdout, stderr } = await running.ended;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /is nearly full: \d+ MiB free, 128 MiB needed\. Free some space first\./);
      const { status, outcome } = JSON.parse(stdout) as {
        status: string;
        outcome: { succeeded: number; failed: number };
      };
      assert.deepEqual([status, outcome.failed, outcome.succeeded], ['paused', 0, sandbox.calls.length]);
      const early = await place.alone('resume', 'latest');
      assert.equal(early.code, 1, early.stderr);
      empty();
      const resumed = await place.jsonAlone('resume', 'latest');
      assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
      assert.equal(resumed.value.outcome.succeeded, 40);
      assert.deepEqual(repeatedCalls(sandbox.calls), []);
      assert.equal(sandbox.calls.length, 40);
    });
    test.diagnostic(how);
  });

  it('refuses an import before anything is sent, and leaves no run half-open', async (test) => {
    const how = await withDisk(async ({ fill, empty }) => {
      fill();
      const { code, stdout, stderr } = await place.alone('import', 'people.csv', '--all', '--yes');
      empty();
      assert.equal(code, 1, stderr);
      assert.match(stderr, /is nearly full/);
      assert.doesNotMatch(stderr, /unexpected|roster-sync resume|\n {4}at /);
      assert.equal(stdout, '');
      assert.equal(sandbox.calls.length, 0);
      const left = (await place.listRuns()).filter(({ status }) => status !== 'finished');
      assert.deepEqual(left, []);
    });
    test.diagnostic(how);
  });
});
