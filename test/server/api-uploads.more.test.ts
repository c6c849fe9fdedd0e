import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import { KeptUploads } from '../../src/intake/kept-uploads.ts';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

const people = 'First name,Last name,E-mail,Team\nNia,Day,nia@example.com,Sales\nJane,Roe,jane@,Sales\n';

suite('uploads over the API', () => {
  let server: ApiServer;
  let token: string;
  before(async () => {
    server = await startApiServer();
    token = await server.token('importer', ['read', 'run', 'approve']);
  });
  after(() => server.close());

  const inspect = (text: string, as = token): Promise<Answered> =>
    server.ask('/api/v1/uploads?file=new-people.csv', {
      ...{ method: 'POST', token: as, headers: { 'content-type': 'text/csv' }, body: Buffer.from(text) },
    });
  const post = (path: string, body: object, as = token): Promise<Answered> =>
    server.ask(`/api/v1/uploads/${path}`, { method: 'POST', token: as, body });

  test('a file is inspected, planned with a mapping of its own, a reject corrected, and sent once approved', async () => {
    const inspected = await inspect(people);
    assert.equal(inspected.status, 201, inspected.text);
    const { upload, sum, columns, mapping, source } = inspected.json;
    assert.deepEqual(sum, { rows: 2, members: 1, merged: 0, filtered: 0, rejects: 1 });
    assert.deepEqual(
      columns.map(({ name, use }: { name: string; use: string }) => [name, use]),
      [
        ['First name', 'firstname'],
        ['Last name', 'lastname'],
        ['E-mail', 'email'],
        ['Team', 'group'],
      ],
    );
    assert.deepEqual(inspected.json.groups, [{ name: 'Sales', group: 'Sales', from: 'Team', people: 1 }]);
    assert.equal(source, 'new-people');
    assert.doesNotMatch(inspected.text, /nia@example|Nia/, 'no cell is in the answer');

    const many = Array.from({ length: 101 }, (_, at) => ({ matches: `many ${at}`, to: 'A' }));
    const refused = await post(`${upload}/plan`, { mapping: { ...mapping, renamePatterns: many } });
    assert.deepEqual(
      [refused.status, refused.json.detail],
      [422, 'mapping: it has 101 patterns (matches:), and at most 100 are allowed.'],
    );

    const own = { ...mapping, groups: [{ column: 'Team' }, { always: 'Newcomers' }], deliver: { invite: false } };
    const planned = await post(`${upload}/plan`, { mapping: own });
    assert.equal(planned.status, 201, planned.text);
    assert.equal(planned.json.status, 'held');
    const again = await post(`${upload}/plan`, { mapping: own });
    assert.deepEqual([again.status, again.json.run], [200, planned.json.run], 'the same is not planned twice');

    const corrected = await post(`${upload}/corrections`, { line: 3, column: 'E-mail', value: 'jane@example.com' });
    assert.equal(corrected.status, 201, corrected.text);
    assert.notEqual(corrected.json.run, planned.json.run);
    const [before] = await server.context.ledger.findRuns(planned.json.run);
    assert.equal(before?.status, 'cancelled');
    const { run } = corrected.json;
    const plan = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
    assert.equal(plan.counts.new, 2);
    assert.equal(plan.possibleInvitations, 0, 'the mapping says to add them silently');
    assert.deepEqual(plan.groups.map(({ group }: { group: string }) => group).toSorted(), ['Newcomers', 'Sales']);
    const approved = await server.ask(`/api/v1/runs/${run}/approve`, {
      ...{ method: 'POST', token, body: { hash: plan.hash } },
    });
    assert.equal(approved.json.released, 2, approved.text);
    const status = async (): Promise<unknown> => (await server.ask(`/api/v1/runs/${run}`, { token })).json.status;
    // No other file of the source is planned while it is delivered.
    while ((await status()) !== 'finished') await pause(20);
  });

  test('what a plan remarks at the terminal is said before anything is planned: who may have left', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map(
      (at) => `Ann${at},Ek${at},ek${at}.ann${at}@example.com,Sales,${at > 3 ? 'left company' : ''}`,
    );
    const { notes } = (await inspect(`First name,Last name,E-mail,Team,Comment\n${rows.join('\n')}\n`)).json;
    assert.match(notes.join('\n'), /Comment may say who has left: left company 3/);
  });

  test('any cell of any row is changed before it is sent, a value in a whole column too, and taken back; the run lists who changed what', async () => {
    const text = `${people}Kim,Ek,kim@example.com,Sales\nKim,Ek,kim@example.com,Slaes\nLia,Ny,lia@example.com,Slaes\n`;
    const { upload } = (await inspect(text)).json;
    const first = (await post(`${upload}/plan`, { source: 'changed' })).json.run;
    const correct = async (body: object): Promise<string> => {
      const { status, json, text: said } = await post(`${upload}/corrections`, body);
      assert.equal(status, 201, said);
      return String(json.run);
    };
    const listed = async (run: string): Promise<unknown[]> =>
      (await server.ask(`/api/v1/runs/${run}/corrections`, { token })).json.corrections as unknown[];
    const groups = async (run: string): Promise<unknown> =>
      Object.fromEntries(
        (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json.groups.map(
          ({ group, adds }: { group: string; adds: number }) => [group, adds],
        ),
      );
    assert.deepEqual(await listed(first), []);
    assert.deepEqual(await groups(first), { Sales: 2, Slaes: 2 });

    const changes = [
      { line: 2, column: 'First name', value: 'Nina' },
      { line: 3, column: 'E-mail', value: 'jane@example.com' },
      { column: 'Team', was: 'Slaes', value: 'Sales' },
    ];
    const by = 'token importer';
    const file = 'new-people.csv';
    const nina = { by, file, line: 2, column: 'First name', was: 'Nia', value: 'Nina', cells: 1 };
    const jane = { by, file, line: 3, column: 'E-mail', was: 'jane@', value: 'jane@example.com', cells: 1 };
    const team = { by, file: null, line: null, column: 'Team', was: 'Slaes', value: 'Sales', cells: 2 };
    const all = await correct({ changes });
    assert.deepEqual(await listed(all), [nina, jane, team]);
    assert.deepEqual(await groups(all), { Sales: 4 });
    const [before] = await server.context.ledger.findRuns(first);
    assert.equal(before?.status, 'cancelled', 'a change is a new plan');
    const [now] = (await post(`../runs/${all}/people`, { text: 'nia@example' })).json.people;
    assert.equal(now.now.firstname, 'Nina');

    const later = await correct({ line: 6, column: 'Team', value: 'Lab' });
    const lab = { by, file, line: 6, column: 'Team', was: 'Sales', value: 'Lab', cells: 1 };
    assert.deepEqual(await listed(later), [nina, jane, team, lab]);
    const undone = await correct({ column: 'Team', was: 'Slaes', value: null });
    assert.deepEqual(await listed(undone), [nina, jane, { ...lab, was: 'Slaes' }], 'the others stay');
    assert.deepEqual(await groups(undone), { Sales: 3, Slaes: 1, Lab: 1 });
    const back = await correct({ line: 2, column: 'First name', value: null });
    const [nia] = (await post(`../runs/${back}/people`, { text: 'nia@example' })).json.people;
    assert.equal(nia.now.firstname, 'Nia', 'as in the file again');

    const both = await Promise.all(
      ['Ann', 'Eve'].map((value, at) => post(`${upload}/corrections`, { line: 4 + at, column: 'First name', value })),
    );
    assert.deepEqual(
      both.map(({ status }) => status),
      [201, 201],
      'one after the other',
    );
    const [newest] = await server.context.ledger.listRuns(1);
    const values = (await listed(newest?.id ?? '')).map((each) => (each as { value: string }).value);
    assert.ok(
      ['Ann', 'Eve'].every((value) => values.includes(value)),
      'of two at a time none is lost',
    );
    const changed = [4, 5].map((line) => ({ line, column: 'First name', value: null }));
    const last = await correct({ changes: changed });

    for (const [body, code] of [
      [{ line: 99, column: 'Team', value: 'x' }, 'NO_CELL'],
      [{ column: 'Team', was: 'Salesx', value: 'x' }, 'NO_CELL'],
      [{ line: 2, was: 'Sales', column: 'Team', value: 'x' }, 'INPUT'],
      [{ column: 'Team', value: 'x' }, 'INPUT'],
      [{ line: 2, column: 'Team' }, 'INPUT'],
      [{ line: 2, column: 'Team', value: 'x', changes }, 'INPUT'],
    ] as const) {
      const refused = await post(`${upload}/corrections`, body);
      assert.deepEqual([refused.status, refused.json.code], [422, code], refused.text);
    }
    assert.deepEqual(await listed(last), [jane, { ...lab, was: 'Slaes' }], 'what was refused changed nothing');

    const forgotten = await server.ask('/api/v1/person/forget', {
      ...{ method: 'POST', token, body: { email: 'lia@example.com' } },
    });
    assert.equal(forgotten.status, 409, 'they wait for an approval');
    await delivered(last);
    const erased = await server.ask('/api/v1/person/forget', {
      ...{ method: 'POST', token, body: { email: 'lia@example.com' } },
    });
    assert.equal(erased.status, 200, erased.text);
    assert.deepEqual(await listed(last), [jane], 'what was changed about them is erased');
  });

  test('a row is corrected no more once the others are being sent: their run goes on', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `Ann,Ek,ann.${at}@example.com,Sales\n`).join('');
    const { upload } = (await inspect(`${people}${rows}`)).json;
    const { run } = (await post(`${upload}/plan`, { source: 'being-sent' })).json;
    const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
    await server.ask(`/api/v1/runs/${run}/approve`, { method: 'POST', token, body: { hash } });
    await server.ask(`/api/v1/runs/${run}/pause`, { method: 'POST', token, body: {} });
    const late = await post(`${upload}/corrections`, { line: 3, column: 'E-mail', value: 'jane@example.com' });
    assert.deepEqual([late.status, late.json.code], [409, 'NOT_NOW'], late.text);
    assert.equal((await server.ask(`/api/v1/runs/${run}`, { token })).json.status, 'paused');
    await server.ask(`/api/v1/runs/${run}/cancel`, { method: 'POST', token, body: {} });
  });

  test('what cannot be is refused: a name of the config, a wrong mapping, a place, another’s upload, no such column', async () => {
    const { upload } = (await inspect(people)).json;
    const taken = await post(`${upload}/plan`, { source: 'staff' });
    assert.deepEqual([taken.status, taken.json.code], [409, 'NAME_TAKEN']);
    for (const mapping of [{ groups: [] }, { file: '/etc/passwd' }, { http: { url: 'https://example.com' } }]) {
      const refused = await post(`${upload}/plan`, { mapping });
      assert.deepEqual([refused.status, refused.json.code], [422, 'INPUT'], refused.text);
    }
    const lacking = await post(`${upload}/plan`, { mapping: { members: { email: 'Nowhere' } } });
    assert.equal(lacking.status, 422);
    const other = await server.token('other', ['run']);
    assert.equal((await post(`${upload}/plan`, {}, other)).status, 403);
    const own = (await inspect(people, other)).json;
    const looser = { source: 'looser', mapping: { ...own.mapping, deliver: { forceSync: true } }, remember: true };
    assert.equal((await post(`${own.upload}/plan`, looser, other)).status, 403);
    const kept = await new KeptUploads(server.context).get(own.upload, 'token other');
    assert.deepEqual(kept.mapping, looser.mapping, 'what was asked for is kept with why it cannot be');
    assert.match(kept.problem ?? '', /lets more through/);
    assert.equal((await post('..%2f..%2fledger/plan', {})).status, 400);
    assert.equal((await post('00000000-0000-4000-8000-000000000000/plan', {})).status, 404);
    const nowhere = await post(`${upload}/corrections`, { line: 2, column: 'Phone', value: 'x' });
    assert.equal(nowhere.json.code, 'NO_COLUMN');
    assert.equal((await inspect('')).json.code, 'NO_FILE');
    const reader = await server.token('reader', ['read']);
    assert.equal((await inspect(people, reader)).status, 403);
  });

  const delivered = async (run: string): Promise<void> => {
    const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json;
    const { status, text } = await post(`../runs/${run}/approve`, { hash });
    assert.equal(status, 200, text);
    // No other file of the source is planned while it is delivered.
    while ((await server.ask(`/api/v1/runs/${run}`, { token })).json.status !== 'finished') await pause(20);
  };

  test('who is forgotten is also taken out of the mapping of an upload that is held, which is still sent', async () => {
    const text = 'First name,Last name,E-mail,Team\nKim,Day,kim@example.com,Sales\nLeo,Roe,leo@example.com,Sales\n';
    const { upload, mapping } = (await inspect(text)).json;
    const own = { ...mapping, except: [{ column: 'E-mail', equals: 'leo@example.com' }], deliver: { invite: false } };
    const { run } = (await post(`${upload}/plan`, { source: 'named', mapping: own })).json;
    const mappingOf = async (): Promise<string> =>
      JSON.stringify((await server.context.ledger.findRuns(run))[0]?.roster?.mapping);
    assert.match(await mappingOf(), /leo@example\.com/);

    const forgotten = await server.ask('/api/v1/person/forget', {
      ...{ method: 'POST', token, body: { email: 'leo@example.com' } },
    });
    assert.equal(forgotten.status, 200, forgotten.text);
    assert.match(await mappingOf(), /"equals":"forgotten-[0-9a-f]{16}"/);
    assert.match(forgotten.json.notReached.join('\n'), new RegExp(`uploads/.*${upload}`), 'the file itself is named');

    await delivered(run);
    const sent = server.sandbox.calls.map(({ email }) => email);
    assert.ok(sent.includes('kim@example.com') && !sent.includes('leo@example.com'), String(sent));
  });

  test('corrected rejects follow the mapping of their run, however a spreadsheet saved them, also once the others were sent', async () => {
    const text = 'Vorname,Nachname,Postfach,Haus\nÄda,Day,ada@example.com,Süd\nJosé,Roe,jose@,Süd\n';
    const { upload } = (await inspect(text)).json;
    const mapping = {
      members: { firstname: 'Vorname', lastname: 'Nachname', email: 'Postfach' },
      groups: [{ column: 'Haus', prefix: 'House ' }],
      deliver: { invite: false },
    };
    const { run } = (await post(`${upload}/plan`, { source: 'houses', mapping })).json;
    const rejects = (await server.ask(`/api/v1/runs/${run}/rejects`, { token })).text;
    assert.match(rejects, /_line,_reason,_run/);

    const corrected = rejects.replace('jose@', 'jose@example.com');
    const early = (await inspect(corrected)).json;
    assert.deepEqual([early.source, early.mapping], ['houses', mapping]);
    assert.match(early.notes[0], /^These are rejects of run [^]*still wait until somebody confirms them\.$/);
    await delivered(run);

    const saved = `\ufeff${corrected.replaceAll(',', ';').replaceAll(/\r?\n/g, '\r\n')}`;
    const resaved = (await inspect(saved)).json;
    assert.deepEqual([resaved.source, resaved.mapping], ['houses', mapping]);
    assert.deepEqual(
      resaved.notes[0],
      `These are rejects of run ${run} of houses. They are read with the mapping of that run.`,
    );
    const names = resaved.columns.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      names.toSorted(),
      ['Haus', 'Nachname', 'Postfach', 'Vorname'],
      'what the file of rejects adds is not read',
    );
    const planned = await post(`${resaved.upload}/plan`, {});
    assert.equal(planned.status, 201, planned.text);
    const plan = (await server.ask(`/api/v1/runs/${planned.json.run}/plan`, { token })).json;
    assert.deepEqual([plan.counts.new, plan.possibleInvitations], [1, 0], 'the mapping says to add them silently');
    assert.deepEqual(
      plan.groups.map(({ group }: { group: string }) => group),
      ['House Süd'],
    );
    await delivered(planned.json.run);
    const [second] = await server.context.ledger.findRuns(planned.json.run);
    assert.equal(second?.source, 'houses');
  });

  test('with `hold` all of a run waits for somebody; with `remember` the mapping is kept as a source', async () => {
    const text = 'firstname,lastname,email,groups\nHal,Ek,hal@example.com,Lab\n';
    server.roster(text);
    const started = await server.ask('/api/v1/runs', {
      ...{ method: 'POST', token, body: { source: 'staff', hold: true } },
    });
    assert.deepEqual([started.status, started.json.status], [201, 'held'], started.text);
    const uploaded = await server.ask('/api/v1/runs/upload?source=staff&hold=true', {
      ...{ method: 'POST', token, headers: { 'content-type': 'text/csv' } },
      body: Buffer.from(`${text}Ida,Ek,ida@example.com,Lab\n`),
    });
    assert.deepEqual([uploaded.status, uploaded.json.status], [201, 'held'], uploaded.text);
    assert.equal(uploaded.headers['location'], `/api/v1/runs/${uploaded.json.run}`);
    const { hold } = (await server.ask(`/api/v1/runs/${uploaded.json.run}`, { token })).json;
    assert.deepEqual([hold.deliveries, hold.reasons[0].guard], [2, 'brought']);

    await delivered(uploaded.json.run);
    const nothing = await server.ask('/api/v1/runs/upload?source=staff&hold=true', {
      ...{ method: 'POST', token, headers: { 'content-type': 'text/csv' } },
      body: Buffer.from(text),
    });
    assert.deepEqual([nothing.status, nothing.json.status], [201, 'finished'], nothing.text);
    const [look] = await server.context.ledger.findRuns(nothing.json.run);
    assert.equal(look?.releasedAt, null, 'nobody has said that this is the roster');

    const { upload, mapping } = (await inspect(people)).json;
    const wrong = { ...mapping, groups: [{ always: 'Team', only: [{ column: 'No such', in: ['x'] }] }] };
    const failed = await post(`${upload}/plan`, { source: 'remembered', mapping: wrong, remember: true });
    assert.notEqual(failed.status, 201, failed.text);
    const planned = await post(`${upload}/plan`, { source: 'remembered', mapping, remember: true });
    assert.equal(planned.status, 201, planned.text);
    const kept = await server.ask('/api/v1/sources/remembered', { token });
    assert.match(kept.json.settings, /^ *- column: Team$/m, kept.text);
    const edited = await server.ask('/api/v1/sources/remembered', {
      ...{ method: 'PUT', token, body: { settings: 'groups: [{ always: Everybody }]' } },
    });
    assert.equal(edited.status, 200, edited.text);
    const corrected = await post(`${upload}/corrections`, { line: 3, column: 'E-mail', value: 'jane@example.com' });
    const still = await server.ask('/api/v1/sources/remembered', { token });
    assert.equal(still.json.settings, 'groups: [{ always: Everybody }]', 'what was edited since stays');
    const again = await post(`${upload}/plan`, { source: 'remembered', mapping, remember: true });
    assert.equal(again.status, 409, again.text);
    assert.match(again.text, /changed the settings of remembered after you brought this file/);
    const { audit } = (await server.ask(`/api/v1/runs/${corrected.json.run}/audit`, { token })).json;
    assert.deepEqual(
      audit.map(({ by, action }: { by: string; action: string }) => [by, action]),
      [['token importer', 'correct a row of an upload']],
    );
  });

  test('a file of rejects that names no known run is a new kind of file, and the answer says why', async () => {
    const [head, row] = ['First name,Last name,E-mail,_line,_reason,_run', 'Nia,Day,nia@example.com,2,wrong'];
    const unknown = (await inspect(`${head}\n${row},ffffffff\n`)).json;
    assert.equal(unknown.source, 'new-people');
    assert.match(
      unknown.notes[0],
      /names run [^ ]*ffffffff[^ ]*, which is not known here\. It is read as a new kind of file\.$/,
    );
    for (const run of ['', '%', 'latest', '"; drop table runs"']) {
      const { source, notes } = (await inspect(`${head}\n${row},${run}\n`)).json;
      assert.equal(source, 'new-people', run);
      assert.match(notes[0], /^This is a file of rejects, but it /, run);
    }
  });
});
