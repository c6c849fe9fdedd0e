import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { reasonToSkip } from '../../../jobs/run/run-due.ts';
import { guardNames } from '../../../src/core/guards/guard-settings.ts';
import { reasonToStop } from '../../../src/core/run/canary.ts';
import { adviceFor } from '../../../src/core/run/cause.ts';
import { writtenAs, hasEnded, mayMove, runStates } from '../../../src/core/run/states.ts';
import { formatFor, noticeOf, noticeOfAnswers, type NoticeFacts } from '../../../src/core/run/notification.ts';
import { commandOf } from '../../../src/report/terminal/commands.ts';
import { estimatePlan, removalNotice, settingChanges } from '../../../src/core/run/plan.ts';
import { outcomeIn, type RunSettings } from '../../../src/core/run/run.ts';
import { answersSchedule, configuredSchedules, isBlackedOut, lastDue } from '../../../src/core/run/schedule.ts';
import { moment, sliceFor } from '../../../src/core/text/format.ts';
import { parseRosterTime } from '../../../src/core/guards/roster-time.ts';

suite('the states of a run', () => {
  test('a run has ended when it sends nothing any more, and what it did not send is cancelled', () => {
    const ended = ['finished', 'finished-with-failures', 'cancelled', 'failed'];
    assert.deepEqual(runStates.filter(hasEnded), ended);
    assert.deepEqual(
      runStates.map((status) => outcomeIn(status, null)),
      runStates.map((status) => (ended.includes(status) ? 'cancelled' : null)),
    );
    assert.equal(outcomeIn('finished', 'failed'), 'failed');
    assert.equal(outcomeIn('delivering', 'succeeded'), 'succeeded');
  });

  test('a move starts only from its own states', () => {
    assert.deepEqual(
      runStates.filter((status) => mayMove('resume', status)),
      ['delivering', 'paused', 'halted'],
    );
    assert.deepEqual(
      runStates.filter((status) => mayMove('begin', status)),
      [],
    );
  });

  test('a delivery in somebody’s hands still says what it said before', () => {
    assert.deepEqual([writtenAs('claimed'), writtenAs('called')], ['due', 'due']);
    for (const state of ['held', 'due', 'done'] as const) assert.equal(writtenAs(state), state);
  });
});

suite('what is said about a run', () => {
  test('the slices of its time are round, and no more than fit', () => {
    const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
    const slices: [span: number, most: number, slice: number][] = [
      [0, 2, second],
      [second - 1, 2, second],
      [second, 2, 2 * second],
      [58 * second, 60, second],
      [59 * second, 60, 2 * second],
      [59 * 30 * second, 60, minute],
      [58 * 30 * minute, 60, 30 * minute],
      [59 * 30 * minute, 60, hour],
      [59 * 12 * hour, 60, day],
      [58 * 5 * day, 60, 7 * day],
      [58 * 8 * day, 60, 14 * day],
      [59 * 14 * day, 60, 28 * day],
      [59 * 28 * day, 60, 29 * day],
      [100 * day, 2, 100 * day],
      [100 * day, 3, 100 * day],
      [1000 * day, 12, 100 * day],
    ];
    for (const [span, most, slice] of slices) assert.equal(sliceFor(span, most), slice, `${span} in ${most}`);
  });

  test('a message has the form of its receiver, by the host', () => {
    const forms: Record<string, string> = {
      'https://hooks.slack.com/services/T': 'slack',
      'https://hooks.slack-gov.com/services/T': 'slack',
      'https://hooks.slack.com.example/': 'json',
      'https://x.hooks.slack.com/': 'json',
      'https://firm.webhook.office.com/': 'teams',
      'https://prod-1.westeurope.logic.azure.com/': 'teams',
      'https://a.logic.azure.us/': 'teams',
      'https://powerplatform.com/': 'teams',
      'https://a.powerautomate.com/': 'teams',
      'https://notpowerautomate.com/': 'json',
      'https://chat.example/': 'json',
    };
    for (const [url, form] of Object.entries(forms)) assert.equal(formatFor(new URL(url)), form, url);
  });

  test('a canary release names each thing not seen before, how often, and one of its reasons', () => {
    const answers = { ended: 10, failed: 0 };
    const unseen = [
      { kind: 'rejected 400', count: 1, example: 'no name' },
      { kind: '1 warning', count: 2, example: '' },
    ];
    assert.deepEqual(reasonToStop({ ...answers, unseen }), {
      by: 'service',
      reason:
        'after the first 10 calls the answers hold something not seen before: rejected 400, once (no name); 1 warning, 2 times. ' +
        'Resuming treats it as seen',
    });
  });

  test('advice tells whether the roster or the service has to change', () => {
    const words = (
      kind: Parameters<typeof adviceFor>[0]['kind'],
      outcome: 'partial' | 'unknown' | 'failed' = 'failed',
    ) => adviceFor({ outcome, kind, status: null }).words;
    assert.match(words('rejected'), /^Correct these people in the roster/);
    assert.match(words('accepted', 'partial'), /^Ask who runs the service/);
    assert.match(words('accepted', 'unknown'), /^They may be in/);
  });

  const settings: RunSettings = {
    ...{ forceSync: false, invite: true, attempts: 6, backoff: { first: 1000, max: 60_000 }, deadlineMs: 1000 },
    rate: { limit: 10, perMs: 1000, and: [] },
  };

  test('a plan that takes exactly as long as its deadline is in time', () => {
    assert.deepEqual(
      [11, 12].map((calls) => estimatePlan(calls, settings, 1).isInTime),
      [true, false],
    );
  });

  test('each setting that is another one is named, and what forceSync takes away has its number', () => {
    const other: RunSettings = {
      ...{ ...settings, invite: false, forceSync: true, attempts: 7, deadlineMs: 60_000 },
      rate: { limit: 1, perMs: 1000, and: [] },
    };
    assert.deepEqual(
      settingChanges(settings, other).map(({ setting, before, now }) => `${setting} ${before} ${now}`),
      ['forceSync off on', 'invite on off', 'rate 10/s 1/s', 'attempts 6 7', 'deadline 1s 1m'],
    );
    const { atLeast, people, sentence } = removalNotice({ people: 2, memberships: 1 });
    assert.deepEqual([atLeast, people], [1, 2]);
    assert.match(sentence, /at least 1 group membership of 2 people, those we gave/);
  });
});

