import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlan } from '../../src/report/terminal/render-plan.ts';
import { noService } from '../../src/report/plan/plan-row.ts';
import { examplePlan, plain } from './examples.ts';

test('a plan says service and source, rows, columns, what would be sent and who, in the shape of the demo', () => {
  const lines = [
    'Source new-starters (examples/new-starters.csv) -> service SANDBOX',
    'Read   207 rows = 201 used + 6 rejected -> 200 people (1 on two rows)      UTF-8, comma',
    '       First Name>firstname  Last Name>lastname  Work Email>email  Mobile>telephone',
    'Plan   200 new, 0 changed, 0 unchanged; 31 groups; up to 200 invitations; forceSync off; about 4 s at 50/s',
    '       e.g. Åse Lindqvist <ase.lindqvist@example.com> -> New starters, Finance, Sweden',
    '            太郎 山田 <taro.yamada@example.com> +81 3 1234 5678 -> New starters, Sales, Japan',
    '       6 rows rejected: line 14 Work Email empty |',
    '                        lines 52, 53 Work Email "info@example.com": two people share this address |',
    '                        line 88 "jane@" is not an e-mail address | 2 more (--verbose)',
  ];
  assert.equal(renderPlan(examplePlan(), plain), lines.join('\n'));
});

test('a plan of one is said in the singular', () => {
  const text = renderPlan(
    examplePlan({
      roster: { rows: 1, members: 1, merged: 0, filtered: 0, rejects: 0 },
      plan: { new: 1, changed: 0, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 0 },
      calls: 1,
      possibleInvitations: 1,
      groups: [{ group: 'Sales', adds: 1 }],
    }),
    plain,
  );
  assert.match(text, /^Read {3}1 row = 1 used \+ 0 rejected -> 1 person {6}UTF-8/m);
  assert.match(text, /1 group; up to 1 invitation;/);
});

test('a plan with nothing to send says so, and neither groups nor invitations', () => {
  const plan = { new: 0, changed: 0, again: 0, unchanged: 200, later: 0, departed: 0, leftBehind: 0 };
  const text = renderPlan(examplePlan({ plan, calls: 0, groups: [], samples: [] }), plain);
  assert.match(text, /^Plan {3}0 new, 0 changed, 200 unchanged; nothing to send$/m);
  assert.doesNotMatch(text, /invitation/);
});

test('unusual counts are shown only if they occur: filtered, again, later, left behind, departed, all', () => {
  const text = renderPlan(
    examplePlan({
      roster: { rows: 1210, members: 1200, merged: 3, filtered: 7, rejects: 0 },
      plan: {
        new: 1,
        changed: 2,
        again: 3,
        unchanged: 1190,
        later: 4,
        departed: 1,
        leftBehind: 2,
        leftBehindGroups: 3,
      },
      calls: 1196,
      mergedLines: [[4, 5]],
      nobodyKnown: true,
      invite: false,
    }),
    plain,
  );
  assert.match(text, /^ {7}nobody is known here yet: everyone is new$/m);
  assert.match(
    text,
    /1,210 rows = 1,203 used \+ 7 filtered \+ 0 rejected -> 1,200 people \(3 further rows of the same people\)/,
  );
  assert.match(text, /1 new, 2 changed, 3 again, 1,190 unchanged, 4 later; 1,196 calls; 31 groups/);
  assert.match(text, /no invitations \(invite is off\)/);
  assert.match(text, /^ {7}2 people keep 3 groups that the roster no longer has \(roster-sync left-behind\)$/m);
  assert.match(text, /^ {7}1 person is no longer in the roster: no call is made for them$/m);
});

