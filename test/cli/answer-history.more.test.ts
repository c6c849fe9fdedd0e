import assert from 'node:assert/strict';
import { test } from 'node:test';
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
});
