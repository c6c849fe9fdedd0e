import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
after(() => sandbox.close());

describe('looking at a run', () => {
  it('show says where it came from, where it went, how it was set, and what was planned', async () => {
    place.write('starters.csv', csvOf(2, { domain: 'show.example' }));
    const { value } = await place.json('import', 'starters.csv', '--no-invite', '--yes');
    const { code, stdout, stderr } = await place.alone('show', 'latest');
    assert.equal(code, 0, stderr);
    assert.ok(stdout.startsWith(`Run    ${value.run}: source starters -> service ${sandbox.url}\n`), stdout);
    assert.match(stdout, /^When {3}\d{4}-\d\d-\d\d .*; started by import$/m);
    assert.match(stdout, /^Set {4}forceSync off; invite off; /m);
    assert.match(stdout, /^Read {3}2 rows = 2 used \+ 0 rejected -> 2 people$/m);
    assert.match(stdout, /^Plan {3}2 new, 0 changed, 0 unchanged/m);
    assert.match(stdout, /^Yes {4}given by \S+, \d{4}-/m);
    assert.match(stdout, /^Done {3}2 succeeded/m);
  });

  it('--inserts writes whom the run put into which group, in cells that no spreadsheet runs', async () => {
    place.write('given.csv', csvOf(2, { domain: 'given.example' }));
    const { value } = await place.json('import', 'given.csv', '--group', '=cmd()', '--yes');
    const { code, stdout, stderr } = await place.alone('show', value.run, '--inserts', 'given-inserts.csv');
    assert.equal(code, 0, stdout);
    assert.match(stderr, /given-inserts\.csv names who was put into which group\./);
    assert.match(place.read('given-inserts.csv'), /^email,.*\nperson0@given\.example,First0,Last0,[^,]+,inserted,1,2/);
    assert.match(place.read('given-inserts.csv'), /,"'=cmd\(\)",inserted/);
  });

  it('person shows everything about one person and nothing about another; an invalid address is refused', async () => {
    const { code, stdout, stderr } = await place.alone('person', 'PERSON1@show.example');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /run \w+ of starters .*: started by import, finished/);
    assert.match(stdout, /starters\.csv, line 3: First1 Last1 <person1@show\.example>, \+45 12 34 1; Staff, Odd/);
    assert.match(stdout, /call 1, .*: accepted HTTP 200/);
    assert.doesNotMatch(stdout, /person0/);
    assert.doesNotMatch(stderr, /person1/i);
    const { value } = await place.json<{ addresses: string[]; runs: { calls: object[] }[] }>(
      'person',
      'person1@show.example',
    );
    assert.deepEqual(value.addresses, ['person1@show.example']);
    assert.equal(value.runs[0]?.calls.length, 1);
    assert.equal((await place.run('person', 'person1')).code, 2);
  });

  it('a dry run lists the twenty largest groups, and every one with --verbose', async () => {
    const rows = Array.from({ length: 41 }, (_, at) => `Ann,Lee,ann${at}@groups.example,Team ${at % 21}`);
    place.write('groups.csv', ['First name,Last name,Email,Team', ...rows].join('\n'));
    const flags = ['import', 'groups.csv', '--group-column', 'Team', '--dry-run'];
    const [short, long] = [await place.run(...flags), await place.run(...flags, '--verbose')];
    assert.match(short.stdout, /^ +Team 19 \(new\) +2$/m);
    assert.doesNotMatch(short.stdout, /^ +Team 20 /m);
    assert.match(long.stdout, /^ +Team 20 \(new\) +1$/m);
  });
});
