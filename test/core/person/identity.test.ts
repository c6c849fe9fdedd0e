import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { groupsLost, whatChanged, fingerprint, mergeRows, type PersonRow } from '../../../src/core/person/member.ts';
import { forgottenDigest, forgottenReject, forgottenTest } from '../../../src/core/person/forgotten.ts';
import { comparedCharacters, GivenPeople } from '../../../src/core/hashing/text-set.ts';
import fc from 'fast-check';
import { formerAddress, sayIdentityChange } from '../../../src/core/rows/row.ts';
import { movesOfPair, pairsOfRows, partMoves } from '../../../src/core/person/moves.ts';
import { maskAddress, maskAddresses } from '../../../src/core/person/mask.ts';

suite('who a person is', () => {
  test('somebody who was erased is known by a keyed hash, and their row keeps nothing of them', () => {
    const digest = forgottenDigest('key', 'ann@example.com');
    assert.equal(digest, createHmac('sha256', 'key').update('ann@example.com').digest('hex'));
    const isForgotten = forgottenTest('key', [digest]);
    assert.deepEqual(['ann@example.com', 'bo@example.com'].map(isForgotten), [true, false]);
    assert.equal(forgottenTest('other', [digest])('ann@example.com'), false);
    assert.equal(forgottenTest('key', [])('ann@example.com'), false);
    const row = { file: 'staff.csv', line: 7, cells: ['Ann', 'ann@example.com'] };
    const { reason, ...reject } = forgottenReject(row, 'Email');
    const erased = { file: 'staff.csv', line: 7, column: 'Email', value: '', cells: ['', ''], kind: 'forgotten' };
    assert.deepEqual(reject, erased);
    assert.match(reason, /was erased/);
  });

  test('who was given exactly this is known by 16 characters of the fingerprint, and by the employee id', () => {
    const [one, other] = ['0123456789abcdef', '0123456789abcdeX'];
    const given = new GivenPeople();
    given.add('');
    assert.equal(given.has({ fingerprint: '' }), false, 'nobody was added');
    given.add(`${one}\n${other}e7`);
    assert.equal(comparedCharacters, 16);
    assert.equal(given.has({ fingerprint: `${one}ffff` }), true);
    assert.equal(given.has({ fingerprint: one, employeeId: 'e7' }), false);
    assert.equal(given.has({ fingerprint: `${other}ffff`, employeeId: 'e7' }), true);
    assert.equal(given.has({ fingerprint: other }), false);
  });

  test('a changed address or employee id is said with what somebody has to decide', () => {
    const moved = { kind: 'moved', employeeId: '7', email: "o'neil@example.com", oldEmail: 'a+b@example.com' } as const;
    assert.equal(
      sayIdentityChange(moved),
      'employee 7 was a+b@example.com until now: waits until somebody says whether the account was renamed at the service as well',
    );
    const renamed = { kind: 'renamed', email: 'ann@example.com', newEmail: 'ann.ek@example.com' } as const;
    assert.match(
      sayIdentityChange(renamed),
      /^this address was renamed at the service, to ann\.ek@example\.com: waits/,
    );
    assert.equal(formerAddress(sayIdentityChange(renamed)), 'ann.ek@example.com');
    const recycled = { kind: 'recycled', employeeId: '8', oldEmployeeId: '7', email: 'å@example.com' } as const;
    assert.match(
      sayIdentityChange(recycled),
      /^this address was employee 7's and is employee 8's now: waits until somebody says whether they are two people/,
    );
  });

  test('the former address is found in what was said about a move, whatever the employee id is', () => {
    const id = fc.oneof(fc.string(), fc.constant('7 was eve@x.example until now: waits for `x`'));
    const local = fc.stringMatching(/^[a-z.'`+%-]{1,12}$/);
    fc.assert(
      fc.property(id, local, local, (employeeId, old, now) => {
        const [oldEmail, email] = [`${old}@Old.example`, `${now}@new.example`];
        const said = sayIdentityChange({ kind: 'moved', employeeId, email, oldEmail });
        assert.equal(formerAddress(said), `${old}@Old.example`);
      }),
    );
    assert.equal(formerAddress('e-mail is empty'), '');
  });

  test('moves that fit come to the same in any order, and each that does not says why', () => {
    const address = fc.constantFrom(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.example`), 'nobody');
    const moves = fc.array(fc.record({ oldKey: address, newKey: address }), { maxLength: 6 });
    fc.assert(
      fc.property(moves, (moves) => {
        const { fit, unfit } = partMoves(moves);
        const distinct = new Set(moves.map(({ oldKey, newKey }) => `${oldKey} ${newKey}`));
        assert.equal(fit.length + unfit.length, distinct.size);
        const outcome = (order: typeof fit): string[] => {
          const owners = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}@x.example`, name]));
          for (const { oldKey, newKey } of order) {
            const owner = owners.get(oldKey);
            owners.delete(oldKey);
            if (owner !== undefined) owners.set(newKey, `${owner}>${newKey}`);
          }
          return [...owners.values()].toSorted();
        };
        assert.deepEqual(outcome(fit), outcome(fit.toReversed()));
        const reasons = ({ oldKey, newKey }: (typeof fit)[number]) => {
          const others = moves.filter((other) => other.oldKey !== oldKey || other.newKey !== newKey);
          return {
            twice: others.some((other) => other.oldKey === oldKey || other.newKey === newKey),
            chain: oldKey !== newKey && others.some((other) => other.oldKey === newKey || other.newKey === oldKey),
            'no-address': newKey === 'nobody',
          };
        };
        for (const move of fit) assert.ok(!Object.values(reasons(move)).some(Boolean), `${move.oldKey} ${move.newKey}`);
        for (const move of unfit) {
          const why = move.why as 'twice' | 'chain' | 'no-address';
          assert.ok(reasons(move)[why], `${move.oldKey} ${move.newKey} ${why}`);
        }
      }),
    );
  });

  test('a rule moves everybody at a domain and nobody at one that ends like it; a file may begin with a header', async () => {
    const keys = ['ann@old.example', 'bo@old.example'];
    const asked: string[] = [];
    const keysAt = async (domain: string): Promise<string[]> => {
      asked.push(domain);
      return keys;
    };
    assert.deepEqual(await movesOfPair({ old: ' @OLD.example', new: '@New.example ' }, keysAt), [
      { oldKey: 'ann@old.example', newKey: 'ann@new.example', byRule: true },
      { oldKey: 'bo@old.example', newKey: 'bo@new.example', byRule: true },
    ]);
    assert.deepEqual(asked, ['@old.example']);
    // A domain that stays makes nobody a different person, and half a rule is none.
    for (const [old, now, why] of [
      ['@a.example', '@a.example', 'no-address'],
      ['@a.example', 'ann@b.example', undefined],
      ['ann@a.example', '@b.example', 'no-address'],
    ] as const) {
      const moves = await movesOfPair({ old, new: now }, keysAt);
      assert.deepEqual(moves, [{ oldKey: old, newKey: now }]);
      assert.equal(partMoves(moves).unfit[0]?.why, why);
    }
    assert.equal(asked.length, 1);
    const row = ['a@x.example', 'b@x.example'];
    assert.deepEqual(pairsOfRows([['Old', 'New'], row]), pairsOfRows([row]));
    assert.deepEqual(pairsOfRows([row, ['typing error']]), [
      { old: row[0], new: row[1] },
      { old: 'typing error', new: '' },
    ]);
  });

  test('the fingerprint stays what it was, or everybody would count as changed after an update', () => {
    const ann = { firstname: 'Ann', lastname: 'Lee', email: 'ann@example.com', groups: ['B', 'A'] };
    assert.equal(fingerprint(ann, false), fingerprint({ ...ann, groups: ['A', 'B'] }, false));
    assert.equal(fingerprint({ ...ann, groups: ['A', 'A'] }, false), fingerprint({ ...ann, groups: ['A'] }, false));
    assert.equal(
      fingerprint({ ...ann, groups: ['A', 'C', 'B'] }, true),
      fingerprint({ ...ann, groups: ['A', 'B', 'C'] }, true),
    );
    assert.equal(fingerprint({ ...ann, telephone: '+45 1' }, true), '56a67cd400976eb6122bec139f9fc163');
  });

  test('groups that are lost are taken away with forceSync, and kept at the service without it', () => {
    assert.deepEqual(groupsLost(['A', 'B'], { forceSync: true }), ['- A', '- B']);
    assert.deepEqual(groupsLost(['A', 'B'], { forceSync: false }), ['keeps A, B at the service']);
    assert.deepEqual([groupsLost([], { forceSync: true }), groupsLost([], { forceSync: false })], [[], []]);
    const before = { firstname: 'A', lastname: 'B', email: 'a@x', groups: ['A'], forceSync: true };
    assert.deepEqual(whatChanged({ before, now: { ...before, telephone: '1', forceSync: false } }), [
      ...['telephone was not given', 'forceSync off'],
    ]);
  });

  test('ten lines of rows that share an address are named, or all where there are no more', () => {
    const rows = (count: number): PersonRow[] =>
      Array.from({ length: count }, (_, at) => {
        const member = { firstname: `P${at}`, lastname: 'X', email: 's@example.com', groups: ['A'] };
        return { file: 'a.csv', line: at + 2, member };
      });
    const reasonOf = (count: number): string => {
      const rejects = mergeRows(rows(count));
      assert.ok(Array.isArray(rejects));
      assert.equal(rejects[0]?.column, '');
      return rejects[0]?.reason ?? '';
    };
    assert.match(reasonOf(3), /^3 people share this address: lines 2, 3 and 4$/);
    assert.match(reasonOf(10), /: lines 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11$/);
    assert.match(reasonOf(11), /: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1 more$/);
    assert.deepEqual(mergeRows([]), []);
    const named = (...names: string[]): boolean =>
      !Array.isArray(
        mergeRows(
          names.map((name, at) => {
            const [firstname = '', lastname = ''] = name.split('|');
            return { file: 'a.csv', line: at, member: { firstname, lastname, email: 's@x', groups: ['A'] } };
          }),
        ),
      );
    assert.ok(named('Ana  Maria|Ek', ' ana\u00a0maria|EK '));
    assert.ok(!named('Ana|Maria Ek', 'Ana Maria|Ek'), 'the first name of one is not the last name of another');
  });
});

