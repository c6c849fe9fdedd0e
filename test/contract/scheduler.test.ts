import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Timetable } from '../../src/core/run/schedule.ts';
import { type Home, homes } from './homes.ts';
import { unique } from './plans.ts';

/** Instead of minutes, so many ms; the pattern says how many. */
const soon = ({ cron }: Timetable, after: Date): Date =>
  new Date((Math.floor(after.getTime() / Number(cron)) + 1) * Number(cron));

const every = (source: string, ms: number) => ({ source, cron: String(ms), timezone: 'UTC' });

/** Collects what wakes a process, and tells when there are so many. */
function listener(count: number) {
  const enough = Promise.withResolvers<void>();
  const woken: { source: string; dueAt: number }[] = [];
  const onTick = (source: string, dueAt: Date): void => {
    woken.push({ source, dueAt: dueAt.getTime() });
    if (woken.length >= count) enough.resolve();
  };
  return { woken, onTick, enough: enough.promise };
}

for (const { name, skip, open } of homes) {
  suite(`the scheduler, ${name}`, { skip }, () => {
    let home: Home;
    before(async () => {
      home = await open();
    });
    after(() => home.close());

    test('wakes one process of two at each time, however often the schedules are put there', async () => {
      const service = unique('service');
      const heard = listener(5);
      const both = await Promise.all([1, 2].map(() => home.scheduler(service, { onTick: heard.onTick, next: soon })));
      for (const scheduler of both) await scheduler.keep([every('staff', 200)]);
      await heard.enough;
      for (const scheduler of both) await scheduler.keep([every('staff', 200)]);
      await Promise.all(both.map((scheduler) => scheduler.close()));
      const times = heard.woken.map(({ dueAt }) => dueAt);
      assert.equal(new Set(times).size, times.length, 'no time twice');
      assert.ok(times.every((time) => time % 200 === 0));
    });

    test('a source that has no schedule any more wakes nobody, and one that was changed keeps to its new times', async () => {
      const service = unique('service');
      const first = listener(2);
      const scheduler = await home.scheduler(service, { onTick: first.onTick, next: soon });
      await scheduler.keep([every('gone', 100), every('changed', 100)]);
      await first.enough;
      await scheduler.close();
      const second = listener(3);
      const restarted = await home.scheduler(service, { onTick: second.onTick, next: soon });
      await restarted.keep([every('changed', 250)]);
      second.woken.length = 0;
      await second.enough;
      await restarted.close();
      assert.deepEqual(new Set(second.woken.map(({ source }) => source)), new Set(['changed']));
      assert.ok(second.woken.slice(1).every(({ dueAt }) => dueAt % 250 === 0));
    });

    test('says which sources it will not wake for: those it lost, and those whose time has passed', async () => {
      const service = unique('service');
      const scheduler = await home.scheduler(service, { onTick: () => {} });
      await scheduler.keep([{ source: 'staff', cron: '15 2 * * *', timezone: 'Europe/Copenhagen' }]);
      assert.deepEqual(await scheduler.stopped(['staff', 'other'], new Date()), ['other']);
      const nextWeek = new Date(Date.now() + 7 * 86_400_000);
      assert.deepEqual(await scheduler.stopped(['staff'], nextWeek), ['staff']);
      await scheduler.close();
    });
  });
}
