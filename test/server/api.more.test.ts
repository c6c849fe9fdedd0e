import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { readPerson } from '../../jobs/upkeep/person.ts';
import { readReport } from '../../src/report/run/read-report.ts';
import { RunDocument, RunsDocument } from '../../src/acts/shapes/run.ts';
import { csvOf, eventually, type RunJson } from '../support/cli.ts';
import { lockedOf } from '../roster/locked-writer.ts';
import { textRows, workbookOf } from '../roster/workbook-writer.ts';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

/** What a test looks at in an operation of an OpenAPI document. */
interface Operation {
  security: object[];
  description: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

type Paths = Record<string, Record<string, Operation>>;

/** Every route of the document, as `GET /api/v1/runs` and its operation. */
function routesOf(document: { paths: Paths }): { method: 'GET' | 'POST'; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as 'GET' | 'POST',
      path,
      operation,
    })),
  );
}

/** A source whose address stands where a look at its records would not find it under that name. */
const nested = `
  nested:
    file: ./nested.json
    members: { firstname: name.given, lastname: name.family, email: "emails[0].value" }
    groups: [{ always: Staff }]
  locked:
    file: ./locked.xlsx
    passwordFile: ./password.txt
    members: { firstname: First Name, lastname: Last Name, email: Email }
    groups: [{ always: Staff }]
  signed:
    file: ./signed.csv
    pgp: { privateKey: key, signedBy: key }
    members: { firstname: firstname, lastname: lastname, email: email }
    groups: [{ always: Staff }]
`;

