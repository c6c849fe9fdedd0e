import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { defaultGuards, exceeds, type GuardName, isFarFrom } from '../../../src/core/guards/guard-settings.ts';
import { percentOf } from '../../../src/core/text/format.ts';
import { mostWithheld } from '../../../src/core/guards/guard-people.ts';
import { judge } from '../../../src/core/guards/guards.ts';
import type { Trip } from '../../../src/core/guards/trip.ts';
import { type RosterCensus, type Usual, usualOf } from '../../../src/core/guards/usual.ts';
import { census, counts, facts, groups, guardsOf, tripOf, usual } from './guard-night.ts';

describe('guards', () => {
  it('have the defaults of the documentation', () => {
    assert.deepEqual(defaultGuards, {
      departed: { percent: 10, count: 10 },
      changed: { percent: 50, count: 50 },
      new: { percent: 50, count: 50 },
      invites: { percent: 10, count: 200 },
      removals: { percent: 20, count: 20, max: 200 },
      rejects: { percent: 20, count: 10 },
      newGroups: { count: 10 },
      group: { percent: 30, count: 20 },
      shrink: { percent: 20, count: 10 },
      fill: { points: 20, count: 10 },
      domains: { points: 20, count: 10 },
      wrongFile: { percent: 50, count: 10 },
    });
  });

  it('name the source that most of the people belong to', () => {
    const knownBy = [
      { source: 'contractors', people: 600 },
      { source: 'alumni', people: 900 },
      { source: 'interns', people: 700 },
    ];
    assert.match(tripOf('wrongFile', judge(facts({ knownBy }), defaultGuards)).message, /^90 % .* `alumni`/);
    // Of two that know as many, the same one is named every night.
    for (const tied of [
      ['zebra', 'alumni'],
      ['alumni', 'zebra'],
    ]) {
      const both = facts({ knownBy: tied.map((source) => ({ source, people: 900 })) });
      assert.match(tripOf('wrongFile', judge(both, defaultGuards)).message, /^90 % .* `alumni`/);
    }
  });

  it('let half as much pass after a person cancelled what they held, and nothing was sent since', () => {
    const trips = judge(facts({ of: { groups: { ...groups, Sales: 240 } } }), defaultGuards);
    assert.deepEqual(guardsOf(trips), ['group']);
    const after = (sales: number, cancelled: Trip[] = trips) =>
      judge(
        facts({ of: { groups: { ...groups, Sales: sales } }, cancelled: { id: 'r0', trips: cancelled, unsent: null } }),
        defaultGuards,
      );
    const { message } = tripOf('group', after(284));
    assert.match(
      message,
      /"Sales" has 284, usually 400 \(lost 29 %\).* Somebody cancelled run r0, which was held for the same reason/,
    );
    assert.deepEqual(after(341), [], 'a better one');
    assert.deepEqual(after(284, []), [], 'it was not held for that');
    assert.deepEqual(
      judge(facts({ of: { rows: 850, members: 850 }, cancelled: { id: 'r0', trips, unsent: null } }), defaultGuards),
      [],
    );
    const unknownGroups = Array.from({ length: 6 }, (_, at) => ({ group: `New ${at}`, people: 5 }));
    const stopped: Trip = { guard: 'newGroups', scope: 'all', message: 'too many' };
    const fewer = facts({ unknownGroups, cancelled: { id: 'r0', trips: [stopped], unsent: null } });
    assert.deepEqual(guardsOf(judge(fewer, defaultGuards)), ['newGroups'], 'of a number alone, half of it');
  });

  it('each have a night that they hold, and let it pass when they are off', () => {
    const unknownGroups = Array.from({ length: 11 }, (_, at) => ({ group: `New ${at}`, people: 5 }));
    // A guard that is added without a night here is an error of types; one that nothing judges fails.
    const nights: Record<keyof typeof defaultGuards, Parameters<typeof facts>[0]> = {
      departed: { counts: counts({ departed: 200 }) },
      changed: { counts: counts({ changed: 600 }) },
      new: { counts: counts({ new: 600 }) },
      invites: { possibleInvitations: 201 },
      removals: { removals: { people: 300, memberships: 500 } },
      rejects: { of: { rejects: 400, members: 610 } },
      newGroups: { unknownGroups },
      group: { of: { groups: { ...groups, Sales: 200, IT: 488 } } },
      shrink: { of: { rows: 800, members: 760 } },
      fill: { of: { filled: { ...census().filled, Department: 500 } } },
      domains: { of: { domains: { 'example.com': 200, 'example.org': 800 } } },
      wrongFile: { knownBy: [{ source: 'alumni', people: 900 }] },
    };
    for (const [guard, night] of Object.entries(nights) as [keyof typeof nights, (typeof nights)['new']][]) {
      assert.ok(guardsOf(judge(facts(night), defaultGuards)).includes(guard), guard);
      assert.ok(!guardsOf(judge(facts(night), { ...defaultGuards, [guard]: 'off' })).includes(guard), `${guard}: off`);
    }
  });

  it('let a usual night pass', () => {
    assert.deepEqual(judge(facts(), defaultGuards), []);
  });

  it('say that a file was cut off, and by how much', () => {
    const { scope, message } = tripOf(
      'shrink',
      judge(facts({ of: { rows: 520, members: 500, read: 520, isUnended: true } }), defaultGuards),
    );
    assert.equal(scope, 'all');
    assert.match(message, /^this looks like half a file: 520 rows, usually 1,050; it ends without a newline/);
    const whole = tripOf('shrink', judge(facts({ of: { rows: 800, members: 760 } }), defaultGuards));
    assert.match(whole.message, /^the roster shrank by 24 %: 800 rows, usually 1,050\./);
  });

  it('point at the status column where the rows are there and the people are not', () => {
    const { message } = tripOf('shrink', judge(facts({ of: { members: 40, filtered: 1000 } }), defaultGuards));
    assert.match(message, /1,050 rows as usual, but 40 people in them, usually 1,000\. 1,000 rows are left out/);
    assert.match(message, /usually 40: has its status column changed/);
  });

  it('name the group that has a new name, the line that keeps the old one, and what approving does', () => {
    const { Marketing: _, ...rest } = groups;
    const moved = facts({
      of: { groups: { ...rest, Brand: 300 } },
      moves: [{ from: 'Marketing', to: 'Brand', people: 293 }],
    });
    const { scope, message } = tripOf('group', judge(moved, defaultGuards));
    assert.deepEqual(scope, { groups: ['Marketing', 'Brand'] });
    assert.match(message, /^Marketing disappeared and Brand appeared with 94 % of its people: looks like a rename\./);
    assert.match(message, /\nrename: \{ "Brand": "Marketing" \}\nin the source keeps the old name/);
    assert.match(message, /approving puts 300 people into Brand and keeps everybody in Marketing who is there now/);
    const forced = judge({ ...moved, removals: { people: 293, memberships: 293 } }, defaultGuards);
    assert.match(tripOf('group', forced).message, /approving takes them out of Marketing/);
    // If as many went to one group as to another, the same one is named every night.
    const halves = ['Brand', 'Web'].map((to) => ({ from: 'Marketing', to, people: 156 }));
    for (const moves of [halves, halves.toReversed()]) {
      assert.match(tripOf('group', judge({ ...moved, moves }, defaultGuards)).message, /and Brand appeared with 50 %/);
    }
  });

  it('hold only the groups that lost or gained too much of themselves', () => {
    const trips = judge(facts({ of: { groups: { ...groups, Sales: 200, IT: 488 } } }), defaultGuards);
    const { scope, message } = tripOf('group', trips);
    assert.deepEqual(scope, { groups: ['IT', 'Sales'] });
    assert.match(message, /"IT" has 488, usually 288 \(gained 69 %\) and "Sales" has 200, usually 400 \(lost 50 %\)/);
    assert.equal(trips.length, 1);
  });

  it('count what earlier runs of events have done within the day, of what this one does too', () => {
    const few = { new: 1, changed: 0, departed: 0 };
    const earlier = { new: 60, changed: 0, departed: 0, possibleInvitations: 205, people: 0, memberships: 0 };
    const event = facts({
      isPartial: true,
      known: 100,
      of: { members: 1 },
      counts: counts(few),
      possibleInvitations: 1,
    });
    assert.deepEqual(judge(event, defaultGuards), []);
    const trips = judge({ ...event, earlier, maxInvitations: 100 }, defaultGuards);
    assert.deepEqual(guardsOf(trips), ['new', 'invites']);
    assert.match(
      tripOf('new', trips).message,
      /^61 people of 100 .* This counts the events of the last 24 hours too, and runs of some people over the API\.$/,
    );
    const changes = { ...earlier, new: 0, changed: 60, possibleInvitations: 0 };
    assert.deepEqual(judge({ ...event, earlier: changes }, defaultGuards), [], 'this one changes nobody');
    const alone = facts({ isPartial: true, known: 100, counts: counts({ ...few, new: 600 }), earlier });
    assert.doesNotMatch(tripOf('new', judge(alone, defaultGuards)).message, /24 hours/);
  });

  it('hold everything where another source would take out by forceSync who loses a group', () => {
    const { Marketing: _, ...rest } = groups;
    const moves = [{ from: 'Marketing', to: 'Brand', people: 293 }];
    for (const changed of [
      { of: { groups: { ...groups, Sales: 200 } } },
      { of: { groups: { ...rest, Brand: 300 } }, moves },
    ]) {
      const trips = judge(facts({ ...changed, isForcedElsewhere: true }), defaultGuards);
      const { scope, message, brief } = tripOf('group', trips);
      assert.equal(scope, 'all');
      for (const said of [message, brief])
        assert.match(said ?? '', /another source uses forceSync: its calls would take out/);
    }
  });

  it('hold everything where a group loses too many by rows for which nothing is sent', () => {
    const lost = { of: { groups: { ...groups, Sales: 200 } } };
    const scopeAt = (people: number) =>
      tripOf('group', judge(facts({ ...lost, lostSilently: [{ group: 'Sales', people }] }), defaultGuards)).scope;
    assert.deepEqual(scopeAt(120), { groups: ['Sales'] });
    assert.equal(scopeAt(121), 'all');
  });

  it('say once that the roster shrank, not of each group again', () => {
    const half = Object.fromEntries(Object.entries(groups).map(([name, people]) => [name, people / 2]));
    assert.deepEqual(guardsOf(judge(facts({ of: { rows: 525, members: 500, groups: half } }), defaultGuards)), [
      'shrink',
    ]);
  });

  it('know the roster of another source', () => {
    const knownBy = [
      { source: 'staff', people: 20 },
      { source: 'contractors', people: 970 },
    ];
    const { scope, message } = tripOf('wrongFile', judge(facts({ knownBy }), defaultGuards));
    assert.equal(scope, 'all');
    assert.match(message, /^97 % of these people belong to the source `contractors`, 2 % of this one \(`staff`\)/);
  });

  it('know a roster in which hardly anybody is known', () => {
    const nobody = facts({ knownBy: [{ source: 'staff', people: 3 }] });
    const { message } = tripOf('wrongFile', judge(nobody, defaultGuards));
    assert.match(message, /^3 of these 1,000 people \(less than 1 %\) are known from this source, of the usual 1,000/);
  });

  it('do not expect to know people whom nothing was ever sent: the runs before were not finished', () => {
    const few = facts({ known: 3, knownBy: [{ source: 'staff', people: 3 }] });
    assert.deepEqual(judge(few, defaultGuards), []);
    const others = facts({ known: 400, knownBy: [{ source: 'staff', people: 3 }] });
    assert.match(tripOf('wrongFile', judge(others, defaultGuards)).message, /of the usual 400/);
  });

  it('say which domain everybody has now, and not again that nobody is known', () => {
    const trips = judge(
      facts({ of: { domains: { 'new.example': 1000 } }, knownBy: [{ source: 'staff', people: 0 }] }),
      defaultGuards,
    );
    assert.deepEqual(guardsOf(trips), ['domains']);
    assert.match(trips[0]?.message ?? '', /new\.example has 100 % of them, usually 0 %; example\.com has 0 %/);
  });

  it('name the column that is empty now', () => {
    const { message } = tripOf(
      'fill',
      judge(facts({ of: { filled: { ...census().filled, Department: 500 } } }), defaultGuards),
    );
    assert.match(message, /^the column "Department" is filled in 48 % of the rows, usually 95 %/);
  });

  it('name the column that was read until now and is not any more', () => {
    const { Department: _, ...filled } = census().filled;
    const without = facts({ of: { filled } });
    assert.match(
      tripOf('fill', judge(without, defaultGuards)).message,
      /^the column "Department", which is usually filled in 95 % of the rows, is no longer read\. .* settings/,
    );
    assert.match(tripOf('fill', judge(without, defaultGuards)).brief ?? '', /^1 column is no longer read\./);
    const both = tripOf('fill', judge(facts({ of: { filled: { ...filled, Email: 500 } } }), defaultGuards));
    assert.match(both.message, /^the column "Email" is filled in 48 % .* The column "Department", which/);
    assert.deepEqual(judge(facts({ of: { filled: { ...filled, DEPARTMENT: 1000 } } }), defaultGuards), [], 'its case');
    const rare = facts({
      of: { filled },
      ...(usual && { usual: { ...usual, fill: { ...usual.fill, Department: 0.1 } } }),
    });
    assert.deepEqual(judge(rare, defaultGuards), [], 'as empty as the guard lets pass');
    assert.match(
      tripOf('fill', judge({ ...rare, lostTells: ['Left on'] }, defaultGuards)).message,
      /^the column "Left on", which said who has left or not started, is no longer read\./,
    );
    const told = usual && { ...usual, fill: { ...usual.fill, 'Left on': 0.02 }, tells: ['Left on'] };
    const silent = facts({ of: { filled: { ...census().filled, 'Left on': 0 } }, ...(told && { usual: told }) });
    assert.match(
      tripOf('fill', judge(silent, defaultGuards)).message,
      /^the column "Left on" is filled in 0 % of the rows, usually 2 %/,
      'however few it named',
    );
    const nobody = { ...silent.counts, new: 0, changed: 0, again: 0 };
    assert.deepEqual(judge({ ...silent, counts: nobody }, defaultGuards), []);
    const returners = { ...silent, counts: { ...nobody, changed: 1 } };
    assert.match(tripOf('fill', judge(returners, defaultGuards)).message, /"Left on" is filled in 0 %/);
    const few = told && { ...told, fill: { ...told.fill, 'Left on': 0.005 } };
    assert.deepEqual(judge({ ...silent, ...(few && { usual: few }) }, defaultGuards), [], 'one or two leavers');
    const ten = told && { ...told, fill: { ...told.fill, 'Left on': 0.01 } };
    const atLimit = { ...silent, census: { ...silent.census, read: 1000 }, ...(ten && { usual: ten }) };
    assert.match(tripOf('fill', judge(atLimit, defaultGuards)).message, /"Left on" is filled in 0 % .* usually 1 %/);
  });

  it('name the column that most rejects blame, beyond those there always are', () => {
    const many = facts({ of: { rejects: 400, members: 610 }, blamed: { column: 'Email', rejects: 390 } });
    const { message, next } = tripOf('rejects', judge(many, defaultGuards));
    assert.match(message, /^400 of 1,050 rows \(38 %\) cannot be used, usually 10; 390 of them for the column "Email"/);
    assert.deepEqual(next, [{ act: 'runs.rejects', run: 'r1' }]);
    const { runId: __, ...dry } = many;
    assert.deepEqual(tripOf('rejects', judge(dry, defaultGuards)).next, [{ act: 'runs.rejects' }]);
    const always: Usual | undefined = usual && {
      ...usual,
      rejects: 390,
      members: 610,
      most: { ...usual.most, members: 610 },
    };
    assert.deepEqual(
      judge(facts({ of: { rejects: 400, members: 610 }, ...(always && { usual: always }) }), defaultGuards),
      [],
    );
    const { usual: ___, ...first } = facts({ of: { rows: 50, members: 39, rejects: 11 } });
    assert.match(tripOf('rejects', judge(first, defaultGuards)).message, /^11 of 50 rows \(22 %\) cannot be used\./);
    const fewer = { ...first, census: census({ rows: 50, members: 40, rejects: 10 }) };
    assert.ok(!guardsOf(judge(fewer, defaultGuards)).includes('rejects'), 'as many as the guard lets pass');
  });

  it('hold only those who are new, changed or invited in too large a number', () => {
    assert.deepEqual(tripOf('changed', judge(facts({ counts: counts({ changed: 600 }) }), defaultGuards)).scope, {
      actions: ['changed'],
    });
    assert.deepEqual(tripOf('new', judge(facts({ counts: counts({ new: 600 }) }), defaultGuards)).scope, {
      actions: ['new'],
    });
    const invited = tripOf('invites', judge(facts({ possibleInvitations: 201 }), defaultGuards));
    assert.deepEqual(invited.scope, { actions: ['new'] });
    assert.match(invited.message, /up to 201 people \(20 % of 1,000\) would be invited by e-mail, usually 5/);
    const departed = facts({ counts: counts({ departed: 120 }) });
    const { scope, message } = tripOf('departed', judge(departed, defaultGuards));
    assert.match(message, /^120 people \(12 % of the usual 1,000\) are no longer in the roster/);
    assert.equal(scope, 'all', 'nothing is done about them: there is nothing else to stop');
    assert.deepEqual(tripOf('departed', judge({ ...departed, leavers: 100 }, defaultGuards)).scope, {
      actions: ['departed'],
    });
  });

  it('hold what forceSync would take away, by share or beyond the maximum', () => {
    const small: Usual | undefined = usual && { ...usual, groups: { Sales: 60 } };
    const few = facts({
      removals: { people: 15, memberships: 21 },
      of: { groups: { Sales: 60 } },
      ...(small && { usual: small }),
    });
    assert.match(
      tripOf('removals', judge(few, defaultGuards)).message,
      /21 memberships \(35 % of 60\) that roster-sync gave 15 people/,
    );
    const many = facts({ removals: { people: 201, memberships: 201 } });
    assert.deepEqual(tripOf('removals', judge(many, defaultGuards)).scope, { actions: ['changed', 'again'] });
    assert.deepEqual(judge(facts({ removals: { people: 200, memberships: 200 } }), defaultGuards), []);
  });

  it('hold everything where forceSync was switched on and nobody asked for it, with what cannot be counted', () => {
    const switched = { to: true, since: 'r0', isAskedFor: false };
    const removals = { people: 1, memberships: 2 };
    const { scope, message } = tripOf('removals', judge(facts({ switched, removals, calls: 40 }), defaultGuards));
    assert.equal(scope, 'all');
    assert.match(
      message,
      /was off in the last run of this source \(r0\).*at least 2 memberships that we gave.*by hand/,
    );
    assert.deepEqual(judge(facts({ switched: { ...switched, isAskedFor: true }, removals }), defaultGuards), []);
    assert.deepEqual(judge(facts({ switched: { ...switched, to: false } }), defaultGuards), []);
  });

  it('hold a first run that nobody watches, and compare nothing in a first run', () => {
    const first = facts({ isFirst: true, possibleInvitations: 1000, calls: 1000, counts: counts({ new: 1000 }) });
    const { usual: _, ...without } = first;
    const { scope, message } = tripOf('invites', judge(without, defaultGuards));
    assert.equal(scope, 'all');
    assert.match(message, /^this is the first run of staff, and it is unattended: 1,000 people/);
    assert.deepEqual(judge({ ...without, isUnattended: false }, defaultGuards), []);
    assert.deepEqual(judge({ ...without, calls: 0 }, defaultGuards), []);
    const rebuilt = tripOf('invites', judge(facts({ isRebuilt: true, calls: 40 }), defaultGuards));
    assert.match(rebuilt.message, /^this is the first run of staff since the ledger was rebuilt/);
  });

  const stopped = { id: 'r0', status: 'paused', isByPerson: false, isFirst: true, calls: 120, sent: 5 } as const;
  const many = facts({ of: { members: 120, known: 5 }, counts: counts({ new: 115, changed: 0, unchanged: 5 }) });
  const { usual: _, ...nothingUsual } = many;

  it('name the stopped run that explains new people, and the command that continues it', () => {
    const { known: __, ...first } = census({ rows: 120, members: 120, new: 120, read: 120 });
    const usual = usualOf([{ census: first, isApproved: false }]);
    const next = { ...nothingUsual, ...(usual && { usual }), unfinished: { ...stopped, waiting: 115 } };
    const off = { ...defaultGuards, shrink: 'off', group: 'off', fill: 'off', domains: 'off' } as const;
    assert.equal(
      tripOf('new', judge(next, off)).message,
      '115 people of 120 (96 %) are new. They wait in run r0, the first of this source, which was paused after 5 of 120 calls; ' +
        'approving this run sends them by its newer roster instead.',
    );
    assert.deepEqual(tripOf('new', judge(next, off)).next, [{ act: 'runs.resume', run: 'r0' }]);
    const some = {
      ...next,
      unfinished: { ...stopped, isFirst: false, status: 'halted', sent: 0, waiting: 80 },
    } as const;
    assert.match(
      tripOf('new', judge(some, off)).message,
      /new\. 80 of them wait in run r0, which was halted after 0 of/,
    );
    const none = { ...next, unfinished: { ...stopped, waiting: 0 } };
    assert.match(tripOf('new', judge(none, off)).message, /new\. Are they joiners/);
    const invited = judge({ ...next, possibleInvitations: 201 }, { ...off, new: 'off' });
    assert.match(tripOf('invites', invited).message, /sends them without an invitation\. They wait in run r0/);
    const both = judge({ ...next, possibleInvitations: 201 }, off);
    assert.doesNotMatch(tripOf('invites', both).message, /r0/, 'said once');
  });

  it('hold an unattended run while a person has paused one of its source, and say all of that once', () => {
    const unfinished = { ...stopped, isByPerson: true, waiting: 115 };
    const trips = judge({ ...many, unfinished }, { ...defaultGuards, shrink: 'off', group: 'off' });
    assert.deepEqual(
      trips.map(({ guard, scope }) => [guard, scope === 'all']),
      [
        ['paused', true],
        ['new', false],
      ],
    );
    assert.match(trips[0]?.message ?? '', /^run r0, the first of staff, was paused by a person after 5 of/);
    assert.deepEqual(
      trips[0]?.next,
      ['runs.resume', 'runs.cancel'].map((act) => ({ act, run: 'r0' })),
    );
    assert.match(trips[1]?.message ?? '', /They wait in run r0\.$/);
    assert.deepEqual(judge(facts({ unfinished, isUnattended: false }), defaultGuards), []);
  });

  it('hold a file that would replace an open run without having its people', () => {
    const dropped = { id: 'r0', status: 'halted', people: 3 } as const;
    const held = (of: Partial<Parameters<typeof facts>[0]>) => judge(facts({ dropped, ...of }), defaultGuards);
    const batches = usual && { ...usual, isOfBatches: true };
    for (const trips of [held({ isUnattended: false }), held(batches ? { usual: batches } : {})]) {
      const { scope, message, next } = tripOf('replaced', trips);
      assert.equal(scope, 'all');
      assert.match(
        message,
        /^3 people of run r0, which is halted, were not sent and are not in this roster\. It would/,
      );
      assert.deepEqual(next, [
        { act: 'runs.resume', run: 'r0' },
        { act: 'runs.cancel', run: 'r0' },
      ]);
    }
    // A better file is an answer to a hold, the next batch is none.
    const hold = { ...dropped, status: 'held' } as const;
    assert.deepEqual(held({ isUnattended: false, dropped: hold }), []);
    tripOf('replaced', held({ dropped: hold, ...(batches && { usual: batches }) }));
    // In a nightly roster of everybody some are always gone.
    assert.deepEqual(held({}), []);
    tripOf('replaced', held({ dropped: { ...dropped, people: 400 } }));
  });

  it('hold only those whom somebody left out, or everybody where they are too many to name', () => {
    const withheld = Array.from({ length: mostWithheld + 1 }, (_, at) => `person${at}@example.com`);
    const held = (people: string[]) => tripOf('withheld', judge(facts({ withheld: people }), defaultGuards)).scope;
    assert.deepEqual(held(withheld.slice(1)), { people: withheld.slice(1) });
    assert.equal(held(withheld), 'all');
  });

  it('do not judge what is missing in a roster of only some people', () => {
    const few = { rows: 1, members: 1, groups: { Sales: 1 }, domains: { 'example.org': 1 }, read: 1, filled: {} };
    const one = {
      isPartial: true,
      known: 1000,
      possibleInvitations: 1,
      counts: counts({ new: 1, changed: 0, departed: 900 }),
    };
    assert.deepEqual(judge(facts({ ...one, of: few }), defaultGuards), []);
    const said = tripOf('departed', judge(facts({ ...one, of: few, leavers: 900 }), defaultGuards));
    assert.deepEqual(said.scope, { actions: ['departed'] }, 'rows that say who has left are there to be judged');
  });

  it('hold groups that nobody was ever put into, and ask whether they are groups', () => {
    const unknownGroups = Array.from({ length: 600 }, (_, at) => ({ group: `Person ${at}`, people: 1 }));
    const { scope, message } = tripOf('newGroups', judge(facts({ unknownGroups }), defaultGuards));
    assert.equal(scope, 'all');
    assert.match(message, /^600 groups .* "Person 0" \(1\).*Is a column of names or numbers read as groups\?/);
    const some = tripOf('newGroups', judge(facts({ unknownGroups: unknownGroups.slice(0, 11) }), defaultGuards));
    assert.deepEqual(some.scope, { groups: unknownGroups.slice(0, 11).map(({ group }) => group) });
    assert.deepEqual(judge(facts({ unknownGroups: unknownGroups.slice(0, 10) }), defaultGuards), []);
    const half = facts({ unknownGroups: unknownGroups.slice(0, 500) });
    assert.match(tripOf('newGroups', judge(half, defaultGuards)).message, /Are they intended/);
    assert.notEqual(tripOf('newGroups', judge(half, defaultGuards)).scope, 'all', '500 are named');
    const alike = [{ group: 'Saless', people: 1, like: ['Sales'] }, ...unknownGroups.slice(0, 2)];
    assert.deepEqual(
      judge(facts({ unknownGroups: alike, isUnattended: false }), defaultGuards),
      [],
      'somebody watches',
    );
    const night = judge(facts({ unknownGroups: alike, isUnattended: true }), defaultGuards);
    assert.deepEqual(tripOf('newGroups', night).scope, { groups: ['Saless'] });
    assert.match(tripOf('newGroups', night).message, /"Saless" like "Sales"\. The service creates/);
    const several = [{ group: 'Sales, IT', people: 1, like: ['Sales', 'IT'] }];
    const joint = judge(facts({ unknownGroups: several, isUnattended: true }), defaultGuards);
    assert.match(
      tripOf('newGroups', joint).message,
      /"Sales, IT" like "Sales" and "IT"\..*or several groups, to `split`\?/,
    );
    const more = facts({ unknownGroups: unknownGroups.slice(0, 501) });
    assert.match(tripOf('newGroups', judge(more, defaultGuards)).message, /Is a column of names/);
  });

  it('say 0 % only of nothing and 100 % only of all', () => {
    const said = [
      [0, 100],
      [9, 1000],
      [10, 1000],
      [990, 1000],
      [991, 1000],
      [1000, 1000],
    ] as const;
    assert.deepEqual(
      said.map(([part, whole]) => percentOf(part, whole)),
      ['0 %', 'less than 1 %', '1 %', '99 %', 'more than 99 %', '100 %'],
    );
  });

  it('escape what came from a roster', () => {
    const evil = '\u202eevil\u001b[31m';
    const said = judge(
      facts({ unknownGroups: Array.from({ length: 11 }, (_, at) => ({ group: `${evil}${at}`, people: 1 })) }),
      defaultGuards,
    );
    assert.doesNotMatch(tripOf('newGroups', said).message, /\p{Cc}|\p{Cf}/u);
  });

  it('put those that hold everything first, and are silent when they are off', () => {
    const bad = facts({
      of: { rows: 500, members: 480, rejects: 300 },
      possibleInvitations: 400,
      counts: counts({ changed: 900, new: 900, departed: 800 }),
    });
    const scopes = judge(bad, defaultGuards).map(({ scope }) => scope === 'all');
    assert.deepEqual(
      scopes,
      scopes.toSorted((a, b) => Number(b) - Number(a)),
    );
    assert.ok(scopes.length >= 5);
    const off = Object.fromEntries(Object.keys(defaultGuards).map((name) => [name, 'off'])) as Record<GuardName, 'off'>;
    assert.deepEqual(judge(bad, off), []);
    const two = facts({ of: { members: 2 }, knownBy: [{ source: 'temps', people: 2 }] });
    const guards = { ...off, wrongFile: { percent: 0, count: 0 } };
    assert.match(tripOf('wrongFile', judge(two, guards)).message, /`temps`/, 'nobody of its own is known');
  });
});

