import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { envOf, openPlace } from '../support/cli.ts';
import { textRows, workbookOf } from '../roster/workbook-writer.ts';
import { openSandbox } from '../support/sandbox.ts';

const head = 'First Name,Last Name,Work Email,Team,Status,Start Date';

/** A line of the roster. */
const row = (name: string, status = 'Active', start = ''): string =>
  `${name},Test,${name.toLowerCase()}@example.com,Sales,${status},${start}`;

test('people who leave are reported, put among the leavers after the grace, and come back whole', async (t) => {
  const sandbox = await openSandbox(t, { assumptions: { forceSyncRemoves: 'all' } });
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    `sources:
  staff:
    file: ./staff.csv
    settle: 1ms
    snapshot: true
    groups: [{ column: Team }]
    leavers: [{ column: Status, in: [Terminated] }]
    members: { startDate: { column: Start Date, order: dmy } }
    departed: { group: Leavers, forceSync: true, after: 1 }
    invites: { perRun: 3 }
`,
  );
  const roster = (...rows: string[]): string => place.write('staff.csv', `${[head, ...rows].join('\n')}\n`);
  const sync = async () => {
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    assert.ok(ended.code === 0 || ended.code === 3, ended.stdout + ended.stderr);
    if (ended.code === 0) return { text: ended.stderr, ...value };
    const approved = await place.json('approve', value.run, '--yes');
    assert.equal(approved.ended.code, 0, approved.ended.stdout + approved.ended.stderr);
    return { text: ended.stderr, ...approved.value };
  };

  roster(row('Ann'), row('Bob'), row('Cy'), row('Dan'), row('Eve', 'Active', '31/12/2090'));
  const first = await sync();
  assert.deepEqual([first.plan.new, first.plan.later, first.outcome.succeeded], [3, 2, 3]);
  const second = await sync();
  assert.deepEqual([second.plan.new, second.plan.unchanged, second.plan.later], [1, 3, 1]);
  assert.match(second.text, /1 person waits for their first day, or for room among the invitations/);

  // Bob's row says so, Cy's is gone.
  roster(row('Ann'), row('Bob', 'Terminated'), row('Dan'));
  const third = await sync();
  assert.deepEqual([third.plan.departed, third.plan.unchanged, third.roster.filtered], [2, 2, 1]);
  assert.match(
    third.text,
    /2 people have left and still have access, 2 of them since the last roster: this service offers no removal/,
  );
  const shown = await place.run('show', third.run, '--departed', 'left.csv');
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(
    place.read('left.csv'),
    /^email,firstname.*\nbob@example.com,Bob,Test,.*,new\ncy@example.com,Cy,Test,.*,new\n$/,
  );
  assert.deepEqual(sandbox.user('bob@example.com')?.groups, ['Leavers']);

  const cy = await place.run('person', 'cy@example.com');
  assert.match(cy.stdout, /as one who left: Cy Test <cy@example.com>; Leavers\n +departed: succeeded/);
  assert.match(cy.stdout, /row: .*staff.csv, line 4: Cy Test/);

  roster(row('Ann'), row('Bob'), row('Dan'));
  const fourth = await sync();
  assert.deepEqual([fourth.plan.changed, fourth.plan.departed], [1, 0]);
  assert.deepEqual(sandbox.user('bob@example.com')?.groups, ['Sales']);
});

test('R10: people whose rows a stray quote has swallowed are rejects, and on no night leavers', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    `sources:
  staff:
    file: ./staff.csv
    settle: 1ms
    snapshot: true
    groups: [{ column: Department }]
    departed: { group: Leavers, forceSync: true, after: 1 }
    guards: { invites: off, departed: off }
`,
  );
  const people = Array.from({ length: 200 }, (_, at) => `Ann${at},Ek,ann${at}@example.com,IT,ok`);
  const roster = (rows: readonly string[]): string =>
    place.write('staff.csv', `First name,Last name,Email,Department,Notes\n${rows.join('\n')}\n`);
  const sync = async () => {
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return { ...value, text: ended.stderr };
  };
  roster(people);
  assert.equal((await sync()).outcome.succeeded, 200);
  const stray = people.with(20, people[20]?.replace('ok', '"see file') ?? '').with(28, `${people[28]}"`);
  for (const night of [1, 2]) {
    roster(stray.with(0, `Ann0,Night${night},ann0@example.com,IT,ok`));
    const { plan, roster: read, text } = await sync();
    assert.deepEqual([plan.departed, plan.changed, read.rejects], [0, 1, 9]);
    assert.match(text, /nobody counts as missing from this roster/);
  }
  assert.deepEqual(sandbox.user('ann25@example.com')?.groups, ['IT']);
  // Once it is closed, whoever is not there has left.
  roster(people.slice(0, -1));
  assert.equal((await sync()).plan.departed, 1);
});

