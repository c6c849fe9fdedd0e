import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejectKind } from '../../src/core/rows/reject-kind.ts';

test('the reason of a reject is one of a few kinds, whatever its cell says', () => {
  const cases: [string, string][] = [
    ['e-mail is empty', 'empty'],
    ['e-mail is empty: "N/A" stands for no value', 'empty'],
    ['the cell holds a formula whose value was never stored: open the file in Excel', 'empty'],
    ['Department and Country are empty', 'empty'],
    ['"jane@" is not an e-mail address', 'not-an-address'],
    ['"is empty" is not an e-mail address', 'not-an-address'],
    ['two people share this address: line 3, line 4', 'shared-address'],
    ['3 people share this address: line 3, line 4', 'shared-address'],
    ['this person was erased and is not sent again; "roster-sync forget ADDRESS --undo" allows it', 'forgotten'],
    [
      'employee 7 was ann@example.com until now: waits for `roster-sync resolve a b --renamed-there`',
      'identity-change',
    ],
    ['"Ann" is one word: it cannot be split into first and last name', 'name'],
    ['"Ann, B, C" has more than one comma: it is not "Last, First"', 'name'],
    ['"32.1.2026" is not a day', 'day'],
    ['"maybe" is neither yes nor no', 'yes-or-no'],
    ['the cell has more than 10,000 characters: was a quote never closed?', 'damaged'],
    ['something that nobody has thought of', 'other'],
  ];
  for (const [reason, kind] of cases) assert.equal(rejectKind(reason), kind, reason);
});
