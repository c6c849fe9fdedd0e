import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

interface Listed {
  people: number;
  groups: number;
  leftBehind: { email: string; group: string; cause: string; run: string | null; since: string }[];
}

test('runs --invited lists who may have been invited between two days, with their run, as CSV and JSON', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const header = 'First Name,Last Name,Email\n';
  place.write('new.csv', `${header}=Ann,Ek,ann@example.com\nBob,Li,bob@example.com\n`);
  const send = async (...flags: string[]) =>
    (await place.json('import', 'new.csv', '--group', 'All', '--allow-value', '=Ann', '--yes', ...flags)).value.run;
  const first = await send();
  place.write('new.csv', `${header}Ann,Eka,ann@example.com\nCleo,Ost,cleo@example.com\n`);
  await send('--no-invite');
  const day = (at: number): string => new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10);

  const { value } = await place.json<{ invited: Record<string, string>[] }>('runs', '--invited');
  assert.deepEqual(
    value.invited.map(({ email, run, source, outcome }) => [email, run, source, outcome]),
    ['ann@example.com', 'bob@example.com'].map((email) => [email, first, 'new', 'succeeded']),
  );
  const all = await place.run('runs', '--invited', '--since', day(-1), '--until', day(1));
  assert.match(
    all.stdout,
    /^at,email,firstname,lastname,source,run,outcome,service\n.*,ann@example\.com,"'=Ann",Ek,new,/,
  );
  assert.match(all.stderr, /^2 people may have been invited\.$/m);
  for (const range of [
    ['--since', day(2)],
    ['--until', day(-2)],
  ])
    assert.equal((await place.json<{ invited: [] }>('runs', '--invited', ...range)).value.invited.length, 0);
  assert.equal((await place.run('runs', '--invited', '-o', 'invited.csv')).code, 0);
  assert.match(place.read('invited.csv'), /,bob@example\.com,Bob,Li,new,/);
  assert.equal((await place.run('runs', '--invited', '-o', 'invited.xlsx')).code, 0);
  assert.match(place.read('invited.xlsx'), /^PK/);
  assert.match((await place.run('runs', '--invited', '--since', 'yesterday')).stderr, /"yesterday" is not a date/);
  assert.match((await place.run('runs', '--since', day(0))).stderr, /--since goes with --invited/);
});

