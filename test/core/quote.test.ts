import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutText, quote, withoutQuotes } from '../../src/core/text/quote.ts';

test('a text of others is cut at 80 characters, and never within one', () => {
  assert.equal(cutText('x'.repeat(80)), 'x'.repeat(80));
  assert.equal(cutText('x'.repeat(81)), `${'x'.repeat(80)}…`);
  assert.equal(cutText(`${'x'.repeat(79)}😀y`), `${'x'.repeat(79)}…`);
});

test('whatever is quoted can be taken out of a message again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const message = `there is no column ${quote(one)}, nor ${quote(other)}.`;
      assert.equal(withoutQuotes(message), 'there is no column "…", nor "…".');
    }),
  );
});

test('a quote that does not end hides the rest', () => {
  assert.equal(withoutQuotes('no column "Annabel'), 'no column "…"');
});
