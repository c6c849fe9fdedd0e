import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Ajv } from 'ajv';
import { person, releasePeople } from '../contract/plans.ts';
import { type ApiServer, startApiServer } from './api-server.ts';

const groups = ['Sales', 'Support'];

/** A roster of people who are named by their number. */
function rosterOf(people: number, domain: string): string {
  const rows = Array.from({ length: people }, (_, at) => `Ann,Ek ${at},ann.${at}@${domain},${groups[at % 2]}`);
  return ['firstname,lastname,email,groups', ...rows, ''].join('\n');
}

suite('the API about the people of a run', () => {
  let server: ApiServer;
  let token: string;
  let run: string;
  let document: { paths: Record<string, Record<string, { operationId: string; responses: Responses }>> };
  type Responses = Record<string, { content?: Record<string, { schema: object }> }>;
  before(async () => {
    server = await startApiServer();
    token = await server.token('client', ['read', 'run', 'approve']);
    document = (await server.ask('/api/v1/openapi.json')).json;
    server.sandbox.faults.add('status=422,email=ann.1@example.com');
    server.sandbox.faults.add('status=422,email=ann.2@example.com');
    server.sandbox.faults.add('body=group-failed,email=ann.4@example.com');
    run = await deliver(rosterOf(12, 'example.com'));
  });
  after(() => server.close());

  const post = (path: string, body?: object) =>
    server.ask(`/api/v1/runs/${path}`, { method: 'POST', token, ...(body && { body }) });

  async function deliver(roster: string): Promise<string> {
    server.roster(roster);
    const { json } = await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } });
    const { hash } = (await server.ask(`/api/v1/runs/${json.run}/plan`, { token })).json;
    if (json.status === 'held') await post(`${json.run}/approve`, { hash });
    await ended(json.run);
    return String(json.run);
  }

  async function ended(id: string): Promise<void> {
    for (;;) {
      const { json } = await server.ask(`/api/v1/runs/${id}`, { token });
      if (!['planning', 'delivering'].includes(json.status)) return;
      await pause(10);
    }
  }

  /** An answer, which must be what the document says. */
  async function asked(path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
    const { status, json, text } = await (body ? post(path, body) : server.ask(`/api/v1/runs/${path}`, { token }));
    assert.equal(status, 200, text);
    const operation = document.paths[`/api/v1/runs/{run}/${path.split(/[/?]/)[1]}`]?.[body ? 'post' : 'get'];
    const schema = operation?.responses['200']?.content?.['application/json']?.schema ?? false;
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    assert.ok(validate(json), JSON.stringify(validate.errors));
    return json;
  }

  test('each operation has a name that a client can call its method by', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    for (const id of ids) assert.match(id, /^[a-z]+(?:[A-Z][a-z]+)+$/);
    assert.equal(new Set(ids).size, ids.length);
    // Clients are made of these: none is ever renamed or removed.
    const named = [
      ...[
        'approveRun',
        'cancelRun',
        'compareRuns',
        'countEvents',
        'downloadPeople',
        'downloadRejects',
        'downloadReport',
        'getAudit',
        'getPerson',
      ],
      ...[
        'getPlan',
        'getRun',
        'getTimeline',
        'listCompletion',
        'listFailures',
        'listPeople',
        'listRuns',
        'pauseRun',
        'listInvited',
      ],
      ...['resumeRun', 'retryRun', 'startRun', 'streamChanges', 'uploadRun'],
      ...['correctReject', 'inspectUpload', 'planUpload', 'forgetPerson', 'allowPerson', 'resolveMoves'],
      ...['listLeftBehind', 'markLeftBehind', 'downloadDeparted', 'downloadInserts', 'findPeople'],
      ...['listSources', 'getSource', 'keepSource', 'removeSource', 'listSchedules'],
    ];
    assert.deepEqual(
      named.filter((name) => !ids.includes(name)),
      [],
    );
  });

  test('people are listed page by page, and by outcome, group and name', async () => {
    const first = await asked(`${run}/people`, { limit: 8 });
    const rest = await asked(`${run}/people`, { limit: 8, after: first.next });
    assert.deepEqual([first.people.length, rest.people.length, rest.next], [8, 4, null]);
    const emails = [...first.people, ...rest.people].map(({ now }: { now: { email: string } }) => now.email);
    assert.equal(new Set(emails).size, 12);
    const of = async (filter: object): Promise<number> => Number((await asked(`${run}/people`, filter)).people.length);
    assert.deepEqual(
      [await of({ outcome: 'failed' }), await of({ outcome: 'partial' }), await of({ outcome: 'open' })],
      [2, 1, 0],
    );
    assert.deepEqual(
      [await of({ group: 'Sales' }), await of({ text: 'EK 11' }), await of({ action: 'new' })],
      [6, 1, 12],
    );
    const [partly] = (await asked(`${run}/people`, { outcome: 'partial' })).people;
    assert.deepEqual(partly.answer.refused, ['Sales']);
    assert.equal((await post(`${run}/people`)).json.people.length, 12, 'a body is not needed');
    assert.equal((await post(`${run}/people`, { reason: 2 })).status, 404);
    assert.equal((await post(`${run}/people`, { name: 'x' })).status, 400);
  });

  test('people of a filter are a file, a line each, with how it ended; who takes it is in the audit', async () => {
    const { text, headers } = await post(`${run}/people/download`, { outcome: 'failed' });
    const [heading, ...lines] = text.trimEnd().split('\n');
    assert.match(
      heading ?? '',
      /^email,firstname,lastname,telephone,groups,groups_before,action,held,first_day,outcome,reason,/,
    );
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /^ann\.1@example\.com,Ann,Ek 1,,Support,,new,,,failed,/);
    assert.match(String(headers['content-disposition']), new RegExp(`filename="${run}-people.csv"`));
    const count = async (filter?: object): Promise<number> =>
      (await post(`${run}/people/download`, filter)).text.trimEnd().split('\n').length - 1;
    assert.deepEqual([await count(), await count({ group: 'Sales', text: 'ek 1' })], [12, 1]);
    assert.equal((await post(`${run}/people/download`, { limit: 5 })).status, 400);
    const deeds = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deeds[0]?.action, deeds[0]?.runId], ['download people', run]);
  });

  test('failures are listed by cause, and a cause is retried alone', async () => {
    const { failures } = await asked(`${run}/failures`);
    assert.deepEqual(
      failures.map(({ outcome, status, people, retryHelps }: Record<string, unknown>) => [
        ...[outcome, status, people, retryHelps],
      ]),
      [
        ['failed', 422, 2, false],
        ['partial', 200, 1, false],
      ],
    );
    const [{ cause }] = failures;
    assert.equal((await asked(`${run}/people`, { cause })).people.length, 2);
    assert.equal((await post(`${run}/retry`, { cause: 'failed.rejected.400.-' })).status, 409);
    assert.equal((await post(`${run}/retry`, { cause: 'nonsense' })).status, 400);
    server.sandbox.faults.clear();
    const before = server.sandbox.calls.length;
    assert.equal((await post(`${run}/retry`, { cause })).status, 200);
    await ended(run);
    assert.equal(server.sandbox.calls.length - before, 2);
    assert.deepEqual((await asked(`${run}/failures`)).failures.length, 1);
    assert.equal((await post(`${run}/retry`)).status, 200, 'without a body all of them are retried');
    await ended(run);
    assert.deepEqual((await asked(`${run}/failures`)).failures, []);
  });

  test('how a run ended over time adds up to its people', async () => {
    const { slices } = await asked(`${run}/timeline?slices=20`);
    const total = slices.reduce((sum: number, slice: { succeeded: number }) => sum + slice.succeeded, 0);
    assert.equal(total, 12);
  });

  test('runs are listed by state, source and time, page by page', async () => {
    const other = await deliver(rosterOf(3, 'other.example'));
    const runs = async (query: string): Promise<{ ids: string[]; next?: string }> => {
      const { json, status, text } = await server.ask(`/api/v1/runs?${query}`, { token });
      assert.equal(status, 200, text);
      const { runs, next } = json as { runs: { run: string }[]; next?: string };
      return { ids: runs.map((each) => each.run), ...(next !== undefined && { next }) };
    };
    assert.deepEqual(await runs('limit=1'), { ids: [other], next: other });
    assert.deepEqual(await runs(`limit=1&before=${other}`), { ids: [run] });
    assert.deepEqual(await runs('status=held'), { ids: [] });
    assert.deepEqual((await runs('source=staff&status=finished')).ids, [other, run]);
    assert.deepEqual(await runs('since=2999-01-01T00:00:00Z'), { ids: [] });
  });

  test('a person is forgotten: gone from the people of the run, rejected by the next roster, until allowed again', async () => {
    const email = 'Ann.7@Example.com';
    const person = (verb: string, by = token, who = email) =>
      server.ask(`/api/v1/person/${verb}`, { method: 'POST', token: by, body: { email: who } });
    const helper = await server.token('helper', ['read', 'run']);
    await server.ask('/api/v1/person', { method: 'POST', token: helper, body: { email } });
    const [look] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([look?.by, look?.action], ['token helper', 'look at a person']);
    assert.equal((await person('forget', helper)).status, 403);
    assert.equal((await person('forget', token, 'nobody')).json.code, 'INPUT');
    assert.match((await person('allow')).json.detail, /was not forgotten/);
    const { status, json, text } = await person('forget');
    assert.equal(status, 200, text);
    assert.deepEqual([json.erased.sources, json.erased.deliveries, json.erased.cancelled], [1, 1, 0]);
    assert.deepEqual(json.keptOutOf, [server.context.service.address]);
    assert.match(json.notReached.join(), /the service: the account/);
    assert.equal((await asked(`${run}/people`, { text: 'ann.7@' })).people.length, 0);
    const deeds = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deeds[0]?.by, deeds[0]?.action], ['token client', 'forget a person']);

    const headers = { 'content-type': 'application/octet-stream' };
    const upload = { method: 'POST' as const, token, headers, body: Buffer.from(rosterOf(13, 'example.com')) };
    const { json: brought } = await server.ask('/api/v1/uploads?file=more.csv', upload);
    const { json: next } = await server.ask(`/api/v1/uploads/${brought.upload}/plan`, {
      ...{ method: 'POST', token, body: {} },
    });
    assert.match((await person('forget', token, 'ann.12@example.com')).json.detail, /waits for an approval/);
    assert.equal((await server.ask(`/api/v1/runs/${next.run}`, { token })).json.roster.erased, 1);
    await post(`${next.run}/cancel`);
    assert.deepEqual((await person('allow')).json, { allowedAt: 1 });
  });

  test('while a run delivers, a person is forgotten from the tables at once; the files are rewritten when they are forgotten again', async () => {
    const { ledger, filesHolding, directory } = server.context;
    const email = 'ann.8@example.com';
    const forget = async (): Promise<{ said: string; files: string[] }> => {
      const { json } = await server.ask('/api/v1/person/forget', { method: 'POST', token, body: { email } });
      const files = await filesHolding(directory?.path ?? '', [email]);
      return { said: json.notReached.join('\n'), files: files.filter((file) => file.startsWith('ledger')) };
    };
    const other = await releasePeople(ledger, { people: [person('zoe', 'A')], service: 'https://other.example' });
    const first = await forget();
    assert.match(first.said, new RegExp(`not rewritten while run ${other} delivers: forget this person again`));
    assert.doesNotMatch(first.said, /\/ledger\/.*remove it by hand/);
    assert.notDeepEqual(first.files, []);
    assert.equal((await asked(`${run}/people`, { text: 'ann.8@' })).people.length, 0);
    await ledger.moveRun(other, 'cancel');
    const second = await forget();
    assert.doesNotMatch(second.said, /not rewritten/);
    assert.deepEqual(second.files, []);
  });

  test('changes come as a stream: the open runs at once, each change, and an end after the time asked for', async () => {
    const stream = await open('/api/v1/changes?seconds=60');
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/);
    let text = '';
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const next = await deliver(rosterOf(4, 'third.example'));
    while (!text.includes(`"run":"${next}","source":"staff","status":"finished"`)) await once(stream, 'data');
    assert.match(text, /^retry: 2000\n\n/);
    assert.match(text, /event: run\ndata: \{"run":"\w+","source":"staff","status":"\w+","lastEndedAt":/);
    assert.doesNotMatch(text, /third\.example|Ann/);
    stream.destroy();

    const short = await open('/api/v1/changes?seconds=1');
    short.resume();
    await once(short, 'end');
    assert.equal((await server.ask('/api/v1/changes?seconds=0', { token })).status, 400);
    const head = await fetch(`${server.url}/api/v1/changes`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(head.status, 404, 'nobody would read that stream');
  });

  async function open(path: string): Promise<IncomingMessage> {
    const request = get(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  }

  test('a stream does not keep a server from closing', async () => {
    const other = await startApiServer();
    const reader = await other.token('reader', ['read']);
    const request = get(`${other.url}/api/v1/changes`, { headers: { authorization: `Bearer ${reader}` } });
    const [stream] = (await once(request, 'response')) as [IncomingMessage];
    stream.resume();
    const ended = once(stream, 'end');
    await other.close();
    await ended;
  });
});