test('groups of a source that is no longer in the settings are named in each plan, until somebody lets go of them', async (t) => {
  const sandbox = await openSandbox(t, { assumptions: { forceSyncRemoves: 'all' } });
  const place = await openPlace(envOf(sandbox), { here: true });
  const source = (name: string): string =>
    `  ${name}: { file: ./${name}.csv, settle: 1ms, groups: [{ column: Team }], deliver: { forceSync: true }, guards: { invites: off, removals: off } }\n`;
  const settings = (...names: string[]): string =>
    place.write('roster-sync.yaml', `sources:\n${names.map(source).join('')}`);
  const sync = async (name: string, ...rows: string[]) => {
    place.write(`${name}.csv`, `${['First Name,Last Name,Work Email,Team', ...rows].join('\n')}\n`);
    const { ended, value } = await place.json('sync', name, '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    return { calls: value.calls, text: ended.stderr.replaceAll(/\s+/g, ' ') };
  };
  const said = /the source interns is not in the settings any more, and (\d) (?:person keeps|people keep)/;
  settings('staff', 'interns');
  await sync(
    'interns',
    'Ann,Ek,ann@example.com,Interns',
    'Bob,Li,bob@example.com,Sales',
    'Cy,Ny,cy@example.com,Interns',
  );
  const both = await sync('staff', 'Ann,Ek,ann@example.com,IT', 'Bob,Li,bob@example.com,Sales');
  assert.doesNotMatch(both.text, said);
  const listed = async () => (await place.json<Listed>('left-behind', '--source', 'interns')).value.leftBehind;
  assert.deepEqual(await listed(), []);
  settings('staff');
  // Bob keeps Sales, also once staff gives it no more.
  const kept = await sync('staff', 'Ann,Ek,ann@example.com,Legal', 'Bob,Li,bob@example.com,Sales');
  assert.deepEqual([kept.calls, said.exec(kept.text)?.[1]], [1, '3'], kept.text);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Interns', 'Legal']);
  assert.deepEqual(
    (await listed()).map(({ email, group, cause }) => [email, group, cause]),
    ['ann', 'cy'].map((name) => [`${name}@example.com`, 'Interns', 'departed']),
  );
  const asked = await place.run('left-behind', '--source', 'interns', '--done');
  assert.match(
    asked.stderr.replaceAll(/\s+/g, ' '),
    /of 2 people to take out by hand\. To 1 person other sources give/,
  );
  assert.equal((await place.run('left-behind', '--source', 'interns', '--done', '--yes')).code, 0);
  const gone = await sync('staff', 'Ann,Ek,ann@example.com,Board', 'Bob,Li,bob@example.com,Legal');
  assert.doesNotMatch(gone.text, said);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Board']);
  assert.deepEqual(sandbox.user('bob@example.com')?.groups, ['Legal']);
  assert.deepEqual(await listed(), []);
});

test('a source that has another name by now gives nothing any more once somebody says so, though all it gave is given', async (t) => {
  const sandbox = await openSandbox(t, { assumptions: { forceSyncRemoves: 'all' } });
  const place = await openPlace(envOf(sandbox), { here: true });
  const sync = async (name: string, team: string) => {
    const source = `{ file: ./people.csv, settle: 1ms, groups: [{ column: Team }], deliver: { forceSync: true }, guards: { invites: off, removals: off } }`;
    place.write('roster-sync.yaml', `sources:\n  ${name}: ${source}\n`);
    place.write('people.csv', `First Name,Last Name,Work Email,Team\nAnn,Ek,ann@example.com,${team}\n`);
    const { ended } = await place.json('sync', name, '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    return ended.stderr;
  };
  await sync('hr', 'Finance');
  assert.match(await sync('staff', 'Finance'), /the\s+source\s+hr\s+is\s+not/);
  const list = await place.run('left-behind', '--source', 'hr');
  assert.match(list.stdout.replaceAll(/\s+/g, ' '), /^Nothing has to be taken out by hand\. To 1 person other sources/);
  assert.equal((await place.run('left-behind', '--source', 'hr', '--done', '--yes')).code, 0);
  assert.match((await place.run('left-behind', '--source', 'hr')).stdout, /^Nothing is left behind/);
  const { value: same } = await place.json('sync', 'staff', '--yes');
  assert.equal(same.calls, 0, 'what staff gave is known as before');
  assert.doesNotMatch(await sync('staff', 'Sales'), /the\s+source\s+hr/);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales']);
});

test('left-behind lists whom to take out by hand, writes a safe CSV, and marks it as done once somebody says yes', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    'sources:\n  staff: { file: ./staff.csv, settle: 1ms, snapshot: true, allow: { values: ["=IT"] }, groups: [{ column: Team, split: ";" }] }\n',
  );
  const sync = async (...rows: string[]): Promise<string> => {
    place.write('staff.csv', `${['First Name,Last Name,Work Email,Team', ...rows].join('\n')}\n`);
    const { value } = await place.json('sync', 'staff', '--yes');
    if (value.status === 'held') await place.json('approve', value.run, '--yes');
    return value.run;
  };
  await sync('Ann,Ek,ann@example.com,=IT;Staff', 'Bob,Li,bob@example.com,IT;Staff');
  assert.match((await place.run('left-behind')).stdout, /^Nothing is left behind/);
  const moved = await sync('Ann,Ek,ann@example.com,Sales;Staff', 'Bob,Li,bob@example.com,Sales;Staff');
  const gone = await sync('Ann,Ek,ann@example.com,Sales;Staff');

  const { value } = await place.json<Listed>('left-behind');
  assert.deepEqual([value.people, value.groups], [2, 4]);
  assert.deepEqual(
    value.leftBehind.map(({ email, group, cause, run }) => [email, group, cause, run]),
    [
      ['ann@example.com', '=IT', 'changed', moved],
      ['bob@example.com', 'IT', 'changed', moved],
      ['bob@example.com', 'Sales', 'departed', gone],
      ['bob@example.com', 'Staff', 'departed', gone],
    ],
  );
  await place.run('show', gone, '--departed', 'gone.csv');
  assert.match(place.read('gone.csv'), /^bob@example.com,Bob,Li,Sales; Staff; IT,/m);

  const text = await place.run('left-behind', '--source', 'staff', '--group', 'Sales');
  assert.match(text.stdout, /bob@example.com +Sales .*departed in run/);
  assert.match(text.stdout, /1 group membership of 1 person to take out by hand/);
  const written = await place.run('left-behind', '-o', 'to-do.csv', '--excel');
  assert.equal(written.code, 0, written.stderr);
  const csv = place.read('to-do.csv');
  assert.ok(csv.startsWith('\uFEFFemail;firstname;lastname;group;since;cause;run;source;'), csv);
  assert.match(csv, /^ann@example.com;Ann;Ek;"?'=IT"?;/m);
  assert.equal((await place.run('left-behind', '-o', 'staff.csv')).code, 2, 'where a source would read it');

  const refused = await place.run('left-behind', '--done');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /Nothing was marked: there is no terminal to ask you on/);
  assert.equal((await place.json<Listed>('left-behind')).value.groups, 4);
  const done = await place.run('left-behind', '--group', 'IT', '--done', '--yes');
  assert.match(done.stdout, /1 group membership marked as taken out by hand, by /);
  assert.equal((await place.json<Listed>('left-behind')).value.groups, 3);
  assert.match((await place.run('person', 'bob@example.com')).stdout, /IT: given .*; taken out by hand, says .*@/);
});

test('nobody is to be taken out by hand of a group that half its people lost at once, until somebody approves that', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    'sources:\n  staff: { file: ./staff.csv, settle: 1ms, groups: [{ column: Team, split: ";" }], guards: { invites: off } }\n',
  );
  const sync = async (inSales: number, newcomers = 0) => {
    const rows = Array.from({ length: 50 + newcomers }, (_, at) => {
      const teams = at < inSales || at >= 50 ? 'All;Sales' : 'All';
      return `Ann${at},Ek,ann${at}@example.com,${teams}`;
    });
    place.write('staff.csv', `${['First Name,Last Name,Work Email,Team', ...rows].join('\n')}\n`);
    return place.json('sync', 'staff', '--yes');
  };
  const listed = async () => (await place.json<Listed>('left-behind')).value.groups;
  assert.equal((await sync(40)).ended.code, 0);
  for (const newcomers of [0, 1]) {
    const { ended } = await sync(15, newcomers);
    assert.equal(ended.code, 3, ended.stderr);
    assert.match(
      ended.stderr.replaceAll(/\s+/g, ' '),
      /"Sales" has 1\d, usually 40 .*nothing is sent yet to people who lose a group/,
    );
    assert.equal(await listed(), 0);
  }
  assert.equal((await place.run('approve', 'latest', '--yes')).code, 0);
  assert.equal(await listed(), 25);
});
