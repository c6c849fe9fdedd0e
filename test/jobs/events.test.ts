import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { startDelivering } from '../../jobs/deliver/deliver.ts';
import { enrolFromEvents } from '../../jobs/events/events-with-people.ts';
import { startHandlingEvents } from '../../jobs/events/handle-events.ts';
import { runSource } from '../../jobs/run/run-source.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openContext } from '../../src/wiring/context.ts';
import { csvOf, envOf, eventually, openPlace } from '../support/cli.ts';
import { openSandbox } from '../support/sandbox.ts';

const webhook =
  'scheme: { header: X-Signature }, secret: k, quiet: 1ms, longest: 1h, event: { kind: type, employees: id }';
const event = { source: 'staff', employees: null, people: null, body: '{}' };

/** A source of a file with two people and a webhook, and how its events are handled. */
async function openStaff(t: TestContext, { settings = '', from = 'file: ./staff.csv', people = '' } = {}) {
  const place = await openPlace(envOf(await openSandbox(t)));
  place.write('staff.csv', csvOf(2));
  const carrying = people === '' ? webhook : webhook.replace('employees: id', `people: ${people}`);
  place.write(
    'roster-sync.yaml',
    `sources:\n  staff:\n    ${from === '' ? '' : `${from}\n    `}webhook: { ${carrying} }\n${settings}`,
  );
  const config = loadConfig({ environment: place.env, cwd: place.folder });
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'test', create: true });
  t.after(() => context.close());
  const hook = config.sources['staff']?.webhook;
  assert.ok(hook);
  return { context: await context.openDelivery(config.delivery.rate), rules: settleWebhook(hook) };
}

test('whom an event says to leave is taken out of the run of an older file', async (t) => {
  const { context, rules } = await openStaff(t);
  const { ledger } = context;
  const { runId, status } = await runSource(context, { source: 'staff', trigger: 'sync' });
  assert.deepEqual([status, await ledger.countHeld(runId)], ['held', 2]);
  const employees = ['person0@example.com'];
  await ledger.addEvent({ ...event, key: 'id:1', kind: 'employee.terminated', employees, people: [] });
  await enrolFromEvents(context, { source: 'staff', rules, again: false, signal: t.signal });
  assert.deepEqual(await ledger.countOutcomes(runId), { superseded: 1 });
});

test('whom rules leave out by what an event says is sent by no older file, planned before or after it', async (t) => {
  const settings = '    groups: [{ column: groups }]\n    except: [{ column: groups, in: [Left] }]\n';
  const { context, rules } = await openStaff(t, { settings, people: 'person' });
  const { ledger } = context;
  const { runId, status } = await runSource(context, { source: 'staff', trigger: 'sync' });
  assert.deepEqual([status, await ledger.countHeld(runId)], ['held', 2]);
  const people = ['person0', 'person1'].map((name) => {
    return { firstname: name, lastname: 'Null', email: `${name}@example.com`, groups: 'Left' };
  });
  await ledger.addEvent({ ...event, key: 'id:1', kind: 'employee.updated', people });
  const handled = await enrolFromEvents(context, { source: 'staff', rules, again: false, signal: t.signal });
  assert.ok(handled.done, JSON.stringify(handled));
  assert.deepEqual(await ledger.countOutcomes(runId), { superseded: 2 });
  assert.equal(await ledger.countLeaving(runId, []), 2, 'an older file that is planned now');
});

test('an event waits until none has come for the quiet time, not for the longest', { timeout: 60_000 }, async (t) => {
  const { context, rules } = await openStaff(t);
  await context.ledger.addEvent({ ...event, key: 'id:1', kind: 'employee.updated' });
  const { promise, resolve } = Promise.withResolvers<string>();
  const handling = startHandlingEvents(context, { sources: new Map([['staff', rules]]), poke: resolve, everyMs: 5 });
  t.after(() => handling.stop());
  const [run] = await context.ledger.findRuns(await promise);
  assert.deepEqual([run?.trigger, run?.roster?.counts.members], ['event', 2]);
});

const carried = { firstname: 'Ann', lastname: 'Ek', email: 'ann@example.com', groups: 'Sales' };
const rules = '    groups: [{ column: groups }]\n';

for (const [what, settings, person] of [
  ['leaves', '    leavers: [{ column: Active, is: false }]\n', carried],
  ['is left out', '    only: [{ column: Status, in: [Active] }]\n', carried],
  ['is let in', '    except: [{ column: Termination Date, past: true }]\n', carried],
  ['begins today', '    members: { startDate: Start Date }\n', carried],
  ['has fewer groups', '', { ...carried, groups: undefined }],
] as const) {
  test(`nobody ${what} by what an event does not say: the source is read`, async (t) => {
    const { context, rules: hook } = await openStaff(t, { settings: rules + settings, people: 'person' });
    const { ledger } = context;
    await ledger.addEvent({ ...event, key: 'id:1', kind: 'employee.updated', people: [{ ...person }] });
    const handled = await enrolFromEvents(context, { source: 'staff', rules: hook, again: false, signal: t.signal });
    assert.deepEqual(handled, { done: false });
    assert.equal((await ledger.takeEvents({ source: 'staff', withPeople: true, limit: 9 })).length, 0);
  });
}