test('R10: people whose address, name or group cannot be told yet are known by an employee id of a template, and have not left', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    `sources:
  staff:
    file: ./staff.csv
    settle: 1ms
    snapshot: true
    members: { employeeId: { template: '{Country}-{No}' } }
    groups: [{ column: Department }]
    departed: { group: Leavers, forceSync: true, after: 1 }
    guards: { invites: off, departed: off }
`,
  );
  const sync = async (...rows: string[]) => {
    place.write('staff.csv', `Country,No,First name,Last name,Email,Department\n${rows.join('\n')}\n`);
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return value;
  };
  const others = Array.from({ length: 20 }, (_, at) => `SE,${at},Di${at},Ek,di${at}@example.com,IT`);
  await sync(
    ...others,
    'DK,7,Ann,Ek,ann@example.com,IT',
    'DK,8,Bo,Oh,bo@example.com,IT',
    'DK,9,Cy,Pi,cy@example.com,IT',
  );
  const { plan, roster } = await sync(
    ...others,
    'DK,7,Anna,Lind,anna.lind@example.com,IT',
    ...['DK,8,Bodil,,bodil@example,IT', 'DK,9,Cyril,Po,cyril@example.com,IT', 'FO,1,Fi,Po,cyril@example.com,IT'],
  );
  assert.deepEqual([plan.departed, roster.rejects], [0, 4]);
  for (const name of ['ann', 'bo', 'cy']) assert.deepEqual(sandbox.user(`${name}@example.com`)?.groups, ['IT']);
});

test('R10: people of a file that is not there have not left, for as many nights as it is missing', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const settings = (files: string): string =>
    place.write(
      'roster-sync.yaml',
      `sources:
  staff: { file: ${files}, pick: all, settle: 1ms, snapshot: true, groups: [{ column: Team }],
    departed: { group: Leavers, forceSync: true, after: 1 }, guards: { invites: off, departed: off } }
`,
    );
  settings('./staff-*.csv');
  const write = (file: string, ...names: string[]): string =>
    place.write(file, [head, ...names.map((name) => row(name)), ''].join('\n'));
  const sync = async () => {
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return { text: ended.stderr, departed: value.plan.departed, calls: value.calls };
  };
  write('staff-berlin-2026-11-01.csv', 'Ann', 'Bo');
  write('staff-oslo-2026-11-01.csv', 'Cy');
  assert.equal((await sync()).calls, 3);
  rmSync(join(place.folder, 'staff-berlin-2026-11-01.csv'));
  rmSync(join(place.folder, 'staff-oslo-2026-11-01.csv'));
  for (const night of [2, 3]) {
    write('staff-oslo-2026-11-01.csv', 'Cy', `Di${night}`);
    const { text, ...found } = await sync();
    assert.deepEqual(found, { departed: 0, calls: 1 });
    assert.match(
      text,
      /1 file of former rosters is not there:\s+\S*staff-berlin-2026-11-01\.csv\.\s+Nobody\s+counts\s+as\s+missing/,
    );
  }
  // Another one for the same place is no other file.
  rmSync(join(place.folder, 'staff-oslo-2026-11-01.csv'));
  write('staff-oslo-2026-11-04.csv', 'Cy', 'Di3');
  write('staff-berlin-2026-11-04.csv', 'Ann');
  const back = await sync();
  assert.doesNotMatch(back.text, /former\s+rosters/);
  assert.deepEqual([back.departed, back.calls], [2, 2]);
  // Whoever names other files says that the others are gone.
  rmSync(join(place.folder, 'staff-berlin-2026-11-04.csv'));
  write('staff-oslo-2026-11-04.csv', 'Cy', 'Di3', 'Eve');
  settings("'./staff-{oslo,paris}*.csv'");
  assert.equal((await sync()).departed, 1);
});

