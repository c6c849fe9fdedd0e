import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { packageRoot } from '../../src/process/version.ts';
import { openPlace, type Place } from '../support/cli.ts';
import { without } from '../support/server-process.ts';

interface Inspected {
  rows: number;
  form: { encoding: string; delimiter: string; headerLine: number };
  columns: { name: string; filled: number; uses: string[] }[];
  fields: { field: string; column: string; why: string }[];
  census?: { members: number; merged: number; rejects: { what: string; count: number; line: number }[] };
  problem?: string;
  block: string[];
}

const roster = [
  'Employee ID;First Name;Last Name;Work Email;Personal Email;Department;Status',
  '1;Åse;Ek;ase@example.com;ase@gmail.com;Sales;Active',
  '2;Bo;Oh;bo@example.com;;Sales;On leave',
  '2;Bo;Oh;bo@example.com;;Support;Active',
  '3;Cy;Pi;;;Support;Active',
  '4;Di;Qu;di@gmail.com;;Support;Active',
  '5;Ed;Ro;ed@example.com;;Sales;Terminated',
  '6;Flo;So;flo@example.com;;;Active',
  '',
].join('\n');

describe('a named pipe', { skip: without('mkfifo') }, () => {
  it('makes inspect say that it waits, and is read once something is written to it', async () => {
    const place = await openPlace({}, { bare: true, here: true });
    const pipe = join(place.folder, 'staff.csv');
    execFileSync('mkfifo', [pipe]);
    const [{ code, stderr }] = await Promise.all([place.run('inspect', pipe), writeFile(pipe, roster)]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /staff\.csv is a pipe: waiting for what is written to it/);
  });
});

describe('a folder with a file for each day', () => {
  it('becomes a source of a pattern with settle, maxAge and snapshot, named as its files are, whichever of them is named', async () => {
    const place = await openPlace({}, { bare: true, here: true });
    mkdirSync(join(place.folder, 'exports'));
    for (const day of ['2026-11-19', '2026-11-20', '2026-11-23'])
      place.write(`exports/staff_${day}.csv`, `First name,Last name,Email,${day}\nAnn,Ek,ann@example.com,x\n`);
    place.write('exports/readme.txt', 'One file each working day.\n');
    for (const named of ['exports', 'exports/staff_2026-11-19.csv']) {
      const { code, stdout, stderr } = await place.alone('init', named, '--group', 'All', '--config', `${named}.yaml`);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Each night it reads the newest of 3 files: exports\/staff_\*\.csv/);
      assert.match(stdout, /^2026-11-23 /m, 'the newest was read');
      const written = place.read(`${named}.yaml`);
      assert.match(
        written,
        /^ {2}staff:\n {4}file: .*staff_\*\.csv\n {4}settle: 10s.*\n {4}maxAge: 84h.*\n {4}snapshot: true/m,
      );
      assert.doesNotMatch(written, /# maxAge|# snapshot/);
    }
  });
});

