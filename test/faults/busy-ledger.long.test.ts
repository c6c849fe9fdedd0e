import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace } from '../support/cli.ts';

const planned = 100_000;
const delivered = 400;

const config = `
delivery: { rate: { limit: 20, per: 1s } }
sources:
  staff: { file: ./staff.csv, settle: 1ms, groups: [{ column: groups, split: ";" }] }
  large: { file: ./large.csv, groups: [{ column: groups, split: ";" }] }
`;

test('while 100,000 people are planned beside it, a delivery goes on to its end and requests are answered', async (t) => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  const place = await openPlace(envOf(sandbox));
  place.write('roster-sync.yaml', config);
  place.write('staff.csv', csvOf(delivered));
  const { value } = await place.json<{ token: string }>(
    ...['token', 'create', '--name', 'all', '--scope', 'read,run,approve'],
  );
  const authorization = `Bearer ${value.token}`;
  const serving = await place.start(['serve', '--port', '0']);
  t.after(() => serving.child.kill('SIGKILL'));
  await serving.until(/Serving on \S+/);
  const [, address = ''] = /Serving on (http:\/\/[^\s,]+)/.exec(serving.said()) ?? [];

  async function ask(path: string, body?: object | string): Promise<{ status: number; json: Record<string, string> }> {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const answer = await request(`${address}${path}`, {
      ...{ method: body === undefined ? 'GET' : 'POST', headersTimeout: 0, bodyTimeout: 0 },
      headers: { authorization, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.statusCode, json: (await answer.body.json()) as Record<string, string> };
  }
  const { run = '', ...started } = (await ask('/api/v1/runs', { source: 'staff' })).json;
  assert.equal(started['status'], 'held', JSON.stringify(started));
  const { hash } = (await ask(`/api/v1/runs/${run}/plan`)).json;
  assert.equal((await ask(`/api/v1/runs/${run}/approve`, { hash })).status, 200);

  const begun = sandbox.calls.length;
  let isPlanned = false;
  const planning = ask(
    '/api/v1/runs/upload?source=large&file=large.csv',
    csvOf(planned, { domain: 'large.example' }),
  ).finally(() => (isPlanned = true));
  const statuses = new Map<number, number>();
  while (!isPlanned) {
    const { status } = await ask(`/api/v1/runs/${run}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await pause(100);
  }
  const { status, json } = await planning;
  assert.deepEqual([status, json['status']], [201, 'held'], serving.said());
  assert.ok(sandbox.calls.length > begun, 'nothing was delivered meanwhile');
  t.diagnostic(`${JSON.stringify([...statuses])}; ${sandbox.calls.length - begun} calls meanwhile`);
  assert.ok((statuses.get(200) ?? 0) > 0);
  assert.deepEqual(
    [...statuses.keys()].filter((each) => each !== 200 && each !== 503),
    [],
  );

  while ((await ask(`/api/v1/runs/${run}`)).json['status'] !== 'finished') await pause(100);
  assert.equal(sandbox.calls.length, delivered);
  assert.equal(new Set(sandbox.calls.map(({ email }) => email)).size, delivered);
  assert.equal(serving.child.exitCode, null);
});
