import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  employees,
  exportOf,
  type Employee,
  type Night,
  type NightOptions,
  type Office,
  openOffice,
} from './company.ts';

let office: Office;
before(async () => {
  office = await openOffice();
});
after(() => office.close());

const people = employees(400);

/** A source with two usual nights behind it, at a service of its own. */
async function usual(options: NightOptions = {}): Promise<(roster: string, more?: NightOptions) => Promise<Night>> {
  const { night } = office.newService();
  const first = await night(exportOf(people), { ...options, trigger: 'import', approvedBy: 'ann' });
  assert.deepEqual([first.release, first.sent], ['released', 360]);
  const second = await night(
    exportOf(people.map((each) => (each.id < 4 ? { ...each, last: 'Married' } : each))),
    options,
  );
  assert.deepEqual([second.guards, second.sent], [[], 4]);
  return (roster, more) => night(roster, { ...options, ...more });
}

const changed = (change: (each: Employee) => Partial<Employee>): string =>
  exportOf(people.map((each) => ({ ...each, ...change(each) })));

const today = changed(({ id }) => (id === 20 ? { last: 'Today' } : {}));

/** All of it waits, and nobody was called. */
function assertHeld({ release, sent, trips }: Night, guard: string, message: RegExp): void {
  assert.deepEqual([release, sent], ['held', 0]);
  const said = trips.filter((trip) => trip.guard === guard).map((trip) => trip.message);
  assert.equal(said.length, 1, JSON.stringify(trips));
  assert.match(said[0] ?? '', message);
}

