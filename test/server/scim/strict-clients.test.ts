import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { isRecord } from '../../../src/core/rows/path.ts';
import { type Provider, startProvider, user } from './provider.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** What `/Schemas` has for an attribute. */
interface Described {
  name: string;
  type: string;
  mutability: string;
  referenceTypes?: string[];
  subAttributes?: Described[];
}

describe('a client that takes the schemas at their word', () => {
  let idp: Provider;
  let [ann, inner, outer] = ['', '', ''];
  const schemas = new Map<string, Described[]>();
  before(async () => {
    idp = await startProvider();
    ann = await idp.addUser('ann.lee', {
      ...{ profileUrl: 'https://example.com/ann', photos: [{ type: 'photo', value: 'https://example.com/ann.jpg' }] },
      [enterprise]: { department: 'Sales', manager: { value: 'bo', displayName: 'Bo' } },
    });
    inner = await idp.addGroup('Inner', [ann]);
    outer = await idp.addGroup('Outer', [inner, 'nobody']);
    const { json } = await idp.ask('GET', '/Schemas');
    for (const { id, attributes } of json.Resources) schemas.set(id, attributes);
  });
  after(() => idp.server.close());

  /** The names of what is answered and not described. */
  function unknown(value: Record<string, unknown>, attributes: readonly Described[] = []): string[] {
    return Object.entries(value).flatMap(([name, one]) => {
      const attribute = attributes.find((each) => each.name === name);
      if (!attribute) return [name];
      return [one]
        .flat()
        .filter(isRecord)
        .flatMap((parts) => unknown(parts, attribute.subAttributes));
    });
  }

  test('may name several versions, one of which has to be the present one', async () => {
    const path = `/Users/${await idp.addUser('cy.holm')}`;
    const put = async (ifMatch: string) =>
      (await idp.ask('PUT', path, user('cy.holm', { title: ifMatch }), { 'if-match': ifMatch })).status;
    assert.equal(await put('W/"7", W/"1"'), 200);
    assert.equal(await put('W/"7", W/"1"'), 412, 'it has changed');
  });

  test('gets fewer groups at once where they have many members, and none is left out', async () => {
    const large: string[] = [];
    for (const count of [60_000, 41_000]) {
      const members = Array.from({ length: count }, (_, at) => `member-${at}`);
      large.push(await idp.addGroup(`Large ${count}`, members));
    }
    const pages: string[][] = [];
    for (const query of ['?startIndex=1', '?startIndex=4', '?filter=displayName%20pr', '?filter=members%20pr']) {
      const { json } = await idp.ask('GET', `/Groups${query}`);
      assert.deepEqual([json.totalResults, json.itemsPerPage], [4, json.Resources.length]);
      pages.push(json.Resources.map(({ id }: { id: string }) => id));
    }
    const whole = [inner, outer, large[0] ?? ''];
    assert.deepEqual(pages, [whole, large.slice(1), whole, whole]);
    const { json } = await idp.ask('GET', '/Groups?excludedAttributes=members');
    assert.equal(json.itemsPerPage, 4);
    for (const id of large) await idp.ask('DELETE', `/Groups/${id}`);
  });

  test('finds every attribute of an answer in them, with its type', async () => {
    for (const path of [`/Users/${ann}`, `/Groups/${outer}`]) {
      const { json } = await idp.ask('GET', path);
      const { schemas: own, id: _, externalId: _too, meta: _neither, ...rest } = json;
      const { [enterprise]: extension = {}, ...attributes } = rest;
      assert.deepEqual(unknown(attributes, schemas.get(own[0])), [], path);
      assert.deepEqual(unknown(extension, schemas.get(enterprise)), [], path);
    }
    const users = schemas.get('urn:ietf:params:scim:schemas:core:2.0:User') ?? [];
    const groups = users.find(({ name }) => name === 'groups');
    assert.deepEqual([groups?.mutability, groups?.subAttributes?.[0]?.mutability], ['readOnly', 'readOnly']);
    const profile = users.find(({ name }) => name === 'profileUrl');
    assert.deepEqual([profile?.type, profile?.referenceTypes], ['reference', ['external']]);
  });

  test('is led to each member by its address, a group inside a group too', async () => {
    const { json } = await idp.ask('GET', `/Groups/${outer}`);
    const members = new Map<string, Record<string, string>>(
      json.members.map((one: Record<string, string>) => [one['value'], one]),
    );
    const { $ref = '', type } = members.get(inner) ?? {};
    assert.deepEqual([new URL($ref).pathname, type], [`/scim/v2/staff-scim/Groups/${inner}`, 'Group']);
    assert.deepEqual(members.get('nobody'), { value: 'nobody' });
    const [member] = (await idp.ask('GET', `/Groups/${inner}`)).json.members;
    assert.deepEqual([new URL(member.$ref).pathname, member.type], [`/scim/v2/staff-scim/Users/${ann}`, 'User']);
  });

  test('is told what there is at the address of the service; a slash at the end of one changes nothing', async () => {
    for (const path of ['', '/']) {
      const { status, json } = await idp.ask('GET', path);
      assert.deepEqual(
        [status, json.Resources?.map(({ endpoint }: { endpoint: string }) => endpoint)],
        [200, ['/Users', '/Groups']],
      );
    }
    const groups = await idp.ask('GET', '/Groups/');
    assert.deepEqual([groups.status, groups.json.totalResults], [200, 2]);
    assert.equal((await idp.ask('GET', `/Users/${ann}/`)).json.id, ann);
    assert.equal((await idp.ask('POST', '/Users/', {})).status, 400);
  });

  test('is asked to wait while as many large bodies are on their way as memory is given to; small ones are taken', async () => {
    const { hostname, port, host } = new URL(idp.server.url);
    const token = await idp.server.token('large', ['scim:staff-scim']);
    const head = `POST /scim/v2/staff-scim/Groups HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n`;
    const sockets = Array.from({ length: 5 }, () => connect(Number(port), hostname));
    const answers = sockets.map((socket) => once(socket.setEncoding('utf8'), 'data'));
    for (const socket of sockets)
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${16 * 1024 * 1024}\r\n\r\n`);
    const [refused] = (await Promise.race(answers)) as [string];
    assert.match(refused, /^HTTP\/1\.1 429 .*retry-after: 5/s);
    assert.equal((await idp.ask('POST', '/Users', { userName: 'small' })).status, 201);
    for (const socket of sockets) socket.destroy();
    const large = { displayName: 'After them', nickName: 'x'.repeat(300_000) };
    while ((await idp.ask('POST', '/Groups', large)).status === 429);
  });

  test('may send any text; what is too long for an index or a row of a roster is 413 with the limit', async () => {
    for (const filter of ['userName eq "a\\u0000"', 'id eq "\\u0000"', 'userName eq a\0', 'title eq "\\ud800"']) {
      const { status, json } = await idp.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual([status, json.totalResults], [200, 0], filter);
    }
    assert.equal((await idp.ask('GET', '/Users/%00')).status, 404);
    const odd = { userName: 'o\0d\ud800', title: '\0', emails: [{ value: '\ud800' }] };
    assert.equal((await idp.ask('POST', '/Users', odd)).status, 201);
    assert.equal((await idp.ask('POST', '/Users', odd)).status, 409);
    const texts = Object.fromEntries(
      [
        'title',
        'nickName',
        'displayName',
        'userType',
        'locale',
        'timezone',
        'preferredLanguage',
        'profileUrl',
        'externalId',
      ].map((name) => [name, 'x'.repeat(32_000)]),
    );
    const manyNames = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`n${at}`, 1]));
    for (const [body, limit] of [
      [{ userName: '語'.repeat(501) }, 'userName has more than 500 characters.'],
      [{ userName: 'long', displayName: 'x'.repeat(15_000_000) }, 'displayName has more than 32768 characters.'],
      [{ userName: 'long', ...texts }, 'The user has more than 262144 characters.'],
      // What is not kept is not looked at one by one either.
      [{ userName: 'long', emails: Array.from({ length: 201 }, () => null) }, 'emails has more than 200 values.'],
      [{ userName: 'long', ...manyNames }, 'An object has more than 1000 names.'],
      [{ userName: 'long', emails: [manyNames] }, 'An object has more than 1000 names.'],
    ] as const) {
      const { status, json } = await idp.ask('POST', '/Users', body);
      assert.deepEqual([status, json.detail, json.status], [413, limit, '413']);
    }
  });

  test('gets a user who is not active back by a POST, under the same id and in the same groups; another account is another user', async () => {
    const id = await idp.addUser('cleo.ek');
    const group = await idp.addGroup('Cleo’s', [id]);
    const post = (more: object) => idp.ask('POST', '/Users', user('cleo.ek', more));
    assert.equal((await post({})).status, 409);
    await idp.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    const back = await post({ title: 'Nurse' });
    assert.deepEqual([back.status, back.json.id, back.json.active, back.json.title], [201, id, true, 'Nurse']);
    assert.deepEqual(
      back.json.groups.map(({ value }: { value: string }) => value),
      [group],
    );
    await idp.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    const another = await post({ externalId: 'another account' });
    assert.deepEqual([another.status, another.json.id === id, another.json.groups], [201, false, []]);
    assert.equal((await idp.ask('GET', `/Users/${id}`)).status, 404);
    assert.equal((await post({ externalId: 'another account' })).status, 409);
  });

  test('leaves a user as active as they are by a PUT that does not say it', async () => {
    const path = `/Users/${await idp.addUser('dan.ek')}`;
    await idp.patch(path, { op: 'Replace', path: 'active', value: false });
    const { json } = await idp.ask('PUT', path, user('dan.ek', { active: undefined, title: 'Nurse' }));
    assert.deepEqual([json.active, json.title], [false, 'Nurse']);
  });

  test('gets a page of no more than the service provider says, however many it asks for', async () => {
    const { server } = idp;
    const pushed = { source: 'other-scim', kind: 'User', keys: [], members: [] } as const;
    for (let at = 0; at <= 1000; at += 1) {
      const name = `many.${at}`;
      await server.context.ledger.addPushed({ ...pushed, id: name, name, event: name, resource: { userName: name } });
    }
    const token = await server.token('many', ['scim:other-scim']);
    const { json } = await server.ask('/scim/v2/other-scim/Users?count=5000', { token });
    assert.deepEqual([json.totalResults, json.itemsPerPage, json.Resources.length], [1001, 1000, 1000]);
  });

  test('is answered, although more requests than may be under way were left alone before their answers', async () => {
    const { server } = idp;
    const { hostname, port } = new URL(server.url);
    const token = await server.token('impatient', ['scim:other-scim']);
    let answered = 0;
    /** Sends a user, and closes the connection before or after there is an answer. */
    async function leave(at: number): Promise<void> {
      const body = JSON.stringify(user(`impatient.${at}`));
      const lines = ['POST /scim/v2/other-scim/Users HTTP/1.1', `Host: ${hostname}`, `Authorization: Bearer ${token}`];
      const type = ['Content-Type: application/scim+json', `Content-Length: ${Buffer.byteLength(body)}`];
      const socket = connect(Number(port), hostname).once('data', () => (answered += 1));
      socket.write([...lines, ...type, '', body].join('\r\n'), () => setTimeout(() => socket.destroy(), at % 20));
      await once(socket, 'close');
    }
    const before = (await server.ask('/scim/v2/other-scim/Users?count=0', { token })).json.totalResults;
    let left = 0;
    for (let at = 0; left <= 210; at += 20) {
      // On a busy machine few of them are: most are answered, or were not read yet.
      assert.ok(at < 40_000, `${left} of ${at} requests were left`);
      await Promise.all(Array.from({ length: 20 }, (_, one) => leave(at + one)));
      const { status, json } = await server.ask('/scim/v2/other-scim/Users?count=0', { token });
      assert.equal(status, 200, json.detail);
      left = json.totalResults - before - answered;
    }
  });
});
