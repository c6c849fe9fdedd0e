import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { answersSchedule } from '../../src/core/run/schedule.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, type Place } from '../support/cli.ts';
import { postgresSkipReason, testPostgres } from '../support/postgres.ts';
import { redisSkipReason, freshRedis } from '../support/redis.ts';
import { holding } from '../support/holding.ts';
import { openHearing } from '../notify/hearing.ts';
import { runHere } from '../support/run-here.ts';
import {
  beginAt,
  environmentOf,
  passTime,
  runWatched,
  schedulePlace,
  type SchedulePlace,
  seenTo,
  type Server,
} from './schedule-place.ts';

const config = (more = ''): string =>
  `answers: { schedule: { cron: "30 3 * * *", timezone: Europe/Copenhagen }, ${more} }\n`;

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ answerRate: 1 });
});
after(() => sandbox.close());

const lastOf = async ({ context }: Server) => (await context.ledger.listSchedules(context.service.address))[0]?.last;
const keptBy = ({ context }: Server) => context.ledger.listAnswers(context.service.address, 100);
const answersOf = async ({ context }: Server, email: string) => (await context.ledger.personHistory(email)).answers;

suite('answers on a schedule, two servers at once', { skip: postgresSkipReason || redisSkipReason }, () => {
  let place: SchedulePlace;
  let servers: Server[];
  before(async () => {
    const [postgres, redis] = await Promise.all([testPostgres(), freshRedis()]);
    const urls = { DATABASE_URL: await postgres.freshLedger(), REDIS_URL: redis.url };
    place = schedulePlace(config(), environmentOf(sandbox, urls));
    servers = [await place.open(), await place.open()];
    await beginAt(servers[0]!, new Date('2026-03-28T12:00Z'));
  });
  after(async () => {
    for (const server of servers) await server.close();
  });

  test('one snapshot is kept at each time, and it holds no person', async () => {
    const calls = sandbox.calls.length;
    await passTime(servers, { from: '2026-03-29T00:00Z', to: '2026-03-30T12:00Z' });
    assert.deepEqual(await seenTo(servers[1]!), ['(answers) 2026-03-29T01:30 kept', '(answers) 2026-03-30T01:30 kept']);
    assert.equal(sandbox.calls.length, calls + 2);
    const kept = await keptBy(servers[0]!);
    assert.deepEqual([kept.length, kept[0]!.stories.length > 1, kept[0]!.answers > 5], [2, true, true]);
    assert.doesNotMatch(JSON.stringify(kept), /@|Moreau|Boateng/);
    assert.deepEqual(await answersOf(servers[0]!, 'kwame.boateng@sandbox.example'), []);
  });
});

