import assert from 'node:assert/strict';
import { after, before, suite, test, type TestContext } from 'node:test';
import { announce, announceAnswers, announceUnchanged, tendNotifications } from '../../jobs/run/announce.ts';
import { answersSchedule } from '../../src/core/run/schedule.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openNotifier } from '../../src/notify/notifier.ts';
import { type Heard, openHearing, toldBy } from '../notify/hearing.ts';
import { type Home, homes } from './homes.ts';
import { deliverAll, ending, person, planPeople, releasePeople, success, unique } from './plans.ts';

const people = [person('ann', 'Staff & <Friends>'), person('bob', 'Staff & <Friends>')];
const events = ['held', 'halted', 'failed', 'paused', 'breaker', 'finished-with-failures'] as const;

for (const { name, skip, open } of homes) {
  suite(`notifications, ${name}`, { skip }, () => {
    let home: Home;
    let ledger: Ledger;
    before(async () => {
      home = await open();
      ledger = await home.ledger('one');
    });
    after(() => home.close());

    /** The parts of a process that notifies about runs; `told` gives what arrived once everything was tried. */
    async function listen(t: TestContext, answer?: (nth: number) => number | undefined) {
      // Whatever other tests have left is none of this one's.
      await home.pool.query(`update notifications set ended = 'outdated' where ended is null`);
      await home.pool.query(`update runs set state_since = state_since - interval '2 days'`);
      await home.pool.query(`update ticks set ended_at = ended_at - interval '2 days'`);
      const { url, heard } = await openHearing(t, answer);
      const lines: string[] = [];
      const settings = { webhook: new Secret(url), heartbeat: new Secret(`${url}/good/{source}`), to: [], on: events };
      const notifier = openNotifier({ settings, userAgent: 'test', environment: {} });
      const log = createLogger({ stream: { write: (line: string) => lines.push(line) } });
      return {
        context: { ledger, log, notifier },
        lines,
        async told(): Promise<Heard[]> {
          await notifier.close();
          return heard;
        },
      };
    }

    const waiting = async (): Promise<unknown[]> =>
      (await home.pool.query<object>(`select event, channel, attempts, trouble from notifications where ended is null`))
        .rows;

    /** As if everything that is to be tried again were due now. */
    const hasten = (): Promise<unknown> =>
      home.pool.query(`update notifications set due_at = now() where ended is null`);

    /** A run of which all is held. */
    async function hold(of = people): Promise<string> {
      const { runId } = await planPeople(ledger, { people: of, service: unique('service') });
      await ledger.releaseRun(runId, false, [{ guard: 'new', scope: 'all', message: 'many' }]);
      return runId;
    }

    /** As if it had been held for this time. */
    const heldFor = (runId: string, since: string): Promise<unknown> =>
      home.pool.query(`update runs set held_at = clock_timestamp() - interval '${since}' where id = '${runId}'`);

    test('a state is told once, however often it is announced; its next change is told again', async (t) => {
      const { context, told } = await listen(t);
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      const stop = { by: 'service', reason: 'the token was refused; ask eve@example.com' } as const;
      await ledger.moveRun(runId, 'halt', stop);
      await Promise.all([announce(context, runId), announce(context, runId), tendNotifications(context)]);
      await ledger.moveRun(runId, 'resume');
      await announce(context, runId);
      await ledger.moveRun(runId, 'halt', stop);
      await announce(context, runId);
      const texts = (await told()).map(toldBy);
      // What was overtaken before it could be sent may be left out; nothing is told twice.
      assert.ok(texts.length >= 1 && texts.length <= 2, String(texts.length));
      const [first] = texts;
      assert.ok(first);
      const { type, data, text } = first;
      assert.equal(type, 'run.halted');
      assert.equal(data.run, runId);
      assert.equal(data.groups, 1, 'a name of a group may be a person’s');
      assert.match(text, /Groups: 1/);
      assert.doesNotMatch(text + JSON.stringify(data), /Friends/);
      assert.doesNotMatch(text, /eve@/);
      assert.deepEqual(await waiting(), []);
    });

    test('what a process died over is told by the next one that delivers', async (t) => {
      const { context, told } = await listen(t);
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      await deliverAll(ledger, runId, (id, call) => ending(id, call, 'failed'));
      await tendNotifications(context);
      const heard = await told();
      assert.deepEqual(
        heard.map((each) => toldBy(each).type),
        ['run.finished-with-failures'],
      );
      assert.deepEqual(heard[0] && toldBy(heard[0]).data.outcome, { failed: 2 });
    });

    test('a good run calls the heartbeat, and nobody else unless asked; an unchanged roster calls it each time', async (t) => {
      const { context, told } = await listen(t);
      const runId = await releasePeople(ledger, { people, service: unique('service'), source: 'staff é' });
      await deliverAll(ledger, runId);
      await announce(context, runId);
      await announceUnchanged(context, runId, new Date(1));
      await announceUnchanged(context, runId, new Date(2));
      assert.deepEqual(
        (await told()).map(({ path }) => path),
        Array(3).fill('/good/staff%20%C3%A9'),
      );
    });

    test('whatever is tried more often than there are waits has the last of them', async () => {
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      await ledger.moveRun(runId, 'pause', { by: 'storage', reason: 'the disk is full' });
      await ledger.announceRuns([{ channel: 'webhook', events: ['paused'] }], runId);
      for (const attempts of [1, 2, 3]) {
        const taken = await ledger.takeNotifications({ limit: 100, waitsMs: [0, 0], channels: ['webhook'] });
        const one = taken.find((each) => each.runId === runId);
        assert.equal(one?.attempts, attempts);
        if (attempts === 3) await ledger.endNotification(one.id, 'given-up');
      }
    });

    test('what cannot be sent is tried again later, and given up after a day; the log says so', async (t) => {
      const { context, told, lines } = await listen(t, (nth) => (nth === 2 ? undefined : 503));
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      await ledger.moveRun(runId, 'pause', { by: 'storage', reason: 'the disk is full' });
      await announce(context, runId);
      await told();
      const [one] = (await waiting()) as { event: string; attempts: number; trouble: string }[];
      assert.deepEqual([one?.event, one?.attempts], ['paused', 1]);
      assert.match(one?.trouble ?? '', /HTTP 503/);
      assert.match(lines.join(''), /could not be sent/);

      const again = await listenAnew(t, context);
      await tendNotifications(again.context);
      assert.deepEqual(await again.told(), [], 'before its time');
      await hasten();
      const third = await listenAnew(t, context);
      await tendNotifications(third.context);
      assert.equal((await third.told()).length, 1);
      assert.deepEqual(await waiting(), []);

      await home.pool.query(
        `update notifications set ended = null, due_at = now(), created_at = now() - interval '25 hours' where run_id = '${runId}'`,
      );
      const late = await listenAnew(t, context);
      await tendNotifications(late.context);
      assert.deepEqual(await late.told(), []);
      assert.match(lines.join(''), /gave up on a notification after a day/);
      const { rows } = await home.pool.query(`select ended from notifications where run_id = '${runId}'`);
      assert.deepEqual(rows, [{ ended: 'given-up' }]);
    });

    /** The same process again, with servers that are well. */
    async function listenAnew(t: TestContext, { log }: { log: ReturnType<typeof createLogger> }) {
      const { url, heard } = await openHearing(t);
      const notifier = openNotifier({
        settings: { webhook: new Secret(url), to: [], on: events },
        userAgent: 'test',
        environment: {},
      });
      return {
        context: { ledger, log, notifier },
        async told(): Promise<Heard[]> {
          await notifier.close();
          return heard;
        },
      };
    }

    test('what a person paused or cancelled, and what is no longer true, is not told', async (t) => {
      const { context, told } = await listen(t);
      const runId = await releasePeople(ledger, { people, service: unique('service') });
      await ledger.moveRun(runId, 'pause', { by: 'interruption', reason: 'interrupted' });
      await announce(context, runId);
      await ledger.moveRun(runId, 'resume');
      await ledger.moveRun(runId, 'halt', { by: 'service', reason: 'refused' });
      await ledger.announceRuns(context.notifier.subscriptions, runId);
      await ledger.moveRun(runId, 'cancel', { by: 'person', reason: 'cancelled by a person' });
      await announce(context, runId);
      assert.deepEqual(await told(), []);
      assert.deepEqual(await waiting(), []);
    });

    test('of a run that is held one is told at once, and reminded once a day while it is', async (t) => {
      const { context, told } = await listen(t);
      const runId = await hold();
      await announce(context, runId);
      await tendNotifications(context);
      assert.deepEqual(kinds(await told()), ['run.held']);

      await heldFor(runId, '25 hours');
      const nextDay = await listenAnew(t, context);
      await tendNotifications(nextDay.context);
      await tendNotifications(nextDay.context);
      assert.deepEqual(kinds(await nextDay.told()), ['run.reminder']);

      // As if 22 hours had passed since.
      await heldFor(runId, '47 hours');
      await home.pool.query(
        `update notifications n set occasion = 'reminder ' || extract(epoch from r.held_at) || ' 1'
         from runs r where r.id = n.run_id and n.event = 'reminder'`,
      );
      const sameDay = await listenAnew(t, context);
      await tendNotifications(sameDay.context);
      assert.deepEqual(kinds(await sameDay.told()), [], 'a second reminder comes a day after the first');

      // As if that had been the reminder of the day before.
      await home.pool.query(`update notifications set occasion = occasion || ' yesterday' where event = 'reminder'`);
      const dayAfter = await listenAnew(t, context);
      await tendNotifications(dayAfter.context);
      assert.deepEqual(kinds(await dayAfter.told()), ['run.reminder']);
      await ledger.moveRun(runId, 'cancel');
    });

    test('a run that is held and would send nobody, as half a file that changes nobody, is told and reminded like any other', async (t) => {
      const { context, told } = await listen(t);
      const runId = await hold([]);
      await announce(context, runId);
      assert.deepEqual(kinds(await told()), ['run.held']);
      await heldFor(runId, '25 hours');
      const nextDay = await listenAnew(t, context);
      await tendNotifications(nextDay.context);
      assert.deepEqual(kinds(await nextDay.told()), ['run.reminder']);
      await ledger.moveRun(runId, 'cancel');
    });

    test('whoever was notified about a hold is notified when it expires, and not that a newer roster replaced one', async (t) => {
      const { context, told } = await listen(t);
      const [expired, replaced] = [await hold(), await hold()];
      await ledger.moveRun(replaced, 'supersede', { by: 'guard', reason: 'replaced', supersededBy: expired });
      await heldFor(expired, '73 hours');
      assert.ok((await ledger.expireHolds(72 * 3_600_000)).includes(expired));
      for (const run of [expired, replaced]) await announce(context, run);
      await announce(context, expired);
      assert.deepEqual(kinds(await told()), ['run.expired']);
    });

    test('nobody is reminded of what was approved or cancelled, on no later day and by nothing that waits to be sent', async (t) => {
      const { context, told } = await listen(t);
      const runs = [await hold(), await hold()] as const;
      for (const runId of runs) await heldFor(runId, '25 hours');
      await ledger.remindHolds(context.notifier.subscriptions);
      await ledger.approveHeld(runs[0], { by: 'eve', note: '', hash: '', scope: {} });
      await ledger.moveRun(runs[1], 'cancel');
      await tendNotifications(context);
      for (const runId of runs) await heldFor(runId, '50 hours');
      await tendNotifications(context);
      assert.deepEqual(kinds(await told()), []);
      await deliverAll(ledger, runs[0], success);
      await ledger.closeRun(runs[0]);
      for (const runId of runs) await heldFor(runId, '75 hours');
      assert.equal(await ledger.remindHolds(context.notifier.subscriptions), 0);
    });

    /** What happened to answers at a time, days after another. */
    async function endAnswers(service: string, day: number, result: 'kept' | 'failed' | 'missed'): Promise<void> {
      const reason = result === 'failed' ? `day ${day}: eve@example.com <was> refused` : '';
      const key = { service, source: answersSchedule, dueAt: new Date(Date.UTC(2026, 4, day, 1, 30)) };
      await ledger.skipTick({ ...key, worker: 'one', noticedBy: 'start', result, reason, runId: null });
    }

    test('answers that cannot be kept are announced once, and again only after they could be kept', async (t) => {
      const { context, told } = await listen(t);
      const service = unique('service');
      for (const [day, result] of ['kept', 'failed', 'failed', 'missed', 'failed'].entries()) {
        await endAnswers(service, day + 1, result as 'kept');
        await Promise.all([announceAnswers(context), announceAnswers(context), tendNotifications(context)]);
      }
      const [first, ...others] = (await told()).map(toldBy);
      assert.deepEqual([first?.type, others], ['answers.failed', []]);
      const commands = ['roster-sync answers --history', 'roster-sync schedules'];
      assert.ok(first);
      const { reason, ...data } = first.data as unknown as { reason: string };
      assert.deepEqual(data, { service, due: '2026-05-02T01:30:00.000Z', commands });
      assert.match(reason, /^day 2: \S+ <was> refused$/);
      assert.doesNotMatch(JSON.stringify(first), /eve@/);
      assert.match(first.text, /due at 2026-05-02 01:30 UTC were not kept/);

      await endAnswers(service, 6, 'kept');
      await endAnswers(service, 7, 'failed');
      const again = await listenAnew(t, context);
      await tendNotifications(again.context);
      assert.deepEqual(kinds(await again.told()), ['answers.failed']);
      assert.deepEqual(await waiting(), []);

      await home.pool.query(`update notifications set ended = 'given-up' where service = '${service}'`);
      await endAnswers(service, 8, 'failed');
      const third = await listenAnew(t, context);
      await announceAnswers(third.context);
      assert.deepEqual(kinds(await third.told()), ['answers.failed'], 'what reached nobody is told the next time');
    });

    test('that answers could not be kept is not told any more once they are', async (t) => {
      const { context, told } = await listen(t, () => 503);
      const service = unique('service');
      await endAnswers(service, 1, 'failed');
      await announceAnswers(context);
      assert.equal((await told()).length, 1);
      await endAnswers(service, 2, 'kept');
      await hasten();
      const later = await listenAnew(t, context);
      await tendNotifications(later.context);
      assert.deepEqual(await later.told(), []);
      const { rows } = await home.pool.query(`select ended from notifications where service = '${service}'`);
      assert.deepEqual(rows, [{ ended: 'outdated' }]);
    });

    test('hundreds of events that fail alike are told once', async (t) => {
      const { context, told } = await listen(t);
      const service = unique('service');
      for (const each of people) {
        const runId = await releasePeople(ledger, { people: [each], service, trigger: 'event' });
        await ledger.moveRun(runId, 'halt', { by: 'service', reason: 'refused' });
        await announce(context, runId);
      }
      assert.equal((await told()).length, 1);
    });
  });
}

function kinds(heard: readonly Heard[]): string[] {
  return heard.map((each) => toldBy(each).type);
}
