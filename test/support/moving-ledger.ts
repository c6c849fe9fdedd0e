import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from './cli.ts';
import { openSandbox } from './sandbox.ts';

/** How many people a place that moves knows. */
export const people = 60;

/** How many people the sandbox was called for. */
export const inserts = ({ calls }: Sandbox): number => calls.filter(({ email }) => email !== undefined).length;

/** A place in which people were imported, and one row was rejected. */
export async function openImported(t: TestContext): Promise<{ sandbox: Sandbox; place: Place }> {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox), { here: true });
  place.write('people.csv', `${csvOf(people)}No,Address,,,Staff\n`);
  await place.run('import', 'people.csv', '--yes');
  sandbox.clearCalls();
  return { sandbox, place };
}

/** A new place beside it with the same roster, whose ledger is elsewhere. */
export async function openNew(sandbox: Sandbox, from: Place, env: Record<string, string> = {}): Promise<Place> {
  const place = await openPlace({ ...envOf(sandbox), ...env }, { here: true, bare: true });
  place.write('people.csv', from.read('people.csv'));
  return place;
}

/** Exports the ledger of a place into a file beside it. */
export async function exported(place: Place): Promise<string> {
  const file = join(place.folder, 'ledger.ndjson.gz');
  const done = await place.run('export', file);
  assert.equal(done.code, 0, done.stderr);
  return file;
}