describe('the usual', () => {
  it('is the median of the last few, and what was approved is the new usual', () => {
    const nights = [900, 1000, 100].map((rows) => ({ census: census({ rows }), isApproved: false }));
    assert.equal(usualOf(nights)?.rows, 900);
    assert.equal(usualOf([{ census: census({ rows: 500 }), isApproved: true }, ...nights])?.rows, 500);
    assert.equal(usualOf([]), undefined);
  });

  it('loses slowly too: rows, people and groups are compared with the most of the last days', () => {
    const most = { rows: 1300, members: 1300, groups: { ...groups, Sales: 600, IT: 300 } };
    const slow = usualOf([{ census: census(), isApproved: false }], most);
    const judged = (of: Partial<RosterCensus>) => judge(facts({ of, ...(slow && { usual: slow }) }), defaultGuards);
    const said = (of: Partial<RosterCensus>) => judged(of).map(({ message }) => message);
    assert.deepEqual(said({ rows: 1040, members: 1040 }), []);
    assert.deepEqual(said({ rows: 1030, members: 1040 }), [
      'the roster shrank by 21 %: 1,030 rows, in the last 14 days up to 1,300. Is the export complete?',
    ]);
    assert.match(said({ rows: 1050, members: 1030 })[0] ?? '', /in them, in the last 14 days up to 1,300\./);
    const kept = { rows: 1040, members: 1040 };
    assert.deepEqual(said({ ...kept, groups: { ...groups, IT: 220 } }), [], 'less than 30 %');
    assert.deepEqual(said({ ...kept, groups: { ...groups, Sales: 401 } }), [], 'it has lost nobody since the last one');
    assert.deepEqual(said({ ...kept, groups: { ...groups, Sales: 399 } }), [
      'groups changed far more than usual: "Sales" has 399, in the last 14 days up to 600 (lost 34 %). Is the column they come from still the same? Groups that shrink by design, such as new starters, are asked about once: after an approval only a loss since the last roster counts.',
    ]);
    const approved = slow && { ...slow, shrinking: ['Sales'] };
    const next = facts({ of: { ...kept, groups: { ...groups, Sales: 399 } }, ...(approved && { usual: approved }) });
    assert.deepEqual(judge(next, defaultGuards), [], 'it was asked before');
    assert.match(said({ ...kept, groups: { ...groups, Sales: 200 } })[0] ?? '', /usually 400 \(lost 50 %\)/);
  });

  it('is a share of one row or person too', () => {
    const one = { census: census({ members: 1, known: 1, read: 1, filled: { Email: 1 } }), isApproved: false };
    assert.deepEqual([usualOf([one, one])?.fill['Email'], usualOf([one, one])?.isOfBatches], [1, false]);
    const half = { census: census({ members: 2, known: 1 }), isApproved: false };
    assert.equal(usualOf([half, half])?.isOfBatches, false);
  });

  it('of a source that gives other people each time has no size', () => {
    const batch = { census: census({ rows: 40, members: 40, known: 0 }), isApproved: true };
    const batches = usualOf([batch, batch]);
    const other = facts({
      of: { rows: 12, members: 12, groups: { Sales: 12 }, domains: { 'a.example': 12 } },
      counts: counts({ new: 12 }),
      ...(batches && { usual: batches }),
    });
    assert.deepEqual(judge(other, defaultGuards), []);
    assert.ok(judge({ ...other, ...(usual && { usual }) }, defaultGuards).length > 0);
  });
});

