import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { DeltaRead, KeptPeople } from '../../../src/roster/fetch/kept-people.ts';
import { openSource } from '../../../src/roster/open-source.ts';
import { deps, refusal } from '../fetch/fetching.ts';
import { Graph, graphUser } from './graph.ts';
import { account, readSource } from './reading-presets.ts';

const accountOf = (graph: Graph, more: Record<string, string> = {}) =>
  account({
    ...{ tenant: 'acme.example', clientId: 'app-1', clientSecret: 's3cret-of-app' },
    ...{ baseUrl: graph.base, loginUrl: graph.base, ...more },
  });

/** What a ledger keeps of the reads of a source. */
class Kept {
  last: { link: string; digest: string } | undefined;
  readonly people = new Map<string, string>();
  isOld = false;

  take({ link, digest, isFull, people }: DeltaRead): void {
    this.last = { link, digest };
    if (isFull) this.people.clear();
    for (const batch of people()) {
      for (const { id, record } of batch) {
        if (record === null) this.people.delete(id);
        else this.people.set(id, record);
      }
    }
  }

  asDeps(): { kept?: KeptPeople } {
    if (!this.last) return {};
    const all = [...this.people].map(([id, record]) => ({ id, record }));
    const people = async function* () {
      yield all;
    };
    return { kept: { ...this.last, isOld: this.isOld, people } };
  }
}

/** Reads a source with what was kept; keeps what was read unless told not to. */
async function read(graph: Graph, kept: Kept, { preset = 'entra', more = {}, keeps = true } = {}) {
  const location = { preset, account: accountOf(graph, more) };
  const heard: string[] = [];
  const given = () => deps({ delta: kept.asDeps(), onWait: (what) => heard.push(what) });
  graph.asked = [];
  const opened = await openSource(location, given());
  const rows: string[][] = [];
  for await (const batch of opened.batches()) {
    for (const row of batch) rows.push('cells' in row ? [...row.cells] : []);
  }
  const checksum = opened.checksum();
  if (keeps && opened.read) kept.take(opened.read);
  const { read, form } = opened;
  await opened.close();
  return { rows, checksum, isFull: read?.isFull, notes: form.notes, asked: graph.asked, heard };
}

async function graphOf(t: TestContext, names: readonly string[]): Promise<Graph> {
  const graph = await new Graph().listen(t);
  for (const name of names) graph.set(`id-${name}`, graphUser(name));
  return graph;
}

