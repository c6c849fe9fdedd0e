import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanCell, addressFault, isEmailAddress } from '../../../src/core/cells/read-cell.ts';

describe('an address that somebody may be invited by', () => {
  it('is one in letters of any script', () => {
    for (const address of ['jane.doe+hr@example.com', 'åse@exämple.dk', '用户@例子.中国', "o'neil@example.ie"]) {
      assert.equal(addressFault(address), undefined, address);
    }
  });

  it('has no sign by which a mail server sends it on to another one', () => {
    for (const address of ['x%evil.com@example.com', 'evil.com!x@example.com']) {
      assert.match(addressFault(address) ?? '', / has a % or ! before the @/, address);
      // Somebody who was sent before must still be found, and forgotten.
      assert.equal(isEmailAddress(address), true);
    }
  });

  it('has no characters that only look like others', () => {
    const likeness = [
      'jane＠evil.com@example.com',
      'jane﹫evil@example.com',
      'jane@ｅｘａｍｐｌｅ.com',
      'ｊane@example.com',
      'ﬁn@example.com',
    ];
    for (const address of likeness) assert.match(addressFault(address) ?? '', /only look like ordinary/, address);
  });

  it('has no half of a character', () => {
    for (const address of ['a\ud800b@example.com', 'ab@ex\udc00ample.com']) {
      assert.match(addressFault(address) ?? '', / is not an e-mail address$/);
      assert.equal(isEmailAddress(address), false);
    }
  });

  it('has no letters of two alphabets in one word, where one may only look like the other', () => {
    for (const address of ['m\u0430ria@example.com', 'ann@ex\u0430mple.com', 'ann.\u03bfberg@example.com']) {
      assert.match(addressFault(address) ?? '', / mixes Latin with Cyrillic or Greek letters: type it again$/);
    }
    for (const address of ['анна@пример.рф', 'анна.hr@example.com', 'ann-ек@example.com', 'jörg@bücher.example']) {
      assert.equal(addressFault(address), undefined, address);
    }
  });

  it('is no address with an empty part, a part of signs, a space or a top level of digits', () => {
    const labels = ['a', 'a-', '-a', '', 'a_b', 'é', '1', 'x'.repeat(64)];
    for (const before of ['ann', 'a..b', '.ann', 'ann.', '', 'a b', 'a,b']) {
      for (const label of labels) {
        for (const top of ['com', 'c', '1', '1a', 'c-', 'c_', '']) {
          const isGood = before === 'ann' && ['a', 'é', '1'].includes(label) && ['com', '1a'].includes(top);
          assert.equal(isEmailAddress(`${before}@${label}.${top}`), isGood, `${before}@${label}.${top}`);
        }
      }
    }
  });
});

describe('a cell', () => {
  it('stays as it is only where it has nothing to clean', () => {
    const unseen = /[\p{Cc}\u00ad]/gu;
    for (let unit = 1; unit < 0x300; unit += 1) {
      const cell = `a${String.fromCharCode(unit)}b`;
      const spaced = cell.replace(/[\t\n\v\f\r\u0085]/, ' ');
      assert.equal(cleanCell(cell), spaced.replace(unseen, '').normalize('NFC'), `U+${unit.toString(16)}`);
    }
    assert.equal(cleanCell(' \u00c5se '), '\u00c5se');
    assert.equal(cleanCell('\u00a0\u00c5se\u00a0'), '\u00c5se');
    assert.equal(cleanCell('A\u030ase'), '\u00c5se');
  });
});
