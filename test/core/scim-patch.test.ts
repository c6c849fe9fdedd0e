import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ScimError } from '../../src/core/scim/error.ts';
import { applyPatch } from '../../src/core/scim/patch.ts';

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

  test('come in 5,000 operations at most', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ op: 'replace', path: 'title', value: 'x' }));
    assert.deepEqual(applyPatch('User', {}, { Operations: many(5000) }).resource, { title: 'x' });
    assert.throws(
      () => applyPatch('User', {}, { Operations: many(5001) }),
      (error) => error instanceof ScimError && error.status === 413,
    );
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
    assert.throws(() => members(op, path), ScimError, `${op} ${path}`);
});
