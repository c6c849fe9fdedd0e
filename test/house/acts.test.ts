import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { acts } from '../../src/acts/acts.ts';
import { scopes } from '../../src/core/secrets/token.ts';
import { startApiServer } from '../server/api-server.ts';

const root = join(import.meta.dirname, '../..');

/** Requests that are still written by hand. The list only gets shorter: what is new is an act. */
const requestsByHand = ['correctReject', 'inspectUpload', 'planUpload', 'startRun', 'streamChanges', 'uploadRun'];

test('every act says who may ask for it, what the audit calls it, and which request asks for it, or why none', () => {
  for (const { id, scope, audit, http } of acts) {
    assert.match(id, /^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/);
    assert.ok(scopes.includes(scope), id);
    const word = typeof audit === 'string' ? audit : 'none' in audit ? audit.none : 'from its answer';
    assert.ok(word.length > 3, id);
    assert.ok(('route' in http ? http.summary : http.none).length > 3, id);
  }
  assert.equal(new Set(acts.map(({ id }) => id)).size, acts.length, 'no two have one id');
});

test('every request of the API comes from an act, but for those that are not moved yet', async (t) => {
  const server = await startApiServer();
  t.after(server.close);
  const { json } = await server.ask('/api/v1/openapi.json');
  const routes = Object.values((json as { paths: Record<string, Record<string, { operationId: string }>> }).paths);
  const asked = routes.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  const ofActs = acts.flatMap(({ http }) => ('route' in http ? [http.operation] : []));
  assert.deepEqual(asked.toSorted(), [...ofActs, ...requestsByHand].toSorted());
});

/** They conduct a run with whoever is there, or serve: they open the ledger for as long as they last. */
const conversations = ['import', 'serve', 'sync', 'worker'];

test('every command asks for acts, but for conversations and servers', () => {
  const files = globSync('src/cli/commands/*.ts', { cwd: root });
  const byHand = files.filter((path) => /\bwithContext\(/.test(readFileSync(join(root, path), 'utf8')));
  const names = byHand.map((path) => basename(path, '.ts'));
  assert.deepEqual(new Set(names), new Set(conversations));
});
