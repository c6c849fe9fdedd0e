import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { repeatedCalls, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { csvOf, type Ended, envOf, eventually, openPlace, type Place, type RunJson } from '../support/cli.ts';

let sandbox: Sandbox;
let place: Place;
let scenes = 0;

before(async () => {
  sandbox = await startSandbox();
  place = await openPlace(envOf(sandbox), { here: true });
});
beforeEach(() => {
  sandbox.faults.clear();
  sandbox.clearCalls();
});
after(() => sandbox.close());

/** People of their own and a source of their own, so that no scene knows of another. */
function newPeople(count: number): { file: string; email: (index: number) => string } {
  scenes += 1;
  const domain = `scene${scenes}.example`;
  return {
    file: place.write(`scene${scenes}.csv`, csvOf(count, { domain })),
    email: (index) => `person${index}@${domain}`,
  };
}

/** Imports so many people while the service answers as told. */
async function importWhile(
  people: number,
  faults: (email: (index: number) => string) => string[],
  ...flags: string[]
): Promise<{ ended: Ended; value: RunJson; email: (index: number) => string; file: string }> {
  const { file, email } = newPeople(people);
  sandbox.faults.add(...faults(email));
  return { ...(await place.json('import', file, '--yes', ...flags)), email, file };
}

function callsFor(email: string): number {
  return sandbox.calls.filter((call) => call.email === email).length;
}

describe('a service that is rate-limiting us', () => {
  for (const [form, wait, concurrency] of [
    ['seconds', '3', 1],
    ['a date', 'date+3', 10],
  ] as const) {
    it(`R4, R5: after a 429 with Retry-After as ${form} nobody calls until then, and no attempt is used up`, async () => {
      place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'] = '1';
      place.env['ROSTER_SYNC__DELIVERY__CONCURRENCY'] = String(concurrency);
      const { ended, value } = await importWhile(40, () => [`status=429,retry-after=${wait},nth=4`]);
      delete place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'];
      delete place.env['ROSTER_SYNC__DELIVERY__CONCURRENCY'];
      assert.equal(ended.code, 0, ended.stderr);
      assert.equal(value.outcome.succeeded, 40);
      const refused = sandbox.calls.filter(({ status }) => status === 429);
      assert.equal(value.calls, 40 + refused.length);
      const since = sandbox.calls.map(({ arrivedAt }) => arrivedAt - (refused[0]?.endedAt ?? 0));
      // What had started before the answer arrived is let pass: at most one and a half times the concurrency.
      const meanwhile = since.filter((ms) => ms > 0 && ms < 2990).length;
      assert.ok(meanwhile <= (concurrency === 1 ? 0 : concurrency * 1.5), `${meanwhile} calls while they were to wait`);
      assert.ok(since.some((ms) => ms >= 2990));
    });
  }

  it('R5: a 503 with Retry-After is throttling too, not an outage and not a failure', async () => {
    const { ended, value } = await importWhile(8, () => ['status=503,retry-after=1,nth=2']);
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(value.outcome.succeeded, 8);
  });
});

describe('a service that breaks', () => {
  it('R5: a 429 before a 5xx uses up none of the attempts', async () => {
    place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'] = '2';
    const { ended, value } = await importWhile(3, (of) => [
      `status=429,retry-after=0,first=1,email=${of(1)}`,
      `status=500,nth=2,email=${of(1)}`,
    ]);
    delete place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'];
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.calls], [3, 5]);
  });

  it('R2: 5xx for a while are tried again, and everybody is put into their groups once', async () => {
    const { ended, value } = await importWhile(20, () => ['status=500,first=3']);
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.calls, value.warnings], [20, 23, 0]);
    assert.equal(value.inserts, sandbox.stats().inserts);
  });

  it('5xx for one person only is that person’s failure once the attempts are used up', async () => {
    place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'] = '3';
    const { ended, value, email } = await importWhile(12, (of) => [`status=500,email=${of(4)}`]);
    delete place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'];
    assert.equal(ended.code, 4, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.outcome.failed], [11, 1]);
    assert.equal(callsFor(email(4)), 3);
    assert.match(ended.stderr, /1 failed: HTTP 500 from 127\.0\.0\.1/);
  });

  it('R7: what a gateway did not hear of may have happened: it is called again, and unknown in the end', async () => {
    place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'] = '3';
    const { ended, value, email } = await importWhile(12, (of) => [`status=502,apply=yes,email=${of(4)}`]);
    delete place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'];
    assert.equal(ended.code, 4, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.outcome.unknown, value.outcome.failed], [11, 1, 0]);
    assert.equal(callsFor(email(4)), 3);
    assert.match(ended.stderr, /Repeated: +1 person may have been sent twice/);
    assert.match(ended.stderr, /1 unknown: HTTP 502 from 127\.0\.0\.1/);
  });

  it('R7: a connection reset before it was read is called again, and shown as repeated', async () => {
    const { ended, value } = await importWhile(10, () => ['reset=before,nth=3']);
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.inserts, value.calls], [10, 15, 11]);
    assert.match(ended.stderr, /Repeated: +1 person may have been sent twice/);
  });

  it('R7: a connection reset after it was read is called again with the very same body', async () => {
    const { ended, value, email } = await importWhile(10, (of) => [`reset=after,first=1,email=${of(3)}`]);
    assert.equal(ended.code, 0, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.warnings], [10, 2]);
    const bodies = sandbox.calls.filter((call) => call.email === email(3)).map(({ body }) => JSON.stringify(body));
    assert.equal(bodies.length, 2);
    assert.equal(bodies[0], bodies[1]);
    assert.match(ended.stderr, /Repeated: +1 person/);
  });

  it('R7: what may have happened to the last attempt is unknown, not failed', async () => {
    place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'] = '2';
    const { ended, value, email } = await importWhile(6, (of) => [
      `reset=after,email=${of(1)}`,
      `body=truncated,email=${of(2)}`,
    ]);
    delete place.env['ROSTER_SYNC__DELIVERY__ATTEMPTS'];
    assert.equal(ended.code, 4, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.outcome.unknown, value.outcome.failed], [4, 2, 0]);
    assert.deepEqual([callsFor(email(1)), callsFor(email(2))], [2, 2]);
  });

  it('R7: a refusal after a call that may have arrived leaves it unknown', async () => {
    const { ended, value, email } = await importWhile(6, (of) => [
      `reset=after,first=1,email=${of(1)}`,
      `status=409,nth=2,email=${of(1)}`,
      `status=409,email=${of(2)}`,
    ]);
    assert.equal(ended.code, 4, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.outcome.unknown, value.outcome.failed], [4, 1, 1]);
    assert.deepEqual([callsFor(email(1)), callsFor(email(2))], [2, 1]);
    assert.match(ended.stderr, /an earlier call may have arrived/);
  });

  it('R5: an outage after a success opens the breaker: nobody fails, Ctrl-C pauses, and resume sends the rest', async () => {
    const { file } = newPeople(40);
    sandbox.faults.add('status=500,after=5');
    const running = await place.start(['import', file, '--yes']);
    await running.until(/one call a minute tries again/);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    const { value: paused } = await place.json('show', 'latest');
    assert.deepEqual([paused.status, paused.outcome.succeeded, paused.outcome.failed], ['paused', 5, 0]);
    sandbox.faults.clear();
    const resumed = await place.json('resume', 'latest');
    assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
    assert.deepEqual([resumed.value.outcome.succeeded, resumed.value.inserts], [40, 60]);
  });

  it('R5: an outage before the first success is one too: resets and 5xx halt nothing', async () => {
    const { file } = newPeople(20);
    // One that has accepted nothing yet, of any run.
    const fresh = await startSandbox();
    fresh.faults.add('reset=after,first=3');
    fresh.faults.add('status=500');
    place.env['ROSTER_SYNC_BASE_URL'] = fresh.url;
    const running = await place.start(['import', file, '--yes']);
    await running.until(/one call a minute tries again/);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    fresh.faults.clear();
    assert.equal(ended.code, 130, ended.stderr);
    assert.equal((await place.json('show', 'latest')).value.status, 'paused');
    const resumed = await place.json('resume', 'latest');
    place.env['ROSTER_SYNC_BASE_URL'] = sandbox.url;
    await fresh.close();
    assert.deepEqual([resumed.ended.code, resumed.value.outcome.succeeded], [0, 20]);
  });

  it('R5: a service that is not there is not waited for: the run halts and says that nothing is there', async () => {
    const { file } = newPeople(20);
    const url = sandbox.url;
    place.env['ROSTER_SYNC_BASE_URL'] = 'http://127.0.0.1:9';
    const { ended, value } = await place.json('import', file, '--yes');
    place.env['ROSTER_SYNC_BASE_URL'] = url;
    assert.equal(ended.code, 6, ended.stderr);
    assert.deepEqual([value.status, value.calls, value.outcome.failed], ['halted', 0, 0]);
    assert.match(
      ended.stderr,
      /nothing was sent to 127\.0\.0\.1:9: .*ECONNREFUSED.*has not answered a single call yet; check the address, service\.baseUrl \(ROSTER_SYNC_BASE_URL\)/,
    );
    assert.match(ended.stderr, /resume/);
  });
});

