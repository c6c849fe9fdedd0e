import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressFault, isEmailAddress } from '../../src/core/rows/email-address.ts';

describe('an address that somebody may be invited by', () => {
  it('is one in letters of any script', () => {
    for (const address of ['jane.doe+hr@example.com', 'åse@exämple.dk', '用户@例子.中国', "o'neil@example.ie"]) {
      assert.equal(addressFault(address), undefined, address);
    }
  });

  it('has no sign by which a mail server sends it on to another one', () => {
    for (const address of ['x%evil.com@example.com', 'evil.com!x@example.com']) {
      assert.match(addressFault(address) ?? '', /^has a % or ! before the @/, address);
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
      assert.equal(addressFault(address), 'is not an e-mail address');
      assert.equal(isEmailAddress(address), false);
    }
  });
});
