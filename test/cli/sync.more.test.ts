import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place } from '../support/cli.ts';
import { bytesIn } from '../support/encoded-lists.ts';

let sandbox: Sandbox;
let place: Place;

const config = `
sources:
  staff:
    file: ./staff.csv
    members: { lastname: { template: "{Prefix} {Last Name}" }, telephone: { column: Mobile, country: DK } }
    only: [{ column: Status, in: [Active, On leave] }]
    groups:
      - { column: Department }
      - { column: Teams, split: "#" }
      - { when: { column: Title, matches: "(?i)manag" }, add: Managers }
    rename: { Prod.: Production }
    allow: { groups: { except: [Executives] }, emails: { domains: [example.com] } }
    deliver: { invite: false, forceSync: true, rate: 100 }
    guards: { invites: off, wrongFile: off }
  ids:
    file: ./ids.csv
    guards: { invites: off, wrongFile: off }
  outs:
    file: ./outs.csv
    groups: [{ column: Department }]
    allow: { people: { except: ["1042"] } }
    guards: { invites: off, wrongFile: off }
  plain:
    file: ./plain.csv
    snapshot: true
    guards: { invites: off, wrongFile: off }
  both:
    file: ./both-*.csv
    pick: all
    guards: { invites: off, wrongFile: off }
`;
const header = 'Employee ID,First Name,Prefix,Last Name,Work Email,Mobile,Department,Teams,Status,Title';

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
  place.write('roster-sync.yaml', config);
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

/** What was sent, by address: two calls may overtake each other on their way. */
function bodies(): unknown[] {
  const byAddress = sandbox.calls.toSorted((a, b) => ((a.email ?? '') < (b.email ?? '') ? -1 : 1));
  return byAddress.map(({ body }) => body);
}

