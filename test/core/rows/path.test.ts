import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../../src/core/errors.ts';
import { addPaths } from '../../../src/core/rows/flatten.ts';
import { cellAt, parsePath, pointerTo, valueAt, valuesAt, writeKey } from '../../../src/core/rows/path.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const person = {
  name: { givenName: 'Ann', familyName: 'Ek' },
  emails: [
    { type: 'home', value: 'ann@home.example' },
    { type: 'Work', value: 'ann@example.com', primary: true },
  ],
  tags: ['a', 'b', 'a'],
  departments: [{ name: 'Sales' }, { name: 'EU' }, { other: 1 }],
  active: true,
  nothing: null,
  'a.b': { '[c]': 1 },
  [enterprise]: { department: 'Tours' },
};

test('a JSON pointer leads where RFC 6901 says, and a place is written as one', () => {
  const document = { 'a/b': [{ '~1': 'x' }], '': 0 };
  assert.equal(valueAt(document, '/a~1b/0/~01'), 'x');
  assert.deepEqual([valueAt(document, ''), valueAt(document, '/'), valueAt(document, '/a')], [document, 0, undefined]);
  for (const place of ['/a~1b/0/~01', '"a/b"[0]."~1"']) assert.equal(pointerTo(place), '/a~1b/0/~01');
});

suite('a path', () => {
  const paths: [path: string, cell: string][] = [
    ['name.givenName', 'Ann'],
    ['emails[type=work].value', 'ann@example.com'],
    ['emails[type="home"].value', 'ann@home.example'],
    ['emails[primary=true].value', 'ann@example.com'],
    ['emails[1].value', 'ann@example.com'],
    ['emails[2].value', ''],
    ['emails.value', 'ann@home.example;ann@example.com'],
    ['tags', 'a;b'],
    ['tags[0]', 'a'],
    ['departments.name', 'Sales;EU'],
    ['active', 'true'],
    ['nothing', ''],
    ['name', '{"givenName":"Ann","familyName":"Ek"}'],
    ['"a.b"."[c]"', '1'],
    [`"${enterprise}".department`, 'Tours'],
    ['name.constructor', ''],
    ['__proto__.x', ''],
    ['active.x', ''],
  ];
  for (const [path, cell] of paths) {
    test(`${path} gives "${cell}"`, () => assert.equal(cellAt(person, parsePath(path)), cell));
  }

  test('beyond the end of a list leads nowhere', () => {
    assert.deepEqual([valuesAt(person, parsePath('tags[3]')), valuesAt(person, parsePath('name[0]'))], [[], []]);
  });

  test('that is none is refused with the place', () => {
    const filters = ['a[=c]', 'a[x"y"=c]', 'a[b=c"d"]', 'a["b"x=c]'];
    for (const text of [
      '',
      '.a',
      'a.',
      'a..b',
      'a[',
      'a[]',
      'a[b',
      'a[b]',
      'a"b"',
      'a[1]b',
      '"a',
      'a.[1]',
      'a]',
      ...filters,
    ]) {
      assert.throws(() => parsePath(text), InputError, text);
    }
    assert.throws(() => parsePath('a..b'), /"a\.\.b" is not a path \(character 3\)/);
  });

  test('reaches any key, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (keys) => {
        const record: unknown = keys.reduceRight<unknown>((value, key) => Object.fromEntries([[key, value]]), 'x');
        const path = parsePath(keys.map(writeKey).join('.'));
        assert.deepEqual(valuesAt(record, path), ['x']);
        assert.equal(cellAt(record as Record<string, unknown>, path), 'x');
      }),
    );
  });
});

suite('the paths of a record', () => {
  const pathsOf = (record: Record<string, unknown>, most = 100) => {
    const paths = new Set<string>();
    addPaths(record, paths, most);
    return [...paths];
  };

  test('are those of its values, arrays of objects told apart by their type', () => {
    assert.deepEqual(pathsOf(person), [
      ...['name.givenName', 'name.familyName', 'emails[type=home].value', 'emails[type=Work].value'],
      ...['emails[type=Work].primary', 'tags', 'departments.name', 'departments.other', 'active', 'nothing'],
      ...['"a.b"."[c]"', `"${enterprise}".department`],
    ]);
  });

  test('are as many as are wanted', () => assert.equal(pathsOf(person, 3).length, 3));

  test('lead to their values, in any record', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const { record } = fc.letrec<{ record: Record<string, unknown>; any: unknown }>((tie) => ({
      record: fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), tie('any'), { maxKeys: 4 }),
      any: fc.oneof({ maxDepth: 3 }, value, tie('record'), fc.array(tie('record'), { maxLength: 3 })),
    }));
    fc.assert(
      fc.property(record, (record) => {
        for (const path of pathsOf(record)) assert.ok(valuesAt(record, parsePath(path)).length >= 0, path);
      }),
    );
  });
});