describe('the arithmetic of guards', () => {
  const share = fc.record({ percent: fc.nat(100), count: fc.nat(1000) });

  it('more of it never un-trips', () => {
    fc.assert(
      fc.property(share, fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), (guard, part, more, whole) => {
        assert.ok(!exceeds(guard, part, whole) || exceeds(guard, part + more, whole));
      }),
    );
    fc.assert(
      fc.property(
        fc.record({ points: fc.nat(100), count: fc.nat(1000) }),
        fc.nat(100),
        fc.nat(100),
        fc.nat(1e6),
        (guard, apart, more, of) => {
          assert.ok(!isFarFrom(guard, apart / 100, of) || isFarFrom(guard, (apart + more) / 100, of));
        },
      ),
    );
  });

  it('a small roster trips no share', () => {
    fc.assert(
      fc.property(share, fc.nat(1000), fc.nat(1000), (guard, part, whole) => {
        if (part <= guard.count) assert.equal(exceeds(guard, part, whole), false);
      }),
    );
  });

  it('a larger change of a plan never has fewer guards against it', () => {
    const plan = fc.record({ new: fc.nat(3000), changed: fc.nat(3000), departed: fc.nat(3000), invited: fc.nat(3000) });
    fc.assert(
      fc.property(plan, plan, (one, more) => {
        const of = (each: typeof one) =>
          judge(
            facts({
              counts: counts({ new: each.new, changed: each.changed, departed: each.departed }),
              possibleInvitations: each.invited,
            }),
            defaultGuards,
          );
        const larger = {
          ...{ new: one.new + more.new, changed: one.changed + more.changed },
          ...{ departed: one.departed + more.departed, invited: one.invited + more.invited },
        };
        const tripped = guardsOf(of(larger));
        for (const guard of guardsOf(of(one))) assert.ok(tripped.includes(guard), guard);
      }),
    );
  });

  it('a shorter roster never looks better', () => {
    fc.assert(
      fc.property(fc.nat(1050), fc.nat(1050), (rows, less) => {
        const of = (count: number) =>
          guardsOf(judge(facts({ of: { rows: count, members: Math.min(count, 1000) } }), defaultGuards));
        assert.ok(!of(rows).includes('shrink') || of(Math.max(0, rows - less)).includes('shrink'));
      }),
    );
  });
});
