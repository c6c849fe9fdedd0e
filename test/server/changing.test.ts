import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

const file = [
  'First name,Last name,E-mail,Team,Notes,Twice,Twice',
  'Nia,Day,nia@example.com,Sales,"\none\r\ntwo\t\u202e",a,b',
  `Kim,Ek,kim@example.com,Sales,${'x'.repeat(1001)},a,b`,
  'Jo,Ny,jo@example.com,"<b>""Lab""</b>",,a,b',
].join('\n');

suite('changing cells on the pages', () => {
  let server: ApiServer;
  let cookie: string;
  let token: string;
  let upload: string;
  let run: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('clerk', ['read', 'run', 'approve']);
    cookie = await server.signIn('token clerk', ['read', 'run', 'approve']);
    ({ upload } = (await server.ask('/api/v1/uploads?file=a.csv', asUpload())).json);
    const planned = await server.ask(`/api/v1/uploads/${upload}/plan`, { method: 'POST', token, body: {} });
    run = planned.json.run;
  });
  after(() => server.close());

  const get = (path: string): Promise<Answered> => server.ask(path, { headers: { cookie } });
  const asUpload = () => ({
    method: 'POST' as const,
    token,
    headers: { 'content-type': 'text/csv' },
    body: Buffer.from(file),
  });
  const post = (fields: Record<string, string>, path = `/import/${upload}/correct`): Promise<Answered> =>
    server.ask(path, {
      method: 'POST',
      headers: { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    });
  const unescape = (text: string): string =>
    text
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  /** The fields of the form of a row, as a browser sends them if nobody touches them. */
  async function rowForm(line: number): Promise<Record<string, string>> {
    const { status, text } = await get(`/import/${upload}/rows/${line}`);
    assert.equal(status, 200, text);
    const [form = ''] = /<form method="post" action="[^"]*correct"[^]*?<\/form>/.exec(text) ?? [];
    const inputs = [...form.matchAll(/<input[^>]*?>/g)].map(([tag]) => {
      const of = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
      return [of('name'), unescape(of('value')), of('type')] as const;
    });
    const areas = [...form.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^]*?)<\/textarea>/g)].map(
      ([, name = '', value = '']) => [name, unescape(value).replace(/^\n/, '').replaceAll('\n', '\r\n')] as const,
    );
    const sent = inputs.filter(([, , type]) => type !== 'checkbox').map(([name, value]) => [name, value] as const);
    return Object.fromEntries([...sent, ...areas]);
  }
  const listed = async (of: string): Promise<Record<string, unknown>[]> => server.context.ledger.correctionsOf(of);
  const newest = async (): Promise<string> => (await server.context.ledger.listRuns(1))[0]?.id ?? '';

  test('a form that nobody touched changes nothing, whatever is in its cells', async () => {
    for (const line of [2, 5, 6]) {
      const { status, headers } = await post(await rowForm(line));
      assert.deepEqual([status, headers['location']], [303, `/import/${upload}/people`]);
    }
    assert.equal(await newest(), run, 'nothing is planned');
    const long = await rowForm(5);
    assert.ok(!('cell.4' in long), 'a cell of over 1,000 characters is no field');
    await post({ ...long, 'cell.6': 'second' });
    const [second] = await listed(await newest());
    assert.deepEqual([second?.['column'], second?.['was'], second?.['value']], ['Twice', 'b', 'second']);
  });

  test('what is touched is changed, on the way back to the same part of the list, and nothing else', async () => {
    const form = await rowForm(6);
    assert.equal(form['cell.3'], '<b>"Lab"</b>');
    const { status, headers } = await post({ ...form, 'cell.3': 'Lab', 'cell.0': 'Joan', show: 'new' });
    assert.deepEqual([status, headers['location']], [303, `/import/${upload}/people?show=new`]);
    const now = await newest();
    assert.deepEqual(
      (await listed(now)).map(({ line, column, was, value }) => [line, column, was, value]),
      [
        [5, 'Twice', 'b', 'second'],
        [6, 'First name', 'Jo', 'Joan'],
        [6, 'Team', '<b>"Lab"</b>', 'Lab'],
      ],
    );
    const page = (await get(`/import/${upload}/people`)).text;
    assert.match(page, /Line 6 is corrected\. 3 invitations at most\./);
    const refused = await post({ ...form, 'cell.3': 'Labs' });
    assert.equal(refused.status, 409, 'the form shows what is no longer so');
    assert.equal(await newest(), now);
  });

  test('in every row, a value is changed wherever it stands; what is not there is said with what was typed', async () => {
    await post({ ...(await rowForm(2)), 'cell.3': 'Verkauf', everywhere: 'on' });
    const [team] = (await listed(await newest())).filter(({ line }) => line === null);
    assert.deepEqual(
      [team?.['column'], team?.['was'], team?.['value'], team?.['cells']],
      ['Team', 'Sales', 'Verkauf', 2],
    );
    assert.match((await get(`/import/${upload}/changes`)).text, /2 cells changed\. 3 invitations at most\./);
    const lacking = await post({ to: 'changes', place: '3', was: 'Nowhere', value: 'There' });
    assert.equal(lacking.status, 422);
    assert.match(
      lacking.text,
      /No cell of &#34;Team&#34; holds &#34;Nowhere&#34;[^]*value="3" *selected[^]*value="Nowhere"[^]*value="There"/,
    );
    const forms = (await get(`/import/${upload}/changes`)).text.split('Every row: 2 cells')[1] ?? '';
    const undone = await post({ to: 'changes', undo: /name="undo" value="([^"]*)"/.exec(forms)?.[1] ?? '' });
    assert.equal(undone.headers['location'], `/import/${upload}/changes`);
    assert.deepEqual(
      (await listed(await newest())).filter(({ line }) => line === null),
      [],
    );
  });

  test('a change that is made before another one has said what came of it is not lost', async (t) => {
    const { ledger } = server.context;
    const { correctionsOf } = ledger;
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { mock } = t.mock.method(ledger, 'correctionsOf', async (of: string) => {
      mock.restore();
      reached.resolve();
      await go.promise;
      return correctionsOf(of);
    });
    const first = post({ to: 'changes', place: '0', was: 'Nia', value: 'Nina' });
    await reached.promise;
    const body = { column: 'First name', was: 'Kim', value: 'Kimmy' };
    const { status } = await server.ask(`/api/v1/uploads/${upload}/corrections`, { method: 'POST', token, body });
    assert.equal(status, 201);
    go.resolve();
    assert.equal((await first).status, 303);
    const { text } = await get(`/import/${upload}/changes`);
    assert.match(text, /Nina[^]*Kimmy/);
    for (const [, undo = ''] of [...text.matchAll(/name="undo" value="([^"]*)"/g)].slice(-2))
      await post({ to: 'changes', undo });
  });

  test('whoever may only look, and anybody else, changes nothing; nor does anybody once it is sent', async () => {
    const before = await newest();
    const own = cookie;
    for (const [name, scopes, status] of [
      ['token clerk', ['read'], 403],
      ['token other', ['read', 'run'], 403],
    ] as const) {
      cookie = await server.signIn(name, [...scopes]);
      for (const path of ['rows/2', 'changes']) assert.equal((await get(`/import/${upload}/${path}`)).status, status);
      assert.equal((await post({ place: '3', was: 'Sales', value: 'x' })).status, status);
    }
    cookie = own;
    assert.equal(await newest(), before);
    const { hash } = (await server.ask(`/api/v1/runs/${before}/plan`, { token })).json;
    await server.ask(`/api/v1/runs/${before}/approve`, { method: 'POST', token, body: { hash } });
    for (const { status, headers } of [
      await get(`/import/${upload}/rows/2`),
      await get(`/import/${upload}/changes`),
      await post({ place: '3', was: 'Sales', value: 'x' }),
    ])
      assert.deepEqual([status, headers['location']], [303, `/runs/${before}`]);
    assert.equal(await newest(), before);
  });

  test('a file that is read in another way says that the changes are undone', async () => {
    const other = (await server.ask('/api/v1/uploads?file=b.csv', asUpload())).json.upload;
    const cell = { line: 2, file: 'b.csv', column: 'First name', value: 'Nina' };
    await server.ask(`/api/v1/uploads/${other}/corrections`, { method: 'POST', token, body: cell });
    await post({ encoding: 'utf-8' }, `/import/${other}`);
    const page = await get(`/import/${other}`);
    assert.match(page.text, /read in another way, so your change of a cell is undone\. Make it again\./);
    assert.doesNotMatch(page.text, /See 1 change/);
    await post({ encoding: 'windows-1252' }, `/import/${other}`);
    assert.match((await get(`/import/${other}`)).text, /it is UTF-8, not windows-1252: its letters would be read as/);
  });
});
