import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { approveRun, stopRun } from '../../jobs/run/steer-run.ts';
import { type Attendant, type Conducted, conductRun } from '../../jobs/run/conduct-run.ts';
import { newRun, type PlannedRun } from '../../jobs/run/planning-run.ts';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { type Release, releaseOrHold } from '../../jobs/run/release-plan.ts';
import { runSource, type SourceRunResult } from '../../jobs/run/run-source.ts';
import { startDelivering, lookAtRun, waitForRun } from '../../jobs/deliver/deliver.ts';
import { type DeliveryContext, openContext } from '../../src/wiring/context.ts';
import { InputError, type NotNowError } from '../../src/core/errors.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { csvOf, envOf } from '../support/cli.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';
import { openSandbox } from '../support/sandbox.ts';
import { openHearing } from '../notify/hearing.ts';
import { eventually } from '../support/cli.ts';

/** A process with a ledger of its own before a sandbox. */
async function openProcess(t: TestContext, settings: Record<string, string> = {}, file = '') {
  const sandbox = await openSandbox(t);
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-holds-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { ...envOf(sandbox), ROSTER_SYNC_DATA_DIR: join(folder, 'data'), ...settings };
  writeFileSync(join(folder, 'roster-sync.yaml'), file);
  const config = loadConfig({ environment, cwd: folder });
  await copyEmptyDataDirectory(config.dataDir);
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'test', create: true });
  t.after(() => context.close());
  const delivery = await context.openDelivery(config.delivery.rate);
  const roster = join(folder, 'people.csv');
  const { worker } = context.ledger;

  async function plan(runId: string, people: number, only: string[] = []): Promise<PlannedRun> {
    writeFileSync(roster, csvOf(people));
    const { concurrency: _, canary: __, ...settings } = config.delivery;
    return planRoster(context, {
      run: { id: runId, source: 'people', service: delivery.service.address, trigger: 'import', settings, worker },
      open: async () => ({
        roster: await openRoster(roster, {}),
        columns: { map: {}, groups: [], groupColumns: [], today: new Date() },
      }),
      only,
      all: false,
      onRows: () => {},
    });
  }
  /** What a schedule does: the roster is read and planned, and held or released. */
  async function readByItself(people: number): Promise<SourceRunResult> {
    writeFileSync(roster, csvOf(people));
    return runSource(delivery, { source: 'people', trigger: 'schedule', roster: await openRoster(roster, {}) });
  }
  /** What a command does: the plan is shown to somebody first. */
  async function conduct(people: number, confirm: Attendant['confirm']): Promise<Conducted> {
    writeFileSync(roster, csvOf(people));
    const service = delivery.service.address;
    return conductRun(context, {
      run: newRun(context, { source: 'people', service, trigger: 'import' }),
      open: async () => ({ roster: await openRoster(roster, {}), columns: { groups: [], groupColumns: [] } }),
      ...{ only: [], all: false, whilePlanning: (planIt) => planIt(() => {}), attendant: { confirm } },
    });
  }
  return { sandbox, folder, delivery, plan, readByItself, conduct };
}

/** Delivers a run until it no longer delivers; returns its state. */
async function deliver(delivery: DeliveryContext, runId: string): Promise<string | undefined> {
  const deliverer = startDelivering(delivery, { concurrency: 5 });
  const signal = AbortSignal.timeout(20_000);
  await Promise.race([
    waitForRun((isInterrupted) => lookAtRun(delivery, runId, isInterrupted), signal),
    deliverer.failure,
  ]);
  await deliverer.stop();
  return (await delivery.ledger.findRuns(runId))[0]?.status;
}

const odd: Trip = { guard: 'newGroups', scope: { groups: ['Odd'] }, message: 'Odd is a new group' };

