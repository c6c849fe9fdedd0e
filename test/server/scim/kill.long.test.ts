import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { csvOf, envOf, openPlace, type Running } from '../../support/cli.ts';
import { openSandbox } from '../../support/sandbox.ts';
import { user } from './provider.ts';

const people = 150;

test('whoever was answered 201 is there after a kill -9, and thousands of pushes become few runs beside a nightly one', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace({ ...envOf(sandbox), ROSTER_SYNC__DELIVERY__RATE__LIMIT: '20' });
  place.write('staff.csv', csvOf(people));
  place.write(
    'roster-sync.yaml',
    `sources:
  staff: { file: ./staff.csv, settle: 1ms, groups: [{ column: groups, split: ";" }] }
  entra: { scim: { quiet: 1s, longest: 20s }, groups: [{ always: Pushed }] }
`,
  );
  const { value } = await place.json<{ token: string }>(
    ...['token', 'create', '--name', 'idp', '--scope', 'scim:entra'],
  );
  const imported = await place.start([
    'import',
    'staff.csv',
    '--source',
    'nightly',
    '--group',
    'Staff',
    '--yes',
    '--no-canary',
  ]);
  while (sandbox.calls.length === 0) await pause(20);
  imported.child.kill('SIGKILL');
  await imported.ended;

  let server: Running | undefined;
  let url = '';
  async function serve(): Promise<void> {
    server = await place.start(['serve', '--port', '0']);
    await server.until(/Serving on http/);
    url = /Serving on (http:\/\/[^\s,]+)/.exec(server.said())?.[1] ?? '';
  }
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const { statusCode, body: answer } = await request(`${url}/scim/v2/entra${path}`, {
      method,
      headers: { authorization: `Bearer ${value.token}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: statusCode,
      json: (await answer.json()) as { totalResults: number; userName: string; Resources: { userName: string }[] },
    };
  };
  await serve();
  const created = new Set<string>();
  for (let at = 0; at < people; at += 1) {
    if (at === people / 2) {
      // In the middle of the next request.
      setTimeout(() => server?.child.kill('SIGKILL'), 2);
    }
    const body = user(`person${at}.pushed`);
    const { status, json } = await ask('POST', '/Users', body).catch(async () => {
      await server?.ended;
      await serve();
      // As providers do: it may have been created before the answer was lost.
      return ask('POST', '/Users', body);
    });
    if (status === 201) created.add(json.userName);
    else assert.equal(status, 409);
  }
  const { json } = await ask('GET', '/Users?count=1000&attributes=userName');
  const kept = new Set(json.Resources.map(({ userName }) => userName));
  assert.deepEqual(
    [...created].filter((name) => !kept.has(name)),
    [],
  );
  assert.equal(kept.size, people);

  const runsOf = async (): Promise<{ source: string; status: string }[]> =>
    (await place.listRuns()).filter(({ source }) => source === 'entra');
  while (!(await runsOf()).some(({ status }) => status === 'held')) await pause(200);
  const runs = await runsOf();
  assert.ok(runs.length <= 4, JSON.stringify(runs));
  assert.ok(
    sandbox.calls.every(({ email = '' }) => !email.includes('pushed')),
    'the first run is held',
  );
  const ended = once(server?.child ?? imported.child, 'exit');
  server?.child.kill('SIGTERM');
  await ended;
});
