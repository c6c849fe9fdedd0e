import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pruneLedger } from '../../jobs/upkeep/prune-ledger.ts';
import { makeSignInLink } from '../../src/server/page/session.ts';
import type { DeliveryContext } from '../../src/wiring/context.ts';
import { type Answered, startApiServer } from '../server/api-server.ts';
import { envOf, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

interface Comparison {
  older: { run: string };
  counts: Record<string, number>;
  people: { change: string; email: string; groups: string[] }[];
}

test('two runs of a source are compared: who is new, gone or changed, also over the runs between', async (t) => {
  const place = await openPlace(envOf(await openSandbox(t)), { here: true });
  place.write(
    'roster-sync.yaml',
    'sources:\n  staff: { file: ./staff.csv, settle: 1ms, snapshot: true, groups: [{ column: Team }] }\n  other: { file: ./other.csv, settle: 1ms, groups: [{ column: Team }] }\n',
  );
  const sync = async (source: string, ...rows: string[]): Promise<string> => {
    place.write(`${source}.csv`, `${['First Name,Last Name,Work Email,Team', ...rows].join('\n')}\n`);
    const { value } = await place.json('sync', source, '--yes');
    if (value.status === 'held') await place.json('approve', value.run, '--yes');
    return value.run;
  };
  const [ann, bob, cy, di] = [
    'Ann,Ek,ann@example.com',
    'Bob,Li,bob@example.com',
    'Cy,Ro,cy@example.com',
    'Di,Su,di@example.com',
  ];
  const first = await sync('staff', `${ann},Sales`, `${bob},Sales`, `${cy},Sales`);
  assert.match((await place.run('compare', 'latest')).stderr, /There is no run of staff before/);
  const second = await sync('staff', `${ann},Brand`, `${cy},Sales`, `${di},Sales`);
  const third = await sync('staff', `${ann},Brand`, `${cy},Brand`);
  const compared = async (...runs: string[]) => {
    const { value } = await place.json<Comparison>('compare', ...runs);
    return [
      value.older.run,
      value.counts,
      value.people.map(({ change, email, groups }) => `${change} ${email} ${groups.join()}`),
    ];
  };
  assert.deepEqual(await compared(second), [
    ...[first, { new: 1, gone: 1, changed: 1 }],
    ['changed ann@example.com Brand', 'gone bob@example.com Sales', 'new di@example.com Sales'],
  ]);
  const whole = [
    ...[first, { new: 0, gone: 1, changed: 2 }],
    ['changed ann@example.com Brand', 'gone bob@example.com Sales', 'changed cy@example.com Brand'],
  ];
  assert.deepEqual(await compared(third, first), whole, 'Di came and left');
  assert.deepEqual(await compared(first, third), whole, 'the older one is what the newer one is compared with');
  const shown = await place.run('compare', 'latest');
  assert.match(
    shown.stdout,
    /^staff, run .* compared with run .*: 0 new, 1 gone, 1 changed\.\nChange +person +groups\nchanged +Cy Ro <cy@/,
  );
  place.write(
    'staff.csv',
    `First Name,Last Name,Work Email,Team\n${ann},Brand\nEd,Wu,ed@example.com,Brand\n${cy},Brand\n`,
  );
  const held = (await place.json('sync', 'staff', '--yes', '--max-invitations', '0')).value;
  assert.equal(held.status, 'held');
  assert.equal((await compared(held.run))[0], third);
  const fifth = await sync('staff', `${ann},Last`, `${cy},Brand`);
  assert.equal((await compared(fifth))[0], third, 'what was never released is no run to compare with');
  assert.match((await place.run('compare', fifth, held.run)).stderr, /Nothing of run .* was released/);
  const other = await sync('other', `${ann},Sales`);
  assert.match((await place.run('compare', other, first)).stderr, /is no other run of other/);
});

test('two runs are compared over the API and on a page', async (t) => {
  const server = await startApiServer();
  t.after(server.close);
  const scopes = ['read', 'run', 'approve'] as const;
  const token = await server.token('clerk', [...scopes]);
  const link = await makeSignInLink(server.context.ledger, 'token clerk', [...scopes]);
  const cookie = String((await server.ask(link)).headers['set-cookie']).split(';')[0] ?? '';
  const finished = async (...rows: string[]): Promise<string> => {
    server.roster(['firstname,lastname,email,groups', ...rows, ''].join('\n'));
    const { json } = await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } });
    const ofRun = async (): Promise<Answered['json']> => (await server.ask(`/api/v1/runs/${json.run}`, { token })).json;
    const { hold } = await ofRun();
    const body = { hash: hold?.hash };
    if (hold) await server.ask(`/api/v1/runs/${json.run}/approve`, { method: 'POST', token, body });
    while ((await ofRun()).status !== 'finished') await pause(20);
    return json.run as string;
  };
  const older = await finished('Ann,Ek,ann@example.com,IT');
  const newer = await finished('Ann,Ek,ann@example.com,IT', 'Bo,Li,bo@example.com,IT');
  const { json } = await server.ask(`/api/v1/runs/${newer}/compare`, { method: 'POST', token, body: {} });
  assert.deepEqual([json.older.run, json.newer.members, json.people.length], [older, 2, json.counts.new]);
  const page = await server.ask(`/runs/${newer}/compare`, { headers: { cookie } });
  assert.match(page.text, /what changed[^]*<b>Bo Li<\/b>/);
  const config = { retention: { answersMs: Infinity, rostersMs: Infinity, receiptsMs: 0 } };
  await pruneLedger({ ledger: server.context.ledger, config: config as DeliveryContext['config'] }, 60_000);
  const removed = await server.ask(`/api/v1/runs/${newer}/compare`, { method: 'POST', token, body: {} });
  assert.equal(removed.status, 409, removed.text);
  assert.match(removed.json.detail, /no longer kept \(retention\)/);
});
