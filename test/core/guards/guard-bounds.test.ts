import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { defaultGuards, exceeds, isFarFrom } from '../../../src/core/guards/guard-settings.ts';
import { count, someOf } from '../../../src/core/text/format.ts';
import { judge } from '../../../src/core/guards/guards.ts';
import { heldReason, holdForMs, isSameHold, isSamePart, type Trip } from '../../../src/core/guards/trip.ts';
import { CensusTaker, usualOf } from '../../../src/core/guards/usual.ts';
import type { MappedRow } from '../../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';
import { census, counts, facts, groups, guardsOf, tripOf, usual } from './guard-night.ts';

type Facts = ReturnType<typeof facts>;

const messageOf = (guard: Parameters<typeof tripOf>[0], given: Facts): string =>
  tripOf(guard, judge(given, defaultGuards)).message;

/** What is usual, but for these. */
const usually = (changes: Partial<NonNullable<typeof usual>>): Pick<Facts, 'usual'> => {
  assert.ok(usual);
  return { usual: { ...usual, ...changes } };
};

suite('the bounds of guards', () => {
  test('a share and a count are both exceeded, or the guard does not trip', () => {
    const share = { percent: 20, count: 10 };
    assert.deepEqual(
      [[10, 20] as const, [11, 20] as const, [20, 100] as const, [21, 100] as const].map(([part, whole]) =>
        exceeds(share, part, whole),
      ),
      [false, true, false, true],
    );
    const points = { points: 25, count: 10 };
    assert.deepEqual(
      [[0.25, 1000] as const, [0.26, 1000] as const, [0.5, 20] as const, [0.5, 21] as const].map(([apart, of]) =>
        isFarFrom(points, apart, of),
      ),
      [false, true, false, true],
    );
    // As binary fractions, these are a little more than 2 rows and 30 points.
    assert.equal(isFarFrom({ points: 25, count: 2 }, 5 / 7 - 3 / 7, 7), false);
    assert.equal(isFarFrom({ points: 30, count: 2 }, 0.8 - 0.5, 100), false);
  });

  test('a column filled in the only row is as full as it was', () => {
    const guards = { ...defaultGuards, fill: { points: 20, count: 0 } };
    const trips = (cells: number): string[] => {
      const filled = { 'First Name': cells, Email: 1, Department: 1 };
      return guardsOf(judge(facts({ of: { read: 1, filled } }), guards));
    };
    assert.deepEqual(
      [1, 0].map((cells) => trips(cells).includes('fill')),
      [false, true],
    );
  });

  test('five hundred groups are named, the largest change first; of more, everything is held', () => {
    const scopeOf = (count: number) => {
      const before = Object.fromEntries(Array.from({ length: count }, (_, at) => [`g${at}`, 100]));
      return tripOf('group', judge(facts({ ...usually({ groups: before }), of: { groups: {} } }), defaultGuards)).scope;
    };
    const named = scopeOf(500);
    assert.ok(named !== 'all' && 'groups' in named && named.groups.length === 500);
    assert.equal(scopeOf(501), 'all');
    const change = facts({ ...usually({ groups: { A: 1000, B: 500 } }), of: { groups: { A: 600 } } });
    assert.deepEqual(tripOf('group', judge(change, defaultGuards)).scope, { groups: ['B', 'A'] });
  });

  // Of 1,000 people in 1,050 rows: what passes, and one more, which trips.
  const bounds: [guard: string, passes: Facts, trips: Facts][] = [
    ['departed', facts({ counts: counts({ departed: 100 }) }), facts({ counts: counts({ departed: 101 }) })],
    ['changed', facts({ counts: counts({ changed: 500 }) }), facts({ counts: counts({ changed: 501 }) })],
    ['new', facts({ counts: counts({ new: 500 }) }), facts({ counts: counts({ new: 501 }) })],
    ['invites', facts({ possibleInvitations: 200 }), facts({ possibleInvitations: 201 })],
    [
      'maxInvitations',
      facts({ possibleInvitations: 9, maxInvitations: 9 }),
      facts({ possibleInvitations: 10, maxInvitations: 9 }),
    ],
    ['withheld', facts({ withheld: [] }), facts({ withheld: ['ann@example.com'] })],
    [
      'removals',
      facts({ removals: { people: 1, memberships: 21 }, ...usually({ groups: { Sales: 105 } }), of: { groups: {} } }),
      facts({ removals: { people: 1, memberships: 22 }, ...usually({ groups: { Sales: 105 } }), of: { groups: {} } }),
    ],
    ['rejects', facts({ of: { rejects: 220 } }), facts({ of: { rejects: 221 } })],
    ['shrink', facts({ of: { rows: 840 } }), facts({ of: { rows: 839 } })],
    ['shrink', facts({ of: { members: 800 } }), facts({ of: { members: 799 } })],
    [
      'group',
      facts({ of: { groups: { ...groups, Sales: 280 } } }),
      facts({ of: { groups: { ...groups, Sales: 279 } } }),
    ],
    [
      'group',
      facts({ of: { groups: { ...groups, Sales: 520 } } }),
      facts({ of: { groups: { ...groups, Sales: 521 } } }),
    ],
    [
      'fill',
      facts({ of: { filled: { ...census().filled, 'First Name': 840 } } }),
      facts({ of: { filled: { ...census().filled, 'First Name': 839 } } }),
    ],
    [
      'domains',
      facts({ of: { domains: { 'example.com': 750, 'example.org': 250 } } }),
      facts({ of: { domains: { 'example.com': 749, 'example.org': 251 } } }),
    ],
    [
      'wrongFile',
      facts({ knownBy: [{ source: 'staff', people: 500 }] }),
      facts({ knownBy: [{ source: 'staff', people: 499 }] }),
    ],
    [
      'wrongFile',
      facts({ knownBy: ['staff', 'temps'].map((source, at) => ({ source, people: (at + 1) * 500 })) }),
      facts({ knownBy: ['staff', 'temps'].map((source, at) => ({ source, people: at === 0 ? 500 : 1001 })) }),
    ],
    [
      'wrongFile',
      facts({ knownBy: ['staff', 'temps'].map((source, at) => ({ source, people: at === 0 ? 249 : 500 })), known: 0 }),
      facts({ knownBy: ['staff', 'temps'].map((source, at) => ({ source, people: at === 0 ? 249 : 501 })), known: 0 }),
    ],
  ];
  for (const [place, [guard, passes, trips]] of bounds.entries())
    test(`${guard} trips only beyond its limits (${place + 1})`, () => {
      assert.ok(!guardsOf(judge(passes, defaultGuards)).includes(guard), 'at the limit');
      assert.ok(guardsOf(judge(trips, defaultGuards)).includes(guard), 'one more');
    });

  test('a comparison with nothing is none: in a first run, in a dry first run, and of only some people', () => {
    const { usual: _, ...first } = facts({ isFirst: true, isUnattended: false, possibleInvitations: 900 });
    const all = { ...first, counts: counts({ new: 900, changed: 900, departed: 900 }) };
    assert.deepEqual(judge(all, defaultGuards), []);
    const removals = { people: 200, memberships: 200 };
    assert.deepEqual(judge({ ...all, removals }, defaultGuards), []);
    assert.doesNotMatch(messageOf('removals', { ...all, removals: { people: 2, memberships: 201 } }), /%/);
    assert.match(messageOf('invites', { ...all, isUnattended: true, possibleInvitations: 0 }), /would be sent\. Once/);
    assert.match(messageOf('invites', { ...all, isUnattended: true, possibleInvitations: 1 }), /sent, up to 1 of them/);
    assert.deepEqual(judge({ ...all, isUnattended: true }, { ...defaultGuards, invites: 'off' }), []);
    const unknownGroups = Array.from({ length: 11 }, (_, at) => ({ group: `G${at}`, people: 1 }));
    assert.deepEqual(judge({ ...all, unknownGroups }, defaultGuards), []);
  });

  test('who left is a share of those who could leave, not of who waits for a first day or an invitation', () => {
    const some = facts({ counts: counts({ departed: 30, later: 900 }) });
    assert.match(messageOf('departed', some), /^30 people \(23 % of the usual 130\)/);
    assert.deepEqual(judge(facts({ counts: counts({ departed: 30 }) }), defaultGuards), []);
  });

  test('who left is a share of those who are known where nothing is usual yet', () => {
    const { usual: _, ...some } = facts({ counts: counts({ departed: 11 }) });
    assert.match(messageOf('departed', some), /^11 people \(100 % of the usual 0\)|^11 people/);
    assert.deepEqual(judge({ ...some, known: 110 }, defaultGuards), []);
    assert.match(messageOf('departed', { ...some, known: 109 }), /^11 people \(10 % of the usual 109\)/);
    assert.deepEqual(judge({ ...some, isPartial: true }, defaultGuards), []);
  });

  test('of a roster of only some people, a share is one of all that are known, or of the roster if that is larger', () => {
    const partial = { isPartial: true, of: { members: 100 }, counts: counts({ new: 60, changed: 0 }) };
    assert.match(messageOf('new', facts(partial)), /^60 people of 100 \(60 %\) are new, usually/);
    assert.deepEqual(judge(facts({ ...partial, known: 120 }), defaultGuards), []);
    assert.match(messageOf('new', facts({ ...partial, known: 119 })), /^60 people of 119 \(50 %\)/);
    assert.match(messageOf('new', facts({ ...partial, known: 7 })), /^60 people of 100/);
  });

  test('forceSync that was switched is held where something is sent, and says at least how much is lost', () => {
    const switched = { to: true, since: 'r0', isAskedFor: false };
    assert.match(messageOf('removals', facts({ switched })), /at least 0 memberships/);
    assert.deepEqual(judge(facts({ switched, calls: 0 }), defaultGuards), []);
    assert.deepEqual(judge(facts({ switched }), { ...defaultGuards, removals: 'off' }), []);
    const changed = counts({ changed: 501 });
    assert.match(messageOf('changed', facts({ switched, counts: changed })), /forceSync was switched on since/);
    const off = { ...switched, to: false };
    assert.match(messageOf('changed', facts({ switched: off, counts: changed })), /forceSync was switched off since/);
    assert.match(messageOf('changed', facts({ counts: changed })), /did a column move/);
  });

  test('columns that say who has left hold everything, and the words of the roster stay out of the brief', () => {
    const words = { word: 'Gone', rows: 3 };
    const signs = [{ kind: 'status', column: 'State', rows: 3, words: [words], unknown: [] }] as const;
    const trips = judge(
      facts({ signs: signs.map((sign) => ({ ...sign, words: [words], unknown: [] })) }),
      defaultGuards,
    );
    assert.deepEqual(
      trips.map(({ guard, scope }) => [guard, scope]),
      [['everybody', 'all']],
    );
    assert.match(trips[0]?.message ?? '', /^State says who is not there: Gone 3\. In the settings of a source, `only`/);
    assert.match(
      trips[0]?.brief ?? '',
      /^people who have left .*: 3 rows with a status that says so\. In the settings/,
    );
    assert.deepEqual(trips[0]?.next, [{ setting: 'onlyActive' }, { setting: 'everybody' }]);
    assert.deepEqual(judge(facts({ signs: [] }), defaultGuards), []);
  });
});

