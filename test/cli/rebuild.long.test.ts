import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { parseFault, type Sandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';
import { askLedger, damagePage } from '../support/damage.ts';
import { openSandbox } from '../support/sandbox.ts';

const people = 40;

async function openImported(t: TestContext): Promise<{ sandbox: Sandbox; place: Place; run: string }> {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', csvOf(people));
  const { value } = await place.json('import', 'people.csv', '--yes');
  sandbox.clearCalls();
  return { sandbox, place, run: value.run };
}

const inserts = ({ calls }: Sandbox): number => calls.filter(({ email }) => email !== undefined).length;
const asideIn = ({ data }: Place): string[] => readdirSync(data).filter((name) => name.startsWith('ledger-'));

test('a ledger that can be read is not rebuilt: nothing is changed, and the exit code is 2', async (t) => {
  const { place, run } = await openImported(t);
  await place.letGo();
  const refused = await place.run('doctor', '--rebuild');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /The ledger can be read, so it needs no rebuild. Nothing was changed./);
  assert.deepEqual(asideIn(place), []);
  assert.equal((await place.run('show', run)).code, 0);
});

test('a ledger older than its backup keeps its runs, and those that were not over are ended', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=401,after=5'] });
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', csvOf(people));
  assert.equal((await place.json('import', 'people.csv', '--yes')).value.status, 'halted');
  await askLedger(place.data, 'update ledger set backups = 0');
  await place.letGo();
  const rebuilt = await place.run('doctor', '--rebuild');
  assert.match(
    rebuilt.stdout,
    /^The ledger was rebuilt: \d+ people and 1 run are known\.\nWhat was missing [^]*runs that were ended: 1\. Import/,
  );
  assert.equal((await place.listRuns())[0]?.status, 'cancelled');
  sandbox.faults.clear();
  const given = inserts(sandbox);
  const again = await place.json('import', 'people.csv', '--yes', '--only', 'person39@example.com');
  assert.deepEqual([again.value.plan.new, inserts(sandbox) - given], [1, 1], again.ended.stderr);
});

test('after a rebuild of an older ledger the next unattended run of a source is held, and none once it was approved', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('roster-sync.yaml', 'sources:\n  people:\n    file: people.csv\n    snapshot: true\n');
  place.write('people.csv', csvOf(people));
  await place.json('sync', 'people', '--yes');
  await place.run('approve', 'latest', '--yes');
  assert.equal(inserts(sandbox), people);
  await askLedger(place.data, 'update ledger set backups = 0');
  await place.letGo();
  const rebuilt = await place.run('doctor', '--rebuild');
  assert.match(rebuilt.stdout, /Whoever was first sent after that backup counts as new/);
  assert.doesNotMatch(rebuilt.stdout, /are not in it/);
  place.write('people.csv', csvOf(people + 3));
  const { value, ended } = await place.json('sync', 'people', '--yes');
  assert.deepEqual([value.status, value.plan.new, inserts(sandbox)], ['held', 3, people], ended.stderr);
  assert.match((await place.run('show', 'latest')).stdout, /the first run of people since the ledger was rebuilt/);
  await place.run('approve', 'latest', '--yes');
  assert.equal(inserts(sandbox), people + 3);
  place.write('people.csv', csvOf(people + 4));
  assert.equal((await place.json('sync', 'people', '--yes')).value.status, 'finished');
  assert.equal(inserts(sandbox), people + 4);
});

test('a rebuild of an older ledger leaves nobody at an address that was renamed since', async (t) => {
  const { place } = await openImported(t);
  await askLedger(
    place.data,
    'update ledger set backups = 0',
    "update people set person_key = 'old@example.com', last_outcome = 'failed' where person_key = 'person1@example.com'",
    "update people set employee_id = 'old', given_at = null where person_key = 'person2@example.com'",
    "insert into people (service, source, person_key, last_outcome, last_run, given_at) select service, source, 'later@example.com', last_outcome, last_run, now() from people limit 1",
  );
  await place.letGo();
  assert.match((await place.run('doctor', '--rebuild')).stdout, /^The ledger was rebuilt: 41 people/);
  const known = await askLedger(
    place.data,
    "select person_key as key, employee_id as id from people where person_key in ('old@example.com', 'person1@example.com', 'person2@example.com', 'later@example.com') order by 1",
  );
  assert.deepEqual(known, [
    { key: 'later@example.com', id: null },
    { key: 'person1@example.com', id: null },
    { key: 'person2@example.com', id: null },
  ]);
});

