import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { type Ended, openPlace, csvOf, envOf, eventually, type Place } from '../support/cli.ts';
import { runHere } from '../support/run-here.ts';
import { openSandbox } from '../support/sandbox.ts';

async function open(t: TestContext, options: SandboxOptions = {}, bare = true) {
  const sandbox = await openSandbox(t, options);
  const place = await openPlace(envOf(sandbox), { bare });
  return { sandbox, place };
}

/** Runs a command and reads the one JSON document that it must have printed; the caller says what it is. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function jsonHere<T>(place: Place, ...words: string[]): Promise<{ ended: Ended; value: T }> {
  const ended = await runHere(place, ...words, '--json');
  return { ended, value: JSON.parse(ended.stdout) };
}

const isAlone = (place: Place): void => assert.ok(!existsSync(place.data), 'no data directory is made');

test('answers go to stdout as CSV, to a file by its ending, and as a table; no data directory is made', async (t) => {
  const { sandbox, place } = await open(t);
  const csv = await place.run('answers', '--story', 'Fire safety');
  assert.equal(csv.code, 0, csv.stderr);
  const lines = csv.stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^storyId,story,storyType,appId,app,appVersion,question,/);
  assert.equal(lines.length, 1 + 5);
  assert.match(csv.stderr, /^5 answers {3}/m);
  assert.deepEqual(sandbox.calls.at(-1)?.body, { story: 'Fire safety' }, 'nothing else is sent');

  const whole = await runHere(
    place,
    'answers',
    '--group',
    'Facilities',
    '--user',
    'Kwame Boateng',
    '-o',
    'a.ndjson',
    '--summary',
  );
  assert.equal(whole.code, 0, whole.stderr);
  assert.deepEqual(sandbox.calls.at(-1)?.body, { groups: ['Facilities'], users: ['Kwame Boateng'] });
  assert.match(whole.stdout, /^Fire safety +What do you do first when the alarm sounds\? +1 +1 +100 % +2\.0$/m);
  const rows = place
    .read('a.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { answer: { email: string } });
  assert.ok(rows.length > 0 && rows.every(({ answer }) => answer.email === 'kwame.boateng@sandbox.example'));

  const page = await runHere(place, 'answers', '-o', 'a.html');
  assert.equal(page.code, 2);
  assert.match(page.stderr, /a\.html: its ending names no format; add --format with one of csv, xlsx, ndjson, json\./);

  const { value } = await jsonHere<{ answers: number; breaches: unknown[] }>(
    place,
    'answers',
    '--app',
    'Onboarding',
    '-o',
    'a.json',
  );
  assert.deepEqual([value.answers, value.breaches], [8, []]);
  const received = JSON.parse(place.read('a.json')) as { status: string; hash: string };
  assert.deepEqual([received.status, received.hash.length], ['success', 32], 'as received, the envelope too');
  isAlone(place);
});

test('a service that refuses, answers a page, or breaks off leaves no file, and says why', async (t) => {
  const { sandbox, place } = await open(t);
  const cases: [fault: string, code: number, says: RegExp][] = [
    ['status=401', 6, /refused the token/],
    ['status=404', 6, /does not look like the service's address/],
    ['body=html', 4, /a web page, not JSON/],
    ['body=half-json', 4, /cut short/],
    ['body=no-data', 4, /no list called data/],
    ['body=not-success', 4, /the status is "error"/],
  ];
  for (const [fault, code, says] of cases) {
    sandbox.faults.clear();
    sandbox.faults.add(fault);
    const ended = await runHere(place, 'answers', '-o', 'a.csv');
    assert.equal(ended.code, code, `${fault}: ${ended.stderr}`);
    assert.match(ended.stderr, says);
    assert.equal(ended.stdout, '');
    assert.ok(!ended.stderr.includes(sandbox.token));
  }
  assert.deepEqual(readdirSync(place.folder), []);
});

test('what may pass is asked again: a throttle, a server in trouble, an answer that breaks off', async (t) => {
  const faults = ['status=429,retry-after=1,nth=1', 'status=500,nth=2', 'body=truncated,nth=3'];
  const { sandbox, place } = await open(t, { faults });
  const ended = await runHere(place, 'answers', '--story', '4711');
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stderr, /^Waiting 1\.0 s: HTTP 429 .*asking to wait 1 s$/m);
  assert.equal(sandbox.calls.length, 4);
  const [first, second] = sandbox.calls;
  assert.ok((second?.arrivedAt ?? 0) - (first?.arrivedAt ?? 0) >= 1000);
  assert.equal(ended.stdout.trimEnd().split('\n').length, 1 + 5, 'each answer once');
});

test('a reader that goes away ends it quietly', async (t) => {
  const { sandbox, place } = await open(t);
  for (let at = 0; at < 3000; at += 1) {
    sandbox.assign({ firstname: 'F', lastname: 'L', email: `p${at}@example.com` }, ['A group with quite a long name']);
  }
  const running = await place.start(['answers', '--format', 'ndjson']);
  running.child.stdout?.once('data', () => running.child.stdout?.destroy());
  const { code, stderr } = await running.ended;
  assert.deepEqual([code, stderr], [0, '']);
});

test('an interruption leaves nothing under the name of the file', async (t) => {
  const { sandbox, place } = await open(t, { faults: ['body=stalled'] });
  const running = await place.start(['answers', '-o', 'a.csv']);
  await eventually('the answer is under way', () => sandbox.calls.length > 0);
  running.child.kill('SIGINT');
  const { code } = await running.ended;
  assert.equal(code, 130);
  assert.deepEqual(readdirSync(place.folder), []);
});

test('a flag that cannot be meant is refused before anything is asked', async (t) => {
  const { sandbox, place } = await open(t);
  for (const words of [
    ['-o', 'a.txt'],
    ['--format', 'xml'],
    ['--excel', '-o', 'a.json'],
    ['--json', '--format', 'csv'],
    ['--story', ' '],
    ['-o', 'missing/a.csv'],
  ]) {
    const ended = await runHere(place, 'answers', ...words);
    assert.equal(ended.code, 2, `${words.join(' ')}: ${ended.stderr}`);
  }
  assert.equal(sandbox.calls.length, 0);
});

test('ten thousand groups are asked for, and come back, in one call', async (t) => {
  const { sandbox, place } = await open(t);
  const names = Array.from({ length: 10_000 }, (_, at) => `Group ${at}`);
  sandbox.assign({ firstname: 'F', lastname: 'L', email: 'all@example.com' }, names);
  const flags = names.slice(0, 5000).flatMap((name) => ['--group', name]);
  const { ended, value } = await jsonHere<{ answers: number }>(place, 'answers', ...flags);
  assert.equal(ended.code, 0, ended.stderr);
  assert.ok(value.answers > 0);
  assert.equal(sandbox.calls.length, 1);
});

interface Completion {
  total: Record<'people' | 'answered' | 'wrongly' | 'partly' | 'notAnswered' | 'notYetGiven', number>;
  groups: { group: string; people: number; answered: number }[];
  hiddenGroups: number;
  strangers: { people: number };
}

test('completion joins the answers to the last roster: by group, without names, and with them when asked', async (t) => {
  const { sandbox, place } = await open(
    t,
    { faults: ['status=400,email=person7@example.com'], answerRate: 0.5 },
    false,
  );
  place.write('staff.csv', csvOf(40, { groups: (at) => (at === 0 ? 'Board' : at % 2 === 0 ? 'Even' : 'Odd') }));
  const imported = await runHere(place, 'import', 'staff.csv', '--group-column', 'groups', '--yes', '--quiet');
  assert.equal(imported.code, 4, imported.stderr);

  // It asks the ledger through the process that owns it; alone, it opens it.
  const owner = await place.start(['serve', '--port', '0']);
  await owner.until(/Serving on/);
  const ask = ['progress', '--story', 'Fire safety', '--source', 'staff'];
  const { ended, value } = await jsonHere<Completion>(place, ...ask);
  assert.equal(ended.code, 0, ended.stderr);
  const { total, groups, hiddenGroups, strangers } = value;
  assert.equal(total.people, 40);
  assert.equal(total.answered + total.notAnswered + total.notYetGiven, 40);
  assert.equal(total.notYetGiven, 1);
  assert.ok(total.answered > 5 && total.answered < 35, String(total.answered));
  assert.equal(strangers.people, 3, 'the residents of the sandbox');
  assert.deepEqual(
    [groups.map(({ group }) => group), hiddenGroups],
    [['Odd'], 2],
    'one small group takes another with it',
  );

  const list = await runHere(place, ...ask, '--people', 'not-yet-given');
  assert.equal(list.code, 0, list.stderr);
  assert.equal(
    list.stdout,
    'firstname,lastname,email,groups,status,questions\nFirst7,Last7,person7@example.com,Odd,not-yet-given,0\n',
  );
  const shown = await runHere(place, ...ask, '-o', 'c.csv');
  assert.match(shown.stdout, /^who answered "Fire safety"\? {2}\d+ of 40 \(\d+ %\), least: Odd/);
  assert.ok(!/person|@example/.test(shown.stdout + shown.stderr + place.read('c.csv')), 'nobody is named');
  const page = await runHere(place, ...ask, '--format', 'html');
  assert.deepEqual([page.code, /--format html: write one of csv, xlsx, json, ndjson\./.test(page.stderr)], [2, true]);

  const former = await runHere(place, 'completion', '--story', 'Nothing', '--source', 'staff');
  assert.equal(former.code, 2);
  assert.match(former.stderr, /`progress` shows who has answered .* `completions` prints/);
  const unknown = await runHere(place, 'progress', '--story', 'Nothing', '--source', 'staff');
  assert.deepEqual([unknown.code, /no story called "Nothing"/.test(unknown.stderr)], [2, true], unknown.stderr);
  const nobody = await runHere(place, 'progress', '--story', '4711', '--source', 'stuff');
  assert.deepEqual([nobody.code, /No roster of stuff/.test(nobody.stderr)], [2, true], nobody.stderr);
  owner.child.kill('SIGTERM');
  await owner.ended;

  // The next roster changes one person only: the others are known as they were given.
  sandbox.faults.clear();
  place.write(
    'staff.csv',
    csvOf(40, { groups: (at) => (at === 0 ? 'Board' : at % 2 === 0 ? 'Even' : at === 1 ? 'Odd;New' : 'Odd') }),
  );
  const again = await runHere(place, 'import', 'staff.csv', '--group-column', 'groups', '--yes', '--quiet');
  assert.equal(again.code, 0, again.stderr);
  const { value: later } = await jsonHere<Completion>(place, ...ask, '--min-cell', '1');
  assert.deepEqual([later.total.people, later.total.notYetGiven, later.hiddenGroups], [40, 0, 0]);
  assert.deepEqual(
    later.groups.map(({ group, people }) => [group, people]),
    [
      ['Board', 1],
      ['Even', 19],
      ['New', 1],
      ['Odd', 20],
    ],
  );
});
