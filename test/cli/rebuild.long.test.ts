import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { suite, test, type TestContext } from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';
import { askLedger, damagePage } from '../support/damage.ts';
import { openSandbox } from '../support/sandbox.ts';

const people = 40;
/** Enough for several pages of deliveries. */
const many = 400;

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
const tableCounts =
  'select (select count(*) from runs) as runs, (select count(*) from receipts) as receipts, (select count(*) from tokens) as tokens, ' +
  '(select count(*) from audit) as deeds, (select id || forget_key from ledger) as identity, ' +
  "(select nextval('runs_number_seq')) - (select max(number) from runs) as next";

suite('a ledger that can be read', () => {
  test('is rebuilt only after a yes, and then with all that is in it', async (t) => {
    const { sandbox, place, run } = await openImported(t);
    const token = await place.run('token', 'create', '--name', 'monitor', '--scope', 'read');
    assert.equal(token.code, 0, token.stderr);
    const before = await askLedger<Record<string, unknown>>(place.data, tableCounts);
    await place.letGo();
    const refused = await place.run('doctor', '--rebuild');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /The ledger can be read, so it needs no rebuild. Nothing was changed.*--yes/);
    assert.deepEqual(asideIn(place), []);

    await place.letGo();
    const rebuilt = await place.run('doctor', '--rebuild', '--yes');
    assert.equal(rebuilt.code, 0, rebuilt.stderr);
    assert.match(
      rebuilt.stdout,
      /^The ledger was rebuilt: 40 people and 1 run are known\.\nThe old one is in .*ledger-aside-/,
    );
    assert.doesNotMatch(rebuilt.stdout, /unreadable|cannot be read|lost|backup of/);
    assert.match(rebuilt.stdout, /ok +tables +every row of every table can be read/);
    const [expected] = before;
    assert.deepEqual(await askLedger(place.data, tableCounts), [{ ...expected, next: 2 }]);
    assert.equal((await place.run('show', run)).code, 0);
    assert.match((await place.run('token', 'list')).stdout, /monitor/);
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.deepEqual([value.plan.unchanged, inserts(sandbox)], [people, 0]);
  });
});

suite('a ledger of an older version', () => {
  test('is rebuilt with what its receipts know of groups left behind', async (t) => {
    const { place } = await openImported(t);
    place.write(
      'people.csv',
      csvOf(people, { groups: (at) => (at < 3 ? 'Another' : at % 2 === 0 ? 'Staff' : 'Staff;Odd') }),
    );
    const listed = async () => (await place.run('left-behind')).stdout;
    const moved = await place.run('import', 'people.csv', '--yes');
    assert.equal(moved.code, 0, moved.stderr);
    const before = await listed();
    assert.match(before, /person2@example\.com/);
    await askLedger(
      place.data,
      'drop table left_behind',
      'drop index departures_person',
      "delete from kysely_migration where name >= '004'",
    );
    const rebuilt = await place.run('doctor', '--rebuild', '--yes');
    assert.equal(rebuilt.code, 0, rebuilt.stderr);
    assert.equal(await listed(), before);
  });
});

suite('a ledger of which a page is damaged', () => {
  test('is named by the command that meets it and by doctor; a rebuild takes over all the rest', async (t) => {
    const { sandbox, place, run } = await openImported(t);
    await damagePage(place.data, 'people');
    const met = await place.run('import', 'people.csv', '--yes');
    assert.equal(met.code, 1, met.stderr);
    assert.match(
      met.stderr,
      /^a table of the ledger is damaged \(invalid page in block 0 of relation .*Run `roster-sync doctor`/m,
    );
    assert.doesNotMatch(met.stderr, /unexpected|\n {4}at /);
    assert.equal(inserts(sandbox), 0);
    const examined = await place.run('doctor');
    assert.equal(examined.code, 1);
    assert.match(
      examined.stdout,
      /problem +tables +1 page of the table people cannot be read \(invalid page in block 0.*`roster-sync doctor --rebuild`/,
    );

    await place.letGo();
    const rebuilt = await place.run('doctor', '--rebuild');
    assert.equal(rebuilt.code, 0, rebuilt.stdout + rebuilt.stderr);
    assert.match(
      rebuilt.stdout,
      /rebuilt: 40 people and \d runs? are known\.\nOf the table people, rows on 1 page cannot be read and are lost\.\nWhat was missing in the old one was taken from the backup of .*, with 40 people/,
    );
    assert.equal((await place.run('show', run)).code, 0);
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

  test('keeps the other pages of its table, and ends a run of which something is lost', async (t) => {
    const sandbox = await openSandbox(t, { faults: ['status=401,after=5'] });
    const place = await openPlace(envOf(sandbox), { here: true });
    place.write('people.csv', csvOf(many));
    const { value } = await place.json('import', 'people.csv', '--yes');
    assert.equal(value.status, 'halted');
    const [of] = await askLedger<{ page: number }>(
      place.data,
      'select (ctid::text::point)[0]::int as page from deliveries order by id limit 1',
    );
    await damagePage(place.data, 'deliveries', of?.page);
    await place.letGo();
    const rebuilt = await place.run('doctor', '--rebuild');
    assert.match(rebuilt.stdout, /Of the table deliveries, rows on 1 page cannot[^]*runs that were ended: 1\. Import/);
    assert.equal((await place.listRuns())[0]?.status, 'cancelled');
    const [left] = await askLedger<{ deliveries: number }>(place.data, 'select count(*) as deliveries from deliveries');
    assert.ok(left && left.deliveries >= many / 2 && left.deliveries < many, String(left?.deliveries));
    sandbox.faults.clear();
    const given = inserts(sandbox);
    const again = await place.json('import', 'people.csv', '--yes', '--only', 'person399@example.com');
    assert.deepEqual([again.value.plan.new, inserts(sandbox) - given], [1, 1], again.ended.stderr);
  });
});
