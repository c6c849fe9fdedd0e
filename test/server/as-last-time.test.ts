import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type ApiServer, startApiServer } from './api-server.ts';

suite('a file of a kept source that somebody brings on the page', () => {
  let server: ApiServer;
  let token: string;
  let cookie: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('clerk', ['read', 'run', 'approve']);
    cookie = await server.signIn('token clerk', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  const roster = 'First,Last,Mail,Dept,Title\nAnn,Ek,ann@example.com,Sales,Clerk\nBo,Ny,bo@example.com,HR,HR manager\n';

  /** Keeps a source and brings a file of it; returns where the page leads, and the settings that are kept then. */
  async function bring(name: string, groups: string, csv = roster, chosen = name) {
    const settings = `members: { firstname: First, lastname: Last, email: Mail }\n${groups}`;
    const put = await server.ask(`/api/v1/sources/${name}`, { method: 'PUT', token, body: { settings } });
    assert.ok(put.status < 300, put.text);
    const body = new FormData();
    body.append('source', chosen);
    body.append('pasted', '');
    body.append('file', new Blob([csv]), `${name}.csv`);
    const headers = { cookie, origin: server.url };
    const answer = await fetch(`${server.url}/import`, { method: 'POST', headers, body, redirect: 'manual' });
    const { json } = await server.ask(`/api/v1/sources/${name}`, { token });
    return { to: answer.headers.get('location') ?? '', kept: (json as { settings: string }).settings, settings };
  }

  test('more rows than may be pasted are refused, not cut', async () => {
    const body = new FormData();
    body.append('source', '');
    const people = Array.from({ length: 60_000 }, (_, at) => `Ann,Ek,ann.${at}@example.com,Sales`);
    body.append('pasted', ['First,Last,Mail,Dept', ...people].join('\n'));
    body.append('file', new Blob([]), '');
    const headers = { cookie, origin: server.url };
    const answer = await fetch(`${server.url}/import`, { method: 'POST', headers, body, redirect: 'manual' });
    assert.equal(answer.status, 413);
    assert.match(await answer.text(), /too many rows to paste\. Nothing was read/);
  });

  test('is checked as it was the last time, where the form of columns says the same', async () => {
    const { to } = await bring('plain', 'groups: [{ column: Dept }]\n');
    assert.match(to, /^\/import\//);
    const page = await server.ask(to, { headers: { cookie } });
    assert.match(page.text, /This is read as the last file of plain was/);
  });

  test('is not taken for it where that was not chosen and its rules do not fit: the page says that it is another list', async () => {
    const { to } = await bring('renamed', 'groups: [{ column: Gone }]\n', roster, '');
    const page = await server.ask(to, { headers: { cookie } });
    assert.match(page.text, /A list called renamed is known, but this file becomes another one, renamed-2\./);
  });

  test('is planned by its own rules where a column is recognised that they do not name', async () => {
    const withId = roster.replace('Title', 'Employee ID');
    const { to } = await bring('ids', 'groups: [{ column: Dept }]\n', withId);
    assert.match(to, /^\/runs\//);
  });

  test('is planned by its own rules where they say more than the form can', async () => {
    const { to, kept, settings } = await bring(
      'rich',
      "groups: [{ column: Dept }, { column: Dept, prefix: 'Unit ' }, { always: Executives, when: { column: Title, contains: manager } }]\n",
    );
    assert.match(to, /^\/runs\//);
    assert.equal(kept.trim(), settings.trim());
    const [run] = await server.context.ledger.listRuns(1);
    const groups = run?.plan?.groups ?? [];
    assert.deepEqual(Object.fromEntries(groups.map(({ group, adds }) => [group, adds])), {
      Sales: 1,
      HR: 1,
      'Unit Sales': 1,
      'Unit HR': 1,
      Executives: 1,
    });
  });
});
