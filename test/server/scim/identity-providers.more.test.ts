import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Provider, startProvider, user } from './provider.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

describe('what identity providers send', () => {
  let idp: Provider;
  let ann = '';
  before(async () => {
    idp = await startProvider();
    ann = await idp.addUser('ann.lee');
  });
  after(() => idp.server.close());

  const get = async (path: string): Promise<ReturnType<typeof JSON.parse>> => (await idp.ask('GET', path)).json;

  describe('Okta’s SPEC suite', () => {
    test('O1, O2: the first user, and that user by id', async () => {
      const list = await idp.ask('GET', '/Users?count=1&startIndex=1');
      assert.equal(list.status, 200);
      assert.match(String(list.headers['content-type']), /^application\/scim\+json/);
      assert.deepEqual(
        [list.json.schemas, list.json.totalResults, list.json.itemsPerPage, list.json.startIndex],
        [[listSchema], 1, 1, 1],
      );
      const [first] = list.json.Resources;
      assert.deepEqual(
        [first.id, first.userName, first.active, first.name.givenName, first.emails[0].value],
        [ann, 'ann.lee@example.com', true, 'ann', 'ann.lee@example.com'],
      );
      assert.deepEqual(await get(`/Users/${first.id}`), first);
    });

    test('O3, O9: a filter finds nobody, or the user in other letter case', async () => {
      for (const [name, total] of [
        ['nobody@example.com', 0],
        ['ANN.LEE@EXAMPLE.COM', 1],
      ] as const) {
        const { status, json } = await idp.ask('GET', `/Users?filter=userName+eq+%22${name}%22&startIndex=1&count=100`);
        assert.deepEqual([status, json.totalResults, json.Resources.length], [200, total, total]);
      }
    });

    test('O4, O12: an unknown id is 404 with an error of text', async () => {
      for (const path of ['/Users/00919288221112222', '/Groups/x', '/Nothing']) {
        const { status, json } = await idp.ask('GET', path);
        assert.deepEqual(
          [status, json.schemas, json.status, typeof json.detail],
          [404, [errorSchema], '404', 'string'],
        );
      }
    });

    test('O6, O7, O8: a user is created as plain JSON, read, and refused a second time', async () => {
      const made = await idp.ask('POST', '/Users', user('bo.dahl'), {
        'content-type': 'application/json',
        accept: 'application/scim+json',
      });
      assert.equal(made.status, 201);
      assert.equal(made.headers['location'], made.json.meta.location);
      assert.deepEqual([made.json.active, made.json.userName], [true, 'bo.dahl@example.com']);
      assert.deepEqual(await get(`/Users/${made.json.id}`), made.json);
      const again = await idp.ask('POST', '/Users', user('bo.dahl', { userName: 'Bo.Dahl@example.com' }));
      assert.deepEqual([again.status, again.json.scimType, again.json.status], [409, 'uniqueness', '409']);
    });

    test('O10, O11: groups are a list; a wrong token is 401; a token of another source too', async () => {
      assert.ok(Array.isArray((await get('/Groups')).Resources));
      const wrong = await idp.server.ask('/scim/v2/staff-scim/Users', { token: 'wrong' });
      assert.deepEqual([wrong.status, wrong.json.schemas, wrong.json.status], [401, [errorSchema], '401']);
      const token = await idp.server.token('other', ['scim:other-scim', 'read', 'run', 'approve']);
      assert.equal((await idp.server.ask('/scim/v2/staff-scim/Users', { token })).status, 401);
      assert.equal(
        (await idp.server.ask('/scim/v2/other-scim/Users', { headers: { authorization: token } })).status,
        200,
      );
      assert.equal((await idp.server.ask('/scim/v2/staff/Users', { token })).status, 401);
    });

    test('a deactivation without a path, and by PUT; a request without a value for active changes nothing of it', async () => {
      const id = await idp.addUser('cleo.ek');
      const off = await idp.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
      assert.deepEqual([off.status, off.json.active], [200, false]);
      const { active: _, ...rest } = user('cleo.ek', { id, groups: [], password: 'secret' }) as { active: boolean };
      assert.equal((await idp.ask('PUT', `/Users/${id}`, rest)).json.active, false);
      const unsaid = [
        { op: 'remove', path: 'active' },
        ...[null, ''].map((value) => ({ op: 'Replace', path: 'active', value })),
        { op: 'replace', value: { active: null } },
      ];
      for (const operation of unsaid)
        assert.equal((await idp.patch(`/Users/${id}`, operation)).json.active, false, JSON.stringify(operation));
      const on = await idp.ask('PUT', `/Users/${id}`, { ...rest, active: true });
      assert.deepEqual([on.status, on.json.active, 'password' in on.json], [200, true, false]);
    });

    test('groups: pushed with members, renamed with the id, emptied by a whole list', async () => {
      const id = await idp.addGroup('Okta Sales', [ann]);
      await idp.patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Okta Sales EU' } });
      const group = await get(`/Groups/${id}`);
      assert.deepEqual([group.displayName, group.members[0].value, group.members.length], ['Okta Sales EU', ann, 1]);
      await idp.patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: [] });
      assert.deepEqual((await get(`/Groups/${id}`)).members, []);
      assert.equal(
        (
          await idp.ask('PUT', `/Groups/${id}`, {
            displayName: 'Okta Sales EU',
            members: [{ value: ann, display: null }],
          })
        ).status,
        200,
      );
      assert.equal((await get(`/Groups/${id}`)).members.length, 1);
    });
  });

  describe('Entra ID, and Microsoft’s validator', () => {
    test('M1: a user with a manager as text and a primary as text comes back with an object and a boolean', async () => {
      const body = user('dag.foss', {
        [enterprise]: { department: 'Sales', manager: ann },
        roles: [{ value: 'a', primary: 'True' }],
        active: 'True',
      });
      const { status, json } = await idp.ask('POST', '/Users', body);
      assert.equal(status, 201);
      assert.deepEqual(
        [json.active, json.roles, json[enterprise]],
        [true, [{ value: 'a', primary: true }], { department: 'Sales', manager: { value: ann } }],
      );
    });

    test('M3 to M5: look-ups by the other attributes it may match on', async () => {
      for (const filter of [
        'externalId eq "ann.lee"',
        'emails[type eq "work"].value eq "ANN.lee@example.com"',
        `id eq "${ann}"`,
        'userName eq "ann.lee@example.com" and active eq true',
        'DisplayName pr or userName sw "ann."',
        'not (userName ne "ann.lee@example.com")',
        'meta.created gt "2020-01-01T00:00:00Z" and userName co ann.',
      ]) {
        const { Resources } = await get(`/Users?filter=${encodeURIComponent(filter)}`);
        assert.ok(
          (Resources as { id: string }[]).some(({ id }) => id === ann),
          filter,
        );
      }
      assert.equal((await get(`/Users?filter=${encodeURIComponent('externalId eq "ANN.LEE"')}`)).totalResults, 0);
      for (const filter of [
        'userName',
        'userName eq',
        'userName is "x"',
        'shoeSize eq 42',
        'userName eq "x',
        '(userName eq "x"',
      ]) {
        const { status, json } = await idp.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
        assert.deepEqual([status, json.scimType], [400, 'invalidFilter'], filter);
      }
    });

    test('M6: values that do not exist yet are made by a filter in the path; dotted and whole names need none', async () => {
      const id = await idp.addUser('eva.gran', { emails: [] });
      await idp.patch(
        `/Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'eva@example.com' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+4722000001' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Oslo' },
        { op: 'Replace', path: 'name.familyName', value: 'Granli' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Finance' },
        {
          op: 'replace',
          value: {
            'name.givenName': 'Evita',
            [`${enterprise}:costCenter`]: '12',
            [enterprise]: { division: 'North' },
            externalId: 'e-1',
            nonsense: 1,
          },
        },
      );
      const eva = await get(`/Users/${id}`);
      assert.deepEqual(eva.emails, [{ type: 'work', value: 'eva@example.com' }]);
      assert.deepEqual(eva.phoneNumbers, [{ type: 'work', value: '+4722000001' }]);
      assert.deepEqual(eva.addresses, [{ type: 'work', locality: 'Oslo' }]);
      assert.deepEqual(
        [eva.name.givenName, eva.name.familyName, eva.externalId, 'nonsense' in eva],
        ['Evita', 'Granli', 'e-1', false],
      );
      assert.deepEqual(eva[enterprise], { department: 'Finance', costCenter: '12', division: 'North' });
    });

    test('M7, M8: a new userName is found; "False" as text deactivates, and who is inactive is still found', async () => {
      const id = await idp.addUser('finn.holm');
      await idp.patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: 'finn.h@example.com' });
      await idp.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
      const { Resources } = await get('/Users?filter=userName eq "finn.h@example.com"');
      assert.deepEqual([Resources.length, Resources[0].active], [1, false]);
      const taken = await idp.patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: 'ANN.LEE@example.com' });
      assert.deepEqual([taken.status, taken.json.scimType], [409, 'uniqueness']);
    });

    test('M9 to M11: a manager is set as text, as an object, in a list, and removed by an empty one', async () => {
      const id = await idp.addUser('gro.iversen');
      const manager = async (): Promise<ReturnType<typeof JSON.parse>> =>
        (await get(`/Users/${id}`))[enterprise]?.manager;
      const path = `${enterprise}:manager`;
      for (const value of [ann, { value: ann }, [{ $ref: 'x', value: ann }]]) {
        await idp.patch(`/Users/${id}`, { op: 'Add', path, value });
        assert.equal((await manager()).value, ann);
        await idp.patch(`/Users/${id}`, { op: 'Replace', path: 'manager', value: value === ann ? '' : { value: '' } });
        assert.equal(await manager(), undefined);
      }
      await idp.patch(`/Users/${id}`, { op: 'Add', path, value: ann }, { op: 'Remove', path });
      assert.equal(await manager(), undefined);
    });

    test('M12, P3, P4: what is deleted is gone, twice too', async () => {
      const id = await idp.addUser('hal.jensen');
      assert.deepEqual(
        [
          (await idp.ask('DELETE', `/Users/${id}`)).status,
          (await idp.ask('GET', `/Users/${id}`)).status,
          (await idp.ask('DELETE', `/Users/${id}`)).status,
        ],
        [204, 404, 404],
      );
    });

    test('M13 to M21: groups are found by name without their members, are unique, and are renamed', async () => {
      const made = await idp.ask('POST', '/Groups', {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:Group',
          'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        ],
        displayName: 'Entra HR',
        externalId: 'g-1',
        meta: { resourceType: 'Group' },
      });
      assert.equal(made.status, 201);
      const { id } = made.json;
      assert.equal('members' in (await get(`/Groups/${id}?excludedAttributes=members`)), false);
      for (const [name, total] of [
        ['Entra HR', 1],
        ['ENTRA hr', 1],
        ['Entra Nothing', 0],
      ] as const) {
        assert.equal(
          (await get(`/Groups?excludedAttributes=members&filter=displayName eq "${name}"`)).totalResults,
          total,
        );
      }
      assert.equal((await idp.ask('POST', '/Groups', { displayName: 'entra hr' })).status, 409);
      assert.equal(
        (await idp.patch(`/Groups/${id}`, { op: 'Replace', value: { displayName: 'Entra People', externalId: 'g-2' } }))
          .status,
        204,
      );
      const group = await get(`/Groups/${id}`);
      assert.deepEqual([group.displayName, group.externalId, group.meta.version], ['Entra People', 'g-2', 'W/"2"']);
    });

    test('M22, M23, P5: members are added, removed by list and by filter, and set', async () => {
      const others = [await idp.addUser('ida.kvam'), await idp.addUser('jon.lie')];
      const id = await idp.addGroup('Entra Members');
      const members = async (): Promise<string[]> =>
        ((await get(`/Groups/${id}`)).members as { value: string }[]).map(({ value }) => value);
      const listed = others.map((value) => ({ $ref: null, value }));
      await idp.patch(
        `/Groups/${id}`,
        { op: 'Add', path: 'members', value: [{ value: ann }] },
        { op: 'Add', path: 'members', value: listed },
      );
      assert.deepEqual(new Set(await members()), new Set([ann, ...others]));
      await idp.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ value: others[0] }] });
      assert.deepEqual(new Set(await members()), new Set([ann, others[1]]));
      await idp.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${ann}"]` });
      assert.deepEqual(await members(), [others[1]]);
      await idp.patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: [{ value: ann }] });
      assert.deepEqual(await members(), [ann]);
      await idp.patch(
        `/Groups/${id}`,
        { op: 'add', path: 'members', value: others[0] },
        { op: 'remove', path: 'members', value: [{ value: others[0] }] },
      );
      assert.deepEqual(await members(), [ann]);
      await idp.patch(`/Groups/${id}`, { op: 'Remove', path: 'members' });
      assert.deepEqual(await members(), []);
    });

    test('P1, P2: several operations count in their order, all or none', async () => {
      const id = await idp.addUser('kim.moe');
      await idp.patch(
        `/Users/${id}`,
        { op: 'remove', path: 'title' },
        { op: 'add', path: 'title', value: 'A' },
        { op: 'replace', path: 'title', value: 'B' },
      );
      assert.equal((await get(`/Users/${id}`)).title, 'B');
      const half = await idp.patch(
        `/Users/${id}`,
        { op: 'replace', path: 'title', value: 'C' },
        { op: 'replace', path: 'shoeSize', value: 42 },
      );
      assert.deepEqual([half.status, half.json.scimType, (await get(`/Users/${id}`)).title], [400, 'invalidPath', 'B']);
    });
  });

  describe('what else is sent', () => {
    test('Microsoft’s collection: capital names, plus signs, garbage', async () => {
      const made = await idp.ask('POST', '/Users', {
        UserName: 'liv.nes@example.com',
        DisplayName: 'Liv Nes',
        Emails: [{ Primary: true, type: 'work', value: 'liv.nes@example.com' }],
        [enterprise]: { Department: 'IT', Manager: { Value: ann } },
        id: null,
        misspelled: true,
      });
      assert.deepEqual(
        [made.status, made.json.emails[0].primary, made.json[enterprise].manager.value, 'misspelled' in made.json],
        [201, true, ann, false],
      );
      assert.equal((await get('/Users?filter=DisplayName+eq+%22liv+nes%22')).totalResults, 1);
      for (const body of [
        '{"userName":',
        '[]',
        '""',
        {},
        { userName: ' ' },
        user('x.y', { active: 'perhaps' }),
        user('x.y', { name: 'X Y' }),
      ]) {
        const { status, json } = await idp.ask('POST', '/Users', body);
        assert.deepEqual([status, json.schemas], [400, [errorSchema]], JSON.stringify(body));
      }
      const { json } = await idp.ask(
        'GET',
        `/Users/${made.json.id}?attributes=userName,emails[type eq "work"],name.givenName`,
      );
      assert.deepEqual(Object.keys(json).toSorted(), ['emails', 'id', 'schemas', 'userName']);
    });

    test('discovery says what there is, and takes no filter', async () => {
      assert.deepEqual(
        (await get('/ResourceTypes')).Resources.map(({ endpoint }: { endpoint: string }) => endpoint),
        ['/Users', '/Groups'],
      );
      const provider = await get('/ServiceProviderConfig');
      assert.deepEqual(
        [provider.patch.supported, provider.bulk.supported, provider.filter.supported],
        [true, false, true],
      );
      const schemas = await get('/Schemas');
      assert.equal(schemas.Resources[0].name, 'User Account');
      assert.deepEqual(await get(`/Schemas/${enterprise}`), schemas.Resources[1]);
      assert.equal((await idp.ask('GET', '/Schemas?filter=id pr')).status, 403);
      assert.equal((await idp.ask('GET', '/Me')).status, 501);
    });

    test('a version that is not the newest changes nothing, and the newest is not sent again', async () => {
      const id = await idp.addUser('mai.olsen');
      const { headers } = await idp.ask('GET', `/Users/${id}`);
      assert.equal(headers['etag'], 'W/"1"');
      assert.equal((await idp.ask('GET', `/Users/${id}`, undefined, { 'if-none-match': 'W/"1"' })).status, 304);
      assert.equal(
        (await idp.ask('PUT', `/Users/${id}`, user('mai.olsen', { title: 'A' }), { 'if-match': 'W/"1"' })).json.meta
          .version,
        'W/"2"',
      );
      const stale = await idp.ask('PUT', `/Users/${id}`, user('mai.olsen', { title: 'B' }), { 'if-match': 'W/"1"' });
      assert.deepEqual([stale.status, stale.json.scimType], [412, 'invalidVers']);
      const same = await idp.ask('PUT', `/Users/${id}`, user('mai.olsen', { title: 'A' }));
      assert.equal(same.json.meta.version, 'W/"2"');
    });

    test('of ten requests at once for one name one is created; ten changes at once all count', async () => {
      const made = await Promise.all(
        Array.from({ length: 10 }, () => idp.ask('POST', '/Users', user('nils.pedersen'))),
      );
      assert.deepEqual(
        made.map(({ status }) => status).toSorted((one, other) => one - other),
        [201, ...Array.from({ length: 9 }, () => 409)],
      );
      const id = made.find(({ status }) => status === 201)?.json.id;
      const group = await idp.addGroup('Crowd');
      const names = Array.from({ length: 10 }, (_, at) => `roles[value eq "r${at}"].display`);
      await Promise.all(names.map((path, at) => idp.patch(`/Users/${id}`, { op: 'add', path, value: `R${at}` })));
      assert.equal((await get(`/Users/${id}`)).roles.length, 10);
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          idp.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: `user ${at}` }] }),
        ),
      );
      assert.equal((await get(`/Groups/${group}`)).members.length, 10);
    });

    test('pages: in the order in which they came, from any place, none of them where none is asked for', async () => {
      const all = await get('/Users?count=1000');
      assert.equal(all.totalResults, all.Resources.length);
      const paged = [];
      for (let startIndex = 1; startIndex <= all.totalResults; startIndex += 3)
        paged.push(...(await get(`/Users?startIndex=${startIndex}&count=3`)).Resources);
      assert.deepEqual(paged, all.Resources);
      const filter = encodeURIComponent('userName ew "@example.com"');
      const some = await get(`/Users?filter=${filter}&startIndex=3&count=2`);
      assert.deepEqual([some.totalResults, some.Resources], [all.totalResults, all.Resources.slice(2, 4)]);
      assert.deepEqual((await get('/Users?count=0&startindex=0')).Resources, []);
      assert.equal((await idp.ask('GET', '/Users?count=many')).status, 400);
    });
  });
});