suite('answers on a schedule', () => {
  const ann = 'ann.ek@example.com';
  let place: SchedulePlace;
  let server: Server;
  let cli: Pick<Place, 'folder' | 'env'>;
  async function reopen(settings: string): Promise<void> {
    await server.close();
    place.write('roster-sync.yaml', settings);
    server = await place.open();
  }
  async function see(at: string): Promise<void> {
    const now = new Date(at);
    await server.runs.see({ now, noticedBy: 'scheduler' });
    await server.runs.settled();
    await seenTo(server);
  }
  /** What retention could remove: of runs, and answers of people. */
  async function prunable(): Promise<number> {
    const keeping = { answersMs: 0, rostersMs: Infinity, receiptsMs: Infinity };
    return (await server.context.ledger.countPrunable(keeping)).answers;
  }
  let ofRuns = 0;
  before(async () => {
    sandbox.assign({ firstname: 'Ann', lastname: 'Ek', email: 'ann.ek@example.com' }, ['Facilities']);
    place = schedulePlace(config('stories: [Fire safety, "Nothing of the kind"]'), environmentOf(sandbox));
    cli = { folder: place.folder, env: { TZ: 'UTC', ...envOf(sandbox) } };
    server = await place.open();
    await beginAt(server, new Date('2026-03-31T12:00Z'));
  });
  after(() => server.close());

  test('a story that cannot be had is a failure with its reason, and the others are kept', async () => {
    await see('2026-04-01T01:30Z');
    const last = await lastOf(server);
    assert.deepEqual([last?.source, last?.result, last?.runId], [answersSchedule, 'failed', null]);
    assert.equal(last?.reason, 'Nothing of the kind: The service reports no story called "Nothing of the kind".');
    const kept = await keptBy(server);
    assert.deepEqual(
      kept.map(({ request }) => request),
      [{ story: 'Fire safety' }],
    );
  });

  test('a service that refuses is asked once, and that is a failure', async () => {
    const calls = sandbox.calls.length;
    sandbox.faults.add('status=401');
    await see('2026-04-02T01:30Z');
    sandbox.faults.clear();
    const last = await lastOf(server);
    assert.deepEqual([last?.result, sandbox.calls.length], ['failed', calls + 1]);
    assert.match(last?.reason ?? '', /refused the token/);
  });

  test('how far the people of a source are is kept with a story, and told over time without names', async () => {
    await server.close();
    const told = await runHere(cli, 'answers', '--history');
    assert.match(told.stderr, /^The answers due on .* were not kept: failed: Fire safety: .*refused the token/m);
    assert.match(told.stdout, /^Kept .*\n.*Fire safety +all/);
    place.write('roster-sync.yaml', `${config('stories: [Fire safety]')}sources: { staff: { file: ./staff.csv } }\n`);
    server = await place.open();
    const { service, ledger } = server.context;
    const roster = csvOf(12, { groups: (at) => (at < 2 ? 'Board' : at % 2 === 0 ? 'Even' : 'Odd') });
    place.write('staff.csv', roster);
    await runWatched(server, 'staff');
    await see('2026-04-03T01:30Z');
    sandbox.assign({ firstname: 'X', lastname: 'Y', email: 'not.on.the.roster@example.com' }, ['Facilities']);
    await see('2026-04-04T01:30Z');
    const kept = await ledger.listCompletion({ service: service.address, source: 'staff' }, 10);
    assert.deepEqual(
      kept.map(({ story, total }) => [story.name, total.people, total.answered + total.notAnswered]),
      [
        ['Fire safety', 12, 12],
        ['Fire safety', 12, 12],
      ],
    );
    assert.ok((kept[0]?.total.answered ?? 0) > 0);
    assert.deepEqual(
      kept[0]?.groups.map(({ group, people }) => [group, people]),
      [
        ['Board', 2],
        ['Even', 5],
        ['Odd', 5],
      ],
    );
    assert.doesNotMatch(JSON.stringify(kept), /@|First\d/);
    assert.deepEqual(await ledger.listCompletion({ service: service.address, source: 'stuff' }, 10), []);
    await server.close();
    place.write('roster-sync.yaml', config('stories: [Fire safety, "Nothing of the kind"]'));
    server = await place.open();
  });

  test('several missed times are run once; one that is too old is reported', async () => {
    const before = (await keptBy(server)).length;
    await see('2026-04-05T09:00Z');
    await see('2026-04-06T15:30Z');
    assert.deepEqual((await seenTo(server)).slice(-2), [
      '(answers) 2026-04-05T01:30 failed',
      '(answers) 2026-04-06T01:30 missed',
    ]);
    assert.equal((await keptBy(server)).length, before + 1);
  });

  test("a stopped process's snapshot is taken over by the next one, which does not fetch again what was kept", async () => {
    await reopen(config('stories: [Fire safety, "4712"], keep: people, groups: [Facilities]'));
    ofRuns = await prunable();
    await beginAt(server, new Date('2026-04-06T16:00Z'));
    sandbox.faults.add('body=stalled,nth=2');
    const before = { kept: (await keptBy(server)).length, calls: sandbox.calls.length };
    await server.runs.see({ now: new Date('2026-04-07T01:30Z'), noticedBy: 'scheduler' });
    for (let calls = 0; calls < 2; calls = sandbox.calls.length - before.calls) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await server.close();
    sandbox.faults.clear();
    server = await place.open();
    assert.equal((await seenTo(server)).at(-1), '(answers) 2026-04-07T01:30 null');
    await server.runs.takeOver(new Date('2026-04-07T01:40Z'), { andOfOthers: true });
    await server.runs.settled();
    const last = await lastOf(server);
    assert.deepEqual([last?.result, last?.reason], ['kept', '']);
    const kept = await keptBy(server);
    assert.deepEqual([kept.length, sandbox.calls.length], [before.kept + 2, before.calls + 3]);
    assert.deepEqual(kept[0]?.request.groups, ['Facilities']);
  });

  test('answers of people are kept where that is wanted, and replaced by the next time', async () => {
    const [first, before] = [await answersOf(server, ann), await prunable()];
    assert.ok(first.length > 0);
    assert.deepEqual(new Set(first.map(({ story }) => story)).size, 2);
    await see('2026-04-08T01:30Z');
    const second = await answersOf(server, ann);
    const said = (answers: typeof first) => answers.map(({ story, question, response }) => [story, question, response]);
    assert.deepEqual(said(second), said(first));
    assert.ok((second[0]?.takenAt ?? 0) > (first[0]?.takenAt ?? 0));
    assert.ok(before > ofRuns);
    assert.equal(await prunable(), before, 'the earlier ones are gone');
  });

  test('whoever is forgotten is nowhere in the files, not after the next time either', async () => {
    const data = `${place.folder}/.roster-sync`;
    await server.close();
    assert.ok(holding(data, ann).length > 0);
    const forgotten = await runHere(cli, 'forget', ann, '--yes');
    assert.equal(forgotten.code, 0, forgotten.stderr);
    assert.match(forgotten.stdout, /They answered \d+ questions of stories/);
    assert.deepEqual(holding(data, ann), []);
    const shown = await runHere(cli, 'schedules');
    assert.match(
      shown.stdout,
      /^\(answers\) {2}30 3 \* \* \* {2}Europe\/Copenhagen\n(.*\n)+Last +2026-04-08 03:30 {2}kept\n/,
    );
    server = await place.open();
    await see('2026-04-09T01:30Z');
    assert.equal((await lastOf(server))?.result, 'kept');
    assert.deepEqual(await answersOf(server, ann), []);
    await server.close();
    assert.deepEqual(holding(data, ann), []);
    server = await place.open();
  });

  test('a snapshot that could not be kept is announced once, and not again the next day', async (t) => {
    const { url, heard, next } = await openHearing(t);
    const settings = config('stories: [Fire safety, "4712"], groups: [Facilities]');
    await reopen(`${settings}notify: { webhook: "${url}" }\n`);
    sandbox.faults.add('status=401');
    const told = next();
    await see('2026-04-10T01:30Z');
    assert.match((await told).body, /"answers\.failed".*refused the token/);
    await see('2026-04-11T01:30Z');
    sandbox.faults.clear();
    await reopen(settings);
    assert.equal(heard.length, 1);
  });

  test('when only counts are kept, the next snapshot removes what people answered', async () => {
    await reopen(config('stories: [Fire safety, "4712"], groups: [Facilities]'));
    await see('2026-04-12T01:30Z');
    assert.equal((await lastOf(server))?.result, 'kept');
    assert.equal(await prunable(), ofRuns);
  });
});
