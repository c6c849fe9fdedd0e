import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readProjection, writeResource, schemas } from '../../../src/core/scim/answer.ts';
import { ScimError } from '../../../src/core/scim/attributes.ts';
import { idAsked, parseFilter, textAsked } from '../../../src/core/scim/filter.ts';
import { matches } from '../../../src/core/scim/match.ts';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ann = {
  userName: 'Ann@example.com',
  title: '2026-01-02T03:04:05Z',
  emails: [{ value: 'ann@example.com', type: 'work' }, { value: 'a@example.com' }],
  [enterprise]: { department: 'Sales' },
};
const stored = { id: 'u1', resource: ann, version: 1, createdAt: new Date(0), modifiedAt: new Date(0) };
const answer = writeResource('User', stored, 'https://sync.example/scim/v2/staff', undefined);
const holds = (filter: string): boolean => matches('User', parseFilter(filter), answer);

test('the store looks for no text that a matching user may have written in another way', () => {
  const filter = parseFilter('title eq "2026-01-02T03:04:05.000Z"');
  assert.ok(matches('User', filter, answer));
  assert.equal(textAsked(filter), undefined);
  assert.equal(textAsked(parseFilter('title eq "2026" and active eq true')), '2026');
  for (const filter of ['title ne "a"', 'title co "a"', 'title eq 5', 'id eq "a"', 'title eq "a" or title eq "b"']) {
    assert.equal(textAsked(parseFilter(filter)), undefined, filter);
  }
  assert.equal(idAsked(parseFilter('active eq true and id eq "u1"')), 'u1');
  assert.equal(idAsked(parseFilter('not (id eq "u1")')), undefined);
});

test('an attribute may be named with its schema, and one with several values means each of them', () => {
  for (const filter of [
    `${user}:userName eq "ANN@example.com"`,
    `${enterprise}:department eq "sales"`,
    'department eq "Sales"',
    'emails eq "a@example.com"',
    'emails[type eq "work" and value sw "ann"]',
    'not (emails[type eq "home"])',
  ])
    assert.ok(holds(filter), filter);
  for (const filter of [
    `${user}:userName eq "bo@example.com"`,
    'emails eq "work"',
    'emails[type eq "work"].value sw "a@"',
  ])
    assert.ok(!holds(filter), filter);
});

test('only ids tell capital letters apart, and times compare as times', () => {
  const manager = { value: 'm1', displayName: 'Bo' };
  const person = {
    ...{ title: '2026-01-02T03:04:05Z', externalId: 'x1', nickName: '', [enterprise]: { manager } },
    photos: [{ value: 'https://example.com/a.png', $ref: 'x1', primary: true }],
  };
  const of = (filter: string): boolean => matches('User', parseFilter(filter), person);
  for (const filter of [
    ...['externalId eq "x1"', `${enterprise}:manager.value eq "m1"`, `${enterprise}:manager.displayName eq "BO"`],
    ...['photos[$ref eq "x1"]', 'photos[value co "A.PNG"]', 'photos[primary eq true]', 'photos.value pr'],
    ...[
      'title eq "2026-01-02T03:04:05.000Z"',
      'title ge "2026-01-02T04:04:05+01:00"',
      'title le "2026-01-02T03:04:05Z"',
    ],
    ...['title gt "2026-01-02T03:04:04Z"', 'title lt "2026-01-02T03:04:06Z"', 'title pr', 'title ew "05z"'],
    ...['nickName eq null', 'externalId ne "X1"', 'photos eq "https://example.com/a.png"'],
  ])
    assert.ok(of(filter), filter);
  for (const filter of [
    ...['externalId eq "X1"', `${enterprise}:manager.value eq "M1"`, 'photos[$ref eq "X1"]', 'nickName pr'],
    ...['title gt "2026-01-02T03:04:05Z"', 'title lt "2026-01-02T03:04:05Z"', 'title ne "2026-01-02T03:04:05.0Z"'],
    ...['title eq null', 'photos[display pr]', 'emails pr', 'photos[value eq "a"]'],
  ])
    assert.ok(!of(filter), filter);
  for (const [filter, message] of [
    ['name.kind eq "x"', /a user has no name\.kind/],
    ['photos[kind eq "x"]', /photos has no kind/],
    ['photos[value[type eq "x"]]', /a filter inside/],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:x pr', /a user has no /],
  ] as const)
    assert.throws(() => of(filter), message, filter);
});

test('a text without quotation marks is taken as it is, and null is no text', () => {
  for (const filter of ['userName eq ann@example.com', 'nickName eq null', 'title ne null'])
    assert.ok(holds(filter), filter);
  for (const filter of ['userName eq null', 'nickName eq x']) assert.ok(!holds(filter), filter);
});

test('an answer has the attributes that are asked for; a part asks for its attribute, and is not left out alone', () => {
  const of = (query: Record<string, unknown>) => project(answer, readProjection(query));
  const { emails, ...others } = answer;
  const id = { schemas: answer['schemas'], id: 'u1' };
  const extension = { [enterprise]: answer[enterprise] };
  assert.deepEqual(of({}), answer);
  assert.deepEqual(of({ attributes: 'USERNAME' }), { ...id, userName: ann.userName });
  for (const attributes of ['emails', 'emails.value', 'emails[type eq "work"]'])
    assert.deepEqual(of({ attributes }), { ...id, emails }, attributes);
  assert.deepEqual(of({ attributes: `${enterprise}:department` }), { ...id, ...extension });
  assert.deepEqual(of({ excludedAttributes: 'emails,id' }), others);
  assert.deepEqual(of({ excludedAttributes: `emails.type,${enterprise}:department` }), answer);
  assert.equal(enterprise in of({ excludedAttributes: enterprise }), false);
});

test('a reference has its name only where one is known', () => {
  const groups = [{ value: 'g1', display: 'Sales', kind: 'Group' }, { value: 'g2' }] as const;
  const written = writeResource('User', stored, 'https://sync.example', groups)['groups'];
  assert.deepEqual(written, [
    { value: 'g1', display: 'Sales', $ref: 'https://sync.example/Groups/g1' },
    { value: 'g2' },
  ]);
});

test('the schema of an attribute says how its texts compare, and nothing of that where it has none', () => {
  const [found] = schemas('https://sync.example').filter(({ id }) => id === user) as unknown as {
    attributes: Record<string, unknown>[];
  }[];
  const { caseExact, uniqueness } = found?.attributes.find(({ name }) => name === 'userName') ?? {};
  assert.deepEqual([caseExact, uniqueness], [false, 'server']);
  const active = found?.attributes.find(({ name }) => name === 'active') ?? {};
  assert.deepEqual([active['type'], 'caseExact' in active, 'uniqueness' in active], ['boolean', false, false]);
  const { subAttributes = [] } = found?.attributes.find((each) => each['name'] === 'photos') ?? {};
  assert.deepEqual(
    (subAttributes as { name: string; type: string }[]).flatMap((each) => (each.type === 'reference' ? each.name : [])),
    ['value', '$ref'],
  );
});

test('a filter is read to 20 levels of brackets', () => {
  const nested = (levels: number): string => `${'('.repeat(levels)}active pr${')'.repeat(levels)}`;
  assert.ok(!holds(nested(20)));
  assert.throws(() => parseFilter(nested(21)), ScimError);
});
