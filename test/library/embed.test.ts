import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRosterSync, type PlanRequest } from '../../src/index.ts';
import { envOf, openPlace } from '../support/cli.ts';
import { keepEmbeddedCode } from '../support/embedded-code.ts';
import { openSandbox } from '../support/sandbox.ts';

test('people who have left by their row are held unless the program says to leave them out or to send them', async (t) => {
  const place = await openPlace(envOf(await openSandbox(t)));
  const people = ['Ann,Ek,ann@example.com,Sales,Active', 'Bo,Ek,bo@example.com,Sales,Terminated'];
  const roster = place.write('people.csv', ['firstname,lastname,email,groups,status', ...people, ''].join('\n'));
  await keepEmbeddedCode();
  const umask = process.umask();
  const rosterSync = await openRosterSync({ environment: place.env, cwd: place.folder });
  t.after(async () => {
    await rosterSync.close();
    process.umask(umask);
  });
  const plan = async (more: Partial<PlanRequest>) => {
    const { calls, isHeld } = await rosterSync.plan({ source: 'people', roster, ...more });
    return [calls, isHeld];
  };
  assert.deepEqual(await plan({}), [2, true]);
  assert.deepEqual(await plan({ inactive: 'leave out' }), [1, false]);
  assert.deepEqual(await plan({ inactive: 'send' }), [2, false]);
});
