import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place, type RunJson, withoutTerminals } from '../support/cli.ts';

interface Held extends RunJson {
  hold: {
    deliveries: number;
    reasons: { guard: string; message: string }[];
    hash: string;
    expiresAt: string;
    commands: string[];
  };
}

let sandbox: Sandbox;
let place: Place;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => sandbox.clearCalls());
after(() => sandbox.close());

/** A roster with its time; each later one of a source is newer than the one before. */
function write(name: string, people: number, day: number): string {
  place.write(name, csvOf(people, { domain: name.replace('.csv', '.example') }));
  const time = new Date(Date.UTC(2026, 0, day));
  utimesSync(join(place.folder, name), time, time);
  return name;
}

const called = (): number => sandbox.calls.length;

describe('R13: time never runs backwards for a person', () => {
  it('holds a roster that is older than the newest one sent, and sends it once it is approved', async () => {
    write('staff.csv', 8, 20);
    assert.equal((await place.run('import', 'staff.csv', '--yes')).code, 0);
    write('staff.csv', 10, 10);
    sandbox.clearCalls();
    const { ended, value } = await place.json<Held>('import', 'staff.csv', '--yes');
    assert.deepEqual([ended.code, value.status, called()], [3, 'held', 0], ended.stderr);
    assert.match(ended.stderr, /This roster is from 2026-01-10 00:00 UTC.*has already sent one from 2026-01-20/s);
    assert.ok(ended.stderr.includes(`roster-sync approve ${value.run}`));
    assert.match(ended.stderr, /cancelled unless approved by \d{4}-\d\d-\d\d/);
    assert.equal(value.hold.deliveries, 2);
    assert.deepEqual(
      value.hold.reasons.map(({ guard }) => guard),
      ['time'],
    );
    assert.ok(Date.parse(value.hold.expiresAt) - Date.now() > 71 * 3_600_000);
    assert.match(value.hold.hash, /^[0-9a-f]{64}$/);

    const other = await place.run('approve', value.run, '--hash', '0123456789abcdef');
    assert.deepEqual([other.code, called()], [2, 0]);
    assert.match(other.stderr, /changed after you looked/);
    // Too short to be of one plan only.
    for (const short of ['', value.hold.hash.slice(0, 7)]) {
      assert.deepEqual([(await place.run('approve', value.run, '--hash', short)).code, called()], [2, 0]);
    }
    for (const word of ['foo', 'later']) {
      const { code, stderr } = await place.run('approve', value.run, '--only', word);
      assert.deepEqual([code, stderr], [2, `--only ${word}: write one of new, changed, again, unchanged, departed.\n`]);
    }
    for (const words of [
      [value.run, '--only', ''],
      [value.run, '--except-group', ''],
      [value.run, '--except-group', ' '],
    ]) {
      const { code, stderr } = await place.run('approve', ...words);
      assert.equal(code, 2);
      assert.match(stderr, /It is empty\. Name something, or leave the flag out\./);
    }
    for (const command of ['approve', 'cancel', 'show']) {
      const { code, stderr } = await place.run(command, '');
      assert.deepEqual([code, stderr], [2, 'Name a run: its id is empty. `roster-sync runs` lists them.\n'], command);
    }
    assert.equal(called(), 0);
    const nobody = await place.run('approve', value.run, '--only', 'changed', '--yes');
    assert.deepEqual([nobody.code, called()], [2, 0]);
    assert.match(nobody.stderr, /2 deliveries stay held/);

    // A run is bound to its service.
    place.env['ROSTER_SYNC_BASE_URL'] = 'http://127.0.0.1:9';
    for (const words of [['approve', '--yes'], ['resume'], ['retry']]) {
      const [command = '', ...flags] = words;
      const { code, stderr } = await place.run(command, value.run, ...flags);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /belongs to http:\S+, but the configured service is http:\/\/127\.0\.0\.1:9/);
    }
    place.env['ROSTER_SYNC_BASE_URL'] = sandbox.url;

    const note = ['--note', 'the archive', '--rate', '300/1m'];
    const approved = await place.jsonAlone('approve', value.run, '--hash', value.hold.hash, ...note);
    assert.equal(approved.ended.code, 0, approved.ended.stderr);
    assert.deepEqual([approved.value.status, approved.value.outcome.succeeded, called()], ['finished', 2, 2]);
    assert.match(approved.ended.stderr, /Approved by .+@.+: 2 deliveries/);
    assert.match((await place.run('show', value.run)).stdout, /300\/m/);
    const again = await place.run('approve', value.run);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /is finished: there is nothing to approve/);
  });

  it('holds yesterday’s file again after today’s, with any date; and not a roster whose day is declared', async () => {
    const files = ['monday.csv', 'tuesday.csv'].map((name, at) => write(name, 4 + at, 5 + at));
    for (const file of files) {
      const { code, stderr } = await place.run('import', file, '--source', 'week', '--yes');
      assert.equal(code, 0, stderr);
    }
    utimesSync(join(place.folder, 'monday.csv'), new Date(), new Date());
    sandbox.clearCalls();
    const again = await place.alone('plan', 'monday.csv', '--source', 'week');
    assert.equal(again.code, 3);
    assert.match(again.stdout, /byte for byte, the roster of run/);
    write('wednesday.csv', 6, 1);
    const declared = await place.run('plan', 'wednesday.csv', '--source', 'week', '--as-of', '2026-01-07');
    assert.equal(declared.code, 0, declared.stderr + declared.stdout);
    const future = await place.run('plan', 'wednesday.csv', '--source', 'week', '--as-of', '2999-01-01');
    assert.deepEqual([future.code, called()], [2, 0]);
    // The clock of whoever wrote it is ahead: what comes next is no older for that.
    write('ahead.csv', 4, 5);
    utimesSync(join(place.folder, 'ahead.csv'), new Date('2099-01-01'), new Date('2099-01-01'));
    assert.equal((await place.run('import', 'ahead.csv', '--source', 'ahead', '--yes')).code, 0);
    place.write('next.csv', csvOf(5, { domain: 'ahead.example' }));
    assert.equal((await place.run('plan', 'next.csv', '--source', 'ahead')).code, 0);
  });

  it('a newer roster that is released closes the hold, and it can no longer be approved', async () => {
    write('closed.csv', 3, 20);
    await place.run('import', 'closed.csv', '--yes');
    write('closed.csv', 4, 10);
    const { value } = await place.json<Held>('import', 'closed.csv', '--yes');
    assert.equal(value.status, 'held');
    write('closed.csv', 5, 25);
    const newer = await place.json('import', 'closed.csv', '--yes');
    assert.equal(newer.ended.code, 0, newer.ended.stderr);
    assert.ok(newer.ended.stderr.includes(`Run ${value.run} was held; run ${newer.value.run} replaces it.`));
    const late = await place.run('approve', value.run);
    assert.equal(late.code, 2);
    assert.ok(late.stderr.includes(`replaced by run ${newer.value.run}`), late.stderr);
    assert.ok(late.stderr.includes(`Run ${newer.value.run} has replaced it and is finished`), late.stderr);
    const shown = await place.run('show', value.run);
    assert.ok(shown.stdout.includes(`Run ${newer.value.run} has replaced it`), shown.stdout);
  });

  it('the same roster again is the same hold', async () => {
    write('same.csv', 3, 20);
    await place.run('import', 'same.csv', '--yes');
    write('same.csv', 4, 10);
    const { value } = await place.json<Held>('import', 'same.csv', '--yes');
    const again = await place.json<Held>('import', 'same.csv', '--yes');
    assert.deepEqual([again.ended.code, again.value.run], [3, value.run], again.ended.stderr);
    assert.match(again.ended.stderr, /Roster and plan are the same as in run \w+, which stays held\./);
    assert.equal((await place.run('cancel', value.run)).code, 0);
  });

  it('an approval of a part whose answer was lost is repeated: it says who gave it, sends nobody, and is no failure', async () => {
    write('part.csv', 4, 20);
    await place.run('import', 'part.csv', '--yes');
    write('part.csv', 8, 10);
    const { value } = await place.json<Held>('import', 'part.csv', '--yes');
    assert.deepEqual([value.status, value.hold.deliveries], ['held', 4]);
    sandbox.clearCalls();
    const typo = await place.run('approve', value.run, '--except-group', 'Oddd', '--yes');
    assert.deepEqual([typo.code, called()], [2, 0]);
    assert.match(typo.stderr, /Nobody whom run \w+ holds is in the group "Oddd".*Nothing was approved\./s);
    const part = ['approve', value.run, '--except-group', 'Odd', '--yes'];
    assert.deepEqual([(await place.run(...part)).code, called()], [3, 2]);
    const { ended, value: again } = await place.json<Held>(...part);
    assert.deepEqual([ended.code, again.run, again.hold.deliveries, called()], [0, value.run, 2, 2]);
    assert.match(
      ended.stderr,
      /This part of run \w+ was approved already, by .+@.+ at \d{4}-\d\d-\d\d \d\d:\d\d; 2 deliveries stay held\./,
    );
    await place.run('cancel', value.run);
  });

  it('an approval needs a yes: it names run, source and counts; a terminal is asked, without one nothing is approved', async () => {
    write('newest.csv', 4, 20);
    await place.run('import', 'newest.csv', '--yes');
    write('newest.csv', 6, 10);
    const { value } = await place.json<Held>('import', 'newest.csv', '--yes');
    sandbox.clearCalls();
    const named = `Run ${value.run} of newest holds 2 deliveries; its plan: 2 new, 0 changed, 4 unchanged.`;
    for (const named of ['latest', value.run]) {
      const unasked = await place.run('approve', named);
      assert.deepEqual([unasked.code, called()], [2, 0]);
      assert.match(unasked.stderr, /Nothing was approved: there is no terminal to ask you on\./);
      assert.ok(
        unasked.stderr.includes(`--hash ${value.hold.hash.slice(0, 12)} to approve exactly this plan, or --yes`),
      );
    }
    if (withoutTerminals === false) {
      const running = await place.terminal('approve', value.run);
      await running.until(/Approve it\? \[y\/N\]/);
      assert.ok(running.said().replaceAll(/\s+/g, ' ').includes(`${named} Approve it?`), running.said());
      running.child.stdin?.write('n\r');
      assert.equal((await running.ended).code, 0);
    }
    assert.deepEqual([(await place.listRuns())[0]?.status, called()], ['held', 0]);
    const { code, stdout } = await place.run('approve', 'latest', '--yes');
    assert.deepEqual([code, called()], [0, 2]);
    assert.equal(stdout.split('\n')[0], named);
  });

  it('a hold can be cancelled', async () => {
    write('gone.csv', 3, 20);
    await place.run('import', 'gone.csv', '--yes');
    write('gone.csv', 4, 10);
    const unasked = await place.run('import', 'gone.csv');
    assert.match(unasked.stderr, /run it again with --yes: the run then waits for `roster-sync approve`/);
    const { value } = await place.json<Held>('import', 'gone.csv', '--yes');
    const resumed = await place.run('resume', value.run);
    assert.match(resumed.stderr, /is held: there is nothing to resume\..*`roster-sync approve \w+` approves it/);
    const cancelled = await place.json('cancel', value.run);
    assert.deepEqual([cancelled.ended.code, cancelled.value.status], [0, 'cancelled']);
  });
});