describe('syncing a source of the config', () => {
  it('maps, filters and rejects as the source says, and delivers with its settings', async () => {
    place.write(
      'staff.csv',
      [
        header,
        '1,Ann,van der,Berg,Ann@example.com,20 12 34 56,Prod.,Sales#sales#Executives,Active,Manager',
        '2,Bo,,Ek,bo@example.com,no number,Sales,,On leave,',
        '3,Cy,,Ox,cy@gmail.com,,Sales,,Active,',
        '4,Di,,Pi,di@example.com,,Sales,,Terminated,',
        '5,Ed,,Qu,ed@example.com,,Executives,,Active,',
        '',
      ].join('\n'),
    );
    const { ended, value } = await place.json('sync', 'staff', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(value.roster, { rows: 5, members: 2, merged: 0, filtered: 1, rejects: 2 });
    assert.equal(value.source, 'staff');
    assert.deepEqual(bodies(), [
      {
        groups: ['Production', 'Sales', 'Managers'],
        user: { firstname: 'Ann', lastname: 'van der Berg', email: 'Ann@example.com', telephone: '+4520123456' },
        invite: false,
        forceSync: true,
      },
      {
        groups: ['Sales'],
        user: { firstname: 'Bo', lastname: 'Ek', email: 'bo@example.com' },
        invite: false,
        forceSync: true,
      },
    ]);
    assert.match(ended.stderr, /"sales" as "Sales"/);
    assert.match(ended.stderr, /allow\.groups leaves out "Executives" \(2 rows\)/);
    assert.match(
      ended.stderr,
      /1 telephone is left out: not a valid number, more than one, or with words beside it; the first: line 3/,
    );
    assert.match(ended.stderr, /100\/s/);
  });

  it('refuses opt-outs by an id where no column gives ids, and names one that nobody has', async () => {
    const outs = (...rows: string[]) => place.write('outs.csv', `${rows.join('\n')}\n`);
    outs('First Name,Last Name,Work Email,Department', 'Ann,Ek,ann@example.com,Sales');
    const refused = await place.run('sync', 'outs', '--dry-run');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /allow\.people\.except names "1042", but no column gives employee ids/);
    const withId = 'Employee ID,First Name,Last Name,Work Email,Department';
    outs(withId, '001042,Ann,Ek,ann@example.com,Sales');
    const other = await place.run('sync', 'outs', '--dry-run');
    assert.match(
      other.stdout.replaceAll(/\s+/g, ' '),
      /nobody in this roster has the employee id "…" of allow\.people\.except/,
    );
    outs(withId, '1042,Ann,Ek,ann@example.com,Sales', '7,Bo,Ek,bo@example.com,Sales');
    const left = await place.run('sync', 'outs', '--dry-run');
    assert.match(left.stdout, /2 rows = 1 used \+ 1 filtered/);
    assert.doesNotMatch(left.stdout + left.stderr, /nobody in this roster/);
    const [ann, cy] = ['Ann,Ek,ann@example.com', 'Cy,Ek,cy@example.com'];
    outs(withId, `,${ann},Brand`, `1042,${ann},Sales`, `,${ann},Design`, `7,${cy},Sales`, `,${cy},Design`);
    const { value } = await place.json('sync', 'outs', '--dry-run');
    const { rows, members, filtered } = value.roster;
    assert.deepEqual([rows, members, filtered], [5, 1, 3], 'nor is she sent for a row without her id');
  });

  it('gives a corrected file of rejects to the source of its run, with its mapping, and supersedes nobody', async () => {
    const rejects = join(place.data, 'rejects');
    const [name = ''] = readdirSync(rejects);
    const text = place.read(join('.roster-sync/rejects', name));
    place.write('corrected.csv', text.replace('cy@gmail.com', 'cy@example.com').replace('Executives', 'Board'));
    const { ended, value } = await place.json('import', 'corrected.csv', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(value.source, 'staff');
    assert.deepEqual(value.plan, { ...value.plan, new: 2, unchanged: 0 });
    assert.deepEqual(
      bodies().map((body) => (body as { groups: string[]; forceSync: boolean }).groups),
      [['Sales'], ['Board']],
    );
  });

  it('refuses a file of rejects in the place of its own roster', async () => {
    const roster = place.read('staff.csv');
    place.write('staff.csv', place.read('corrected.csv'));
    const ended = await place.run('sync', 'staff', '--yes');
    place.write('staff.csv', roster);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /is a file of rejects, not a roster of staff.*Nothing was sent/);
    assert.equal(sandbox.calls.length, 0);
  });

  it('keeps the groups’ spelling that the service was given, whatever the roster writes', async () => {
    place.write('staff.csv', `${header}\n9,Gus,,Ro,gus@example.com,,SALES,,Active,\n`);
    const { ended } = await place.json('sync', 'staff', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual((bodies()[0] as { groups: string[] }).groups, ['Sales']);
    assert.match(ended.stderr, /"SALES" as "Sales"/);
  });

  it('a flag goes before what the source says', async () => {
    place.write('staff.csv', `${header}\n10,Hal,,So,hal@example.com,,Sales,,Active,\n`);
    const { ended } = await place.json('import', 'staff.csv', '--no-force-sync', '--group', 'Only this', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    const [body] = bodies() as { groups: string[]; forceSync: boolean; invite: boolean }[];
    assert.deepEqual([body?.groups, body?.forceSync, body?.invite], [['Only this'], false, false]);
  });

  it('an unknown source name lists the existing sources', async () => {
    const ended = await place.alone('sync', 'stuff');
    assert.equal(ended.code, 2);
    assert.match(
      ended.stderr,
      /There is no source stuff in .*roster-sync\.yaml\. There are staff, ids, outs, plain, both\./,
    );
  });
});

describe('people whose identity changed', () => {
  const ids = (...rows: string[]): void => {
    place.write('ids.csv', `Employee ID,First Name,Last Name,Email,Group\n${rows.join('\n')}\n`);
  };
  const rejectsOf = async (run: string): Promise<string> => {
    await place.run('show', run, '--rejects', 'out.csv');
    return place.read('out.csv');
  };

  it('a new address of a known employee waits until somebody says what it is; the others are sent', async () => {
    ids('1,Ann,Ek,ann.ek@example.com,Staff', '2,Bo,Oh,bo.oh@example.com,Staff');
    await place.json('sync', 'ids', '--yes');
    ids('1,Ann,Lind,ann.lind@example.com,Staff', '2,Bo,Oh,bo.oh@example.com,Staff', '3,Cy,Pi,cy.pi@example.com,Staff');
    sandbox.clearCalls();
    const { ended, value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.roster.members, value.roster.rejects, value.calls], [2, 1, 1]);
    const last = ended.stderr.trimEnd().split('\n').at(-1) ?? '';
    assert.ok(last.includes(`1 reject to resolve (roster-sync resolve --run ${value.run}), or to correct`), last);
    assert.doesNotMatch(ended.stderr, /ann\.(ek|lind)@/, 'nobody is named where nobody may be');
    const rejects = await rejectsOf(value.run);
    assert.match(rejects, /^1,Ann,Lind,ann\.lind@example\.com,Staff,2,/m);
    assert.match(rejects, /employee 1 was ann\.ek@example\.com until now: waits until somebody says/);
  });

  it('resolve --renamed-there: what was given counts for the new address, so it is changed and not new', async () => {
    const resolved = await place.run('resolve', 'Ann.Ek@example.com', 'ann.lind@example.com', '--renamed-there');
    assert.equal(resolved.code, 0, resolved.stderr);
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.plan.changed, value.plan.new, value.plan.unchanged], [1, 0, 2]);
    assert.equal((bodies()[0] as { user: { email: string } }).user.email, 'ann.lind@example.com');
  });

  it('the old address in another source, or in a roster without ids, is not invited: its row waits, and its person has not left', async () => {
    const [header, ann, eve] = [
      'First Name,Last Name,Email,Group',
      'Ann,Ek,ann.ek@example.com,Staff',
      'Eve,Oh,eve@example.com,Staff',
    ];
    place.write('plain.csv', `${header}\n${ann.replace('ann.ek', 'ann.lind')}\n${eve}\n`);
    await place.json('sync', 'plain', '--yes');
    place.write('plain.csv', `${header}\n${ann}\n${eve}\n`);
    sandbox.clearCalls();
    const { ended, value } = await place.json('sync', 'plain', '--yes', '--verbose');
    assert.deepEqual([value.roster.rejects, value.plan.new, value.plan.departed, sandbox.calls.length], [1, 0, 0, 0]);
    assert.match(
      ended.stderr.replaceAll(/\s+/g, ' '),
      /renamed at the service, to ann\.lind@example\.com: correct it in the roster, or run `roster-sync resolve ann\.lind@example\.com ann\.ek@example\.com --new-account`/,
    );
    assert.match(await rejectsOf(value.run), /Ann,Ek,ann\.ek@example\.com,Staff,2,"?this address was renamed/);
  });

  it('resolve with a rule, a file or a run shows how many, five of them and what does not fit, and needs a yes', async () => {
    ids(...['Ann', 'Bo', 'Cy', 'Di', 'Ed', 'Fy'].map((name, at) => `${at + 11},${name},Oh,${name}@old.example,Staff`));
    await place.json('sync', 'ids', '--yes');
    const resolve = async (...words: string[]): Promise<ReturnType<typeof JSON.parse>> =>
      JSON.parse((await place.run('resolve', ...words, '--renamed-there', '--yes', '--json')).stdout);
    const asked = await place.run('resolve', '@OLD.example', '@new.example', '--renamed-there');
    assert.equal(asked.code, 2);
    assert.match(asked.stdout, /^6 moves: .*\n(  \w+@old\.example → \w+@new\.example\n){5}  and 1 more\n$/);
    assert.match(asked.stderr, /Nothing was changed: there is no terminal/);
    const done = await resolve('@OLD.example', '@new.example');
    assert.deepEqual([done.moves, done.isDone, done.sources, done.unfit], [6, true, ['ids'], []]);
    place.write(
      'moves.csv',
      '\ufeffOld;New\nann@new.example;anna@new.example\nbo@new.example;bo\nx@new.example;y@new.example\n',
    );
    const file = await resolve('--file', 'moves.csv');
    assert.equal(file.moves, 1);
    assert.deepEqual(
      file.unfit.map(({ old, why }: { old: string; why: string }) => [old, why]),
      [
        ['bo@new.example', 'no-address'],
        ['x@new.example', 'unknown'],
      ],
    );
    ids('11,Ann,Oh,ann@third.example,Staff', '12,Bo,Oh,bo@third.example,Staff', '13,Cy,Oh,cy@new.example,Staff');
    await place.json('sync', 'ids', '--yes');
    assert.equal((await resolve('--run', 'latest')).moves, 2);
    const again = await place.run('resolve', '--run', 'latest', '--renamed-there', '--yes');
    assert.match(again.stderr, /There is nothing to resolve at .*Nothing was changed\.\nNobody moves/);
    const several = await place.run('resolve', 'a@x.example', 'b@x.example', '--run', 'latest', '--new-account');
    assert.match(several.stderr, /Say who moves in one way/);
  });

  it('resolve --new-account: the new address is new, the old one is left, and neither waits again', async () => {
    ids('2,Bo,Oh,bo.new@example.com,Staff', '1,Ann,Lind,ann.lind@example.com,Staff');
    assert.equal((await place.json('sync', 'ids', '--yes')).value.roster.rejects, 1);
    const resolved = await place.alone('resolve', 'bo.oh@example.com', 'bo.new@example.com', '--new-account');
    assert.equal(resolved.code, 0, resolved.stderr);
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.plan.new, value.roster.rejects], [1, 0]);
    ids('2,Bo,Oh,bo.oh@example.com,Staff', '2,Bo,Oh,bo.new@example.com,Staff');
    const again = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([again.value.plan.unchanged, again.value.roster.rejects], [2, 0]);
  });

  it('an address that another employee has now waits too, and is new once it is resolved', async () => {
    ids('77,Ann,Lindgren,ann.lind@example.com,Staff');
    const run = await place.run('sync', 'ids', '--yes', '--verbose');
    assert.equal(run.code, 2, 'nobody else is in this roster');
    assert.match(
      run.stderr,
      /employee 1's and is employee 77's now: waits until somebody says whether they are two people/,
    );
    const resolved = await place.run('resolve', 'ann.lind@example.com', 'ann.lind@example.com', '--new-account');
    assert.equal(resolved.code, 0, resolved.stderr);
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.plan.new, value.roster.rejects], [1, 0]);
  });

  it('an address at which nothing ever arrived is fixed silently', async () => {
    sandbox.faults.add('status=400,email=typo@example.com');
    ids('50,Eva,Ek,typo@example.com,Staff');
    const first = await place.json('sync', 'ids', '--yes');
    sandbox.faults.clear();
    assert.equal(first.value.outcome.failed, 1);
    ids('50,Eva,Ek,eva@example.com,Staff');
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.plan.new, value.roster.rejects], [1, 0]);
  });

  it('a move away from an address of which a gateway did not hear waits: they may be in with it', async () => {
    sandbox.faults.add('status=504,apply=yes,email=late@example.com');
    place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'] = '1';
    ids('52,Ida,Ek,late@example.com,Staff');
    await place.json('sync', 'ids', '--yes');
    delete place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'];
    sandbox.faults.clear();
    ids('52,Ida,Ek,ida@example.com,Staff', '53,Ola,Ek,ola@example.com,Staff');
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.roster.rejects, value.calls], [1, 1]);
    assert.match(await rejectsOf(value.run), /employee 52 was late@example\.com until now: waits/);
  });

  it('a move to an address at which nothing arrived waits, unless both addresses are in the roster', async () => {
    ids('50,Eva,Ek,typo@example.com,Staff', '51,Fay,Ek,fay@example.com,Staff');
    const moved = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([moved.value.roster.rejects, moved.value.calls], [1, 1]);
    assert.match(await rejectsOf(moved.value.run), /employee 50 was eva@example\.com until now: waits/);
    ids('50,Eva,Ek,eva@example.com,Staff', '50,Eva,Ek,typo@example.com,Staff');
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.roster.rejects, value.plan.unchanged, value.plan.again], [0, 1, 1]);
  });

  it('a move waits with all rows of the person, whichever of them has the employee id', async () => {
    ids('60,Gil,Ro,gil@example.com,Staff');
    await place.json('sync', 'ids', '--yes');
    ids(',Gil,Ro,gil.ro@example.com,Staff', '60,Gil,Ro,gil.ro@example.com,Board', '61,Hal,Ro,hal@example.com,Staff');
    const { value } = await place.json('sync', 'ids', '--yes');
    assert.deepEqual([value.roster.members, value.roster.rejects, value.calls], [1, 2, 1]);
    const rejects = await rejectsOf(value.run);
    assert.match(
      rejects,
      /^,Gil,.*,Staff,2,.*employee 60 was gil@example\.com.*\n60,Gil,.*,Board,3,.*employee 60 was/m,
    );
  });

  it('somebody who stands in several files keeps each row, in its own words', async () => {
    const both = (one: string[], two: string[]): void => {
      for (const [name, rows] of Object.entries({ 'both-1.csv': one, 'both-2.csv': two })) {
        place.write(name, `Employee ID,First Name,Last Name,Email,Group\n${rows.join('\n')}\n`);
      }
    };
    both(['1,Ina,Ek,ina@two.example,Staff'], ['2,Jo,Oh,jo@two.example,Staff']);
    await place.json('sync', 'both', '--yes');
    both(
      ['1,Ina,Lind,ina.lind@two.example,Staff', '2,Jo,Oh,jo@two.example,Staff'],
      ['5,Kim,Pi,kim@two.example,Staff', '1,Ina,Lind,ina.lind@two.example,Night shift'],
    );
    const { value } = await place.json('sync', 'both', '--yes');
    assert.deepEqual(value.roster, { rows: 4, members: 2, merged: 0, filtered: 0, rejects: 2 });
    const rejects = await rejectsOf(value.run);
    assert.match(rejects, /^1,Ina,Lind,ina\.lind@two\.example,Staff,2,employee 1 was ina@two\.example/m);
    assert.match(rejects, /^1,Ina,Lind,ina\.lind@two\.example,Night shift,3,employee 1 was ina@two\.example/m);
  });

  it('resolve refuses an address nobody was ever sent as, and to guess which of the two it is', async () => {
    const unknown = await place.run('resolve', 'who@example.com', 'you@example.com', '--new-account');
    assert.deepEqual([unknown.code, unknown.stderr.includes('Nothing was changed')], [2, true]);
    assert.equal((await place.run('resolve', 'ann.lind@example.com', 'x@example.com')).code, 2);
  });
});

