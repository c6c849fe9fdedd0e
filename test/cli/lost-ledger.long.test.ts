import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';
import { askLedger } from '../support/damage.ts';
import { openSandbox } from '../support/sandbox.ts';

/** A place where four people were imported and the first one was forgotten since. */
async function openForgetting(t: TestContext): Promise<{ sandbox: Sandbox; place: Place }> {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', csvOf(4));
  assert.equal((await place.run('import', 'people.csv', '--yes')).code, 0);
  assert.equal((await place.run('forget', 'person0@example.com', '--yes')).code, 0);
  sandbox.clearCalls();
  await place.letGo();
  return { sandbox, place };
}

/** Calls that put somebody into groups; `doctor` asks something else. */
const inserts = ({ calls }: Sandbox): number => calls.filter(({ email }) => email !== undefined).length;
const ledgerOf = ({ data }: Place): string => join(data, 'ledger');
const backupOf = ({ data }: Place): Buffer => readFileSync(join(data, 'backup/people.ndjson.gz'));

suite('a data directory whose ledger is missing', () => {
  test('is refused while its backup is there: nobody is called, the backup stays, and a rebuild keeps out who was forgotten', async (t) => {
    const { sandbox, place } = await openForgetting(t);
    const before = backupOf(place);
    rmSync(ledgerOf(place), { recursive: true });
    for (const command of [['import', 'people.csv', '--yes'], ['import', 'people.csv', '--dry-run'], ['runs']]) {
      const { code, stderr } = await place.run(...command);
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /the ledger in .* is missing, but a backup of .* UTC, with 3 people, and 1 forgotten is there.*`roster-sync doctor --rebuild`/,
      );
    }
    const examined = await place.run('doctor');
    assert.equal(examined.code, 1);
    assert.match(examined.stdout, /problem +ledger +the ledger in .* is missing.*doctor --rebuild/);
    assert.match(examined.stdout, /ok +backup +of .* UTC, with 3 people, and 1 forgotten/);
    assert.ok(!existsSync(ledgerOf(place)));
    assert.deepEqual(backupOf(place), before);
    assert.equal(inserts(sandbox), 0);

    assert.match(
      (await place.run('doctor', '--rebuild')).stdout,
      /The ledger was rebuilt \(the ledger was missing\): 3 people are known, from the backup of[^]*may be invited again/,
    );
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.deepEqual([value.plan.new, value.roster.erased, inserts(sandbox)], [0, 1, 0]);
  });

  test('is refused where its folder is empty, or a ledger that was moved aside is there', async (t) => {
    const { place } = await openForgetting(t);
    rmSync(ledgerOf(place), { recursive: true });
    mkdirSync(ledgerOf(place));
    assert.match((await place.run('runs')).stderr, /is missing/);
    rmSync(ledgerOf(place), { recursive: true });
    rmSync(join(place.data, 'backup'), { recursive: true });
    mkdirSync(join(place.data, 'ledger-aside-20260101T000000000Z'));
    assert.match((await place.run('runs')).stderr, /is missing, but ledger-aside-20260101T000000000Z is there/);
  });

  test('is made again of nothing but a copy of its backup', async (t) => {
    const { sandbox, place } = await openForgetting(t);
    const copy = join(place.folder, 'copy');
    cpSync(join(place.data, 'backup'), join(copy, 'backup'), { recursive: true });
    place.env['ROSTER_SYNC_DATA_DIR'] = copy;
    assert.match((await place.run('import', 'people.csv', '--yes')).stderr, /is missing, but a backup/);
    await place.letGo();
    assert.match((await place.run('doctor', '--rebuild')).stdout, /3 people/);
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.deepEqual([value.plan.new, value.roster.erased, inserts(sandbox)], [0, 1, 0]);
  });
});

suite('a ledger and a backup that do not belong together', () => {
  test('an older copy of the ledger is refused; a rebuild takes both, and nobody is called again', async (t) => {
    const { sandbox, place } = await openForgetting(t);
    const older = join(place.folder, 'older');
    cpSync(ledgerOf(place), older, { recursive: true });
    place.write('people.csv', csvOf(6));
    assert.equal((await place.run('import', 'people.csv', '--yes')).code, 0);
    assert.equal(inserts(sandbox), 2);
    await place.letGo();
    rmSync(ledgerOf(place), { recursive: true });
    renameSync(older, ledgerOf(place));
    const refused = await place.run('import', 'people.csv', '--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is older than its backup of .*, with 5 people, and 1 forgotten.*doctor --rebuild/);
    assert.match((await place.run('doctor')).stdout, /problem +ledger +the ledger in .* is older than its backup/);

    await place.letGo();
    const rebuilt = await place.run('doctor', '--rebuild');
    assert.equal(rebuilt.code, 0, rebuilt.stderr);
    assert.match(
      rebuilt.stdout,
      /rebuilt: 5 people and 1 run are known[^]*was missing in the old one was taken from the backup of/,
    );
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.deepEqual([value.plan.new, value.roster.erased, inserts(sandbox)], [0, 1, 2]);
  });

  test("another ledger's backup is refused and stays; a rebuild takes both", async (t) => {
    const { sandbox, place } = await openForgetting(t);
    const other = await openPlace(envOf(sandbox), { here: true });
    other.write('others.csv', csvOf(3, { domain: 'example.org' }));
    // Test directories are copies of one: this one becomes a ledger of its own.
    await askLedger(other.data, "update ledger set id = 'f00', forget_key = 'f00'");
    assert.equal((await other.run('import', 'others.csv', '--yes')).code, 0);
    await other.letGo();
    rmSync(ledgerOf(place), { recursive: true });
    cpSync(ledgerOf(other), ledgerOf(place), { recursive: true });
    const before = backupOf(place);
    const refused = await place.run('import', 'people.csv', '--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is of another ledger than the one in .*doctor --rebuild/);
    assert.deepEqual(backupOf(place), before);
    sandbox.clearCalls();

    await place.letGo();
    const rebuilt = await place.run('doctor', '--rebuild');
    assert.match(rebuilt.stdout, /6 people/);
    place.write('all.csv', csvOf(4) + csvOf(3, { domain: 'example.org' }).split('\n').slice(1).join('\n'));
    const { value } = await place.json('import', 'all.csv', '--all', '--dry-run');
    assert.equal(value.roster.erased, 1);
    assert.equal(value.plan.new, 0);
    assert.equal(readdirSync(place.data).filter((name) => name.startsWith('ledger-aside-')).length, 1);
  });
});