test('a guard of one group: the rest is delivered, then the run is held; what is approved is sent, and it is finished', async (t) => {
  const { sandbox, delivery, plan } = await openProcess(t);
  const planned = await plan('half', 10);
  assert.equal(
    await releaseOrHold(delivery, { ...planned, trips: [odd] }, { all: false }),
    'released' satisfies Release,
  );
  assert.equal(await deliver(delivery, 'half'), 'held');
  assert.deepEqual(
    new Set(sandbox.calls.map(({ email }) => email)),
    new Set([0, 2, 4, 6, 8].map((at) => `person${at}@example.com`)),
  );
  const asked = { runId: 'half', service: delivery.service.address, by: 'eve@laptop' };
  await assert.rejects(
    approveRun(delivery, { ...asked, hash: 'f'.repeat(64) }),
    /what would be sent, or the settings it would be sent with, changed after you looked/,
  );
  await assert.rejects(approveRun(delivery, { ...asked, service: 'https://other' }), /belongs to/);
  await assert.rejects(approveRun(delivery, { ...asked, runId: 'hal' }), InputError);
  const hash = planned.plan.hash ?? '';
  assert.deepEqual(await approveRun(delivery, { ...asked, hash: hash.slice(0, 12), note: 'they are odd' }), {
    ...{ released: 5, superseded: 0, stillHeld: 0 },
  });
  assert.equal(await deliver(delivery, 'half'), 'finished');
  assert.equal(sandbox.calls.length, 10);
  const [approval] = await delivery.ledger.approvalsOf('half');
  assert.deepEqual([approval?.by, approval?.note, approval?.hash], ['eve@laptop', 'they are odd', hash]);
  await assert.rejects(approveRun(delivery, asked), /is finished: there is nothing to approve/);
});

test('an approval of a part that is asked again says who gave it, and when, while the rest is held and afterwards', async (t) => {
  const { delivery, plan } = await openProcess(t);
  const planned = await plan('part', 10);
  const all: Trip = { ...odd, scope: 'all' };
  await releaseOrHold(delivery, { ...planned, trips: [all] }, { all: false });
  const asked = { runId: 'part', service: delivery.service.address, by: 'eve@laptop', exceptGroups: ['Odd'] };
  const { released, stillHeld } = await approveRun(delivery, asked);
  assert.deepEqual([released, stillHeld], [5, 5]);
  assert.equal(await deliver(delivery, 'part'), 'held');
  const again = await approveRun(delivery, { ...asked, by: 'bob@laptop' });
  assert.deepEqual([again.released, again.stillHeld, again.already?.by], [0, 5, 'eve@laptop']);
  assert.ok(again.already && Date.now() - again.already.at.getTime() < 60_000);
  await approveRun(delivery, { runId: asked.runId, service: asked.service, by: asked.by });
  assert.equal(await deliver(delivery, 'part'), 'finished');
  assert.equal((await approveRun(delivery, asked)).already?.by, 'eve@laptop');
  assert.equal((await delivery.ledger.approvalsOf('part')).length, 2);
});

test('the first people of a source are held, though a run that gave nobody anything came before', async (t) => {
  const { delivery, folder } = await openProcess(t);
  async function tell(...rows: string[]): Promise<SourceRunResult['status']> {
    const file = join(folder, 'event.csv');
    writeFileSync(file, ['firstname,lastname,email,groups', ...rows].join('\n'));
    const roster = await openRoster(file, {});
    roster.form.isPartial = true;
    return (await runSource(delivery, { source: 'people', trigger: 'event', roster })).status;
  }
  assert.equal(await tell('Ann,Lee,not an address,Sales'), 'finished');
  assert.equal(await tell('Ann,Lee,ann@example.com,Sales'), 'held');
});

test('events of a few people each are held once they come to more than a guard lets pass in a day', async (t) => {
  const { delivery, plan } = await openProcess(t);
  await plan('known', 600);
  await delivery.ledger.recordBaseline('known');
  const statuses: SourceRunResult['status'][] = [];
  for (let event = 0; event < 6; event += 1) {
    const file = join(delivery.config.dataDir, '..', `event-${event}.csv`);
    writeFileSync(file, csvOf(40, { domain: `day${event}.example` }));
    const roster = await openRoster(file, {});
    roster.form.isPartial = true;
    statuses.push((await runSource(delivery, { source: 'people', trigger: 'event', roster })).status);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 5 }, () => 'delivering' as const), 'held']);
  const [run] = await delivery.ledger.listRuns(1);
  assert.deepEqual(
    run?.trips.map(({ guard, message }) => [guard, /counts the events of the last 24 hours/.test(message)]),
    [['invites', true]],
  );
});

