import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftSentences, rejectedRows, removedSentence, rowsSentence } from '../../src/report/plan/plan-sentences.ts';
import { renderPlan } from '../../src/report/terminal/render-plan.ts';
import { renderResult } from '../../src/report/terminal/render-result.ts';
import { examplePlan, exampleReport, plain } from './examples.ts';

const counts = { new: 0, changed: 0, again: 0, unchanged: 9, later: 0, departed: 0, leftBehind: 0 };

test('people who left are always reported: how many, how many are new, and what happens to them', () => {
  const all = { departed: 2, left: 1203, sent: 1, waiting: 2 };
  assert.deepEqual(leftSentences({ ...counts, departed: 2 }, all, { seeKept: '', seeLeft: ' (see the list)' }), [
    '1,203 people have left and still have access, 2 of them since the last roster: this service offers no removal (see the list)',
    '1 of them is put into the group of leavers by this run',
    '2 of them wait for another roster without them',
  ]);
  assert.deepEqual(leftSentences(counts, { departed: 0, left: 1, sent: 0, waiting: 0 }), [
    '1 person has left and still has access: this service offers no removal',
  ]);
  assert.deepEqual(leftSentences(counts, { departed: 0, left: 2, sent: 2, waiting: 0 }), [
    '2 people have left and still have access: this service offers no removal',
    '2 of them are put into the group of leavers by this run',
  ]);
  assert.match(
    leftSentences(counts, { departed: 0, left: 2, sent: 2, waiting: 0, forceSync: true })[1] ?? '',
    /put into the group of leavers by this run, and may be taken out of other groups/,
  );
  assert.deepEqual(leftSentences(counts, { departed: 0, left: 0, sent: 0, waiting: 0 }), []);
  assert.deepEqual(leftSentences(counts, { departed: 1, left: 0, sent: 0, waiting: 0, elsewhere: 1 }), [
    '1 person missing here is in the roster of another source, and not put into the group of leavers',
  ]);
});

test('rows of erased people are counted separately from rows to correct', () => {
  const roster = { rows: 10, members: 8, merged: 0, filtered: 0, rejects: 2 };
  assert.equal(rowsSentence({ ...roster, erased: 1 }), '10 rows = 8 used + 2 rejected (1 erased) -> 8 people');
  assert.equal(rejectedRows(roster), '2 rows');
  assert.equal(rejectedRows({ ...roster, erased: 1 }), '2 rows, 1 of them of a person who was erased');
  assert.equal(rejectedRows({ ...roster, erased: 2 }), '2 rows of people who were erased');
  const report = exampleReport({ roster: { ...roster, erased: 2 }, rejectSamples: [], rejectsFile: 'r.csv' });
  const said = renderResult(report, plain).split('\n').slice(-2);
  assert.deepEqual(said, [
    'Rejects:  2 rows of people who were erased -> r.csv',
    'Next:     no rejects to correct; nothing else to do',
  ]);
});

test('a run whose data was partly removed says which part', () => {
  const kept = { answersRemovedAt: null, rosterRemovedAt: null, receiptsRemovedAt: null };
  const at = new Date();
  assert.equal(removedSentence(kept), undefined);
  assert.match(removedSentence({ ...kept, answersRemovedAt: at }) ?? '', /^The answers as received/);
  assert.match(
    removedSentence({ ...kept, answersRemovedAt: at, rosterRemovedAt: at }) ?? '',
    /^Its people and rejects/,
  );
  assert.match(removedSentence({ ...kept, receiptsRemovedAt: at }) ?? '', /^Its people, calls and answers/);
});

test('people who wait are reported', () => {
  assert.deepEqual(leftSentences({ ...counts, later: 3 }), [
    '3 people wait for their first day, or for room among the invitations: a later run sends them',
  ]);
});

test('a plan without invitations says what that means for newcomers', () => {
  const text = renderPlan(examplePlan({ invite: false }), plain).replaceAll(/\s+/g, ' ');
  assert.match(text, /invite is off: .* new people will get an account but no invitation/);
  assert.doesNotMatch(renderPlan(examplePlan({ invite: true }), plain), /invite is off/);
});

test('a repeat that may have invited somebody twice is told as such', () => {
  const report = { ...exampleReport(), repeated: 3 };
  assert.match(
    renderResult({ ...report, repeatedInvitations: 2 }, plain),
    /2 of them were new, and may have been invited twice/,
  );
  assert.doesNotMatch(renderResult(report, plain), /invited twice/);
});
