import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuredSchedules } from '../../src/core/run/schedule.ts';
import { failure, load } from './folder.ts';

const daily = { cron: '30 4 * * *', timezone: 'Europe/Copenhagen' };

test('a schedule of answers stands beside those of sources, under a name that no source can have', (t) => {
  const config = load(
    t,
    `answers: { schedule: ${JSON.stringify(daily)}, stories: [Fire safety, "4720"], keep: people }\n` +
      `sources: { staff: { file: ./a.csv, schedule: ${JSON.stringify(daily)} } }\n`,
    { environment: { ROSTER_SYNC__ANSWERS__GROUPS: 'Sales,IT' } },
  );
  const { stories, groups, keep } = config.answers;
  assert.deepEqual([stories, groups, keep], [['Fire safety', '4720'], ['Sales', 'IT'], 'people']);
  assert.deepEqual([...configuredSchedules(config).keys()], ['staff', '(answers)']);
  assert.deepEqual(configuredSchedules(config).get('(answers)'), { ...daily, catchUp: 43_200_000, blackout: [] });
  assert.match(failure(t, 'sources: { "(answers)": { file: ./a.csv } }'), /is not a name/);
});

test('without a schedule nothing is fetched, and what is kept holds no person', (t) => {
  const config = load(t, undefined);
  assert.deepEqual([...configuredSchedules(config)], []);
  assert.deepEqual([config.answers.keep, config.answers.stories], ['counts', []]);
});

test('an invalid setting is reported with its line', (t) => {
  const message = failure(
    t,
    'answers:\n  keep: names\n  stories: Fire safety\n  schedule:\n    cron: 30 25 * * *\n    timezon: UTC\n',
  );
  for (const part of [
    /yaml:2: answers\.keep must be counts or people, not "names"/,
    /yaml:3: answers\.stories must be a list of stories/,
    /yaml:5: answers\.schedule\.cron is not a cron expression/,
    /yaml:6: answers\.schedule\.timezon is not a setting; did you mean timezone\?/,
    /answers\.schedule\.timezone is missing/,
  ])
    assert.match(message, part);
});
