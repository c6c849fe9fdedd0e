import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { csvOf } from '../support/cli.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

suite('the audit', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
  });
  after(() => server.close());

  test('has who approved a run, once, although it was asked twice', async () => {
    const token = await server.token('desk', ['read', 'run', 'approve']);
    const ask = (path: string, body?: object) =>
      server.ask(`/api/v1${path}`, { token, ...(body && { method: 'POST', body }) });
    server.roster(csvOf(3));
    const { run } = (await ask('/runs', { source: 'staff' })).json;
    const { hash } = (await ask(`/runs/${run}/plan`)).json;
    const asked = [await ask(`/runs/${run}/approve`, { hash }), await ask(`/runs/${run}/approve`, { hash })];
    assert.deepEqual(
      asked.map(({ status }) => status),
      [200, 409],
    );
    const deeds = await server.context.ledger.listDeeds({ limit: 50 });
    assert.deepEqual(
      deeds.flatMap(({ by, action, runId }) => (action === 'approve' ? [[by, runId]] : [])),
      [['token desk', run]],
    );
  });
});
