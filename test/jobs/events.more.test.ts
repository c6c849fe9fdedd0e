import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { approveRun } from '../../jobs/run/steer-run.ts';
import { conductRun } from '../../jobs/run/conduct-run.ts';
import { newRun } from '../../jobs/run/planning-run.ts';
import { runSource } from '../../jobs/run/run-source.ts';
import { startDelivering } from '../../jobs/deliver/deliver.ts';
import { startHandlingEvents } from '../../jobs/events/handle-events.ts';
import { enrolFromEvents } from '../../jobs/events/events-with-people.ts';
import { findPersonToForget, forgetPerson } from '../../jobs/upkeep/person.ts';
import { findRun, readReport } from '../../src/report/run/read-report.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { columnsOfSource } from '../../jobs/run/open-source.ts';
import { type Context, type DeliveryContext, openContext } from '../../src/wiring/context.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import type { WebhookSettings } from '../../src/core/webhooks/webhook-schema.ts';
import { createLogger } from '../../src/process/logger.ts';
import { createTrouble } from '../../src/process/trouble.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { askAs } from '../../src/acts/perform.ts';
import { retryRun } from '../../src/acts/runs.ts';
import { createApp } from '../../src/server/app.ts';
import { envOf, eventually } from '../support/cli.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { requireSource } from '../../src/roster/configured-source.ts';
import { openRoster } from '../../src/roster/open-roster.ts';

interface Employee {
  employeeId: string;
  firstName: string;
  lastName: string;
  workEmail: string;
  departmentName: string;
  status: string;
}

/** An HR system with this staff, as BambooHR answers: a list, or only the people asked for. */
const staff = new Map<string, Employee>();
const asked: string[] = [];
let broken = false;

function hire(id: string, more: Partial<Employee> = {}): void {
  const employee = { employeeId: id, firstName: 'Ann', lastName: `No${id}`, workEmail: `p${id}@example.com` };
  staff.set(id, { ...employee, departmentName: 'Sales', status: 'Active', ...more });
}

function answer(request: IncomingMessage): { status: number; body: unknown } {
  const { searchParams } = new URL(request.url ?? '', 'http://hr');
  const ids = searchParams.getAll('filter[ids][]');
  asked.push(ids.join(',') || 'everybody');
  const people = [...staff].flatMap(([id, one]) => (ids.length === 0 || ids.includes(id) ? [one] : []));
  const data = people.map((one) => ({ ...one, employeeNumber: one.employeeId, _restrictedFields: [] }));
  return broken ? { status: 404, body: {} } : { status: 200, body: { data, meta: { total: data.length, page: {} } } };
}