const own = 'members: { firstname: firstname, lastname: lastname, email: email }, groups: [{ column: groups }]';

for (const [what, settings, more, isSent] of [
  ['its first day', '    members: { startDate: Start Date }\n', '', false],
  ['a condition', '    only: [{ column: Status, in: [Active] }]\n', '', false],
  ['opt-outs by an id that the event does not say', '    allow: { people: { except: ["1042"] } }\n', '', false],
  ['opt-outs by address', '    allow: { people: { except: [bo@example.com] } }\n', '', true],
  ['neither', '', '', true],
  [
    'a condition that they say too',
    '    only: [{ column: Status, in: [Active] }]\n',
    ', only: [{ column: groups, empty: false }]',
    true,
  ],
] as const) {
  test(`rules of their own for the people of events, where the source has ${what}`, async (t) => {
    const people = `person }, people: { ${own}${more}`;
    const { context, rules: hook } = await openStaff(t, { settings: rules + settings, people });
    await context.ledger.addEvent({ ...event, key: 'id:1', kind: 'employee.updated', people: [carried] });
    const handled = await enrolFromEvents(context, { source: 'staff', rules: hook, again: false, signal: t.signal });
    assert.equal(handled.done, isSent);
  });
}

test('where there is no source to read, an event that does not say what a condition asks about is rejected', async (t) => {
  const settings = `${rules}    only: [{ column: Status, in: [Active] }]\n`;
  const { context, rules: hook } = await openStaff(t, { settings, people: 'person', from: '' });
  const { ledger } = context;
  const people = [carried, { ...carried, email: 'bo@example.com', Status: 'Active' }];
  await ledger.addEvent({ ...event, key: 'id:1', kind: 'employee.created', people });
  const handled = await enrolFromEvents(context, { source: 'staff', rules: hook, again: false, signal: t.signal });
  assert.ok(handled.done && handled.runId !== null);
  const [reject, ...others] = await ledger.listRejects(handled.runId, { limit: 9 });
  assert.match(reject?.reason ?? '', /ends before Status/);
  assert.deepEqual(others, []);
  assert.equal((await ledger.findRuns(handled.runId))[0]?.roster?.counts.members, 1);
});

test('what the last event about somebody leaves out or does not say is not sent by an older one', async (t) => {
  const settings = `${rules}    only: [{ column: Status, in: [Active] }]\n`;
  const { context, rules: hook } = await openStaff(t, { settings, people: 'person' });
  const { ledger } = context;
  const add = (key: string, person: Record<string, unknown>) =>
    ledger.addEvent({ ...event, key, kind: 'employee.updated', people: [person] });
  const handle = () => enrolFromEvents(context, { source: 'staff', rules: hook, again: false, signal: t.signal });
  const waiting = () => ledger.takeEvents({ source: 'staff', withPeople: true, limit: 9 });
  await add('id:1', { ...carried, Status: 'Active' });
  await add('id:2', { email: carried.email, firstname: 'Ann', lastname: 'Ek', Status: 'Terminated' });
  const left = await handle();
  assert.ok(left.done && left.runId !== null);
  const [run] = await ledger.findRuns(left.runId);
  assert.deepEqual([run?.plan?.calls, run?.roster?.counts.filtered], [0, 1], 'the last says that she is not there');
  await add('id:3', { ...carried, Status: 'Active' });
  await add('id:4', { email: carried.email, firstname: 'Ann', lastname: 'Berg', Status: 'Active' });
  assert.deepEqual(await handle(), { done: false }, 'the last does not say into which groups');
  assert.deepEqual(await waiting(), []);
});

test('a roster whose server says the time of the one before, and is another one, is of when it was asked for', async (t) => {
  const always = new Date('2026-11-01T02:00:00Z');
  let people = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'last-modified': always.toUTCString() }).end(csvOf(people));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { context } = await openStaff(t, { from: `http: { url: 'http://127.0.0.1:${port}/staff.csv' }` });
  const { ledger } = context;
  const times: string[] = [];
  const deliverer = startDelivering(context, { concurrency: 2 });
  for (people of [2, 3, 3, 4]) {
    const { runId, status } = await runSource(context, { source: 'staff', trigger: 'sync', all: true });
    if (status === 'held') await ledger.approveHeld(runId, { by: 'eve@desk', note: '', hash: '', scope: {} });
    await eventually('it is delivered', async () => (await ledger.findRuns(runId))[0]?.status === 'finished');
    times.push((await ledger.findRuns(runId))[0]?.roster?.time ?? '');
  }
  await deliverer.stop();
  const [first, second, same, last] = times;
  assert.equal(first, always.toISOString());
  assert.ok(second !== undefined && last !== undefined && second > always.toISOString() && last > second, times.join());
  assert.equal(same, second);
});