test('whom an approval leaves out is held in later runs too, until somebody approves them', async (t) => {
  const { sandbox, delivery, readByItself } = await openProcess(t);
  const { ledger, service } = delivery;
  const sent = () => new Set(sandbox.calls.map(({ body }) => (body as { user: { email: string } }).user.email)).size;
  const { runId } = await readByItself(10);
  await approveRun(delivery, { runId, service: service.address, by: 'eve', exceptGroups: ['Odd'] });
  assert.equal(await deliver(delivery, runId), 'held');
  assert.equal(sent(), 5);
  for (const people of [11, 11, 13]) {
    const next = await readByItself(people);
    if (next.status === 'delivering') await deliver(delivery, next.runId);
    const [run] = await ledger.findRuns(next.runId);
    assert.deepEqual([run?.status, run?.trips.map(({ guard }) => guard)], ['held', ['withheld']]);
  }
  assert.equal(sent(), 5 + 3, 'the new ones');
  const [last] = await ledger.listRuns(1);
  await approveRun(delivery, { runId: last?.id ?? '', service: service.address, by: 'eve' });
  await deliver(delivery, last?.id ?? '');
  assert.equal(sent(), 13);
  assert.deepEqual((await ledger.findRuns((await readByItself(14)).runId))[0]?.trips, []);
});

test('what somebody cancelled while it was delivered waits for a person, until one has approved it', async (t) => {
  const { sandbox, delivery, readByItself, conduct } = await openProcess(t);
  const { ledger, service } = delivery;
  const approve = (runId: string) => approveRun(delivery, { runId, service: service.address, by: 'eve' });
  const first = await readByItself(10);
  await approve(first.runId);
  await deliver(delivery, first.runId);
  const stopped = await readByItself(14);
  assert.equal(stopped.status, 'delivering');
  const [run] = await ledger.findRuns(stopped.runId);
  if (run) await stopRun(delivery, run, 'cancel', 'eve');
  for (const people of [14, 15, 15]) {
    const { runId } = await readByItself(people);
    const [next] = await ledger.findRuns(runId);
    assert.equal(next?.status, 'held');
    assert.deepEqual(
      next?.trips.map(({ message }) => message),
      [`4 people whom run ${stopped.runId} did not send, because somebody cancelled it, would be sent unattended.`],
    );
    // To cancel what is held, too, is no yes.
    if (next && people === 15) await stopRun(delivery, next, 'cancel', 'eve');
  }
  // Whoever sees the plan decides.
  await conduct(15, async ({ planned }) => {
    assert.deepEqual(planned.trips, []);
    return { refused: 'no' };
  });
  const { runId } = await readByItself(15);
  await approve(runId);
  await deliver(delivery, runId);
  assert.equal(sandbox.calls.length, 15);
  assert.deepEqual((await ledger.findRuns((await readByItself(16)).runId))[0]?.trips, []);
});

test('a plan like one that somebody cancelled is held too, below the limit; a better one is not', async (t) => {
  const { delivery, readByItself } = await openProcess(t);
  const { ledger, service } = delivery;
  const night = async (people: number) => {
    const { runId, status } = await readByItself(people);
    if (status === 'delivering') await deliver(delivery, runId);
    const [run] = await ledger.findRuns(runId);
    return { run, guards: run?.trips.map(({ guard }) => guard), message: run?.trips[0]?.message ?? '' };
  };
  const { run: first } = await night(100);
  await approveRun(delivery, { runId: first?.id ?? '', service: service.address, by: 'eve' });
  await deliver(delivery, first?.id ?? '');
  const { run: half, guards } = await night(70);
  assert.deepEqual(guards, ['shrink']);
  if (half) await stopRun(delivery, half, 'cancel', 'eve');
  const like = await night(86);
  assert.deepEqual(like.guards, ['shrink']);
  assert.match(like.message, new RegExp(`Somebody cancelled run ${half?.id}, which was held for the same reason`));
  assert.deepEqual((await night(93)).guards, []);
  assert.deepEqual((await night(82)).guards, [], 'something was sent since');
});

test('nothing is held without a trip; of a source’s first run a yes is an approval, of later ones it is not', async (t) => {
  const { delivery, plan } = await openProcess(t);
  const first = await plan('first', 4);
  assert.equal(await releaseOrHold(delivery, first, { all: false, approvedBy: 'eve@laptop' }), 'released');
  assert.equal(await deliver(delivery, 'first'), 'finished');
  assert.deepEqual(
    (await delivery.ledger.approvalsOf('first')).map(({ by, hash }) => [by, hash]),
    [['eve@laptop', first.plan.hash]],
  );
  assert.equal(await releaseOrHold(delivery, await plan('second', 4), { all: false, approvedBy: 'eve' }), 'nothing');
  assert.equal((await delivery.ledger.findRuns('second'))[0]?.status, 'finished');
  assert.deepEqual(await delivery.ledger.approvalsOf('second'), []);
});

