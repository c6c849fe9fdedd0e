import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

suite('the pages of people, and their downloads', () => {
  let server: ApiServer;
  let cookie: string;
  let token: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('clerk', ['read', 'run', 'approve']);
    cookie = await server.signIn('token clerk', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  const post = (path: string, fields: Record<string, string>): Promise<Answered> =>
    server.ask(path, {
      method: 'POST',
      headers: { cookie, origin: server.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    });

  /** The rows of a download, without its heading. */
  async function rowsOf(path: string, fields: Record<string, string>): Promise<string[]> {
    const { status, text } = await post(path, fields);
    assert.equal(status, 200, text);
    return text.trimEnd().split('\n').slice(1);
  }

  /** Sends the form of a button on a page as it stands there. */
  async function press(page: string, word: string): Promise<string[]> {
    const { text } = await server.ask(page, { headers: { cookie } });
    const forms = text.match(/<form method="post"[^]*?<\/form>/g) ?? [];
    const form = forms.find((each) => each.includes(`${word}</button>`)) ?? assert.fail(`no ${word} on ${page}`);
    const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
    const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    return rowsOf(action, Object.fromEntries(fields) as Record<string, string>);
  }

  const emails = (rows: readonly string[]): string[] => rows.map((row) => row.split(',')[0] ?? '');

  test('the download of a run has the people of the filter, on all of its pages', async () => {
    const people = Array.from(
      { length: 120 },
      (_, at) => `Ann,Ek ${at},ann.${at}@example.com,${at % 3 ? 'IT' : 'Sales'}`,
    );
    server.roster(['firstname,lastname,email,groups', ...people, 'Bo,Ek,bo@,Sales', ''].join('\n'));
    const { run } = (await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } })).json;
    const page = `/runs/${run}/people`;
    assert.equal((await press(page, 'Download everybody')).length, 120);
    const sales = await press(`${page}?group=Sales`, 'Download these people');
    assert.equal(sales.length, 40);
    assert.ok(sales.every((row) => row.includes(',Sales,')));
    assert.equal((await rowsOf(`${page}/download`, { text: 'ek 11', group: 'IT' })).length, 8);
    assert.match((await press(`${page}?show=reject`, 'Download rejects')).join(), /bo@/);

    // The middle of the list, reached in one step and page by page.
    const listOf = async (from: number): Promise<string[]> => {
      const { text } = await server.ask(`${page}?sort=name&from=${from}`, { headers: { cookie } });
      return [...text.matchAll(/ann\.\d+@example\.com(?=<\/td>)/g)].map(([email]) => email);
    };
    const all = people.map((_, at) => `ann.${at}@example.com`);
    assert.deepEqual(emails(await press(page, 'Download everybody')).toSorted(), all.toSorted());
    for (const from of [50, 100, 50, 51, 0])
      assert.deepEqual(await listOf(from), all.slice(from, from + 50), String(from));
  });

  test('a run that is not known leads to the page of runs', async () => {
    const { status, text } = await server.ask('/runs/nothing', { headers: { cookie } });
    assert.equal(status, 404);
    assert.match(text, /There is no run nothing\. The page “Runs” lists them\./);
    assert.doesNotMatch(text, /\/api\//);
  });

  test('the download of an upload has those of the filter, the rows that are left out, or the rejects', async () => {
    const rows = [
      'Kim,Day,kim@example.org,Sales',
      'Leo,Roe,leo@example.org,IT',
      'Max,Fay,max@example.org,IT',
      'Ned,Gil,ned@,IT',
    ];
    const asked = { method: 'POST' as const, token };
    const headers = { 'content-type': 'text/csv' };
    const body = Buffer.from(['First name,Last name,E-mail,Team', ...rows, ''].join('\n'));
    const brought: Answered = await server.ask('/api/v1/uploads?file=new.csv', { ...asked, headers, body });
    const { upload, mapping } = brought.json;
    const own = { ...mapping, except: [{ column: 'E-mail', equals: 'max@example.org' }] };
    const planned = await server.ask(`/api/v1/uploads/${upload}/plan`, { ...asked, body: { mapping: own } });
    assert.equal(planned.status, 201, planned.text);
    const page = `/import/${upload}/people`;
    assert.deepEqual(emails(await press(page, 'Download everybody')), ['kim@example.org', 'leo@example.org']);
    assert.deepEqual(emails(await press(`${page}?group=IT`, 'Download these people')), ['leo@example.org']);
    assert.match((await press(`${page}?show=out`, 'Download these people')).join(), /^Max Fay,max@example\.org,/);
    assert.match((await press(`${page}?show=reject`, 'Download rejects')).join(), /ned@/);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deed?.by, deed?.action], ['token clerk', 'download people']);
    const nowhere = await post(`/import/${upload}/correct`, { line: '5', column: 'Phone', value: 'x' });
    assert.equal(nowhere.status, 422);
    assert.match(nowhere.text, /The file has no column of that heading\./);
  });

  test('who keeps a group is a file, and what is done in the service is marked on the page', async () => {
    for (const groups of [
      ['Night', 'Late'],
      ['Day', 'Early'],
    ]) {
      const rows = groups.map((group, at) => `Lena ${at},Ek,lena.${at}@left.example,${group}`);
      server.roster(['firstname,lastname,email,groups', ...rows, ''].join('\n'));
      const { run, status } = (await server.ask('/api/v1/runs', { method: 'POST', token, body: { source: 'staff' } }))
        .json as { run: string; status: string };
      if (status === 'held') {
        const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
        await server.ask(`/api/v1/runs/${run}/approve`, { method: 'POST', token, body: { hash } });
      }
      while ((await server.context.ledger.findRuns(run))[0]?.status !== 'finished')
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const page = async (): Promise<string> => (await server.ask('/left-behind', { headers: { cookie } })).text;
    const shown = await page();
    assert.match(shown, /2 people keep 2 groups/);
    const listed = await press('/left-behind', 'Download as CSV');
    assert.deepEqual(
      listed.map((row) => row.split(',').slice(0, 4).join(' ')),
      ['lena.0@left.example Lena 0 Ek Night', 'lena.1@left.example Lena 1 Ek Late'],
    );
    const [, before = ''] = /name="before" value="([^"]+)"/.exec(shown) ?? [];
    const form = { person: 'lena.0@left.example', group: 'Night', source: 'staff', before };
    const done = await post('/left-behind/done', form);
    assert.deepEqual([done.status, done.headers['location']], [303, '/left-behind?marked=1']);
    assert.match(await page(), /1 person keeps 1 group/);
    assert.equal((await post('/left-behind/done', { before })).headers['location'], '/left-behind?marked=1');
    assert.match(await page(), /Nobody keeps a group/);
    const [deed] = await server.context.ledger.listDeeds({ limit: 1 });
    assert.deepEqual([deed?.by, deed?.action], ['token clerk', 'mark 1 left behind as done']);
  });
});
