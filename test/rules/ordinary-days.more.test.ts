import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { employee, employees, exportOf, type Employee, type Night, type Office, openOffice } from './company.ts';

/** Smaller than a company that syncs at night may be, because each night is planned on an embedded database. */
const size = 2000;

let office: Office;
before(async () => {
  office = await openOffice();
});
after(() => office.close());

/** The same every time: a linear congruential generator (Numerical Recipes), in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A night of a company: in a thousand people some join, some move to another department, some leave, one marries. */
function nextDay(people: readonly Employee[], next: number, random: () => number): Employee[] {
  const stayed = people.map((each) => {
    const chance = random();
    if (each.status === 'Terminated') return each;
    if (chance < 0.003) return { ...each, status: 'Terminated' as const };
    if (chance < 0.006) return { ...each, department: each.department === 'Sales' ? 'IT' : 'Sales' };
    return chance < 0.007 ? { ...each, last: `${each.last}-Married` } : each;
  });
  const joiners = Array.from({ length: Math.round(people.length * 0.004 * random()) }, (_, at) =>
    employee(next + at, { status: 'Active' }),
  );
  return [...stayed, ...joiners];
}

const active = (people: readonly Employee[]): Employee[] => people.filter(({ status }) => status !== 'Terminated');

/** How many of today's people are not as they were yesterday. */
function differences(before: readonly Employee[], now: readonly Employee[]): number {
  const known = new Map(active(before).map((each) => [each.id, each]));
  return active(now).filter((each) => {
    const old = known.get(each.id);
    return !old || old.last !== each.last || old.department !== each.department;
  }).length;
}

describe('ordinary days', () => {
  it('of ten thousand people one in a hundred changed: exactly they are sent', async () => {
    const { night, service } = office.newService();
    const people = employees(10_000);
    await night(exportOf(people), { trigger: 'import', baseline: true });
    const changed = people.map((each) => (each.id % 100 === 8 ? { ...each, last: 'Changed' } : each));
    const second = await night(exportOf(changed));
    assert.deepEqual([second.guards, second.sent], [[], 100]);
    const third = await night(exportOf(changed));
    assert.deepEqual([third.guards, third.release, third.sent], [[], 'nothing', 0]);
    assert.equal(await office.context.ledger.countKnown({ service, source: 'staff' }), 9000);
  });

  it('thirty nights of joiners, movers and leavers go by without a question, but for the one layoff', async () => {
    const { night } = office.newService();
    const random = numbers(7);
    let people = employees(size);
    await night(exportOf(people), { trigger: 'import', baseline: true });
    const held: { day: number; result: Night }[] = [];
    for (let day = 1; day <= 30; day += 1) {
      const before = people;
      people = nextDay(people, 10_000 + day * 1000, random);
      // A third of everybody is laid off in one night.
      if (day === 15) people = people.map((each) => (each.id % 3 === 0 ? { ...each, status: 'Terminated' } : each));
      const result = await night(exportOf(people));
      let { sent } = result;
      if (result.release === 'held') {
        held.push({ day, result });
        const { runId } = result.planned;
        await office.context.ledger.approveHeld(runId, { by: 'ann', note: 'the layoff', hash: '', scope: {} });
        sent = await office.deliver(runId);
      } else assert.deepEqual(result.guards, [], `day ${day}: ${JSON.stringify(result.trips)}`);
      assert.equal(sent, differences(before, people), `day ${day}`);
    }
    assert.deepEqual(
      held.map(({ day }) => day),
      [15],
    );
    assert.match(
      held[0]?.result.trips[0]?.message ?? '',
      /rows as usual, but 1,\d\d\d people in them, usually 1,\d\d\d/,
    );
  });
});
