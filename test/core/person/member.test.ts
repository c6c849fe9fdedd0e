import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fingerprint, type Member, personKey } from '../../../src/core/person/member.ts';

const ann: Member = { firstname: 'Ann', lastname: 'Lee', email: 'ann@example.com', groups: ['A', 'B'] };

describe('the identity of a person', () => {
  it('is the address without regard to case, blanks around it, or how accents are composed', () => {
    for (const email of ['Ann@Example.COM', ' ann@example.com ', 'ANN@EXAMPLE.COM\t']) {
      assert.equal(personKey(email), 'ann@example.com');
    }
    assert.equal(personKey('rene\u0301@example.com'), personKey('REN\u00c9@example.com'));
  });

  it('is the same whether the domain is written in letters or as mail servers encode it', () => {
    assert.equal(personKey('ann@XN--bcher-kva.example'), personKey('ann@b\u00fccher.example'));
    assert.equal(personKey('ann@mail.xn--bcher-kva.example'), 'ann@mail.b\u00fccher.example');
    const long = `ann@xn--${'a'.repeat(400)}.example`;
    for (const odd of ['ann@xn--.example', 'xn--a@example.com', long]) assert.equal(personKey(odd), odd);
  });

  it('keeps different addresses apart: no dots or plus parts are taken out', () => {
    const keys = ['ann.lee@x.org', 'annlee@x.org', 'ann+1@x.org', 'ann@x.org'].map(personKey);
    assert.equal(new Set(keys).size, 4);
  });

  it('of an identity is that identity', () => {
    fc.assert(fc.property(fc.emailAddress(), (email) => assert.equal(personKey(personKey(email)), personKey(email))));
  });
});

describe('the fingerprint of what is given', () => {
  const original = fingerprint(ann, false);

  it('is 32 hexadecimal characters, and the same for the same', () => {
    assert.match(original, /^[\da-f]{32}$/);
    assert.equal(fingerprint({ ...ann }, false), original);
  });

  it('does not depend on the order of the groups, nor on one that is named twice', () => {
    assert.equal(fingerprint({ ...ann, groups: ['B', 'A', 'B'] }, false), original);
  });

  it('changes with names, address as written, telephone, groups and forceSync', () => {
    const changed = [
      fingerprint({ ...ann, firstname: 'Anne' }, false),
      fingerprint({ ...ann, lastname: 'Li' }, false),
      fingerprint({ ...ann, email: 'Ann@example.com' }, false),
      fingerprint({ ...ann, telephone: '1' }, false),
      fingerprint({ ...ann, telephone: '' }, false),
      fingerprint({ ...ann, groups: ['A'] }, false),
      fingerprint(ann, true),
    ];
    assert.equal(new Set([original, ...changed]).size, changed.length + 1);
  });

  it('cannot be made alike by moving text from one field to the next', () => {
    const text = fc.string({ maxLength: 4 });
    const member = fc.record({
      firstname: text,
      lastname: text,
      email: text,
      groups: fc.array(text, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(member, member, (one, other) => {
        const sameGroups =
          [...new Set(one.groups)].toSorted().join('\0') === [...new Set(other.groups)].toSorted().join('\0');
        const same =
          one.firstname === other.firstname &&
          one.lastname === other.lastname &&
          one.email === other.email &&
          sameGroups;
        assert.equal(fingerprint(one, false) === fingerprint(other, false), same);
      }),
    );
  });
});