const hr = createServer((request, response) => {
  const { status, body } = answer(request);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

const folder = mkdtempSync(join(tmpdir(), 'roster-sync-events-'));
let sandbox: Sandbox;
let context: Context;
let delivery: DeliveryContext;
let app: Awaited<ReturnType<typeof createApp>>;
const cleanUp: (() => unknown)[] = [];

const guards =
  '{ invites: off, new: off, changed: off, shrink: off, departed: off, group: off, newGroups: off, fill: off, domains: off }';
const held = 'invites: { percent: 0, count: 0 }';

before(async () => {
  await new Promise<void>((resolve) => hr.listen(0, '127.0.0.1', resolve));
  sandbox = await startSandbox();
  const baseUrl = `http://127.0.0.1:${(hr.address() as AddressInfo).port}`;
  const source = (name: string, webhook: string, more = ''): string => `
  ${name}:
    preset: bamboohr-employees
    account: { company: acme, accessToken: t, baseUrl: "${baseUrl}" }
    guards: ${guards}
${webhook && `    webhook: { secret: k, ${webhook} }`}${more}`;
  const quick = 'quiet: 200ms, longest: 10s';
  const rules =
    'people: { members: { firstname: fields.First, lastname: fields.Last, email: fields.Mail }, groups: [{ column: fields.Team }], only: [{ column: fields.Team, empty: false }] }';
  const exported = (name: string, more = ''): string => `
  ${name}:
    file: ./${name}.csv
    settle: 1ms
    groups: [{ column: Department }]
    guards: ${guards}
    webhook: { scheme: { header: X-Signature }, secret: k, ${quick}, event: { kind: type, employees: id } }${more}`;
  writeFileSync(
    join(folder, 'roster-sync.yaml'),
    `sources:${source('staff', `preset: bamboohr, ${quick}`)}${source('many', `preset: deel, ${quick}`)}${source(
      'fields',
      `preset: bamboohr, ${quick}, ${rules}`,
      '\n    allow: { emails: { domains: [example.com] }, groups: { except: [Board] } }',
    )}${source('broken', `preset: deel, ${quick}`)}${source('numbered', `preset: bamboohr, ${quick}, ${rules}`, '\n    members: { employeeId: employeeNumber }')}
${source('plain', '').slice(1)}${source('checked', `preset: bamboohr, ${quick}`).replace(guards, guards.replace('invites: off', held))}
${exported('exported')}${exported('counted', '\n    snapshot: true').replace('departed: off', 'departed: { percent: 0, count: 0 }')}${exported('slow', '\n    deliver: { rate: 1/60m }')}
${exported('carrying').replace('employees: id', 'people: employee').slice(1)}
${exported('late').replace(quick, 'quiet: 1h, longest: 1h').replace('new: off', 'new: { percent: 0, count: 2 }').slice(1)}
  careful:
    guards: { ${held} }
    webhook:
      { preset: bamboohr, secret: k, quiet: 200ms, longest: 10s,
        people: { members: { firstname: fields.First, lastname: fields.Last, email: fields.Mail }, groups: [{ always: New hires }] } }
  budgeted:
    file: ./budgeted.csv
    guards: { ${held} }
    invites: { perDay: 1 }
    webhook:
      { preset: bamboohr, secret: k, quiet: 200ms, longest: 10s,
        people: { members: { employeeId: id, firstname: fields.First, lastname: fields.Last, email: fields.Mail }, groups: [{ always: New hires }] } }
  hires:
    guards: ${guards}
    webhook:
      { preset: greenhouse, secret: k, people: { members: { firstname: payload.application.candidate.first_name,
        lastname: payload.application.candidate.last_name, email: "payload.application.candidate.email_addresses[0].value" },
        groups: [{ always: New hires }] } }\n`,
  );
  const environment = { ...envOf(sandbox), ROSTER_SYNC_DATA_DIR: join(folder, 'data') };
  const config = loadConfig({ environment, cwd: folder });
  await copyEmptyDataDirectory(config.dataDir);
  context = await openContext({ config, log: createLogger({ quiet: true }), command: 'test', create: true });
  delivery = await context.openDelivery(config.delivery.rate);
  const deliverer = startDelivering(delivery, { concurrency: 10 });
  app = await createApp({
    ...{ context: delivery, notReady: async () => [], host: '127.0.0.1' },
    poke: () => deliverer.poke(),
  });
  await app.ready();
  cleanUp.push(
    () => hr.close(),
    () => sandbox.close(),
    () => context.close(),
    () => deliverer.stop(),
    () => app.close(),
  );
});
after(async () => {
  for (const step of cleanUp.toReversed()) await step();
  rmSync(folder, { recursive: true, force: true });
});

let clock = Math.round(Date.now() / 1000);
async function tell(source: string, event: unknown): Promise<number> {
  const payload = JSON.stringify(event);
  const at = `${(clock += 1)}`;
  const isDeel = source === 'many' || source === 'broken';
  const isGreenhouse = source === 'hires';
  const isExported = source === 'carrying';
  const sign = (...parts: string[]): string => createHmac('sha256', 'k').update(parts.join('')).digest('hex');
  const headers = isGreenhouse
    ? { signature: `sha256 ${sign(payload)}` }
    : isDeel
      ? { 'x-deel-signature': sign('POST', payload) }
      : isExported
        ? { 'x-signature': sign(payload) }
        : { 'x-bamboohr-timestamp': at, 'x-bamboohr-signature': sign(payload, at) };
  const answered = await app.inject({
    ...{ method: 'POST', url: `/hooks/${source}`, payload },
    headers: { 'content-type': 'application/json', ...headers },
  });
  return answered.statusCode;
}

/** As an HR system does, sends it again when it is told to: on a busy machine a thousand take longer than each may wait. */
async function tellUntilTaken(source: string, event: unknown): Promise<number> {
  for (;;) {
    const status = await tell(source, event);
    if (status !== 503) return status;
  }
}

const about = (employeeId: string, type = 'employee.updated') => ({ type, data: { companyId: '1', employeeId } });
const runsOf = async (source: string) => (await context.ledger.listRuns(100)).filter((run) => run.source === source);
async function handledRuns(source: string): Promise<void> {
  while ((await runsOf(source)).some(({ status }) => status === 'delivering')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
async function handled(source: string): Promise<void> {
  for (let left = true; left;) {
    const waiting = (await context.ledger.waitingSources([source])).length > 0;
    const busy = (await runsOf(source)).some(({ status }) => status === 'planning' || status === 'delivering');
    left = waiting || busy;
    if (left) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const callsFor = (email: string) =>
  sandbox.calls
    .map(({ body }) => body as { user: { email: string }; groups: string[] })
    .filter(({ user }) => user.email === email);

suite('what events do', () => {
  test('a ledger that cannot be asked for events is told once, not at every look', async () => {
    const troubles: string[] = [];
    let looks = 0;
    const waitingSources = () => {
      looks += 1;
      return Promise.reject(new Error(`away at ${looks}`));
    };
    const handling = startHandlingEvents(
      {
        ...delivery,
        ledger: { ...delivery.ledger, waitingSources },
        trouble: createTrouble({ warn: (_, text) => void troubles.push(text) }),
      },
      { sources: new Map(), poke: () => {}, everyMs: 1 },
    );
    await eventually('it was looked often', () => looks > 3);
    await handling.stop();
    assert.deepEqual(troubles, ['could not look for events']);
  });

  test('1,000 events of one source: every one is answered, and at most two runs read it', async () => {
    for (let id = 1; id <= 20; id += 1) hire(String(id));
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => tellUntilTaken('many', { data: { meta: { tracking_id: `t${at}` } } })),
    );
    assert.deepEqual(new Set(statuses), new Set([202]));
    await handled('many');
    const runs = await runsOf('many');
    assert.ok(runs.length >= 1 && runs.length <= 2, `${runs.length} runs`);
    assert.deepEqual(runs.at(-1)?.plan?.counts.new, 20);
    assert.equal(runs.at(-1)?.trigger, 'event');
    assert.equal(runs.at(-1)?.roster?.partial, false);
  });

  test('if the source can be asked for single people, only the named ones are read', async () => {
    hire('501');
    hire('502', { status: 'Inactive' });
    asked.length = 0;
    assert.equal(await tell('staff', about('501', 'employee.created')), 202);
    assert.equal(await tell('staff', about('501')), 202);
    assert.equal(await tell('staff', about('502')), 202);
    await handled('staff');
    assert.deepEqual(asked, ['501,502']);
    const [run] = await runsOf('staff');
    assert.deepEqual([run?.status, run?.roster?.partial], ['finished', true]);
    assert.equal(callsFor('p501@example.com').length, 1);
    assert.equal(callsFor('p502@example.com').length, 0);
  });

  test('an event about a filtered person is nothing to do, and no failure', async () => {
    asked.length = 0;
    await tell('staff', about('502'));
    await handled('staff');
    assert.deepEqual(asked, ['502']);
    const [run] = await runsOf('staff');
    assert.deepEqual([run?.status, run?.plan?.calls], ['finished', 0]);
  });

  test('an event about somebody who left reads the whole roster', async () => {
    asked.length = 0;
    await tell('staff', about('9999', 'employee.deleted'));
    await handled('staff');
    assert.deepEqual(asked, ['9999', 'everybody']);
    assert.equal((await runsOf('staff'))[0]?.roster?.partial, false);
  });

  test('an event that carries the person is a small run of its own, by the rules of the source', async () => {
    asked.length = 0;
    const employee = (id: string, fields: object) => ({ id, action: 'Updated', changedFields: [], fields });
    const ada = { First: 'Ada', Last: 'Lovelace', Mail: 'ada@example.com', Team: 'Sales' };
    await tell('fields', { employees: [employee('1', { ...ada, Team: 'Old' })] });
    await tell('fields', {
      employees: [
        employee('1', ada),
        employee('2', { ...ada, Mail: 'ada@elsewhere.com' }),
        employee('3', { ...ada, Mail: 'bob@example.com', Team: 'Board' }),
      ],
    });
    await handled('fields');
    assert.deepEqual(asked, [], 'the source is not asked');
    const last = callsFor('ada@example.com').at(-1);
    assert.deepEqual(last?.groups, ['Sales'], 'the last word counts');
    assert.equal(callsFor('ada@elsewhere.com').length, 0, 'a foreign domain');
    assert.equal(callsFor('bob@example.com').length, 0, 'a group that is not allowed');
    const [run] = await runsOf('fields');
    assert.deepEqual([run?.trigger, run?.roster?.partial, run?.roster?.counts.rejects], ['event', true, 2]);
  });

  test('if the rules do not fit what an event carries, the source is read', async () => {
    asked.length = 0;
    await tell('fields', { employees: [{ id: '501', action: 'Updated', fields: { Nickname: 'Ann' } }] });
    await handled('fields');
    assert.deepEqual(asked, ['501']);
    assert.equal((await runsOf('fields'))[0]?.status, 'finished');
    const noAddress = { First: 'Ann', Last: 'Ek', Mail: ' ', Team: 'Sales' };
    await tell('fields', { employees: [{ id: '502', action: 'Updated', changedFields: [], fields: noAddress }] });
    await handled('fields');
    assert.deepEqual(asked, ['501', '502'], 'an empty address is missing, not refused');
  });

  test('an event names its people by the ids of the source: who has a new address is nobody new', async () => {
    asked.length = 0;
    for (const Mail of ['ann.ek@example.com', 'ann.berg@example.com']) {
      const fields = { First: 'Ann', Last: 'Ek', Mail, Team: 'Sales' };
      await tell('fields', { employees: [{ id: '651', action: 'Updated', changedFields: [], fields }] });
      await handled('fields');
    }
    assert.deepEqual(asked, [], 'the source is not asked');
    assert.deepEqual(
      ['ann.ek@example.com', 'ann.berg@example.com'].map((email) => callsFor(email).length),
      [1, 0],
      'the move is',
    );
  });

  test('an event whose ids are not those of the source has the source read', async () => {
    hire('653', { workEmail: 'other.id@example.com' });
    asked.length = 0;
    const fields = { First: 'Ann', Last: 'No653', Mail: 'other.id@example.com', Team: 'Old' };
    await tell('numbered', { employees: [{ id: '653', action: 'Updated', changedFields: [], fields }] });
    await handled('numbered');
    assert.deepEqual(asked, ['653']);
    assert.deepEqual(
      callsFor('other.id@example.com').map(({ groups }) => groups),
      [['Sales']],
    );
  });

  test('an event that lacks the id by which the source knows its people has the source read', async () => {
    hire('652', { workEmail: 'no.id@example.com' });
    const one = { firstName: 'Ann', lastName: 'No652', workEmail: 'no.id@example.com', departmentName: 'Sales' };
    const people = [{ ...one, status: 'Active' }];
    await context.ledger.addEvent({
      source: 'staff',
      key: 'id:652',
      kind: 'x',
      employees: ['652'],
      people,
      body: '{}',
    });
    asked.length = 0;
    await handled('staff');
    assert.deepEqual(asked, ['652']);
    assert.equal(callsFor('no.id@example.com').length, 1);
  });

  test('a source that cannot be read leaves the events waiting, and is tried again later', async () => {
    broken = true;
    asked.length = 0;
    await tell('broken', { data: { meta: { tracking_id: 'b1' } } });
    const state = async () => (await context.ledger.waitingSources(['broken']))[0];
    let waiting = await state();
    await eventually('it has failed', () => {
      void state().then((now) => (waiting = now));
      return waiting?.failures === 1;
    });
    assert.equal(waiting?.withoutPeople, true);
    assert.ok((waiting?.retryInMs ?? 0) > 30_000);
    assert.equal((await runsOf('broken'))[0]?.status, 'failed');
    broken = false;
    await context.ledger.eventsFailed({ source: 'broken', reason: 'for the test', waitMs: 1 });
    await handled('broken');
    assert.equal((await runsOf('broken'))[0]?.status, 'finished');
  });

  test('a source may be nothing but its events', async () => {
    const candidate = (name: string, ...addresses: string[]) => ({
      ...{ id: name.length, first_name: name, last_name: 'Hired' },
      email_addresses: addresses.map((value) => ({ type: 'personal', value })),
    });
    const hire = (person: object) => ({ action: 'hire_candidate', payload: { application: { candidate: person } } });
    assert.equal(await tell('hires', hire(candidate('Mia', 'mia@home.example'))), 202);
    assert.equal(await tell('hires', hire(candidate('Noah'))), 202);
    await handled('hires');
    assert.deepEqual(callsFor('mia@home.example').at(-1)?.groups, ['New hires']);
    const [run] = await runsOf('hires');
    assert.equal(run?.roster?.counts.rejects, 1, 'whoever has no address');
  });

  test('an event older than the newest sent roster is covered by it, and not sent again', async () => {
    const { ledger } = context;
    const webhook = settleWebhook({ preset: 'bamboohr', quiet: 1, longest: 1 });
    const person = (name: string) => ({
      ...{
        firstName: name,
        lastName: 'News',
        workEmail: `${name}@example.com`,
        departmentName: 'Sales',
        status: 'Active',
        employeeId: name,
      },
    });
    const add = (key: string, name: string) =>
      ledger.addEvent({ source: 'plain', key, kind: 'x', employees: null, people: [person(name)], body: '{}' });
    await add('id:1', 'old');
    await runSource(delivery, { source: 'plain', trigger: 'api' });
    await handledRuns('plain');
    await add('id:2', 'fresh');
    const webhooks = new Map([['plain', webhook]]);
    const handling = startHandlingEvents(delivery, { sources: webhooks, poke: () => {}, everyMs: 10 });
    await handled('plain');
    await handling.stop();
    assert.equal(callsFor('old@example.com').length, 0);
    assert.equal(callsFor('fresh@example.com').length, 1);
  });

  test('of several events about a person the last one counts, also without an id of their own', async () => {
    const { ledger } = context;
    const record = (name: string, lastName: string, more: object = {}) => ({
      ...{
        firstName: name,
        lastName,
        workEmail: `${name}@last.example.com`,
        departmentName: 'Sales',
        status: 'Active',
        employeeId: name,
      },
      ...more,
    });
    const events = [
      [record('eve', 'Moves')],
      [record('eve', 'Moves', { departmentName: 'Finance' })],
      [record('max', 'Berg')],
      [record('max', 'Lund')],
      [record('zoe', 'Id', { employeeId: '77' })],
      [record('zoe.new', 'Id', { employeeId: '77' })],
      [record('ida', 'One', { employeeId: '78' })],
      [record('ida', 'Two', { employeeId: '79' })],
      [record('tim', 'First', { employeeId: '80' }), record('tim', 'Second', { employeeId: '81' })],
    ];
    for (const [at, people] of events.entries())
      await ledger.addEvent({ source: 'plain', key: `id:last ${at}`, kind: 'x', employees: null, people, body: '{}' });
    const webhooks = new Map([['plain', settleWebhook({ preset: 'bamboohr', quiet: 1, longest: 1 })]]);
    const handling = startHandlingEvents(delivery, { sources: webhooks, poke: () => {}, everyMs: 10 });
    await handled('plain');
    await handling.stop();
    const sent = (name: string) =>
      callsFor(`${name}@last.example.com`).map(({ user, groups }) => [
        (user as { lastname?: string }).lastname,
        ...groups,
      ]);
    assert.deepEqual(sent('eve'), [['Moves', 'Finance']]);
    assert.deepEqual(sent('max'), [['Lund', 'Sales']]);
    assert.deepEqual([sent('zoe'), sent('zoe.new')], [[], [['Id', 'Sales']]]);
    assert.deepEqual([sent('ida'), sent('tim')], [[], []], 'two people with one address');
  });

  test('somebody who was hired and has left while both events waited is not enrolled, and the source is read', async () => {
    const { ledger } = context;
    const record = (name: string) => ({
      firstName: name,
      lastName: 'Left',
      workEmail: `${name}@left.example.com`,
      departmentName: 'Sales',
      status: 'Active',
      employeeId: name,
    });
    const more = Array.from({ length: 498 }, () => ['employee.hired', 'tom'] as const);
    const events = [
      ['employee.hired', 'lea'],
      ['employee.hired', 'ida'],
      ...more,
      ['employee.terminated', 'lea'],
      ['employee.deleted', 'ida', []],
      ['employee.terminated', 'kai'],
      ['employee.hired', 'kai'],
    ] as const;
    for (const [at, [kind, name, people = [record(name)]]] of events.entries())
      await ledger.addEvent({ source: 'plain', key: `id:left ${at}`, kind, employees: [name], people, body: '{}' });
    // The roster that is read may overtake what an event has not sent yet.
    hire('601', record('tom'));
    hire('602', record('kai'));
    asked.length = 0;
    const webhooks = new Map([['plain', settleWebhook({ preset: 'bamboohr', quiet: 1, longest: 1 })]]);
    const handling = startHandlingEvents(delivery, { sources: webhooks, poke: () => {}, everyMs: 10 });
    await handled('plain');
    await handling.stop();
    assert.deepEqual(
      ['lea', 'ida', 'tom', 'kai'].map((name) => callsFor(`${name}@left.example.com`).length > 0),
      [false, false, true, true],
    );
    assert.deepEqual(asked, ['lea,ida,kai', 'everybody']);
  });

  test('whom a held run of events would enrol is taken out of it once an event says that they leave', async () => {
    const hired = (id: string) => {
      const fields = { First: 'Ann', Last: `No${id}`, Mail: `held${id}@example.com` };
      return { id, action: 'Created', changedFields: [], fields };
    };
    const statuses = async () => (await runsOf('careful')).map(({ status }) => status);
    const holding = async (...ids: string[]): Promise<string> => {
      await tell('careful', { employees: ids.map(hired) });
      await handled('careful');
      const [run] = await runsOf('careful');
      assert.equal(run?.status, 'held');
      return run.id;
    };
    const first = await holding('1', '2');
    const second = await holding('3', '4');
    await tell('careful', { employees: [{ id: '1', action: 'Deleted' }] });
    await tell('careful', { employees: [{ ...hired('3'), id: 'another', action: 'Terminated' }] });
    await tell('careful', { employees: [{ id: '4', action: 'Deleted' }] });
    await handled('careful');
    assert.deepEqual(await statuses(), ['cancelled', 'held']);
    assert.deepEqual([await context.ledger.countHeld(first), await context.ledger.countHeld(second)], [1, 0]);
    const approved = await approveRun(delivery, { runId: first, service: delivery.service.address, by: 'ann' });
    assert.equal(approved.released, 1);
    await handled('careful');
    assert.deepEqual([callsFor('held1@example.com').length, callsFor('held2@example.com').length], [0, 1]);
    const third = await holding('5', '6');
    const { ledger } = context;
    await ledger.eventsFailed({ source: 'careful', reason: 'it cannot be read', waitMs: 3_600_000 });
    await tell('careful', { employees: [{ ...hired('5'), action: 'Terminated' }] });
    await approveRun(delivery, { runId: third, service: delivery.service.address, by: 'ann' });
    await handledRuns('careful');
    assert.deepEqual(
      [callsFor('held5@example.com').length, callsFor('held6@example.com').length],
      [0, 1],
      'also while that event waits',
    );
    await ledger.eventsHandled({ source: 'careful', ids: [], runId: null });
  });

  test('a hold says when its people are more than may still be invited today', async () => {
    const held = async (id: string): Promise<Run> => {
      const fields = { First: 'Ann', Last: `No${id}`, Mail: `day${id}@example.com` };
      await tell('budgeted', { employees: [{ id, action: 'Created', changedFields: [], fields }] });
      await handled('budgeted');
      const [run] = await runsOf('budgeted');
      assert.equal(run?.status, 'held');
      return run;
    };
    const [first, second] = [await held('1'), await held('2')];
    const over = async ({ id }: Run) => (await readReport(context, await findRun(context, id))).hold?.overDay;
    assert.deepEqual([await over(first), await over(second)], [undefined, undefined]);
    await approveRun(delivery, { runId: first.id, service: delivery.service.address, by: 'ann' });
    await handled('budgeted');
    assert.match(
      (await over(second)) ?? '',
      /^1 of them is new\. 1 may have been invited today already, of at most 1 a day/,
    );
  });

  const header = 'First Name,Last Name,Email,Department,Employee ID';
  const hours = 3_600_000;
  /** Writes the file of a source as it was exported some hours ago: with an old hand, and these starters. */
  function exportFile(source: string, ago: number, ...ids: string[]): void {
    const rows = ['old', ...ids].map((id) => `Ann,No${id},${id}@${source}.example.com,Sales,${id}`);
    const file = join(folder, `${source}.csv`);
    writeFileSync(file, [header, ...rows, ''].join('\n'));
    const time = new Date(Date.now() - ago * hours);
    utimesSync(file, time, time);
  }
  /** An event of a source, until it was handled. */
  async function happens(source: string, kind: string, ...employees: string[]): Promise<void> {
    const key = `id:${kind} ${employees.join()}`;
    const people = kind === 'employee.updated' ? null : [];
    await context.ledger.addEvent({ source, key, kind, employees, people, body: '{}' });
    await handled(source);
  }
  const sentTo = (source: string, ...ids: string[]) =>
    ids.filter((id) => callsFor(`${id}@${source}.example.com`).length > 0);

  test('whom an event says to leave is not sent by an older file; an event about nobody in it holds nothing', async () => {
    const source = 'exported';
    exportFile(source, 9);
    await runSource(delivery, { source, trigger: 'sync' });
    await handled(source);
    exportFile(source, 5, 't1', 't2');
    await happens(source, 'offer.declined', 'T1');
    assert.deepEqual(sentTo(source, 'old', 't1', 't2'), ['old', 't2']);
    exportFile(source, 4, 't1', 't2', 't3');
    const [run] = await runsOf(source);
    assert.deepEqual([run?.status, run?.plan?.counts.later], ['finished', 1]);
    await happens(source, 'employee.terminated', 'x9');
    assert.deepEqual((await runsOf(source))[0]?.trips ?? [], []);
    assert.deepEqual(sentTo(source, 't1', 't3'), ['t3']);
    exportFile(source, 0, 't1', 't2', 't3');
    await happens(source, 'employee.updated', 'x9');
    assert.deepEqual(sentTo(source, 't1'), ['t1'], 'a newer file says what has become of them');
  });

  test('whom an event carries and says to leave is not sent by an older file, by address or id, also while it waits', async () => {
    const { ledger } = context;
    const source = 'carrying';
    const leaves = (employee: Record<string, string>) => tell(source, { type: 'employee.terminated', employee });
    exportFile(source, 9);
    await runSource(delivery, { source, trigger: 'sync' });
    await handledRuns(source);
    exportFile(source, 5, 't1', 't2', 't3', 't4');
    assert.equal(await leaves({ Email: 'T1@carrying.example.com', 'First Name': 'Ann', 'Last Name': 'Not1' }), 202);
    await handled(source);
    assert.deepEqual(sentTo(source, 'old', 't1', 't2', 't3', 't4'), ['old', 't2', 't3', 't4']);
    exportFile(source, 4, 't1', 't5', 't6');
    await leaves({ 'Employee ID': 'T5', 'First Name': 'Ann' });
    await handled(source);
    assert.deepEqual(sentTo(source, 't1', 't5', 't6'), ['t6']);
    await ledger.eventsFailed({ source, reason: 'it cannot be read', waitMs: hours });
    exportFile(source, 3, 't1', 't7', 't8');
    await leaves({ 'Employee ID': 't7', Email: 'another@carrying.example.com' });
    await runSource(delivery, { source, trigger: 'sync' });
    await handledRuns(source);
    assert.deepEqual(sentTo(source, 't1', 't7', 't8'), ['t8']);
    await ledger.eventsHandled({ source, ids: [], runId: null });
  });

  test('whom an event says to leave is not sent by a retry of the event before it', async () => {
    const [source, Email] = ['carrying', 'pia@carrying.example.com'];
    const happened = async (type: string) => {
      await tell(source, { type, employee: { Email, 'First Name': 'Pia', 'Last Name': 'New', Department: 'Sales' } });
      await handled(source);
    };
    exportFile(source, 2, 't8');
    sandbox.faults.add(`status=400,email=${Email}`);
    await happened('employee.created');
    const run = (await runsOf(source)).find(({ status }) => status === 'finished-with-failures');
    assert.deepEqual([run?.trigger, callsFor(Email).length], ['event', 1]);
    sandbox.faults.clear();
    await happened('employee.terminated');
    const ask = askAs({ context, by: 'eve', origin: '', scopes: ['run'], poke: () => {} });
    await ask(retryRun, { run: run?.id ?? '' });
    await handledRuns(source);
    assert.equal(callsFor(Email).length, 1);
  });

  test('a file that lacks too many people is held, also where an event has it read; an approval settles it', async () => {
    const source = 'counted';
    const newest = async () => {
      const [run] = await runsOf(source);
      return { id: run?.id ?? '', is: [run?.status, ...(run?.trips ?? []).map(({ guard }) => guard)] };
    };
    exportFile(source, 9, 't0', 't1', 't2');
    await runSource(delivery, { source, trigger: 'sync' });
    await handled(source);
    exportFile(source, 8, 't1', 't2', 't3');
    await happens(source, 'employee.updated', 't0');
    assert.deepEqual((await newest()).is, ['finished'], 'an event alone says nothing about who is missing');
    exportFile(source, 5, 't4');
    const { runId } = await runSource(delivery, { source, trigger: 'sync' });
    assert.deepEqual(await newest(), { id: runId, is: ['held', 'departed'] });
    for (const id of ['t4', 't5']) {
      await happens(source, 'employee.updated', id);
      assert.deepEqual((await newest()).is, ['held', 'departed']);
    }
    const { id: again } = await newest();
    assert.notEqual(again, runId, 'it is read again');
    assert.deepEqual(sentTo(source, 't1', 't2', 't3', 't4'), ['t1', 't2', 't3']);
    await context.ledger.moveRun(again, 'cancel', { by: 'person', reason: 'cancelled by a person' });
    await happens(source, 'employee.updated', 't6');
    assert.deepEqual((await newest()).is, ['held', 'departed'], 'to cancel a hold is no yes');
    const { id: last } = await newest();
    await approveRun(delivery, { runId: last, service: delivery.service.address, by: 'eve' });
    await handled(source);
    exportFile(source, 4, 't4', 't5');
    await happens(source, 'employee.updated', 't7');
    assert.deepEqual((await newest()).is, ['finished']);
    assert.deepEqual(sentTo(source, 't4', 't5'), ['t4', 't5']);
  });

  test('whom a run of a whole file is still to send is taken out of it once an event says that they leave', async () => {
    const { ledger } = context;
    const source = 'slow';
    exportFile(source, 9, 't1', 't2', 't3');
    const { runId } = await runSource(delivery, { source, trigger: 'sync' });
    const employees = ['t2', 'T3@slow.example.com'];
    await ledger.addEvent({ source, key: 'id:1', kind: 'offer.declined', employees, people: [], body: '{}' });
    while ((await ledger.countOutcomes(runId)).superseded !== 2)
      await new Promise((resolve) => setTimeout(resolve, 20));
    // The file is read again once its run is out of the way.
    await ledger.moveRun(runId, 'cancel');
    while ((await ledger.waitingSources([source])).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const [again] = await runsOf(source);
    assert.equal(again?.plan?.counts.later, 2);
    assert.deepEqual(sentTo(source, 't2', 't3'), []);
    await ledger.moveRun(again.id, 'cancel');
  });

  test('whom an event says to leave is not sent by an approval that comes later, nor by a yes to a plan that was open', async () => {
    const { ledger } = context;
    const source = 'late';
    const leaves = async (id: string) =>
      ledger.addEvent({ source, key: `id:${id}`, kind: 'offer.declined', employees: [id], people: [], body: '{}' });
    exportFile(source, 9);
    await runSource(delivery, { source, trigger: 'sync' });
    await handledRuns(source);
    exportFile(source, 5, 't1', 't2', 't3');
    const { runId, status } = await runSource(delivery, { source, trigger: 'sync' });
    assert.equal(status, 'held');
    await leaves('t1');
    // It is taken, and the file is not read again for an hour.
    while ((await ledger.waitingSources([source])).some(({ withPeople }) => withPeople))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await approveRun(delivery, { runId, service: delivery.service.address, by: 'eve' });
    await handledRuns(source);
    assert.deepEqual(sentTo(source, 't1', 't2', 't3'), ['t2', 't3']);
    exportFile(source, 5, 't2', 't3', 't6', 't7', 't8');
    await ledger.eventsFailed({ source, reason: 'it cannot be read', waitMs: hours });
    const { runId: other } = await runSource(delivery, { source, trigger: 'sync' });
    await leaves('t6');
    await approveRun(delivery, { runId: other, service: delivery.service.address, by: 'eve' });
    await handledRuns(source);
    assert.deepEqual(sentTo(source, 't6', 't7', 't8'), ['t7', 't8'], 'events wait, and count already');
    await ledger.eventsHandled({ source, ids: [], runId: null });
    exportFile(source, 4, 't2', 't3', 't4', 't5');
    const rules = settleWebhook(requireSource(context.config, source).webhook as WebhookSettings);
    const { signal } = new AbortController();
    const done = await conductRun(context, {
      run: newRun(context, { source, service: delivery.service.address, trigger: 'sync' }),
      open: async () => ({
        roster: await openRoster(join(folder, `${source}.csv`), {}),
        columns: columnsOfSource(context, source),
      }),
      ...{ only: [], all: false, whilePlanning: (planIt) => planIt(() => {}) },
      attendant: {
        confirm: async ({ planned }) => {
          assert.equal(planned.plan.calls, 2);
          await leaves('t4');
          await enrolFromEvents(delivery, { source, rules, again: false, signal });
          const [waiting] = await ledger.waitingSources([source]);
          assert.equal(waiting?.withPeople, true, 'it waits until the plan is decided');
          return {};
        },
      },
    });
    assert.ok('runId' in done);
    assert.deepEqual([done.became, (await ledger.countOutcomes(done.runId)).superseded], ['released', 1]);
    await handledRuns(source);
    assert.deepEqual(sentTo(source, 't4', 't5'), ['t5']);
    while ((await ledger.waitingSources([source])).some(({ withPeople }) => withPeople))
      await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test('what the source says anew about somebody takes the place of what a held run would send, also if that is nothing', async () => {
    const statuses = async () => (await runsOf('checked')).map(({ status }) => status);
    hire('701');
    hire('702');
    await tell('checked', about('701', 'employee.created'));
    await tell('checked', about('702', 'employee.created'));
    await handled('checked');
    assert.deepEqual(await statuses(), ['held']);
    for (const [id, expected] of [
      ['701', ['finished', 'held']],
      ['702', ['finished', 'finished', 'cancelled']],
    ] as const) {
      hire(id, { status: 'Inactive' });
      await tell('checked', about(id));
      await handled('checked');
      assert.deepEqual(await statuses(), expected);
    }
  });

  test('an event about somebody who was erased while it waited is nothing to do, and no failure', async () => {
    const { ledger } = context;
    const people = [{ firstName: 'Gone', lastName: 'Away', workEmail: 'gone@example.com', departmentName: 'Sales' }];
    await ledger.addEvent({ source: 'plain', key: 'id:3', kind: 'x', employees: null, people, body: '{}' });
    await ledger.erasePerson({ key: 'gone@example.com', instead: 'forgotten-gone' });
    const webhooks = new Map([['plain', settleWebhook({ preset: 'bamboohr', quiet: 1, longest: 1 })]]);
    const handling = startHandlingEvents(delivery, { sources: webhooks, poke: () => {}, everyMs: 10 });
    let waiting = await ledger.waitingSources(['plain']);
    while (waiting[0]?.failures === 0) {
      waiting = await ledger.waitingSources(['plain']);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(waiting, []);
    await handling.stop();
  });

  test('an event about somebody whose manager was erased while it waited enrols them, and no longer names the manager', async () => {
    const { ledger } = context;
    const manager = { supervisor: 'Boss@example.com', note: 'ask boss@example.com' };
    const named = { departmentName: 'Sales', status: 'Active' };
    const people = [
      { firstName: 'New', lastName: 'Comer', workEmail: 'comer@example.com', employeeId: '91', ...named, ...manager },
      { firstName: 'The', lastName: 'Boss', workEmail: 'boss@example.com', employeeId: '92', ...named },
    ];
    await ledger.addEvent({ source: 'plain', key: 'id:m', kind: 'x', employees: null, people, body: '{}' });
    const email = 'boss@example.com';
    const boss = await findPersonToForget(context, email, delivery.service.address);
    const { sources } = context.config;
    const webhook = { preset: 'bamboohr', quiet: 1, longest: 1 } as const;
    const plain = { ...requireSource(context.config, 'plain'), webhook };
    const config = { ...context.config, sources: { ...sources, plain } };
    await forgetPerson({ ...context, config }, boss, { by: 'a test', origin: '' });
    const [kept] = await ledger.takeEvents({ source: 'plain', withPeople: true, limit: 9 });
    assert.equal(kept?.people?.length, 1);
    assert.doesNotMatch(JSON.stringify(kept?.people), /boss/i);
    const webhooks = new Map([['plain', settleWebhook(webhook)]]);
    const handling = startHandlingEvents(delivery, { sources: webhooks, poke: () => {}, everyMs: 10 });
    await handled('plain');
    await handling.stop();
    await eventually('they are enrolled', () => callsFor('comer@example.com').length === 1);
    assert.equal(callsFor(email).length, 0);
  });

  test('events that were taken by a process that died are handled by the next one', async () => {
    const { ledger } = context;
    const webhook = settleWebhook(requireSource(context.config, 'staff').webhook as WebhookSettings);
    await ledger.addEvent({ source: 'staff', key: 'id:left', kind: 'x', employees: ['501'], people: null, body: '{}' });
    await ledger.takeEvents({ source: 'staff', withPeople: false, limit: 10 });
    const runs: string[] = [];
    const next = startHandlingEvents(delivery, {
      sources: new Map([['staff', { ...webhook, quietMs: 1, longestMs: 1 }]]),
      poke: (runId) => runs.push(runId),
      everyMs: 10,
    });
    await handled('staff');
    await next.stop();
    assert.equal((await ledger.takeEvents({ source: 'staff', withPeople: false, limit: 10 })).length, 0);
  });

  test('an event is sent although a wrong clock gave the newest sent roster a time that has not come yet', async () => {
    const { ledger } = context;
    const asOf = new Date(Date.now() + 3_600_000);
    await runSource(delivery, { source: 'plain', trigger: 'api', asOf, anew: true });
    await handledRuns('plain');
    const people = [
      {
        ...{ firstName: 'Late', lastName: 'Hired', workEmail: 'late@example.com' },
        ...{ departmentName: 'Sales', status: 'Active', employeeId: '93' },
      },
    ];
    await ledger.addEvent({ source: 'plain', key: 'id:late', kind: 'x', employees: null, people, body: '{}' });
    const webhooks = new Map([['plain', settleWebhook({ preset: 'bamboohr', quiet: 1, longest: 1 })]]);
    const handling = startHandlingEvents(delivery, { sources: webhooks, poke: () => {}, everyMs: 10 });
    await handled('plain');
    await handling.stop();
    assert.equal(callsFor('late@example.com').length, 1);
  });
});