describe('plan', () => {
  it('says counts, groups and what changed, keeps nothing, and has the hash of the run that is made of it', async () => {
    write('planned.csv', 5, 20);
    await place.run('import', 'planned.csv', '--yes');
    const before = await place.listRuns();
    place.write('planned.csv', csvOf(5, { domain: 'planned.example' }).replaceAll('Staff', 'Crew'));
    sandbox.clearCalls();
    const { ended, value } = await place.json<RunJson & { planned: { hash: string; changes: object; held: number } }>(
      ...['plan', 'planned.csv', '-o', 'plan.json'],
    );
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.run, value.plan.changed, value.dryRun, called()], [null, 5, true, 0]);
    assert.match(
      ended.stderr,
      /Changed: 5 with groups added, 5 with groups kept at the service \(roster-sync left-behind\)/,
    );
    assert.match(ended.stderr, /Group +people\s+Crew \(new\) +5/);
    assert.match(ended.stderr, /changed .*: \+ Crew, keeps Staff at the service/);
    const { people, ...counts } = JSON.parse(place.read('plan.json')) as { people: unknown[] };
    assert.deepEqual([counts, people.length], [value, 5]);
    assert.deepEqual(await place.listRuns(), before);
    const again = await place.json<typeof value>('plan', 'planned.csv');
    assert.equal(again.value.planned.hash, value.planned.hash);
    const forced = await place.json<typeof value>('plan', 'planned.csv', '--force-sync');
    assert.notEqual(forced.value.planned.hash, value.planned.hash);
    assert.match(
      forced.ended.stderr,
      /at least 5 group memberships of 5 people, those we gave; groups assigned by hand are\s+invisible/,
    );
    assert.match(forced.ended.stderr, /since its last run: forceSync off -> on/);
  });
});

