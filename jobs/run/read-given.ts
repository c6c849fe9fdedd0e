// Reads what a source last gave its people, to compare a roster with.
import { GivenPeople } from '../../src/core/person/given-people.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Compared } from '../../src/ledger/planning/unchanged-people.ts';

/** Reads who would be given nothing if their row is as it was; the next page is on its way while one is added. */
export async function readGiven(ledger: Pick<Ledger, 'givenPeople'>, compared: Compared): Promise<GivenPeople> {
  const given = new GivenPeople();
  for (let page = await ledger.givenPeople(compared, 0); ;) {
    const next = page.next === undefined ? undefined : ledger.givenPeople(compared, page.next);
    // Its failure is seen when it is awaited.
    next?.catch(() => {});
    given.add(page.lines);
    if (next === undefined) return given;
    page = await next;
  }
}