describe('a service that answers what the interface does not show', () => {
  it('R6: only the documented shape with status success counts; every other 2xx is told apart', async () => {
    const { ended, value, email } = await importWhile(
      12,
      (of) => [
        `body=reordered,email=${of(1)}`,
        `body=group-failed,email=${of(3)}`,
        `body=missing,email=${of(5)}`,
        `body=html,email=${of(7)}`,
        `body=not-success,email=${of(9)}`,
      ],
      '--report',
      'answers.json',
    );
    assert.equal(ended.code, 4, ended.stderr);
    assert.deepEqual(value.outcome, { succeeded: 8, partial: 1, failed: 0, unknown: 3, superseded: 0, cancelled: 0 });
    assert.deepEqual(repeatedCalls(sandbox.calls), []);
    interface Row {
      email: string;
      outcome: string;
      reason: string;
    }
    const { rows }: { rows: Row[] } = JSON.parse(place.read('answers.json'));
    const of = (index: number) => rows.filter((row) => row.email === email(index));
    assert.deepEqual(
      new Set(of(1).map(({ outcome, reason }) => `${outcome}: ${reason}`)),
      new Set(['succeeded: the groups came in another order']),
    );
    assert.deepEqual(new Set(of(3).map(({ outcome }) => outcome)), new Set(['partial']));
    assert.match(of(5)[0]?.reason ?? '', /does not mention Odd/);
    assert.match(of(7)[0]?.reason ?? '', /HTTP 200 .*not JSON/);
    assert.match(of(9)[0]?.reason ?? '', /the status is "error", not "success"/);
  });

  it('R6: what the service did not confirm is sent again by the next import, with all groups', async () => {
    const { value, email, file } = await importWhile(5, (of) => [`body=missing,email=${of(1)}`]);
    assert.equal(value.outcome.unknown, 1);
    sandbox.faults.clear();
    sandbox.clearCalls();
    const again = await place.json('import', file, '--yes');
    assert.deepEqual([again.value.plan.again, again.value.plan.unchanged, again.value.calls], [1, 4, 1]);
    assert.deepEqual(
      sandbox.calls.map((call) => (call.body as { groups: string[] }).groups),
      [['Staff', 'Odd']],
    );
    assert.equal(sandbox.calls[0]?.email, email(1));
  });

  it('R6: the third answer of an unknown kind pauses the run, and none of those people is called again in it', async () => {
    const { ended, value } = await importWhile(60, () => ['body=html,apply=no']);
    assert.equal(ended.code, 6, ended.stderr);
    assert.equal(value.status, 'paused');
    // Three, and what had started by then: at most one and a half times the concurrency of ten.
    assert.ok(value.outcome.unknown >= 3 && value.outcome.unknown <= 3 + 15, `${value.outcome.unknown}`);
    assert.match(ended.stderr, /answers were of a kind never seen before/);
    assert.match(ended.stderr, /roster-sync resume/);
    sandbox.faults.clear();
    const resumed = await place.json('resume', value.run);
    assert.equal(resumed.ended.code, 4, resumed.ended.stderr);
    assert.equal(resumed.value.outcome.succeeded + value.outcome.unknown, 60);
    assert.deepEqual(repeatedCalls(sandbox.calls), []);
  });
});

