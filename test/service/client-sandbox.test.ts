import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Answer, AnswerKind } from '../../src/core/call/answer.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { readCredentials } from '../../src/service/settings.ts';
import { openSandbox } from '../support/sandbox.ts';
import { connect, expectKind, request } from './local-server.ts';

/** Bounds that no answer meets by being slow on a busy machine. */
const patient = { timeoutMs: 60_000, analysis: { silenceMs: 60_000, timeoutMs: 60_000 } };
/** Bounds for what never ends. */
const short = { timeoutMs: 500, analysis: { silenceMs: 300, timeoutMs: 2000 } };

async function open(
  t: TestContext,
  options: SandboxOptions = {},
  bounds = patient,
): Promise<{ sandbox: Sandbox; client: ServiceClient; again: ServiceClient }> {
  const sandbox = await openSandbox(t, options);
  const credentials = await readCredentials({ token: new Secret(sandbox.token) });
  const client = await connect(t, sandbox.url, { credentials, ...bounds });
  return { sandbox, client, again: await connect(t, sandbox.url, { credentials, ...patient }) };
}

test('the sandbox and the client agree on a success, a repetition, and a probe', async (t) => {
  const { sandbox, client } = await open(t, { prefix: '/api' });
  const first = expectKind(await client.insertGroups(request), 'accepted');
  assert.deepEqual(
    first.results,
    request.groups.map((group) => ({ group, status: 'success', inserts: 1, warnings: 0 })),
  );
  const again = expectKind(await client.insertGroups(request), 'accepted');
  assert.deepEqual(
    again.results.map(({ inserts, warnings }) => [inserts, warnings]),
    [
      [0, 1],
      [0, 1],
    ],
  );
  expectKind(await client.probe(), 'accepted');
  assert.equal(sandbox.users().length, 1);
  assert.equal(client.address, sandbox.url);
});

test('a wrong token is refused by both operations', async (t) => {
  const sandbox = await openSandbox(t);
  const client = await connect(t, sandbox.url);
  expectKind(await client.insertGroups(request), 'refused');
  expectKind(await client.probe(), 'refused');
  assert.equal(sandbox.users().length, 0);
});

const kinds: [fault: string, kind: AnswerKind, check?: (answer: Answer) => void][] = [
  ['status=400', 'rejected'],
  ['status=404', 'rejected'],
  ['status=302', 'rejected'],
  ['status=401', 'refused'],
  ['status=403', 'refused'],
  ['status=500', 'broken'],
  ['status=502,apply=yes', 'may-have-happened'],
  ['status=504', 'may-have-happened'],
  ['status=429', 'throttled', (answer) => assert.ok(!('waitMs' in answer))],
  ['status=429,retry-after=2', 'throttled', (answer) => assert.equal('waitMs' in answer && answer.waitMs, 2_000)],
  [
    'status=503,retry-after=date+30',
    'throttled',
    (answer) => {
      const waitMs = 'waitMs' in answer ? answer.waitMs : 0;
      assert.ok(waitMs !== undefined && waitMs >= 10_000 && waitMs <= 31_000, String(waitMs));
    },
  ],
  ['latency=20', 'accepted'],
  ['latency=forever', 'may-have-happened'],
  ['reset=before', 'may-have-happened'],
  ['reset=after', 'may-have-happened'],
  ['body=html', 'unrecognised'],
  ['body=text', 'unrecognised'],
  ['body=empty', 'unrecognised'],
  ['body=huge', 'unrecognised'],
  ['body=echo', 'unrecognised'],
  ['body=echo,status=401', 'refused'],
  ['body=echo,status=500', 'broken'],
  ['body=half-json', 'unrecognised'],
  ['body=truncated', 'may-have-happened', (answer) => assert.ok('response' in answer && answer.response?.bodyCut)],
  ['body=stalled', 'may-have-happened', (answer) => assert.ok('response' in answer && answer.response?.bodyCut)],
  ['body=trickle', 'may-have-happened'],
  ['body=trickle,interval=0', 'accepted'],
  ['body=not-success', 'unrecognised'],
  ['body=no-data', 'unrecognised'],
  ['body=no-hash', 'unrecognised'],
  ['body=bare-array', 'unrecognised'],
  ['body=null', 'unrecognised'],
  ['body=string-counts', 'unrecognised'],
  ['body=missing', 'accepted', (answer) => assert.equal('results' in answer && answer.results.length, 1)],
  [
    'body=reordered',
    'accepted',
    (answer) =>
      assert.deepEqual('results' in answer && answer.results.map(({ group }) => group), request.groups.toReversed()),
  ],
  [
    'body=group-failed',
    'accepted',
    (answer) => assert.ok('results' in answer && answer.results.some(({ status }) => status !== 'success')),
  ],
];

/** Only where nothing else ends a call must its time be short. */
const boundsFor = (kind: AnswerKind): typeof patient => (kind === 'may-have-happened' ? short : patient);

for (const [fault, kind, check] of kinds) {
  test(`with the fault ${fault} the answer is ${kind}`, async (t) => {
    const { sandbox, client, again } = await open(t, { faults: [`${fault},first=1`] }, boundsFor(kind));
    const answer = await client.insertGroups(request);
    expectKind(answer, kind);
    check?.(answer);
    const shown = JSON.stringify(answer);
    for (const secret of [sandbox.token, 'sandbox:sandbox']) assert.ok(!shown.includes(secret), shown.slice(0, 2_000));
    assert.equal(sandbox.calls.length, 1, 'nothing is repeated');
    expectKind(await again.insertGroups(request), 'accepted');
  });
}

/** A small answer, so that it can trickle in. */
const welcome = { story: 'Welcome' };
/** Asking changes nothing: if only the hash is missing, the answer is used, with a warning. */
const otherwise = new Map<string, AnswerKind>([
  ['body=no-hash', 'accepted'],
  ['body=string-counts', 'accepted'],
]);

for (const [fault, ofInsert] of kinds) {
  const kind = otherwise.get(fault) ?? ofInsert;
  test(`with the fault ${fault} a question analysis is ${kind} too`, async (t) => {
    const { sandbox, client, again } = await open(t, { faults: [`${fault},first=1`] }, boundsFor(kind));
    const answer = await client.analyse(welcome);
    assert.equal(answer.kind, kind, 'reason' in answer ? answer.reason : '');
    if (answer.kind === 'accepted') {
      const { stories, breaches } = answer.analysis;
      await answer.analysis.close();
      assert.deepEqual(
        breaches.map(({ message }) => message),
        fault === 'body=no-hash' ? ['the answer has no hash'] : [],
      );
      assert.equal(stories.length, fault === 'body=missing' ? 0 : 1);
    } else {
      const shown = JSON.stringify(answer);
      for (const secret of [sandbox.token, 'sandbox:sandbox'])
        assert.ok(!shown.includes(secret), shown.slice(0, 2_000));
    }
    assert.equal(sandbox.calls.length, 1, 'nothing is repeated');
    const second = await again.analyse(welcome);
    assert.equal(second.kind, 'accepted');
    if (second.kind === 'accepted') await second.analysis.close();
  });
}