suite('the words of guards', () => {
  test('a file that shrank is half of one, a part of one, or smaller, and says so if its end is missing', () => {
    const said = (of: Parameters<typeof census>[0]): string =>
      messageOf('shrink', facts({ of: { members: 1, ...of } }));
    assert.match(
      said({ rows: 630 }),
      /^the roster shrank by 40 %: 630 rows, usually 1,050\. Is the export complete\?$/,
    );
    assert.match(said({ rows: 629 }), /^this looks like half a file: 629 rows/);
    assert.match(said({ rows: 421 }), /^this looks like half a file/);
    assert.match(said({ rows: 420 }), /^this looks like a part of a file/);
    assert.match(said({ rows: 800, isUnended: true }), /^this looks like half a file: .*cut off\. Is/);
    const always = facts({ of: { rows: 800, isUnended: true }, ...usually({ isUnended: true }) });
    assert.doesNotMatch(messageOf('shrink', always), /cut off/);
  });

  test('people who are missing from as many rows are explained by what grew more: rows left out, or rejects', () => {
    const said = (filtered: number, rejects: number): string =>
      messageOf('shrink', facts({ of: { members: 700, filtered, rejects } }));
    assert.match(said(241, 210), /241 rows are left out by the settings of the source, usually 40/);
    assert.match(
      messageOf('shrink', facts({ ...usually({ filtered: 0 }), of: { members: 700, filtered: 1, rejects: 10 } })),
      /but 700 people in them, usually 1,000\. 1 row is left out/,
    );
    assert.match(said(240, 210), /210 rows cannot be used, usually 10\.$/);
  });

  test('rejects are compared with as many as there usually are, in so many rows', () => {
    const always = usually({ rejects: 105, rows: 1050 });
    const of = { rows: 2000, members: 1400, filtered: 0 };
    assert.ok(!guardsOf(judge(facts({ of: { ...of, rejects: 600 }, ...always }), defaultGuards)).includes('rejects'));
    assert.ok(guardsOf(judge(facts({ of: { ...of, rejects: 601 }, ...always }), defaultGuards)).includes('rejects'));
    const row = facts({ of: { rejects: 300 }, blamed: { column: '', rejects: 299 } });
    assert.match(messageOf('rejects', row), /; 299 of them for the row as a whole: is it still the right one\?$/);
    assert.match(messageOf('rejects', facts({ of: { rejects: 300 } })), /usually 10\.$/);
    const { brief } = tripOf('rejects', judge(row, defaultGuards));
    assert.equal(brief, '300 of 1,050 rows (29 %) cannot be used, usually 10.');
  });

  test('the three domains that changed most are named, the largest change first', () => {
    const domains = { 'a.example': 100, 'b.example': 300, 'c.example': 200, 'example.com': 400 };
    assert.match(
      messageOf('domains', facts({ of: { domains } })),
      /domains: example\.com has 40 % of them, usually 95 %; b\.example has 30 % of them, usually 0 %; c\.example has 20 % of them, usually 0 %\. If/,
    );
  });

  test('groups that changed are named by the size of the change, then by name, and briefly without names', () => {
    const [sales, marketing] = [facts({ of: { groups: { ...groups, Sales: 200, Marketing: 112 } } }), 'Marketing'];
    const { message, brief, scope } = tripOf('group', judge(sales, defaultGuards));
    assert.deepEqual(scope, { groups: [marketing, 'Sales'] });
    assert.match(
      message,
      /^groups changed far more than usual: "Marketing" has 112.*\(lost 64 %\) and "Sales" has 200/,
    );
    assert.equal(
      brief,
      '2 groups changed far more than usual, the largest change from 312 to 112 people. Is the column they come from still the same?',
    );
    const shrunk = facts({
      of: { groups: { 'All staff': 1000, Sales: 400, IT: 288, Marketing: 100, Brand: 212 } },
      moves: [{ from: 'Marketing', to: 'Brand', people: 200 }],
    });
    const rename = tripOf('group', judge(shrunk, defaultGuards));
    assert.match(rename.message, /^Marketing shrank from 312 to 100 and Brand appeared with 64 %/);
    assert.equal(
      rename.brief,
      'a group of 312 people shrank and another appeared with 64 % of them: it looks like a rename.',
    );
    const few = { ...shrunk, moves: [{ from: 'Marketing', to: 'Brand', people: 155 }] };
    assert.match(messageOf('group', few), /^groups changed far more/);
  });

  test('ten renamed groups have a reason each, and the others share one', () => {
    const named = (sign: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${sign}${String(at).padStart(2, '0')}`, 90]));
    const renamed = (count: number): Trip[] => {
      const moves = Array.from({ length: count }, (_, at) => String(at).padStart(2, '0'));
      const given = facts({
        of: { groups: named('New', count) },
        ...usually({ groups: named('Old', count) }),
        moves: moves.map((place) => ({ from: `Old${place}`, to: `New${place}`, people: 90 })),
      });
      return judge(given, defaultGuards);
    };
    assert.equal(renamed(10).length, 10);
    const trips = renamed(11);
    assert.equal(trips.length, 11);
    assert.deepEqual(trips.at(-1)?.scope, { groups: ['Old10', 'New10'] });
    assert.match(trips.at(-1)?.message ?? '', /^groups changed far more than usual: "Old10" has 0, usually 90/);
  });

  test('one of several who wait is said to wait', () => {
    const run = { id: 'r0', status: 'paused', isByPerson: false, isFirst: false, calls: 1, sent: 0 } as const;
    const said = (waiting: number, joiners: number): string =>
      messageOf(
        'new',
        facts({ of: { members: 600 }, counts: counts({ new: joiners }), unfinished: { ...run, waiting } }),
      );
    assert.match(said(1, 501), /1 of them waits in run r0, which was paused after 0 of 1 call;/);
    assert.match(said(2, 501), /2 of them wait in/);
    assert.match(said(501, 501), /They wait in/);
    const byPerson = { ...run, isByPerson: true, waiting: 1 };
    assert.match(
      messageOf('new', facts({ counts: counts({ new: 501 }), of: { members: 600 }, unfinished: byPerson })),
      /1 of them waits in run r0\.$/,
    );
  });

  test('a list names five, and a count has the number of its noun', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    assert.deepEqual(
      [0, 1, 2, 5, 6, 7].map((shown) => someOf(names.slice(0, shown))),
      ['', 'a', 'a and b', 'a, b, c, d and e', 'a, b, c, d, e and 1 more', 'a, b, c, d, e and 2 more'],
    );
    assert.deepEqual(
      [0, 1, 2].map((rows) => count(rows, 'row')),
      ['0 rows', '1 row', '2 rows'],
    );
    assert.deepEqual([0, 1, 2].map(heldReason), [
      'nobody would be sent, and the roster waits for an approval',
      '1 delivery waits for an approval',
      '2 deliveries wait for an approval',
    ]);
  });
});

suite('holds', () => {
  test('a hold waits three days for an approval', () => assert.equal(holdForMs, 259_200_000));

  test('two approvals name the same part if they name the same, in any order; of everything there is no part', () => {
    assert.ok(!isSamePart({}, {}));
    assert.ok(!isSamePart({ only: [] }, { exceptGroups: [] }));
    assert.ok(isSamePart({ exceptGroups: ['A', 'B'] }, { exceptGroups: ['B', 'A'], only: [] }));
    assert.ok(isSamePart({ only: ['new'] }, { only: ['new'] }));
    assert.ok(!isSamePart({ only: ['new'] }, { only: ['new'], exceptGroups: ['A'] }));
    assert.ok(!isSamePart({ only: ['new'] }, { only: ['new'], exceptReasons: [1] }));
    assert.ok(!isSamePart({ only: ['new', 'changed'] }, { only: ['new'] }));
    assert.ok(!isSamePart({ only: ['new'] }, { only: ['new', 'changed'] }));
    assert.ok(isSamePart({ exceptReasons: [2, 1] }, { exceptReasons: [1, 2] }));
  });

  test('the same guards that stop the same are the same hold, whatever they say', () => {
    const one = [{ guard: 'new', scope: 'all', message: 'a' } as const];
    assert.ok(isSameHold(one, [{ guard: 'new', scope: 'all', message: 'b' }]));
    assert.ok(!isSameHold(one, [{ guard: 'new', scope: { groups: ['A'] }, message: 'a' }]));
    assert.ok(!isSameHold(one, [{ guard: 'changed', scope: 'all', message: 'a' }]));
  });
});

suite('what is usual', () => {
  const nights = (all: Parameters<typeof census>[0][]) =>
    usualOf(all.map((each) => ({ census: census(each), isApproved: false })));

  test('new and changed people are those of the nights after the first, since nobody was known then', () => {
    const { known: _, ...first } = census({ new: 1000, changed: 70 });
    assert.deepEqual([nights([{}])?.new, nights([{ new: 7, changed: 9 }])?.changed], [5, 9]);
    const only = usualOf([{ census: first, isApproved: false }]);
    assert.deepEqual([only?.new, only?.changed, only?.isOfBatches], [undefined, undefined, false]);
    const two = usualOf([census({ new: 3, changed: 4 }), first].map((each) => ({ census: each, isApproved: false })));
    assert.deepEqual([two?.new, two?.changed], [3, 4]);
  });

  test('a source has other people each time after two rosters of which less than half was known', () => {
    const batches = (...known: number[]) => nights(known.map((each) => ({ known: each })))?.isOfBatches;
    assert.deepEqual(
      [batches(499), batches(499, 499), batches(499, 500), batches(0, 499, 0)],
      [false, true, false, true],
    );
  });

  test('people who wait for their day or for an invitation are no other people', () => {
    const night = { members: 1000, waiting: 700, known: 200 };
    assert.equal(nights([night, night])?.isOfBatches, false);
    assert.equal(nights([night, night].map((each) => ({ ...each, waiting: 0 })))?.isOfBatches, true);
  });

  test('a source that only grows has no other people each time', () => {
    const sizes: [rows: number, known?: number][] = [[1000, 300], [300, 40], [40]];
    const grown = sizes.map(([rows, known]) => {
      const { known: _, ...first } = census({ rows, members: rows });
      return { census: { ...first, ...(known !== undefined && { known }) }, isApproved: true };
    });
    assert.equal(usualOf(grown)?.isOfBatches, false);
  });

  test('an approval hides the nights before it from the figures, but not from the habit', () => {
    const before = { census: census({ known: 0 }), isApproved: false };
    const approved = { census: census({ known: 0, rows: 7 }), isApproved: true };
    const after = { census: census({ known: 0, rows: 9 }), isApproved: false };
    assert.equal(usualOf([after, approved, before, before])?.rows, 9, 'the upper one of two');
    assert.equal(usualOf([after, after, approved, before, before])?.rows, 9);
    assert.equal(usualOf([approved, before])?.rows, 7);
    assert.equal(usualOf([approved, before])?.isOfBatches, true);
  });

  test('what a person settled is not taken from a run of which they left somebody out', () => {
    const [part, whole] = [
      { shrinking: ['Sales'], leftOut: ['x'] },
      { shrinking: ['New'], leftOut: [] },
    ].map((settled) => ({
      census: { ...census({}), ...settled },
      isApproved: true,
    }));
    const usual = part && whole && usualOf([{ ...part, isInPart: true }, whole]);
    assert.deepEqual([usual?.shrinking, usual?.leftOut], [['New'], []]);
  });

  test('a share is the median of the nights; of columns only of those that the newest has, where they were', () => {
    const shares = nights([
      { filled: { Email: 525 }, domains: { 'a.example': 1 }, isUnended: true },
      { filled: { Email: 1050, Old: 3 }, domains: { 'a.example': 1, 'b.example': 1 }, isUnended: true },
      { filled: { Old: 3 }, domains: { 'b.example': 4 } },
    ]);
    assert.deepEqual(shares?.fill, { Email: 1 });
    assert.deepEqual(shares?.domains, { 'a.example': 0.5, 'b.example': 0.5 });
    assert.equal(shares?.isUnended, true);
    assert.equal(nights([{ isUnended: true }, {}, {}])?.isUnended, false);
    assert.deepEqual(nights([{ read: 0, filled: { Email: 0 }, domains: {} }])?.fill, { Email: 0 });
  });
});

suite('the census of a roster', () => {
  test('counts the filled cells of each column that makes members, the domains, and the people of each group', () => {
    const header = ['First', 'Last', 'Email', 'Department', 'Status', 'Shoes'];
    const mapping = resolveColumns(header, {
      ...{ groups: ['All'], groupColumns: ['Department'] },
      rules: { members: { firstname: 'First', lastname: 'Last' }, only: [{ column: 'Status', in: ['active'] }] },
    });
    const taker = new CensusTaker(mapping);
    for (const cells of [
      ['Ann', 'Ek', 'ann@Example.com', ' ', 'active', '39'],
      ['!', '\u00c5', 'a@b@example.com', '\u00a0', '', '40'],
      ['', '~'],
    ])
      taker.row(cells);
    const member = (email: string, ...given: string[]): MappedRow =>
      ({ member: { firstname: 'A', lastname: 'B', email, groups: given } }) as unknown as MappedRow;
    const rows = [
      member('ann@Example.com', 'All', 'Sales'),
      member('a@b@example.com', 'All'),
      member('x@example.org', 'All'),
    ];
    for (const row of rows) taker.member(row);
    assert.deepEqual(taker.counted(), {
      read: 3,
      filled: { First: 2, Last: 3, Email: 2, Department: 0, Status: 1 },
      domains: { 'example.com': 2, 'example.org': 1 },
      groups: { All: 3, Sales: 1 },
    });
    taker.unite(rows);
    assert.deepEqual(taker.counted().groups, { All: 1, Sales: 1 });
  });

  test('tells a thousand domains apart, and goes on to count those', () => {
    const taker = new CensusTaker(
      resolveColumns(['First Name', 'Last Name', 'Email'], { groups: ['All'], groupColumns: [] }),
    );
    const member = (at: number): MappedRow =>
      ({ member: { firstname: 'A', lastname: 'B', email: `a@d${at}.example`, groups: [] } }) as unknown as MappedRow;
    for (let at = 0; at <= 1000; at += 1) taker.member(member(at));
    taker.member(member(0));
    const { domains } = taker.counted();
    assert.deepEqual(
      [Object.keys(domains).length, domains['d0.example'], domains['d1000.example']],
      [1000, 2, undefined],
    );
  });
});