suite('a ledger of which a page is damaged', () => {
  test('is named by the command that meets it and by doctor; a rebuild takes the newest backup and sets it aside', async (t) => {
    const { sandbox, place, run } = await openImported(t);
    await damagePage(place.data, 'people');
    const met = await place.run('import', 'people.csv', '--yes');
    assert.equal(met.code, 1, met.stderr);
    assert.match(
      met.stderr,
      /^a table of the ledger is damaged \(invalid page in block 0 of relation .*\. `roster-sync doctor` says what to do\.$/m,
    );
    assert.doesNotMatch(met.stderr, /unexpected|\n {4}at /);
    assert.equal(inserts(sandbox), 0);
    const examined = await place.run('doctor');
    assert.equal(examined.code, 1);
    assert.match(
      examined.stdout,
      /problem +tables +the table people or an index .* cannot be read \(invalid page in block 0.*`roster-sync doctor --rebuild`/,
    );

    await place.letGo();
    const rebuilt = await place.run('doctor', '--rebuild');
    assert.equal(rebuilt.code, 0, rebuilt.stdout + rebuilt.stderr);
    assert.match(
      rebuilt.stdout,
      /^The ledger was rebuilt \(a part of the ledger cannot be read\): 40 people are known, from the backup of .*, with 40 people\.\n/,
    );
    assert.match(rebuilt.stdout, /counts as new, and may be invited again[^]*Runs, receipts, .* are not in it/);
    assert.match(
      rebuilt.stdout,
      /The old one is in .*ledger-aside-[^]*ok +tables +every row of every table can be read/,
    );
    assert.equal(asideIn(place).length, 1);
    assert.equal((await place.run('show', run)).code, 2);
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.deepEqual([value.plan.unchanged, inserts(sandbox)], [people, 0]);
  });

  test('in what is kept apart from its row, or in an index, is found too', async (t) => {
    const { place } = await openImported(t);
    await damagePage(place.data, 'deliveries_due');
    await damagePage(place.data, 'receipts_pkey', 1);
    const { stdout } = await place.run('doctor');
    assert.match(stdout, /problem +tables +the table receipts or an index of it cannot be read/);
  });

  test('was ahead of its backup: after a rebuild the next unattended run is held, and nobody is invited again unseen', async (t) => {
    const { sandbox, place } = await openImported(t);
    sandbox.faults.add(parseFault('status=401,after=2'));
    place.write('people.csv', csvOf(people + 6));
    assert.equal((await place.json('import', 'people.csv', '--yes')).value.status, 'halted');
    const given = inserts(sandbox);
    assert.ok(given > 0);
    sandbox.faults.clear();
    await damagePage(place.data, 'deliveries');
    await place.letGo();
    // The process has died before it wrote the newest one.
    rmSync(join(place.data, 'backup/people.ndjson.gz'));
    assert.equal((await place.run('doctor', '--rebuild')).code, 0);
    place.write('roster-sync.yaml', 'sources:\n  people:\n    file: people.csv\n    snapshot: true\n');
    const { value, ended } = await place.json('sync', 'people', '--yes');
    assert.deepEqual([value.status, value.plan.new, inserts(sandbox)], ['held', 6, given], ended.stderr);
  });

  test('is not touched where no backup can be read: the refusal says what an empty ledger would mean', async (t) => {
    const { place } = await openImported(t);
    await damagePage(place.data, 'people');
    await place.letGo();
    for (const name of readdirSync(`${place.data}/backup`)) place.write(`.roster-sync/backup/${name}`, 'no backup');
    const refused = await place.run('doctor', '--rebuild');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /nothing in .* to rebuild the ledger from: a part of the ledger cannot be read, and no backup can be read\. Nothing was changed.*everybody would be new, and invited again/,
    );
    assert.deepEqual(asideIn(place), []);
  });
});
