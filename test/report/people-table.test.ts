import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peopleTable } from '../../src/page/people-table.ts';

test('the table of people says the first day of who starts later as a day', () => {
  const now = { firstname: 'Ann', lastname: 'Ek', email: 'ann@example.com', groups: ['Sales'], forceSync: false };
  const place = { key: 'ann@example.com', file: 'staff.csv', line: 2, isHeld: false, resend: false, leftBehind: false };
  const ending = { outcome: null, reason: '', endedAt: null, answer: null };
  const person = { now, before: null, action: 'later', startsOn: 20_270_101, ...place, ...ending } as const;
  const shown = String(peopleTable({ people: [person], invites: true }));
  assert.match(shown, /from 1 Jan 2027</);
});
