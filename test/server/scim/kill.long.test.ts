import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { csvOf, envOf, type ListedRun, openPlace, type Running, type RunJson } from '../../support/cli.ts';
import { openSandbox } from '../../support/sandbox.ts';
import { user } from './provider.ts';

/** `PUSHED_PEOPLE=5000` pushes as many as a first sync of an identity provider does. */
const people = Number(process.env['PUSHED_PEOPLE'] ?? 150);
/** A run begins at the latest this long after a change, s. */
const longest = 20;
const callsPerSecond = 20;

test('whoever was answered 201 is there after a kill -9, and thousands of pushes become few runs beside a nightly one', async (t) => {
  const sandbox = await openSandbox(t);
  const place = await openPlace({ ...envOf(sandbox), ROSTER_SYNC__DELIVERY__RATE__LIMIT: String(callsPerSecond) });
  place.write('staff.csv', csvOf(people));
  place.write(
    'roster-sync.yaml',
    `sources:
  staff: { file: ./staff.csv, settle: 1ms, groups: [{ column: groups, split: ";" }] }
  entra: { scim: { quiet: 1s, longest: ${longest}s }, groups: [{ always: Pushed }] }
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
  // What this machine can do while nothing is pushed.
  const alone = performance.now();
  while (sandbox.calls.filter(({ arrivedAt }) => arrivedAt > alone).length < people / 10) await pause(50);
  const created = new Set<string>();
  const began = performance.now();
  let [killed, resumed] = [began, began];
  for (let at = 0; at < people; at += 1) {
    if (at === people / 2) {
      // In the middle of the next request.
      setTimeout(() => server?.child.kill('SIGKILL'), 2);
    }
    const body = user(`person${at}.pushed`);
    const { status, json } = await ask('POST', '/Users', body).catch(async () => {
      await server?.ended;
      killed = performance.now();
      await serve();
      resumed = performance.now();
      // As providers do: it may have been created before the answer was lost.
      return ask('POST', '/Users', body);
    });
    if (status === 201) created.add(json.userName);
    else assert.equal(status, 409);
  }
  const ended = performance.now();
  const kept = new Set<string>();
  for (let startIndex = 1; startIndex <= people; startIndex += 1000) {
    const { json } = await ask('GET', `/Users?count=1000&startIndex=${startIndex}&attributes=userName`);
    for (const { userName } of json.Resources) kept.add(userName);
  }
  const lost = [...created].filter((name) => !kept.has(name));
  assert.deepEqual(lost, []);
  assert.equal(kept.size, people);

  const runsOf = async (): Promise<(ListedRun & Pick<RunJson, 'roster'>)[]> =>
    ((await place.listRuns()) as (ListedRun & Pick<RunJson, 'roster'>)[]).filter(({ source }) => source === 'entra');
  // The newest run is held, and has everybody.
  let runs = await runsOf();
  while (runs[0]?.status !== 'held' || runs[0].roster.members < people) {
    await pause(500);
    runs = await runsOf();
  }
  const seconds = (ended - began) / 1000;
  assert.ok(runs.length <= Math.max(4, seconds / longest + 2), JSON.stringify(runs));
  const paces = [
    [alone, began],
    [began, killed],
    [resumed, ended],
  ].map(([from = 0, to = 0]) => {
    const times = sandbox.calls.map(({ arrivedAt }) => arrivedAt).filter((at) => at >= from && at <= to);
    return ((times.length - 1) * 1000) / ((times.at(-1) ?? 0) - (times[0] ?? 0)) / callsPerSecond;
  });
  const said = paces.map((pace) => pace.toFixed(3)).join(', ');
  t.diagnostic(`${people} pushed in ${seconds.toFixed(1)} s, lost ${lost.length}, runs ${runs.length}`);
  t.diagnostic(`pace of the nightly run before the pushes, before the kill, after it: ${said}`);
  assert.ok(
    sandbox.calls.every(({ email = '' }) => !email.includes('pushed')),
    'the first run is held',
  );
  const stopped = once(server?.child ?? imported.child, 'exit');
  server?.child.kill('SIGTERM');
  await stopped;
});
