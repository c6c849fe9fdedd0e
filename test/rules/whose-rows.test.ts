import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { employee, employees, exportOf, type Office, openOffice } from './company.ts';

const staff = employees(60).filter(({ status }) => status === 'Active');

suite('a rejected row that does not say by address or id whose it is', () => {
  let office: Office;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());

  const two = employee(4);
  const also = { ...two, department: 'Space' };
  const mover = employee(5, { department: 'Space' });
  const moved = { ...mover, department: 'Sales' };
  const others = staff.filter(({ id }) => id !== 4 && id !== 5);
  const unread = (first: string, last: string, department = 'Space') => `,${first},${last},,${department},,Active\n`;

  /** A service where one person is on two rows; whom a later night sends, and what it says about such rows. */
  async function given() {
    const { service, night } = office.newService();
    await night(exportOf([...others, two, also, mover]), { trigger: 'import', baseline: true, forceSync: true });
    return async (text: string) => {
      const { planned } = await night(text, { forceSync: true });
      const of = { runId: planned.runId, service, source: 'staff' };
      const people = await office.context.ledger.peopleOfRun(of, { actions: ['changed'] }, { limit: 9 });
      return {
        sent: Object.fromEntries(people.map(({ key, now }) => [key, now.groups.toSorted().join(', ')])),
        said: planned.remarks.filter((said) => said.includes('not say whose')),
      };
    };
  }

  test('by the names on it, this person alone loses no group with forceSync', async () => {
    const night = await given();
    const { sent, said } = await night(exportOf([...others, moved, two]) + unread('FIRST4', 'Last4'));
    assert.deepEqual(sent, { [two.email]: 'All staff, Legal, Space', [mover.email]: 'All staff, Sales' });
    assert.deepEqual(said, []);
    const whole = await night(exportOf([...others, moved, two]));
    assert.deepEqual(whole.sent, { [two.email]: 'All staff, Legal' });
  });

  test('without a name nobody loses a group with forceSync, unless it gives none', async () => {
    const [night, elsewhere] = [await given(), await given()];
    const harmless = await elsewhere(exportOf([...others, mover, two]) + unread('', '', '') + ',Contractors\n');
    assert.deepEqual(harmless, { sent: { [two.email]: 'All staff, Legal' }, said: [] });
    const { sent, said } = await night(exportOf([...others, moved, two]) + unread('', 'Last4'));
    assert.deepEqual(sent, { [two.email]: 'All staff, Legal, Space', [mover.email]: 'All staff, Sales, Space' });
    assert.match(said.join(), /^1 rejected row does not say whose it is; the first: line \d+\. With forceSync nobody/);
    // What stands in the cells of a row that cannot be parsed is a guess.
    const broken = await night(exportOf([...others, moved, two]) + unread('"First4" (Sue)', 'Last4'));
    assert.deepEqual([broken.sent, broken.said.length], [{}, 1]);
    const next = await night(exportOf([...others, moved, two]) + unread('', '', ''));
    assert.deepEqual(next.sent, { [two.email]: 'All staff, Legal', [mover.email]: 'All staff, Sales' });
  });
});

