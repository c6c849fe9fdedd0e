import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { csvOf, envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

test('what a run that stopped half-way has given is in the backup too', async (t) => {
  const sandbox = await openSandbox(t, { faults: ['status=401,after=5'] });
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', csvOf(30));
  const { value } = await place.json('import', 'people.csv', '--yes');
  assert.equal(value.status, 'halted');
  const backup = gunzipSync(readFileSync(join(place.data, 'backup', 'people.ndjson.gz'))).toString();
  assert.equal(backup.match(/"email": "person\d+@/g)?.length, value.outcome.succeeded);
  assert.ok(value.outcome.succeeded > 0);
});

test('a backup that cannot be written is said, and ends nothing: the run is finished, and so is the next one', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  const newest = join(place.data, 'backup', 'people.ndjson.gz');
  for (const people of [3, 5, 7]) {
    place.write('people.csv', csvOf(people));
    const { code, stderr } = await place.run('import', 'people.csv', '--yes');
    assert.equal(code, 0, stderr);
    if (people > 3) assert.match(stderr, /the backup could not be written/);
    // Nothing can take its place.
    else rmSync(newest);
    mkdirSync(join(newest, 'in the way'), { recursive: true });
  }
});
