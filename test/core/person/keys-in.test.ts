import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysIn } from '../../../src/core/person/spellings.ts';

test('the keys of people are found in JSON, a form, a URL and a sentence, each once', () => {
  assert.deepEqual(keysIn('{"mail":"Ann.Ek@Example.com","more":["ann.ek@example.com"],"x":"bob\\u0040example.com"}'), [
    'ann.ek@example.com',
    'bob@example.com',
  ]);
  assert.deepEqual(keysIn('name=Ann&mail=ann%40example.com'), ['ann@example.com']);
  assert.deepEqual(keysIn('https://hr.example.com/people?mail=ann@example.com'), ['ann@example.com']);
  assert.deepEqual(keysIn('Write to Ann <ann@example.com> or mailto:bob@example.com.'), [
    'ann@example.com',
    'bob@example.com',
  ]);
  assert.deepEqual(keysIn('{"mail":"J\\u00FCrgen@example.com"}').at(-1), 'jürgen@example.com');
  assert.deepEqual(keysIn('name=Ann+Ek&mail=ann%2Bhr%40example.com&to=%C3%BC%40x.example&odd=%E0%A4%40x&end=%4'), [
    ...['ann+hr@example.com', 'ü@x.example', '\ufffd@x'],
  ]);
  assert.deepEqual(keysIn('nobody'), []);
});