test('a department that is missing holds the whole roster, though nothing is sent to its people for a night', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    `sources:
  staff: { file: ./staff.csv, settle: 1ms, snapshot: true, groups: [{ column: Team }], deliver: { forceSync: true },
    departed: { group: Leavers, forceSync: true }, guards: { invites: off } }
`,
  );
  const people = (team: string, many: number): string[] =>
    Array.from({ length: many }, (_, at) => `${team},Test,${team}${at}@example.com,${team},Active,`);
  const sync = async (...rows: string[]) => {
    place.write('staff.csv', [head, ...rows, ''].join('\n'));
    return await place.json('sync', 'staff', '--yes');
  };
  // A twelfth: fewer than the guard of leavers asks about.
  assert.equal((await sync(...people('IT', 275), ...people('Sales', 25))).ended.code, 0);
  const { ended, value } = await sync(...people('IT', 275), 'Di,Test,di@example.com,IT,Active,');
  assert.deepEqual([ended.code, value.status, value.plan.departed], [3, 'held', 25], ended.stderr);
  assert.match(ended.stderr.replaceAll(/\s+/g, ' '), /"Sales" has 0, usually 25 .*nothing is sent yet to people who/);
});

test('an older copy beside a file of a folder is asked about once', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const source = 'file: ./shops/*.csv, pick: all, settle: 1ms, groups: [{ column: Team }], guards: { invites: off }';
  place.write('roster-sync.yaml', `sources: { staff: { ${source} } }\n`);
  mkdirSync(join(place.folder, 'shops'));
  const write = (file: string, ...names: string[]): string =>
    place.write(`shops/${file}.csv`, [head, ...names.map((name) => row(name)), ''].join('\n'));
  const sync = () => place.run('sync', 'staff', '--yes');
  write('shop11', 'Ann');
  write('shop12', 'Bo');
  assert.equal((await sync()).code, 0);
  write('shop13', 'Cy');
  assert.equal((await sync()).code, 0, 'another shop is no copy');
  write('shop12 (1)', 'Bo', 'Di');
  const held = await sync();
  assert.equal(held.code, 3, held.stderr);
  assert.match(held.stdout.replaceAll(/\s+/g, ' '), /are called alike, and the last roster had one of them/);
  assert.equal((await place.run('approve', 'latest', '--yes')).code, 0);
  write('shop12 (1)', 'Bo', 'Di', 'Eve');
  assert.equal((await sync()).code, 0, 'once approved, both belong to it');
});

test('a status that `only` leaves out unnamed is asked about once people are missing, then only counted', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const settings = (rules: string): string =>
    place.write(
      'roster-sync.yaml',
      `sources:
  staff: { file: ./staff.csv, settle: 1ms, snapshot: true, groups: [{ column: Team }], ${rules},
    departed: { group: Leavers, after: 1 }, guards: { invites: off } }
`,
    );
  settings('only: [{ column: Status, in: [Active] }]');
  const sync = async (...rows: string[]) => {
    place.write('staff.csv', [head, ...rows, ''].join('\n'));
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    return { code: ended.code, text: ended.stderr.replaceAll(/\s+/g, ' '), departed: value.plan.departed };
  };
  const asked =
    /departed: Status of (\d) rows? that (?:is|are) left out says ([^,]*), which no rule names, and people are missing/;
  const counted = /Status of (\d) rows? that (?:is|are) left out says ([^,]*), which no rule names: if/;
  const whole = await sync(row('Ann'), row('Bo'), row('Cy'), row('Di', 'On leave'));
  assert.deepEqual([whole.code, counted.exec(whole.text)?.slice(1)], [0, ['1', 'On leave 1']], whole.text);
  const left = await sync(row('Ann'), row('Bo'), row('Cy', 'Terminated'));
  assert.deepEqual([left.code, left.departed, counted.test(left.text)], [0, 1, false], left.text);
  const held = await sync(row('Ann', 'On leave'), row('Bo'), row('Cy', 'Terminated'));
  assert.deepEqual([held.code, asked.exec(held.text)?.slice(1)], [3, ['1', 'On leave 1']], held.text);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales']);
  assert.equal((await place.run('approve', 'latest', '--yes')).code, 0);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales', 'Leavers']);
  const again = await sync(row('Ann', 'On leave'), row('Bo', 'on leave'), row('Flo'));
  assert.deepEqual([again.code, counted.exec(again.text)?.slice(1)], [0, ['2', 'On leave 2']], again.text);
  // What an `except` names is decided.
  settings('only: [{ column: Status, in: [Active] }], except: [{ column: Status, in: [Furlough] }]');
  const named = await sync(row('Flo', 'Furlough'), row('Eve'));
  assert.deepEqual([named.code, counted.test(named.text)], [0, false], named.text);
});

