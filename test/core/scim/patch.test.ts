import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ScimError } from '../../../src/core/scim/attributes.ts';
import { applyPatch, memberIds } from '../../../src/core/scim/patch.ts';

const patched = (path: string, value: unknown, before: Record<string, unknown> = {}) =>
  applyPatch('User', before, { Operations: [{ op: 'replace', path, value }] }).resource;

suite('a value that a PATCH makes by its filter', () => {
  test('has the names and types of the schema, whatever case the filter uses', () => {
    assert.deepEqual(patched('emails[TYPE eq "work" and Primary eq "True"].value', 'ann@example.com'), {
      emails: [{ type: 'work', primary: true, value: 'ann@example.com' }],
    });
    assert.deepEqual(patched('emails[type eq "home"].value', 'a@example.com', { emails: [{ type: 'work' }] }), {
      emails: [{ type: 'work' }, { type: 'home', value: 'a@example.com' }],
    });
  });

  test('is refused if the filter asks for a part that there is not, whether or not there is a value', () => {
    for (const before of [{}, { emails: [{ type: 'work' }] }]) {
      assert.throws(
        () => patched('emails[kind eq "work"].value', 'ann@example.com', before),
        (error) =>
          error instanceof ScimError && error.scimType === 'invalidFilter' && /emails has no kind/.test(error.message),
      );
    }
  });
});

suite('values of an attribute with several', () => {
  const work = { type: 'work', value: 'a@example.com' };
  const home = { type: 'home', value: 'b@example.com' };
  const emails = (op: string, path: string, value?: unknown, before: object[] = [work, home]) =>
    applyPatch('User', { emails: before }, { Operations: [{ op, path, value }] }).resource['emails'];

  test('are changed where a filter holds, or all of them where only a part is named', () => {
    const other = { value: 'c@example.com' };
    assert.deepEqual(emails('replace', 'emails[type eq "home"]', other), [work, { ...home, ...other }]);
    assert.deepEqual(emails('replace', 'emails.value', 'c@example.com'), [
      { ...work, ...other },
      { ...home, ...other },
    ]);
    assert.deepEqual(emails('replace', 'emails', [home]), [home]);
    assert.deepEqual(emails('remove', 'emails[type eq "home"]'), [work]);
    assert.deepEqual(emails('remove', 'emails.type'), [{ value: work.value }, { value: home.value }]);
  });

  test('are added unless the same value of the same type is there', () => {
    const third = { type: 'home', value: work.value };
    assert.deepEqual(emails('add', 'emails', [third, { type: 'Work', value: 'A@example.com' }], [work]), [work, third]);
    assert.deepEqual(emails('add', 'emails', [home], [work]), [work, home]);
  });

  test('a part without a value is none', () => {
    assert.deepEqual(patched('name', { givenName: null, familyName: 'Ek' }), { name: { familyName: 'Ek' } });
    assert.deepEqual(patched('name', { givenName: null }), {});
  });

  test('without a part or a value are gone, and what a filter does not ask to be equal is not made', () => {
    assert.equal(emails('remove', 'emails.type', undefined, [{ type: 'work' }]), undefined);
    assert.equal(emails('replace', 'emails', null), undefined);
    assert.deepEqual(emails('remove', 'emails', [{ value: 'A@example.com' }]), [home]);
    assert.deepEqual(emails('remove', 'emails', []), [work, home]);
    assert.deepEqual(emails('remove', 'emails[type eq "home"]', [work]), [work]);
    assert.deepEqual(emails('replace', 'emails[type eq "home"].value', ''), [work, { type: 'home' }]);
    assert.deepEqual(emails('add', 'emails', [{ ...work, display: 'Ann' }], [work]), [work]);
    assert.deepEqual(patched('emails.value', 'a@example.com'), { emails: [{ value: 'a@example.com' }] });
    assert.deepEqual(patched('emails.value', null), {});
    for (const filter of ['type co "work"', 'type pr', 'type eq "a" or type eq "b"'])
      assert.deepEqual(patched(`emails[${filter}].value`, 'a'), { emails: [{ value: 'a' }] }, filter);
  });
});

