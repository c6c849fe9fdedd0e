import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskAddresses } from '../../../src/core/person/mask.ts';

test('every address in a text keeps its first character and its domain', () => {
  const masked: Record<string, string> = {
    'to jane.doe@example.com, <bob@example.net>': 'to j***@example.com, <b***@example.net>',
    'line\njane@example.com': 'line\nj***@example.com',
    '?user=jane.doe%40example.com&x=tom%40example.com': '?user=j***%40example.com&x=t***%40example.com',
    'åse@exämple.dk 😀x@example.com': 'å***@exämple.dk 😀***@example.com',
    'jane＠example.com': 'j***＠example.com',
    'jane\u00a0doe@example.com\u2003bo@example.com': 'jane\u00a0d***@example.com\u2003b***@example.com',
    'a@b@example.com': 'a***@b***@example.com',
    'no @ address, user@, @channel, 50%40 ': 'no @ address, user@, @channel, 50%40 ',
  };
  for (const [text, expected] of Object.entries(masked)) assert.equal(maskAddresses(text), expected);
});
