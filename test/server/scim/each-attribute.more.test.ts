import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Provider, startProvider, user } from './provider.ts';

/** What `/Schemas` has for an attribute. */
interface Described {
  name: string;
  type: string;
  multiValued: boolean;
  required: boolean;
  mutability: string;
  subAttributes?: Described[];
}

/** A value of the type that is described; `second` for another one. */
function sample({ name, type, multiValued, subAttributes = [] }: Described, second: boolean): unknown {
  const one = (): unknown => {
    if (type === 'complex') {
      const parts = subAttributes.filter(({ mutability }) => mutability !== 'readOnly');
      return Object.fromEntries(parts.map((part) => [part.name, sample(part, second)]));
    }
    if (type === 'boolean') return !second;
    if (type === 'reference') return `https://example.com/${name}/${second ? 2 : 1}`;
    if (name === 'value') return `value${second ? 2 : 1}@example.com`;
    return `${name} ${second ? 'two' : 'one'}`;
  };
  return multiValued ? [one()] : one();
}

/**
 * The procedure of the compliance testers of others: everything that `/Schemas` says may be written is written, replaced
 * and removed, one attribute after the other, and read back each time.
 */
describe('each attribute that the schemas describe', () => {
  let idp: Provider;
  const described: { kind: 'Users' | 'Groups'; prefix: string; attribute: Described }[] = [];
  before(async () => {
    idp = await startProvider();
    const { json } = await idp.ask('GET', '/Schemas');
    for (const { id, attributes } of json.Resources as { id: string; attributes: Described[] }[]) {
      const kind = id.endsWith(':Group') ? 'Groups' : 'Users';
      const prefix = id.includes(':core:') ? '' : `${id}:`;
      for (const attribute of attributes) {
        const isLeftOut = attribute.mutability === 'readOnly' || attribute.required || attribute.name === 'members';
        if (!isLeftOut) described.push({ kind, prefix, attribute });
      }
    }
    assert.ok(described.length > 15);
  });
  after(() => idp.server.close());

  /** What an answer has at an attribute. */
  const at = (json: Record<string, unknown>, prefix: string, name: string): unknown => {
    const holder = prefix === '' ? json : ((json[prefix.slice(0, -1)] ?? {}) as Record<string, unknown>);
    return holder[name];
  };
  /** Whether all that was sent is there. */
  const has = (found: unknown, sent: unknown): boolean => {
    if (Array.isArray(sent)) return Array.isArray(found) && sent.every((one) => found.some((each) => has(each, one)));
    if (typeof sent !== 'object' || sent === null) return found === sent;
    return Object.entries(sent).every(([name, value]) => has((found as Record<string, unknown>)?.[name], value));
  };

  test('is added, replaced and removed by its path, and reads as it was written', async () => {
    const wrong: string[] = [];
    for (const [number, { kind, prefix, attribute }] of described.entries()) {
      const body = kind === 'Users' ? user(`each${number}.one`) : { displayName: `Each ${number}` };
      const { id } = (await idp.ask('POST', `/${kind}`, body)).json;
      const path = `${prefix}${attribute.name}`;
      const look = async () => at((await idp.ask('GET', `/${kind}/${id}`)).json, prefix, attribute.name);
      for (const [op, second] of [
        ['add', false],
        ['replace', true],
      ] as const) {
        const value = sample(attribute, second);
        const { status } = await idp.patch(`/${kind}/${id}`, { op, path, value });
        const found = await look();
        if (status > 204 || !has(found, value)) wrong.push(`${op} ${path}: ${status} ${JSON.stringify(found)}`);
      }
      const { status } = await idp.patch(`/${kind}/${id}`, { op: 'remove', path });
      const left = await look();
      if (status > 204 || (left !== undefined && !(Array.isArray(left) && left.length === 0)))
        wrong.push(`remove ${path}: ${status} ${JSON.stringify(left)}`);
    }
    assert.deepEqual(wrong, ['remove active: 200 false'], 'nobody becomes active unless a request says so');
  });

  test('is shown alone by attributes, and left out by excludedAttributes, also in lists', async () => {
    const emails = [{ type: 'work', value: 'shown@example.com' }, { value: 'alone@example.com' }];
    const { id } = (await idp.ask('POST', '/Users', user('shown.alone', { title: 'Chief', nickName: 'Sal', emails })))
      .json;
    const one = (json: { Resources: Record<string, unknown>[] }) => json.Resources.find((each) => each['id'] === id);
    const ways = {
      one: async (query: string) => (await idp.ask('GET', `/Users/${id}?${query}`)).json as Record<string, unknown>,
      list: async (query: string) => one((await idp.ask('GET', `/Users?count=1000&${query}`)).json),
    };
    for (const [way, ask] of Object.entries(ways)) {
      const only = await ask('attributes=title');
      assert.deepEqual([only?.['title'], only?.['nickName'], only?.['id']], ['Chief', undefined, id], way);
      const parts = await ask('attributes=emails.type,name.honorificPrefix');
      assert.deepEqual(Object.keys(parts ?? {}).toSorted(), ['emails', 'id', 'name', 'schemas'], way);
      const others = await ask('excludedAttributes=title');
      assert.deepEqual([others?.['title'], others?.['nickName'], others?.['id']], [undefined, 'Sal', id], way);
    }
  });

  test('an address that is none is 404 with an error of the schema', async () => {
    for (const path of [
      '/93ca2d5c-nothing',
      '/Schemas/urn:none',
      '/ResourceTypes/None',
      '/Users/none',
      '/Groups/none',
    ]) {
      const { status, json } = await idp.ask('GET', path);
      assert.deepEqual(
        [status, json.status, json.schemas],
        [404, '404', ['urn:ietf:params:scim:api:messages:2.0:Error']],
      );
    }
  });
});