describe('import --baseline', () => {
  it('records everybody as given, calls nobody, and the next import sends only what is new then', async () => {
    write('known.csv', 6, 20);
    const { ended, value } = await place.json('import', 'known.csv', '--baseline', '--yes');
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.status, value.calls, value.outcome.succeeded, called()], ['finished', 0, 0, 0]);
    assert.match(ended.stderr, /6 people recorded as given already, elsewhere; nothing was sent/);
    assert.match((await place.run('show', value.run)).stdout, /6 people recorded as given already/);
    write('known.csv', 7, 21);
    const next = await place.json('import', 'known.csv', '--yes');
    assert.equal(next.ended.code, 0, next.ended.stderr);
    assert.deepEqual([next.value.plan.unchanged, next.value.calls, called()], [6, 1, 1]);
  });

  it('records people beyond a limit of invitations too: nobody is invited who was given it elsewhere', async () => {
    place.write('limited.yaml', 'sources: { limited: { file: ./limited.csv, invites: { perRun: 2 } } }\n');
    write('limited.csv', 6, 20);
    const words = ['import', 'limited.csv', '--source', 'limited', '--config', 'limited.yaml', '--yes'];
    assert.equal((await place.run(...words, '--baseline')).code, 0);
    const { ended, value } = await place.json('import', ...words.slice(1));
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.plan.unchanged, value.plan.later, called()], [6, 0, 0]);
  });

  it('records nobody until somebody has said whether people who have left are recorded', async () => {
    const left = 'Ann,Ek,ann@left.example,IT,Terminated\n';
    place.write(
      'left.csv',
      `First Name,Last Name,Work Email,Department,Status\n${left}Bo,Ek,bo@left.example,IT,Active\n`,
    );
    const words = ['import', 'left.csv', '--group-column', 'Department', '--baseline', '--yes'];
    const undecided = await place.run(...words);
    assert.equal(undecided.code, 2);
    assert.match(undecided.stderr, /have left or not started\. Say --only-active to leave them out, or --everybody/);
    const { ended, value } = await place.json('import', ...words.slice(1), '--only-active');
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stderr, /1 person recorded as given already/);
    assert.deepEqual([value.status, called()], ['finished', 0]);
  });

  it('asks before, and needs --yes where there is nobody to ask', async () => {
    write('unasked.csv', 2, 20);
    const { code, stderr } = await place.run('import', 'unasked.csv', '--baseline');
    assert.equal(code, 2);
    assert.match(stderr, /no terminal to ask you on/);
  });
});