const facts: NoticeFacts = {
  ...{ event: 'held', run: 'r1', source: 'staff', service: 'https://s.example', status: 'held', reason: '', trips: [] },
  outcome: {},
};

suite('notices', () => {
  test('say what happened, and what to type', () => {
    const show = 'roster-sync show r1';
    const said: [Partial<NoticeFacts>, string, string[]][] = [
      [{}, 'staff is held', [show, 'roster-sync approve r1', 'roster-sync cancel r1']],
      [{ status: 'delivering' }, 'staff is held in part', [show, 'roster-sync approve r1', 'roster-sync cancel r1']],
      [{ event: 'reminder' }, 'staff is still held', [show, 'roster-sync approve r1', 'roster-sync cancel r1']],
      [{ event: 'expired' }, 'staff was not approved in time', [show]],
      [{ event: 'halted' }, 'staff is halted', [show, 'roster-sync resume r1']],
      [{ event: 'paused' }, 'staff is paused', [show, 'roster-sync resume r1']],
      [{ event: 'failed' }, 'staff failed', [show]],
      [{ event: 'breaker' }, 'staff waits for the service', [show]],
      [{ event: 'finished' }, 'staff finished', [show]],
      [
        { event: 'finished-with-failures', outcome: { failed: 1, partial: 1, succeeded: 9 } },
        'staff finished; 2 not delivered',
        [show, 'roster-sync retry r1'],
      ],
      [
        { event: 'finished-with-failures', outcome: { succeeded: 9 } },
        'staff finished, but not with everybody',
        [show, 'roster-sync retry r1'],
      ],
    ];
    for (const [changes, subject, commands] of said) {
      const notice = noticeOf({ ...facts, ...changes });
      assert.deepEqual([notice.subject, notice.next.map(commandOf)], [`roster-sync: ${subject}`, commands]);
    }
  });

  test('have the figures that are not 0, and those that are always said', () => {
    const counts = { new: 0, changed: 2, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 1 };
    const plan = { counts, calls: 1200, possibleInvitations: 0, groups: [] };
    const roster = { rows: 0, members: 0, merged: 0, filtered: 3, rejects: 0 };
    assert.deepEqual(noticeOf({ ...facts, plan, roster, outcome: { failed: 0, succeeded: 1 } }).lines.slice(1, -1), [
      'Roster: 0 rows, 0 people, 3 filtered, 0 rejects',
      'Plan: 0 new, 2 changed, 0 unchanged, 1 left behind; 1,200 calls',
      'So far: 1 succeeded',
    ]);
    const invited = { ...plan, calls: 1, possibleInvitations: 1, groups: [{ group: 'A', adds: 1 }] };
    const { lines, data } = noticeOf({ ...facts, plan: invited });
    assert.deepEqual(lines.slice(1, -1), [
      'Plan: 0 new, 2 changed, 0 unchanged, 1 left behind; 1 call; 1 possible invitation',
      'Groups: 1',
    ]);
    assert.equal((data as { groups?: number }).groups, 1);
    assert.equal((noticeOf(facts).data as { groups?: number }).groups, undefined);
  });

  test('name twenty guards at most, of a run that is held; and the reason of any', () => {
    const trips = Array.from({ length: 21 }, (_, at) => {
      return {
        guard: guardNames[at % guardNames.length] ?? 'new',
        scope: 'all' as const,
        message: `message ${at}`,
        ...(at === 0 ? { brief: 'brief' } : {}),
      };
    });
    const held = noticeOf({ ...facts, trips, reason: ' one\n\n two ' });
    assert.deepEqual(held.lines.slice(1, 4), ['Why: one two', 'departed: brief', 'changed: message 1']);
    assert.equal(held.lines.length, 23);
    assert.equal(noticeOf({ ...facts, event: 'reminder', trips }).lines.length, 22);
    assert.equal(noticeOf({ ...facts, event: 'paused', trips }).lines.length, 2);
    assert.equal(noticeOf({ ...facts, reason: 'x'.repeat(601) }).lines[1], `Why: ${'x'.repeat(600)}…`);
  });

  test('of answers that could not be kept say when they were due', () => {
    const notice = noticeOfAnswers({ service: 's', dueAt: new Date('2026-01-05T14:03:59Z'), reason: 'r' });
    assert.equal(
      notice.lines[0],
      'The answers of s that were due at 2026-01-05 14:03 UTC were not kept, or not all of them.',
    );
  });
});