test('a word by which `only` leaves out nobody but people who were in the last roster is asked about once', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    `sources:
  staff: { file: ./staff.csv, settle: 1ms, snapshot: true, groups: [{ column: Team }], only: [{ column: Country, in: [DK] }],
    departed: { group: Leavers, after: 1 }, guards: { invites: off } }
`,
  );
  const from = (name: string, country: string): string => `${row(name)},${country}`;
  const sync = async (...rows: string[]) => {
    place.write('staff.csv', [`${head},Country`, ...rows, ''].join('\n'));
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    const said = ended.stderr.replaceAll(/\s+/g, ' ');
    return [ended.code, value.plan.departed, /departed: Country of \d rows? .*? says ([^,]*),/.exec(said)?.[1]];
  };
  const others = [from('Cy', 'SE'), from('Flo', 'SE')];
  assert.deepEqual(await sync(from('Ann', 'DK'), from('Bo', 'DK'), from('Di', 'DK'), ...others), [0, 0, undefined]);
  // Others are left out by that word, as they were before.
  assert.deepEqual(await sync(from('Ann', 'DK'), from('Bo', 'DK'), from('Di', 'SE'), ...others), [0, 1, undefined]);
  const denmark = [from('Ann', 'Denmark'), from('Gus', 'Denmark'), from('Bo', 'DK'), ...others];
  assert.deepEqual(await sync(...denmark), [3, 1, 'Denmark 2']);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales']);
  // Until somebody has said that she has left, she is asked about again.
  assert.deepEqual(await sync(...denmark), [3, 1, 'Denmark 2']);
  assert.equal((await place.run('approve', 'latest', '--yes')).code, 0);
  assert.deepEqual(sandbox.user('ann@example.com')?.groups, ['Sales', 'Leavers']);
  assert.deepEqual(await sync(from('Bo', 'Denmark'), from('Eve', 'DK'), ...others), [0, 1, undefined]);
});

test('a group that shrinks by design is asked about once; what it loses in one night is asked about each time', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write(
    'roster-sync.yaml',
    'sources:\n  staff: { file: ./staff.csv, settle: 1ms, groups: [{ column: Team }], guards: { invites: off } }\n',
  );
  const people = Array.from({ length: 300 }, (_, at) => `P${at}`);
  /** The roster of a night so many days ago, in which so many are new starters. */
  const night = async (days: number, starters: number) => {
    const rows = people.map((name, at) => (at < starters ? row(name).replace('Sales', 'New starters') : row(name)));
    place.write('staff.csv', [head, ...rows, ''].join('\n'));
    const { ended, value } = await place.json('sync', 'staff', '--yes', '--no-canary');
    if (ended.code === 3) assert.equal((await place.run('approve', value.run, '--yes')).code, 0);
    await place.letGo();
    const { pool, close } = await openEmbedded(join(place.data, 'ledger'));
    await pool.query(`update runs set created_at = now() - $2 * interval '1 day' where id = $1`, [value.run, days]);
    await close();
    const said = ended.stderr.replaceAll(/\s+/g, ' ');
    return [ended.code, /"New starters" has (\d+), (in the last 14 days|usually)/.exec(said)?.slice(1)];
  };
  assert.deepEqual(await night(6, 100), [0, undefined]);
  assert.deepEqual(await night(5, 80), [0, undefined]);
  assert.deepEqual(await night(4, 69), [3, ['69', 'in the last 14 days']]);
  assert.deepEqual(await night(3, 49), [0, undefined]);
  assert.deepEqual(await night(2, 40), [0, undefined], 'it has lost 42 % since the approval');
  assert.deepEqual(await night(1, 10), [3, ['10', 'usually']]);
});

