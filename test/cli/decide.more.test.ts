import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { envOf, openPlace, type Place, type RunJson, withoutTerminals } from '../support/cli.ts';

const header = 'First Name,Last Name,Work Email,Department,Status,Termination Date,Blocked\n';
const rows = [
  'Ann,Ek,ann@example.com,IT,Terminated,2025-01-02,Yes',
  'Bo,Ek,bo@example.com,IT,Active,,No',
  'Cy,Ek,cy@example.com,HR,Leaver,,',
  'Di,Ek,di@example.com,HR,On leave,,',
];
const roster = `${header}${rows.join('\n')}\n`;

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

const sentTo = (): string[] => sandbox.calls.map(({ email }) => email ?? '').toSorted();

describe('a roster with people who have left', () => {
  it('--dry-run shows the decision and ends with 3; with an answer it ends with 0', async () => {
    place.write('dry.csv', roster);
    const words = ['import', 'dry.csv', '--group-column', 'Department', '--dry-run'];
    const open = await place.run(...words);
    assert.equal(open.code, 3, open.stderr);
    assert.match(open.stdout, /Decide ! Status says who is not there: Terminated 1, Leaver 1\n/);
    assert.match(open.stdout, /! Blocked says who is not there: Yes 1\n/);
    assert.match(open.stdout, /! Termination Date is in the past in 1 row\n/);
    assert.match(open.stdout, /--only-active leaves them out, --everybody sends them\nNothing was sent\. Decide with/);
    const active = await place.run(...words, '--only-active');
    assert.equal(active.code, 0, active.stderr);
    assert.match(active.stdout, /4 rows = 2 used \+ 2 filtered/);
    const all = await place.run(...words, '--everybody');
    assert.equal(all.code, 0, all.stderr);
    assert.match(all.stdout, /4 rows = 4 used/);
    assert.doesNotMatch(active.stdout + all.stdout, /Decide/);
  });

  it('--only-active leaves a column to the rules of the source that judge it', async () => {
    const rule = 'only: [{ column: Status, in: [Active, On leave, Leaver] }]';
    place.write('ruled.yaml', `sources: { ruled: { file: ./ruled.csv, groups: [{ column: Department }], ${rule} } }\n`);
    place.write('ruled.csv', roster);
    const { code, stdout } = await place.run(
      'plan',
      'ruled.csv',
      '--source',
      'ruled',
      '--config',
      'ruled.yaml',
      '--only-active',
    );
    assert.equal(code, 0, stdout);
    assert.match(stdout, /4 rows = 3 used \+ 1 filtered/);
  });

  it('--only-active says what it is not sure of', async () => {
    place.write('unsure.csv', roster.replace('On leave', 'Bench').replace('2025-01-02', '02/03/2025'));
    const { code, stdout } = await place.run(
      ...['plan', 'unsure.csv', '--group-column', 'Department', '--only-active'],
    );
    assert.equal(code, 0, stdout);
    assert.match(stdout, /! Status has words that are not known: Bench 1; this person is sent/);
    assert.match(stdout, /! Termination Date is read as month\/day\/year, but no cell says which comes first\n/);
  });

  it('a job that begins later gives no groups yet, whichever row comes first', async () => {
    const rowsOf = (address: string, days: string[]): string =>
      days.map((day, at) => `Pia,Fox,${address},Job ${at + 1},${day}\n`).join('');
    place.write(
      'jobs.csv',
      `First Name,Last Name,Work Email,Department,Hire Date\n` +
        rowsOf('later@example.com', ['2020-01-01', '2090-01-01']) +
        rowsOf('first@example.com', ['2090-01-01', '2020-01-01']),
    );
    const { code, stdout } = await place.run('plan', 'jobs.csv', '--group-column', 'Department', '--only-active');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /<later@example\.com> -> Job 1\n/);
    assert.match(stdout, /<first@example\.com> -> Job 2\n/);
  });

  it('a contract that has ended gives no groups to somebody with another one, nor does it bring them back', async () => {
    const person = (name: string, ...contracts: string[]): string =>
      contracts.map((contract) => `${name},Fox,${name}@example.com,${contract}\n`).join('');
    const [old, single] = ['Old,2026-03-01,2020-12-31', 'Sales,2026-03-01,2020-12-31'];
    place.write(
      'contracts.csv',
      'First Name,Last Name,Work Email,Department,Rehire Date,End Date\n' +
        person('pia', old, 'New,2026-03-01,') +
        person('ola', single) +
        person('kim', old, 'New,2026-03-01,2026-06-30') +
        person('lea', 'New,2026-03-01,', old),
    );
    for (const rule of ['except', 'leavers']) {
      const rules = `groups: [{ column: Department }], ${rule}: [{ column: End Date, past: true }]`;
      place.write('contracts.yaml', `sources: { staff: { file: ./contracts.csv, ${rules} } }\n`);
      const { code, stdout } = await place.run('plan', 'staff', '--config', 'contracts.yaml');
      assert.equal(code, 0, stdout);
      assert.match(stdout, /7 rows = 3 used \+ 4 filtered/);
      for (const [name, groups] of [
        ['pia', 'New'],
        ['ola', 'Sales'],
        ['lea', 'New'],
      ])
        assert.match(stdout, new RegExp(`<${name}@example\\.com> -> ${groups}\n`));
    }
  });

  it('rules of the source settle only the columns, and the words, that they name', async () => {
    place.write('ruled.csv', roster);
    const source = (rules: string): string =>
      `sources: { ruled: { file: ./ruled.csv, groups: [{ column: Department }], ${rules} } }\n`;
    place.write('roster-sync.yaml', source('except: [{ column: Status, in: [Leaver] }]'));
    const asked = await place.run('plan', 'ruled');
    assert.equal(asked.code, 3, asked.stdout);
    assert.match(
      asked.stdout,
      /Decide ! Status says who is not there: Terminated 1\n *! Blocked says who is not there: Yes 1\n *! Termination/,
    );
    place.write(
      'roster-sync.yaml',
      source(
        'except: [{ column: Blocked, is: true }, { column: Termination Date, past: true }, { column: Status, in: [Leaver] }]',
      ),
    );
    const settled = await place.run('plan', 'ruled');
    assert.equal(settled.code, 0, settled.stdout);
    rmSync(join(place.folder, 'roster-sync.yaml'));
  });

  it('a word that the rules of a source do not name is asked about', async () => {
    const status = (word: string) =>
      `First name,Last name,Email,Team,Status\nAnn,Ek,ann.s@example.com,IT,Active\nBo,Ny,bo.s@example.com,IT,${word}\n`;
    const rules = 'groups: [{ column: Team }], except: [{ column: Status, in: [Terminated] }]';
    place.write('roster-sync.yaml', `sources: { words: { file: ./words.csv, ${rules} } }\n`);
    for (const [word, code] of [
      ['terminated', 0],
      ['On leave', 0],
      ['Resigned', 3],
    ] as const) {
      place.write('words.csv', status(word));
      const planned = await place.run('plan', 'words');
      assert.equal(planned.code, code, planned.stdout);
    }
    rmSync(join(place.folder, 'roster-sync.yaml'));
  });

  it('without a terminal it is held, also with --yes: exit 3, nothing sent; --only-active and --everybody are answers', async () => {
    place.write('held.csv', roster);
    const words = ['import', 'held.csv', '--group-column', 'Department'];
    for (const flags of [[], ['--yes']]) {
      const { code, stdout } = await place.run(...words, ...flags);
      assert.equal(code, 3, stdout);
      assert.match(stdout, /! everybody: Status says who is not there: Terminated 1, Leaver 1;/);
      assert.deepEqual(sentTo(), []);
    }
    const active = await place.json(...words, '--yes', '--only-active');
    assert.equal(active.ended.code, 0, active.ended.stderr);
    assert.deepEqual(active.value.roster, { rows: 4, members: 2, merged: 0, filtered: 2, rejects: 0 });
    assert.deepEqual(sentTo(), ['bo@example.com', 'di@example.com']);
    sandbox.clearCalls();
    const all = await place.json(...words, '--yes', '--everybody');
    assert.equal(all.ended.code, 0, all.ended.stderr);
    assert.deepEqual(sentTo(), ['ann@example.com', 'cy@example.com']);
    sandbox.clearCalls();
    const again = await place.json(...words, '--yes');
    assert.equal(again.ended.code, 0, 'nobody would be sent, so there is nothing to decide');
  });

  it('an approval sends them: whoever approves has decided', async () => {
    place.write('approved.csv', roster.replaceAll('@example', '@approved.example'));
    const { value } = await place.json('import', 'approved.csv', '--group-column', 'Department', '--yes');
    assert.equal(value.status, 'held');
    const approved = await place.run('approve', value.run, '--yes');
    assert.equal(approved.code, 0, approved.stderr);
    assert.equal(sandbox.calls.length, 4);
  });

  it('the flags exclude each other, and --only-active needs a column that says it', async () => {
    place.write('plain.csv', 'First Name,Last Name,Work Email,Status\nAnn,Ek,ann@plain.example,A7\n');
    const words = ['import', 'plain.csv', '--group', 'All', '--yes'];
    const both = await place.run(...words, '--only-active', '--everybody');
    assert.deepEqual([both.code, /give one of them/.test(both.stderr)], [2, true], both.stderr);
    const vain = await place.run(...words, '--only-active');
    assert.deepEqual(
      [vain.code, /no column of plain\.csv says, in words that roster-sync knows, who has left/.test(vain.stderr)],
      [2, true],
    );
    assert.deepEqual(sentTo(), []);
  });

  it('a source is held until its settings have a filter or everybody: true', async () => {
    const source = (settings: string): string =>
      `sources:\n  staff:\n    file: ./staff.csv\n    settle: 1ms\n    groups: [{ column: Department }]\n${settings}`;
    place.write('staff.csv', roster.replaceAll('@example', '@source.example'));
    place.write('roster-sync.yaml', source(''));
    const held = await place.json('sync', 'staff', '--yes');
    assert.equal(held.ended.code, 3, held.ended.stderr);
    const { hold } = held.value as RunJson & { hold: { reasons: { guard: string; message: string }[] } };
    assert.ok(hold.reasons.some(({ guard, message }) => guard === 'everybody' && /Leaver 1/.test(message)));
    const planned = await place.json<{ decide: { column: string; rows: number }[] }>('plan', 'staff');
    assert.equal(planned.ended.code, 3);
    assert.deepEqual(
      planned.value.decide.map(({ column, rows: found }) => [column, found]),
      [
        ['Status', 2],
        ['Blocked', 1],
        ['Termination Date', 1],
      ],
    );
    for (const settings of ['    everybody: true\n', '    only: [{ column: Status, in: [Active, On leave] }]\n']) {
      place.write('roster-sync.yaml', source(settings));
      const dry = await place.json('sync', 'staff', '--dry-run');
      assert.deepEqual([dry.ended.code, 'decide' in dry.value], [0, false], settings);
    }
  });

  it('a preset settles the columns that its rules judge, and no others', async () => {
    place.write(
      'downloaded.csv',
      'First Name,Last Name,Email Address,Department,Status,Termination Date\n' +
        'Ann,Ek,ann@example.com,IT,Active,2025-01-02\nBo,Ek,bo@example.com,IT,Active,\n' +
        'Cy,Ek,cy@example.com,HR,Suspended,2025-01-02\n',
    );
    const source = (settings: string): string =>
      'sources:\n  downloaded:\n    preset: google-workspace\n    file: ./downloaded.csv\n' +
      `    groups: [{ column: Department }]\n${settings}`;
    place.write('roster-sync.yaml', source(''));
    const asked = await place.json<{ decide: { column: string; rows: number }[] }>('plan', 'downloaded');
    assert.equal(asked.ended.code, 3, asked.ended.stderr);
    assert.deepEqual(
      asked.value.decide.map(({ column, rows: found }) => [column, found]),
      [['Termination Date', 1]],
    );
    place.write('roster-sync.yaml', source('    everybody: true\n'));
    const settled = await place.run('plan', 'downloaded');
    assert.equal(settled.code, 0, settled.stdout);
  });

  it('on a terminal it asks, whatever --yes says', { skip: withoutTerminals }, async () => {
    place.write('asked.csv', roster.replaceAll('@example', '@asked.example'));
    rmSync(join(place.folder, 'roster-sync.yaml'), { force: true });
    const words = ['import', 'asked.csv', '--group-column', 'Department', '--yes'];
    const stopped = await place.terminal(...words);
    await stopped.until(/or stop \(Enter\)\?/);
    stopped.child.stdin?.write('\n');
    const { stdout, code } = await stopped.ended;
    assert.deepEqual([code, /Nothing was sent, and nothing was kept/.test(stdout)], [0, true], stdout);
    const narrowed = await place.terminal(...words);
    await narrowed.until(/or stop \(Enter\)\?/);
    narrowed.child.stdin?.write('o\n');
    const ended = await narrowed.ended;
    assert.equal(ended.code, 0, ended.stdout);
    assert.match(ended.stdout, /4 rows = 2 used \+ 2 filtered/);
    assert.deepEqual(sentTo(), ['bo@asked.example.com', 'di@asked.example.com']);
    sandbox.clearCalls();
    const all = await place.terminal(...words);
    await all.until(/or stop \(Enter\)\?/);
    all.child.stdin?.write('e\n');
    assert.equal((await all.ended).code, 0);
    assert.deepEqual(sentTo(), ['ann@asked.example.com', 'cy@asked.example.com']);
  });
});
