import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApiServer } from './api-server.ts';

test('a run of another service cannot be resumed over the API: nobody here would deliver it', async (t) => {
  const server = await startApiServer();
  t.after(() => server.close());
  const token = await server.token('nightly-ci', ['run']);
  const { ledger, config } = server.context;
  const { concurrency: _, ...settings } = config.delivery;
  const run = { id: 'elsewhere', source: 'staff', service: 'https://other.example.com', trigger: 'sync' } as const;
  await ledger.createRun({ ...run, settings, worker: ledger.worker });
  await ledger.moveRun(run.id, 'release');
  await ledger.moveRun(run.id, 'pause', { by: 'person', reason: 'paused by a person' });
  const answer = await server.ask(`/api/v1/runs/${run.id}/resume`, { method: 'POST', token });
  assert.deepEqual([answer.status, answer.json.code], [409, 'OTHER_SERVICE']);
  assert.equal((await ledger.findRuns(run.id))[0]?.status, 'paused');
});
