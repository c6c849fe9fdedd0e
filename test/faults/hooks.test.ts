import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openEmbedded } from '../../src/ledger/database/embedded/embedded.ts';
import { csvOf, envOf, openPlace } from '../support/cli.ts';

const config = `
sources:
  staff:
    file: ./staff.csv
    webhook: { preset: deel, secret: k, quiet: 1h, longest: 2h }
`;

test('every event that was answered 202 is in the ledger, whenever the server is killed', async (t) => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  const place = await openPlace(envOf(sandbox));
  place.write('roster-sync.yaml', config);
  place.write('staff.csv', csvOf(10));
  const taken: string[] = [];
  let number = 0;
  for (const enough of [40, 400]) {
    const serving = await place.start(['serve', '--port', '0']);
    await serving.until(/Serving on \S+/);
    const [, address = ''] = /Serving on (http:\/\/[^\s,]+)/.exec(serving.said()) ?? [];
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const before = taken.length;
    /** Sends until the server is gone. */
    const sender = async (): Promise<void> => {
      for (;;) {
        const id = `e${(number += 1)}`;
        const status = await post(`${address}/hooks/staff`, id, agent).catch(() => undefined);
        if (status === undefined) return;
        assert.equal(status, 202);
        taken.push(id);
        if (taken.length - before >= enough) serving.child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 20 }, sender));
    assert.equal((await serving.ended).signal, 'SIGKILL');
    agent.destroy();
    assert.ok(taken.length - before >= enough);
  }
  const { pool, close } = await openEmbedded(join(place.data, 'ledger'));
  const { rows } = await pool.query<{ key: string }>('select key from events');
  await close();
  const kept = new Set(rows.map(({ key }) => key));
  assert.deepEqual(
    taken.filter((id) => !kept.has(`id:${id}`)),
    [],
  );
});

/** Sends an event as Deel does. Returns the status; fails when there is no answer. */
function post(url: string, id: string, agent: Agent): Promise<number> {
  const body = JSON.stringify({ data: { meta: { tracking_id: id, event_type: 'worker-created' } } });
  const signature = createHmac('sha256', 'k').update(`POST${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-deel-signature': signature };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    sent.once('error', reject).end(body);
  });
}