test('R10: fewer files with names of their own each night are held; a complete set, or an approved one, counts who left', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const configure = (shrink: string): void => {
    place.write(
      'roster-sync.yaml',
      `sources:
  staff: { file: './in-*.csv', pick: all, settle: 1ms, snapshot: true, groups: [{ column: Team }],
    departed: { group: Leavers, after: 1 }, guards: { invites: off, departed: off${shrink} } }
`,
    );
  };
  configure('');
  let night = 0;
  let written: string[] = [];
  const sync = async (...files: string[][]) => {
    night += 1;
    for (const name of written) rmSync(join(place.folder, name));
    written = files.map((_, at) => `in-${'kqz'[at]}${'ghjlmnp'[night]}x.csv`);
    for (const [at, name] of written.entries())
      place.write(name, [head, ...(files[at] ?? []).map((person) => row(person)), ''].join('\n'));
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    return { code: ended.code, text: ended.stderr, departed: value.plan.departed };
  };
  assert.equal((await sync(['Ann', 'Bo'], ['Cy', 'Di'], ['Eve'])).code, 0);
  const fewer = await sync(['Ann', 'Bo'], ['Cy', 'Di', 'Flo']);
  assert.deepEqual([fewer.code, fewer.departed], [3, 0], fewer.text);
  assert.match(fewer.text, /had\s+3\s+files,\s+this\s+one\s+has\s+2,\s+and\s+these\s+are\s+new:/);
  // Nothing of it counts: the next complete set is judged as if it had not been.
  const whole = await sync(['Ann'], ['Cy', 'Di'], ['Eve']);
  assert.deepEqual([whole.code, whole.departed], [0, 1], whole.text);
  // Also one that would send nobody.
  assert.deepEqual((await sync(['Ann'], ['Cy', 'Di'])).code, 3);
  assert.equal((await place.run('approve', 'latest', '--yes')).code, 0);
  const after = await sync(['Ann'], ['Cy', 'Di']);
  assert.deepEqual([after.code, after.departed], [0, 1], after.text);
  configure(', shrink: off');
  assert.equal((await sync(['Ann', 'Cy', 'Di'])).code, 0, 'the guard is off');
});

test('R10: a sheet that is emptied makes nobody a leaver, and one that is gone is asked about', async (t) => {
  const sandbox = await openSandbox(t, { assumptions: { forceSyncRemoves: 'all' } });
  const place = await openPlace(envOf(sandbox), { here: true });
  const configure = (shrink = ''): string =>
    place.write(
      'roster-sync.yaml',
      `sources:
  teams: { file: ./teams.xlsx, settle: 1ms, snapshot: true, read: { allSheets: true }, groups: [{ column: _sheet }],
    departed: { group: Leavers, forceSync: true, after: 1 }, guards: { invites: off${shrink} } }
`,
    );
  configure();
  const titles = ['First Name', 'Last Name', 'Work Email'];
  const sync = async (teams: Record<string, string[]>) => {
    const sheets = Object.entries(teams).map(([name, people]) => ({
      name,
      rows: textRows([titles, ...people.map((person) => [person, 'Ek', `${person.toLowerCase()}@example.com`])]),
    }));
    writeFileSync(join(place.folder, 'teams.xlsx'), workbookOf({ sheets }));
    const { ended, value } = await place.json('sync', 'teams', '--yes');
    return { code: ended.code, departed: value.plan.departed, text: ended.stderr };
  };
  const staff = { Sales: ['Ann', 'Bo', 'Cy'], IT: ['Di', 'Eve', 'Flo'], Board: ['Gus'] };
  assert.equal((await sync(staff)).code, 0);
  const emptied = await sync({ ...staff, Board: [] });
  assert.deepEqual([emptied.code, emptied.departed], [0, 0], emptied.text);
  assert.match(emptied.text, /"Board"\s+has\s+a\s+header\s+and\s+nobody\s+below\s+it/);
  const { Board: _, ...others } = staff;
  const gone = await sync(others);
  assert.deepEqual([gone.code, gone.departed], [3, 0], gone.text);
  assert.match(gone.text, /1\s+sheet\s+of\s+the\s+last\s+roster\s+is\s+gone:\s+"…"/);
  assert.equal((await place.run('approve', 'latest', '--yes')).code, 0);
  const after = await sync(others);
  assert.deepEqual([after.code, after.departed], [0, 1], after.text);
  configure(', shrink: off');
  assert.equal((await sync({ ...others, Legal: ['Hal'] })).code, 0);
  const unasked = await sync({ ...others, IT: [...staff.IT, 'Ida'] });
  assert.deepEqual([unasked.code, unasked.departed], [0, 0], unasked.text);
  assert.match(unasked.text, /1\s+sheet\s+of\s+the\s+last\s+roster\s+is\s+gone/);
});