describe('syncing without a terminal', () => {
  let nights: Place;
  before(async () => {
    nights = await openPlace(envOf(sandbox), { here: true });
    const of = (file: string) => ({ file, guards: { invites: 'off', wrongFile: 'off' } });
    nights.write(
      'roster-sync.yaml',
      JSON.stringify({ sources: { staff: of('./staff.csv'), names: of('./names.csv'), polish: of('./polish.csv') } }),
    );
  });

  it('prints figures alone without a terminal, and names people only where --verbose or a dry run asks for it', async () => {
    nights.write(
      'names.csv',
      'First Name,Last Name,Work Email,Groups\nZoë,Secretperson,zoe@example.com,A\nYan,Secret,yan@,A\n',
    );
    const quiet = await nights.run('sync', 'names', '--yes', '--quiet');
    assert.match(quiet.stdout, /1 new, 0 changed/, quiet.stderr);
    assert.match(quiet.stdout, /Rejects: +1 row -> /);
    assert.doesNotMatch(quiet.stdout + quiet.stderr, /Secret|@/);
    for (const flag of ['--verbose', '--dry-run']) {
      const said = await nights.run('sync', 'names', '--yes', '--all', flag);
      assert.match(said.stdout, /e\.g\. Zoë Secretperson <zoe@example\.com>/);
      assert.match(said.stdout, /line 3 .*"yan@"/);
    }
  });

  const named = 'First Name,Last Name,Work Email,Groups,Employee ID';
  const unreadable: [what: string, content: string | Uint8Array, says: RegExp, words: RegExp][] = [
    ['nobody is usable', `${named}\nZoë,Secretperson,zoe.secret@,A,9\n`, /line 2: Work Email: "…" /, /zoe\.secret@/],
    [
      'somebody moved',
      `${named}\nZoë,Secretperson,zoe2@example.com,A,7\n`,
      /line 2: .* another address now/,
      /zoe2@example/,
    ],
    ['a header is missing', 'Zoë;Secretperson;Oslo\nYan;Secret;Rome\n', /columns are "…", "…", "…"/, /Secretperson/],
    [
      'a header of JSON is missing',
      JSON.stringify([{ 'zoe@example.com': 'yan@example.com', Secretperson: 'Secret', groups: 'A' }]),
      /addresses are in "…".*Columns found: "…", "…", "groups"/s,
      /Secretperson/,
    ],
    ['there is no delimiter', 'Zoë Secretperson\nYan Secret\n', /header "…": it has no comma/, /Secretperson/],
    [
      'its encoding is not clear',
      bytesIn(`${named}\nAna,Secretmuñoz,am@example.com,A,8\n`, 'windows-1252'),
      /in \d ways: as windows-1252/,
      /Secretmuñoz/,
    ],
  ];
  for (const [what, content, says, words] of unreadable) {
    it(`keeps words of the roster out of what it says without a terminal where ${what}, but for --verbose`, async () => {
      nights.write('staff.csv', `${named}\nZoë,Secretperson,zoe1@example.com,A,7\n`);
      assert.equal((await nights.run('sync', 'staff', '--yes')).code, 0);
      nights.write('staff.csv', content);
      const quiet = await nights.run('sync', 'staff', '--yes');
      assert.equal(quiet.code, 2, quiet.stdout);
      assert.match(quiet.stderr, says);
      assert.doesNotMatch(quiet.stdout + quiet.stderr, /Zoë|Yan|Secret|\w@\w/);
      assert.match((await nights.run('sync', 'staff', '--yes', '--verbose')).stderr, words);
      // What is kept of it goes into mails too.
      assert.doesNotMatch((await nights.run('runs', '--json')).stdout, /Secret|zoe/);
    });
  }

  it('shows no words of a roster of an encoding that was judged by them, without a terminal', async () => {
    nights.write('polish.csv', bytesIn(`${named}\nŁukasz,Śliwiński,ls@example.com,A,5\n`, 'windows-1250'));
    assert.doesNotMatch((await nights.run('sync', 'polish', '--yes')).stdout, /Łukasz|Śliwiński/);
    assert.match((await nights.run('sync', 'polish', '--dry-run', '--all')).stdout, /read as windows-1250: .*Łukasz/);
  });
});