describe('a service that refuses', () => {
  it('R8: 403 for one person after successes is that person’s failure, the others are sent', async () => {
    const { ended, value, email } = await importWhile(25, (of) => [`status=403,email=${of(24)}`]);
    assert.equal(ended.code, 4, ended.stderr);
    assert.deepEqual([value.outcome.succeeded, value.outcome.failed], [24, 1]);
    assert.equal(callsFor(email(24)), 1);
  });

  it('R8: 403 from the start halts the run, and nobody failed', async () => {
    const { ended, value } = await importWhile(25, () => ['status=403']);
    assert.equal(ended.code, 6, ended.stderr);
    assert.deepEqual([value.status, value.outcome.failed], ['halted', 0]);
    assert.match(ended.stderr, /127\.0\.0\.1:\d+ refused the token of service\.token \(HTTP 403\)/);
  });

  it('R8: 401 midway halts; resumed with a new token the run goes on, and each person is put in once', async () => {
    const one = await startSandbox({ token: 'b25lOm9uZQ==', faults: ['status=401,after=5'] });
    const { file } = newPeople(30);
    const env = { ...place.env };
    Object.assign(place.env, envOf(one));
    const halted = await place.json('import', file, '--yes');
    await one.close();
    const two = await startSandbox({ token: 'dHdvOnR3bw==', port: one.port });
    place.env['ROSTER_SYNC_TOKEN'] = two.token;
    const resumed = await place.json('resume', halted.value.run);
    await two.close();
    Object.assign(place.env, env);
    assert.equal(halted.ended.code, 6, halted.ended.stderr);
    assert.deepEqual([halted.value.status, halted.value.outcome.succeeded], ['halted', 5]);
    assert.equal(resumed.ended.code, 0, resumed.ended.stderr);
    assert.deepEqual([resumed.value.status, resumed.value.outcome.succeeded], ['finished', 30]);
    const put = [...one.users(), ...two.users()].map(({ email }) => email).filter((email) => email.includes('scene'));
    assert.equal(put.length, 30);
    assert.equal(new Set(put).size, 30);
  });

  it('R8: after a 401 a token file is read again, and a new token continues without a halt', async () => {
    const slow = await startSandbox({ token: 'bmV3Om5ldw==', faults: ['latency=400,first=10'] });
    const { file } = newPeople(12);
    const tokenFile = place.write('token', 'b2xkOm9sZA==\n');
    const env = { ...place.env };
    Object.assign(place.env, envOf(slow), { ROSTER_SYNC_TOKEN: '', ROSTER_SYNC__SERVICE__TOKEN_FILE: tokenFile });
    const running = place.json('import', file, '--yes');
    await eventually('a call with the old token is there', () => slow.calls.length > 0);
    place.write('token', `${slow.token}\n`);
    const { ended, value } = await running;
    await slow.close();
    delete place.env['ROSTER_SYNC__SERVICE__TOKEN_FILE'];
    Object.assign(place.env, env);
    assert.equal(ended.code, 0, ended.stderr);
    assert.equal(value.outcome.succeeded, 12);
    assert.ok(slow.calls.some(({ status }) => status === 401));
  });

  it('R8: ten like failures in a row pause the run with the reason', async () => {
    const { ended, value } = await importWhile(80, () => ['status=422']);
    assert.equal(ended.code, 6, ended.stderr);
    assert.equal(value.status, 'paused');
    // Ten, and what had started by then.
    assert.ok(value.outcome.failed >= 10 && value.outcome.failed <= 10 + 15, `${value.outcome.failed}`);
    assert.match(ended.stderr, /10 deliveries in a row failed in the same way: rejected 422/);
  });

  it('R8: a fifth of the first fifty pauses the run with the reason', async () => {
    const { ended, value } = await importWhile(80, () => ['status=422,every=3']);
    assert.equal(ended.code, 6, ended.stderr);
    assert.equal(value.status, 'paused');
    assert.match(ended.stderr, /1\d of the first \d+ deliveries failed/);
  });

  it('R8: failures of people who failed before come last and never pause a run', async () => {
    const { value, file } = await importWhile(40, () => ['status=422,first=12,every=1', 'status=422,after=40']);
    assert.equal(value.status, 'paused');
    const cancelled = await place.run('cancel', value.run);
    assert.equal(cancelled.code, 0, cancelled.stderr);
    const failed = new Set(sandbox.calls.filter(({ status }) => status === 422).map((call) => call.email));
    sandbox.faults.clear();
    sandbox.clearCalls();
    sandbox.faults.add(...[...failed].map((email) => `status=422,email=${email}`));
    place.env['ROSTER_SYNC__DELIVERY__CONCURRENCY'] = '1';
    const again = await place.json('import', file, '--yes');
    delete place.env['ROSTER_SYNC__DELIVERY__CONCURRENCY'];
    assert.equal(again.ended.code, 4, again.ended.stderr);
    assert.deepEqual([again.value.status, again.value.outcome.failed], ['finished-with-failures', failed.size]);
    const last = sandbox.calls.slice(-failed.size).map((call) => call.email);
    assert.deepEqual(new Set(last), failed);
  });

  for (const status of [404, 301]) {
    it(`R8: ${status} before any success means a wrong address: the run halts and says so`, async () => {
      // A service of its own: at the other address calls were accepted.
      place.env['ROSTER_SYNC_BASE_URL'] = sandbox.url.replace('127.0.0.1', 'localhost');
      const { ended, value } = await importWhile(20, () => [`status=${status}`]);
      place.env['ROSTER_SYNC_BASE_URL'] = sandbox.url;
      assert.equal(ended.code, 6, ended.stderr);
      assert.deepEqual([value.status, value.outcome.failed], ['halted', 0]);
      assert.match(ended.stderr, /does not look like the service's address/);
    });
  }
});