describe('the ten worst days', () => {
  it('R10: an empty file is an error that says so, and changes nothing', async () => {
    const night = await usual();
    await assert.rejects(night(''), /staff\.csv: it is empty/);
    assert.deepEqual((await night(today)).guards, []);
  });

  it('half a file is held: its rows, what is usual, and that it was cut off', async () => {
    const night = await usual();
    const text = exportOf(people);
    const half = text.slice(0, Math.floor(text.length / 2));
    assertHeld(
      await night(half),
      'shrink',
      /this looks like half a file: 2\d\d rows, usually 400; it ends without a newline/,
    );
  });

  it('the first complete roster of a source is the first, also after some of its people were sent', async () => {
    const { night } = office.newService();
    const some = await night(exportOf(people), { trigger: 'import', only: ['person.0@corp.example'] });
    assert.deepEqual([some.release, some.sent], ['released', 1]);
    assertHeld(await night(exportOf(people)), 'invites', /this is the first run of staff, and it is unattended/);
  });

  it('a header alone is an error that says so, and changes nothing', async () => {
    const night = await usual();
    await assert.rejects(night(exportOf([])), /staff\.csv: it has a header and nobody below it/);
    assert.deepEqual((await night(today)).guards, []);
  });

  it('the roster of another source is held, and that source is named', async () => {
    const { night } = office.newService();
    const others = employees(400, 1000);
    await night(exportOf(people), { trigger: 'import' });
    await night(exportOf(others), { trigger: 'import', source: 'contractors' });
    await night(exportOf(people));
    assertHeld(
      await night(exportOf(others)),
      'wrongFile',
      /^100 % of these people belong to the source `contractors`, 0 % of this one \(`staff`\)/,
    );
  });

  it('addresses in the column of first names are an error that names the column', async () => {
    const night = await usual();
    await assert.rejects(
      night(changed(({ first, email }) => ({ first: email, email: first }))),
      /None of the 400 rows .*"First Name: first name: ”person.0@corp.example” has an e-mail address in it, not a name/s,
    );
  });

  it('departments and locations exchanged are held: everybody has changed, and no group is what it was', async () => {
    const night = await usual();
    const exchanged = await night(
      changed(({ department, location }) => ({ department: location, location: department })),
    );
    assertHeld(exchanged, 'changed', /^360 people of 360 \(100 %\) have changed, usually \d+\./);
    assert.ok(exchanged.guards.includes('group'));
  });

  it('new names for all departments are held, with the lines that keep the old ones', async () => {
    const night = await usual();
    const renamed = await night(changed(({ department }) => ({ department: `Dept. ${department}` })));
    assertHeld(renamed, 'changed', /100 %/);
    const lines = renamed.trips.flatMap(({ message }) => /rename: \{.*?\}/.exec(message) ?? []);
    assert.equal(lines.length, 6);
    assert.ok(lines.includes('rename: { "Dept. Sales": "Sales" }'), lines.join('\n'));
  });

  it('one department with a new name is held alone, and the rest is sent', async () => {
    const night = await usual();
    const roster = changed(({ id, department, last }) => ({
      department: department === 'Marketing' ? 'Brand' : department,
      last: id === 2 ? 'Moved' : last,
    }));
    const { release, sent, trips } = await night(roster);
    assert.equal(release, 'released');
    assert.match(trips[0]?.message ?? '', /^Marketing disappeared and Brand appeared with 100 % of its people/);
    assert.deepEqual(
      trips.map(({ scope }) => scope),
      [{ groups: ['Marketing', 'Brand'] }],
    );
    assert.equal(sent, 3, 'those who have their old names again, but for the one in that department');
  });

  it('people on several rows are one each where a department is counted', async () => {
    const { night } = office.newService();
    const rowsOf = (department: string): string => {
      const all = people.map((each) => (each.department === 'Marketing' ? { ...each, department } : each));
      return exportOf([...all, ...all.filter((each) => each.department === department)]);
    };
    const first = await night(rowsOf('Marketing'), { trigger: 'import', approvedBy: 'ann' });
    const inIt = first.planned.plan.groups.find(({ group }) => group === 'Marketing')?.adds;
    const { trips, planned } = await night(rowsOf('Brand'));
    assert.deepEqual(
      planned.plan.groups.find(({ group }) => group === 'Brand'),
      { group: 'Brand', adds: inIt },
    );
    assert.match(trips[0]?.message ?? '', /^Marketing disappeared and Brand appeared with 100 % of its people/);
    assert.match(trips[0]?.message ?? '', new RegExp(`approving puts ${inIt} people into Brand`));
    // A day with one row for each of them is like any other.
    const plain = await night(exportOf(people));
    assert.deepEqual([plain.planned.plan.counts.unchanged, plain.guards.includes('group')], [360, false]);
  });

  it('new domains for all addresses are held', async () => {
    const night = await usual();
    const moved = await night(changed(({ id }) => ({ id: id + 5000, email: `person.${id}@newcorp.example` })));
    assertHeld(moved, 'domains', /^the e-mail addresses have unusual domains: .*newcorp\.example has 100 % of them/);
  });

  it('new domains for known employee ids are moves that wait, each by itself', async () => {
    const night = await usual();
    await assert.rejects(
      night(changed(({ id }) => ({ email: `person.${id}@newcorp.example` }))),
      /waits until somebody says/,
    );
  });

  it('a status column that is inverted is held, and the column is asked about', async () => {
    const night = await usual();
    const inverted = changed(({ status }) => ({ status: status === 'Terminated' ? 'Active' : 'Terminated' }));
    assertHeld(
      await night(inverted),
      'shrink',
      /^400 rows as usual, but 40 people in them, usually 360\. 360 rows are left out .* has its status column changed/,
    );
  });

  it('forceSync switched on by an edit of the config is held, for a few people too', async () => {
    const night = await usual();
    assertHeld(
      await night(today, { forceSync: true }),
      'removals',
      /^forceSync is on, and was off in the last run.*assigned by hand, which roster-sync cannot count/,
    );
    const { night: small } = office.newService();
    const five = exportOf(people.slice(0, 5));
    await small(five, { trigger: 'import' });
    assertHeld(await small(five, { forceSync: true }), 'removals', /Each of 5 calls/);
  });

  it('yesterday’s file after today’s is held', async () => {
    const night = await usual();
    const yesterday = changed(({ id }) => (id === 20 ? { last: 'Yesterday' } : {}));
    assert.equal((await night(yesterday)).sent, 5);
    assert.equal((await night(today)).sent, 1);
    const { release, sent } = await night(yesterday);
    assert.deepEqual([release, sent], ['held', 0]);
  });
});