test('after any changes, what changed and what was kept are the people of a full read', async (t) => {
  const graph = await new Graph().listen(t);
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('set' as const),
        id: fc.constantFrom(...ids),
        department: fc.constantFrom('Sales', 'Legal', null),
        mail: fc.constantFrom('x', 'y', null),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('phone' as const),
        id: fc.constantFrom(...ids),
        businessPhones: fc.subarray(['+47 1', '+47 2']),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('remove' as const),
        id: fc.constantFrom(...ids),
        why: fc.constantFrom('changed' as const, 'deleted' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('untold' as const), id: fc.constantFrom(...ids) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), fails: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('lose' as const),
        how: fc.constantFrom('gone' as const, 'syncStateNotFound' as const, 'resyncRequired' as const),
      }),
    },
  );
  const steps = fc.array(change, { maxLength: 25 });
  let deltas = 0;
  await fc.assert(
    fc.asyncProperty(steps, fc.integer(), async (given, seed) => {
      let state = seed >>> 0;
      graph.random = () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
      for (const id of graph.people.keys()) graph.remove(id);
      graph.set('a', graphUser('a'));
      const kept = new Kept();
      for (const step of given) {
        const id = 'id' in step ? step.id : '';
        if (step.do === 'remove') graph.remove(id, step.why);
        else if (step.do === 'lose') graph.forgetTokens(step.how);
        else if (step.do === 'read') {
          // A read that ends half-way leaves what was kept as it was.
          if (step.fails)
            graph.faults = [
              undefined,
              () => ({ status: 403, body: { error: { code: 'Authorization_RequestDenied', message: 'no' } } }),
            ];
          await read(graph, kept).catch(() => {});
          graph.faults = [];
        } else if (!graph.people.has(id)) graph.set(id, graphUser(id));
        else if (step.do === 'untold') graph.set(id, { city: 'Oslo' });
        else if (step.do === 'phone') graph.set(id, { businessPhones: step.businessPhones });
        else graph.set(id, { department: step.department, mail: step.mail && `${step.mail}-${id}@example.com` });
      }
      if (graph.people.size === 0) graph.set('a', graphUser('a'));
      const found = await read(graph, kept, { keeps: false });
      const full = await read(graph, new Kept());
      if (found.isFull === false) deltas += 1;
      assert.deepEqual(found.rows, full.rows);
      assert.equal(found.checksum, full.checksum);
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(graph.wrong, []);
  assert.ok(deltas > 10, `only ${deltas} of them asked for changes`);
});

test('delta gives the members, filtered people and rejects that a list gives', async (t) => {
  const graph = await graphOf(t, ['ann', 'bo', 'cy', 'di', 'ed', 'fay', 'gus']);
  const kept = new Kept();
  await read(graph, kept);
  graph.set('id-bo', { accountEnabled: false });
  graph.set('id-cy', { mail: null });
  graph.set('id-di', { userType: 'Guest' });
  graph.remove('id-ed', 'changed');
  graph.set('id-hal', graphUser('hal', { department: 'Legal' }));
  const location = { preset: 'entra', account: accountOf(graph) };
  const listed = await readSource(location);
  const told = await readSource(location, {}, deps({ delta: kept.asDeps() }));
  const inOrder = ({ members, filtered, rejects }: typeof told) => [
    members.map((member) => JSON.stringify(member)).toSorted(),
    filtered.toSorted(),
    rejects.map(([, reason]) => reason),
  ];
  assert.deepEqual(inOrder(told), inOrder(listed));
  assert.equal(told.members.length, 4);
});

test('the second read asks only the link that the first one gave, all its pages, and says how many changed', async (t) => {
  const graph = await graphOf(t, ['ann', 'bo', 'cy', 'di', 'ed', 'fay', 'gus']);
  const kept = new Kept();
  const first = await read(graph, kept);
  assert.equal(first.isFull, true);
  assert.match(first.asked[0] ?? '', /^\/v1\.0\/users\/delta\?\$select=id,userPrincipalName,mail,.*employeeHireDate$/);
  assert.ok(first.notes.includes('Everybody was read: nothing was kept of an earlier read.'));
  for (const name of ['ann', 'bo', 'cy', 'di']) graph.set(`id-${name}`, { department: 'Legal' });
  const link = kept.last?.link;
  const second = await read(graph, kept);
  assert.equal(`${graph.base}${second.asked[0]}`, link);
  assert.ok(second.asked.length > 1);
  assert.equal(second.rows.length, 7);
  assert.ok(second.notes.includes('Only what changed since the last read was asked for: 4 people.'));
  assert.notEqual(kept.last?.link, link);
  assert.match((await read(graph, kept)).notes.join(' '), /asked for: 0 people/);
});

test('everybody is read when Graph lost its place, when the settings have changed, and when it is time', async (t) => {
  const graph = await graphOf(t, ['ann', 'bo', 'cy', 'di']);
  const kept = new Kept();
  await read(graph, kept);
  for (const how of ['gone', 'syncStateNotFound', 'resyncRequired'] as const) {
    graph.forgetTokens(how);
    graph.set('id-ann', { department: how });
    const found = await read(graph, kept);
    assert.equal(found.isFull, true, how);
    assert.deepEqual(found.heard, [
      'staff: its server no longer knows what changed since the last read; everybody is read again',
    ]);
    assert.ok(found.rows.some((cells) => cells.includes(how)));
    assert.equal((await read(graph, kept)).isFull, false);
  }
  const more = { fields: 'employeeHireDate,city' };
  const changed = await read(graph, kept, { more });
  assert.deepEqual([changed.isFull, changed.heard], [true, []]);
  assert.ok(changed.notes.includes('Everybody was read: its settings have changed.'));
  assert.equal((await read(graph, kept, { more })).isFull, false);
  assert.equal((await read(graph, kept, { more: { ...more, clientId: 'app-2' } })).isFull, true);
  kept.isOld = true;
  assert.ok((await read(graph, kept)).notes.some((note) => note.startsWith('Everybody was read')));
});

test('a place that is lost in the middle of a full read begins it again', async (t) => {
  const graph = await graphOf(t, ['ann', 'bo', 'cy', 'di', 'ed', 'fay', 'gus']);
  graph.faults = [undefined, () => ({ status: 410, body: { error: { code: 'resyncRequired', message: 'Resync.' } } })];
  const found = await read(graph, new Kept());
  assert.deepEqual([found.rows.length, found.asked.length], [7, 5]);
});

test('a read that cannot be finished, leads elsewhere or has no link at its end keeps nothing', async (t) => {
  const graph = await graphOf(t, ['ann', 'bo', 'cy', 'di']);
  const kept = new Kept();
  const answer = (body: object) => () => ({ status: 200, body: { value: [{ id: 'id-ann' }], ...body } });
  graph.faults = [
    undefined,
    () => ({ status: 403, body: { error: { code: 'Authorization_RequestDenied', message: 'no longer' } } }),
  ];
  assert.match(await refusal(read(graph, kept)), /answered 403, saying "no longer"/);
  graph.faults = [answer({})];
  assert.match(await refusal(read(graph, kept)), /ends without a link for the next read/);
  for (const name of ['nextLink', 'deltaLink']) {
    graph.faults = [answer({ [`@odata.${name}`]: 'https://graph.elsewhere.example/v1.0/users/delta?x=1' })];
    assert.match(await refusal(read(graph, kept)), /leads to graph\.elsewhere\.example, another server/);
  }
  const same = `${graph.base}/v1.0/users/delta?$skiptoken=same`;
  graph.faults = [answer({ '@odata.nextLink': same }), answer({ '@odata.nextLink': same })];
  assert.match(await refusal(read(graph, kept)), /leads back to a page that was read/);
  graph.faults = [() => ({ status: 200, body: { value: [{ mail: 'ann@example.com' }], '@odata.deltaLink': same } })];
  assert.match(await refusal(read(graph, kept)), /somebody in the answer has no id/);
  assert.equal(kept.last, undefined);
});

test('groups are read in full beside what changed of people', async (t) => {
  const graph = await graphOf(t, ['ann', 'bo', 'cy']);
  graph.groups.set('g1', { name: 'Sales-ACL', members: ['id-ann', 'id-bo'] });
  const kept = new Kept();
  const more = { groups: '*' };
  await read(graph, kept, { preset: 'entra-groups', more });
  // Graph tells nothing of people whose groups change.
  graph.groups.set('g1', { name: 'Sales-ACL', members: ['id-bo', 'id-cy'] });
  const location = { preset: 'entra-groups', account: accountOf(graph, more) };
  const { members } = await readSource(location, {}, deps({ delta: kept.asDeps() }));
  assert.deepEqual(
    members.map(({ firstname, groups }) => [firstname, ...groups]),
    [
      ['bo', 'Sales-ACL'],
      ['cy', 'Sales-ACL'],
    ],
  );
});

test('delta is refused where a preset cannot say what changed', async () => {
  const location = { preset: 'okta', account: account({ domain: 'acme.okta.com' }), delta: { fullEvery: 1 } };
  assert.match(
    await refusal(openSource(location, deps())),
    /^delta works only with the presets entra and entra-groups: leave it out\.$/,
  );
});