describe('inspecting a roster', () => {
  let place: Place;
  before(async () => {
    place = await openPlace({}, { bare: true, here: true });
    place.write('people.csv', roster);
  });

  it('shows form, columns, fields and why, groups, rejects by reason, and a block; no address and no name', async () => {
    const { code, stdout } = await place.alone('inspect', 'people.csv');
    assert.equal(code, 0);
    assert.match(stdout, /UTF-8, semicolon, header on line 1, 7 columns, 7 rows/);
    assert.match(stdout, /^Work Email +86% +email +a\*\*\*@example\.com/m);
    assert.match(stdout, /^Personal Email +14% +a\*\*\*@gmail\.com/m);
    assert.match(stdout, /Work Email -> email \(by its name\)/);
    assert.match(stdout, /Rows +7 = 2 people \+ 1 merged \+ 1 filtered \+ 3 rejected/);
    assert.match(stdout, /1 rejected: Work Email: e-mail is empty \(first: line 5\)/);
    assert.match(stdout, /1 rejected: no group: Department is empty \(first: line 8\)/);
    assert.match(stdout, /Sales 2 {2}Support 1/);
    assert.match(stdout, /emails: \{ domains: \[ example\.com \] \} # not among them: gmail\.com/);
    assert.doesNotMatch(stdout, /ase@|Åse|Flo/);
  });

  it('keeps nothing and needs no service', () => assert.ok(!existsSync(place.data)));

  it('says the same as one JSON document', async () => {
    const { value } = await place.json<Inspected>('inspect', 'people.csv');
    assert.equal(value.rows, 7);
    assert.deepEqual(value.columns.find(({ name }) => name === 'Status')?.uses, ['filter']);
    assert.equal(value.census?.members, 2);
  });

  it('judges days where the source is', async () => {
    const now = new Date();
    // Where it is another day than in UTC at this hour: still the one before, or already the next.
    const [zone, lastDay] =
      now.getUTCHours() < 11 ? ['Etc/GMT+12', new Date(now.getTime() - 86_400_000)] : ['Pacific/Kiritimati', now];
    place.write(
      'days.csv',
      `First Name,Last Name,Work Email,Team,Last Day\nAnn,Ek,ann@example.com,Sales,${lastDay.toISOString().slice(0, 10)}\n`,
    );
    const source = 'file: ./days.csv, groups: [{ column: Team }], except: [{ column: Last Day, past: true }]';
    const schedule = `schedule: { cron: "15 2 * * *", timezone: ${zone} }`;
    place.write('days.yaml', `sources: { days: { ${source}, ${schedule} } }\n`);
    const { value } = await place.json<Inspected>('inspect', 'days', '--config', 'days.yaml');
    assert.equal(value.census?.members, zone === 'Etc/GMT+12' ? 1 : 0);
  });

  it('shows what a mapping cannot settle, with the columns, instead of failing', async () => {
    place.write('odd.csv', 'Name,Contact,Team\n"Ek, Bo",bo@example.com,A\n');
    const { ended, value } = await place.json<Inspected>('inspect', 'odd.csv');
    assert.equal(ended.code, 0);
    assert.match(value.problem ?? '', /: "Name" is not split automatically/);
    assert.deepEqual(value.block.slice(0, 3), [
      '# members:',
      '  # fullname: { column: Name, form: "Last, First" } # the whole name in one column: it is split only if you say how it is written',
      '  # email: Contact # it holds addresses: is it the work address, and not a private one or somebody else’s?',
    ]);
  });

  it('takes flags into the block', async () => {
    const { value } = await place.json<Inspected>(
      'inspect',
      'people.csv',
      '--map',
      'email=Personal Email',
      '--group',
      'X',
    );
    assert.ok(value.block.includes('  email: Personal Email # named'));
    assert.ok(value.block.includes('  - { always: X }'));
  });

  it('init writes that as a config that works, and never overwrites one', async () => {
    const made = await place.run('init', 'people.csv');
    assert.equal(made.code, 0, made.stderr);
    const text = place.read('roster-sync.yaml');
    const planned = await place.run('sync', 'people', '--dry-run');
    assert.equal(planned.code, 0, planned.stderr);
    assert.match(planned.stdout, /7 rows = .*1 filtered.*-> 2 people/);
    const again = await place.run('init', 'people.csv');
    assert.equal(again.code, 2);
    assert.match(again.stderr, /exists already, and init never overwrites/);
    assert.equal(place.read('roster-sync.yaml'), text);
    assert.ok(!existsSync(join(place.folder, '.roster-sync')));
  });

  it('a source of the config is inspected with its own rules', async () => {
    const { value } = await place.json<Inspected>('inspect', 'people');
    assert.equal(value.census?.members, 2);
    assert.deepEqual(value.block, []);
  });

  it('says what columns become also where something else is not settled yet', async () => {
    place.write('whole.csv', 'Name,Work Email,Department,Status\nAnn Ek,ann@example.com,Sales,Active\n');
    const { value } = await place.json<Inspected>('inspect', 'whole.csv');
    assert.match(value.problem ?? '', /"Name" is not split automatically/);
    assert.deepEqual(
      value.columns.map(({ name, uses }) => [name, uses]),
      [
        ['Name', []],
        ['Work Email', ['email']],
        ['Department', ['groups']],
        ['Status', []],
      ],
    );
  });

  it('import says that a file is not there before it says that no service is set', async () => {
    const { code, stderr } = await place.run('import', 'peple.csv', '--group', 'All');
    assert.equal(code, 2, stderr);
    assert.match(stderr, /peple\.csv/);
    assert.doesNotMatch(stderr, /SERVICE/i);
  });

  it('sync says that the file of a source, or of a pattern, is not there before it says that no service is set', async () => {
    const groups = 'groups: [{ always: All }]';
    place.write(
      'lost.yaml',
      `sources:\n  lost: { file: ./lost.csv, ${groups} }\n  some: { file: ./lost-*.csv, ${groups} }\n`,
    );
    for (const source of ['lost', 'some']) {
      const { code, stderr } = await place.alone('sync', source, '--config', 'lost.yaml');
      assert.equal(code, 2, stderr);
      assert.match(stderr, /lost(-\*)?\.csv: (there is no such file|no file matches)/);
      assert.doesNotMatch(stderr, /SERVICE/i);
    }
  });

  it('takes a text that looks like no value as it is with --allow-value, also in what it proposes', async () => {
    place.write(
      'null.csv',
      'First Name,Last Name,Email,Department\nAnn,Null,ann@example.com,Sales\nBo,Ek,bo@example.com,Sales\n',
    );
    const without = await place.run('inspect', 'null.csv');
    assert.match(without.stdout, /1 rejected/);
    const inspected = await place.run('inspect', 'null.csv', '--allow-value', 'NULL');
    assert.match(inspected.stdout, /2 = 2 people/);
    assert.match(inspected.stdout, /allow:\n {2}values: \[ "?NULL"? \]\n/);
    const refused = await place.run('import', 'null.csv', '--group', 'All', '--dry-run');
    assert.match(refused.stdout, /last name is empty: "Null" stands for no value \(--allow-value "Null" keeps it\)/);
    const planned = await place.run('import', 'null.csv', '--group', 'All', '--dry-run', '--allow-value', 'NULL');
    assert.match(planned.stdout, /Ann Null <ann@example\.com> -> All/);
  });

  it('writes what flags decide about the names of groups into what it proposes', async () => {
    place.write(
      'codes.csv',
      'First Name,Last Name,Email,Department\nAnn,Ek,ann@example.com,100\nBo,Ek,bo@example.com,200\n',
    );
    const { stdout } = await place.run('inspect', 'codes.csv', '--map-group', '100=Sales', '--map-group', '200=');
    assert.match(stdout, /rename: \{ "100": Sales \}\nallow:\n {2}groups: \{ except: \[ "200" \] \}\n/);
    assert.match(stdout, /1 rejected/);
  });

  it('init says when what it could propose is not complete', async () => {
    place.write('private.csv', 'First Name,Last Name,Personal Email,Department\nAnn,Ek,ann@gmail.com,Sales\n');
    const made = await place.run('init', 'private.csv', '--config', 'private.yaml');
    assert.equal(made.code, 0, made.stderr);
    assert.match(
      made.stdout,
      /private\.yaml was written\. It is not complete: fill in what is not settled yet\. Look at it/,
    );
  });

  it('init without a file writes a config to be filled in, at the place of --config', async () => {
    const made = await place.alone('init', '--config', 'other.yaml');
    assert.equal(made.code, 0, made.stderr);
    assert.match(place.read('other.yaml'), /# sources:/);
    assert.equal((await place.alone('config', '--config', 'other.yaml')).code, 0);
  });

  it('init writes the schema next to the config, so that editors find it on every machine, and leaves another one alone', async () => {
    mkdirSync(join(place.folder, 'elsewhere'));
    const config = join(place.folder, 'elsewhere', 'a.yaml');
    assert.equal((await place.run('init', '--config', config)).code, 0);
    assert.match(readFileSync(config, 'utf8'), /^# yaml-language-server: \$schema=\.\/roster-sync\.schema\.json$/m);
    const schema = join(packageRoot(), 'config', 'roster-sync.schema.json');
    assert.equal(place.read('elsewhere/roster-sync.schema.json'), readFileSync(schema, 'utf8'));

    place.write('elsewhere/roster-sync.schema.json', '{}');
    assert.equal((await place.run('init', '--config', config.replace('a.yaml', 'b.yaml'))).code, 0);
    assert.doesNotMatch(place.read('elsewhere/b.yaml'), /\$schema/);
    assert.equal(place.read('elsewhere/roster-sync.schema.json'), '{}');
  });
});