test('a yes to a first run that a guard holds is no approval; each approval is kept with its note', async (t) => {
  const { delivery, plan } = await openProcess(t);
  const first = { ...(await plan('first', 4)), trips: [odd] };
  await releaseOrHold(delivery, first, { all: false, approvedBy: 'eve@laptop' });
  assert.deepEqual(await delivery.ledger.approvalsOf('first'), []);
  const approval = { by: 'eve@laptop', hash: first.plan.hash ?? '', scope: {} };
  for (const note of ['looked at', 'looked at', 'looked again']) {
    await delivery.ledger.recordApproval('first', { ...approval, note });
  }
  const notes = (await delivery.ledger.approvalsOf('first')).map(({ note }) => note);
  assert.deepEqual(notes, ['looked at', 'looked again']);
});

test('what a paused run holds is closed by a newer roster of its source, and not by one of some people only', async (t) => {
  const { delivery, plan } = await openProcess(t);
  const { ledger } = delivery;
  await releaseOrHold(delivery, { ...(await plan('half', 10)), trips: [odd] }, { all: false });
  await ledger.moveRun('half', 'pause', { by: 'person', reason: '' });
  const status = async (): Promise<string | undefined> => (await ledger.findRuns('half'))[0]?.status;
  await releaseOrHold(delivery, await plan('one', 10, ['person0@example.com']), { all: true });
  await deliver(delivery, 'one');
  assert.deepEqual([await status(), await ledger.countHeld('half')], ['paused', 5]);
  await releaseOrHold(delivery, await plan('whole', 10), { all: false });
  assert.deepEqual([await status(), await ledger.countHeld('half')], ['cancelled', 0]);
});

test('a guard of the whole file holds also a run that would send nobody: its roster must not count', async (t) => {
  const { sandbox, delivery, plan } = await openProcess(t);
  await releaseOrHold(delivery, await plan('usual', 4), { all: false });
  await deliver(delivery, 'usual');
  sandbox.clearCalls();
  const trips: Trip[] = [{ guard: 'shrink', scope: 'all', message: 'half of it is gone' }];
  assert.equal(await releaseOrHold(delivery, { ...(await plan('half', 2)), trips }, { all: false }), 'held');
  assert.equal((await delivery.ledger.findRuns('half'))[0]?.releasedAt, null);
  await approveRun(delivery, { runId: 'half', service: delivery.service.address, by: 'eve' });
  assert.equal(await deliver(delivery, 'half'), 'finished');
  assert.equal(sandbox.calls.length, 0);
});

test('a roster with people who have left is held whatever starts the run, unless somebody has said who is sent', async (t) => {
  const { delivery } = await openProcess(t);
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-presence-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'people.csv');
  writeFileSync(file, 'firstname,lastname,email,groups,Status\nAnn,Ek,ann@example.com,Staff,Terminated\n');
  for (const trigger of ['import', 'sync', 'schedule', 'event', 'api'] as const) {
    for (const isPresenceSettled of [false, true]) {
      const name = `${trigger}-${isPresenceSettled}`;
      const { concurrency: _, canary: __, ...settings } = delivery.config.delivery;
      const planned = await planRoster(delivery, {
        run: {
          ...{ id: name, source: 'people', service: delivery.service.address, trigger, settings },
          worker: delivery.ledger.worker,
        },
        open: async () => ({
          roster: await openRoster(file, {}),
          columns: { map: {}, groups: [], groupColumns: [], today: new Date() },
        }),
        ...{ only: ['ann@example.com'], all: false, onRows: () => {}, isPresenceSettled },
      });
      const held = planned.trips.filter(({ guard }) => guard === 'everybody');
      assert.equal(held.length, isPresenceSettled ? 0 : 1, name);
      assert.equal(planned.signs.length, isPresenceSettled ? 0 : 1, name);
      await delivery.ledger.discardRun(name);
    }
  }
});