suite('masked addresses', () => {
  test('an address keeps its first letter and its domain; another text keeps nothing', () => {
    const masked = ['ann@example.com', 'a@b@example.com', '@example.com', 'ann', ''].map(maskAddress);
    assert.deepEqual(masked, ['a***@example.com', 'a***@example.com', '***', '***', '***']);
  });

  test('an address ends where a space, a quote, a bracket or the value of a query ends, and nowhere else', () => {
    const stops = [' ', '\t', '\n', '\v', '\f', '\r', '"', '<', '>', '(', ')', ',', ';', ':', '\\'];
    const spaces = ['\u00a0', '\u1680', '\u2000', '\u200a', '\u2028', '\u202f', '\u205f', '\u3000', '\ufeff'];
    for (const stop of [...stops, ...spaces])
      assert.equal(maskAddresses(`x${stop}ann@example.com`), `x${stop}a***@example.com`, JSON.stringify(stop));
    for (const inside of ['?', '&', '=', '/', '#', '.', '+', "'", '\u200b', '\u2070', '\u1fff', '\u3001', '\u{1f600}'])
      assert.equal(maskAddresses(`x${inside}ann@example.com`), 'x***@example.com', JSON.stringify(inside));
    for (const stop of ['?', '&', '=', '/', '#', ' '])
      assert.equal(maskAddresses(`x${stop}ann%40example.com`), `x${stop}a***%40example.com`, stop);
    for (const inside of ['.', '+', '-'])
      assert.equal(maskAddresses(`x${inside}ann%40example.com`), 'x***%40example.com');
  });

  test('what only looks like the sign of an address counts as one where a domain follows', () => {
    assert.equal(
      maskAddresses('ann\uff20example.com, bo\ufe6bexample.com'),
      'a***\uff20example.com, b***\ufe6bexample.com',
    );
    assert.equal(maskAddresses('ann@[127.0.0.1] 100%41 50%40'), 'a***@[127.0.0.1] 100%41 50%40');
    assert.equal(maskAddresses('@example.com ann@-x %40example.com'), '@example.com ann@-x %40example.com');
    assert.equal(maskAddresses('\u{1f600}x@\u{1d400}.example'), '\u{1f600}***@\u{1d400}.example');
    assert.equal(maskAddresses('a=b?c@example.com&d=e%40example.org'), 'a***@example.com&d=e***%40example.org');
  });
});
