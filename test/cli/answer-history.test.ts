import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { answersSchedule } from '../../src/core/run/schedule.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { parseBaseUrl } from '../../src/service/settings.ts';
import { openPlace, csvOf, envOf } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

test('what is kept of answers grows with them, and holds no person', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const none = await place.run('answers', '--history');
  assert.match(none.stdout, /No counts are kept yet/);
  const before = await place.run('answers', '--keep');
  assert.deepEqual([before.code, before.stdout], [0, ''], before.stderr);
  for (const line of csvOf(10).split('\n').slice(1, -1)) {
    const [firstname = '', lastname = '', email = ''] = line.split(',');
    sandbox.assign({ firstname, lastname, email }, ['Staff']);
  }
  const after = await place.run('answers', '--keep', '--story', 'Fire safety');
  assert.equal(after.code, 0, after.stderr);
  const about = await place.run('answers', '--keep', '--user', 'person1@example.com');
  assert.equal(about.code, 2, about.stderr);

  const shown = await place.run('answers', '--history', '--story', 'Fire safety');
  const lines = shown.stdout.trimEnd().split('\n');
  assert.match(lines[1] ?? '', /Fire safety +all +3 +5 +60 %$/);
  const people = Number(/Fire safety +all +(\d+)/.exec(lines[2] ?? '')?.[1]);
  assert.ok(people > 5 && people <= 13, shown.stdout);
  assert.equal(lines.length, 3);
  const { ended } = await place.json('answers', '--history');
  assert.ok(!/@|Moreau|First\d/.test(ended.stdout), 'nobody is named');

  // Why the last ones are missing may be in the words of the service.
  await place.letGo();
  const { pool, close } = await openEmbedded(join(place.data, 'ledger'));
  const ledger = await openLedger(pool, { worker: 'test', lossPolicy: { forMs: 0, onLoss: () => {} } });
  const { address: service } = parseBaseUrl(sandbox.url);
  const [source, dueAt] = [answersSchedule, new Date('2026-04-01T01:30Z')];
  const schedules = [{ source, cron: '30 1 * * *', timezone: 'UTC' }];
  await ledger.keepSchedules(service, { schedules, now: new Date('2026-03-31'), isAlone: true });
  const why = { result: 'failed', reason: 'it said \u001b[2J' } as const;
  await ledger.skipTick({ service, source, dueAt, worker: 'test', noticedBy: 'start', ...why, runId: null });
  await close();
  const { stderr } = await place.run('answers', '--history');
  assert.match(stderr, /^The answers due on .* were not kept: failed: it said \\u001b\[2J$/m);
});