test('a hold keeps its id while roster and plan are the same and is announced once; a newer one replaces it', async (t) => {
  const { url, heard } = await openHearing(t);
  const { delivery, readByItself } = await openProcess(t, {
    ROSTER_SYNC__NOTIFY__WEBHOOK: `${url}/hook`,
    ROSTER_SYNC__NOTIFY__ON: 'held',
    ROSTER_SYNC__SERVER__PUBLIC_URL: 'https://roster.example.com',
  });
  const first = await readByItself(4);
  assert.equal(first.status, 'held');
  await eventually('the hold is announced', () => heard.length === 1);
  for (const again of [await readByItself(4), await readByItself(4)]) {
    assert.deepEqual([again.runId, again.status], [first.runId, 'held']);
  }
  assert.equal((await delivery.ledger.listRuns(10)).length, 1, 'nothing is left of the later readings');
  const second = await readByItself(5);
  assert.notEqual(second.runId, first.runId);
  await eventually('the other hold is announced', () => heard.length === 2);
  const third = await readByItself(6);
  await eventually('the third hold is announced', () => heard.length === 3);
  assert.ok(
    heard.every(({ body }, at) =>
      body.includes(`https://roster.example.com/runs/${[first, second, third][at]?.runId}`),
    ),
  );
  assert.deepEqual(await delivery.ledger.supersededBy(first.runId), { id: third.runId, status: 'held' });
  assert.equal(await delivery.ledger.supersededBy(third.runId), undefined);
  const { address } = delivery.service;
  await assert.rejects(
    approveRun(delivery, { runId: first.runId, service: address, by: 'eva' }),
    (error: NotNowError) => {
      assert.match(error.message, new RegExp(`Run ${third.runId} has replaced it and is held\\.$`));
      const next = ['runs.get', 'runs.approve'].map((act) => ({ act, run: third.runId }));
      assert.deepEqual(error.next, next);
      return true;
    },
  );
});

/** The status of a run, and whether it is held because another source takes people out. */
const heldBy = (run?: Pick<Run, 'status' | 'trips'>): string =>
  JSON.stringify(run?.trips).includes('another source uses forceSync')
    ? `${run?.status}: another source`
    : `${run?.status}`;

test('a group that lost too many people holds the whole roster where another source takes people out', async (t) => {
  const { delivery, folder } = await openProcess(t);
  async function read(source: string, groups: string, forceSync = false): Promise<string | undefined> {
    const file = join(folder, `${source}.csv`);
    const rows = Array.from({ length: 40 }, (_, at) => `Ann,Lee,ann${at}@example.com,${groups}`);
    writeFileSync(file, ['firstname,lastname,email,groups', ...rows].join('\n'));
    const roster = await openRoster(file, {});
    const { runId, status } = await runSource(delivery, { source, trigger: 'import', roster, forceSync });
    if (status === 'delivering') await deliver(delivery, runId);
    return heldBy((await delivery.ledger.findRuns(runId))[0]);
  }
  for (const source of ['staff', 'crew']) assert.equal(await read(source, 'IT;Sales'), 'finished');
  assert.equal(await read('staff', 'Sales'), 'held', 'nobody is taken out, but would be told to be');
  assert.equal(await read('club', 'Club', true), 'finished');
  assert.equal(await read('crew', 'Sales'), 'held: another source');
});

test('so it does where another source takes out who left it', async (t) => {
  for (const [forceSync, status] of [
    ['false', 'held'],
    ['true', 'held: another source'],
  ]) {
    const policy = `{ group: Left, forceSync: ${forceSync} }`;
    const { delivery, folder } = await openProcess(t, {}, `sources: { club: { snapshot: true, departed: ${policy} } }`);
    async function read(groups: string): Promise<string> {
      const rows = Array.from({ length: 40 }, (_, at) => `Ann,Lee,ann${at}@example.com,${groups}`);
      writeFileSync(join(folder, 'staff.csv'), ['firstname,lastname,email,groups', ...rows].join('\n'));
      const roster = await openRoster(join(folder, 'staff.csv'), {});
      const { runId, status } = await runSource(delivery, { source: 'staff', trigger: 'import', roster });
      if (status === 'delivering') await deliver(delivery, runId);
      return heldBy((await delivery.ledger.findRuns(runId))[0]);
    }
    assert.equal(await read('IT;Sales'), 'finished');
    assert.equal(await read('Sales'), status);
  }
});

test('a plan that somebody refuses, or that cannot be shown, leaves nothing of its run', async (t) => {
  const { delivery, conduct } = await openProcess(t);
  const refused = await conduct(4, async ({ planned, stopped, isHeld }) => {
    assert.deepEqual([planned.plan.calls, stopped, isHeld], [4, 0, false]);
    return { refused: 'no' };
  });
  assert.deepEqual(refused, { became: 'refused', refused: 'no' });
  await assert.rejects(
    conduct(4, () => Promise.reject(new Error('the terminal is gone'))),
    /the terminal is gone/,
  );
  assert.deepEqual(await delivery.ledger.listRuns(10), []);
  const { became } = await conduct(4, () => Promise.resolve({ approvedBy: 'eve@laptop' }));
  assert.equal(became, 'released');
  assert.equal((await delivery.ledger.listRuns(10)).length, 1);
});