suite('the time of a roster, and of schedules', () => {
  test('a roster may speak of this very moment, not of a later one, and of no words', () => {
    const now = new Date('2026-01-31T06:00:00Z');
    const parse = (written: string): string => parseRosterTime(written, { option: '--as-of', now }).toISOString();
    assert.equal(parse('2026-01-31T06:00Z'), '2026-01-31T06:00:00.000Z');
    assert.equal(parse('2026-01-31 05:59:59.5+00:00'), '2026-01-31T05:59:59.500Z');
    assert.equal(parse('2026-01-31'), '2026-01-31T00:00:00.000Z');
    assert.throws(
      () => parse('2026-01-31T06:00:00.001Z'),
      /^InputError: --as-of 2026-01-31T06:00:00\.001Z is in the future\.$/,
    );
    for (const bad of ['yesterday', '2026', '2026-13-01', '2026-01-31T6Z'])
      assert.throws(() => parse(bad), /write a time like 2026-01-31 or/, bad);
  });

  test('answers have a schedule of their own, beside those of sources that have one', () => {
    const schedule = { cron: '0 3 * * *', timezone: 'UTC', catchUp: 1, blackout: [] };
    const sources = { staff: { schedule }, temps: {} };
    assert.deepEqual([...configuredSchedules({ sources, answers: {} }).keys()], ['staff']);
    assert.deepEqual([...configuredSchedules({ sources, answers: { schedule } }).keys()], ['staff', answersSchedule]);
  });

  test('an instant is shown and left out as the clocks of its zone show it, also before 1970', () => {
    assert.equal(moment('1969-12-31T23:59:59.999Z', 'UTC'), '1969-12-31 23:59');
    assert.equal(moment('2026-07-01T23:30Z', 'Asia/Kathmandu'), '2026-07-02 05:15');
    assert.equal(moment('2026-01-01T00:00Z', 'UTC'), '2026-01-01 00:00');
    const day = { blackout: ['2026-07-02'], timezone: 'Asia/Kathmandu' };
    assert.equal(isBlackedOut(day, new Date('2026-07-01T18:15Z')), true);
    assert.equal(isBlackedOut(day, new Date('2026-07-01T18:14Z')), false);
    assert.equal(isBlackedOut(day, new Date('2026-07-02T18:15Z')), false);
  });

  test('what is due on the evening before a left out day is skipped once that day has begun, and the other way round', () => {
    const nightly = { cron: '30 23 * * *', timezone: 'UTC', catchUp: 3_600_000, blackout: ['2026-12-25'] };
    const skipped = (due: string, now: string) => reasonToSkip(nightly, new Date(due), new Date(now))?.result;
    assert.equal(skipped('2026-12-24T23:30Z', '2026-12-24T23:59Z'), undefined);
    assert.equal(skipped('2026-12-24T23:30Z', '2026-12-25T00:00Z'), 'blackout');
    assert.equal(skipped('2026-12-25T23:30Z', '2026-12-26T00:10Z'), 'blackout');
    assert.equal(skipped('2026-12-26T23:30Z', '2026-12-27T00:30Z'), undefined);
    assert.equal(skipped('2026-12-26T23:30Z', '2026-12-27T00:31Z'), 'missed');
  });

  test('a time that is due at this very moment is the last one; the moment that is known is not', () => {
    const nightly = { cron: '0 3 * * *', timezone: 'UTC' };
    const three = new Date('2026-01-05T03:00:00Z');
    assert.deepEqual(lastDue(nightly, new Date(three.getTime() - 1), three), three);
    assert.equal(lastDue(nightly, three, new Date(three.getTime() + 86_399_999)), undefined);
  });
});
