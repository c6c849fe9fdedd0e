import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test, type TestContext } from 'node:test';
import { InputError, openRosterSync, pauseRun, readRoster, reportRun, type RosterSync } from '../../src/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { csvOf, envOf, openPlace, type Place } from '../support/cli.ts';
import { keepEmbeddedCode } from '../support/embedded-code.ts';
import { openSandbox } from '../support/sandbox.ts';

interface Opened {
  rosterSync: RosterSync;
  sandbox: Sandbox;
  place: Place;
}

/** A program of its own: nothing comes from this process's environment. */
async function open(t: TestContext, settings: Record<string, string | number> = {}): Promise<Opened> {
  const sandbox = await openSandbox(t);
  const place = await openPlace(envOf(sandbox));
  await keepEmbeddedCode();
  const umask = process.umask();
  const rosterSync = await openRosterSync({ settings, environment: place.env, cwd: place.folder, name: 'a program' });
  t.after(async () => {
    await rosterSync.close();
    process.umask(umask);
  });
  return { rosterSync, sandbox, place };
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const yes = () => Promise.resolve({ approvedBy: 'Ann' });

suite('the library', () => {
  test('tells what each row of a roster becomes, without settings and service', async () => {
    async function* bytes() {
      yield 'Vorname;Nachname;E-Mail\nAnn;Ek;ann@example.com\nBo;Dam;nobody\n';
    }
    const rows = await listOf(readRoster(bytes(), { name: 'people.csv', columns: { groups: ['Staff'] } }));
    const file = 'people.csv';
    assert.deepEqual(rows, [
      {
        ...{ file, line: 2, is: 'member' },
        member: { firstname: 'Ann', lastname: 'Ek', email: 'ann@example.com', groups: ['Staff'] },
      },
      { file, line: 3, is: 'reject', column: 'E-Mail', value: 'nobody', reason: '"nobody" is not an e-mail address' },
    ]);
  });

  test('plans and sends nothing; asks, and a no keeps nothing; delivers; and knows who has everything', async (t) => {
    const { rosterSync, sandbox, place } = await open(t);
    const request = { source: 'people', roster: place.write('people.csv', csvOf(3)) };
    const { people, calls, isHeld, groups } = await rosterSync.plan(request);
    assert.deepEqual([people.new, calls, isHeld], [3, 3, false]);
    assert.deepEqual(groups, [
      { group: 'Staff', adds: 3 },
      { group: 'Odd', adds: 1 },
    ]);

    await assert.rejects(rosterSync.plan({ ...request, only: [] }), { message: /^only is empty/ });
    assert.equal(await rosterSync.sync({ ...request, confirm: () => Promise.resolve(false) }), undefined);
    await assert.rejects(rosterSync.result('latest'), { message: 'There is no run yet.' });
    assert.equal(sandbox.calls.length, 0);

    const asked: string[] = [];
    const result = await rosterSync.sync({
      ...request,
      async confirm(plan) {
        for await (const { kind, email } of plan.everybody()) asked.push(`${kind} ${email}`);
        return { approvedBy: 'Ann' };
      },
    });
    assert.deepEqual(asked, ['new person0@example.com', 'new person1@example.com', 'new person2@example.com']);
    assert.deepEqual([result?.status, result?.outcome.succeeded, result?.exitCode], ['finished', 3, 0]);
    assert.equal(sandbox.calls.length, 3);
    const receipts = await listOf(rosterSync.receipts('latest'));
    assert.deepEqual(
      receipts.map(({ email, group, status }) => `${email} ${group} ${status}`),
      [
        ...['person0@example.com Staff success', 'person1@example.com Staff success'],
        ...['person1@example.com Odd success', 'person2@example.com Staff success'],
      ],
    );

    const { parts } = await rosterSync.ask(reportRun, { run: 'latest', format: 'csv' });
    assert.match((await listOf(parts)).join(''), /^person0@example\.com,/m);
    await assert.rejects(rosterSync.ask(pauseRun, { run: 'latest' }), /is finished: there is nothing to pause/);

    const again = await rosterSync.sync({ ...request, confirm: yes });
    assert.deepEqual([again?.plan.unchanged, again?.calls], [3, 0]);
    assert.equal(sandbox.calls.length, 3);
  });

  test('pauses when its signal is aborted, or it is closed, and resumes where it stopped', async (t) => {
    const { rosterSync, sandbox, place } = await open(t, { 'delivery.rate': '20/1s', 'delivery.concurrency': 1 });
    const roster = place.write('people.csv', csvOf(30));
    const stopping = new AbortController();
    const onProgress = ({ succeeded = 0 }) => {
      if (succeeded > 0) stopping.abort();
    };
    const paused = await rosterSync.sync({
      ...{ source: 'people', roster, confirm: yes },
      ...{ signal: stopping.signal, onProgress },
    });
    assert.deepEqual([paused?.status, paused?.exitCode], ['paused', 130]);
    assert.ok((paused?.pending ?? 0) > 0);
    const resumed = rosterSync.resume(paused?.run ?? '', { onProgress: () => void rosterSync.close() });
    assert.equal((await resumed.catch(({ message }: Error) => ({ status: message }))).status, 'paused');

    await rosterSync.close();
    const next = await openRosterSync({ environment: place.env, cwd: place.folder });
    t.after(() => next.close());
    const done = await next.resume('latest');
    assert.deepEqual([done.status, done.outcome.succeeded], ['finished', 30]);
    assert.equal(new Set(sandbox.calls.map(({ body }) => body)).size, 30);
    assert.equal(sandbox.calls.length, 30);
  });

  test('delivers what somebody else approves while the program is open', async (t) => {
    const { rosterSync, place } = await open(t, { 'delivery.maxInvitations': 1 });
    const roster = place.write('people.csv', csvOf(3));
    const held = await rosterSync.sync({ source: 'people', roster, invite: true, confirm: yes });
    assert.deepEqual([held?.status, held?.exitCode], ['held', 3]);
    const approved = await place.alone('approve', 'latest', '--yes');
    assert.equal(approved.code, 0, approved.stderr);
    const { status, outcome } = await rosterSync.result('latest');
    assert.deepEqual([status, outcome.succeeded], ['finished', 3]);
  });

  test('reports everything that is wrong in the settings at once', async () => {
    const settings = { 'delivery.rate': 'fast', 'service.baseUrl': 'http://example.com' };
    await assert.rejects(openRosterSync({ settings, environment: {}, cwd: '/' }), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.message, /delivery\.rate must be a rate/);
      return true;
    });
  });

  test('runs examples/library/enrol.ts: it sends, and sends nothing to more people than it may', async (t) => {
    const sandbox = await openSandbox(t);
    const place = await openPlace(envOf(sandbox));
    const root = join(import.meta.dirname, '../..');
    async function run(people: number): Promise<{ code: number | null; said: string }> {
      place.write('staff.csv', csvOf(people).replaceAll('groups', 'team'));
      const hooks = ['--import', join(root, 'test/support/as-package.ts')];
      const program = [...hooks, join(root, 'examples/library/enrol.ts'), 'staff.csv'];
      const child = spawn(process.execPath, program, {
        cwd: place.folder,
        env: place.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
      return { code, said };
    }
    const first = await run(2);
    assert.deepEqual(first, {
      code: 0,
      said:
        '2 new, 0 changed, 0 unchanged\n  new: person0@example.com into All staff\n' +
        '  new: person1@example.com into All staff\nfinished: 2 delivered, 2 calls\n',
    });
    const { code, said } = await run(30);
    assert.equal(code, 3);
    assert.match(said, /More than 20 people: nothing was sent\.\n$/);
    assert.equal(sandbox.calls.length, 2);
  });
});
