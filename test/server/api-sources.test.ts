import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Ajv } from 'ajv';
import { type Answered, type ApiServer, type Asked, startApiServer } from './api-server.ts';

suite('the API about sources', () => {
  let server: ApiServer;
  let token: string;
  type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> };
  let document: { paths: Record<string, Record<string, Operation>> };
  before(async () => {
    server = await startApiServer(
      `    schedule: { cron: "15 2 * * *", timezone: Europe/Copenhagen }\n  by-hand:\n    file: ./other.csv\n`,
    );
    token = await server.token('client', ['read', 'run']);
    document = (await server.ask('/api/v1/openapi.json')).json;
  });
  after(() => server.close());

  /** An answer, which must be what the document says. */
  async function asked(path: string, options: Asked = {}): Promise<Answered['json']> {
    const { status, json, text } = await server.ask(`/api/v1/${path}`, { token, ...options });
    assert.equal(status, 200, text);
    const described = document.paths[`/api/v1/${path.replace(/\/.*/, '/{source}')}`];
    const operation = described?.[(options.method ?? 'GET').toLowerCase()];
    const schema = operation?.responses['200']?.content?.['application/json']?.schema ?? false;
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    assert.ok(validate(json), JSON.stringify(validate.errors));
    return json;
  }
  const keep = (name: string, settings: string, by = token) =>
    server.ask(`/api/v1/sources/${name}`, { method: 'PUT', token: by, body: { settings } });

  test('one is kept, shown, listed beside those of the config, and removed', async () => {
    const settings = 'members: { email: Mail }\n';
    await asked('sources/starters', { method: 'PUT', body: { settings } });
    const shown = await asked('sources/starters');
    assert.deepEqual([shown.settings, shown.by], [settings, 'token client']);
    const { sources } = await asked('sources');
    assert.deepEqual(
      sources.map(({ name, from, isUsed }: Record<string, unknown>) => [name, from, isUsed]),
      [
        ['staff', 'config', true],
        ['by-hand', 'config', true],
        ['starters', 'ledger', true],
      ],
    );
    await asked('sources/starters', { method: 'DELETE' });
    assert.equal((await server.ask('/api/v1/sources/starters', { token })).status, 404);
    const deeds = await server.context.ledger.listDeeds({ limit: 2 });
    assert.deepEqual(
      deeds.map(({ by, action }) => `${by}: ${action}`),
      ['token client: remove source starters', 'token client: keep source starters'],
    );
  });

  test('what lets more through than before needs the scope approve; what is stricter or only says how to read does not', async () => {
    const approver = await server.token('approver', ['read', 'run', 'approve']);
    const wide = 'everybody: true\nguards: { new: off, invites: off }\ndeliver: { forceSync: true }\n';
    const refused = await keep('weak', wide);
    assert.equal(refused.status, 403);
    assert.match(
      refused.json.detail,
      /lets more through than before \(everybody, guards\.new\.percent.*needs the scope approve/,
    );
    assert.equal((await server.ask('/api/v1/sources/weak', { token })).status, 404);
    assert.equal((await keep('weak', 'guards: { new: { count: 1 } }\n')).status, 200);
    assert.equal((await keep('weak', 'guards: { new: { count: 2 } }\n')).status, 403);
    const removed = await server.ask('/api/v1/sources/weak', { method: 'DELETE', token });
    assert.equal(removed.status, 403, 'without it the stricter guard is gone');
    const cookie = await server.signIn('operator', ['read', 'run']);
    const post = (form: Record<string, string>) =>
      server.ask('/kept/weak', {
        method: 'POST',
        headers: { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(new URLSearchParams(form).toString()),
      });
    assert.equal((await post({ other: 'field' })).status, 400);
    const late = await post({ block: wide, shown: '2026-01-01T00:00:00.000Z' });
    assert.equal(late.status, 409, 'somebody has saved since the page was loaded');
    const shown = (await asked('sources/weak')).at;
    assert.match(
      late.text,
      new RegExp(
        `token client has saved other settings.*value="${shown}"|value="${shown}".*token client has saved other settings`,
        's',
      ),
    );
    const posted = await post({ block: wide, shown });
    assert.equal(posted.status, 403);
    assert.match(posted.text, /needs the scope approve/);
    assert.equal((await keep('weak', wide, approver)).status, 200);
    assert.equal((await keep('weak', 'members: { email: Mail }\n')).status, 200);
    await asked('sources/weak', { method: 'DELETE' });
  });

  test('a file whose mapping would be kept in the place of something stricter is not planned for who may not approve', async () => {
    assert.equal((await keep('strict', 'only: [{ column: groups, in: [IT] }]\n')).status, 200);
    const body = Buffer.from('firstname,lastname,email,groups\nAnn,Ek,ann@example.com,Sales\n');
    const { json } = await server.ask('/api/v1/uploads?file=strict.csv', { method: 'POST', token, body });
    const cookie = await server.signIn('token client', ['read', 'run']);
    const headers = { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' };
    const form = new URLSearchParams({ do: 'people', remember: 'on', source: 'strict' });
    await server.ask(`/import/${json.upload}`, { method: 'POST', headers, body: Buffer.from(form.toString()) });
    const page = await server.ask(`/import/${json.upload}`, { headers: { cookie } });
    assert.match(page.text, /needs the scope approve/);
    assert.deepEqual(
      (await server.context.ledger.listRuns(10)).filter(({ source }) => source === 'strict'),
      [],
    );
    const approver = await server.token('remover', ['run', 'approve']);
    assert.equal((await server.ask('/api/v1/sources/strict', { method: 'DELETE', token: approver })).status, 200);
  });

  test('one of the config wins over one that is kept under its name, and the list says so', async () => {
    assert.equal((await keep('staff', 'members: { email: Mail }\n')).status, 200);
    const { sources } = await asked('sources');
    assert.deepEqual(
      sources.flatMap(({ name, from, isUsed }: Record<string, unknown>) => (name === 'staff' ? [[from, isUsed]] : [])),
      [
        ['config', true],
        ['ledger', false],
      ],
    );
    await asked('sources/staff', { method: 'DELETE' });
  });

  test('500 are kept at most, and each is read once as long as it is the same', async () => {
    const { ledger } = server.context;
    for (let at = 0; at < 500; at++)
      await ledger.keepSource({ name: `many-${at}`, block: 'everybody: x\n', by: 'a test' });
    await asked('sources');
    await asked('sources');
    const warned = server
      .logged()
      .split('\n')
      .filter((line) => line.includes('"source":"many-7"'));
    assert.equal(warned.length, 1);
    const refused = await keep('one-more', 'members: {}\n');
    assert.deepEqual([refused.status, refused.json.code], [422, 'INPUT']);
    assert.match(refused.json.detail, /^500 sources are kept, which is the limit\. Remove one first/);
    assert.equal((await keep('many-7', 'members: {}\n')).status, 200);
    for (let at = 0; at < 500; at++) await ledger.removeKeptSource(`many-${at}`);
  });

  test('what cannot be kept is refused with each reason, and nothing is kept', async () => {
    const refused = await keep('odd%20name', 'file: /etc/passwd\n');
    assert.equal(refused.status, 422);
    assert.match(refused.json.detail, /Nothing was kept\. A name begins with .*file: only the config says where/);
    assert.equal((await keep('x', 'members: ${SECRET}\n')).status, 422);
    assert.equal((await keep('x', 'members: {}\n', await server.token('reader', ['read']))).status, 403);
    assert.equal((await asked('sources')).sources.length, 2);
  });

  test('schedules are listed with their next times, and without a last one where there was none', async () => {
    const { schedules } = await asked('schedules');
    assert.equal(schedules.length, 1);
    assert.deepEqual([schedules[0].source, schedules[0].next.length, schedules[0].last], ['staff', 5, null]);
  });
});
