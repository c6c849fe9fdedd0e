import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, type Ended, openPlace, type Place, quick } from '../support/cli.ts';
import { runHere } from '../support/run-here.ts';

const config = `service: { baseUrl: "\${SERVICE}", token: "\${TOKEN}" }
notify: { webhook: "\${SLACK}" }
sources:
  staff:
    file: ./staff.csv
    members: { firstname: firstname, lastname: lastname, email: email }
    groups: [{ always: Staff }]
    schedule: { cron: "15 2 * * *", timezone: UTC }
    webhook: { preset: bamboohr, secret: "\${HOOK}" }
`;
const secrets = { TOKEN: 'dXNlcjpwYXNz', SLACK: 'http://127.0.0.1:9/hook', HOOK: 'a-secret-of-the-hr-system' };

let sandbox: Sandbox;
let place: Place;
let run: string;

/** A command in the shell where everything is set, and where an unattended run was held. */
const withAll = (...words: string[]): Promise<Ended> =>
  runHere({ ...place, env: { ...place.env, ...secrets, SERVICE: sandbox.url } }, ...words);
/** The same in another one, where nothing is. */
const without = (...words: string[]): Promise<Ended> => runHere(place, ...words);

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(quick);
  place.write('roster-sync.yaml', config);
  place.write('staff.csv', csvOf(2, { domain: 'shell.example' }));
  const synced = await withAll('sync', 'staff', '--yes', '--json');
  assert.equal(synced.code, 3, synced.stderr);
  ({ run } = JSON.parse(synced.stdout) as { run: string });
});
after(() => sandbox.close());

it('whoever only asks the ledger needs no variable that holds a secret', async () => {
  for (const [words, said] of [
    [['runs'], new RegExp(run)],
    [['show', 'latest'], /2 not sent yet/],
    [['person', 'person0@shell.example'], /First0 Last0/],
    [['token', 'list'], /There are no tokens/],
    [['prune', '--dry-run'], /Would remove/],
  ] as const) {
    const { code, stdout, stderr } = await without(...words);
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
    assert.match(stdout, said);
  }
  assert.match((await without('pause', run)).stderr, /is held: there is nothing to pause/);
});

it('what asks the ledger of one service needs its address, and says so', async () => {
  for (const words of [
    ['schedules'],
    ['answers', '--history'],
    ['resolve', 'a@b.example', 'c@b.example', '--new-account'],
  ]) {
    const { code, stdout, stderr } = await without(...words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, /yaml:1: service\.baseUrl needs the environment variable SERVICE, which is not set\.$/m);
  }
  const known = { ...place, env: { ...place.env, SERVICE: sandbox.url } };
  const { code, stdout, stderr } = await runHere(known, 'schedules', '--json');
  assert.equal(code, 0, stderr);
  const { schedules } = JSON.parse(stdout) as { schedules: { source: string; last: unknown }[] };
  assert.deepEqual(
    schedules.map(({ source, last }) => [source, last]),
    [['staff', null]],
  );
});

it('whoever sends, or writes files beside the sources, is refused at the start with all that lacks', async () => {
  const calls = sandbox.calls.length;
  for (const words of [
    ['sync', 'staff', '--yes'],
    ['import', 'staff.csv', '--yes'],
    ['retry', run],
    ['approve', run, '--yes'],
    ['doctor'],
    ['show', run, '--rejects', 'rejects.csv'],
  ]) {
    const { code, stderr } = await without(...words);
    assert.equal(code, 2, words.join(' '));
    assert.match(stderr, /The settings have 4 problems:/, words.join(' '));
    for (const lacking of ['service.token', 'notify.webhook', 'sources.staff.webhook.secret']) {
      assert.match(stderr, new RegExp(`${lacking} needs the environment variable`), words.join(' '));
    }
  }
  assert.equal(sandbox.calls.length, calls);
  assert.equal((JSON.parse((await without('runs', '--json')).stdout) as { runs: unknown[] }).runs.length, 1);
});

it('a run that is held can be ended from there', async () => {
  const { code, stdout, stderr } = await without('cancel', run, '--json');
  assert.equal(code, 0, stderr);
  assert.equal((JSON.parse(stdout) as { status: string }).status, 'cancelled');
});
