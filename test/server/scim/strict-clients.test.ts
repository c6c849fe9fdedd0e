import assert from 'node:assert/strict';
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

  test('searches with a query in the body, and gets the same answer as by the address', async () => {
    await idp.ask('POST', '/Users', user('anders.ek'));
    const body = {
      ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter: 'userName sw "an"' },
      ...{ attributes: ['userName', 'name.givenName'], startIndex: 2, count: 5 },
    };
    const { status, json } = await idp.ask('POST', '/Users/.search', body);
    assert.deepEqual([status, json.totalResults, json.Resources.length], [200, 2, 1]);
    const query = 'filter=userName+sw+%22an%22&attributes=userName,name.givenName&startIndex=2&count=5';
    assert.deepEqual(json, (await idp.ask('GET', `/Users?${query}`)).json);
    assert.equal((await idp.ask('POST', '/Groups/.search', {})).json.totalResults, 2);
    assert.equal((await idp.ask('POST', '/Users/.search', [])).status, 400);
  });
});