describe('guards', () => {
  it('R10: who is missing in a complete roster is asked about; in one that is imported by hand nobody is missing', async () => {
    const night = await usual();
    const fewer = exportOf(people.filter(({ id }) => id < 10 || id % 8 !== 0));
    const byHand = await night(fewer, { trigger: 'import' });
    assert.deepEqual([byHand.planned.plan.counts.departed, byHand.guards], [0, []]);
    const gone = await night(fewer.replace('First11', 'Other'));
    assertHeld(gone, 'departed', /^\d\d people \(1\d % of the usual 3\d\d\) are no longer in the roster/);
  });

  it('R10: nobody is missing in a roster some of whose rows a stray quote has put into one cell', async () => {
    const night = await usual();
    const fewer = exportOf(people.filter(({ id }) => id !== 50));
    const rows = fewer.split('\n');
    for (const end of [`${rows[28]}"`, `${rows[28]?.replace('Active', 'said "Active"')}`]) {
      const stray = rows.with(21, rows[21]?.replace('Active', '"Active') ?? '').with(28, end);
      const { planned } = await night(stray.join('\n'));
      assert.deepEqual([planned.plan.counts.departed, planned.facts.counts.rejects], [0, 8]);
    }
    assert.equal((await night(fewer)).planned.plan.counts.departed, 1);
  });

  it('hold the first run that nobody watches, whatever is in it, until it is approved', async () => {
    const { night } = office.newService();
    const first = await night(exportOf(people.slice(0, 3)));
    assertHeld(first, 'invites', /^this is the first run of staff, and it is unattended: 3 people/);
    await office.context.ledger.approveHeld(first.planned.runId, { by: 'ann', note: '', hash: '', scope: {} });
    assert.equal(await office.deliver(first.planned.runId), 3);
    const second = await night(exportOf(people.slice(0, 4)));
    assert.deepEqual([second.guards, second.sent], [[], 1]);
  });

  it('let the run of one person pass, and one file of rejects', async () => {
    const night = await usual();
    const one = await night(
      changed(({ id }) => (id === 7 ? { last: 'New' } : {})),
      { only: ['person.7@corp.example'] },
    );
    assert.deepEqual([one.guards, one.sent], [[], 1]);
    const corrected = exportOf([{ ...employees(1, 900)[0] } as Employee]).replaceAll('\n', ',5,bad,r1\n');
    const rejects = corrected.replace('Status,5,bad,r1', 'Status,_line,_reason,_run');
    const some = await night(rejects, { trigger: 'import' });
    assert.deepEqual([some.guards, some.sent], [[], 1]);
  });

  it('hold people over the API once those of a day are too many together, though each request is for a few', async () => {
    const night = await usual();
    const joiners = employees(400, 400).filter(({ status }) => status !== 'Terminated');
    const ask = (from: number) =>
      night(exportOf([...people, ...joiners]), {
        trigger: 'api',
        only: joiners.slice(from, from + 120).map(({ email }) => email),
      });
    const first = await ask(0);
    assert.deepEqual([first.guards, first.sent], [[], 120]);
    const second = await ask(120);
    assert.deepEqual([second.guards, second.sent], [['invites'], 0]);
  });

  it('hold every row of a person whose address has changed', async () => {
    const { night } = office.newService();
    const three = people.slice(0, 3);
    await night(exportOf(three), { trigger: 'import' });
    const moved = three.map((each) => (each.id === 1 ? { ...each, email: 'new.name@corp.example' } : each));
    const both = exportOf([...moved, ...moved.filter(({ id }) => id === 1)]);
    const { planned } = await night(both);
    const rejects = await office.context.ledger.listRejects(planned.runId, { limit: 10 });
    assert.deepEqual(
      rejects.map(({ line, identityChange }) => [line, identityChange]),
      [
        [3, 'moved'],
        [5, 'moved'],
      ],
    );
  });

  it('hold people with forceSync of whom another row was rejected, and say which', async () => {
    const { night } = office.newService();
    const two = people.slice(0, 2);
    await night(exportOf(two), { trigger: 'import', forceSync: true });
    const torn = `${exportOf(two.map((each) => ({ ...each, department: 'Research' })))}1000,,Last0,PERSON.0@corp.example,IT,Oslo,Active\n`;
    const { planned, sent } = await night(torn, { forceSync: true });
    assert.equal(sent, 1, 'the other one');
    assert.deepEqual(planned.facts.counts, { rows: 3, members: 1, merged: 0, filtered: 0, rejects: 2 });
    const rejects = await office.context.ledger.listRejects(planned.runId, { limit: 10 });
    assert.deepEqual(
      rejects.map(({ line, reason }) => [line, reason]),
      [
        [
          2,
          'another row of this person, line 4, cannot be used (first name is empty): with forceSync a call without its groups may take the person out of them',
        ],
        [4, 'first name is empty'],
      ],
    );
    assert.deepEqual(rejects[0]?.cells[3], 'person.0@corp.example');
    const { planned: without } = await office.newService().night(torn, { trigger: 'import' });
    assert.equal(without.facts.counts.members, 2, 'without forceSync nothing is taken away');
  });

  for (const [what, rest] of [
    ['lacks its address', 'First1,Last1,'],
    ['has a new address', 'First1,Married,new.name@corp.example'],
  ] as const) {
    it(`hold people with forceSync of whom a row ${what}, by their employee id`, async () => {
      const { night } = office.newService();
      const both = (row: string) => `${exportOf(people.slice(0, 3))}1001,${row},Library,Oslo,Active\n`;
      const first = await night(both('First1,Last1,person.1@corp.example'), { trigger: 'import', forceSync: true });
      assert.equal(first.sent, 3);
      const torn = both(rest).replaceAll('IT', 'Legal');
      const { planned, sent } = await night(torn, { forceSync: true });
      assert.deepEqual([planned.facts.counts.members, planned.facts.counts.rejects, sent], [2, 2, 1]);
      const [waits] = await office.context.ledger.listRejects(planned.runId, { limit: 10 });
      assert.match(waits?.reason ?? '', /^another row of this person, line 5, cannot be used /);
      const last = await night(both('First1,Last1,person.1@corp.example').replaceAll('IT', 'Legal'), {
        forceSync: true,
      });
      assert.equal(last.sent, 0, 'nothing was taken away');
    });
  }
});
