import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from '../../../src/core/text/format.ts';

test('what is put into a template is escaped, markup of our own is not, and nothing stays nothing', () => {
  const name = `<b>"O'Neill" & Co</b>\u202e`;
  const inner = html`<i title="${name}">${name}</i>`;
  const escaped = '&#60;b&#62;&#34;O&#39;Neill&#34; &#38; Co&#60;/b&#62;\\u202e';
  assert.equal(inner.toString(), `<i title="${escaped}">${escaped}</i>`);
  assert.equal(
    html`<p>${inner}${[1, ' ', inner]}${false}${null}${undefined}</p>`.toString(),
    `<p>${inner}1 ${inner}</p>`,
  );
});

test('no text can leave the place where it stands', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [, inside = ''] = /^<p title="(.*)">x<\/p>$/s.exec(html`<p title="${text}">x</p>`.toString()) ?? [];
      assert.doesNotMatch(inside, /[<>"']/);
    }),
  );
});