test('people on several rows are counted where all of them are known', () => {
  const roster = { rows: 10, members: 7, merged: 3, filtered: 0, rejects: 0 };
  assert.match(
    renderPlan(
      examplePlan({
        roster,
        mergedLines: [
          [1, 2],
          [3, 4, 5],
        ],
      }),
      plain,
    ),
    /\(2 on several rows\)/,
  );
  assert.match(
    renderPlan(
      examplePlan({
        roster,
        mergedLines: [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
      }),
      plain,
      { verbose: true },
    ),
    /\(3 on two rows\)[^]*lines 1, 2 are one person \| lines 3, 4 are one person/,
  );
});

test('forceSync that is on stands out and says what it may do', () => {
  const text = renderPlan(examplePlan({ forceSync: true }), { ...plain, color: true });
  assert.match(text, /forceSync ON/);
  assert.ok(text.includes('\u001b[31mforceSync is ON: the service may take these people out of groups'));
});

test('encoding and delimiter are said in words', () => {
  const form = { ...examplePlan().form, encoding: 'windows-1252', delimiter: ';' };
  assert.match(renderPlan(examplePlan({ form }), plain), /Windows-1252, semicolon$/m);
  const tabs = { ...form, encoding: 'utf-16le', delimiter: '\t' };
  assert.match(renderPlan(examplePlan({ form: tabs }), plain), /UTF-16 LE, tab$/m);
});

test('on a narrow terminal the plan breaks between items and loses none', () => {
  const wide = renderPlan(examplePlan(), plain);
  const narrow = renderPlan(examplePlan(), { ...plain, width: 60 });
  const words = (text: string) => text.split(/\s+/);
  assert.deepEqual(words(narrow), words(wide));
  assert.match(narrow, /^ {7}UTF-8, comma$/m);
});

test('the rejects can be left to the result, and every group can be asked for', () => {
  assert.doesNotMatch(renderPlan(examplePlan(), plain, { rejects: false }), /line 14/);
  assert.match(renderPlan(examplePlan(), plain, { verbose: true }), /^ {7}Group 30 {14}1$/m);
});

test('what may be taken away, what is set differently, what changed, and that it takes too long are said under the counts', () => {
  const ann = { firstname: 'Ann', lastname: 'Ek', email: 'ann@example.com', forceSync: false };
  const text = renderPlan(
    examplePlan({
      share: 0.4,
      deadlineMs: 60_000,
      estimatedMs: 3_600_000,
      removals: { atLeast: 3, people: 2, sentence: 'forceSync may take away at least 3 group memberships' },
      settingsChanged: [{ setting: 'forceSync', before: 'off', now: 'on' }],
      changes: { names: 0, addresses: 0, telephones: 1, groupsAdded: 2, groupsRemoved: 0, forceSync: 0 },
      changed: [{ before: { ...ann, groups: ['A'] }, now: { ...ann, groups: ['A', '\u202eB'] } }],
    }),
    { ...plain, width: 160 },
  );
  assert.match(text, /about 1 h at 50\/s, of which the service last sustained 40 %/);
  assert.match(text, /^ {7}! forceSync may take away at least 3 group memberships$/m);
  assert.match(text, /^ {7}! since its last run: forceSync off -> on$/m);
  assert.match(text, /! it cannot finish within its deadline of 1 min: it takes about 1 h/);
  assert.match(text, /^ {7}Changed: 2 with groups added, 1 with another telephone$/m);
  assert.match(text, /^ {7}changed Ann Ek <ann@example.com>: \+ \\u/m);
});

test('what guards hold of a plan is said with why, unless the result that follows says it', () => {
  const held = {
    calls: 12,
    reasons: [{ guard: 'newGroups' as const, scope: { groups: ['Odd'] }, message: 'Odd was never seen before' }],
  };
  const text = renderPlan(examplePlan({ held }), plain);
  assert.match(text, /^Held {3}12 of 200 calls are held until somebody approves them; the rest is sent$/m);
  assert.match(text, /^ {7}! newGroups: Odd was never seen before$/m);
  assert.doesNotMatch(renderPlan(examplePlan({ held }), plain, { held: false }), /Odd/);
});

test('a plan without a service says that nothing is compared, not that nobody is known', () => {
  const text = renderPlan(examplePlan({ service: noService, nobodyKnown: true }), plain);
  assert.match(text, /^ {7}everyone counts as new: without ROSTER_SYNC_BASE_URL nothing is compared/m);
  assert.doesNotMatch(text, /nobody is known/);
});
