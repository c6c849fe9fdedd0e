import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NameForm } from '../../../src/core/mapping/mapping-rules.ts';
import { inSpokenOrder, splitName, withComma } from '../../../src/core/mapping/names.ts';

test('a last name of a directory is turned only where all behind its one comma belongs in front', () => {
  assert.equal(inSpokenOrder('Leeuwen, van der'), 'van der Leeuwen');
  for (const name of ['Leeuwen, Ann', 'Leeuwen, van, Jr.', 'Leeuwen']) assert.equal(inSpokenOrder(name), name);
});

suite('splitting whole names', () => {
  const names: [name: string, form: NameForm, firstname: string, lastname: string][] = [
    ['Caldwell, Jennifer', 'Last, First', 'Jennifer', 'Caldwell'],
    ['Caldwell,Jennifer A.', 'Last, First', 'Jennifer A.', 'Caldwell'],
    ['Caldwell, Jennifer A.', 'Last, First M', 'Jennifer', 'Caldwell'],
    ['de la Cruz, María J M', 'Last, First M', 'María', 'de la Cruz'],
    ['O, J', 'Last, First M', 'J', 'O'],
    ['Åse Lindqvist', 'First Last', 'Åse', 'Lindqvist'],
    ['Anna Maria  Ek', 'First Last', 'Anna Maria', 'Ek'],
    ['Anna M. Ek', 'First M Last', 'Anna', 'Ek'],
    ['Anna M. Ek', 'First Last', 'Anna M.', 'Ek'],
    ['Ludwig van Beethoven', 'First Last', 'Ludwig', 'van Beethoven'],
    ['Piet van der Berg', 'First M Last', 'Piet', 'van der Berg'],
    ['Van Morrison', 'First Last', 'Van', 'Morrison'],
    ["Jan op 't Hof", 'First Last', 'Jan', "op 't Hof"],
    ['John Smith Jr.', 'First Last', 'John', 'Smith Jr.'],
    ["Bob O'Shea III", 'First Last', 'Bob', "O'Shea III"],
    ['Amy de la Cruz Ph.D.', 'First M Last', 'Amy', 'de la Cruz Ph.D.'],
    ['JOSÉ CARLOS PEREIRA JÚNIOR', 'First Last', 'JOSÉ CARLOS', 'PEREIRA JÚNIOR'],
    ['Ana Neto', 'First Last', 'Ana', 'Neto'],
    ['Dr. Nagy Éva', 'Last First', 'Éva', 'Dr. Nagy'],
    ['山田 太郎', 'First Last', '山田', '太郎'],
    ['山田 太郎', 'Last First', '太郎', '山田'],
    ['Иванов Иван Иванович', 'Last First', 'Иван Иванович', 'Иванов'],
    ['van der Berg Jan Piet', 'Last First', 'Jan Piet', 'van der Berg'],
  ];
  for (const [name, form, firstname, lastname] of names) {
    test(`"${name}" as ${form} is ${firstname} + ${lastname}`, () => {
      assert.deepEqual(splitName(name, form), { firstname, lastname });
    });
  }

  test('a last name in capitals is told from a first name beside it, on either side, and nothing else is', () => {
    const apart = ['LE GOFF Yann', 'Yann LE GOFF', "Zoé d'ABO-ÉK", "Zoé D'ABO-ÉK", 'DUPONT Marie Anne', 'ИВАНОВ Иван'];
    assert.deepEqual(apart.map(withComma), [
      ...['LE GOFF, Yann', 'LE GOFF, Yann', "Zoé d'ABO-ÉK", "D'ABO-ÉK, Zoé", 'DUPONT, Marie Anne', 'ИВАНОВ, Иван'],
    ]);
    for (const name of ['ANN EK', 'JP Morgan', 'TJ Smith', 'Bob Lee III', 'Bob Lee MBA', 'Ann B. Ek', 'Jan van BERG'])
      assert.equal(withComma(name), name);
    for (const name of ['ANN Bo EK', 'Ann MARIE Ek', 'Madonna', 'MADONNA', '']) assert.equal(withComma(name), name);
  });

  const bad: [name: string, form: NameForm, reason: RegExp][] = [
    ['Madonna', 'First Last', /one word/],
    ['Madonna', 'Last First', /one word/],
    ['Ek, Ann', 'Last First', /has a comma/],
    ['Jennifer Caldwell', 'Last, First', /is not "Last, First"/],
    ['Caldwell, ', 'Last, First', /is not "Last, First"/],
    ['King, Martin Luther, Jr.', 'Last, First', /more than one comma/],
    ['Caldwell, Jennifer', 'First Last', /has a comma: is it "Last, First"\?/],
  ];
  for (const [name, form, reason] of bad) {
    test(`"${name}" cannot be split as ${form}`, () => {
      const split = splitName(name, form);
      assert.match('reason' in split ? split.reason : '', reason);
    });
  }
});
