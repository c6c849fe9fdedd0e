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

  /** A service where one person is on two rows; what a later night sends of whom, and says of such rows. */
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
    const night = await given();
    const harmless = await night(exportOf([...others, mover, two, also]) + unread('', '', ''));
    assert.deepEqual(harmless, { sent: {}, said: [] });
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