suite('the JSON API', () => {
  let server: ApiServer;
  let tokens: Record<'read' | 'run' | 'approve' | 'all', string>;
  let document: { openapi: string; paths: Paths };
  before(async () => {
    server = await startApiServer(nested);
    tokens = {
      read: await server.token('reader', ['read']),
      run: await server.token('runner', ['run']),
      approve: await server.token('approver', ['approve']),
      all: await server.token('nightly-ci', ['read', 'run', 'approve']),
    };
    document = (await server.ask('/api/v1/openapi.json')).json;
  });
  after(() => server.close());

  /** Starts a run of the source and approves what is held of it. */
  async function startAndApprove(): Promise<string> {
    const { json } = await server.ask('/api/v1/runs', { method: 'POST', token: tokens.all, body: { source: 'staff' } });
    const { hash } = (await server.ask(`/api/v1/runs/${json.run}/plan`, { token: tokens.read })).json;
    if (json.status === 'held') {
      await server.ask(`/api/v1/runs/${json.run}/approve`, { method: 'POST', token: tokens.all, body: { hash } });
    }
    return String(json.run);
  }

  /** Uploads a file. */
  const upload = (query: string, body: string | Buffer): Promise<Answered> =>
    server.ask(`/api/v1/runs/upload?${query}`, {
      ...{ method: 'POST', token: tokens.run, headers: { 'content-type': 'text/csv' } },
      body: Buffer.from(body),
    });

  /** Waits until a run has ended. */
  async function ended(run: string): Promise<RunJson> {
    for (;;) {
      const { json } = await server.ask(`/api/v1/runs/${run}`, { token: tokens.read });
      if (!['planning', 'delivering'].includes(json.status)) return json as RunJson;
      await pause(10);
    }
  }

  test('describes itself as OpenAPI 3.1 that a validator accepts, and that holds what it answers', async () => {
    const checked = await new Validator().validate(structuredClone(document));
    assert.deepEqual(checked.errors ?? [], []);
    assert.equal(checked.valid, true);
    assert.match(document.openapi, /^3\.1\./);
  });

  test('a route that shows people or changes something refuses missing, foreign and wrongly scoped credentials', async () => {
    const revoked = await server.token('revoked', ['read', 'run', 'approve']);
    await server.context.ledger.revokeToken('revoked');
    const expired = await server.token('expired', ['read', 'run', 'approve'], new Date(Date.now() - 1));
    const wrong = tokens.all.slice(0, -1) + (tokens.all.endsWith('A') ? 'B' : 'A');
    for (const { method, path, operation } of routesOf(document)) {
      const at = path.replace('{run}', 'latest');
      const [scheme] = operation.security;
      assert.deepEqual(scheme, { token: [] }, `${method} ${path}`);
      const scope = /Scope: (\w+)\./.exec(operation.description)?.[1];
      const body = method === 'POST' ? {} : undefined;
      const bad = [undefined, 'nonsense', wrong, revoked, expired];
      // One after the other: together they would be held up for their number.
      const { status, headers } = await server.ask(at, { method, ...(body && { body }) });
      assert.equal(status, 401, `${method} ${path}`);
      assert.equal(headers['www-authenticate'], 'Bearer');
      for (const [name, token] of Object.entries(tokens).filter(([name]) => name !== scope && name !== 'all')) {
        const refused = await server.ask(at, { method, token, ...(body && { body }) });
        assert.equal(refused.status, 403, `${method} ${path} with ${name}`);
        assert.equal(refused.json.code, 'FORBIDDEN');
      }
      if (path !== '/api/v1/runs') continue;
      for (const token of bad) {
        const { status } = await server.ask(at, { method, ...(token && { token }), ...(body && { body }) });
        assert.equal(status, 401, `${method} ${path} with ${token}`);
      }
    }
  });

  test('a run of a source is started, watched, and downloaded; the audit tells who did it', async () => {
    server.roster(`${csvOf(3)}Bad,Row,not-an-address,,Staff\n`);
    const started = await server.ask('/api/v1/runs', { method: 'POST', token: tokens.all, body: { source: 'staff' } });
    assert.equal(started.status, 201, started.text);
    const { run } = started.json;
    assert.equal(started.headers['location'], `/api/v1/runs/${run}`);
    assert.equal(started.json.status, 'held', 'the first unattended run of a source waits for an approval');
    const plan = (await server.ask(`/api/v1/runs/${run}/plan`, { token: tokens.read })).json;
    assert.equal(plan.counts.new, 3);
    assert.equal(plan.trips.length, 1);
    const approve = (hash: string, more: object = {}) =>
      server.ask(`/api/v1/runs/${run}/approve`, { method: 'POST', token: tokens.approve, body: { hash, ...more } });
    const other = await approve('0000000000000000');
    assert.equal(other.status, 409, 'the plan differs from the one that was reviewed');
    const departed = await approve(plan.hash, { only: ['departed'] });
    assert.match(departed.text, /matches this approval: 3 deliveries stay held/, 'whoever left may be approved alone');
    const approved = await approve(plan.hash);
    assert.deepEqual(approved.json, { run, released: 3, superseded: 0, stillHeld: 0 }, approved.text);
    const shown = await ended(run);
    assert.equal(shown.status, 'finished');
    assert.equal(shown.outcome.succeeded, 3);
    const [kept] = await server.context.ledger.findRuns(run);
    assert.ok(kept);
    const report = await readReport(server.context, kept);
    assert.deepEqual(shown, RunDocument.parse(report), 'the same as show --json');
    const listed = await server.ask('/api/v1/runs?limit=1', { token: tokens.read });
    assert.deepEqual(listed.json, RunsDocument.parse({ runs: [report] }), 'the same as runs --json');

    const csv = await server.ask(`/api/v1/runs/${run}/report`, { token: tokens.read });
    assert.match(String(csv.headers['content-type']), /^text\/csv/);
    assert.match(csv.text, /person0@example\.com/);
    const json = await server.ask(`/api/v1/runs/${run}/report?format=json`, { token: tokens.read });
    assert.match(JSON.stringify(JSON.parse(json.text)), /person0@example\.com/);
    const excel = await server.ask(`/api/v1/runs/${run}/report?format=csv&excel=true`, { token: tokens.read });
    assert.match(excel.text, /^email;firstname;/);
    const workbook = await server.ask(`/api/v1/runs/${run}/report?format=xlsx`, { token: tokens.read });
    assert.match(workbook.text, /^PK/);
    const rejects = await server.ask(`/api/v1/runs/${run}/rejects`, { token: tokens.read });
    assert.match(rejects.text, /not-an-address/);
    assert.match(String(rejects.headers['content-disposition']), /-rejects\.csv"$/);

    const { audit } = (await server.ask(`/api/v1/runs/${run}/audit`, { token: tokens.read })).json;
    assert.deepEqual(
      audit.map(({ by, action, origin }: Record<string, string>) => [by, action, origin]),
      [
        ['token reader', 'download rejects', '127.0.0.1'],
        ...Array.from({ length: 4 }, () => ['token reader', 'download report', '127.0.0.1']),
        ['token approver', 'approve', '127.0.0.1'],
        ['token nightly-ci', 'start', '127.0.0.1'],
      ],
    );
    const folder = server.context.directory?.path ?? '';
    await eventually('what was made for uploads and downloads is gone', () =>
      readdirSync(folder).every((name) => !/^(download|upload)-/.test(name)),
    );
  });

  test('what it answers is what its document says', async () => {
    const queries: Record<string, string> = { '/api/v1/completion': '?source=staff' };
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    await server.context.ledger.keepSource({ name: 'kept', block: 'members: { email: Mail }\n', by: 'eva' });
    for (const { method, path, operation } of routesOf(document)) {
      const content = operation.responses['200']?.content?.['application/json'];
      if (method !== 'GET' || !content?.schema || /\/(?:report|departed|inserts)$/.test(path)) continue;
      const { json, status } = await server.ask(
        path.replace('{run}', 'latest').replace('{source}', 'kept') + (queries[path] ?? ''),
        {
          token: tokens.all,
        },
      );
      assert.equal(status, 200, path);
      const validate = ajv.compile(content.schema);
      assert.ok(validate(json), `${path}: ${JSON.stringify(validate.errors)}`);
    }
    const { json } = await server.ask('/api/v1/runs/nothing', { token: tokens.all });
    const shown = document.paths['/api/v1/runs/{run}']?.['get']?.responses['default']?.content;
    assert.equal(json.status, 404);
    assert.ok(ajv.compile(shown?.['application/problem+json']?.schema ?? false)(json));
  });

  test('a person is looked up by address in the body, and returned as person --json prints them', async () => {
    const email = ' Person0@Example.com';
    const { status, json } = await server.ask('/api/v1/person', {
      method: 'POST',
      token: tokens.read,
      body: { email },
    });
    assert.equal(status, 200);
    assert.deepEqual(json, JSON.parse(JSON.stringify(await readPerson(server.context, email))));
    assert.deepEqual(json.addresses, ['person0@example.com']);
    const nobody = await server.ask('/api/v1/person', { method: 'POST', token: tokens.read, body: { email: 'x' } });
    assert.equal(nobody.status, 422);
  });

  test('a file is sent as it is, and read as its source says; without bytes or a known source it is refused', async () => {
    const body = Buffer.from(csvOf(4));
    const headers = { 'content-type': 'text/csv' };
    const sent = await server.ask('/api/v1/runs/upload?source=staff', {
      method: 'POST',
      token: tokens.run,
      body,
      headers,
    });
    assert.equal(sent.status, 201, sent.text);
    const shown = await ended(sent.json.run);
    assert.equal(shown.status, 'finished', sent.text);
    assert.equal(shown.outcome.succeeded, 1);
    const nobody = await server.ask('/api/v1/runs/upload?source=staff', { method: 'POST', token: tokens.run, headers });
    assert.equal(nobody.status, 400);
    assert.equal(nobody.json.code, 'NO_FILE');
    const unknown = await server.ask('/api/v1/runs/upload?source=other', {
      method: 'POST',
      token: tokens.run,
      body,
      headers,
    });
    assert.equal(unknown.status, 404);
  });

  test('an upload is read by the paths that its source names, as its own file would be', async () => {
    const ann = { name: { given: 'Ann', family: 'Ek' }, emails: [{ type: 'work', value: 'nested.ann@example.com' }] };
    const { status, text } = await upload('source=nested', JSON.stringify([ann]));
    assert.equal(status, 201, text);
  });

  test('an upload is opened with the password and the keys of its source, whose signature it needs too', async () => {
    writeFileSync(join(server.folder, 'password.txt'), 'blåbær\n');
    const people = Array.from({ length: 200 }, (_, at) => ['Åse', `Ek ${at ** 5}`, `ase.${at ** 7}@example.com`]);
    const rows = textRows([['First Name', 'Last Name', 'Email'], ...people]);
    const locked = lockedOf(workbookOf({ sheets: [{ name: 'Staff', rows }] }), { password: 'blåbær' });
    const { status, text } = await upload('source=locked', locked);
    assert.equal(status, 201, text);
    const unsigned = await upload('source=signed', csvOf(1));
    assert.equal(unsigned.status, 422, unsigned.text);
    assert.match(
      unsigned.json.detail,
      /pgp\.signedBy of its source says that it must be encrypted and signed, and it is not/,
    );
  });

  test('an upload has the name its client gives, wherever it is stored', async () => {
    const path = server.context.directory?.path ?? '';
    for (const [query, called, body] of [
      ['', 'the upload', 'PK\u0003\u0004 and no zip'],
      ['&file=people.xlsx', 'people.xlsx', '%PDF-1.7'],
      ['&file=people.csv', 'people.csv', 'firstname,lastname\nAnn,Lee\n'],
    ] as const) {
      const { status, json, text } = await upload(`source=staff${query}`, body);
      assert.equal(status, 422, text);
      assert.match(json.detail, new RegExp(`\\b${called}\\b`));
      assert.ok(!text.includes('upload-') && !text.includes(path), text);
    }
    const body = `${csvOf(1)}X,Y,not-an-address,,Staff\n`;
    const { json } = await upload('source=staff&file=week%205.csv', body);
    await ended(json.run);
    const [run] = await server.context.ledger.findRuns(json.run);
    assert.equal(run?.roster?.form.file, 'week 5.csv');
    for (const bad of ['..%2Fpeople.csv', 'a%0Ab.csv', '']) {
      assert.equal((await upload(`source=staff&file=${bad}`, body)).status, 400, bad);
    }
  });

  test('an upload has the given time, else that of its arrival; a future or malformed time is refused', async () => {
    const before = new Date();
    const arrived = await upload('source=staff', csvOf(5));
    await ended(arrived.json.run);
    const [run] = await server.context.ledger.findRuns(arrived.json.run);
    assert.ok(Date.parse(run?.roster?.time ?? '') >= before.getTime() - 1000);
    const older = await upload('source=staff&asOf=2026-01-31', csvOf(6));
    assert.deepEqual([older.status, older.json.status], [201, 'held'], older.text);
    const { trips } = (await server.ask(`/api/v1/runs/${older.json.run}/plan`, { token: tokens.read })).json;
    const [time] = trips.filter(({ guard }: { guard: string }) => guard === 'time');
    assert.match(
      time?.message,
      /is from 2026-01-31 00:00 UTC, but run \w+ has already sent one from/,
      JSON.stringify(trips),
    );
    assert.deepEqual(time.next, [{ setting: 'asOf' }]);
    const { hold } = (await server.ask(`/api/v1/runs/${older.json.run}`, { token: tokens.read })).json;
    assert.deepEqual(hold.reasons, trips);
    await server.ask(`/api/v1/runs/${older.json.run}/cancel`, { method: 'POST', token: tokens.run });
    for (const [asOf, said] of [
      ['2999-01-01', /^asOf 2999-01-01 is in the future/],
      ['yesterday', /^asOf yesterday: write a time like/],
    ] as const) {
      const { status, json } = await upload(`source=staff&asOf=${asOf}`, csvOf(7));
      assert.equal(status, 422);
      assert.match(json.detail, said);
    }
  });

  test('forceSync cannot be switched on, and unknown fields are refused', async () => {
    for (const more of [{ forceSync: true }, { invite: true }, { rate: 500 }]) {
      const body = { source: 'staff', ...more };
      const { status, json } = await server.ask('/api/v1/runs', { method: 'POST', token: tokens.run, body });
      assert.equal(status, 400);
      assert.match(json.detail, new RegExp(`additional properties: ${Object.keys(more)[0]} is not known here$`));
    }
  });

  test('an action that is not possible now is a conflict that says so', async () => {
    for (const command of ['pause', 'cancel', 'resume', 'retry']) {
      const { status, json } = await server.ask(`/api/v1/runs/latest/${command}`, {
        method: 'POST',
        token: tokens.run,
      });
      assert.equal(status, 409, command);
      assert.equal(json.code, 'NOT_NOW');
      assert.match(json.detail, new RegExp(`there is nothing to ${command}`));
    }
  });

  test('who was left in a group is listed, and marked as done, which the audit keeps', async () => {
    for (const group of ['Night shift', 'Day shift']) {
      server.roster(`firstname,lastname,email,groups\nLena,Ek,lena@left.example,${group}\n`);
      assert.equal((await ended(await startAndApprove())).status, 'finished');
    }
    const post = (path: string, token: string, body: object) =>
      server.ask(`/api/v1/left-behind${path}`, { method: 'POST', token, body });
    const filter = { person: 'Lena@left.example' };
    const { json } = await post('', tokens.read, filter);
    assert.deepEqual([json.people, json.groups, json.leftBehind[0].group], [1, 1, 'Night shift']);
    const done = await post('/done', tokens.run, { ...filter, before: json.at });
    assert.deepEqual(done.json, { groups: 1, by: 'token runner' });
    assert.equal((await post('', tokens.read, filter)).json.groups, 0);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deed?.by, deed?.action], ['token runner', 'mark 1 left behind as done']);
  });

  test('a run is paused, resumed and cancelled, and the reason names the token', async () => {
    const { ledger } = server.context;
    server.roster(csvOf(300, { domain: 'more.example' }));
    const run = await startAndApprove();
    const steer = (command: string) =>
      server.ask(`/api/v1/runs/${run}/${command}`, { method: 'POST', token: tokens.run });
    assert.equal((await steer('pause')).json.status, 'paused');
    assert.equal((await ledger.findRuns(run))[0]?.statusReason, 'paused by token runner');
    assert.equal((await steer('resume')).json.status, 'delivering');
    assert.equal((await steer('cancel')).json.status, 'cancelled');
    const { audit } = (await server.ask(`/api/v1/runs/${run}/audit`, { token: tokens.read })).json;
    assert.deepEqual(
      audit.map(({ action }: { action: string }) => action),
      ['cancel', 'resume', 'pause', 'approve', 'start'],
    );
  });

  test('metrics describe runs, sources, calls and the process, and name no person or group', async () => {
    const { ledger, service } = server.context;
    const figures = { answers: 0, stories: [], breaches: [] };
    await ledger.keepAnswers({ service: service.address, request: {}, figures });
    // The newest run has answers: of one that was cancelled at once there may be none.
    server.roster(`${csvOf(20, { domain: 'more.example' })}No,Address,nobody,,Staff\n`);
    await ended(await startAndApprove());
    const { status, text } = await server.ask('/metrics');
    assert.equal(status, 200);
    for (const line of [
      /^roster_sync_runs\{state="finished"\} [1-9]/m,
      /^roster_sync_source_seconds_since_good_run\{source="staff"\} [\d.e-]+$/m,
      /^roster_sync_answers_seconds_since_kept [\d.e-]+$/m,
      /^roster_sync_run_deliveries\{source="staff",outcome="\w+"\} \d+$/m,
      /^roster_sync_run_calls\{source="staff",result="accepted"\} \d+$/m,
      /^roster_sync_run_inserts\{source="staff"\} \d+$/m,
      /^roster_sync_run_warnings\{source="staff"\} \d+$/m,
      /^roster_sync_due_deliveries \d+$/m,
      /^roster_sync_ledger_lag_seconds [\d.]+$/m,
      /^roster_sync_queue_jobs \d+$/m,
      /^roster_sync_pace_calls_per_second 500$/m,
      /^roster_sync_pace_held_seconds 0$/m,
      /^roster_sync_reachable\{part="ledger"\} 1$/m,
      /^roster_sync_reachable\{part="pace"\} 1$/m,
      /^roster_sync_build_info\{version="1\.2\.3",node="[\d.]+",mode="embedded"\} 1$/m,
      /^roster_sync_calls_total\{result="accepted"\} [1-9]\d*$/m,
      /^roster_sync_call_seconds_bucket\{le="30",result="accepted"\} [1-9]\d*$/m,
      /^roster_sync_pace_wait_seconds_count [1-9]\d*$/m,
      /^roster_sync_rejects_total\{reason="not-an-address"\} [1-9]\d*$/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
    ]) {
      assert.match(text, line);
    }
    assert.doesNotMatch(text, /person0|example\.com|more\.example|Odd/);
  });

  test('a foreign host or origin is refused, and addresses and our own names are not', async () => {
    const asked = async (headers: Record<string, string>, path = '/api/v1/runs'): Promise<number> =>
      (await server.ask(path, { token: tokens.read, headers })).status;
    assert.equal(await asked({ host: 'evil.example:80' }), 403);
    assert.equal(await asked({ host: 'evil.example' }, '/metrics'), 403);
    assert.equal(await asked({ host: 'localhost:9999' }), 200);
    assert.equal(await asked({ host: '[::1]:80' }), 200);
    assert.equal(await asked({ host: '10.1.2.3' }), 200);
    assert.equal(await asked({ origin: 'https://evil.example' }), 403);
    assert.equal(await asked({ origin: 'null' }), 403);
    assert.equal(await asked({ origin: server.url }), 200);
    assert.equal(await asked({ host: 'evil.example' }, '/healthz'), 200);
  });

  test('security headers are set, requests have an id, and an unexpected error shows no stack', async () => {
    const { headers } = await server.ask('/api/v1/runs', { token: tokens.read });
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.equal(headers['x-powered-by'], undefined);
    const missing = await server.ask('/nothing/here?with=query');
    assert.equal(missing.status, 404);
    assert.equal(missing.headers['content-type'], 'application/problem+json');
    const broken = await server.ask('/api/v1/runs', {
      ...{ method: 'POST', token: tokens.run, body: Buffer.from('{') },
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(broken.status, 400);
    assert.doesNotMatch(broken.text, /at .*\.(ts|js)/);
  });

  test('an upload that is too large is refused', async () => {
    const { status } = await server.ask('/api/v1/runs', {
      ...{ method: 'POST', token: tokens.run, body: { source: 'x'.repeat(100_000) } },
    });
    assert.equal(status, 413);
  });

  test('the log has routes and tokens’ names; no path, query, person, or token', () => {
    const logged = server.logged();
    assert.match(logged, /"route":"\/api\/v1\/runs\/:run"/);
    assert.match(logged, /"by":"token reader"/);
    assert.doesNotMatch(logged, /with=query|nothing\/here|person0|rstk_/);
  });

  test('a client with too many failed attempts has to wait, and a valid token does not', async () => {
    const statuses = [];
    for (let times = 0; times < 65; times += 1) statuses.push((await server.ask('/api/v1/runs')).status);
    assert.equal(statuses.at(-1), 429);
    assert.equal((await server.ask('/api/v1/runs', { token: tokens.read })).status, 200);
  });

  test('a client that is slow with its headers is cut off', { timeout: 45_000 }, async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.resume();
    socket.write('POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\ncontent-length: 10\r\n');
    await once(socket, 'close');
  });
});