suite('an employee id that several addresses have', () => {
  let office: Office;
  before(async () => {
    office = await openOffice();
  });
  after(() => office.close());

  const contractor = (at: number, first: string, last: string): string =>
    `EXT,${first},${last},external.${at}@corp.example,Space,,Active\n`;
  const externals = [contractor(1, 'Ann', 'Ek'), contractor(2, 'Bo', 'Falk'), contractor(3, 'Ann', 'Falk')];

  test("with different names it is nobody's: these people are known by their addresses, and said once", async () => {
    const { night } = office.newService();
    await night(exportOf(staff), { trigger: 'import', baseline: true });
    const found = async (...lines: string[]) => {
      const { planned, sent } = await night(exportOf(staff) + lines.join(''));
      const { counts, departures } = planned.plan;
      const said = planned.remarks.filter((each) => each.includes('employee id'));
      return [counts.new, planned.facts.counts.rejects, departures?.departed, sent, said.length];
    };
    assert.deepEqual(await found(...externals), [3, 0, 0, 3, 1]);
    assert.deepEqual(await found(...externals), [0, 0, 0, 0, 1]);
    assert.deepEqual(await found(...externals, contractor(4, 'Cy', 'Gale')), [1, 0, 0, 1, 1]);
    // Whoever is the only one with it has an id, until there is another one.
    assert.deepEqual(await found(contractor(2, 'Bo', 'Falk')), [0, 0, 3, 0, 0]);
    assert.deepEqual(await found(contractor(2, 'Bo', 'Falk'), contractor(5, 'Di', 'Holm')), [1, 0, 0, 1, 1]);
  });

  test("a rejected row with it alone may be anybody's: with forceSync nobody loses a group", async () => {
    const { service, night } = office.newService();
    const [first, one, ...others] = staff;
    assert.ok(first && one);
    const also = { ...one, department: 'Space' };
    const known = exportOf([first, one, also, ...others]) + externals.join('');
    await night(known, { trigger: 'import', baseline: true, forceSync: true });
    const { planned } = await night(exportOf(staff) + externals.join('') + 'EXT,,,,Space,,Active\n', {
      forceSync: true,
    });
    const of = { runId: planned.runId, service, source: 'staff' };
    const people = await office.context.ledger.peopleOfRun(of, { actions: ['changed'] }, { limit: 9 });
    assert.ok(
      people.every(({ now }) => now.groups.includes('Space')),
      JSON.stringify(people),
    );
    assert.match(planned.remarks.join(), /1 rejected row does not say whose it is/);
  });

  test('with one name, an address that somebody has said is another account is sent', async () => {
    const { service, night } = office.newService();
    const { ledger } = office.context;
    const joins = (email: string): string => `1999,Ann,Lund,${email},Space,,Active\n`;
    await night(exportOf(staff) + joins('old@corp.example'), { trigger: 'import', baseline: true });
    const both = exportOf(staff) + joins('old@corp.example') + joins('new@corp.example');
    assert.equal((await night(both)).planned.waiting, 1);
    const moves = [{ oldKey: 'old@corp.example', newKey: 'new@corp.example' }];
    const { hash } = await ledger.resolveMoves({ service, moves, decision: 'new-account' });
    await ledger.resolveMoves({ service, moves, decision: 'new-account', hash });
    assert.deepEqual([(await night(both)).sent, (await night(both)).planned.facts.counts.rejects], [1, 0]);
  });

  test('with one name, nobody is invited until the roster says which address is right', async () => {
    const { night } = office.newService();
    const joins = (email: string, first = 'José', id = 1999): string => `${id},${first},Lund,${email},Space,,Active\n`;
    const [old, right, also] = ['jose.lund@corp.example', 'jlund@corp.example', 'jose@corp.example'];
    await night(exportOf(staff), { trigger: 'import', baseline: true });
    const twice = await night(exportOf(staff) + joins(old) + joins(right, 'JOSE') + joins(right, 'JOSE'));
    const rejects = await office.context.ledger.listRejects(twice.planned.runId, { limit: 9 });
    const at = staff.length + 2;
    assert.deepEqual([twice.sent, rejects.map(({ line }) => line)], [0, [at, at + 1, at + 2]]);
    const lines = new RegExp(`^employee 1999 has this name and different addresses on lines ${at} and ${at + 1}:`);
    for (const { reason } of rejects) assert.match(reason, lines);
    assert.equal((await night(exportOf(staff) + joins(right))).sent, 1);
    // Of somebody who is known it is a move.
    const moved = await night(exportOf(staff) + joins(right) + joins(also));
    assert.deepEqual([moved.sent, moved.planned.waiting, moved.planned.facts.counts.rejects], [0, 1, 1]);
  });

  test('with one name, whoever was given something without an id is not invited at another address', async () => {
    const { night } = office.newService();
    const joins = (id: string, email: string): string => `${id},Ann,Lund,${email},Space,,Active\n`;
    await night(exportOf(staff) + joins('', 'ann@corp.example'), { trigger: 'import', baseline: true });
    const learnt = joins('1999', 'ann@corp.example');
    const { sent, planned } = await night(exportOf(staff) + learnt + joins('1999', 'a.lund@corp.example'));
    assert.deepEqual([sent, planned.facts.counts.rejects, planned.plan.counts.unchanged], [0, 1, staff.length + 1]);
  });
});