test('a filter names a member of a group by its id, and only to remove it', () => {
  const members = (op: string, path: string) =>
    applyPatch('Group', {}, { Operations: [{ op, path, value: [{ value: 'u1' }] }] }).members;
  assert.deepEqual(members('remove', 'members[value eq "u2"]'), [{ what: 'remove', ids: ['u2'] }]);
  for (const [op, path] of [
    ['add', 'members[value eq "u2"]'],
    ['remove', 'members[value eq 2]'],
    ['remove', 'members[display eq "u2"]'],
    ['remove', 'members[value co "u2"]'],
  ] as const)
    assert.throws(
      () => members(op, path),
      (error) => error instanceof ScimError && error.status === 400,
      `${op} ${path}`,
    );
});

suite('a PATCH', () => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  test('of an extension that is not known does nothing, and the rest of it is done', () => {
    const { resource } = applyPatch(
      'User',
      { active: true },
      {
        Operations: [
          { op: 'replace', path: 'urn:ietf:params:scim:schemas:extension:acme:2.0:User:shoeSize', value: 42 },
          { op: 'replace', path: 'active', value: 'False' },
        ],
      },
    );
    assert.deepEqual(resource, { active: false });
    const ours = 'urn:ietf:params:scim:schemas:core:2.0:User:actve';
    assert.throws(
      () => applyPatch('User', {}, { Operations: [{ op: 'replace', path: ours, value: false }] }),
      ScimError,
    );
  });

  const failure = (body: unknown): unknown[] => {
    try {
      applyPatch('User', {}, body);
    } catch (error) {
      if (error instanceof ScimError) return [error.status, error.scimType, error.message];
    }
    return [];
  };

  test('that is not understood is refused with what is wrong', () => {
    for (const body of [
      null,
      'add',
      [],
      {},
      { Operations: {} },
      { Operations: ['add'] },
      { Operations: [{ op: 'set' }] },
    ])
      assert.deepEqual(failure(body).slice(0, 2), [400, 'invalidSyntax'], JSON.stringify(body));
    const long = 'x'.repeat(200);
    for (const [operation, scimType, message] of [
      [{ op: 'add', path: 5 }, 'invalidPath', /path is text/],
      [{ op: 'add', path: `y${long}`, value: 'a' }, 'invalidPath', /no attribute yx{99}\./],
      [{ op: 'add', path: 'members', value: [] }, 'invalidPath', /no attribute members\./],
      [{ op: 'add', path: `[${long}`, value: 'a' }, 'invalidPath', /In \[x{99} a bracket is missing/],
      [{ op: 'remove' }, 'noTarget', /path is missing/],
      [{ op: 'add', value: 'a' }, 'invalidValue', /value is an object/],
      [{ op: 'add', path: enterprise, value: 'a' }, 'invalidValue', /is an object of attributes/],
      [{ op: 'add', path: 'name', value: 'Ann' }, 'invalidValue', /name is an object/],
    ] as const) {
      const [status, type, said] = failure({ operations: [operation] });
      assert.deepEqual([status, type], [400, scimType]);
      assert.match(String(said), message);
    }
  });

  test('changes the parts that it names; a manager is another one as a whole', () => {
    const before = { title: 'Nurse', name: { givenName: 'Ann', familyName: 'Ek' } };
    const given = { ...before, name: { givenName: 'Anna', familyName: 'Ek' } };
    assert.deepEqual(patched('name', { givenName: 'Anna', other: 'x' }, before), given);
    assert.deepEqual(patched('name.givenName', 'Anna', before), given);
    assert.deepEqual(patched('', { 'name.givenName': 'Anna', id: 'u1', other: 'x' }, before), given);
    const name = (op: string, path: string) =>
      applyPatch('User', before, { Operations: [{ op, path }] }).resource['name'];
    assert.deepEqual(name('remove', 'name.givenName'), { familyName: 'Ek' });
    assert.deepEqual(name('remove', 'title'), before.name);
    assert.equal(name('remove', 'name'), undefined);
    const led = { [enterprise]: { department: 'Sales', manager: { value: 'm1', displayName: 'Bo' } } };
    const manager = (value: unknown, path = 'manager') => patched(`${enterprise}:${path}`, value, led)[enterprise];
    assert.deepEqual(manager({ value: 'm2' }), { department: 'Sales', manager: { value: 'm2' } });
    assert.deepEqual(manager('', 'manager.value'), { department: 'Sales' });
    assert.deepEqual(patched(enterprise, { department: 'Care', id: 'x' }), { [enterprise]: { department: 'Care' } });
    assert.deepEqual(applyPatch('User', led, { Operations: [{ op: 'remove', path: enterprise }] }).resource, {});
  });

  test('takes no notice of what nobody may change', () => {
    assert.deepEqual(patched('id', 'u2', { title: 'Nurse' }), { title: 'Nurse' });
  });

  test('of a group has members as texts or as objects with a value', () => {
    assert.deepEqual([memberIds(null), memberIds(undefined), memberIds('u1')], [[], [], ['u1']]);
    assert.deepEqual(memberIds(['u1', { display: 'Bo', Value: 'u2' }]), ['u1', 'u2']);
    for (const wrong of [[''], [{ display: 'u1' }], [5]]) assert.throws(() => memberIds(wrong), ScimError);
    const changes = (op: string, value?: unknown) =>
      applyPatch('Group', {}, { Operations: [{ op, path: 'members', value }] }).members;
    assert.deepEqual(changes('remove', ['u1']), [{ what: 'remove', ids: ['u1'] }]);
    for (const none of [undefined, null]) assert.deepEqual(changes('remove', none), [{ what: 'clear', ids: [] }]);
    assert.deepEqual(changes('remove', []), [{ what: 'remove', ids: [] }]);
    assert.deepEqual(changes('replace', []), [{ what: 'set', ids: [] }]);
    assert.throws(() => changes('replace'), ScimError);
    assert.deepEqual(changes('replace', ['u1']), [{ what: 'set', ids: ['u1'] }]);
    assert.deepEqual(changes('add', ['u1']), [{ what: 'add', ids: ['u1'] }]);
  });

  test('joins changes of members of one kind, since each is a statement of the database', () => {
    const remove = ['u1', 'u2', 'u3'].map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }));
    const set = { op: 'replace', path: 'members', value: ['u4'] };
    const { members } = applyPatch('Group', {}, { Operations: [...remove, set, set, ...remove.slice(2)] });
    assert.deepEqual(
      members.map(({ what, ids }) => [what, ...ids]),
      [
        ['remove', 'u1', 'u2', 'u3'],
        ['set', 'u4'],
        ['set', 'u4'],
        ['remove', 'u3'],
      ],
    );
  });

  test('is refused with its limit where it is larger than anybody needs', () => {
    const emails = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `p${at}@example.com` }));
    const add = (count: number) => emails(count).map((value) => ({ op: 'add', path: 'emails', value }));
    for (const [operations, limit] of [
      [add(501), /^The PATCH has more than 500 operations\.$/],
      [
        [{ op: 'add', value: Object.fromEntries(emails(501).map((_, at) => [`emails[type eq "${at}"].value`, 'x'])) }],
        /500 op/,
      ],
      [
        add(100).map(({ op }) => ({ op, path: `emails[${'type pr or '.repeat(12)}type pr].value`, value: 'x' })),
        /10000 char/,
      ],
      [add(201), /^emails has more than 200 values\.$/],
      [[{ op: 'add', path: 'emails', value: emails(201) }], /^emails has more than 200 values\.$/],
      [
        [{ op: 'add', path: 'emails', value: emails(9).map(({ value }) => ({ value, display: 'x'.repeat(32_000) })) }],
        /^emails has more than 262144 char/,
      ],
      [[{ op: 'replace', path: 'displayName', value: 'x'.repeat(32_769) }], /^displayName has more than 32768 char/],
    ] as const) {
      assert.throws(
        () => applyPatch('User', {}, { Operations: operations }),
        (error) => error instanceof ScimError && error.status === 413 && limit.test(error.message),
      );
    }
    assert.throws(() => memberIds(['x'.repeat(501)]), /The id of a member has more than 500 characters/);
    assert.equal((patched('emails', emails(200))['emails'] as object[]).length, 200);
  });
});
