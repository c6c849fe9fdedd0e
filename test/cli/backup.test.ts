import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
  assert.equal(backup.match(/"email":"person\d+@/g)?.length, value.outcome.succeeded);
  assert.ok(value.outcome.succeeded > 0);
});
