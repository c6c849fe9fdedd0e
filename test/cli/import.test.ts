import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { parseBaseUrl } from '../../src/service/settings.ts';
import { person, releasePeople } from '../contract/plans.ts';
import { csvOf, envOf, openPlace, type Place, type RunJson } from '../support/cli.ts';

const samples = join(import.meta.dirname, '../../../shared/data');

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

async function countRuns(): Promise<number> {
  return (await place.listRuns()).length;
}

describe('importing a roster', () => {
  it('sends one call per person; the same file again sends nothing; --all sends everything again', async () => {
    place.write('twice.csv', csvOf(6, { domain: 'twice.example' }));
    const first = await place.json('import', 'twice.csv', '--yes');
    assert.equal(first.ended.code, 0, first.ended.stderr);
    assert.deepEqual([first.value.plan.new, first.value.calls, sandbox.calls.length], [6, 6, 6]);
    sandbox.clearCalls();
    const second = await place.json('import', 'twice.csv', '--yes');
    assert.equal(second.ended.code, 0, second.ended.stderr);
    assert.deepEqual([second.value.plan.unchanged, second.value.calls, sandbox.calls.length], [6, 0, 0]);
    assert.equal(second.value.status, 'finished');
    const all = await place.json('import', 'twice.csv', '--all', '--yes');
    assert.deepEqual([all.value.plan.unchanged, all.value.calls, sandbox.calls.length], [6, 6, 6]);
  });

  it('R11: with another service’s address everybody is new, in the same data directory; back at the first nobody is', async () => {
    const other = await startSandbox();
    place.write('moved.csv', csvOf(4, { domain: 'moved.example' }));
    await place.json('import', 'moved.csv', '--yes');
    place.env['ROSTER_SYNC_BASE_URL'] = other.url;
    const there = await place.json('import', 'moved.csv', '--yes');
    place.env['ROSTER_SYNC_BASE_URL'] = `${sandbox.url}/`;
    const back = await place.json('import', 'moved.csv', '--yes');
    place.env['ROSTER_SYNC_BASE_URL'] = sandbox.url;
    await other.close();
    assert.deepEqual([there.value.plan.new, other.calls.length], [4, 4]);
    assert.deepEqual([back.value.plan.unchanged, back.value.calls, sandbox.calls.length], [4, 0, 4]);
  });

  it('is refused while an interrupted run of its source is not finished, with how to go on', async () => {
    await place.letGo();
    const { pool, close } = await openEmbedded(join(place.data, 'ledger'));
    const ledger = await openLedger(pool, { worker: 'gone', lossPolicy: { forMs: 0, onLoss: () => {} } });
    const { address: service } = parseBaseUrl(sandbox.url);
    const run = await releasePeople(ledger, { service, source: 'busy', people: [person('busy', 'Sales')] });
    await close();
    place.write('busy.csv', csvOf(1, { domain: 'busy.example' }));
    const { code, stderr } = await place.run('import', 'busy.csv', '--yes');
    assert.equal(code, 5, stderr);
    assert.match(
      stderr,
      new RegExp(`Run ${run} of busy was interrupted.*: \`roster-sync resume ${run}\` continues it`),
    );
    assert.equal((await place.run('cancel', run)).code, 0);
  });

  it('sends exactly the bodies of the interface, and nothing else', async () => {
    place.write(
      'bodies.csv',
      'First Name,Last Name,Work Email,Mobile,Department,Secret\n' +
        'Åse,Lindqvist, Ase@Bodies.Example ,+46 70 123,Sales;Sweden,x\nBo,Ek,bo@bodies.example,,Sales,x\n',
    );
    const flags = ['--group', 'Everyone', '--group-column', 'Department', '--yes', '--force-sync', '--no-invite'];
    const { ended } = await place.json('import', 'bodies.csv', ...flags);
    assert.equal(ended.code, 0, ended.stderr);
    const bodies = sandbox.calls
      .toSorted((a, b) => (a.email ?? '').localeCompare(b.email ?? ''))
      .map(({ body }) => body);
    assert.deepEqual(bodies, [
      {
        groups: ['Everyone', 'Sales', 'Sweden'],
        user: { firstname: 'Åse', lastname: 'Lindqvist', email: 'Ase@Bodies.Example', telephone: '+46 70 123' },
        invite: false,
        forceSync: true,
      },
      {
        groups: ['Everyone', 'Sales'],
        user: { firstname: 'Bo', lastname: 'Ek', email: 'bo@bodies.example' },
        invite: false,
        forceSync: true,
      },
    ]);
    assert.deepEqual(
      new Set(sandbox.calls.map(({ method, path }) => `${method} ${path}`)),
      new Set(['POST /v1/groups/insert']),
    );
  });

  it('prints with --json one document of exactly the documented keys, which the service’s own count confirms', async () => {
    place.write('keys.csv', csvOf(5, { domain: 'keys.example' }) + 'No,Mail,,,Staff\n');
    sandbox.assign({ firstname: 'First1', lastname: 'Last1', email: 'person1@keys.example' }, ['Odd']);
    const before = sandbox.stats().inserts;
    const { ended, value } = await place.json('import', 'keys.csv', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    const documented =
      'version run source mode dryRun service roster plan outcome groups inserts warnings calls durationMs status'.split(
        ' ',
      );
    assert.deepEqual(Object.keys(value), documented);
    assert.deepEqual(Object.keys(value.roster), ['rows', 'members', 'merged', 'filtered', 'rejects']);
    assert.deepEqual(Object.keys(value.plan), 'new changed again unchanged later departed leftBehind'.split(' '));
    assert.deepEqual(Object.keys(value.outcome), 'succeeded partial failed unknown superseded cancelled'.split(' '));
    assert.deepEqual(value.groups, [
      { group: 'Staff', calls: 5, inserts: 5, warnings: 0, failures: 0 },
      { group: 'Odd', calls: 2, inserts: 1, warnings: 1, failures: 0 },
    ]);
    assert.deepEqual([value.calls, value.inserts, value.warnings], [5, 6, 1]);
    assert.equal(value.inserts, sandbox.stats().inserts - before);
    assert.deepEqual(value.roster, { rows: 6, members: 5, merged: 0, filtered: 0, rejects: 1 });
    const { details, ...shown } = (
      await place.json<RunJson & { details: { approvals: object[]; noticed: object[] } }>('show', value.run)
    ).value;
    assert.deepEqual(shown, value);
    assert.deepEqual([details.approvals.length, details.noticed.length], [1, 1]);
  });

  it('does the same with a sample of a real product as with made-up people', async (test) => {
    const file = join(samples, 'adobe-user-sync/users-file.csv');
    if (!existsSync(file)) return test.skip('the shared samples are not beside this checkout');
    const { ended, value } = await place.json('import', file, '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    const stats = sandbox.stats();
    assert.deepEqual([value.calls, value.inserts, value.warnings], [stats.calls, stats.inserts, stats.warnings]);
    assert.equal(
      value.roster.rows,
      value.roster.members + value.roster.merged + value.roster.filtered + value.roster.rejects,
    );
  });

  it('rejects who has half of a character in the address: rows add up, and nobody takes somebody else’s place', async () => {
    const person = (email: string): string => `{"firstname":"A","lastname":"B","email":"${email}","group":"Staff"}`;
    const halves = ['a\\ud800b@half.example', 'a\\ud801b@half.example', 'a\\udfffb@half.example'].map(person);
    place.write('halves.json', `[${[...halves, person('ab@half.example')].join(',')}]`);
    const { ended, value } = await place.json('import', 'halves.json', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(value.roster, { rows: 4, members: 1, merged: 0, filtered: 0, rejects: 3 });
    assert.deepEqual(
      sandbox.calls.map(({ email }) => email),
      ['ab@half.example'],
    );
  });

  it('shows plan, result and what to do next for people, and says so of a new data directory', async () => {
    const bare = await openPlace(envOf(sandbox), { bare: true });
    bare.write('new.csv', csvOf(3, { domain: 'new.example' }));
    const { code, stdout, stderr } = await bare.run('import', 'new.csv', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Source new \(new\.csv\) -> service http:\/\/127\.0\.0\.1:\d+\n +nobody is known here yet/);
    assert.match(stdout, /Done +3 succeeded, 0 partial, 0 failed, 0 unknown; 4 inserts, 0 warnings +run [\da-f]{8}\n/);
    assert.match(stdout, /\nNext: +no rejects; nothing else to do\n$/);
    assert.equal(statSync(bare.data).mode & 0o777, 0o700);
    const open = readdirSync(bare.data, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0);
    assert.deepEqual(open, [], 'nobody else may read or enter anything in it');
    assert.equal(statSync(join(bare.data, 'backup/people.ndjson.gz')).mode & 0o777, 0o600);
  });

  it('the files of two months are one source, so an address that changed waits for somebody to say what it is', async () => {
    const months = await openPlace(envOf(sandbox), { here: true });
    const rows = (last: string): string =>
      `Employee ID,First Name,Last Name,Email,Department\n1001,Bob,Roe,bob@months.example,IT\n1042,Ann,${last},ann.${last}@months.example,IT\n`;
    months.write('crew-2026-10.csv', rows('Oldname'));
    months.write('crew-2026-11.csv', rows('Newname'));
    const first = await months.json('import', 'crew-2026-10.csv', '--yes', '--group-column', 'Department');
    assert.deepEqual([first.ended.code, first.value.source, first.value.calls], [0, 'crew', 2], first.ended.stderr);
    const { value } = await months.json('import', 'crew-2026-11.csv', '--yes', '--group-column', 'Department');
    assert.deepEqual([value.source, value.plan.new, value.roster.rejects, value.calls], ['crew', 0, 1, 0]);
    assert.match(
      months.read(`.roster-sync/rejects/${value.run}-rejects.csv`),
      /Newname.*employee 1042 was ann.oldname@months.example/,
    );
  });
});

describe('importing a part', () => {
  let runs: number;
  before(async () => {
    runs = await countRuns();
  });

  it('--only sends the people named, whatever the case of their address; the others count as filtered', async () => {
    place.write('only.csv', csvOf(8, { domain: 'only.example' }));
    const { ended, value } = await place.json('import', 'only.csv', '--only', 'PERSON3@only.example', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual(
      sandbox.calls.map(({ email }) => email),
      ['person3@only.example'],
    );
    assert.deepEqual(value.roster, { rows: 8, members: 1, merged: 0, filtered: 7, rejects: 0 });
    const rest = await place.json('import', 'only.csv', '--yes');
    assert.deepEqual([rest.value.plan.new, rest.value.plan.unchanged], [7, 1]);
  });

  it('--only of somebody who is not in the roster is refused: exit 2, nothing sent, nothing kept', async () => {
    const { code, stderr } = await place.run('import', 'only.csv', '--only', 'nobody@only.example', '--yes');
    assert.equal(code, 2);
    assert.match(stderr, /no usable row for nobody@only\.example/);
    assert.equal(sandbox.calls.length, 0);
  });

  it('a flag that narrows is not empty: exit 2, nothing sent, nothing kept', async () => {
    for (const flag of ['--only', '--group', '--group-column']) {
      const { code, stderr } = await place.run('import', 'only.csv', flag, '', '--yes');
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`'${flag} <.*' argument '' is invalid. It is empty. Name something, or leave`));
    }
    assert.equal(sandbox.calls.length, 0);
  });

  it('--max-invitations holds a plan with more, whoever said yes, and lets one with as many go', async () => {
    place.write('bounded.csv', csvOf(4, { domain: 'bounded.example' }));
    const more = await place.json('import', 'bounded.csv', '--yes', '--max-invitations', '3');
    assert.deepEqual([more.ended.code, more.value.status, sandbox.calls.length], [3, 'held', 0], more.ended.stderr);
    assert.match(more.ended.stderr, /up to 4 people would be invited by e-mail, but the limit is 3 /);
    await place.run('cancel', more.value.run);
    const none = await place.json('import', 'bounded.csv', '--yes', '--max-invitations', '0', '--no-invite');
    assert.deepEqual([none.ended.code, sandbox.calls.length], [0, 4], none.ended.stderr);
    place.write('bounded-2.csv', csvOf(3, { domain: 'bounded-2.example' }));
    const asMany = await place.json('import', 'bounded-2.csv', '--yes', '--max-invitations', '3');
    assert.deepEqual([asMany.ended.code, sandbox.calls.length], [0, 7], asMany.ended.stderr);
    const odd = await place.run('import', 'bounded.csv', '--yes', '--max-invitations', 'many');
    assert.equal(odd.code, 2);
    assert.match(odd.stderr, /--max-invitations/);
  });

  it('a path or link is not a source name: exit 2, nothing read', async () => {
    place.write('...csv', csvOf(1));
    for (const [words, said] of [
      [
        ['only.csv', '--source', '..'],
        /^--source: "\.\." cannot name a source: the name of a source begins with a letter/,
      ],
      [['only.csv', '--source', '[a](http://evil.example)'], /^--source: "\[a\]\(http:.*cannot name a source/],
      [['...csv'], /^\.\.\.csv: "\.\." cannot name a source: .* Give it one with --source NAME\. Nothing was read\.$/m],
    ] as const) {
      const { code, stderr } = await place.run('import', ...words, '--yes');
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
    assert.equal(sandbox.calls.length, 0);
  });

  it('--dry-run needs no service and no data directory, and leaves nothing behind', async () => {
    const bare = await openPlace({}, { bare: true, here: true });
    bare.write('dry.csv', csvOf(3, { domain: 'dry.example' }));
    const { ended, value } = await bare.json('import', 'dry.csv', '--dry-run');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.dryRun, value.plan.new, value.calls], [true, 3, 0]);
    assert.match(ended.stderr, /Nothing was sent/);
    assert.equal(existsSync(bare.data), false);
  });

  it('a packed file is the same source as the file in it', async () => {
    place.write('packed.csv.gz', gzipSync(csvOf(2, { domain: 'packed.example' })));
    const { value } = await place.json('import', 'packed.csv.gz', '--dry-run');
    assert.deepEqual([value.source, value.roster.members], ['packed', 2]);
  });

  it('--dry-run in a known data directory changes nothing there', async () => {
    place.write('dry.csv', csvOf(3, { domain: 'dry.example' }));
    const { code, stdout } = await place.run('import', 'dry.csv', '--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /Plan +3 new/);
    assert.equal(sandbox.calls.length, 0);
  });

  it('without a terminal and without --yes the plan is printed: exit 2, nothing sent, nothing kept', async () => {
    place.write('ask.csv', csvOf(3, { domain: 'ask.example' }));
    const { code, stdout, stderr } = await place.run('import', 'ask.csv');
    assert.equal(code, 2);
    assert.match(stdout, /Plan +3 new/);
    assert.match(stderr, /no terminal to ask you on.*--yes/);
    assert.equal(sandbox.calls.length, 0);
  });

  it('what was refused, rehearsed or not agreed to has left no run behind', async () => {
    assert.equal(await countRuns(), runs + 5);
  });
});

describe('a report file', () => {
  let runs: number;
  before(async () => {
    runs = await countRuns();
  });

  it('has a line per person and group as CSV, and the same rows as JSON', async () => {
    place.write('report.csv', csvOf(3, { domain: 'report.example' }));
    const { code, stderr } = await place.run('import', 'report.csv', '--yes', '--report', 'out.csv');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /The report is in out\.csv\.\n$/);
    const lines = place.read('out.csv').trim().split(/\r?\n/);
    assert.equal(lines.length, 5);
    assert.match(lines[0] ?? '', /email,firstname,lastname,group,outcome,status,inserts,warnings,attempts,hash/);
    assert.match(lines[1] ?? '', /^person0@report\.example,First0,Last0,Staff,succeeded,success,1,0,1,[\da-f]{32},/);
    const shown = await place.run('show', 'latest', '--report', 'out.json');
    assert.equal(shown.code, 0, shown.stderr);
    const { run, rows } = JSON.parse(place.read('out.json')) as {
      run: { status: string; approvals: { by: string }[] };
      rows: { email: string; group: string }[];
    };
    assert.equal(run.status, 'finished');
    assert.deepEqual(
      rows.map(({ email, group }) => `${email} ${group}`),
      [
        'person0@report.example Staff',
        'person1@report.example Staff',
        'person1@report.example Odd',
        'person2@report.example Staff',
      ],
    );
    const page = await place.run('show', 'latest', '--report', 'out.html');
    assert.equal(page.code, 0, page.stderr);
    assert.match(place.read('out.html'), /^<!doctype html>[^]*person2@report\.example[^]*<\/html>\n$/);
    assert.equal(statSync(join(place.folder, 'out.csv')).mode & 0o777, 0o600);
  });

  for (const [what, path] of [
    ['of an unknown format', 'out.ods'],
    ['in a folder that is not there', 'nowhere/out.csv'],
    ['that is a folder', 'folder.csv'],
  ] as const) {
    it(`${what} is refused before anything is sent`, async () => {
      place.write('late.csv', csvOf(3, { domain: 'late.example' }));
      mkdirSync(join(place.folder, 'folder.csv'), { recursive: true });
      const { code, stderr } = await place.run('import', 'late.csv', '--yes', '--report', path);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /cannot be written|--report/);
      assert.equal(sandbox.calls.length, 0);
    });
  }

  it('that was refused has left no run behind', async () => {
    assert.equal(await countRuns(), runs + 1);
  });
});

describe('the JSON of a run', () => {
  it('is the same object for import, show and resume, and runs lists them newest first', async () => {
    const runs = await place.listRuns();
    assert.ok(runs.length > 5);
    const times = runs.map(({ startedAt }) => startedAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.deepEqual(
      Object.keys(runs[0] ?? {}),
      'run source trigger status startedAt finishedAt roster plan outcome inserts warnings calls pending held'.split(
        ' ',
      ),
    );
  });
});