test('a bundle that lacks a file is held: what it said may have left people out', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  mkdirSync(join(place.folder, 'sis'));
  place.write(
    'roster-sync.yaml',
    `sources:
  school: { file: ./sis, settle: 1ms, groups: [{ always: School }], except: [{ column: roles, in: [parent] }], guards: { invites: off, new: off } }
`,
  );
  const users = ['ann', 'bo', 'cy'].map((name) => `${name},active,true,${name},${name},Ek,${name}@example.com`);
  place.write(
    'sis/users.csv',
    `sourcedId,status,enabledUser,username,givenName,familyName,email\n${users.join('\n')}\n`,
  );
  place.write(
    'sis/enrollments.csv',
    'sourcedId,classSourcedId,userSourcedId,role\ne1,c1,ann,student\ne2,c1,bo,student\n',
  );
  place.write(
    'sis/roles.csv',
    'sourcedId,userSourcedId,role,orgSourcedId\nr1,ann,student,o1\nr2,bo,student,o1\nr3,cy,parent,o1\n',
  );
  const sync = async () => (await place.json('sync', 'school', '--yes')).ended;
  assert.equal((await sync()).code, 0);
  rmSync(join(place.folder, 'sis/roles.csv'));
  const lacking = await sync();
  assert.equal(lacking.code, 3, lacking.stderr);
  assert.match(lacking.stderr, /1\s+file\s+of\s+the\s+last\s+roster\s+is\s+gone/);
  assert.equal(sandbox.user('cy@example.com'), undefined);
});

test('R10: nobody counts as missing, from the roster or from a group, where a row of a joined file cannot be read', async (t) => {
  const sandbox = await openSandbox(t, { assumptions: { forceSyncRemoves: 'all' } });
  const place = await openPlace(envOf(sandbox), { here: true });
  mkdirSync(join(place.folder, 'hr'));
  const joined = (column: string): string =>
    `${column}: [{ from: Id, steps: [{ file: jobs.csv, where: Person, take: ${column} }] }]`;
  place.write(
    'roster-sync.yaml',
    `sources:
  staff:
    file: hr
    settle: 1ms
    snapshot: true
    read: { join: { people: [{ file: people.csv, columns: { ${joined('State')}, ${joined('Team')} } }] } }
    deliver: { forceSync: true }
    only: [{ column: State, in: [Active] }]
    groups: [{ column: Team, split: ';' }]
    departed: { group: Leavers, forceSync: true, after: 1 }
    guards: { invites: off, departed: off }
`,
  );
  const people = Array.from({ length: 20 }, (_, at) => `${at},Ann${at},Ek,ann${at}@example.com`);
  const sync = async (...last: string[]) => {
    const jobs = people.slice(1).map((_, at) => `${at},Active,Red`);
    place.write('hr/people.csv', `Id,First name,Last name,Email\n${people.join('\n')}\n`);
    place.write('hr/jobs.csv', `Person,State,Team\n${[...jobs, ...last].join('\n')}\n`);
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return { ...value, text: ended.stderr };
  };
  assert.equal((await sync('0,Active,Blue', '19,Active,Red')).outcome.succeeded, 20);
  const { plan, roster, text } = await sync('0,"Act"ive,Blue', '19,"Act"ive,Red');
  assert.deepEqual([plan.departed, roster.filtered], [0, 1]);
  assert.match(text, /nobody counts as missing from this roster/);
  assert.deepEqual(sandbox.user('ann0@example.com')?.groups, ['Red', 'Blue']);
});
